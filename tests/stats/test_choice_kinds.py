"""Choices among few kinds of sets: the same answers as with a row an alternative, separated ones too."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from simlab.stats.choice_kinds import Kinds, fit_kinds, influence
from simlab.stats.choice_model import contrast, fit
from simlab.stats.choice_sets import Choices, exploded
from simlab.stats.intervals import Estimate
from simlab.stats.standardisation import gaps, standardised_cells

Misses = Callable[[int, float], float]

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


# --- rankings ---------------------------------------------------------------------------------------------

FOUR = np.array(list(permutations(range(4))))  # the item in each seat
X4 = np.concatenate([np.eye(4)[FOUR], np.broadcast_to(np.eye(4), (24, 4, 4))], axis=2)
TRUTH4 = np.array([0.7, 0.2, 0.0, -0.5, 0.3, 0.0, 0.1, 0.0])
CELLS4 = [(X4, FOUR)]  # a cell of standardised shares an item


def ranked(
    rng: np.random.Generator, games: int, *, luck: float = 0.0, below: np.ndarray = TRUTH4
) -> tuple[np.ndarray, ...]:
    """Kind, order (N, 4) and block (N,): the first by TRUTH4, the others by `below`; a deal's `luck`."""
    kind = rng.integers(0, 24, games)
    lucky = np.repeat(rng.normal(0, luck, (games // 4, 4)), 4, axis=0)
    lucky = np.take_along_axis(lucky, FOUR[kind], axis=1)
    first = (X4[kind] @ TRUTH4 + lucky + rng.gumbel(size=(games, 4))).argmax(axis=1)
    height = X4[kind] @ below + lucky + rng.gumbel(size=(games, 4))
    height[np.arange(games), first] = np.inf
    return kind, (-height).argsort(axis=1), np.arange(games) // 4


def as_exploded(kind: np.ndarray, orders: np.ndarray, block: np.ndarray) -> Choices:
    places = orders.argsort(axis=1) + 1
    sets = np.repeat(np.arange(len(kind)), 4)
    return exploded(X4[kind].reshape(-1, 8), places.ravel(), sets, np.repeat(block, 4))


def test_rankings_are_the_exploded_ones() -> None:
    kind, orders, block = ranked(np.random.default_rng(1), 600, luck=0.5)
    ours = fit_kinds(Kinds.of_rankings(X4, kind, orders, block))
    theirs = fit(as_exploded(kind, orders, block))
    assert (ours.sets, ours.clusters) == (theirs.sets, theirs.clusters) == (1800, 150)
    assert ours.covariance == pytest.approx(theirs.covariance)
    assert ours.cautious == pytest.approx(theirs.cautious)
    assert ours.coefficients == pytest.approx(theirs.coefficients)


def test_rankings_whose_last_is_always_the_same_are_the_exploded_ones() -> None:
    kind, orders, block = ranked(np.random.default_rng(2), 600)
    last = FOUR[kind[:, None], orders] == 3
    orders = np.take_along_axis(orders, last.argsort(axis=1, kind="stable"), axis=1)
    ours = fit_kinds(Kinds.of_rankings(X4, kind, orders, block))
    theirs = fit(as_exploded(kind, orders, block))
    c = np.eye(8)
    for i, j in ((0, 1), (0, 3)):
        one, other = (contrast(fitted, c[i] - c[j]) for fitted in (ours, theirs))
        assert one.value == pytest.approx(other.value)
        assert one.low == pytest.approx(other.low, abs=1e-3)
    assert contrast(ours, c[0] - c[3]).value == np.inf


def test_as_statsmodels_has_rankings() -> None:
    """Each place a group of those that are left; its standard errors, as games are independent here."""
    models = pytest.importorskip("statsmodels.discrete.conditional_models")
    kind, orders, _ = ranked(np.random.default_rng(3), 152)
    data = as_exploded(kind, orders, np.arange(152))
    groups = np.repeat(np.arange(len(data.start)), data.sizes)
    free = np.delete(data.x, [0, 4], axis=1)
    theirs = models.ConditionalLogit(data.won.astype(int), free, groups=groups).fit(
        method="newton", disp=False
    )
    ours = fit_kinds(Kinds.of_rankings(X4, kind, orders, np.arange(152)))
    c = np.eye(8)
    found = [
        contrast(ours, c[i] - c[base]) for base, others in ((0, (1, 2, 3)), (4, (5, 6, 7))) for i in others
    ]
    assert [each.value for each in found] == pytest.approx(list(theirs.params), abs=1e-6)
    assert [each.se for each in found] == pytest.approx(list(theirs.bse), rel=0.2)


def test_planted_strengths_come_back_from_all_places_with_less_spread() -> None:
    kind, orders, block = ranked(np.random.default_rng(4), 8_000)
    everybody = fit_kinds(Kinds.of_rankings(X4, kind, orders, block))
    firsts = fit_kinds(Kinds.of(X4, kind, orders[:, 0], block))
    c = np.eye(8)
    for i, j in ((0, 1), (0, 2), (0, 3), (4, 5), (4, 6)):
        one, other = (contrast(fitted, c[i] - c[j]) for fitted in (everybody, firsts))
        assert one.value == pytest.approx(TRUTH4[i] - TRUTH4[j], abs=3.5 * one.se)
        assert one.se < 0.85 * other.se


def apart(kind: np.ndarray, orders: np.ndarray, block: np.ndarray) -> tuple[Estimate, ...]:
    """Share of each item by all places less that by who came first."""
    both = (Kinds.of_rankings(X4, kind, orders, block), Kinds(X4, kind, orders[:, 0], block))
    fits = [fit_kinds(each) for each in both]
    cells = [standardised_cells(fitted, CELLS4, 4) for fitted in fits]
    moves = tuple(influence(data, fitted) for data, fitted in zip(both, fits, strict=True))
    for fitted, each in zip(fits, moves, strict=True):
        factor = len(each) / (len(each) - 1)
        assert factor * each.T @ each == pytest.approx(fitted.covariance, abs=1e-12)
    return gaps(cells[0], cells[1], (moves[0], moves[1]), np.eye(4))


# Fixed beforehand, as in test_choice_model.py: 6 % false alarms are granted, and 3.1 deviations beyond.
REPETITIONS = 200


def test_all_places_and_the_first_part_by_chance_alone_where_strengths_are_the_same(
    allowed_misses: Misses,
) -> None:
    alarms = 0
    for seed in range(REPETITIONS):
        found = apart(*ranked(np.random.default_rng([5, seed]), 400))
        alarms += any(not each.low <= 0 <= each.high for each in found)
    assert alarms / REPETITIONS <= allowed_misses(REPETITIONS, 0.06)


def test_where_the_other_places_go_by_other_strengths_it_is_found() -> None:
    below = np.array([-0.7, 0.0, 0.2, 0.5, 0.3, 0.0, 0.1, 0.0])
    found = apart(*ranked(np.random.default_rng(6), 4_000, below=below))
    assert found[0].high < 0 < found[3].low  # the first is worse below, the last better


def test_an_order_that_leaves_somebody_out_is_refused() -> None:
    with pytest.raises(ValueError, match="each of 4 alternatives once"):
        Kinds.of_rankings(X4, np.array([0]), np.array([[0, 1, 2, 2]]), np.array([0]))
    with pytest.raises(ValueError, match="each of 4 alternatives once"):
        Kinds.of_rankings(X4, np.array([0]), np.array([[0, 1, 2]]), np.array([0]))
