"""`dei/search:N`: the base's choice unless playouts are sure of a better one, in worlds that may be."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simlab import jit
from simlab.games.dei import engine
from simlab.games.dei.vocabulary import PLAYING
from strategies.dei import search
from tests.dei.randomly import decisions
from tests.strategies.test_greedy import index_of, share_won

ROOT = Path(__file__).resolve().parents[2]
halve, is_better = jit.plain(search.halve), jit.plain(search.is_better)


def with_numbers(**changed: int) -> Any:
    """The search with other numbers of its own."""
    made = search.search(changed.pop("playouts", 12))
    numbers = list(made.weights)
    for name, value in changed.items():
        numbers[getattr(search, name.upper())] = value
    return dataclasses.replace(made, weights=tuple(numbers))


def test_differences_must_be_larger_than_their_spread() -> None:
    """Against the t statistic of the same numbers, worked out in floating point."""
    rng = np.random.default_rng(1)
    met = set()
    for _ in range(400):
        values = rng.integers(-30, 40, size=int(rng.integers(2, 40)))
        error = values.std(ddof=1) / len(values) ** 0.5
        for sure in (50, 100, 200):
            expected = values.mean() > sure / 100 * error and values.sum() > 0
            found = is_better(int(values.sum()), int((values**2).sum()), len(values), sure)
            assert found == expected
            met.add(bool(found))
    assert met == {True, False}
    assert not is_better(5, 25, 1, 100)  # one world says nothing


def test_the_better_half_stays_and_the_bases_choice_with_it() -> None:
    found, total = np.array([7, 3, 9, 4, 8]), np.array([0, -5, 20, 3, 11])
    squares = total**2
    assert halve(found, total, squares, 5) == 3
    assert list(found) == [7, 9, 8, 4, 3]
    assert list(total) == [0, 20, 11, 3, -5]
    assert list(squares) == [0, 400, 121, 9, 25]
    assert halve(found, total, squares, 3) == 2


@pytest.mark.parametrize("budget", [2, 4, 6, 8, 10, 20, 50, 1000])
def test_no_more_playouts_than_allowed(budget: int) -> None:
    """And at least half of them: sizes are halved as `choose` does."""
    size = most = jit.plain(search.affordable)(12, budget)
    rounds = jit.plain(search.rounds_of)(size)
    first, made = rounds, 0
    while rounds > 0:
        made += max(1, budget // (first * size)) * size
        rounds -= 1
        size = max(2, (size + 1) // 2)
    assert budget // 2 <= made <= budget
    assert most == 12 or (most + 1) * jit.plain(search.rounds_of)(most + 1) > budget


def test_numbers_of_search_lie_behind_those_of_the_base() -> None:
    made = search.search(20)
    assert made.weights[search.PLAYOUTS] == 20
    assert len(made.weights) == search.SURE + 1


@pytest.mark.compiled_only
def test_one_world_is_not_enough_to_leave_the_bases_choice() -> None:
    """And who sees several and need not be sure plays otherwise, somewhere."""
    never, always = with_numbers(playouts=2), with_numbers(sure=0)
    differs = 0
    for number, (position, codes, _) in enumerate(decisions(40, 9, rule_sets=({},))):
        if number % 9 or len(codes) < 2:
            continue
        base = index_of(search.BASE, position, codes, 5)
        assert index_of(never, position, codes, 5) == base
        differs += index_of(always, position, codes, 5) != base
    assert differs > 3


@pytest.mark.compiled_only
def test_nothing_is_altered_and_the_same_key_gives_the_same_choice() -> None:
    made = with_numbers()
    for number, (position, codes, _) in enumerate(decisions(41, 9)):
        if number % 25 or len(codes) < 2:
            continue
        before = [getattr(position, name).tobytes() for name in ("public", "own", "hidden", "log")]
        first = index_of(made, position, codes, 5)
        twin = position.copy()
        engine.redraw_hidden(twin, engine.active(position), number)
        assert index_of(made, twin, codes, 5) == first
        assert [getattr(position, name).tobytes() for name in ("public", "own", "hidden", "log")] == before
        assert position.public[0].ending == PLAYING


@pytest.mark.compiled_only
@pytest.mark.parametrize(("players", "least"), [(2, 0.7), (4, 0.4)])
def test_search_beats_its_base(players: int, least: float) -> None:
    assert share_won(players, 24, {}, (search.search(10), search.BASE)) > least


LATE = """
from tests.dei.randomly import decisions
from tests.strategies.test_greedy import index_of
from tests.strategies.test_search import with_numbers
made = with_numbers(playouts=4, sure=0)
found = [
    (position.copy(), codes)
    for position, codes, _ in decisions(42, 1, rule_sets=({"turns": 1, "cards_per_phase": 1},))
    if len(codes) > 1 and position.public[0].phase == 3
]
print([index_of(made, position, codes, 5) for position, codes in found[-3:]])
"""


@pytest.mark.compiled_only
def test_compiled_and_plain_search_choose_alike() -> None:
    answers = []
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", LATE],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        answers.append(done.stdout)
    assert answers[0] == answers[1]
    assert answers[0].count(",") == 2
