"""Mirror games: no two strategies meet, each plays the same line-ups as often; the key, and a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fake_game import GAME_OF_CHANCE, strategy

from simlab import catalog, runs
from simlab.design import Part, design_of
from simlab.errors import NoEffect
from simlab.experiment import Experiment, load, of_mapping
from simlab.mirrored import Mirrored, mirrored_of
from simlab.results import open_run

DEI = {"name": "x", "game": "dei", "seed": 1, "games": 48, "players": 4, "mixing": "mirrored"}
TWO = ["dei/greedy", "dei/uniform"]


def made(players: tuple[int, ...], strategies: int, factions: int = 4, seed: int = 1) -> Mirrored:
    return mirrored_of(seed, players, range(factions), [24_000] * strategies)


def games_of(design: Mirrored, cycles: int) -> np.ndarray:
    return design.schedule(Part(0, 0, cycles, cycles * design.games_in_cycle, 0))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("strategies", [2, 3, 4])
def test_a_replicate_is_balanced_exactly(players: int, strategies: int) -> None:
    design = made((players,), strategies)
    games = games_of(design, design.replicate(players) // players)
    faction, strategy_ = games["faction"][:, :players], games["strategy"][:, :players]
    assert (strategy_ == strategy_[:, :1]).all()
    seat = np.broadcast_to(np.arange(players), faction.shape)
    cells = np.ravel_multi_index((faction, seat, strategy_), (4, players, strategies))
    assert np.ptp(np.bincount(cells.ravel(), minlength=4 * players * strategies)) == 0
    after = np.ravel_multi_index((faction, np.roll(faction, -1, axis=1), strategy_), (4, 4, strategies))
    often = np.bincount(after.ravel(), minlength=16 * strategies).reshape(4, 4, strategies)
    assert len(set(often[~np.eye(4, dtype=bool)].ravel())) == 1


@pytest.mark.parametrize("players", [(2,), (3,), (4,), (2, 3, 4)])
@pytest.mark.parametrize("strategies", [2, 3, 4])
def test_any_prefix_of_blocks_is_nearly_balanced(players: tuple[int, ...], strategies: int) -> None:
    games = games_of(made(players, strategies), 60)
    for number in players:
        own = games[games["players"] == number][::number]  # a game a block
        played = np.cumsum(own["strategy"][:, :1] == np.arange(strategies), axis=0)
        assert np.ptp(played, axis=1).max() <= 1
        for each in range(strategies):
            sat = (own["faction"][:, :number, None] == np.arange(4)).any(axis=1)
            blocks = np.cumsum(sat & (own["strategy"][:, :1] == each), axis=0)
            assert np.ptp(blocks, axis=1).max() <= 2


def test_each_strategy_plays_what_it_would_play_alone() -> None:
    mirrored = games_of(made((3,), 2), 40)
    alone = design_of(1, [3], range(4), [24_000]).schedule(Part(0, 0, 20, 60, 0))
    for each in (0, 1):
        assert (mirrored[mirrored["strategy"][:, 0] == each]["faction"] == alone["faction"]).all()
    deals = mirrored["deal_key"][::3]
    assert len(set(deals.tolist())) == len(deals)  # other deals: blocks are independent


def test_only_who_sits_where_differs_from_the_design() -> None:
    mirrored = games_of(made((2, 4), 3), 6)
    mixed = design_of(1, [2, 4], range(4), [24_000] * 3).schedule(Part(0, 0, 6, 72, 0))
    for column in set(mirrored.dtype.names) - {"faction", "strategy"}:
        assert (mirrored[column] == mixed[column]).all()


def test_the_key_is_of_the_run_and_by_design_is_as_left_out() -> None:
    mirrored, without = (
        of_mapping(DEI | {"strategies": TWO}),
        of_mapping({key: value for key, value in DEI.items() if key != "mixing"} | {"strategies": TWO}),
    )
    by_design = of_mapping(DEI | {"strategies": TWO, "mixing": "by_design"})
    assert by_design.resolved() == without.resolved()
    assert "mixing" not in by_design.resolved()
    assert mirrored.resolved()["mixing"] == "mirrored"
    assert of_mapping(mirrored.resolved()).resolved() == mirrored.resolved()
    hashes = [each.run_hash(["s"], "signature") for each in (without, by_design, mirrored)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_command_may_have_one_strategy_play_it(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    keys = [f"{key} = {value!r}" for key, value in (DEI | {"strategies": TWO}).items()]
    file.write_text("\n".join(keys), encoding="utf-8")
    assert load(file).mixing == "mirrored"
    assert load(file, strategies=["dei/uniform"]).mixing == "by_design"
    assert load(file, strategies=[*TWO, "dei/planner"]).mixing == "mirrored"


def test_a_single_strategy_beside_it_plays_as_ever() -> None:
    arms = {"arms": {"longer": {"rules": {"turns": 5}}}}
    found = of_mapping(DEI | arms | {"strategies": TWO, "also_by": [["dei/planner"], [*TWO, "dei/planner"]]})
    assert [each.mixing for each in found.also_by] == ["by_design", "mirrored"]
    with pytest.raises(NoEffect):
        of_mapping(DEI | arms | {"strategies": TWO[:1], "also_by": [TWO]})


# --- a run of it ------------------------------------------------------------------------------------------


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Experiment:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_CHANCE)
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    monkeypatch.setattr(catalog, "strategy", lambda name, game: strategy(name, games_per_part=400))
    return of_mapping(DEI | {"game": "fake", "games": 600, "strategies": ["fake/first", "fake/second"]})


def test_a_run_has_the_same_bytes_for_any_number_of_workers(fake: Experiment, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for workers, folder in enumerate(folders, 1):
        runs.play(runs.plan(fake, folder), workers)
    one, two = ([file.read_bytes() for file in sorted(each.rglob("*.*"))] for each in folders)
    assert len(one) > 4
    assert one == two
    run = open_run(folders[0])
    assert run.manifest["balanced_every"] == {"4": 6 * 4 * 2}
    by_game = "(SELECT game, min(strategy) AS one, max(strategy) AS other FROM seats GROUP BY game)"
    found = run.sql(f"SELECT one, other, count(*) FROM {by_game} GROUP BY ALL ORDER BY one").fetchall()
    assert found == [("fake/first",) * 2 + (300,), ("fake/second",) * 2 + (300,)]


def test_another_order_of_mirror_games_is_another_run(
    fake: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = runs.plan(fake).hash
    assert runs.plan(fake).hash == before
    monkeypatch.setattr(catalog, "source_hash", lambda function: "0" * 64)
    assert runs.plan(fake).hash != before
