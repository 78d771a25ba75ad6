"""Choices among few kinds of sets: the same answers as with a row an alternative, separated ones too."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from simlab.stats.choice_kinds import Kinds, fit_kinds
from simlab.stats.choice_model import contrast, fit
from simlab.stats.choice_sets import Choices

ORDERS = np.array(list(permutations(range(3))))
X = np.concatenate([np.eye(3)[ORDERS], np.broadcast_to(np.eye(3), (6, 3, 3))], axis=2)  # item and seat
STRENGTH = np.array([0.5, 0.0, -0.4, 0.0, 0.2, 0.4])


def drawn(seed: int, games: int = 900, never: int | None = None) -> Kinds:
    """Games of all six orders in blocks of three; the item `never` doesn't win."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 6, games)
    height = X[kind] @ STRENGTH + np.repeat(rng.normal(0, 0.5, (games // 3, 3)), 3, axis=0)
    if never is not None:
        height = np.where(ORDERS[kind] == never, -np.inf, height)
    chosen = (height + rng.gumbel(size=height.shape)).argmax(axis=1)
    return Kinds.of(X, kind, chosen, 7 * (np.arange(games) // 3))


def as_rows(data: Kinds) -> Choices:
    won = data.chosen[:, None] == np.arange(3)
    sets = np.repeat(np.arange(len(data.kind)), 3)
    return Choices.of_rows(X[data.kind].reshape(-1, 6), won.ravel(), sets, np.repeat(data.block, 3))


def difference(i: int, j: int) -> np.ndarray:
    return np.eye(6)[i] - np.eye(6)[j]


def test_the_same_answer_as_with_a_row_an_alternative() -> None:
    data = drawn(1)
    ours, theirs = fit_kinds(data), fit(as_rows(data))
    assert (ours.sets, ours.clusters) == (theirs.sets, theirs.clusters) == (900, 300)
    assert ours.covariance == pytest.approx(theirs.covariance)
    assert ours.cautious == pytest.approx(theirs.cautious)
    for i, j in ((0, 1), (1, 2), (3, 5)):
        one, other = (contrast(fitted, difference(i, j)) for fitted in (ours, theirs))
        assert one.value == pytest.approx(other.value)
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_the_same_bound_where_one_never_wins() -> None:
    data = drawn(2, never=2)
    ours, theirs = fit_kinds(data), fit(as_rows(data))
    one, other = (contrast(fitted, difference(0, 2)) for fitted in (ours, theirs))
    assert one.value == other.value == np.inf
    assert one.low == pytest.approx(other.low, abs=1e-4)
    assert 2 < one.low < 12
    finite = [contrast(fitted, difference(0, 1)) for fitted in (ours, theirs)]
    assert finite[0].value == pytest.approx(finite[1].value)
    assert finite[0].se == pytest.approx(finite[1].se)
    assert 0 < finite[0].se < 0.3
    assert ours.cautious == pytest.approx(theirs.cautious)


def test_kinds_that_were_not_played_change_nothing() -> None:
    data = drawn(3)
    more = Kinds.of(np.concatenate([X, X[:2] + 1]), data.kind, data.chosen, data.block)
    assert fit_kinds(more).coefficients == pytest.approx(fit_kinds(data).coefficients)
    never = drawn(4, never=0)
    more = Kinds.of(np.concatenate([X, X[:2]]), never.kind, never.chosen, never.block)
    assert fit_kinds(more).covariance == pytest.approx(fit_kinds(never).covariance)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="kinds, alternatives and columns"):
        Kinds.of(X[0], [0], [0], [0])
    with pytest.raises(ValueError, match="a number a set"):
        Kinds.of(X, [0, 1], [0], [0])
