"""How far scores lie apart: mean, standard deviation and quantiles, all clustered on blocks.

Sources: Woodruff 1952, "Confidence intervals for medians and other position measures", for quantiles (the
interval of the distribution function at the quantile, read back as values; with independent rows it is the
order-statistic interval); the delta method for the standard deviation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.intervals import Estimate, Floats, Moments, critical, mean, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Spread:
    """Mean, standard deviation and quantiles (by `at`) of one score, with the extremes seen."""

    mean: Estimate
    sd: Estimate
    at: tuple[float, ...]
    quantiles: tuple[Estimate, ...]
    least: float
    most: float


def spread(
    values: ArrayLike, blocks: ArrayLike, at: Sequence[float] = QUANTILES, level: float = 0.95
) -> Spread:
    """Spread of values (N,), the block of each in blocks (N,), in any order; unit that of the values.

    Assumes independent blocks.
    """
    value, block = _rows(values, blocks)
    least, most = (float(value.min()), float(value.max())) if len(value) else (nan, nan)
    quantiles = tuple(quantile(value, block, q, level) for q in at)
    return Spread(
        mean(Moments.of_rows(value, block), level),
        deviation(value, block, level),
        tuple(at),
        quantiles,
        least,
        most,
    )


def deviation(values: ArrayLike, blocks: ArrayLike, level: float = 0.95) -> Estimate:
    """Standard deviation (divided by N) of values (N,) with an interval clustered on blocks (N,).

    Delta method: the standard deviation moves with a row as ((x − mean)² − sd²) / 2 sd. Assumes
    independent blocks and a finite fourth moment.
    """
    value, block = _rows(values, blocks)
    if len(value) == 0:
        return mean(Moments(0, 0, 0, 0, 0, 0), level)
    away = (value - value.mean()) ** 2
    sd = sqrt(float(away.mean()))
    influence = (away - sd**2) / (2 * sd) if sd > 0 else np.zeros_like(value)
    moved = mean(Moments.of_rows(influence, block), level)
    low = max(0.0, sd + moved.low) if moved.sure else nan
    return Estimate(sd, moved.se, low, sd + moved.high, moved.n, moved.clusters, level)


def quantile(values: ArrayLike, blocks: ArrayLike, q: float, level: float = 0.95) -> Estimate:
    """The q-quantile of values (N,), a value that occurs (the lowest with F(x) ≥ q), 0 < q < 1.

    The interval runs between two values that occur, at the ranks where the clustered interval of the
    share "at most this value" ends; SE is half its length over the critical value, a rough measure for
    values on a grid. Assumes independent blocks.
    Source: Woodruff 1952; Francisco and Fuller 1991 for clusters.
    """
    if not 0 < q < 1:
        raise ValueError(f"a quantile lies between 0 and 1, not at {q}")
    value, block = _rows(values, blocks)
    if len(value) == 0:
        return mean(Moments(0, 0, 0, 0, 0, 0), level)
    ordered = np.sort(value)
    found = _at(ordered, q)
    below = share(Moments.of_rows(value <= found, block), level)
    # The reach of F around its own value, moved to q: on a grid F(found) can lie well above q.
    low, high = _at(ordered, q - (below.value - below.low)), _at(ordered, q + (below.high - below.value))
    se = (high - low) / 2 / critical(level, below.clusters)
    return Estimate(found, se, low, high, below.n, below.clusters, level)


def _at(ordered: Floats, q: float) -> float:
    """The lowest value with F ≥ q in values in ascending order."""
    if np.isnan(q):
        return nan
    rank = int(np.ceil(q * len(ordered) - 1e-9)) - 1
    return float(ordered[min(max(rank, 0), len(ordered) - 1)])


def _rows(values: ArrayLike, blocks: ArrayLike) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    value, block = np.asarray(values, np.float64), np.asarray(blocks, np.int64)
    if value.shape != block.shape or value.ndim != 1:
        raise ValueError(f"values {value.shape} and blocks {block.shape} must be two vectors of one length")
    return value, block
