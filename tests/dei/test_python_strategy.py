"""A plain Python strategy, given as a file, plays through the plain loop and lands in the same tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab import experiment, replay, results, runs
from simlab.failures import Failures, StrategyFailed
from simlab.games.dei.vocabulary import ENDINGS, STRATEGY_FAILED

LAST = """
from simlab.strategy import Strategy

def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return {answer}

STRATEGY = Strategy("file/last", "takes the last choice", choose, compiled=False)
"""

COMPILED = """
from simlab.games.dei.signatures import choose_signature
from simlab.jit import entry
from simlab.strategy import Strategy

@entry(choose_signature)
def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return n + 5

STRATEGY = Strategy("file/beyond", "answers beyond the list", choose)
"""


def played(folder: Path, answer: str, more: str = "") -> results.Run:
    (folder / "last.py").write_text(LAST.format(answer=answer))
    file = folder / "question.toml"
    file.write_text(
        f'name = "question"\ngame = "dei"\nseed = 3\ngames = 4\nplayers = 2\n'
        f'strategies = ["{folder / "last.py"}", "dei/uniform"]\n{more}'
    )
    plan = runs.plan(experiment.load(file), folder / "run")
    runs.play(plan, 2, quiet=True)
    return results.open_run(folder / "run")


@pytest.mark.compiled_only
def test_a_python_strategy_plays(tmp_path: Path) -> None:
    endings = played(tmp_path, "n - 1").sql("SELECT DISTINCT ending FROM games").fetchall()
    assert endings == [("finished",)]


@pytest.mark.compiled_only
def test_another_noise_reaches_a_python_strategy_and_a_replay(tmp_path: Path) -> None:
    stored = played(tmp_path, "int(key) % n", "[arms.again]\nnoise = 1\n")
    pairs = stored.sql(
        "SELECT one.game_hash <> other.game_hash, other.game FROM games AS one JOIN games AS other "
        "ON one.game + 1 = other.game WHERE one.arm = 0 AND other.arm = 1"
    ).fetchall()
    assert [differs for differs, _ in pairs] == [True] * 4
    deals = stored.sql("SELECT block, rotation, list(arm) FROM games GROUP BY ALL").fetchall()
    assert all(sorted(arms) == [0, 1] for _, _, arms in deals)
    again = replay.Replay(replay.find(stored.path, game=pairs[-1][1]))
    assert again.play(lambda step: None) is None  # and it is as recorded, or this would have raised


@pytest.mark.compiled_only
def test_a_python_strategy_that_raises_is_a_counted_row(tmp_path: Path) -> None:
    stored = played(tmp_path, "1 // 0")
    failed = ENDINGS[STRATEGY_FAILED]
    endings = dict(stored.sql("SELECT ending, count(*) FROM games GROUP BY ending").fetchall())
    assert endings[failed] > 0
    assert stored.manifest["counts"]["endings"][failed] == endings[failed]
    assert stored.sql(
        f"SELECT count(*) FROM games WHERE ending = '{failed}' AND ending_seat IS NULL"
    ).fetchall() == [(0,)]


def refused(folder: Path, source: str) -> StrategyFailed:
    """What a strict run of a strategy file raises."""
    (folder / "failing.py").write_text(source)
    file = folder / "question.toml"
    file.write_text(
        f'name = "question"\ngame = "dei"\nseed = 3\ngames = 4\nplayers = 2\n'
        f'strategies = ["{folder / "failing.py"}"]\n'
    )
    with pytest.raises(StrategyFailed) as failed:
        runs.play(runs.plan(experiment.load(file), folder / "run"), 1, quiet=True, strict=True)
    return failed.value


@pytest.mark.compiled_only
def test_strict_tells_position_and_choices_in_words(tmp_path: Path) -> None:
    answer = "0 if int(public[0].turn) == 0 or int(public[0].n_plays.sum()) == 0 else 1 // 0"
    failed = refused(tmp_path, LAST.format(answer=answer))
    assert "failing.py failed in game 0, decision " in str(failed)
    assert "ZeroDivisionError" in str(failed)
    facts, where, choices, *position = failed.account.split("\n\n")
    assert "Game      0, with 2 players" in facts
    assert f"{tmp_path / 'failing.py'}:5 in choose" in where
    assert "   0  " in choices
    assert position[0].splitlines()[1].startswith("  Turn 1, phase 1; Priority: ")


@pytest.mark.compiled_only
def test_a_compiled_strategy_that_answers_beyond_its_choices_is_told_too(tmp_path: Path) -> None:
    failed = refused(tmp_path, COMPILED)
    words = failed.account.splitlines()
    (count,) = (int(line[9:-1]) for line in words if line.startswith("Choices ("))
    reason = f"it answered {count + 5}, and its choices were 0 to {count - 1}"
    assert str(failed) == f"{tmp_path / 'failing.py'} failed in game 0, decision 1: {reason} (seed 3)"
    failures = Failures()
    plan = runs.plan(experiment.load(tmp_path / "question.toml"), tmp_path / "counted")
    runs.play(plan, 1, quiet=True, failures=failures)
    (line,) = failures.lines()
    assert line.endswith("failed in 4 of 4 games: its answer was none of its choices (game 0, decision 1)")
