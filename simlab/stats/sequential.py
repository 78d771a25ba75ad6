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
from math import ceil, inf, isnan, log, nan, sqrt

from scipy.optimize import brentq
from scipy.special import betaln, ndtri, xlog1py, xlogy

from simlab.stats.equivalence import BALANCED, POWER, TOO_MANY, UNBALANCED, UNDECIDED
from simlab.stats.intervals import Estimate, Moments, mean, round_up, wilson

# The prior is worth this part of the horizon: a larger one is narrower for shares that are as expected, and
# soon much wider for others.
PRIOR_PART = 50
FEW = 30  # blocks that were won, or differ: with fewer the spread that was measured can't be trusted yet
FEW_RISK = 0.1  # of a sequence's risk, for as long as there are few


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
    room = plain.se * _reach(plain.clusters / horizon, level)
    return replace(plain, low=plain.value - room, high=plain.value + room)


def share_sequence(moments: Moments, horizon: int, level: float = 0.95) -> Estimate:
    """The mean of all rows so far that lie in [0, 1], such as a win share, valid at every look.

    `mean_sequence`, once there is enough to go by: as much as FEW blocks of wins, and of losses. With less,
    what is held is `_bounded`, which is wider and needs no spread. A tenth of the risk is spent on that.
    """
    found = mean_sequence(moments, horizon, 1 - (1 - FEW_RISK) * (1 - level))
    if found.clusters < 2:
        return replace(found, level=level)
    if not found.sure or min(found.value, 1 - found.value) * found.clusters < FEW:
        low, high = _bounded(found, 1 - FEW_RISK * (1 - level))
    else:
        low, high = max(0.0, found.low), min(1.0, found.high)
    return replace(found, low=low, high=high, level=level)


def difference_sequence(
    moments: Moments, changed: int, horizon: int, level: float = 0.95, reach: float = 1.0
) -> Estimate:
    """`mean_sequence` of paired differences of which none exceeds ±`reach`; `changed` blocks differ at all.

    `reach` is NaN if nothing bounds them: then there is no interval while few differ, nor where all agree.
    While those are fewer than FEW, no spread that was measured can be trusted: what is held then is ±`reach`
    times the share of blocks that differ, at the upper end of its exact sequence. Where all differ by the
    same, `_bounded` is. A tenth of the risk is spent on these.
    """
    if not 0 <= changed <= moments.clusters:
        raise ValueError(f"{changed} of {moments.clusters} blocks can't differ")
    few = 1 - FEW_RISK * (1 - level)
    found = mean_sequence(moments, horizon, 1 - (1 - FEW_RISK) * (1 - level))
    low, high = found.low, found.high
    if found.clusters > 1 and changed < FEW:
        high = reach * proportion_sequence(changed, found.clusters, 1, level=few).high
        low = -high
    elif found.clusters > 1 and not found.sure and not isnan(reach):
        halved = replace(found, value=(found.value / reach + 1) / 2)
        low, high = (reach * (2 * bound - 1) for bound in _bounded(halved, few))
    return replace(found, low=low, high=high, level=level)


def effect_sequence(found: Estimate, horizon: int, level: float = 0.95) -> Estimate:
    """Any estimate that is about a mean over its blocks, such as a difference of two means, at every look.

    Value ± SE · the factor of `mean_sequence`. No interval (NaN) with fewer than FEW blocks, or no spread.
    Source: Waudby-Smith et al. 2024, for asymptotically linear estimators.
    """
    _check(horizon, level)
    enough = found.se > 0 and found.clusters >= FEW
    room = found.se * _reach(found.clusters / horizon, level) if enough else nan
    return replace(found, low=found.value - room, high=found.value + room, level=level)


def _bounded(found: Estimate, level: float) -> tuple[float, float]:
    """Every mean of blocks in [0, 1] against which a beta mixture has less evidence than 1/α; exact.

    Blocks count as one row each, whatever is in them: of all results with that mean, won and lost wholly
    are the most uncertain ones, and what holds for them holds for means in between (the likelihood ratio is
    convex in the result). Assumes blocks of the same size.
    """
    return _mixture(found.value * found.clusters, found.clusters, (0.5, 0.5), level)


def horizon_for(half_width: float, deviation: float, level: float = 0.95) -> int:
    """Blocks after which `mean_sequence` is ± `half_width`, if that is when it is to be narrowest.

    `deviation`: the standard deviation that a block's mean is expected to have, same unit.
    """
    if half_width <= 0 or deviation <= 0:
        raise ValueError(f"half-width and deviation must be positive, not {half_width} and {deviation}")
    return max(1, ceil((_reach(1.0, level) * deviation / half_width) ** 2))


def further_rows(estimate: Estimate, horizon: int, room: float, power: float = POWER) -> float:
    """Further rows after which a sequence would about be ± `room`, rounded up to two digits; 0 if it is.

    With `power` 1/2 for the width alone; with a larger one for the edge that is `room` off to be excluded so
    often, if the estimate is the truth. Infinite where that is too far to say, NaN without an interval.
    """
    if not estimate.sure:
        return nan
    half, passed = (estimate.high - estimate.low) / 2, estimate.clusters / horizon
    reach = _reach(passed, estimate.level)
    # a few blocks that all agree have bounds, and no error but the one that those bounds allow
    slack = float(ndtri(power)) * (half / reach if isnan(estimate.se) else estimate.se)

    def excess(times: float) -> float:
        width = half * _reach(passed * times, estimate.level) / reach
        return (width + slack) / sqrt(times) - room

    if excess(1.0) <= 0:
        return 0.0
    if excess(TOO_MANY) > 0:
        return inf
    return round_up((float(brentq(excess, 1.0, TOO_MANY)) - 1) * estimate.n)


def _reach(passed: float, level: float) -> float:
    """Half of a sequence's width in standard errors when `passed` times its horizon has been played."""
    alpha = 1 - level
    spread = passed * (-2 * log(alpha) + log(1 - 2 * log(alpha)))
    return sqrt(2 * (spread + 1) / spread * log(sqrt(spread + 1) / alpha))


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
    low, high = _mixture(successes, n, (weight * expected, weight * (1 - expected)), level)
    return replace(plain, low=low, high=high)


def _mixture(total: float, n: int, prior: tuple[float, float], level: float) -> tuple[float, float]:
    """The shares against which a beta mixture has less evidence than 1/α, after `total` in `n` rows."""
    mean_, (a, b) = total / n, prior
    mixed = float(betaln(a + total, b + n - total) - betaln(a, b))

    def excess(p: float) -> float:
        likelihood = float(xlogy(total, p) + xlog1py(n - total, -p))
        return mixed - likelihood + log(1 - level)

    least, most = 1e-300, 1 - 1e-16  # a total that isn't whole, of few rows, may not speak against these
    low = 0.0 if total <= 0 or excess(least) <= 0 else float(brentq(excess, least, mean_))
    high = 1.0 if total >= n or excess(most) <= 0 else float(brentq(excess, mean_, most))
    return low, high


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
