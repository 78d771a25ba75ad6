"""Choices among few kinds of sets: a choice model of a million games without a row a seat.

Games differ by who sits where, in a few hundred ways, and by who wins. So the likelihood needs no more than
counts by kind and winner, and a block's score is a sum of numbers that kind and winner look up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import softmax

from simlab.stats.choice_model import Fit, settled, with_errors
from simlab.stats.choice_sets import Choices, Ints

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from simlab.stats.intervals import Floats
    from simlab.stats.separation import Recession


@dataclass(frozen=True, eq=False)
class Kinds:
    """Sets of P alternatives, N of them, of M kinds.

    `x` (M, P, K) describes the alternatives of each kind; `kind` (N,), `chosen` (N,) and `block` (N,) are the
    kind of each set, the place (0 … P − 1) of what was chosen, and its block, numbered from 0 without gaps.
    """

    x: Floats
    kind: Ints
    chosen: Ints
    block: Ints

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
        height = self.x @ found.direction
        uneven = height.max(axis=1) - height.min(axis=1) > 0.5
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
        places, start = counts.shape[1], np.arange(held.sum()) * counts.shape[1]
        won = (counts[held] / total[held, None]).ravel()
        x = self.x[held].reshape(len(start) * places, self.x.shape[2])
        return Choices(x, won, start, total[held], np.zeros(len(start), np.int64))


def fit_kinds(data: Kinds) -> Fit:
    """Fit by maximum likelihood, as `choice_model.fit` does: the same answer, for any number of sets."""
    found = settled(data.merged())
    kept = np.ones(data.x.shape[:2], bool)
    if found.recession is not None:
        height = data.x @ found.recession.direction
        top = np.where(data.counts > 0, height, -np.inf).max(axis=1)
        kept = height > np.where(np.isinf(top), height.max(axis=1), top)[:, None] - 0.5
    open_ = (kept.sum(axis=1) > 1)[data.kind]
    return with_errors(
        found,
        data.scores(found.coefficients, kept),
        float(open_.sum()) / max(1, int(np.count_nonzero(np.bincount(data.block[open_])))),
        sets=len(data.kind),
        clusters=int(data.block.max(initial=-1)) + 1,
        once=None if found.recession is None else data.once(found.recession),
    )
