"""How an effect goes with the size of a knob: a straight trend, a monotone one, or neither.

A swept knob gives one paired effect a setting, all against the same base and on the same blocks, so they
depend on each other: their covariance comes in. The base itself is a setting too, whose effect is 0 without
error.

That a curve turns is claimed only if one rise and one fall between two settings are both beyond doubt, all
pairs of settings looked at together; a dent in the estimates proves nothing. That it is monotone is never
proven, only assumed, and then the neighbours' intervals narrow each other.

Sources: Barlow, Bartholomew, Bremner and Brunk 1972, "Statistical inference under order restrictions"; Bretz
and Hothorn 2003, "Statistical analysis of monotone or non-monotone dose–response data", for contrasts with
joint covariance; Berger 1982 for both claims being needed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import isotonic_regression

from simlab.stats.intervals import NO_SPREAD, Estimate, Floats, critical
from simlab.stats.simultaneous import SEED, largest_statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

RISING, FALLING, TURNING, UNSHOWN = "rising", "falling", "turning", "unshown"


@dataclass(frozen=True)
class Response:
    """The effects of a knob's settings, in ascending order, the base among them.

    `doses` (D): the settings; `effects` (D): effect of each with an interval that holds for all at once.
    `shape`: RISING or FALLING if only rises (falls) are shown, TURNING if both, UNSHOWN if neither.
    `p_rise`, `p_fall`: adjusted p of the clearest rise and fall between any two settings; `p_turn`, the
    larger of them, of the claim that the curve turns; NaN without an error. `fit` (D): the monotone curve
    nearest to the effects, in the direction shown, and `band` (D) the intervals of the truth if that is
    monotone too (no setting of a rising curve lies below what an earlier one must reach); NaN unless RISING
    or FALLING, or if the band is empty somewhere.
    """

    doses: tuple[float, ...]
    effects: tuple[Estimate, ...]
    shape: str
    p_rise: float
    p_fall: float
    p_turn: float
    fit: tuple[float, ...]
    band: tuple[tuple[float, float], ...]


def slope(
    doses: ArrayLike, effects: Sequence[Estimate], covariance: ArrayLike, base: float, level: float = 0.95
) -> Estimate:
    """The effect of one more unit of the knob: the straight line through the base that fits best.

    doses (K), effects (K) against the base, their covariance (K, K). Least squares, Σ x θ / Σ x² with x the
    distance from the base, error by the covariance as it is, interval by t with clusters − 1. Unit: that of
    the effects over that of the knob. A curve that isn't straight has a slope too: the mean one, weighted
    by x²; `n` and `clusters` are those of the effect with the fewest blocks. No interval (NaN) where an
    effect has none, or one that doesn't come from its spread.
    """
    x, theta, matrix = _swept(doses, effects, covariance, base)
    weight = (x - base) / float(((x - base) ** 2).sum())
    value = float(weight @ theta)
    fewest = min(effects, key=lambda e: e.clusters)
    variance = float(weight @ matrix @ weight)
    if isnan(variance) or not all(e.sure and (e.se > 0 or e.low == e.high) for e in effects):
        return Estimate(value, nan, nan, nan, fewest.n, fewest.clusters, level)
    se = float(np.sqrt(max(0.0, variance)))
    reach = critical(level, fewest.clusters) * se
    return Estimate(value, se, value - reach, value + reach, fewest.n, fewest.clusters, level)


def response(
    doses: ArrayLike,
    effects: Sequence[Estimate],
    covariance: ArrayLike,
    base: float,
    level: float = 0.95,
    seed: int = SEED,
) -> Response:
    """Shape of the response to a knob: doses (K) in any order, effects (K), covariance (K, K).

    All differences between two of the K + 1 settings are judged by one distribution, that of the largest |T|
    for their joint covariance: with probability `level` every interval and the shape hold together, and a
    monotone curve is called TURNING with a risk of at most 1 − level.
    An effect without spread keeps its interval. Assumes effects that are jointly near normal.
    Source: Bretz and Hothorn 2003.
    """
    x, theta, matrix = _with_base(*_swept(doses, effects, covariance, base), base)
    order = np.argsort(x)
    x, theta, matrix = x[order], theta[order], matrix[np.ix_(order, order)]
    held = [(*effects, None)[k] for k in order.tolist()]
    clusters = min((e.clusters for e in effects), default=0)
    pairs = _pairs(len(x))
    drop = _covariance_of(pairs, matrix)
    largest = np.sort(largest_statistics(drop, clusters, seed))
    if not len(largest) or not all(e.sure for e in effects):
        return _unknown(x, held, level)
    rises = _statistics(pairs @ theta, drop.diagonal())
    p_rise, p_fall = _p(largest, rises.max()), _p(largest, (-rises).max())
    q = float(np.quantile(largest, level))
    shown = tuple(_shown(e, q, level) for e in held)
    shape = _shape(p_rise <= 1 - level, p_fall <= 1 - level)
    fit, band = _monotone(shown, matrix.diagonal(), shape, int(np.argmax(x == base)))
    return Response(tuple(x.tolist()), shown, shape, p_rise, p_fall, max(p_rise, p_fall), fit, band)


def _swept(
    doses: ArrayLike, effects: Sequence[Estimate], covariance: ArrayLike, base: float
) -> tuple[Floats, Floats, Floats]:
    """Settings (K), values (K) and covariance (K, K), of shapes that fit and with settings that differ."""
    x, matrix = np.asarray(doses, np.float64), np.asarray(covariance, np.float64)
    k = len(effects)
    if k == 0 or x.shape != (k,) or matrix.shape != (k, k):
        raise ValueError(f"settings {x.shape} and covariance {matrix.shape} don't fit {k} effects")
    if len(np.unique(np.append(x, base))) <= k:
        raise ValueError("the settings must differ from each other and from the base")
    return x, np.array([e.value for e in effects], np.float64), matrix


def _with_base(x: Floats, theta: Floats, matrix: Floats, base: float) -> tuple[Floats, Floats, Floats]:
    return np.append(x, base), np.append(theta, 0.0), np.pad(matrix, ((0, 1), (0, 1)))


def _pairs(size: int) -> Floats:
    """Contrasts (D(D−1)/2, D): the later of two settings less the earlier."""
    both = np.array(list(combinations(range(size), 2)))
    rows = np.arange(len(both))
    contrasts = np.zeros((len(both), size))
    contrasts[rows, both[:, 0]], contrasts[rows, both[:, 1]] = -1.0, 1.0
    return contrasts


def _covariance_of(contrasts: Floats, matrix: Floats) -> Floats:
    """Covariance of contrasts; settings that play alike differ by nothing, not by rounding."""
    found = contrasts @ matrix @ contrasts.T
    alike = found.diagonal() <= NO_SPREAD * (np.abs(contrasts) @ matrix.diagonal())
    found[alike, :] = found[:, alike] = 0.0
    return np.asarray(found, np.float64)


def _statistics(difference: Floats, variance: Floats) -> Floats:
    """T of each difference; 0 where there is no variance to judge it by."""
    se = np.sqrt(np.clip(variance, 0.0, None))
    return np.divide(difference, se, out=np.zeros_like(se), where=se > 0)


def _p(largest: Floats, statistic: float) -> float:
    """Share of ordered draws that reach the statistic, counting itself: never 0."""
    reached = len(largest) - int(np.searchsorted(largest, statistic))
    return (reached + 1) / (len(largest) + 1)


def _shape(rises: bool, falls: bool) -> str:
    if rises and falls:
        return TURNING
    if rises:
        return RISING
    return FALLING if falls else UNSHOWN


def _monotone(
    effects: Sequence[Estimate], variance: Floats, shape: str, base: int
) -> tuple[tuple[float, ...], tuple[tuple[float, float], ...]]:
    """The nearest monotone curve through the base, and the intervals that the settings leave each other."""
    nothing = (nan,) * len(effects), ((nan, nan),) * len(effects)
    if shape not in {RISING, FALLING}:
        return nothing
    sign = 1.0 if shape == RISING else -1.0
    theta, low, high = np.array([(e.value, e.low, e.high) for e in effects], np.float64).T
    floor, ceiling = (low, high) if shape == RISING else (-high, -low)
    floor, ceiling = np.maximum.accumulate(floor), np.minimum.accumulate(ceiling[::-1])[::-1]
    if (floor > ceiling).any():
        return nothing
    fit = sign * _isotonic(sign * theta, variance, base)
    band = zip(*((floor, ceiling) if shape == RISING else (-ceiling, -floor)), strict=True)
    return tuple(fit.tolist()), tuple((float(lo), float(hi)) for lo, hi in band)


def _isotonic(theta: Floats, variance: Floats, base: int) -> Floats:
    """Least squares, weighted by precision, under "never falls" and "0 at the base", the setting `base`.

    The bounded fit is the free one, cut off at the bound (Barlow et al. 1972).
    """
    weights = 1 / np.maximum(variance, variance.max() * 1e-9)
    fit = np.zeros_like(theta)
    for side, cut in ((slice(None, base), np.minimum), (slice(base + 1, None), np.maximum)):
        if len(theta[side]):
            fit[side] = cut(isotonic_regression(theta[side], weights=weights[side]).x, 0.0)
    return fit


def _shown(effect: Estimate | None, q: float, level: float) -> Estimate:
    """The effect with its interval among all, its own if it has no spread; None stands for the base."""
    if effect is None:
        return Estimate(0.0, 0.0, 0.0, 0.0, 0, 0, level)
    if effect.se == 0:
        return effect
    return replace(effect, low=effect.value - q * effect.se, high=effect.value + q * effect.se, level=level)


def _unknown(x: Floats, held: Sequence[Estimate | None], level: float) -> Response:
    shown = tuple(_shown(e, nan, level) for e in held)
    unknown = (nan,) * len(x)
    return Response(
        tuple(x.tolist()), shown, UNSHOWN, nan, nan, nan, unknown, tuple((nan, nan) for _ in unknown)
    )
