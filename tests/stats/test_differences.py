"""A level against the rest: known truth, coverage, what can't be known."""

from __future__ import annotations

import numpy as np
import pytest

from simlab.stats.differences import against_rest
from simlab.stats.intervals import Moments, mean


def test_the_difference_is_that_of_the_means_and_n_counts_the_level() -> None:
    counts, totals = np.array([[1.0], [1.0], [2.0]]), np.array([[1.0], [0.0], [2.0]])
    rest_counts, rest_totals = np.array([[3.0], [3.0], [2.0]]), np.array([[0.0], [1.0], [0.0]])
    (found,), spread = against_rest(counts, totals, rest_counts, rest_totals)
    assert found.value == pytest.approx(3 / 4 - 1 / 8)
    assert (found.n, found.clusters) == (4, 3)
    assert found.se == pytest.approx(np.sqrt(spread[0, 0]))
    # by hand: residuals of both ratios, subtracted block by block
    residual = (totals - 0.75 * counts)[:, 0] / 4 - (rest_totals - 0.125 * rest_counts)[:, 0] / 8
    assert found.se == pytest.approx(np.sqrt(3 / 2 * (residual**2).sum()))


def test_without_shared_blocks_the_errors_add_up() -> None:
    rng = np.random.default_rng(7)
    n = np.zeros((40, 1))
    n[:20] = 1
    totals = rng.normal(size=(40, 1))
    (found,), _ = against_rest(n, totals * n, 1 - n, totals * (1 - n))
    parts = [mean(Moments.of_blocks(m[:, 0], (totals * m)[:, 0])) for m in (n, 1 - n)]
    assert found.se == pytest.approx(np.hypot(*(part.se for part in parts)))


def test_intervals_cover_the_truth_where_a_block_shares_its_luck() -> None:
    rng = np.random.default_rng(11)
    hits = 0
    for _ in range(400):
        luck = rng.normal(size=(60, 1))
        counts, rest = rng.integers(0, 3, (60, 1)).astype(float), rng.integers(1, 4, (60, 1)).astype(float)
        totals = counts * (luck + 0.5) + rng.normal(size=(60, 1)) * np.sqrt(counts)
        others = rest * luck + rng.normal(size=(60, 1)) * np.sqrt(rest)
        (found,), _ = against_rest(counts, totals, rest, others)
        hits += found.low <= 0.5 <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_nothing_to_compare_with_is_no_estimate() -> None:
    zero, one = np.zeros((5, 1)), np.ones((5, 1))
    assert not against_rest(one, one, zero, zero)[0][0].known
    assert not against_rest(zero, zero, one, one)[0][0].known
    single = against_rest(one[:1], one[:1], one[:1], zero[:1])[0][0]
    assert single.value == 1
    assert not single.sure


def test_a_level_whose_few_blocks_agree_has_no_interval() -> None:
    """Two seats of each block, one of them wins: half in each of three blocks says nothing of the next."""
    rng = np.random.default_rng(3)
    rare, often = np.zeros((30, 1)), np.full((30, 1), 4.0)
    rare[:3] = 2
    luck = rng.integers(0, 5, (30, 1)).astype(float)
    for found in (against_rest(rare, rare / 2, often, luck), against_rest(rare, rare / 2, often, often / 2)):
        ((each,), _) = found
        assert each.known
        assert not each.sure
