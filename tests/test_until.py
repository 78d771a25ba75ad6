"""Runs that stop when they know enough: where they stop, whoever plays and in whatever order it is done."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from even_game import EVEN, PLANTED, UNEVEN, even, strategy

from simlab import catalog, results, runs
from simlab.commands import run as commands
from simlab.errors import RunError
from simlab.experiment import Experiment, load
from simlab.failures import Failures
from simlab.held import Held
from simlab.looks import Looks
from simlab.results import open_run, read_manifest

TEXT = """
name = "toy"
game = "even"
seed = 1
games = 60000
players = 4
strategies = ["fake/first"]
band = 4
until = "decided"
"""
ARMS = """
[arms.grey]
rules = { turns = 5 }
[arms.nothing]
layout = "quick"
"""
PRECISE = '{ metric = "faction.win_share", half_width = 0.04 }'


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "game", lambda name: PLANTED)
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    monkeypatch.setattr(
        catalog, "strategy", lambda name, game: strategy(name, 2 if name.endswith("strong") else 1)
    )


def experiment(tmp_path: Path, text: str = TEXT, **overrides: int) -> Experiment:
    file = tmp_path / "toy.toml"
    file.write_text(text, encoding="utf-8")
    return load(file, **overrides)


def asking(until: str, text: str = TEXT) -> str:
    return text.replace('until = "decided"', f"until = {until}")


def played(made: Experiment, out: Path, workers: int = 1, **how: object) -> dict:
    return runs.play(runs.plan(made, out), workers, **how)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def shuffled(seed: int, window: int) -> Callable[..., Iterator[list[object]]]:
    """Parts that are done in a drawn order, up to `window` of them at a time."""

    def play_all(jobs, play, most, pace=None, enough=lambda: False):
        order, waiting, under_way = random.Random(seed), list(jobs), []
        while waiting or under_way:
            while waiting and len(under_way) < window:
                under_way.append(waiting.pop(0))
            yield [play(under_way.pop(order.randrange(len(under_way))), lambda: None)]

    return play_all


@pytest.mark.parametrize("text", [TEXT, asking(PRECISE), TEXT + ARMS], ids=["decided", "precise", "arms"])
def test_it_stops_at_the_same_game_whoever_plays_and_whatever_is_done_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    made = experiment(tmp_path, text)
    one = played(made, tmp_path / "one")
    assert one["ended"]["met"]
    assert 0 < one["ended"]["games"] < made.games / 2
    for workers in (2, 3):
        assert played(made, tmp_path / str(workers), workers) == one
    for seed in range(2):
        monkeypatch.setattr("simlab.threads.played", shuffled(seed, 7))
        assert played(made, tmp_path / f"shuffled {seed}") == one
    expected = contents(tmp_path / "one")
    for other in ("2", "3", "shuffled 0", "shuffled 1"):
        assert contents(tmp_path / other) == expected


def test_it_stops_at_the_first_part_after_which_all_is_known(tmp_path: Path) -> None:
    made = experiment(tmp_path)
    manifest = played(made, tmp_path / "run")
    plan = runs.plan(made, tmp_path / "run")
    parts = list(manifest["parts"].items())
    for count in range(len(parts) + 1):
        looks = Looks(plan, Held(dict(parts[:count])))
        assert (looks.taken, looks.met) == (count, count == len(parts))
    without_the_third = {name: hashes for name, hashes in parts if name != parts[2][0]}
    looks = Looks(plan, Held(without_the_third))
    assert (looks.taken, looks.met) == (2, False)  # what lies beyond a gap isn't looked at


def test_a_planted_imbalance_is_decided_early_and_truly(tmp_path: Path) -> None:
    made = experiment(tmp_path)
    plan = runs.plan(made, tmp_path / "run")
    runs.play(plan, 1)
    looks = Looks(plan, Held(read_manifest(plan.folder)["parts"]))
    kinds = {item.name: item.kind for item in looks.items}
    assert set(kinds.values()) == {"balanced", "unbalanced"}
    assert {name for name, kind in kinds.items() if kind == "unbalanced"} == {"red", "green", "blue", "grey"}
    ended = looks.ended()
    assert ended["games"] < 6_000
    assert ended["says"] == (
        f"stopped after {ended['games']:,} of at most 60,000 games:"
        " all 4 factions' and all 4 seats' win shares decided, 4 in the band and 4 out of it"
    )


def test_what_was_asked_to_be_known_is_known(tmp_path: Path) -> None:
    made = experiment(tmp_path, asking(PRECISE))
    plan = runs.plan(made, tmp_path / "run")
    ended = runs.play(plan, 1)["ended"]
    looks = Looks(plan, Held(read_manifest(plan.folder)["parts"]))
    assert max(item.half_width for item in looks.items) <= 0.04
    assert ended["says"] == (
        f"stopped after {ended['games']:,} of at most 60,000 games:"
        " all 4 factions' win shares known to ±4 points"
    )


def test_strategies_can_be_asked_for(tmp_path: Path) -> None:
    text = asking(PRECISE.replace("faction", "strategy")).replace("first", 'first", "fake/strong')
    manifest = played(experiment(tmp_path, text), tmp_path / "run")
    assert manifest["ended"]["says"].endswith(": both strategies' win shares known to ±4 points")


def test_arms_are_decided_too_and_one_that_changes_nothing_early(tmp_path: Path) -> None:
    made = experiment(tmp_path, TEXT + ARMS)
    plan = runs.plan(made, tmp_path / "run")
    ended = runs.play(plan, 1)["ended"]
    looks = Looks(plan, Held(read_manifest(plan.folder)["parts"]))
    assert {item.name: item.kind for item in looks.items} == {"grey": "unbalanced", "nothing": "balanced"}
    assert ended["says"] == (
        f"stopped after {ended['games']:,} of at most 60,000 games of each arm:"
        " both verdicts on arms decided, 1 in the band and 1 out of it"
    )
    alone = TEXT + ARMS.partition("[arms.nothing]")[0]
    shorter = played(experiment(tmp_path, alone), tmp_path / "alone")["ended"]
    assert shorter["games"] <= ended["games"]


def test_changes_can_be_asked_for_with_several_numbers_of_players(tmp_path: Path) -> None:
    text = asking(PRECISE.replace("win_share", "win_share_change").replace("0.04", "0.06"), TEXT + ARMS)
    made = experiment(tmp_path, text.replace("players = 4", "players = [2, 4]"))
    manifest = played(made, tmp_path / "run")
    assert manifest["ended"]["met"]
    assert manifest["counts"]["players"] == dict.fromkeys(("2", "4"), 3 * manifest["ended"]["games"])


def test_undecided_at_the_maximum_it_says_what_and_about_how_many_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "game", lambda name: EVEN)
    ended = played(experiment(tmp_path, games=1_000), tmp_path / "run")["ended"]
    assert not ended["met"]
    assert ended["games"] == ended["most"] == 1_000
    assert ended["says"].startswith("not decided within 1,000 games: ")
    more = int(ended["says"].partition("; about ")[2].partition(" more games")[0].replace(",", ""))
    longer = played(experiment(tmp_path, games=1_000 + 2 * more), tmp_path / "run")["ended"]
    assert longer["met"]
    assert longer["games"] > 1_000
    short = played(experiment(tmp_path, games=40), tmp_path / "short")["ended"]
    assert "too few blocks to say how many more games would settle it" in short["says"]


def test_more_games_extend_it_to_what_it_would_have_been(tmp_path: Path) -> None:
    cut = played(experiment(tmp_path, games=900), tmp_path / "run")
    assert (cut["ended"]["met"], cut["counts"]["games"]) == (False, 900)
    longer = played(experiment(tmp_path), tmp_path / "run")
    assert longer == played(experiment(tmp_path), tmp_path / "fresh")
    assert contents(tmp_path / "run") == contents(tmp_path / "fresh")


def test_a_run_that_has_stopped_is_not_played_on(tmp_path: Path) -> None:
    manifest = played(experiment(tmp_path), tmp_path / "run")
    times = {file: file.stat().st_mtime_ns for file in (tmp_path / "run").rglob("*")}
    assert played(experiment(tmp_path), tmp_path / "run") == manifest
    assert played(experiment(tmp_path, games=100), tmp_path / "run") == manifest
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "run").rglob("*")} == times
    more = played(experiment(tmp_path, games=90_000), tmp_path / "run")
    says = manifest["ended"]["says"].replace("60,000", "90,000")
    assert more["ended"] == manifest["ended"] | {"most": 90_000, "says": says}
    played(experiment(tmp_path, games=90_000), tmp_path / "fresh")
    assert contents(tmp_path / "run") == contents(tmp_path / "fresh")


@pytest.mark.parametrize("at", [1, 4, 7])
def test_interrupted_it_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    made = experiment(tmp_path)
    played(made, tmp_path / "whole")
    calls = []

    def stop(*arguments: object) -> object:
        calls.append(1)
        if len(calls) > at:
            raise KeyboardInterrupt
        return PLANTED.play(*arguments)

    monkeypatch.setattr(catalog, "game", lambda name: dataclasses.replace(PLANTED, play=stop))
    monkeypatch.setattr("simlab.threads.played", shuffled(at, 5))
    with pytest.raises(runs.Stopped):
        played(made, tmp_path / "run")
    there = read_manifest(tmp_path / "run")
    assert (len(there["parts"]), "ended" in there) == (at, False)
    monkeypatch.setattr(catalog, "game", lambda name: PLANTED)
    played(made, tmp_path / "run")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_parts_beyond_its_end_that_an_interruption_left_are_dropped(tmp_path: Path) -> None:
    made = experiment(tmp_path)
    manifest = played(made, tmp_path / "whole")
    without = asking("0", TEXT).replace("until = 0\n", "")
    longer = played(experiment(tmp_path, without, games=6_000), tmp_path / "run")
    assert len(longer["parts"]) > len(manifest["parts"])
    begun = {key: value for key, value in longer.items() if key != "seal"} | {"finished": False}
    begun["experiment"] = manifest["experiment"]
    results.write_manifest(tmp_path / "run", begun)
    assert played(made, tmp_path / "run")["digest"] == manifest["digest"]
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_a_damaged_part_is_played_anew(tmp_path: Path) -> None:
    manifest = played(experiment(tmp_path), tmp_path / "run")
    before = contents(tmp_path / "run")
    (tmp_path / "run" / "seats" / "000001.parquet").unlink()
    assert played(experiment(tmp_path), tmp_path / "run") == manifest
    assert contents(tmp_path / "run") == before


def test_only_what_is_kept_is_told_of_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "game", lambda name: even(UNEVEN, irregular=50))
    monkeypatch.setattr("simlab.threads.played", shuffled(1, 7))
    failures = Failures()
    manifest = played(experiment(tmp_path), tmp_path / "run", failures=failures)
    assert manifest["counts"]["endings"]["stalled"] > 0
    assert failures.games == manifest["counts"]["games"]


@pytest.mark.parametrize(
    ("first", "then", "reason"),
    [
        ('"decided"', PRECISE, f'with until = "decided", not with until = {PRECISE}, and when'),
        (PRECISE, PRECISE.replace("0.04", "0.05"), f"with until = {PRECISE}, not with until = {{ metric"),
        ('"decided"', "", 'with until = "decided", not without until, and when to stop is declared before'),
        ("", '"decided"', 'without until, not with until = "decided", and when to stop is declared before'),
    ],
)
def test_a_run_that_was_begun_with_another_is_refused(
    tmp_path: Path, first: str, then: str, reason: str
) -> None:
    def text(until: str) -> str:
        return asking(until) if until else TEXT.replace('until = "decided"\n', "")

    made, other = (experiment(tmp_path, text(until), games=400) for until in (first, then))
    assert runs.plan(made).hash == runs.plan(other).hash  # it changes no game
    played(made, tmp_path / "run")
    before = contents(tmp_path / "run")
    with pytest.raises(RunError, match=re.escape(f"run was begun {reason}")):
        played(other, tmp_path / "run")
    assert contents(tmp_path / "run") == before


def test_progress_says_how_far_it_is(tmp_path: Path) -> None:
    for until, begins, later in [
        ('"decided"', "0 of 8 decided,", "8 of 8 decided,"),
        (PRECISE, "asked ±4 points,", "asked ±4 points,"),
    ]:
        plan = runs.plan(experiment(tmp_path, asking(until)), tmp_path / until[1:5])
        assert Looks(plan, Held({})).progress() == begins
        runs.play(plan, 1)
        said = Looks(plan, Held(read_manifest(plan.folder)["parts"])).progress()
        assert said.endswith(later)
        assert said != begins


def test_the_command_says_how_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands.play(experiment(tmp_path), 1, tmp_path / "run", strict=False)
    assert capsys.readouterr().err.splitlines()[-1] == read_manifest(tmp_path / "run")["ended"]["says"]


def test_what_stopped_it_can_be_read_as_any_run(tmp_path: Path) -> None:
    manifest = played(experiment(tmp_path), tmp_path / "run", 2)
    rows = open_run(tmp_path / "run").sql("SELECT count(*), max(game) + 1 FROM games").fetchall()
    assert rows == [(manifest["ended"]["games"],) * 2]
