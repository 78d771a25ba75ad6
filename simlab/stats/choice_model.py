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
from math import inf, log, nan
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from simlab.stats.choice_sets import Choices
from simlab.stats.intervals import NO_SPREAD, Estimate, Floats, critical, sup_t
from simlab.stats.separation import Recession, limit, recession

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

STEPS = 100  # of Newton's method; it takes 5 to 10
CONVERGED = 1e-9  # log likelihood that a step would gain
ROUNDING = 1e-14  # of a sum, relative to what is added up
STEEP = 10.0  # log odds beyond which it is asked whether there is a finite answer
RANK = 1e-11  # eigenvalues below this, relative to the largest, are none
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
    sets, clusters = len(data.start), len(np.unique(data.block))
    used = data = data.merged(by_block=True)
    small = data.merged(by_block=False)  # all that the likelihood depends on
    beta, found, once = _maximum(small), None, None
    if _range(small, beta) > STEEP:
        found = recession(small)
        if found is not None:
            once = _once_a_block(data, found).merged(by_block=False)
            used = limit(data, found)
            small = used.merged(by_block=False)
            beta = _maximum(small)
    inverse, span = _inverse(_hessian(small, beta), _size(small))
    scores = _scores(used, beta)
    factor = clusters / (clusters - 1) if clusters > 1 else nan
    return Fit(
        coefficients=beta,
        covariance=factor * inverse @ (scores.T @ scores) @ inverse,
        cautious=inverse * (used.weight.sum() / max(1, len(np.unique(used.block)))),
        span=span,
        clusters=clusters,
        sets=sets,
        recession=found,
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
    quantile = _quantile(c_ @ fitted.covariance @ c_.T, fitted.clusters, level)
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


def _quantile(covariance: Floats, clusters: int, level: float) -> float | None:
    sd = np.sqrt(covariance.diagonal())
    varies = sd > 0
    if clusters < 2 or not varies.any():
        return None
    scaled = covariance[np.ix_(varies, varies)] / np.outer(sd[varies], sd[varies])
    return max(sup_t(scaled, clusters, level), critical(level, clusters))


# --- fitting --------------------------------------------------------------------------------------------


def _maximum(data: Choices, offset: Floats | None = None, start: Floats | None = None) -> Floats:
    """Coefficients (K,) of greatest likelihood, looked for from `start` on; `offset` (N,) is added to x β."""
    beta = np.zeros(data.x.shape[1]) if start is None else start
    if not len(data.start):
        return beta
    height = 0.0 if offset is None else offset
    best, size = _log_likelihood(data, data.x @ beta + height), _size(data)
    for _ in range(STEPS):
        chance = _shares(data, data.x @ beta + height)
        gradient = data.x.T @ (np.repeat(data.weight, data.sizes) * (data.won - chance))
        step = _inverse(_hessian_at(data, chance), size)[0] @ gradient
        if gradient @ step <= CONVERGED + ROUNDING * data.weight.sum():
            break
        while (new := _log_likelihood(data, data.x @ (beta + step) + height)) < best:
            step = step / 2
            if np.abs(step).max() < NO_SPREAD:
                return beta
        beta, best = beta + step, new
    return beta


def _shares(data: Choices, height: Floats) -> Floats:
    """Each row's chance of being chosen (N,)."""
    lowered = height - np.repeat(np.maximum.reduceat(height, data.start), data.sizes)
    odds = np.exp(lowered)
    chance: Floats = odds / np.repeat(np.add.reduceat(odds, data.start), data.sizes)
    return chance


def _log_likelihood(data: Choices, height: Floats) -> float:
    top = np.maximum.reduceat(height, data.start)
    spread = np.log(np.add.reduceat(np.exp(height - np.repeat(top, data.sizes)), data.start))
    return float(data.weight @ (np.add.reduceat(data.won * height, data.start) - top - spread))


def _hessian(data: Choices, beta: Floats) -> Floats:
    """Minus the second derivative of the log likelihood (K, K)."""
    if not len(data.start):
        return np.zeros((len(beta), len(beta)))
    return _hessian_at(data, _shares(data, data.x @ beta))


def _hessian_at(data: Choices, chance: Floats) -> Floats:
    """The same by each row's chance of being chosen (N,)."""
    mean = np.add.reduceat(chance[:, None] * data.x, data.start, axis=0)
    away = data.x - np.repeat(mean, data.sizes, axis=0)
    hessian: Floats = ((np.repeat(data.weight, data.sizes) * chance)[:, None] * away).T @ away
    return hessian


def _scores(data: Choices, beta: Floats) -> Floats:
    """The derivative of the log likelihood by block (G, K)."""
    if not len(data.start):
        return np.zeros((0, len(beta)))
    chance = _shares(data, data.x @ beta)
    pull = (np.repeat(data.weight, data.sizes) * (data.won - chance))[:, None] * data.x
    block = np.repeat(data.block, data.sizes)
    return np.stack([np.bincount(block, weights=column) for column in pull.T], axis=1)


def _size(data: Choices) -> Floats:
    """What the second derivative by each coefficient is a difference of (K,)."""
    size: Floats = np.repeat(data.weight, data.sizes) @ data.x**2
    return size


def _inverse(hessian: Floats, size: Floats) -> tuple[Floats, Floats]:
    """The pseudo-inverse, and the projection onto what has one; columns are brought to one scale first.

    A column that doesn't vary within sets, but for rounding relative to `size`, is none.
    """
    varies = hessian.diagonal() > ROUNDING * size
    scale = np.sqrt(np.where(varies, hessian.diagonal(), 1.0))
    scaled = np.where(np.outer(varies, varies), hessian, 0.0) / np.outer(scale, scale)
    value, vector = np.linalg.eigh(scaled)
    kept = value > RANK * max(1.0, float(value.max(initial=0.0)))
    inverse = (vector[:, kept] / value[kept]) @ vector[:, kept].T / np.outer(scale, scale)
    basis, _ = np.linalg.qr(vector[:, kept] * scale[:, None])
    return inverse, basis @ basis.T


def _range(data: Choices, beta: Floats) -> float:
    """The largest log odds between two alternatives of a set."""
    if not len(data.start):
        return 0.0
    height = data.x @ beta
    return float(
        (np.maximum.reduceat(height, data.start) - np.minimum.reduceat(height, data.start)).max(initial=0.0)
    )


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
        best = _maximum(free, value * along, basis.T @ near)
        return _log_likelihood(data, free.x @ best + value * along) - least

    low = -1.0
    while above(low) > 0:
        low *= 2
        if low < -LIMIT:
            return -inf
    return float(brentq(above, low, LIMIT, xtol=1e-6))


def _highest(data: Choices) -> float:
    return _log_likelihood(data, data.x @ _maximum(data)) if len(data.start) else 0.0


def _once_a_block(data: Choices, found: Recession) -> Choices:
    """Choices merged by block, but what is separated counts once a block for each composition of its set."""
    height = data.x @ found.direction
    uneven = np.maximum.reduceat(height, data.start) - np.minimum.reduceat(height, data.start) > 0.5
    return replace(data, weight=np.where(uneven, 1.0, data.weight))
