"""What the blocks of a comparison add up to, piece by piece: all that effects and their covariance need.

The sums are those of `stats.paired` and `stats.joint`. They are of whole numbers, so they come out exactly
the same whatever the pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.stats.joint import JointMoments
from simlab.stats.paired import PairedMoments, as_paired_moments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

_SUMS = 15  # of as_paired_moments


@dataclass(frozen=True)
class Rows:
    """Pairs of results, one a level and pair of games; `level` numbers the levels of a family from 0.

    `pair` says which pair of games, `base` and `arm` what came out under either; all (R,).
    """

    pair: Array
    level: Array
    base: Array
    arm: Array


@dataclass(frozen=True)
class Cells:
    """Sums of one arm's rows by block and level, all (G, K): pairs, base, difference, pairs that differ."""

    n: Array
    base: Array
    difference: Array
    differ: Array


def cells_of(rows: Rows, levels: int, block: Array, blocks: int, differs: Array) -> Cells:
    """Add rows up by the block of their pair: `block` (pairs,) from 0, `differs` (pairs,) if not alike.

    A row that differs counts as well, though its games are alike: the same choices among others to be had
    make another number of decisions.
    """
    place = block[rows.pair] * levels + rows.level

    def added(weights: Array | None) -> Array:
        found = np.bincount(place, weights, blocks * levels).reshape(blocks, levels)
        return np.asarray(found, np.float64)

    base, arm = (np.asarray(values, np.float64) for values in (rows.base, rows.arm))
    differ = differs[rows.pair] | (arm != base)
    return Cells(added(None), added(base), added(arm - base), added(differ.astype(np.float64)))


class Tally:
    """The sums over blocks for K levels, and of products of two levels of the differences."""

    def __init__(self, levels: int) -> None:
        self._sums = np.zeros((_SUMS, levels))
        self._nn, self._nt, self._tt = np.zeros((3, levels, levels))
        self._clusters = 0

    def add(self, cells: Cells) -> None:
        """Take some blocks in; each block comes whole and once."""
        n, a, d, v = cells.n, cells.base, cells.difference, cells.differ
        nn, nt, tt = n.T @ n, n.T @ d, d.T @ d
        terms = (
            *(_some(n), n.sum(0), nn.diagonal(), a.sum(0), _products(n, a), _products(a, a)),
            *(d.sum(0), nt.diagonal(), tt.diagonal(), v.sum(0), _products(n, v), _products(v, v)),
            *(_products(a, d), _some(d), _some(v)),
        )
        self._sums += terms
        self._nn += nn
        self._nt += nt
        self._tt += tt
        self._clusters += int((n.sum(1) > 0).sum())

    def moments(self) -> tuple[PairedMoments, ...]:
        """Of each level."""
        return tuple(as_paired_moments(column) for column in self._sums.T.tolist())

    def joint(self) -> JointMoments:
        """Of the levels' differences together."""
        levels = [moments.difference for moments in self.moments()]
        return JointMoments.of_sums(self._clusters, levels, self._nn, self._nt, self._tt)


def _products(x: Array, y: Array) -> Array:
    """Of each level, the sum over blocks of x · y; `(x * y).sum(0)` without the array of products."""
    return np.asarray(np.einsum("gk,gk->k", x, y))


def _some(x: Array) -> Array:
    """Of each level, the blocks where it isn't 0."""
    return np.asarray(np.count_nonzero(x, axis=0))


def beside(cells: list[Cells]) -> Cells:
    """The levels of several arms side by side, arm after arm."""
    return Cells(
        *(np.concatenate([getattr(each, name) for each in cells], axis=1) for name in Cells.__annotations__)
    )
