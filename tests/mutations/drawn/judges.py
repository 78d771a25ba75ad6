"""Who is asked about a mutant: all scenarios alone, the slow twin alone, else the other quick tests.

Each judge runs in a process of its own in which the mutant is the engine, and says what noticed it, or
nothing. An error counts, and so does whatever takes many times as long as with the engine as it is, by the
processor's time, which a busy machine doesn't stretch.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.mutations import mutant
from tests.mutations.catalogue import ROOT, TESTS, scenarios
from tests.mutations.drawn.draw import Drawn

GAMES = 24  # of the twin: half with a pack of any icons, half with facts set by hand
SEED = 3
# processor seconds for a scenario (as a rule 0.01), a game (1) and a test (at most 3)
A_SCENARIO, A_GAME, A_TEST = 5, 30, 60

# other judges; tests of the judges; tests of what users write and of sampled packs, whatever the rules are;
# and what is only written down from the engine, so that any change whatever is noticed and none is judged
NOT_ASKED = (
    *("test_scenarios.py", "test_twin.py", "test_mutations.py", "test_drawn_mutants.py"),
    *("test_broken_packs.py", "test_broken_scenarios.py", "test_pack_sample.py", "test_rule_ids.py"),
    *("test_signature.py", "test_playthroughs.py"),
)


def _put_in_place(drawn: Drawn | None) -> None:
    if drawn is not None:  # else the engine as it is
        mutant.put_in_place(drawn)


def by_scenarios(drawn: Drawn | None) -> str:
    """The first scenario file that fails."""
    _put_in_place(drawn)
    for path in sorted({path for paths in scenarios().values() for path in paths}):
        with limited(A_SCENARIO):
            if mutant.failing_scenario([path]):
                return path.name
    return mutant.SURVIVED


def by_twin(drawn: Drawn | None) -> str:
    """The first game in which engine and twin differ."""
    _put_in_place(drawn)
    return _game_that_differs(GAMES)


def _game_that_differs(games: int) -> str:
    sys.path.insert(0, str(ROOT / "tests"))
    number = 0
    try:
        import reference as twin

        from simlab.games.dei.pack import load_pack
        from tests.dei.twin_games import RareChoices, new_pair, play
        from tests.dei.wild_pack import write_wild_pack

        packs = [(load_pack("reconstructed"), twin.read_pack())]
        policy = RareChoices()
        for number in range(games):
            if number == 2:
                folder = write_wild_pack(Path(tempfile.mkdtemp()) / "wild", SEED)
                packs.append((load_pack(str(folder)), twin.read_pack(folder)))
            chance = random.Random(f"{SEED} {number}")
            with limited(A_GAME):
                pair = new_pair(chance, f"game {number}", packs[number // 2 % 2])
                play(pair, chance, policy, stress=number % 2 == 1)
    except Exception:
        return f"game {number + 1}"
    return mutant.SURVIVED


def by_tests(drawn: Drawn | None) -> str:
    """The first other test that fails."""
    _put_in_place(drawn)
    watch = _Watch()
    files = [str(path) for path in sorted(TESTS.glob("test_*.py")) if path.name not in NOT_ASKED]
    options = ["-x", "-q", "-m", "not slow and not compiled_only"]
    plugins = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
        code = pytest.main([*options, *plugins, *files], plugins=[watch])
    return watch.failed or ("" if code == pytest.ExitCode.OK else f"pytest: {code.name}")


JUDGES = {"scenarios": by_scenarios, "twin": by_twin, "tests": by_tests}


class _Watch:
    """A pytest plugin: limits the time of a test, remembers the first that fails."""

    def __init__(self) -> None:
        self.failed = mutant.SURVIVED

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        with limited(A_TEST):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def _note(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid.removeprefix("tests/dei/")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """TimeoutError where what is done here takes more of the processor's time."""

    def end(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
