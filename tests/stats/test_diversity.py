"""Hill numbers of crowds whose variety is known."""

from __future__ import annotations

import numpy as np
import pytest

from simlab.stats.diversity import hill, partition

SHARES = np.array([0.4, 0.3, 0.2, 0.05, 0.05])
TRUE = {1: float(np.exp(-(SHARES * np.log(SHARES)).sum())), 2: float(1 / (SHARES**2).sum())}


@pytest.mark.parametrize("order", [1, 2])
def test_kinds_that_are_equally_common_count_one_each(order: int) -> None:
    found = hill(np.tile([1000.0, 1000.0, 1000.0, 0.0], (50, 1)), order)
    assert found.value == pytest.approx(3, rel=1e-3)
    assert found.low == pytest.approx(found.high)
    assert hill(np.tile([7.0, 0.0], (50, 1)), order).value == pytest.approx(1)


@pytest.mark.parametrize("order", [1, 2])
def test_few_picks_are_not_taken_for_little_variety(order: int) -> None:
    rng = np.random.default_rng(1)
    few = [rng.multinomial(1, SHARES, 60) for _ in range(400)]
    found = np.array([hill(each, order).value for each in few])
    assert found.mean() == pytest.approx(TRUE[order], abs=0.06)
    shares = [each.sum(axis=0) / 60 for each in few]
    naive = [np.exp(-(s[s > 0] * np.log(s[s > 0])).sum()) if order == 1 else 1 / (s**2).sum() for s in shares]
    assert np.mean(naive) < found.mean() - 0.05


@pytest.mark.parametrize("order", [1, 2])
def test_intervals_hold_where_blocks_lean_their_own_way(order: int) -> None:
    """Each block's shares are drawn about the true ones, so its picks are alike."""
    rng = np.random.default_rng(2)
    covered = []
    for _ in range(300):
        leaning = rng.dirichlet(20 * SHARES, 100)
        found = hill(np.array([rng.multinomial(30, each) for each in leaning]), order)
        covered.append(found.low <= TRUE[order] <= found.high)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.04)


def test_nothing_has_no_variety() -> None:
    assert not hill(np.zeros((3, 4)), 1).known
    assert not hill(np.array([[1.0, 0.0]]), 2).known
    assert not partition(np.zeros((3, 2)), np.zeros(3), np.zeros(3)).ways.known
    with pytest.raises(ValueError, match="order 1 or 2"):
        hill(np.ones((3, 2)), 3)


def test_ways_tell_people_who_differ_from_people_who_mix() -> None:
    people = np.full(40, 2.0)
    apart = partition(np.tile([1.0, 1.0], (40, 1)), np.zeros(40), people)  # one does this, one that
    alike = partition(np.tile([1.0, 1.0], (40, 1)), np.full(40, 2 * np.log(2)), people)  # both do both
    assert (apart.together.value, apart.alone.value, apart.ways.value) == pytest.approx((2, 1, 2))
    assert (alike.together.value, alike.alone.value, alike.ways.value) == pytest.approx((2, 2, 1))


def test_intervals_of_ways_hold() -> None:
    rng = np.random.default_rng(3)
    alpha = np.array([2.0, 1.0, 1.0])
    many = rng.dirichlet(alpha, 400_000)
    entropy = -(many * np.log(many)).sum(axis=1)
    share = many.mean(axis=0)
    truth = np.exp(-(share * np.log(share)).sum() - entropy.mean())
    covered = []
    for _ in range(300):
        p = rng.dirichlet(alpha, (60, 4))
        own = -(p * np.log(p)).sum(axis=(1, 2))
        found = partition(p.sum(axis=1), own, np.full(60, 4.0)).ways
        covered.append(found.low <= truth <= found.high)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.04)
