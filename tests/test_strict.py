"""Runs with strategies that fail: the same bytes for any number of workers; what is told; --strict."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from plugged import write_strategy

from simlab import experiment, runs
from simlab.cli import main
from simlab.errors import RunError
from simlab.failures import Failures, Spoilt, StrategyFailed
from simlab.results import open_run

FAILING = """
if game in (5, 14) and decision == 3:
    while True: pass
if game == 9 and decision == 2:
    return helper(n)
if game == 11:
    return 7"""
HELPER = "def helper(n):\n    raise ValueError(f'no choice {n}')"


def question(folder: Path, name: str, **keys: object) -> Path:
    """An experiment file: 24 games in parts of four."""
    file = folder / "toy.toml"
    lines = ['name = "toy"', 'game = "fake"', "seed = 1", "games = 24", "players = 2"]
    lines += [f'strategies = ["{name}"]', *(f"{key} = {value}" for key, value in keys.items())]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def contents(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def test_workers_change_no_byte_where_strategies_stall_and_fail(plugged: Path) -> None:
    name = write_strategy(plugged, FAILING, HELPER, part=80)
    made = experiment.load(question(plugged, name, decision_timeout=0.4))
    outside = "it answered 7, and its choices were 0 to 2"
    told = []
    for workers in (1, 2, 3):
        failures = Failures()
        manifest = runs.play(runs.plan(made, plugged / str(workers)), workers, quiet=True, failures=failures)
        told.append(failures.lines())
    assert manifest["experiment"]["decision_timeout"] == 0.4
    assert manifest["counts"]["endings"] == {
        "finished": 20,
        "illegal choice": 1,
        "stalled": 2,
        "strategy failed": 1,
    }
    assert contents(plugged / "1") == contents(plugged / "2") == contents(plugged / "3")
    assert (
        told
        == [
            [
                f"{name} failed in 2 of 24 games: no answer within 0.4 s (game 5, decision 3)",
                f"{name} failed in 1 of 24 games: ValueError: no choice 3 (game 9, decision 2)",
                f"{name} failed in 1 of 24 games: {outside} (game 11, decision 1)",
            ]
        ]
        * 3
    )
    rows = open_run(plugged / "3").sql(
        "SELECT game, ending, ending_seat, decisions FROM games WHERE ending <> 'finished' ORDER BY game"
    )
    assert rows.fetchall() == [
        (5, "stalled", 0, 3),
        (9, "strategy failed", 1, 2),
        (11, "illegal choice", 0, 1),
        (14, "stalled", 0, 3),
    ]


# --- what is told ------------------------------------------------------------------------------------------


def lines(*spoilt: Spoilt) -> list[str]:
    failures = Failures()
    for one in spoilt:
        failures.add(1, [one])
    return failures.lines()


def test_failures_are_told_by_reason_the_most_frequent_first() -> None:
    assert lines() == []
    assert lines(
        Spoilt(9, 1, "a.py", "KeyError: 1"),
        Spoilt(8, 2, "b.py", "ValueError: <X at 0x7f00>"),
        Spoilt(7, 3, "b.py", "ValueError: <X at 0x8f00>"),
        Spoilt(3, 4, "b.py", "KeyError: 1"),
    ) == [
        "b.py failed in 2 of 4 games: ValueError: <X at 0x…> (game 7, decision 3)",
        "b.py failed in 1 of 4 games: KeyError: 1 (game 3, decision 4)",
        "a.py failed in 1 of 4 games: KeyError: 1 (game 9, decision 1)",
    ]


def test_many_reasons_are_told_in_few_lines() -> None:
    found = lines(*(Spoilt(game, 1, "a.py", f"KeyError: {game}") for game in range(3000)))
    assert len(found) == 11
    assert found[0] == "a.py failed in 2,000 of 3,000 games: other failures (game 1000, decision 1)"
    assert found[1] == "a.py failed in 1 of 3,000 games: KeyError: 0 (game 0, decision 1)"
    assert found[10] == "991 more games failed for 991 more reasons"


# --- strict -------------------------------------------------------------------------------------------------


def simlab(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["simlab", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capfd.readouterr()
    return int(ended.value.code or 0), out, err


def test_strict_stops_at_the_first_failure_and_tells_all_of_it(
    plugged: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = write_strategy(plugged, FAILING, HELPER, part=80)
    words = ["run", question(plugged, name, decision_timeout=0.4), "--workers", 1, "--out"]
    code, out, err = simlab(capfd, monkeypatch, *words, "run", "--strict")
    assert (code, out) == (1, "")
    assert err == (
        "Game      5, with 2 players\n"
        f"Strategy  {name}\n"
        "Seat      0, the 1st in the starting Priority: blue\n"
        "Decision  3\n"
        "Failure   no answer within 0.4 s\n"
        "\n"
        "Choices (3)\n  0  ten\n  1  twenty\n  2  thirty\n"
        "\n"
        "Position\n  decision 3\n"
        "\n"
        f"simlab: {name} failed in game 5, decision 3: no answer within 0.4 s (seed 1)\n"
    )
    there = open_run(plugged / "run").sql("SELECT count(*) FROM games").fetchall()
    assert there == [(4,)]  # the part before
    assert simlab(capfd, monkeypatch, *words, "run")[0] == 0  # goes on
    assert simlab(capfd, monkeypatch, *words, "whole")[0] == 0
    assert contents(plugged / "run") == contents(plugged / "whole")
    assert simlab(capfd, monkeypatch, *words, "run", "--strict") == (1, "", err)  # known from the tables


def test_strict_shows_the_lines_of_the_strategys_own_file(plugged: Path) -> None:
    name = write_strategy(plugged, "return helper(n)", HELPER)
    plan = runs.plan(experiment.load(question(plugged, name)), plugged / "run")
    with pytest.raises(StrategyFailed) as failed:
        runs.play(plan, 1, quiet=True, strict=True)
    numbered = {line.strip(): n for n, line in enumerate(Path(name).read_text().splitlines(), 1)}
    first, second = numbered["return helper(n)"], numbered["raise ValueError(f'no choice {n}')"]
    block = failed.value.account.split("\n\n")[1]
    assert block.splitlines() == [
        "Where, in its own lines",
        f"  mine.py:{first} in choose",
        "    return helper(n)",
        f"  mine.py:{second} in helper",
        "    raise ValueError(f'no choice {n}')",
    ]


def test_strict_without_a_failure_changes_nothing(plugged: Path) -> None:
    made = experiment.load(question(plugged, write_strategy(plugged)))
    for folder, strict in [("plain", False), ("strict", True), ("strict", True)]:
        runs.play(runs.plan(made, plugged / folder), 1, quiet=True, strict=strict)
    assert contents(plugged / "plain") == contents(plugged / "strict")


def test_strict_says_when_a_failure_does_not_come_again(plugged: Path) -> None:
    name = write_strategy(
        plugged, "mark = HERE / 'mark'\nif game == 3 and not mark.exists():\n    mark.touch()\n    1 // 0"
    )
    plan = runs.plan(experiment.load(question(plugged, name)), plugged / "run")
    runs.play(plan, 1, quiet=True)
    with pytest.raises(
        RunError, match=r"failed in game 3 \(seed 1\), but not when that game was played again"
    ):
        runs.play(plan, 1, quiet=True, strict=True)
