"""simlab ladder: planted strengths come back, the same bytes every time, nothing is played twice."""

from __future__ import annotations

import io
import json
import sys
from itertools import combinations
from pathlib import Path

import pytest
from ladder_game import GAME_OF_STRENGTH, strategy
from rich.console import Console

import reports.ladder
from simlab import catalog, results, runs
from simlab import plan as plans
from simlab.cli import main
from simlab.contest import Contest
from simlab.errors import ExperimentError, RunError, UsageError
from simlab.experiment import Experiment, load, resolve
from simlab.ladder import ladder as ladders
from simlab.ladder.keys import ALL, NEIGHBOURS
from simlab.ladder.meetings import pairs, tables
from simlab.ladder.rating import ELO

TEXT = """
name = "toy"
game = "fake"
seed = 1
games = {games}
players = {players}
strategies = {strategies}
[ladder]
{keys}
"""
THREE = ("fake/0", "fake/200", "fake/100")


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_STRENGTH)
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    monkeypatch.setattr(catalog, "strategy", lambda name, game: strategy(name))


def experiment(
    strategies: tuple[str, ...] = THREE, games: int = 400, players: str = "2", keys: str = "packs = 0"
) -> Experiment:
    file = Path("toy.toml")
    text = TEXT.format(games=games, players=players, strategies=list(strategies), keys=keys)
    file.write_text(text.replace("'", '"'), encoding="utf-8")
    return load(file)


def played(made: Experiment, out: str | None = None, workers: int = 1) -> ladders.Ladder:
    return ladders.play(made, workers, None if out is None else Path(out), quiet=True)


def contents(folder: str, pattern: str = "*") -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(Path(folder).rglob(pattern))
        if file.is_file()
    }


def order(found: ladders.Ladder) -> list[str]:
    return [found.names[k] for k in found.orders[0].order]


def test_planted_strengths_come_back_for_every_number_of_players() -> None:
    found = played(experiment((*THREE, "fake/150"), 2_000, "[2, 3, 4]", 'packs = 0\nanchor = "fake/100"'))
    assert order(found) == ["fake/200", "fake/150", "fake/100", "fake/0"]
    assert found.orders[0].kind == "certain"
    for rating in found.orders[0].ratings:
        truth = strategy(found.names[rating.strategy]).weights[0] / 100 - 1
        assert set(rating.by_players) == {2, 3, 4}
        assert rating.overall.value == pytest.approx(ELO * truth, abs=3.5 * rating.overall.se + 12)
        for estimate in rating.by_players.values():  # factions and seats flatten the odds a little
            assert estimate.value == pytest.approx(ELO * truth, abs=3.5 * estimate.se + 16)
    for pair in found.orders[0].pairs:
        assert pair.alone.value == pytest.approx(pair.expected, abs=0.03)


def test_the_same_bytes_for_any_number_of_workers() -> None:
    made = experiment(games=100, players="[2, 3]", keys="packs = 1")
    played(made, workers=1)
    first = contents("runs/toy")
    Path("runs").rename("moved")
    played(made, workers=3)
    assert len(first) > 20
    assert contents("runs/toy") == first


def test_what_was_played_is_found_again_and_a_new_strategy_plays_only_its_own_contests() -> None:
    played(experiment())
    before = contents("runs/toy/contests")
    found = played(experiment(("fake/50", *reversed(THREE))))
    after = contents("runs/toy/contests")
    assert {name: after[name] for name in before} == before
    assert len(after) == 2 * len(before)
    assert len(found.games) == 6


def test_more_games_extend_a_ladder_and_fewer_give_what_they_gave() -> None:
    played(experiment(games=400))
    short = Path("runs/toy/ladder.json").read_bytes()
    longer = played(experiment(games=2_000))
    assert all(each.played == 2_000 for each in longer.games)
    assert Path("runs/toy/ladder.json").read_bytes() != short
    played(experiment(games=400))
    assert Path("runs/toy/ladder.json").read_bytes() == short


def test_neighbours_are_those_in_the_file_and_those_in_the_order_found() -> None:
    four = ("fake/0", "fake/300", "fake/100", "fake/400")
    found = played(experiment(four, 400, "2", 'packs = 1\npairs = "neighbours"'))
    assert order(found) == ["fake/400", "fake/300", "fake/100", "fake/0"]
    met = [each.meeting.members for each in found.games]
    assert set(met[:-3]) == {(0, 1), (1, 2), (2, 3), (1, 3), (0, 2)}  # and no others
    assert set(met[-3:]) == {(1, 3), (1, 2), (0, 2)}  # in the sampled pack those of the order
    assert len(found.orders[0].steps) == 3


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("strategies", [4, 7, 12])
def test_at_the_tables_every_two_meet(strategies: int, players: int) -> None:
    found = tables(strategies, players, ALL)
    assert all(len(set(table)) == players and list(table) == sorted(table) for table in found)
    met = {pair for table in found for pair in combinations(table, 2)}
    assert met == set(combinations(range(strategies), 2))
    least = len(met) / (players * (players - 1) / 2)
    assert len(found) <= 2 * least
    assert tables(strategies, players, NEIGHBOURS)[1:2] == (
        [tuple(range(1, players + 1))] if strategies > players else []
    )


def test_pairs() -> None:
    assert pairs(4, (0, 1, 2, 3), ALL) == list(combinations(range(4), 2))
    assert pairs(4, (2, 0, 3, 1), NEIGHBOURS) == [(0, 2), (0, 3), (1, 3)]


def test_an_order_that_another_pack_turns_round_is_contradicted_there() -> None:
    found = played(experiment(("fake/0", "fake/100"), 400, keys="packs = 3"))
    assert [each.kind for each in found.orders] == ["certain", "certain", "contradicted", "certain"]
    assert found.orders[2].order == tuple(reversed(found.orders[0].order))
    text = Path("runs/toy/ladder.json").read_text(encoding="utf-8")
    assert [each["verdict"] for each in json.loads(text)["sampled_packs"]] == [
        "certain",
        "contradicted",
        "certain",
    ]
    assert len(list(Path("runs/toy/packs").iterdir())) == 3


def test_equally_strong_strategies_are_open_and_more_games_are_asked_for() -> None:
    found = played(experiment(("fake/100", "fake/100_too", "fake/0"), 200))
    (step, other) = found.orders[0].steps
    assert (step.pair.kind, other.pair.kind) == ("open", "certain")
    assert step.more > 200
    assert found.orders[0].kind == "open"


def test_a_noise_ladder_is_monotone() -> None:
    names = tuple(f"fake/{strength}" for strength in (0, 60, 120, 180, 240))
    found = played(experiment(names, 2_000, "2", 'packs = 0\npairs = "neighbours"'))
    assert order(found) == list(reversed(names))
    assert all(step.pair.kind == "certain" and step.pair.alone.value > 0.6 for step in found.orders[0].steps)


def test_who_never_loses_is_rated_with_a_bound() -> None:
    found = played(experiment(("fake/0", "fake/9000"), 400))
    best = found.orders[0].ratings[0]
    assert best.overall.value == best.overall.high == float("inf")
    assert 200 < best.overall.low < 900
    assert best.among.value == 1
    saved = json.loads(Path("runs/toy/ladder.json").read_text(encoding="utf-8"))["own_pack"]["ratings"][0]
    assert (saved["rating"]["value"], saved["rating"]["high"]) == (None, None)
    assert saved["rating"]["low"] == pytest.approx(best.overall.low, rel=1e-5)
    assert "≥" in printed(found)


def test_games_that_ended_irregularly_count_in_nothing_and_are_told() -> None:
    found = played(experiment(games=2_000))
    lost = sum(each.played - len(each.block) for each in found.games)
    assert 20 < lost < 120
    assert f"{lost:,}; they count in nothing below" in printed(found)
    assert all(pair.alone.n < 2_000 for pair in found.orders[0].pairs)


def test_a_slow_strategy_plays_fewer_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        catalog, "strategy", lambda name, game: strategy(name, 50 if name == "fake/200" else 6_000)
    )
    found = played(experiment(games=1_000, keys="packs = 0\nparts = 3"))
    games = {each.meeting.members: each.played for each in found.games}
    assert games == {(0, 1): 152, (0, 2): 1_000, (1, 2): 152}


def test_a_contest_is_a_run_that_can_be_planned_again_from_its_manifest() -> None:
    found = played(experiment(players="[2, 3]"))
    for each in found.games:
        manifest = results.read_manifest(each.plan.folder)
        again = plans.plan(resolve(manifest["experiment"], Path()))
        assert isinstance(again.design, Contest)
        assert again.hash == manifest["hash"]
        assert each.plan.folder.name == f"{each.meeting.players}p-{again.hash[:16]}"


def test_what_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made = experiment()
    played(made, "whole")
    calls = []
    play = runs.play

    def stop_at_the_third(*arguments: object, **options: object) -> object:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return play(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "play", stop_at_the_third)
    with pytest.raises(runs.Stopped, match="the same command goes on from what is in stopped"):
        played(made, "stopped")
    assert not Path("stopped/ladder.json").exists()
    played(made, "stopped")
    assert contents("stopped") == contents("whole")


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"strategies": ("fake/0",)}, "a ladder needs two strategies or more"),
        ({"players": "[3]"}, "players must have 2 in it"),
        ({"players": "[2, 4]"}, "players: 4 strategies meet at a table for 4, but there are only 3"),
    ],
)
def test_an_experiment_that_is_no_ladder_is_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ExperimentError, match=reason):
        played(experiment(**change))  # type: ignore[arg-type]
    assert not Path("runs").exists()


def test_an_experiment_of_a_ladder_is_no_run_and_one_without_its_table_is_a_ladder() -> None:
    made = experiment(("fake/0", "fake/100"))
    with pytest.raises(UsageError, match=r"a table \[ladder\], which has no effect on a run"):
        plans.plan(made)
    file = Path("toy.toml")
    file.write_text(file.read_text(encoding="utf-8").partition("[ladder]")[0], encoding="utf-8")
    plain = load(file, games=4)
    assert plain.ladder is None
    assert len(played(plain).orders) == 6  # with five sampled packs


def test_no_file_can_ask_for_the_deals_of_a_ladder() -> None:
    experiment()
    file = Path("toy.toml")
    text = file.read_text(encoding="utf-8").partition("[ladder]")[0]
    file.write_text(text + 'purpose = "ladder"\n', encoding="utf-8")
    with pytest.raises(ExperimentError, match="purpose is no key of an experiment file"):
        load(file)


def test_the_folder_of_a_run_is_left_alone() -> None:
    made = experiment()
    found = played(made)
    folder = found.games[0].plan.folder
    before = contents(str(folder))
    with pytest.raises(RunError, match="holds a run; choose another --out"):
        played(made, str(folder))
    assert contents(str(folder)) == before


# --- what is shown ------------------------------------------------------------------------------------------


def printed(found: ladders.Ladder) -> str:
    out = io.StringIO()
    reports.ladder.publish(found, Console(file=out, width=80))
    return out.getvalue()


def test_what_is_printed_is_narrow_and_as_in_the_file() -> None:
    found = played(experiment((*THREE, "fake/100_too"), 200, "[2, 3]", "packs = 1"))
    text = printed(found)
    assert all(len(line) <= 80 for line in text.splitlines())
    for words in (
        "From the strongest: fake/200",
        "Not certain yet: fake/100",
        "Points above fake/0",
        found.digest,
    ):
        assert words in " ".join(text.split())
    markdown = Path("runs/toy/ladder.md").read_text(encoding="utf-8")
    assert markdown.startswith("# toy\n")
    assert "| sampled 1" in markdown


def test_the_command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    experiment()
    monkeypatch.setattr(sys, "argv", ["simlab", "ladder", "toy.toml", "--games", "40", "--workers", "1"])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capfd.readouterr()
    assert not ended.value.code
    assert "From the strongest: fake/200, fake/100, fake/0." in out
    assert "written to runs/toy/ladder.md, and as ladder.json beside it" in err
