"""Who is chosen, by what describes the alternatives: conditional logit, and Plackett–Luce with it.

    P(j of set s) = exp(x_sj'β) / Σ_k exp(x_sk'β)

fitted by Newton's method over all sets at once. Columns of x may depend on each other (every faction *and*
every seat a column of its own): only contrasts of coefficients that the sets can tell apart have an answer,
and the others say that they have none. Standard errors are clustered on blocks. Where something always wins
its coefficient is infinite; then its interval is open on that side (`separation.py`).

`won` may be a share of a win rather than 0 or 1: then this is a quasi-likelihood, for which the clustered
standard errors are right too.

Sources: McFadden 1974 for the model; Luce 1959 and Plackett 1975 for rankings; White 1982 and Liang and
Zeger 1986 for the sandwich; Montiel Olea and Plagborg-Møller 2019 for intervals that hold together;
Hernán and Robins 2020, ch. 13, for standardisation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isnan, log, nan
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from simlab.stats.choice_sets import Choices
from simlab.stats.intervals import NO_SPREAD, Estimate, Floats, critical
from simlab.stats.likelihood import hessian, inverse, log_likelihood, magnitude, maximum, scores, widest
from simlab.stats.separation import Recession, limit, recession
from simlab.stats.simultaneous import sup_t

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

STEEP = 10.0  # log odds beyond which it is asked whether there is a finite answer
LIMIT = 40.0  # log odds that stand for infinite ones


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model.

    `coefficients` (K,) and their sandwich `covariance` (K, K), clustered on blocks, of the model that the
    likelihood tends to; `span` (K, K) projects onto the contrasts that have a finite answer in it. `cautious`
    (K, K) is the covariance were each block one observation. `recession` is what is infinite, None if nothing
    is; then `once` are the choices with the games of a block between the same alternatives taken for one.
    Ask `contrast`, not the coefficients.
    """

    coefficients: Floats
    covariance: Floats
    cautious: Floats
    span: Floats
    clusters: int
    sets: int
    recession: Recession | None
    once: Choices | None


def fit(data: Choices) -> Fit:
    """Fit by maximum likelihood. Assumes independent blocks, 30 or more for the intervals to be right."""
    used = by_block = data.merged(by_block=True)
    found, once = settled(by_block.merged(by_block=False)), None
    if found.recession is not None:
        once = _once_a_block(by_block, found.recession).merged(by_block=False)
        used = limit(by_block, found.recession)
    return with_errors(
        found,
        scores(used, found.coefficients),
        used.weight.sum() / max(1, len(np.unique(used.block))),
        sets=len(data.start),
        clusters=len(np.unique(data.block)),
        once=once,
    )


@dataclass(frozen=True, eq=False)
class Settled:
    """Coefficients (K,) of greatest likelihood, of what is left of the `choices` without what is infinite."""

    choices: Choices
    coefficients: Floats
    recession: Recession | None


def settled(choices: Choices) -> Settled:
    """The point of greatest likelihood, or what it tends to where there is none."""
    beta = maximum(choices)
    found = recession(choices) if widest(choices, beta) > STEEP else None
    if found is None:
        return Settled(choices, beta, None)
    left = limit(choices, found).merged(by_block=False)
    return Settled(left, maximum(left), found)


def with_errors(
    found: Settled, pull: Floats, sets_a_block: float, *, sets: int, clusters: int, once: Choices | None
) -> Fit:
    """A fit with its errors, from the scores by block (G, K)."""
    small = found.choices
    inverted, span = inverse(hessian(small, found.coefficients), magnitude(small))
    factor = clusters / (clusters - 1) if clusters > 1 else nan
    return Fit(
        coefficients=found.coefficients,
        covariance=factor * inverted @ (pull.T @ pull) @ inverted,
        cautious=inverted * sets_a_block,
        span=span,
        clusters=clusters,
        sets=sets,
        recession=found.recession,
        once=once,
    )


def contrast(fitted: Fit, c: ArrayLike, level: float = 0.95, quantile: float | None = None) -> Estimate:
    """c'β with its interval; unit: log odds. `quantile` stands for Student's t where several are judged.

    Infinite, with an interval open on that side, where what c compares is separated: the other end is what
    such a one-sided result would have had a probability of (1 − level) / 2 at, the games of a block
    between the same alternatives taken for one. All NaN where the sets say nothing about c.
    """
    c_ = np.asarray(c, np.float64)
    if not np.allclose(fitted.span @ c_, c_, atol=1e-6):
        return _infinite(fitted, c_, level)
    se = _standard_error(fitted, c_)
    value = float(c_ @ fitted.coefficients)
    reach = (critical(level, fitted.clusters) if quantile is None else quantile) * se
    return _estimate(fitted, value, se, (value - reach, value + reach), level)


def contrasts(fitted: Fit, c: ArrayLike, level: float = 0.95) -> tuple[Estimate, ...]:
    """Several contrasts c (M, K) whose intervals hold all at once with confidence `level` (sup-t).

    An infinite one keeps the bound that it has alone.
    """
    c_ = np.asarray(c, np.float64)
    largest = sup_t(c_ @ fitted.covariance @ c_.T, fitted.clusters, level)
    quantile = None if isnan(largest) else max(largest, critical(level, fitted.clusters))
    return tuple(contrast(fitted, row, level, quantile) for row in c_)


def strengths(fitted: Fit) -> Floats:
    """Numbers (K,) that rank the coefficients; what is infinite stands LIMIT above or below, and more."""
    found = fitted.coefficients
    return found if fitted.recession is None else found + LIMIT * fitted.recession.direction


def standardised(fitted: Fit, tables: ArrayLike, level: float = 0.95) -> Estimate:
    """The mean win share of the first alternative over tables (M, P, K) of P alternatives each.

    Unit: a fraction. The tables say whom it meets, where: the same for whatever is compared (g-computation).
    Delta method on the scale of log odds. Where what it meets is separated from it, the ends are the means of
    what the ends of `contrast` come to, for tables of two; for larger ones there is no interval.
    """
    x = np.asarray(tables, np.float64)
    unsure = not np.allclose((x - x[:, :1]) @ fitted.span, x - x[:, :1], atol=1e-6)
    height = x @ strengths(fitted)
    share = np.exp(height - height.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    value = float(share[:, 0].mean())
    if unsure:
        ends = _separated(fitted, x, level) if x.shape[1] == 2 else (nan, nan)
        return _estimate(fitted, value if ends[0] <= value else nan, nan, ends, level)
    away = x[:, 0] - (share[:, :, None] * x).sum(axis=1)
    gradient = (share[:, :1] * away).mean(axis=0)
    se = _standard_error(fitted, gradient)
    reach = critical(level, fitted.clusters) * se / (value * (1 - value))
    middle = float(logit(value))
    ends = (float(expit(middle - reach)), float(expit(middle + reach)))
    return _estimate(fitted, value, se, ends, level)


def _separated(fitted: Fit, tables: Floats, level: float) -> tuple[float, float]:
    """The ends of a share of duels (M, 2, K), some without a finite answer; NaN if one says nothing."""
    found = [contrast(fitted, one - other, level) for one, other in tables]
    ends = np.array([(expit(each.low), expit(each.high)) for each in found]).mean(axis=0)
    return float(ends[0]), float(ends[1])


def _standard_error(fitted: Fit, c: Floats) -> float:
    """Of c'β; where all blocks agree, so that there is no spread to measure, as if each were one row."""
    variance, cautious = (float(c @ each @ c) for each in (fitted.covariance, fitted.cautious))
    return float(np.sqrt(cautious if variance <= NO_SPREAD * cautious else variance))


def _estimate(fitted: Fit, value: float, se: float, ends: tuple[float, float], level: float) -> Estimate:
    return Estimate(value, se, *ends, fitted.sets, fitted.clusters, level)


# --- what is infinite -------------------------------------------------------------------------------------


def _infinite(fitted: Fit, c: Floats, level: float) -> Estimate:
    falls, rises = (False, False) if fitted.recession is None else fitted.recession.signs(c)
    if falls == rises:  # neither or both: nothing is known
        return _estimate(fitted, nan, nan, (nan, nan), level)
    bound = _bound(fitted, c if rises else -c, level)
    if rises:
        return _estimate(fitted, inf, nan, (bound, inf), level)
    return _estimate(fitted, -inf, nan, (-inf, -bound), level)


def _bound(fitted: Fit, c: Floats, level: float) -> float:
    """The least c'β at which data so one-sided would have had a probability of (1 − level) / 2."""
    assert fitted.recession is not None
    assert fitted.once is not None
    data, direction = fitted.once, fitted.recession.direction
    least = log((1 - level) / 2) + _highest(limit(data, fitted.recession))
    basis = np.linalg.svd(c[None, :])[2][1:].T  # (K, K − 1): all that leaves c'β as it is
    free = Choices(data.x @ basis, data.won, data.start, data.weight, data.block)
    along = data.x @ (c / (c @ c))

    def above(value: float) -> float:
        near = fitted.coefficients + (value - c @ fitted.coefficients) / (c @ direction) * direction
        best = maximum(free, value * along, basis.T @ near)
        return log_likelihood(data, free.x @ best + value * along) - least

    low = -1.0
    while above(low) > 0:
        low *= 2
        if low < -LIMIT:
            return -inf
    return float(brentq(above, low, LIMIT, xtol=1e-6))


def _highest(data: Choices) -> float:
    return log_likelihood(data, data.x @ maximum(data)) if len(data.start) else 0.0


def _once_a_block(data: Choices, found: Recession) -> Choices:
    """Choices merged by block, but what is separated counts once a block for each composition of its set."""
    height = data.x @ found.direction
    uneven = np.maximum.reduceat(height, data.start) - np.minimum.reduceat(height, data.start) > 0.5
    return replace(data, weight=np.where(uneven, 1.0, data.weight))
