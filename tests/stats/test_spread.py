"""Quantiles, standard deviation and extremes: known truth, coverage, odd input."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simlab.stats.spread import deviation, quantile, spread

Wins = Callable[..., Any]
Misses = Callable[[int, float], float]
REPETITIONS = 1_000


def normal_blocks(rng: np.random.Generator, blocks: int = 100) -> tuple[np.ndarray, np.ndarray]:
    """Standard normal values, four a block, half of their variance shared in the block."""
    block = np.repeat(np.arange(blocks), 4)
    return np.sqrt(0.5) * (rng.normal(size=blocks)[block] + rng.normal(size=4 * blocks)), block


@pytest.mark.parametrize("q", [0.25, 0.5, 0.9])
def test_quantile_covers_on_dependent_blocks(allowed_misses: Misses, q: float) -> None:
    rng = np.random.default_rng(31)
    truth, missed, naive = scipy_stats.norm.ppf(q), 0, 0
    for _ in range(REPETITIONS):
        value, block = normal_blocks(rng)
        good, bad = quantile(value, block, q), quantile(value, np.arange(len(value)), q)
        missed += not good.low <= truth <= good.high
        naive += not bad.low <= truth <= bad.high
    assert missed <= allowed_misses(REPETITIONS, 0.06)
    assert naive > allowed_misses(REPETITIONS, 0.06)  # negative control: rows taken for independent


def test_deviation_covers_on_dependent_blocks(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(32)
    missed = 0
    for _ in range(REPETITIONS):
        estimate = deviation(*normal_blocks(rng, 200))
        missed += not estimate.low <= 1 <= estimate.high
    assert missed <= allowed_misses(REPETITIONS, 0.06)


def test_quantile_of_independent_rows_is_the_order_statistic_interval() -> None:
    value = np.arange(1.0, 1001.0)
    estimate = quantile(value, value, 0.5)
    assert estimate.value == 500
    # Binomial ranks: 500 ± 1.96 · √250, and scipy's exact interval.
    exact = scipy_stats.quantile_test(value, q=500, p=0.5).confidence_interval()
    assert (estimate.low, estimate.high) == pytest.approx((exact.low, exact.high), abs=2)


def test_quantiles_are_values_that_occur_with_at_least_that_share_below() -> None:
    value = np.array([7, 3, 3, 9, 5, 5, 5, 1])
    for q in (0.05, 0.25, 0.5, 0.75, 0.95):
        found = quantile(value, np.arange(8), q).value
        assert found in value
        assert (value <= found).mean() >= q
        assert (value < found).mean() < q


def test_spread_of_a_known_set() -> None:
    value = np.array([10, 20, 30, 40])
    found = spread(value, [0, 0, 1, 1], at=(0.5,))
    assert (found.least, found.most) == (10, 40)
    assert found.mean.value == 25
    assert found.sd.value == pytest.approx(value.std())
    assert found.quantiles[0].value == 20
    assert found.quantiles[0].clusters == 2


def test_rows_may_come_in_any_order() -> None:
    value, block = normal_blocks(np.random.default_rng(33))
    order = np.random.default_rng(34).permutation(len(value))
    one, other = spread(value, block), spread(value[order], block[order])
    assert one.quantiles == other.quantiles
    assert one.sd.se == pytest.approx(other.sd.se)


def test_no_rows_one_block_and_no_spread() -> None:
    empty = spread([], [])
    assert isnan(empty.mean.value)
    assert isnan(empty.least)
    assert isnan(empty.quantiles[0].value)
    single = spread([3, 5], [1, 1])
    assert single.sd.value == 1
    assert not single.sd.sure
    assert not single.quantiles[0].sure
    constant = spread([4, 4, 4], [0, 1, 2])
    assert constant.sd.value == 0
    assert (constant.quantiles[2].low, constant.quantiles[2].high) == (4, 4)


def test_refusals() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile([1], [1], 1.0)
    with pytest.raises(ValueError, match="one length"):
        spread([1, 2], [1])
