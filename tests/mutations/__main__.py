"""`make rules`: every rule with where it is, what notices its mutations, and how often it mattered."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np  # noqa: F401  once, for all forks; nothing of the engine may be imported here

from tests.mutations import catalogue, games, mutant
from tests.mutations.catalogue import Mutation
from tests.mutations.forks import TIMEOUT, run_tasks
from tests.mutations.table import Row, excuse_of, lacking, table

os.environ["NUMBA_DISABLE_JIT"] = "1"  # a mutant would be compiled anew

LIMIT = 120.0  # seconds a mutation or a recorded game


def run_all(mutations: list[Mutation], workers: int) -> list[Row]:
    """What notices each mutation, and in how many games it fired."""
    scenarios, tests = catalogue.scenarios(), catalogue.marked_tests()
    everything = sorted({path for paths in scenarios.values() for path in paths})
    tasks = [(number, games.record, (number,)) for number in range(games.GAMES)]
    whole = [("", mutant.failing_scenario, (everything,)), *tasks]
    recorded = []
    for key, answer in run_tasks(whole, workers, LIMIT):
        if key == "" and answer != mutant.SURVIVED:
            sys.exit(f"{answer} fails without any mutation")
        if key != "":
            recorded.append(_checked(answer))
    recorded.sort(key=lambda game: game.number)
    tried = [
        (
            it.id,
            try_mutation,
            (it, scenarios[it.rule], list(tests[it.rule]), [] if excuse_of(it) else recorded),
        )
        for it in mutations
    ]
    rows = {it.id: Row(it, "time limit" if it.endless else mutant.SURVIVED, 0) for it in mutations}
    for done, (name, answer) in enumerate(run_tasks(tried, workers, LIMIT), start=1):
        if answer is not TIMEOUT:
            rows[name] = Row(rows[name].mutation, *_checked(answer))
        if sys.stderr.isatty():
            print(f"{done} of {len(mutations)} mutations", end="\r", file=sys.stderr, flush=True)
    return list(rows.values())


def try_mutation(
    mutation: Mutation, scenarios: list[Path], tests: list[Path], recorded: list[games.Game]
) -> tuple[str, int]:
    """What notices a mutation, and in how many games it fired; for a process of its own."""
    mutant.put_in_place(mutation)
    return mutant.killer(mutation.rule, scenarios, tests), games.count_fired(mutation, recorded)


def _checked(answer: Any) -> Any:
    if isinstance(answer, Exception):
        raise answer
    return answer


def main() -> int:
    """Run the mutations, print the table, tell what is lacking."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="processes at once")
    parser.add_argument("only", nargs="*", help="rules, such as CORE-041; all if left out")
    arguments = parser.parse_args()
    if unknown := set(arguments.only) - set(catalogue.rules()):
        parser.error(f"{', '.join(sorted(unknown))}: no rule of {catalogue.DIGEST.name}")
    mutations = [it for it in catalogue.mutations() if not arguments.only or it.rule in arguments.only]
    rows = run_all(mutations, arguments.workers)
    rules = arguments.only or catalogue.rules()
    print(table(rules, rows))
    complaints = lacking(rules, rows)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
