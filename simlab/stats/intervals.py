"""Means and shares with intervals clustered on blocks.

Everything a clustered mean needs of a block is two numbers: how many rows it has (n_b) and what they add
up to (t_b). The mean is the ratio Σt / Σn; its standard error comes from the residuals t_b − mean · n_b
(linearised ratio estimator). Their squares add up from five sums over blocks, `Moments`, so a database
can do the work and a million games cost a row.

Sources: Cochran, "Sampling Techniques" (1977), ch. 6 and 9, for the ratio of cluster totals; Wilson
(1927) for the interval of a proportion; Dean and Pagano (2015), "Evaluating confidence interval methods
for binomial proportions in clustered surveys", for Wilson's interval with an effective sample size.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log10, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

Floats = NDArray[np.float64]

# Rounding alone leaves residuals of this size relative to the total; less is no spread at all.
NO_SPREAD = 1e-12
FEW_AGREE = 30  # blocks: that fewer of them agree says little of those that weren't played
SPARSE = 4  # block numbers with more room than this a row are renumbered first


@dataclass(frozen=True)
class Estimate:
    """A number and how sure it is.

    `low` … `high` is the interval at confidence `level`; `se` the standard error; `n` the rows and
    `clusters` the blocks behind it. NaN where it can't be known: all of it for no rows, se and interval
    for a single block, and for a few that all agree where nothing bounds how far others may be off.
    """

    value: float
    se: float
    low: float
    high: float
    n: int
    clusters: int
    level: float

    @property
    def known(self) -> bool:
        """Whether there is a value at all."""
        return self.n > 0

    @property
    def sure(self) -> bool:
        """Whether there is an interval."""
        return not (np.isnan(self.low) or np.isnan(self.high))


EMPTY = Estimate(nan, nan, nan, nan, 0, 0, 0.95)


@dataclass(frozen=True)
class Moments:
    """What the blocks of one cell add up to: all that a clustered mean needs.

    `clusters`: blocks with at least one row. With n_b rows and total t_b in block b: `n` = Σ n_b,
    `total` = Σ t_b, `nn` = Σ n_b², `nt` = Σ n_b t_b, `tt` = Σ t_b². Totals of whole numbers stay exact
    up to 2⁵³.
    """

    clusters: int
    n: int
    total: float
    nn: float
    nt: float
    tt: float

    @classmethod
    def of_blocks(cls, counts: ArrayLike, totals: ArrayLike) -> Moments:
        """From rows (G,) and totals (G,) a block; blocks without rows are left out."""
        n, t = np.ascontiguousarray(counts, np.float64), np.ascontiguousarray(totals, np.float64)
        if n.shape != t.shape or n.ndim != 1:
            raise ValueError(f"counts {n.shape} and totals {t.shape} must be two vectors of one length")
        held = int(np.count_nonzero(n))
        if held < len(n) and t[n == 0].any():
            raise ValueError("a block without rows has a total")
        return cls(held, int(n.sum()), float(t.sum()), float(n @ n), float(n @ t), float(t @ t))

    @classmethod
    def of_rows(cls, values: ArrayLike, blocks: ArrayLike) -> Moments:
        """From values (N,) and the number of the block of each (N,), in any order."""
        value, block = np.asarray(values, np.float64), np.asarray(blocks, np.int64)
        if len(block) and int(block.max()) - int(block.min()) < SPARSE * len(block):
            block = block - block.min()  # a run's own numbers: counting beats sorting
        else:
            _, block = np.unique(block, return_inverse=True)
        return cls.of_blocks(np.bincount(block), np.bincount(block, weights=value))


def critical(level: float, clusters: int) -> float:
    """Student's t for a two-sided interval at `level` with clusters − 1 degrees of freedom."""
    if clusters < 2:
        return nan
    return float(stdtrit(clusters - 1, 0.5 + level / 2))


def mean(moments: Moments, level: float = 0.95, quantile: float | None = None) -> Estimate:
    """Mean of all rows, interval clustered on blocks.

    Unit: that of the totals. SE = √(G/(G−1) · Σ(t_b − mean·n_b)²) / Σn, interval mean ± t(G−1)·SE;
    `quantile` replaces t where several levels are judged together.
    Where fewer than FEW_AGREE blocks all agree there is no spread to measure, so neither error nor interval
    (NaN); from that many on it is ± 0: then at most one block in ten differs, with 95 % confidence.
    Assumes that blocks are independent and alike, and enough of them (30 or more) for the mean of
    residuals to be near normal; nothing about rows inside a block.
    Source: Cochran 1977, eq. 6.13 and 9A.
    """
    if moments.n == 0:
        return _empty(level)
    value = moments.total / moments.n
    se = _standard_error(moments)
    if se == 0 and moments.clusters < FEW_AGREE:
        se = nan
    reach = (critical(level, moments.clusters) if quantile is None else quantile) * se
    return Estimate(value, se, value - reach, value + reach, moments.n, moments.clusters, level)


def share(moments: Moments, level: float = 0.95, quantile: float | None = None) -> Estimate:
    """Mean of rows that lie in [0, 1], such as a win share: Wilson's interval, clustered on blocks.

    Unit: a fraction. The standard error is that of `mean`; the interval is Wilson's with the sample size
    that would give this standard error, n* = p(1−p)/SE², and t(G−1) for z. It never leaves [0, 1], is
    Wilson's own where rows are independent, and meets value ± t·SE for large n.
    Where all blocks agree exactly (all won, all lost) there is no spread to measure, and n* is the number
    of blocks: as if each had been one row, which is cautious.
    Assumes independent blocks. Source: Dean and Pagano 2015.
    """
    plain = mean(moments, level, quantile)
    if moments.clusters < 2:
        return plain
    z = critical(level, moments.clusters) if quantile is None else quantile
    se, spread = _standard_error(moments), plain.value * (1 - plain.value)
    effective = spread / se**2 if se > 0 and spread > 0 else float(moments.clusters)
    low, high = wilson_bounds(plain.value, effective, z)
    return Estimate(plain.value, se, low, high, moments.n, moments.clusters, level)


def wilson(successes: int, n: int, level: float = 0.95) -> Estimate:
    """A plain proportion of `n` independent rows (each its own block): Wilson's score interval.

    Unit: a fraction. Kept as the reference that the clustered intervals are measured against.
    Source: Wilson 1927; Brown, Cai and DasGupta 2001.
    """
    if n == 0:
        return _empty(level)
    p = successes / n
    low, high = wilson_bounds(p, float(n), float(ndtri(0.5 + level / 2)))
    return Estimate(p, sqrt(p * (1 - p) / n), low, high, n, n, level)


def _standard_error(moments: Moments) -> float:
    if moments.clusters < 2:
        return nan
    squares = squared_residuals(moments)
    return sqrt(moments.clusters / (moments.clusters - 1) * squares) / moments.n


def squared_residuals(moments: Moments) -> float:
    """Σ(t_b − mean·n_b)² over blocks, 0 where only rounding is left of it; needs a row."""
    value = moments.total / moments.n
    squares = moments.tt - 2 * value * moments.nt + value**2 * moments.nn
    return 0.0 if squares <= NO_SPREAD * max(moments.tt, value**2 * moments.nn) else squares


def rows_for(estimate: Estimate, half_width: float) -> float:
    """Rows in all, rounded up to two digits, for an interval of ± `half_width`; blocks of the same size.

    The error shrinks with the root of the rows. NaN without an interval.
    """
    if half_width <= 0:
        raise ValueError(f"half the width of an interval must be positive, not {half_width}")
    if not estimate.sure:
        return nan
    return round_up(estimate.n * ((estimate.high - estimate.low) / 2 / half_width) ** 2)


def round_up(rows: float) -> float:
    """To two digits, at least 1: what is said of rows that were only estimated."""
    if rows <= 1:
        return 1.0
    unit = 10 ** max(0, int(log10(rows)) - 1)
    return float(ceil(rows / unit) * unit)


def wilson_bounds(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's score interval of a share `p` of `n` rows (of any real size) at `z` standard errors."""
    if n == inf:
        return p, p
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, min(p, centre - reach)), min(1.0, max(p, centre + reach))


def _empty(level: float) -> Estimate:
    return Estimate(nan, nan, nan, nan, 0, 0, level)


def as_moments(row: Any) -> Moments:
    """From a row (clusters, n, total, nn, nt, tt), as a database hands it over; None counts as 0."""
    clusters, n, total, nn, nt, tt = (0 if x is None else x for x in row)
    return Moments(int(clusters), int(n), float(total), float(nn), float(nt), float(tt))
