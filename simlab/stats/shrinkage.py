"""Effects of many levels of one kind, drawn together by how much of their spread is noise.

The best of eighty cards by its estimate is partly the luckiest. If the true effects scatter by τ around a
common centre, an estimate with standard error s is worth τ²/(τ² + s²) of its distance from there; τ comes
from the estimates themselves (empirical Bayes).

Sources: Morris 1983, "Parametric empirical Bayes inference: theory and applications"; Paule and Mandel 1982,
"Consensus values and weighting factors", for τ (DerSimonian and Kacker 2007 compare it with DerSimonian and
Laird's, which it improves on where errors differ); Kass and Steffey 1989, "Approximate Bayesian inference in
conditionally independent hierarchical models", for the error that is left when τ is uncertain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simlab.stats.intervals import Estimate, Floats

NODES = 400  # of the quadrature over τ; 4,000 change a standard error by less than 1 in 10,000


@dataclass(frozen=True)
class Shrinkage:
    """Estimates drawn towards their centre.

    `centre` and `tau`: mean and standard deviation of the true effects, unit that of the estimates; `kept`
    (K): the share of each level's distance from the centre that is kept, 0 … 1; `estimates` (K): value,
    standard error and interval after that. NaN where it can't be known.
    """

    centre: float
    tau: float
    kept: tuple[float, ...]
    estimates: tuple[Estimate, ...]


def shrink(estimates: Sequence[Estimate], centre: float | None = None, level: float = 0.95) -> Shrinkage:
    """The estimates (K) drawn towards `centre`, or towards their own precision-weighted mean if it is None.

    A centre that is known beforehand is that of effects against the average level: 0. τ² by Paule and Mandel,
    the value at which Σ (θ_i − centre)²/(τ² + s_i²) is its degrees of freedom, 0 if it is less even there.
    The standard error is the root of the mean squared error over all that τ and the centre may be, given
    the estimates (flat prior on τ²); the interval holds on average over the levels.
    Needs 4 levels with an error (3 around a known centre); with fewer, and for levels without an error,
    everything is NaN. Levels without spread (SE 0) are kept as they are and say nothing of the others.
    Assumes normal errors that don't depend on each other and true effects that scatter normally.
    Source: Morris 1983; Kass and Steffey 1989 for the error; Paule and Mandel 1982 for τ.
    """
    value, se = (np.array([getattr(e, name) for e in estimates], np.float64) for name in ("value", "se"))
    usable = se > 0
    fitted = 1 if centre is None else 0
    k = int(usable.sum())
    if k - fitted < 3:
        unknown = tuple(replace(e, value=nan, se=nan, low=nan, high=nan) for e in estimates)
        return Shrinkage(nan if centre is None else centre, nan, (nan,) * len(estimates), unknown)
    tau2 = paule_mandel(value[usable], se[usable] ** 2, centre)
    middle = _centre(value[usable], se[usable] ** 2 + tau2, centre)
    kept = np.where(usable, tau2 / (tau2 + np.where(usable, se, 1.0) ** 2), np.where(se == 0, 1.0, nan))
    drawn = middle + kept * (value - middle)
    variance = np.where(usable, nan, se)  # 0 or NaN where it isn't replaced
    variance[usable] = _squared_error(value[usable], se[usable] ** 2, drawn[usable], centre)
    reach = float(ndtri(0.5 + level / 2)) * np.sqrt(variance)
    shrunk = (
        replace(e, value=x, se=sqrt(v), low=x - r, high=x + r, level=level)
        for e, x, v, r in zip(estimates, drawn.tolist(), variance.tolist(), reach.tolist(), strict=True)
    )
    return Shrinkage(middle, sqrt(tau2), tuple(kept.tolist()), tuple(shrunk))


def paule_mandel(value: Floats, variance: Floats, centre: float | None = None) -> float:
    """τ², the variance of true effects behind values (K) with error variances (K), all positive.

    Source: Paule and Mandel 1982; DerSimonian and Kacker 2007, "Random-effects model for meta-analysis of
    clinical trials: an update".
    """
    freedom = len(value) - (1 if centre is None else 0)

    def excess(tau2: float) -> float:
        total = variance + tau2
        return float((((value - _centre(value, total, centre)) ** 2) / total).sum()) - freedom

    if freedom < 1 or excess(0.0) <= 0:
        return 0.0
    high = float(((value - _centre(value, np.ones_like(value), centre)) ** 2).sum())  # enough: freedom ≥ 1
    return float(brentq(excess, 0.0, high, xtol=1e-14 * high, rtol=1e-12))


def _centre(value: Floats, variance: Floats, centre: float | None) -> float:
    return float((value / variance).sum() / (1 / variance).sum()) if centre is None else centre


def _squared_error(value: Floats, variance: Floats, drawn: Floats, centre: float | None) -> Floats:
    """Mean squared error (K) of `drawn`, over all that τ and the centre may be, with a flat prior on τ²."""
    share = (np.arange(NODES) + 0.5) / NODES  # of (0, 1), laid over all τ > 0
    typical = 1 / np.sqrt((1 / variance).mean())
    tau = typical * share / (1 - share)
    total = variance + (tau**2)[:, None]
    precision = (1 / total).sum(axis=1)
    middle = (value / total).sum(axis=1) / precision if centre is None else np.full(NODES, centre)
    away = value - middle[:, None]
    likelihood = -0.5 * (np.log(total) + away**2 / total).sum(axis=1) + np.log(tau) - 2 * np.log1p(-share)
    if centre is None:
        likelihood -= 0.5 * np.log(precision)
    weight = np.exp(likelihood - likelihood.max())
    kept = 1 - variance / total
    spread = variance * kept
    if centre is None:
        spread = spread + (1 - kept) ** 2 / precision[:, None]
    wrong = spread + (middle[:, None] + kept * away - drawn) ** 2
    return np.asarray(weight @ wrong / weight.sum(), np.float64)
