"""Choices among few kinds of sets: a choice model of a million games without a row a seat.

Games differ by who sits where, in a few hundred ways, and by who wins. So the likelihood needs no more than
counts by kind and winner, and a block's score is a sum of numbers that kind and winner look up.

Of a ranking each place is a choice among those that are left (Plackett–Luce). Where all places go by the same
strengths, the first ones alone and all of them tend to the same answer, the latter with less spread. What
each block adds to both (`influence`) tells whether they part by more than chance.

Sources: those of `choice_model`; Hausman and Ruud 1987, "Specifying and testing econometric models for
rank-ordered data", for the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import softmax

from simlab.stats.choice_model import Fit, settled, with_errors
from simlab.stats.choice_sets import Choices, Ints
from simlab.stats.likelihood import hessian, inverse, magnitude
from simlab.stats.separation import limit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from simlab.stats.intervals import Floats
    from simlab.stats.separation import Recession


@dataclass(frozen=True, eq=False)
class Kinds:
    """Sets of P alternatives, N of them, of M kinds.

    `x` (M, P, K) describes the alternatives of each kind; `kind` (N,), `chosen` (N,) and `block` (N,) are the
    kind of each set, the place (0 … P − 1) of what was chosen, and its block, numbered from 0 without gaps.
    `left` (M, P): which alternatives a kind has; all of them if None.
    """

    x: Floats
    kind: Ints
    chosen: Ints
    block: Ints
    left: NDArray[np.bool_] | None = None

    @property
    def there(self) -> NDArray[np.bool_]:
        """Which alternatives each kind has (M, P)."""
        return np.ones(self.x.shape[:2], bool) if self.left is None else self.left

    @classmethod
    def of_rankings(cls, x: Floats, kind: Ints, orders: Ints, block: Ints) -> Kinds:
        """Rankings as P − 1 choices each: N of M kinds; `orders` (N, P) names the first, the second, … of P.

        Blocks as in `Kinds`. Raises ValueError for an order that leaves somebody out.
        """
        places = x.shape[1]
        chosen = np.asarray(orders, np.int64)
        if chosen.shape[1:] != (places,) or ((1 << chosen).sum(axis=1) != (1 << places) - 1).any():
            raise ValueError(f"orders {chosen.shape} must name each of {places} alternatives once")
        gone = np.cumsum(1 << chosen, axis=1)[:, : places - 2]  # as bits, after each choice but the last two
        gone = np.concatenate([np.zeros((len(kind), 1), np.int64), gone], axis=1)
        code = (np.asarray(kind)[:, None] << places) + gone  # (N, P − 1)
        numbers, which = np.unique(code, return_inverse=True)
        left = (numbers[:, None] >> np.arange(places)) & 1 == 0
        described = np.where(left[:, :, None], x[numbers >> places], np.nan)  # alike, whoever is gone
        first, same = _alike(described)
        each = np.repeat(np.asarray(block, np.int64), places - 1)
        x_ = np.nan_to_num(described[first])
        return cls(x_, same[which.ravel()], chosen[:, : places - 1].ravel(), each, left[first])

    @classmethod
    def of(cls, x: ArrayLike, kind: ArrayLike, chosen: ArrayLike, blocks: ArrayLike) -> Kinds:
        """From blocks of any numbers. Raises ValueError where the shapes don't fit."""
        x_ = np.asarray(x, np.float64)
        columns = [np.asarray(column, np.int64) for column in (kind, chosen, blocks)]
        if x_.ndim != 3 or any(c.shape != columns[0].shape or c.ndim != 1 for c in columns):
            raise ValueError(
                f"x {x_.shape} must have kinds, alternatives and columns; the rest a number a set"
            )
        return cls(x_, columns[0], columns[1], np.unique(columns[2], return_inverse=True)[1].ravel())

    @property
    def counts(self) -> Floats:
        """How often each alternative of each kind was chosen (M, P)."""
        return self._sums(np.ones(len(self.kind)))

    def once(self, found: Recession) -> Choices:
        """All of it merged, but what is separated counts once for each block that has the kind."""
        pair = self.block * len(self.x) + self.kind
        _, pair, times = np.unique(pair, return_inverse=True, return_counts=True)
        height, there = self.x @ found.direction, self.there
        low, high = (np.where(there, height, end) for end in (np.inf, -np.inf))
        uneven = high.max(axis=1) - low.min(axis=1) > 0.5
        return self._choices(self._sums(np.where(uneven[self.kind], 1 / times[pair.ravel()], 1.0)))

    def scores(self, beta: Floats, kept: NDArray[np.bool_]) -> Floats:
        """The derivative of the log likelihood by block (G, K), of the alternatives `kept` (M, P)."""
        chance = softmax(np.where(kept, self.x @ beta, -np.inf), axis=1)
        away = self.x - np.einsum("mp,mpk->mk", chance, self.x)[:, None, :]
        row = self.kind * self.x.shape[1] + self.chosen
        columns = away.reshape(-1, self.x.shape[2]).T
        by_block = [np.bincount(self.block, column[row]).astype(np.float64) for column in columns]
        return np.stack(by_block).T

    def merged(self) -> Choices:
        """Counts as choices: all that the likelihood depends on."""
        return self._choices(self.counts)

    def _sums(self, weights: Floats) -> Floats:
        many, places = self.x.shape[:2]
        found = np.bincount(self.kind * places + self.chosen, weights, many * places)
        return np.asarray(found, np.float64).reshape(many, places)

    def _choices(self, counts: Floats) -> Choices:
        total = counts.sum(axis=1)
        held = total > 0
        rows = self.there & held[:, None]
        size = rows.sum(axis=1)[held]
        won = (counts / np.where(held, total, 1.0)[:, None])[rows]
        start = np.cumsum(size) - size
        return Choices(self.x[rows], won, start, total[held], np.zeros(len(start), np.int64))


def fit_kinds(data: Kinds) -> Fit:
    """Fit by maximum likelihood, as `choice_model.fit` does: the same answer, for any number of sets."""
    found = settled(data.merged())
    kept = _kept(data, found.recession)
    open_ = (kept.sum(axis=1) > 1)[data.kind]
    return with_errors(
        found,
        data.scores(found.coefficients, kept),
        float(open_.sum()) / max(1, int(np.count_nonzero(np.bincount(data.block[open_])))),
        sets=len(data.kind),
        clusters=int(data.block.max(initial=-1)) + 1,
        once=None if found.recession is None else data.once(found.recession),
    )


def _alike(kinds: Floats) -> tuple[Ints, Ints]:
    """The first of each group of equal kinds (M, P, K), and the group of each (M,)."""
    rows = np.ascontiguousarray(kinds).reshape(len(kinds), kinds.shape[1] * kinds.shape[2])
    as_bytes = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, group = np.unique(as_bytes, return_index=True, return_inverse=True)
    return np.asarray(first, np.int64), np.asarray(group.ravel(), np.int64)


def influence(data: Kinds, fitted: Fit) -> Floats:
    """By how much each block moves the coefficients of `fit_kinds` (G, K), in first order.

    Covariances of what is computed from one or two fits of the same blocks are those of these rows added up.
    """
    merged = data.merged()
    if fitted.recession is not None:
        merged = limit(merged, fitted.recession).merged(by_block=False)
    inverted, _ = inverse(hessian(merged, fitted.coefficients), magnitude(merged))
    pull = data.scores(fitted.coefficients, _kept(data, fitted.recession))
    return np.asarray(pull @ inverted, np.float64)


def _kept(data: Kinds, found: Recession | None) -> NDArray[np.bool_]:
    """The alternatives (M, P) that are left in the model which the likelihood tends to."""
    if found is None:
        return data.there
    height = np.where(data.there, data.x @ found.direction, -np.inf)
    top = np.where(data.counts > 0, height, -np.inf).max(axis=1)
    kept = height > np.where(np.isinf(top), height.max(axis=1), top)[:, None] - 0.5
    return np.asarray(kept & data.there)
