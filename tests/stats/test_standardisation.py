"""Shares over a design: the raw ones where play was even, right where it wasn't; coverage; extremes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.special import softmax

from simlab.stats.choice_kinds import Kinds, fit_kinds
from simlab.stats.intervals import Moments, share
from simlab.stats.standardisation import Cells, standardised_cells

Misses = Callable[[int, float], float]
TABLES = np.array([order for three in combinations(range(4), 3) for order in permutations(three)])  # (24, 3)
CELLS = 3 * TABLES + np.arange(3)  # item and seat
X = np.eye(12)[CELLS]
HEIGHT = np.array([0.6, 0.1, 0.0, -0.5])[:, None] + np.array([0.0, 0.2, 0.5])
TRUTH = softmax(HEIGHT.ravel()[CELLS], axis=1)
OF_ITEM = np.kron(np.eye(4), np.ones(3)) / 3
OF_SEAT = np.kron(np.ones(4), np.eye(3)) / 4
BEYOND = np.eye(12) - np.repeat(OF_ITEM, 3, axis=0) - np.tile(OF_SEAT, (4, 1)) + 1 / 12  # item and seat


def play(
    rng: np.random.Generator,
    kind: np.ndarray,
    games: int = 3,
    luck: float = 0.0,
    heights: np.ndarray = HEIGHT,
) -> Kinds:
    """A block a kind, of so many games, whose deal adds to each item's strength."""
    kinds = np.repeat(kind, games)
    lucky = np.repeat(rng.normal(0, luck, (len(kind), 4)), games, axis=0)
    height = heights.ravel()[CELLS[kinds]] + np.take_along_axis(lucky, TABLES[kinds], axis=1)
    chosen = (height + rng.gumbel(size=height.shape)).argmax(axis=1)
    return Kinds.of(X, kinds, chosen, np.repeat(np.arange(len(kind)), games))


def standardised(data: Kinds) -> Cells:
    return standardised_cells(fit_kinds(data), [(X[:10], CELLS[:10]), (X[10:], CELLS[10:])], 12)


def raw(data: Kinds, item: int) -> Moments:
    has = (TABLES[data.kind] == item).any(axis=1)
    won = TABLES[data.kind, data.chosen] == item
    return Moments.of_rows(won[has], data.block[has])


def mean_of(levels: np.ndarray) -> np.ndarray:
    cells = np.bincount(CELLS.ravel(), TRUTH.ravel(), 12) / np.bincount(CELLS.ravel(), minlength=12)
    return levels @ cells


def test_even_play_gives_the_raw_shares() -> None:
    data = play(np.random.default_rng(1), np.tile(np.arange(24), 20))
    found = standardised(data).levels(OF_ITEM).estimates([1080] * 4, 480, share=True, together=False)
    for item in range(4):
        plain = share(raw(data, item))
        assert found[item].value == pytest.approx(plain.value, abs=1e-8)
        assert found[item].se == pytest.approx(plain.se, rel=0.1)
    assert sum(standardised(data).levels(OF_SEAT).values) == pytest.approx(1)


def test_uneven_play_is_set_right() -> None:
    """Item 1 mostly meets 2 and 3, so its raw share flatters it."""
    weight = np.where((TABLES == 0).any(axis=1) & (TABLES == 1).any(axis=1), 0.2, 1.0)
    rng = np.random.default_rng(2)
    data = play(rng, rng.choice(24, 3_000, p=weight / weight.sum()))
    found = standardised(data).levels(OF_ITEM).estimates([1] * 4, 3_000, share=True, together=False)[1]
    truth = mean_of(OF_ITEM)[1]
    assert found.value == pytest.approx(truth, abs=3.5 * found.se)
    assert share(raw(data, 1)).value > truth + 5 * found.se


def test_intervals_cover_with_luck_in_blocks(allowed_misses: Misses) -> None:
    rng, rounds = np.random.default_rng(3), 120
    missed, all_missed, beyond, without = np.zeros(4), 0, 0, 0
    even = np.full((4, 3), 0.0)  # with equal strengths luck leaves every share at a third
    for _ in range(rounds):
        data = play(rng, np.tile(np.arange(24), 10), luck=0.8, heights=even)
        cells = standardised(data)
        levels = cells.levels(OF_ITEM)
        alone, together = (levels.estimates([1] * 4, 240, share=True, together=t) for t in (False, True))
        missed += [not e.low <= 1 / 3 <= e.high for e in alone]
        all_missed += any(not e.low <= 1 / 3 <= e.high for e in together)
        pairs = cells.levels(BEYOND).estimates([1] * 12, 240, share=False, together=True)
        beyond += any(not e.low <= 0 <= e.high for e in pairs)
        single = Kinds.of(
            X, data.kind, data.chosen, np.arange(len(data.kind))
        )  # as if games were independent
        plain = standardised(single).levels(OF_ITEM).estimates([1] * 4, 720, share=True, together=False)
        without += not plain[0].low <= 1 / 3 <= plain[0].high
    assert (missed <= allowed_misses(rounds, 0.06)).all()
    assert all_missed <= allowed_misses(rounds, 0.06)
    assert beyond <= allowed_misses(rounds, 0.06)
    assert missed.sum() >= 4
    assert without > missed[0]  # negative control


def test_twice_the_data_shrinks_intervals_by_the_root_of_two() -> None:
    data = play(np.random.default_rng(4), np.tile(np.arange(24), 20))
    twice = Kinds.of(
        X, np.tile(data.kind, 2), np.tile(data.chosen, 2), np.concatenate([data.block, data.block + 480])
    )
    one, two = (standardised(each).levels(OF_ITEM) for each in (data, twice))
    assert two.values == pytest.approx(one.values)
    assert one.errors / two.errors == pytest.approx(np.full(4, np.sqrt(2)), rel=2e-3)


def test_seats_by_other_names_are_the_same_seats() -> None:
    data = play(np.random.default_rng(5), np.tile(np.arange(24), 10))
    new = np.array([2, 0, 1])  # seat 0 is called 2
    kinds = {tuple(order): k for k, order in enumerate(TABLES.tolist())}
    renamed = [kinds[tuple(TABLES[k][np.argsort(new)].tolist())] for k in data.kind]
    other = Kinds.of(X, renamed, new[data.chosen], data.block)
    assert standardised(other).levels(OF_SEAT).values[new] == pytest.approx(
        standardised(data).levels(OF_SEAT).values
    )
    assert standardised(other).levels(OF_ITEM).values == pytest.approx(
        standardised(data).levels(OF_ITEM).values
    )


def test_what_never_wins_has_no_share_and_the_others_keep_their_intervals() -> None:
    heights = HEIGHT.copy()
    heights[3] = -np.inf
    data = play(np.random.default_rng(6), np.tile(np.arange(24), 20), heights=heights)
    found = standardised(data).levels(OF_ITEM).estimates([1080] * 4, 480, share=True, together=True)
    assert found[3].value == 0
    assert not found[3].sure
    for item in range(3):
        plain = share(raw(data, item))
        assert found[item].value == pytest.approx(plain.value, abs=1e-6)
        assert 0.8 * plain.se < found[item].se < 1.05 * plain.se  # whether item 3 sits there is known
        assert found[item].sure


def test_what_never_met_is_unknown() -> None:
    """Items 0 and 1 always win against 2 and 3, and the tables of both were never played."""
    heights = np.array([[50.0] * 3, [50.0] * 3, [0.0] * 3, [0.0] * 3])
    met = np.flatnonzero((TABLES < 2).sum(axis=1) == 1)
    data = play(np.random.default_rng(7), np.tile(met, 20), heights=heights)
    assert np.isnan(standardised(data).levels(OF_ITEM).values).all()
    inside = standardised_cells(fit_kinds(data), [(X[met], CELLS[met])], 12)
    assert np.isnan(inside.values).sum() == 0
    assert inside.levels(OF_ITEM[:2]).values == pytest.approx([1, 1])


def test_a_cell_in_no_table_is_unknown() -> None:
    fitted = fit_kinds(play(np.random.default_rng(8), np.tile(np.arange(24), 5)))
    cells = standardised_cells(fitted, [(X[:1], CELLS[:1])], 12)
    assert np.isnan(cells.values).sum() == 9
    assert not np.isnan(cells.levels(np.eye(12)[CELLS[0]]).values).any()
