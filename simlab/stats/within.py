"""How two things go together among rows that are otherwise alike: a slope within cells.

Both are taken less their means over the rows of the same cell (the same faction in the same seat, say); the
slope is that of the rest on the rest. It is an association: what moves both moves it.

Sources: Frisch and Waugh 1933 and Lovell 1963 for regression within cells; Liang and Zeger 1986 for errors
clustered on blocks.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.intervals import EMPTY, NO_SPREAD, Estimate, Floats, critical

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def slope(x: ArrayLike, y: ArrayLike, cell: ArrayLike, block: ArrayLike, level: float = 0.95) -> Estimate:
    """By how much y is greater where x is greater by 1, among rows of one cell.

    x, y and `cell` (N, P): of the P rows of each of N sets; `block` (N,): of each set. Unit: that of y by
    that of x. Interval: Student's t with a degree of freedom a block less one, clustered on blocks. No value
    where x doesn't vary within cells. Assumes independent blocks, 30 or more for the interval to be right.
    """
    x_, y_ = (np.asarray(each, np.float64) for each in (x, y))
    cells, blocks = np.asarray(cell, np.int64), np.asarray(block, np.int64)
    if not x_.shape == y_.shape == cells.shape or blocks.shape != x_.shape[:1]:
        raise ValueError(f"x {x_.shape}, y {y_.shape} and cells {cells.shape} must have one shape")
    a, b = _centred(x_, cells), _centred(y_, cells)
    varies = float(np.square(a).sum())
    if varies <= NO_SPREAD * float(np.square(x_).sum()):
        return EMPTY
    value = float((a * b).sum()) / varies
    pull = np.bincount(blocks, (a * (b - value * a)).sum(axis=1))
    clusters = int(np.count_nonzero(np.bincount(blocks)))
    factor = clusters / (clusters - 1) if clusters > 1 else nan
    se = sqrt(factor * float(pull @ pull)) / varies
    reach = critical(level, clusters) * se
    return Estimate(value, se, value - reach, value + reach, x_.size, clusters, level)


def _centred(values: Floats, cells: NDArray[np.int64]) -> Floats:
    size = np.bincount(cells.ravel())
    total = np.bincount(cells.ravel(), values.ravel())
    found: Floats = values - (total / np.maximum(1, size))[cells]
    return found
