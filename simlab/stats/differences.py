"""Levels that chance dealt, each against those who were dealt something else.

Source: Cochran, "Sampling Techniques" (1977), ch. 6, for the linearised ratio and differences of ratios.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.intervals import Estimate, Floats, critical, squared_residuals
from simlab.stats.joint import JointMoments, covariance

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def against_rest(
    counts: ArrayLike, totals: ArrayLike, rest_counts: ArrayLike, rest_totals: ArrayLike, level: float = 0.95
) -> tuple[tuple[Estimate, ...], Floats]:
    """Mean of the rows of each level less the mean of its rest (K), and the covariance (K, K) of these.

    counts, totals: (G, K), rows and their total by block and level; rest_counts, rest_totals alike for what
    each level is compared with. Unit: that of the totals. `n` counts the rows of the level itself. The two
    means may share blocks, and so may the levels: their covariance comes in. Where all blocks of one of the
    two agree, as the few blocks of a rare level may, there is no spread to measure and no interval.
    Assumes independent blocks, and a level dealt at random for the difference to be its effect.
    """
    n = np.hstack([np.asarray(counts, np.float64), np.asarray(rest_counts, np.float64)])
    t = np.hstack([np.asarray(totals, np.float64), np.asarray(rest_totals, np.float64)])
    joint = JointMoments.of_blocks(n, t)
    both = covariance(joint)
    k = len(joint.levels) // 2
    spread = both[:k, :k] - both[:k, k:] - both[k:, :k] + both[k:, k:]
    value = [moments.total / moments.n if moments.n else nan for moments in joint.levels]
    return tuple(_difference(joint, spread, value, i, level) for i in range(k)), spread


def _difference(joint: JointMoments, spread: Floats, value: list[float], i: int, level: float) -> Estimate:
    own, rest = joint.levels[i], joint.levels[i + len(joint.levels) // 2]
    if not (own.n and rest.n):
        return Estimate(nan, nan, nan, nan, 0, 0, level)
    found = value[i] - value[i + len(joint.levels) // 2]
    clusters = min(own.clusters, rest.clusters)
    varies = min(squared_residuals(own), squared_residuals(rest)) > 0
    se = sqrt(max(0.0, spread[i, i])) if clusters > 1 and varies else nan
    reach = critical(level, clusters) * se
    return Estimate(found, se, found - reach, found + reach, own.n, own.clusters, level)
