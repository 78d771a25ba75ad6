"""Clustered means and shares: published values, another program's answers, known truth, odd input."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simlab.stats.intervals import (
    EMPTY,
    FEW_AGREE,
    Moments,
    as_moments,
    critical,
    mean,
    rows_for,
    share,
    wilson,
)

Wins = Callable[..., Any]
Misses = Callable[[int, float], float]
REPETITIONS = 2_000
# A correct 95 % interval misses 5 % of the time. Fixed beforehand: 6 % are granted, for the normal
# approximation, and a test fails 3.1 standard deviations beyond that: once in a thousand seeds.
FAIR = np.full(4, 0.25)
UNEVEN = np.array([0.32, 0.27, 0.22, 0.19])


def test_wilson_as_published() -> None:
    estimate = wilson(8, 10)
    assert estimate.low == pytest.approx(0.4902, abs=5e-5)
    assert estimate.high == pytest.approx(0.9433, abs=5e-5)


@pytest.mark.parametrize(("k", "n"), [(0, 7), (3, 11), (40, 200), (12, 12)])
def test_wilson_as_scipy(k: int, n: int) -> None:
    theirs = scipy_stats.binomtest(k, n).proportion_ci(method="wilson")
    ours = wilson(k, n)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_share_of_independent_rows_is_wilson_up_to_the_degrees_of_freedom() -> None:
    rows = np.r_[np.ones(300), np.zeros(900)]
    ours, plain = share(Moments.of_rows(rows, np.arange(1200))), wilson(300, 1200)
    assert (ours.low, ours.high) == pytest.approx((plain.low, plain.high), rel=1e-3)


def test_mean_by_hand() -> None:
    # Two blocks: 2 rows adding up to 3, 1 row of 0. Mean 1, residuals 1 and −1.
    estimate = mean(Moments.of_blocks([2, 1], [3, 0]))
    assert estimate.value == 1
    assert estimate.se == pytest.approx(sqrt(2 / 1 * 2) / 3)
    assert estimate.high - 1 == pytest.approx(12.706 * estimate.se, rel=1e-4)
    assert (estimate.n, estimate.clusters) == (3, 2)


def test_mean_as_clustered_least_squares() -> None:
    sm = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(5)
    block = rng.integers(0, 60, 500)
    value = rng.normal(size=60)[block] + rng.normal(size=500)
    fit = sm.OLS(value, np.ones(500)).fit(
        cov_type="cluster",
        cov_kwds={"groups": block, "use_correction": True, "df_correction": True},
        use_t=True,
    )
    ours = mean(Moments.of_rows(value, block))
    assert ours.value == pytest.approx(fit.params[0], rel=1e-9)
    # Theirs carries (N − 1)/(N − k) too, which is 1 for a mean.
    assert ours.se == pytest.approx(fit.bse[0], rel=1e-9)
    assert (ours.low, ours.high) == pytest.approx(tuple(fit.conf_int()[0]), rel=1e-6)


def test_interval_covers_on_dependent_blocks_and_the_naive_one_does_not(
    wins: Wins, allowed_misses: Misses
) -> None:
    rng = np.random.default_rng(11)
    clustered = naive = 0
    for _ in range(REPETITIONS):
        won = wins(rng, 100, UNEVEN, luck=0.5)[:, 0]
        good, bad = share(Moments.of_blocks(np.full(100, 4), won)), wilson(int(won.sum()), 400)
        clustered += not good.low <= UNEVEN[0] <= good.high
        naive += not bad.low <= UNEVEN[0] <= bad.high
    assert clustered <= allowed_misses(REPETITIONS, 0.06)
    assert clustered >= REPETITIONS * 0.03  # nor wastefully wide
    assert naive > 2 * allowed_misses(
        REPETITIONS, 0.06
    )  # negative control: rows treated as independent miss far too often


def test_mean_covers_with_blocks_of_unequal_size(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(12)
    missed = 0
    for _ in range(REPETITIONS):
        n = rng.integers(1, 7, 80)
        total = rng.normal(10 * n, 1 * n)  # rows of a block agree: its total spreads with its size
        estimate = mean(Moments.of_blocks(n, total))
        missed += not estimate.low <= 10 <= estimate.high
    assert missed <= allowed_misses(REPETITIONS, 0.06)


def test_twice_the_blocks_shrink_the_error_by_root_two(wins: Wins) -> None:
    won = wins(np.random.default_rng(4), 300, UNEVEN, luck=0.3)[:, 1]
    once = share(Moments.of_blocks(np.full(300, 4), won))
    twice = share(Moments.of_blocks(np.full(600, 4), np.r_[won, won]))
    assert twice.value == once.value
    assert twice.se == pytest.approx(once.se / sqrt(2), rel=2e-3)  # G/(G−1) is all that differs


def test_order_and_names_of_blocks_do_not_matter() -> None:
    rng = np.random.default_rng(6)
    block, value = rng.integers(0, 50, 400), rng.integers(0, 2, 400)
    order = rng.permutation(400)
    assert share(Moments.of_rows(value, block)) == share(Moments.of_rows(value[order], 1_000 - block[order]))


def test_no_rows() -> None:
    for estimate in (
        mean(Moments.of_blocks([], [])),
        share(Moments.of_blocks([0, 0], [0, 0])),
        wilson(0, 0),
        EMPTY,
    ):
        assert isnan(estimate.value)
        assert isnan(estimate.low)
        assert isnan(estimate.high)
        assert not estimate.known
        assert not estimate.sure


def test_one_block_has_a_value_and_no_interval() -> None:
    for estimate in (
        share(Moments.of_blocks([4], [1])),
        mean(Moments.of_blocks([4], [1])),
    ):
        assert estimate.value == 0.25
        assert estimate.known
        assert not estimate.sure


@pytest.mark.parametrize("won", [0, 4])
def test_all_lost_or_all_won_is_not_certain(won: int) -> None:
    estimate = share(Moments.of_blocks(np.full(100, 4), np.full(100, won)))
    assert estimate.value == won / 4
    assert estimate.se == 0
    assert 0.03 < estimate.high - estimate.low < 0.05  # three in a hundred, counted in blocks


@pytest.mark.parametrize("value", [0.0, 3.0, 0.1])
def test_a_few_blocks_that_all_agree_have_a_mean_and_no_interval(value: float) -> None:
    for blocks in (2, 3, FEW_AGREE - 1):
        found = mean(Moments.of_blocks([4] * blocks, [4 * value] * blocks))
        assert found.value == pytest.approx(value)
        assert isnan(found.se)
        assert not found.sure
    many = mean(Moments.of_blocks([4] * FEW_AGREE, [4 * value] * FEW_AGREE))
    assert (many.se, many.low, many.high) == (0, many.value, many.value)
    one_differs = mean(Moments.of_blocks([4] * 3, [4 * value, 4 * value, 4 * value + 1]))
    assert one_differs.low < one_differs.value < one_differs.high


def test_how_often_few_that_agree_would_have_been_wrong() -> None:
    """Blocks of which one in ten is off: ± 0 after three that agree would miss three times in four."""
    rng = np.random.default_rng(12)
    off = rng.random((2_000, 3)) < 0.1
    misses = sum(not row.any() for row in off) / len(off)
    found = [mean(Moments.of_blocks([1] * 3, row)) for row in off]
    claims = [e for e in found if e.sure]
    assert misses > 0.7
    assert all(e.se > 0 for e in claims)
    assert len(claims) == sum(row.any() and not row.all() for row in off)


def test_a_share_of_few_blocks_that_agree_keeps_its_bounds() -> None:
    """What lies between 0 and 1 is bounded, so agreement does say something: a row a block, as ever."""
    found = share(Moments.of_blocks([4] * 5, [4] * 5))
    alone = wilson(5, 5)
    assert (found.value, found.se) == (1, 0)
    assert found.low < alone.low < found.high == 1


def test_large_totals_keep_their_spread() -> None:
    rng = np.random.default_rng(10)
    n, t = np.full(250_000, 4), rng.integers(160, 240, 250_000)
    residual = t - t.sum() / n.sum() * n
    direct = sqrt(250_000 / 249_999 * float(residual @ residual)) / n.sum()
    assert mean(Moments.of_blocks(n, t)).se == pytest.approx(direct, rel=1e-9)


def test_moments_from_rows_from_blocks_and_from_a_database_agree() -> None:
    block, value = np.array([3, 3, 9, 9, 9]), np.array([1, 0, 1, 1, 0])
    ours = Moments.of_rows(value, block)
    assert ours == Moments.of_blocks([2, 3, 0], [1, 2, 0]) == as_moments((2, 5, 3.0, 13, 8, 5))
    assert as_moments((0, None, None, None, None, None)).n == 0


def test_shapes_that_do_not_match_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        Moments.of_blocks([1, 2], [1])


def test_rows_for_a_half_width_deliver_it(wins: Wins) -> None:
    rng = np.random.default_rng(14)
    pilot = share(Moments.of_blocks(np.full(500, 4), wins(rng, 500, FAIR)[:, 0]))
    rows = rows_for(pilot, 0.01)
    assert rows == pytest.approx(1.96**2 * 0.1875 / 0.01**2, rel=0.15)  # independent rows: by hand
    blocks = int(rows / 4)
    again = share(Moments.of_blocks(np.full(blocks, 4), wins(rng, blocks, FAIR)[:, 0]))
    assert (again.high - again.low) / 2 == pytest.approx(0.01, rel=0.05)
    assert isnan(rows_for(share(Moments.of_blocks([4], [1])), 0.01))
    with pytest.raises(ValueError, match="positive"):
        rows_for(pilot, 0.0)


def test_critical_value_needs_two_blocks() -> None:
    assert isnan(critical(0.95, 1))
    assert critical(0.95, 10**6) == pytest.approx(1.96, abs=1e-3)
