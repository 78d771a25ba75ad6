"""Balanced, unbalanced or undecided: a share against a band that was declared beforehand.

"Not significantly different from parity" is no evidence of balance, so both answers are tested. *Balanced*
needs the whole interval inside the band (two one-sided tests), *unbalanced* needs it outside (a
minimum-effect test, corrected for how many levels are looked at); whatever is neither is *undecided*, with
the number of rows that would about settle it.

Sources: Schuirmann 1987 for the two one-sided tests; Berger 1982 (intersection–union): "all balanced"
needs no correction; Holm 1979 for "at least one is out"; Murphy and Myors 1999 for minimum-effect tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING

from scipy.special import ndtri, stdtr

from simlab.stats.intervals import Estimate, critical, round_up
from simlab.stats.simultaneous import holm

if TYPE_CHECKING:
    from collections.abc import Sequence

BALANCED, UNBALANCED, UNDECIDED = "balanced", "unbalanced", "undecided"
ABOVE, BELOW = "above", "below"  # where an unbalanced one lies
SIDES = (BALANCED, ABOVE, BELOW, UNDECIDED)
POWER = 0.8  # "would about settle it": four times in five, if the estimate is the truth
TOO_MANY = 100  # times as many rows: an edge within a quarter of a standard error is too near to say


@dataclass(frozen=True)
class Verdict:
    """One share against its band.

    `kind` is one of BALANCED, UNBALANCED, UNDECIDED; `gap` = value − target; `p` the p-value of the claim
    that is made (for UNDECIDED of the nearer one); `more` the further rows that would about settle it, 0
    if settled, infinite if the estimate sits on the edge of the band, NaN without an interval.
    """

    kind: str
    gap: float
    band: float
    p: float
    more: float


def verdicts(
    estimates: Sequence[Estimate], targets: Sequence[float], band: float, alpha: float = 0.05
) -> tuple[Verdict, ...]:
    """One verdict a level of the family `estimates`, each against target ± band.

    Unit of targets and band: that of the estimates (for win shares a fraction, 0.02 = two points).
    Balanced: both one-sided t tests reject at `alpha`, which is: the 1 − 2·alpha interval lies inside the
    band. Unbalanced: |gap| is larger than the band at `alpha` after Holm's correction over the family.
    Assumes an estimator near normal with clusters − 1 degrees of freedom. With no spread at all (se = 0)
    the estimate is judged by its interval instead.
    """
    if band <= 0:
        raise ValueError(f"the band must be positive, not {band}")
    gaps = [e.value - target for e, target in zip(estimates, targets, strict=True)]
    outside = holm([_p_outside(e, gap, band) for e, gap in zip(estimates, gaps, strict=True)])
    return tuple(
        _verdict(e, gap, band, p, alpha, len(estimates))
        for e, gap, p in zip(estimates, gaps, map(float, outside), strict=True)
    )


def side(found: Verdict) -> str:
    """A verdict as one of SIDES: for an unbalanced share, on which side of the band it lies."""
    if found.kind != UNBALANCED:
        return found.kind
    return ABOVE if found.gap > 0 else BELOW


def _verdict(
    estimate: Estimate, gap: float, band: float, p_outside: float, alpha: float, family: int
) -> Verdict:
    if not estimate.sure:
        return Verdict(UNDECIDED, gap, band, nan, nan)
    p_inside = _p_inside(estimate, gap, band)
    if p_inside <= alpha:
        return Verdict(BALANCED, gap, band, p_inside, 0)
    if p_outside <= alpha:
        return Verdict(UNBALANCED, gap, band, p_outside, 0)
    p = p_inside if abs(gap) <= band else p_outside
    return Verdict(UNDECIDED, gap, band, p, _more(estimate, gap, band, alpha, family))


def _p_inside(estimate: Estimate, gap: float, band: float) -> float:
    """The larger of the two one-sided p-values against "the truth is outside the band"."""
    return _tail(estimate, band - abs(gap))


def _p_outside(estimate: Estimate, gap: float, band: float) -> float:
    """Against "the truth is inside the band"."""
    if not estimate.sure:
        return 1.0
    near = _tail(estimate, abs(gap) - band)
    return min(1.0, near + (_tail(estimate, abs(gap) + band) if near < 1 else 0.0))


def _tail(estimate: Estimate, room: float) -> float:
    """P(T > room / SE)."""
    se = _error(estimate)
    if se == 0:
        return 0.0 if room > 0 else 1.0
    return float(stdtr(estimate.clusters - 1, -room / se))


def _error(estimate: Estimate) -> float:
    """The standard error; without spread, that of which half the interval would be t times."""
    if estimate.se > 0:
        return estimate.se
    return (estimate.high - estimate.low) / (2 * critical(estimate.level, estimate.clusters))


def _more(estimate: Estimate, gap: float, band: float, alpha: float, family: int) -> float:
    """Further rows for POWER if the estimate is the truth, rounded up to two digits."""
    if abs(gap) > band:
        return more_rows(estimate, abs(gap) - band, alpha, family)
    return _rows(estimate, band - abs(gap), float(ndtri(1 - alpha) + ndtri((1 + POWER) / 2)))


def more_rows(estimate: Estimate, room: float, alpha: float, family: int) -> float:
    """Further rows after which the edge that is `room` off would about be excluded, rounded up to two digits.

    One-sided at `alpha` with Bonferroni's correction for `family` claims, with POWER, if the estimate is the
    truth. Infinite where it is too near the edge to say, NaN without an interval.
    """
    return _rows(estimate, room, float(ndtri(1 - alpha / family) + ndtri(POWER)))


def _rows(estimate: Estimate, room: float, z: float) -> float:
    if not estimate.sure:
        return nan
    if room == 0:
        return inf
    times = (z * _error(estimate) / room) ** 2
    return inf if times > TOO_MANY else round_up(max(0.0, times - 1) * estimate.n)
