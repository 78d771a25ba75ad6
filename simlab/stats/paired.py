"""Effects of an arm against the base, played on the same blocks: same deals, same seats, same luck.

What the arm changes is a difference within each block, so the luck that both share drops out. How much that
saves is measured, never assumed: correlation and variance reduction are part of the answer, and so is how
many games took another course at all. Where none did, the difference is exactly nothing.

Sums are kept of the base and of the *difference*, not of the arm: a rare difference in a million games is
then no small remainder of large sums, and no difference is 0 rather than a rounding error.

Sources: Owen, "Monte Carlo theory, methods and examples", ch. 8, and Glasserman and Yao 1992, "Some
guidelines and guarantees for common random numbers", for pairing; Cochran 1977, ch. 6, for the linearised
ratio; Wilson 1927 for shares of which none was seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.stats.intervals import (
    Estimate,
    Moments,
    as_moments,
    critical,
    mean,
    share,
    squared_residuals,
    wilson,
    wilson_bounds,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class PairedMoments:
    """What the blocks of one level add up to under the base and under an arm.

    A row is a pair: a level's result in a game of the base and in its twin of the arm, both ended regularly.
    With n_b pairs in block b, base total a_b, arm total a_b + d_b, and v_b pairs whose games took another
    course: `base`, `difference`, `diverged` are the moments of a, d and v; `cross` = Σ a_b d_b;
    `changed` and `diverged_clusters` the blocks with d_b ≠ 0 and with v_b > 0.
    """

    base: Moments
    difference: Moments
    diverged: Moments
    cross: float
    changed: int
    diverged_clusters: int

    def __post_init__(self) -> None:
        if self.changed > self.diverged_clusters:
            raise ValueError(
                f"{self.changed} blocks came out differently, but the games of only "
                f"{self.diverged_clusters} took another course"
            )

    @classmethod
    def of_blocks(
        cls, counts: ArrayLike, base: ArrayLike, arm: ArrayLike, diverged: ArrayLike
    ) -> PairedMoments:
        """From pairs, base total, arm total and pairs that diverged, each (G,), a block."""
        a, d = np.asarray(base, np.float64), np.asarray(arm, np.float64) - np.asarray(base, np.float64)
        v = np.asarray(diverged, np.float64)
        if ((v < 0) | (v > np.asarray(counts))).any():
            raise ValueError("a block has more pairs that diverged than pairs")
        return cls(
            Moments.of_blocks(counts, a),
            Moments.of_blocks(counts, d),
            Moments.of_blocks(counts, v),
            float(a @ d),
            int(np.count_nonzero(d)),
            int(np.count_nonzero(v)),
        )

    @property
    def arm(self) -> Moments:
        """The moments of the arm's totals."""
        a, d = self.base, self.difference
        return replace(a, total=a.total + d.total, nt=a.nt + d.nt, tt=a.tt + 2 * self.cross + d.tt)


@dataclass(frozen=True)
class Effect:
    """What an arm does to one level's mean.

    `difference` = arm − base with its interval; `base`, `arm` the two means. `correlation`: of the blocks'
    residuals under both; `reduction`: how many times as many games two unpaired runs would take for the
    same error (1 / (1 − correlation) where both spread alike; below 1 if pairing hurts), infinite if the
    difference doesn't spread at all, NaN if nothing does. `diverged`: share of pairs whose games took
    another course; `diverged_blocks`: of blocks with such a pair. `identical`: no game did, so the arm
    changed nothing on these blocks; how often it might elsewhere, `diverged_blocks.high` bounds.
    """

    difference: Estimate
    base: Estimate
    arm: Estimate
    correlation: float
    reduction: float
    diverged: Estimate
    diverged_blocks: Estimate
    identical: bool


def effect(moments: PairedMoments, level: float = 0.95, reach: float = nan) -> Effect:
    """The effect of an arm on the mean of all rows, from pairs on the same blocks.

    Unit: that of the totals. The error is that of `intervals.mean` for the blocks' differences, interval
    with t(G−1). `reach`: the most one row can differ (1 for win shares), NaN if there is no bound.

    Where no game took another course the effect is 0 with interval [0, 0]. Where games did, but every block
    differs by the same amount, there is no spread to measure: all seen of G blocks speak for a share of
    at least 1 − u alike, u from Wilson's interval, and the rest may differ by ±`reach`; without `reach` there
    is no interval (NaN). One block has a value and no interval.
    Assumes independent blocks, and enough that differ (30 or more) for their mean to be near normal.
    """
    correlation, reduction = _pairing(moments)
    return Effect(
        _difference(moments, level, reach),
        mean(moments.base, level),
        mean(moments.arm, level),
        correlation,
        reduction,
        share(moments.diverged, level),
        wilson(moments.diverged_clusters, moments.base.clusters, level),
        moments.base.n > 0 and moments.diverged_clusters == 0,
    )


def _difference(moments: PairedMoments, level: float, reach: float) -> Estimate:
    plain = mean(moments.difference, level)
    if plain.clusters < 2 or plain.se > 0:
        return plain
    if moments.diverged_clusters == 0:
        return replace(plain, value=0.0, se=0.0, low=0.0, high=0.0)
    unlike = wilson_bounds(0.0, float(plain.clusters), critical(level, plain.clusters))[1]
    middle, room = plain.value * (1 - unlike), reach * unlike
    return replace(plain, se=0.0, low=middle - room, high=middle + room)


def _pairing(moments: PairedMoments) -> tuple[float, float]:
    """Correlation of base and arm over blocks, and the variance reduction against unpaired games."""
    if moments.base.clusters < 2:
        return nan, nan
    base, arm, difference = (squared_residuals(m) for m in (moments.base, moments.arm, moments.difference))
    if base + arm == 0:
        return nan, nan
    reduction = (base + arm) / difference if difference > 0 else inf
    if base == 0 or arm == 0:
        return nan, reduction
    correlation = (base + arm - difference) / (2 * sqrt(base * arm))
    return min(1.0, max(-1.0, correlation)), reduction


def as_paired_moments(row: Any) -> PairedMoments:
    """From a row as a database hands it over; None counts as 0.

    Sums over blocks, in this order: clusters, n, n²; a, n·a, a²; d, n·d, d²; v, n·v, v²; a·d;
    blocks with d ≠ 0; blocks with v > 0.
    """
    clusters, n, nn, *sums = (0 if x is None else x for x in row)
    a, d, v = (as_moments((clusters, n, sums[k], nn, sums[k + 1], sums[k + 2])) for k in (0, 3, 6))
    cross, changed, diverged = sums[9:]
    return PairedMoments(a, d, v, float(cross), int(changed), int(diverged))
