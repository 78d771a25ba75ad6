"""The section Luck: what was planted in a made-up run, with and without an arm of another noise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from edited import replaced
from told import cell, estimate

from reports.dei import contents
from reports.document import Section
from simlab.games.dei.record import GAMES, SEATS
from simlab.results import open_run, read_manifest, write_manifest, write_part

MakeRun = Callable[..., Path]
EVEN = (0.25,) * 4
DECIDES = "What decides"


def luck(run: Path) -> Section:
    found = contents.SECTIONS["luck"](contents.basis(open_run(run)))
    assert found is not None
    return found


def with_noise(run: Path, folder: Path, *, decided: bool) -> Path:
    """The same run with an arm of another noise: with the same winners, or with others drawn by lot."""
    rng = np.random.default_rng(5)
    tables: dict[str, list[pa.Table]] = {"games": [], "seats": []}
    games = pq.read_table(next((run / "games").glob("*.parquet")))
    seats = pq.read_table(next((run / "seats").glob("*.parquet")))
    for arm in (0, 1):
        winner = np.array(games["winner_seat"].to_pylist())
        won = np.array(seats["win_share"].to_pylist())
        if arm and not decided:
            winner = rng.integers(0, 4, len(winner))
            won = (np.array(seats["seat"]) == np.repeat(winner, 4)).astype(float)
        for name, table, changed in (
            ("games", games, {"winner_seat": winner}),
            ("seats", seats, {"win_share": won}),
        ):
            numbers = 2 * np.array(table["game"]) + arm
            tables[name].append(
                replaced(table, {"game": numbers, "arm": np.full(len(table), arm), **changed})
            )
    both = {name: pa.concat_tables(parts) for name, parts in tables.items()}
    folder.mkdir()
    parts = {"000000": write_part(folder, "000000", [GAMES, SEATS], both)}
    manifest = read_manifest(run)
    arms = {"arms": [{"name": "base"}, {"name": "again", "noise": 1}]}
    experiment = manifest["experiment"] | {"base": "base", "arms": {"again": {"noise": 1}}}
    write_manifest(folder, manifest | {"parts": parts, "experiment": experiment, **arms})
    return folder


@pytest.mark.parametrize(("decided", "deal"), [(True, 1.0), (False, 0.0)])
def test_deal_and_noise_are_told_apart(make_run: MakeRun, tmp_path: Path, decided: bool, deal: float) -> None:
    section = luck(with_noise(make_run(strengths=EVEN), tmp_path / "again", decided=decided))
    found = {name: estimate(section, DECIDES, name, "Of who wins") for name in ("Deal", "Noise of play")}
    assert found["Deal"].value == pytest.approx(deal, abs=0.06)
    assert found["Noise of play"].value == pytest.approx(1 - deal, abs=0.06)
    assert cell(section, DECIDES, "· Deal, alike for all", "Of who wins") is None
    assert section.finding.startswith("who wins is decided to ")
    assert "played twice" in str(section.parts[0])


def test_without_such_an_arm_deal_and_noise_are_one(make_run: MakeRun) -> None:
    section = luck(make_run(strengths=(0.70, 0.10, 0.10, 0.10), blocks=400))
    faction = estimate(section, DECIDES, "· Faction", "Of who wins")
    truth = np.var([0.7, 0.1, 0.1, 0.1]) / 0.1875
    assert faction.low < truth < faction.high
    rest = estimate(section, DECIDES, "Deal and noise of play", "Of who wins")
    assert rest.value == pytest.approx(1 - truth, abs=0.05)
    deviation = estimate(section, "The same as standard deviations", "Who and where", "Chance to win, points")
    assert deviation.value == pytest.approx(26, abs=2)
    assert "can't be told apart" in str(section.parts[0])


def test_supplies_that_hang_on_factions_alone(make_run: MakeRun) -> None:
    """Refuge 42 has 40 always, the others 32 to 36 and a number drawn from 5 to 14."""
    section = luck(make_run(strengths=EVEN, blocks=400))
    faction = estimate(section, DECIDES, "· Faction", "Of Supplies")
    means = np.array([40, 41.5, 43.5, 45.5])
    chance = 0.75 * (10**2 - 1) / 12
    truth = means.var() / (means.var() + chance)
    assert faction.value == pytest.approx(truth, abs=0.05)
    assert faction.low < truth < faction.high


def test_too_few_blocks_are_said(make_run: MakeRun) -> None:
    section = luck(make_run(blocks=3))
    assert "Too few blocks" in str(section.parts[-1])
    assert section.finding == ""


def test_irregular_games_cost_their_block_and_no_more(make_run: MakeRun) -> None:
    section = luck(make_run(blocks=200, irregular=5))
    assert estimate(section, DECIDES, "· Seat", "Of who wins").n == 4 * 4 * (200 - 2)
