"""`make mutants`: 200 mutations of the rules that nobody chose, and who notices each of them."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

import numpy as np  # noqa: F401  once, for all forks; nothing of the engine may be imported here

from tests.mutations.drawn.draw import Drawn, draw
from tests.mutations.drawn.judges import JUDGES
from tests.mutations.drawn.verdict import Row, equivalent_of, equivalents, lacking, table
from tests.mutations.forks import TIMEOUT, run_tasks
from tests.mutations.mutant import SURVIVED

os.environ["NUMBA_DISABLE_JIT"] = "1"  # a mutant would be compiled anew

LIMIT = 1800.0  # seconds a judge and mutant; the last resort, see `judges.py`


def judge_all(mutants: list[Drawn], workers: int) -> list[Row]:
    """What the judges say of each mutant; the tests, which take longest, of those no other judge notices."""
    for name, answer in run_tasks([(name, judge, (None,)) for name, judge in JUDGES.items()], workers, LIMIT):
        if answer != SURVIVED:
            sys.exit(f"{name}: {_in_words(answer)} without any mutation")
    listed = equivalents()
    rows = {it.id: Row(it, {}, equivalent_of(it, listed)) for it in mutants}
    _ask(("scenarios", "twin"), list(rows.values()), workers)
    _ask(("tests",), [row for row in rows.values() if row.survives], workers)
    return list(rows.values())


def _ask(names: tuple[str, ...], rows: list[Row], workers: int) -> None:
    tasks = [((row.drawn.id, name), JUDGES[name], (row.drawn,)) for row in rows for name in names]
    by_id = {row.drawn.id: row for row in rows}
    told = {}
    for done, (key, answer) in enumerate(run_tasks(tasks, workers, LIMIT), start=1):
        told[key] = _in_words(answer)
        if sys.stderr.isatty():
            print(f"{done} of {len(tasks)}: {', '.join(names)}", end="\r", file=sys.stderr, flush=True)
    for name, judge in sorted(told, key=lambda key: names.index(key[1])):
        by_id[name].noticed[judge] = told[name, judge]


def _in_words(answer: Any) -> str:
    if answer is TIMEOUT:
        return "time limit"
    return str(answer)  # an exception too: the process broke down


def main() -> int:
    """Judge the mutants, print the table, tell what is lacking."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations.drawn", description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="processes at once")
    parser.add_argument("only", nargs="*", help="mutants by their eight signs; all if left out")
    arguments = parser.parse_args()
    drawn = draw()
    if unknown := set(arguments.only) - {it.id for it in drawn}:
        parser.error(f"{', '.join(sorted(unknown))}: not drawn")
    mutants = [it for it in drawn if not arguments.only or it.id in arguments.only]
    rows = judge_all(mutants, arguments.workers)
    print(table(rows))
    complaints = lacking(rows, bars=not arguments.only)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
