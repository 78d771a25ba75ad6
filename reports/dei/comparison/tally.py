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
    """Add rows up by the block of their pair: `block` (pairs,) from 0, `differs` (pairs,) if not alike."""
    place = block[rows.pair] * levels + rows.level

    def added(weights: Array | None) -> Array:
        found = np.bincount(place, weights, blocks * levels).reshape(blocks, levels)
        return np.asarray(found, np.float64)

    base, arm = (np.asarray(values, np.float64) for values in (rows.base, rows.arm))
    return Cells(added(None), added(base), added(arm - base), added(differs[rows.pair].astype(np.float64)))


class Tally:
    """The sums over blocks for K levels, and of products of two levels of the differences."""

    def __init__(self, levels: int) -> None:
        self._sums = np.zeros((_SUMS, levels))
        self._nn, self._nt, self._tt = np.zeros((3, levels, levels))
        self._clusters = 0

    def add(self, cells: Cells) -> None:
        """Take some blocks in; each block comes whole and once."""
        n, a, d, v = cells.n, cells.base, cells.difference, cells.differ
        terms = (n > 0, n, n * n, a, n * a, a * a, d, n * d, d * d, v, n * v, v * v, a * d, d != 0, v > 0)
        self._sums += [term.sum(0) for term in terms]
        self._nn += n.T @ n
        self._nt += n.T @ d
        self._tt += d.T @ d
        self._clusters += int((n.sum(1) > 0).sum())

    def moments(self) -> tuple[PairedMoments, ...]:
        """Of each level."""
        return tuple(as_paired_moments(column) for column in self._sums.T.tolist())

    def joint(self) -> JointMoments:
        """Of the levels' differences together."""
        levels = [moments.difference for moments in self.moments()]
        return JointMoments.of_sums(self._clusters, levels, self._nn, self._nt, self._tt)


def beside(cells: list[Cells]) -> Cells:
    """The levels of several arms side by side, arm after arm."""
    return Cells(
        *(np.concatenate([getattr(each, name) for each in cells], axis=1) for name in Cells.__annotations__)
    )
