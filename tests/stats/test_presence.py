"""Effects of presence: a planted counter comes back, with intervals that cover; who always meet have none."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from scipy.special import softmax

from simlab.stats.presence import presences

Misses = Callable[[int, float], float]
SETS = list(combinations(range(4), 3))
STRENGTH = np.array([0.5, 0.0, 0.0, -0.3])


def shares(line_up: tuple[int, ...], counter: float) -> np.ndarray:
    """With 3 at the table, 1 is weaker by `counter`."""
    height = STRENGTH[list(line_up)]
    return softmax(np.where((np.array(line_up) == 1) & (3 in line_up), height - counter, height))


def truth(one: int, other: int, counter: float) -> float:
    won = {s: shares(s, counter)[s.index(one)] for s in SETS if one in s}
    groups = [[v for s, v in won.items() if (other in s) == with_] for with_ in (True, False)]
    return float(np.mean(groups[0]) - np.mean(groups[1]))


def played(
    rng: np.random.Generator, blocks: int, counter: float, luck: float = 0.0
) -> tuple[np.ndarray, ...]:
    """So many blocks of three games for each line-up; in some the deal decides all three alike."""
    counts, totals = np.zeros((4 * blocks, 4)), np.zeros((4 * blocks, 4, 4))
    for b in range(4 * blocks):
        line_up = SETS[b % 4]
        p = shares(line_up, counter)
        wins = rng.multinomial(1, p) * 3 if rng.random() < luck else rng.multinomial(3, p)
        counts[b, b % 4] = 3
        totals[b, b % 4, list(line_up)] = wins
    return counts, totals


def test_a_planted_counter_comes_back() -> None:
    found = presences(SETS, *played(np.random.default_rng(1), 3_000, 1.0))
    assert [(e.level, e.other) for e in found] == [(f, g) for f in range(4) for g in range(4) if f != g]
    for each in found:
        assert each.alone.value == pytest.approx(truth(each.level, each.other, 1.0), abs=3.5 * each.alone.se)
        assert each.together.value == each.alone.value
        assert each.together.low < each.alone.low
    by_pair = {(e.level, e.other): e.together for e in found}
    assert by_pair[1, 3].high < 0 < by_pair[2, 3].low
    assert by_pair[1, 3].n == 3 * 3 * 3_000


def test_intervals_cover_with_luck_in_blocks(allowed_misses: Misses) -> None:
    rng, rounds = np.random.default_rng(2), 150
    missed, of_any = 0, 0
    for _ in range(rounds):
        found = presences(SETS, *played(rng, 40, 0.5, luck=0.4))
        away = [(e, truth(e.level, e.other, 0.5)) for e in found]
        missed += not away[5][0].alone.low <= away[5][1] <= away[5][0].alone.high
        of_any += any(not e.together.low <= t <= e.together.high for e, t in away)
    assert missed <= allowed_misses(rounds, 0.06)
    assert of_any <= allowed_misses(rounds, 0.06)


def test_two_that_always_meet_have_no_effect_to_tell() -> None:
    counts, totals = played(np.random.default_rng(3), 30, 0.0)
    kept = [s for s, members in enumerate(SETS) if {0, 1} <= set(members)]
    found = presences([SETS[s] for s in kept], counts[:, kept], totals[:, kept])
    assert {(e.level, e.other) for e in found} == {(0, 2), (0, 3), (1, 2), (1, 3)}
    assert presences([(0, 1)], [[2.0], [2.0]], [[[1.0, 1.0]], [[2.0, 0.0]]]) == ()


def test_few_blocks_have_a_value_and_no_interval() -> None:
    found = presences(SETS, *played(np.random.default_rng(4), 1, 0.0))
    assert all(not np.isnan(e.alone.value) and not e.alone.sure for e in found)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="don't fit 2 sets"):
        presences(SETS[:2], np.ones((3, 3)), np.ones((3, 3, 4)))
