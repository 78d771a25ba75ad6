"""Intervals for masses and mixes: known truth, determinism, few blocks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from simlab.stats.alpharank import alpha_rank
from simlab.stats.equilibrium import nash
from simlab.stats.profiles import PayoffTable, ProfileRows
from simlab.stats.resampling import resampled, tables

Misses = Callable[[int, float], float]
# What the row's strategy wins against the column's: a weighted circle.
DUELS = np.array([[0.5, 0.8, 0.3], [0.2, 0.5, 0.6], [0.7, 0.4, 0.5]])
TRUTH = nash(DUELS - DUELS.T).mix


def duels(rng: np.random.Generator, blocks: int, wins: np.ndarray = DUELS, luck: float = 0.3) -> ProfileRows:
    """`blocks` blocks of two games for each pair of strategies; in some the deal decides both games alike."""
    size = len(wins)
    played, shares, block = [], [], []
    for b, (i, j) in enumerate(list(combinations(range(size), 2)) * blocks):
        first = rng.random() < wins[i, j]
        second = first if rng.random() < luck else rng.random() < wins[i, j]
        played += [[i, j], [j, i]]
        shares += [[first, not first], [not second, second]]
        block += [b, b]
    return ProfileRows.of_games(played, np.array(shares, float), block, size)


def mix(table: PayoffTable) -> Any:
    return nash(table.advantage()).mix


def circle(table: PayoffTable) -> Any:
    """The mix of three that beat each other in a circle, in closed form; a hundred times as fast."""
    a = table.advantage()
    parts = np.clip([a[2, 1], a[0, 2], a[1, 0]], 1e-9, None) if a[0, 1] < 0 else None
    parts = np.clip([a[1, 2], a[2, 0], a[0, 1]], 1e-9, None) if parts is None else parts
    return parts / parts.sum()


def test_interval_of_a_mix_covers_on_dependent_blocks(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(111)
    missed = np.zeros(3)
    for r in range(60):
        found = resampled(duels(rng, 100), circle, seed=r, draws=80)
        missed += [not e.low <= t <= e.high for e, t in zip(found, TRUTH, strict=True)]
    # 7 % are granted: the ends are quantiles of 80 draws.
    assert (missed <= allowed_misses(60, 0.07)).all()
    assert missed.sum() >= 2


def test_interval_of_a_payoff_is_the_clustered_one() -> None:
    from simlab.stats.intervals import Moments, mean

    rows = duels(np.random.default_rng(112), 400)
    found = resampled(rows, lambda t: t.duels()[:, 1, 0], seed=1)[0]
    mine = (rows.strategy == 0) & (rows.profile == 1)  # a seat of 0 beside one of 1
    theirs = mean(Moments.of_blocks(rows.seats[mine], rows.won[mine]))
    assert found.value == pytest.approx(theirs.value)
    assert found.se == pytest.approx(theirs.se, rel=0.12)  # 400 draws: 3.5 %, thrice
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.012)


def test_more_blocks_narrow_a_mix_until_the_circle_is_certain() -> None:
    few, many = (
        resampled(duels(np.random.default_rng(114), b), circle, seed=1, draws=100) for b in (20, 600)
    )
    assert few[0].high - few[0].low > 2 * (many[0].high - many[0].low)
    assert all(0.1 < e.low < e.high < 0.7 for e in many)


def test_a_strategy_that_clearly_loses_has_no_mass_and_a_doubtful_one_may_have_all() -> None:
    rng = np.random.default_rng(115)
    clear = np.array([[0.5, 0.8], [0.2, 0.5]])
    doubtful = np.array([[0.5, 0.51], [0.49, 0.5]])

    def mass(table: PayoffTable) -> Any:
        return alpha_rank(table.advantage(), 20).mass

    best = resampled(duels(rng, 200, clear), mass, seed=1, draws=60)[0]
    assert (best.value, best.low, best.high) == pytest.approx((1, 1, 1))
    open_ = resampled(duels(rng, 200, doubtful), mass, seed=1, draws=60)[0]
    assert (open_.low, open_.high) == pytest.approx((0, 1))


def test_a_handful_of_blocks_that_went_one_way_is_not_certain() -> None:
    won = ProfileRows.of_games([[0, 1]] * 3, [[1, 0]] * 3, [0, 1, 2], 2)
    found = resampled(won, lambda t: t.advantage()[[0, 1], [1, 0]], seed=1)[0]
    assert found.value == 1
    assert found.low < 0.5
    certain = [t.advantage()[0, 1] for t in tables(won, 1, 50, prior=0.0)]
    assert certain == [1] * 50  # negative control: what it would be without further blocks


def test_same_seed_same_interval_and_order_of_rows_does_not_matter() -> None:
    rows = duels(np.random.default_rng(116), 30)
    order = np.random.default_rng(117).permutation(len(rows.block))
    turned = ProfileRows(
        2, 3, *(x[order] for x in (rows.profile, rows.strategy, rows.block, rows.seats, rows.won))
    )
    one, same, other, another = (
        resampled(r, mix, seed=s, draws=30) for r, s in ((rows, 1), (rows, 1), (turned, 1), (rows, 2))
    )
    assert one == same
    assert [(e.low, e.high) for e in one] == [pytest.approx((e.low, e.high)) for e in other]
    assert one != another


def test_counts_are_seats_and_blocks() -> None:
    found = resampled(duels(np.random.default_rng(118), 30), mix, seed=1, draws=10)
    assert [(e.n, e.clusters) for e in found] == [(120, 60)] * 3


def test_one_block_a_profile_and_missing_profiles_have_no_interval() -> None:
    single = resampled(duels(np.random.default_rng(119), 1), mix, seed=1, draws=10)
    assert all(not e.sure for e in single)
    assert sum(e.value for e in single) == pytest.approx(1)
    partly = ProfileRows.of_games([[0, 1], [0, 1]], [[1, 0], [0, 1]], [0, 1], 3)
    missing = resampled(partly, mix, seed=1, draws=10)
    assert all(np.isnan(e.value) and not e.sure for e in missing)
    nothing = ProfileRows.of_games(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), 3)
    assert all(np.isnan(e.value) for e in resampled(nothing, mix, seed=1, draws=10))


def test_a_statistic_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="one number for each of 3"):
        resampled(duels(np.random.default_rng(120), 2), lambda _: [1.0], seed=1)
