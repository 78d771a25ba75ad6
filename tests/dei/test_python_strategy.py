"""A plain Python strategy, given as a file, plays through the plain loop and lands in the same tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab import experiment, results, run
from simlab.games.dei.vocabulary import ENDINGS, STRATEGY_FAILED

LAST = """
from simlab.strategy import Strategy

def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return {answer}

STRATEGY = Strategy("file/last", "takes the last choice", choose, compiled=False)
"""


def played(folder: Path, answer: str) -> results.Run:
    (folder / "last.py").write_text(LAST.format(answer=answer))
    file = folder / "question.toml"
    file.write_text(
        f'name = "question"\ngame = "dei"\nseed = 3\ngames = 4\nplayers = 2\n'
        f'strategies = ["{folder / "last.py"}", "dei/uniform"]\n'
    )
    plan = run.plan(experiment.load(file), folder / "run")
    run.play(plan, 2, quiet=True)
    return results.open_run(folder / "run")


@pytest.mark.compiled_only
def test_a_python_strategy_plays(tmp_path: Path) -> None:
    endings = played(tmp_path, "n - 1").sql("SELECT DISTINCT ending FROM games").fetchall()
    assert endings == [("finished",)]


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
