"""Intervals that may be looked at after every block, so that a run can stop when it knows enough.

A 95 % interval misses once in twenty if it is looked at once. Looked at again and again until it pleases, it
misses about every second time. Confidence sequences hold at all looks at once, however many, and cost
about half as much width again. Blocks must be taken in the order of their numbers, not in that of their being
done: long games are done late, and may end differently.

Several sequences hold together if each has its part of the risk: level 1 − 0.05/K for K of them.

Sources: Robbins 1970, "Statistical methods related to the law of the iterated logarithm", and Howard, Ramdas,
McAuliffe and Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences", for mixtures;
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and asymptotic
confidence sequences".
"""

from __future__ import annotations

from dataclasses import replace
from math import log, nan, sqrt

from scipy.optimize import brentq
from scipy.special import betaln, xlog1py, xlogy

from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED
from simlab.stats.intervals import Estimate, Moments, mean, wilson

# The prior is worth this part of the horizon: a larger one is narrower for shares that are as expected, and
# soon much wider for others.
PRIOR_PART = 50


def mean_sequence(moments: Moments, horizon: int, level: float = 0.95) -> Estimate:
    """The mean of all rows so far, such as a win share or a paired difference, valid at every look.

    Value ± SE · √(2(Gρ² + 1)/(Gρ²) · log(√(Gρ² + 1)/α)) with G blocks, SE clustered on them, and
    ρ² = (log(1 − 2 log α) − 2 log α)/horizon, narrowest where G is about `horizon` (blocks). Unit: that of
    the totals. No interval (NaN) where blocks don't spread.
    Holds for many blocks: begin to look after 50 or so. Assumes independent, alike blocks.
    Source: Waudby-Smith et al. 2024.
    """
    _check(horizon, level)
    plain = mean(moments, level)
    if not plain.se > 0:
        return replace(plain, low=nan, high=nan)
    alpha = 1 - level
    spread = plain.clusters * (-2 * log(alpha) + log(1 - 2 * log(alpha))) / horizon
    room = plain.se * sqrt(2 * (spread + 1) / spread * log(sqrt(spread + 1) / alpha))
    return replace(plain, low=plain.value - room, high=plain.value + room)


def proportion_sequence(
    successes: int, n: int, horizon: int, expected: float = 0.5, level: float = 0.95
) -> Estimate:
    """A proportion of `n` *independent* rows so far, valid at every look and exact from the first row on.

    Held: every p against which a beta mixture around `expected` (0 … 1, such as 1/P) has less evidence than
    1/α. `horizon` (rows): for when it should be narrow; the farther p is from what was expected, the less it
    is. Unit: a fraction. Rows of one block aren't independent: use `mean_sequence` for them.
    Source: Robbins 1970; Howard et al. 2021.
    """
    _check(horizon, level)
    if not 0 < expected < 1:
        raise ValueError(f"an expected share lies between 0 and 1, not at {expected}")
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} rows can't have succeeded")
    plain = wilson(successes, n, level)
    if n == 0:
        return plain
    weight = max(1.0, horizon / PRIOR_PART)
    a, b = weight * expected, weight * (1 - expected)
    mixed = float(betaln(a + successes, b + n - successes) - betaln(a, b))

    def excess(p: float) -> float:
        likelihood = float(xlogy(successes, p) + xlog1py(n - successes, -p))
        return mixed - likelihood + log(1 - level)

    low = 0.0 if successes == 0 else float(brentq(excess, 1e-300, plain.value))
    high = 1.0 if successes == n else float(brentq(excess, plain.value, 1 - 1e-16))
    return replace(plain, low=low, high=high)


def decided(estimate: Estimate, target: float, band: float) -> str:
    """What a confidence sequence says of target ± band at this look.

    BALANCED if it lies inside the band, UNBALANCED if outside, else UNDECIDED. A run may stop at the first
    look that decides; the risk of a wrong answer is that of the sequence.
    """
    if band <= 0:
        raise ValueError(f"the band must be positive, not {band}")
    if target - band < estimate.low and estimate.high < target + band:
        return BALANCED
    if estimate.low > target + band or estimate.high < target - band:
        return UNBALANCED
    return UNDECIDED


def _check(horizon: int, level: float) -> None:
    if horizon < 1:
        raise ValueError(f"a run is planned for one block at least, not {horizon}")
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
