"""Combinations of levels that share blocks, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simlab.stats.intervals import Moments, critical, mean
from simlab.stats.joint import JointMoments, combined, covariance


def test_the_difference_of_two_levels_is_the_mean_difference() -> None:
    rng = np.random.default_rng(1)
    shared = rng.normal(size=(200, 1))
    totals = shared + rng.normal(0, 0.3, (200, 2)) + [1.0, 0.0]
    (found,) = combined(JointMoments.of_blocks(np.ones((200, 2)), totals), [[1, -1]])
    by_hand = mean(Moments.of_blocks(np.ones(200), totals[:, 0] - totals[:, 1]))
    assert found.value == pytest.approx(by_hand.value)
    assert found.se == pytest.approx(by_hand.se)
    assert (found.low, found.high) == pytest.approx((by_hand.low, by_hand.high))
    assert (found.n, found.clusters) == (400, 200)


def test_levels_in_different_blocks_add_their_variances() -> None:
    rng = np.random.default_rng(2)
    counts = np.repeat(np.eye(2), [40, 25], axis=0)
    joint = JointMoments.of_blocks(counts, counts * rng.normal(size=(65, 1)))
    (found,) = combined(joint, [[1, -1]])
    assert found.se == pytest.approx(np.sqrt(covariance(joint).diagonal().sum()))
    assert found.clusters == 25
    assert found.high - found.value == pytest.approx(critical(0.95, 25) * found.se)


def test_together_is_wider_and_never_below_alone() -> None:
    rng = np.random.default_rng(3)
    joint = JointMoments.of_blocks(np.ones((50, 4)), rng.normal(size=(50, 4)))
    c = np.eye(4) - 0.25
    alone, together = combined(joint, c), combined(joint, c, together=True)
    assert all(b.high - b.low > 1.1 * (a.high - a.low) for a, b in zip(alone, together, strict=True))


def test_what_has_no_rows_or_one_block() -> None:
    joint = JointMoments.of_blocks([[1, 1, 0], [1, 0, 0]], [[1, 1, 0], [0, 0, 0]])
    known, single, nothing = combined(joint, [[1, 0, 0], [1, -1, 0], [1, 0, -1]], together=True)
    assert known.sure
    assert single.value == pytest.approx(-0.5)
    assert not single.sure
    assert np.isnan(nothing.value)
    assert not nothing.known


def test_where_no_block_differs_a_combination_has_no_interval() -> None:
    (found,) = combined(JointMoments.of_blocks(np.ones((5, 2)), np.tile([1.0, 0.0], (5, 1))), [[1, -1]])
    assert found.value == 1
    assert not found.sure
