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

from dataclasses import dataclass
from math import exp, inf, log, nan
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
    (K, K) is the covariance were each block one observation. `data` are all choices, `recession` what is
    infinite, None if nothing is. Ask `contrast`, not the coefficients.
    """

    coefficients: Floats
    covariance: Floats
    cautious: Floats
    span: Floats
    clusters: int
    data: Choices
    recession: Recession | None


def fit(data: Choices) -> Fit:
    """Fit by maximum likelihood. Assumes independent blocks, 30 or more for the intervals to be right."""
    beta = _maximum(data)
    found, used = None, data
    if len(data.start) and _range(data, beta) > STEEP:
        found = recession(data)
        if found is not None:
            used = limit(data, found)
            beta = _maximum(used)
    scores, hessian = _scores(used, beta)
    inverse, span = _inverse(hessian, _size(used))
    clusters = len(np.unique(data.block))
    factor = clusters / (clusters - 1) if clusters > 1 else nan
    total = used.weight.sum()
    return Fit(
        coefficients=beta,
        covariance=factor * inverse @ (scores.T @ scores) @ inverse,
        cautious=inverse * (total / max(1, len(np.unique(used.block)))),
        span=span,
        clusters=clusters,
        data=data,
        recession=found,
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
    variance = float(c_ @ fitted.covariance @ c_)
    cautious = float(c_ @ fitted.cautious @ c_)
    se = float(np.sqrt(variance if not variance <= NO_SPREAD * cautious else cautious))
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


def standardised(fitted: Fit, tables: ArrayLike, level: float = 0.95) -> Estimate:
    """The mean win share of the first alternative over tables (M, P, K) of P alternatives each.

    Unit: a fraction. The tables say whom it meets, where: the same for whatever is compared (g-computation).
    Delta method on the scale of log odds. No interval where what it meets is separated from it.
    """
    x = np.asarray(tables, np.float64)
    beta = fitted.coefficients
    unsure = not np.allclose((x - x[:, :1]) @ fitted.span, x - x[:, :1], atol=1e-6)
    if fitted.recession is not None:
        beta = beta + LIMIT * fitted.recession.direction
    height = x @ beta
    share = np.exp(height - height.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    value = float(share[:, 0].mean())
    if unsure or not 0 < value < 1:
        return _estimate(fitted, value, nan, (nan, nan), level)
    away = x[:, 0] - (share[:, :, None] * x).sum(axis=1)
    gradient = (share[:, :1] * away).mean(axis=0)
    se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
    reach = critical(level, fitted.clusters) * se / (value * (1 - value))
    middle = float(logit(value))
    ends = (float(expit(middle - reach)), float(expit(middle + reach)))
    return _estimate(fitted, value, se, ends, level)


def _estimate(fitted: Fit, value: float, se: float, ends: tuple[float, float], level: float) -> Estimate:
    return Estimate(value, se, *ends, len(fitted.data.start), fitted.clusters, level)


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
        step = _inverse(_hessian(data, chance), size)[0] @ gradient
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


def _hessian(data: Choices, chance: Floats) -> Floats:
    """Minus the second derivative of the log likelihood (K, K)."""
    mean = np.add.reduceat(chance[:, None] * data.x, data.start, axis=0)
    away = data.x - np.repeat(mean, data.sizes, axis=0)
    hessian: Floats = ((np.repeat(data.weight, data.sizes) * chance)[:, None] * away).T @ away
    return hessian


def _scores(data: Choices, beta: Floats) -> tuple[Floats, Floats]:
    """The derivative of the log likelihood by block (G, K), and minus the second one (K, K)."""
    k = data.x.shape[1]
    if not len(data.start):
        return np.zeros((0, k)), np.zeros((k, k))
    chance = _shares(data, data.x @ beta)
    pull = (np.repeat(data.weight, data.sizes) * (data.won - chance))[:, None] * data.x
    by_set = np.add.reduceat(pull, data.start, axis=0)
    scores = [np.bincount(data.block, weights=column) for column in by_set.T]
    return np.stack(scores, axis=1), _hessian(data, chance)


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
    data, direction = _once_a_block(fitted), fitted.recession.direction
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


def _once_a_block(fitted: Fit) -> Choices:
    """The choices, but what is separated counts once a block for each composition of its set."""
    data = fitted.data
    assert fitted.recession is not None
    height = data.x @ fitted.recession.direction
    uneven = np.maximum.reduceat(height, data.start) - np.minimum.reduceat(height, data.start) > 0.5
    mark = data.x @ np.array([exp(-0.1 * k) * np.sqrt(2 + k) for k in range(data.x.shape[1])])
    sums = [np.round(np.add.reduceat(mark**power, data.start), 6) for power in (1, 2)]
    _, same = np.unique(np.stack([data.block, *sums], axis=1), axis=0, return_inverse=True)
    once = data.weight / np.bincount(same, weights=data.weight)[same]
    return Choices(data.x, data.won, data.start, np.where(uneven, once, data.weight), data.block)
