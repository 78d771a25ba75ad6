"""Many levels looked at together: intervals that hold all at once, p-values and intervals after choosing.

Whoever looks at twenty levels finds one "significant" at 5 % by luck. *All at once* (sup-t, Holm): for
the few levels a question names beforehand; the risk of a single wrong claim is kept. *After choosing*
(Benjamini and Hochberg, false coverage rate): for the many that are looked through; the share of wrong claims
among those made is kept.

Sources: Montiel Olea and Plagborg-Møller 2019, "Simultaneous confidence bands"; Hothorn, Bretz and Westfall
2008, "Simultaneous inference in general parametric models"; Holm 1979; Benjamini and Hochberg 1995;
Benjamini and Yekutieli 2001 (any dependence) and 2005 (false coverage rate).
"""

from __future__ import annotations

from dataclasses import replace
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtr

from simlab.stats.intervals import NO_SPREAD, Estimate, Floats, Moments, critical, share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

DRAWS = 20_000  # the 95 % critical value of four levels is then right to about 0.02
SEED = 20_270


def largest_statistics(covariance: ArrayLike, clusters: int, seed: int = SEED) -> Floats:
    """Draws (DRAWS) of max |T| over levels whose estimates have this covariance (K, K), if all are 0.

    A multivariate t with clusters − 1 degrees of freedom, under a fixed `seed`. Levels without variance, or
    with NaN, are left out; empty where none is left or there is but one cluster.
    Source: Hothorn, Bretz and Westfall 2008.
    """
    matrix = np.asarray(covariance, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a covariance {matrix.shape} must be a square table")
    sd = np.sqrt(np.clip(matrix.diagonal(), 0.0, None))
    varies = sd > 0  # NaN isn't
    if clusters < 2 or not varies.any():
        return np.empty(0)
    scaled = matrix[np.ix_(varies, varies)] / np.outer(sd[varies], sd[varies])
    eigenvalue, eigenvector = np.linalg.eigh(scaled)
    root = eigenvector * np.sqrt(np.clip(eigenvalue, 0.0, None))
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal((DRAWS, root.shape[1])) @ root.T
    scale = np.sqrt(rng.chisquare(clusters - 1, DRAWS) / (clusters - 1))
    return np.asarray(np.abs(normal).max(axis=1) / scale, np.float64)


def sup_t(covariance: ArrayLike, clusters: int, level: float = 0.95, seed: int = SEED) -> float:
    """Critical value of max |T| over levels whose estimates have this covariance (K, K).

    Between Student's t for one level and Bonferroni's for K; NaN where no level varies.
    Source: Montiel Olea and Plagborg-Møller 2019.
    """
    largest = largest_statistics(covariance, clusters, seed)
    return float(np.quantile(largest, level)) if len(largest) else nan


def simultaneous(
    estimates: Sequence[Estimate], covariance: ArrayLike, level: float = 0.95, seed: int = SEED
) -> tuple[Estimate, ...]:
    """The estimates (K) with intervals that hold *all at once* with confidence `level`.

    covariance: (K, K), such as `joint.covariance` of the levels or of paired differences. Value ± q·SE with q
    from `sup_t`, at least t of the level's own clusters. An estimate without spread or without interval
    keeps what it has.
    """
    matrix = np.asarray(covariance, np.float64)
    if matrix.shape != (len(estimates), len(estimates)):
        raise ValueError(f"a covariance {matrix.shape} doesn't fit {len(estimates)} levels")
    q = sup_t(matrix, max((e.clusters for e in estimates), default=0), level, seed)
    return tuple(_widened(e, q, level) for e in estimates)


def _widened(estimate: Estimate, q: float, level: float) -> Estimate:
    if isnan(q) or not estimate.se > 0:
        return estimate
    room = max(q, critical(level, estimate.clusters)) * estimate.se
    return replace(estimate, low=estimate.value - room, high=estimate.value + room, level=level)


def simultaneous_shares(counts: ArrayLike, totals: ArrayLike, level: float = 0.95) -> tuple[Estimate, ...]:
    """Shares of several levels whose intervals hold *all at once* with confidence `level` (sup-t).

    counts, totals: (G, K), rows and their total by block and level; a block may lack a level.
    Levels that meet in one block (factions of one game: one wins, the others don't) may depend on each
    other in any way: the critical value is the `level` quantile of max |T| for the joint covariance of
    the block residuals. The intervals are Wilson's, as those of `intervals.share`.
    Assumes independent blocks. Source: Montiel Olea and Plagborg-Møller 2019.
    """
    n, t = np.asarray(counts, np.float64), np.asarray(totals, np.float64)
    if n.shape != t.shape or n.ndim != 2:
        raise ValueError(f"counts {n.shape} and totals {t.shape} must be two tables of one shape")
    moments = [Moments.of_blocks(n[:, k], t[:, k]) for k in range(n.shape[1])]
    rows = n.sum(axis=0)
    residual = t - n * np.divide(t.sum(axis=0), rows, out=np.zeros_like(rows), where=rows > 0)
    residual[:, np.sqrt((residual**2).sum(axis=0)) <= NO_SPREAD * np.maximum(1.0, rows)] = 0.0
    z = sup_t(residual.T @ residual, int((n.sum(axis=1) > 0).sum()), level)
    return tuple(share(m, level, None if isnan(z) else max(z, critical(level, m.clusters))) for m in moments)


def p_values(estimates: Sequence[Estimate], targets: Sequence[float]) -> Floats:
    """Two-sided p (K) of "the truth is the target", from Student's t with clusters − 1 degrees of freedom.

    NaN without an interval, and without spread unless the interval is the target itself (then 1): where no
    block differs from another, no p can be computed.
    """
    return np.array([_p(e, target) for e, target in zip(estimates, targets, strict=True)], np.float64)


def _p(estimate: Estimate, target: float) -> float:
    if not estimate.sure:
        return nan
    if estimate.se == 0:
        return 1.0 if estimate.low == estimate.high == target else nan
    return 2 * float(stdtr(estimate.clusters - 1, -abs(estimate.value - target) / estimate.se))


def holm(p: ArrayLike) -> Floats:
    """Holm's adjusted p-values (K): the risk of one wrong claim or more, under any dependence.

    NaN stays NaN and belongs to no family.
    """
    return _adjusted(p, _holm)


def _holm(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")
    steps = np.minimum(1.0, p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted


def false_discovery(p: ArrayLike, any_dependence: bool = False) -> Floats:
    """Adjusted p-values (K) for the share of wrong claims among those made: Benjamini and Hochberg.

    Right for independent levels and for such as go up and down together; `any_dependence` takes Benjamini
    and Yekutieli, larger by Σ 1/k. (Shares of one game sum to 1 and so go up and down *against* each other.)
    NaN stays NaN and belongs to no family.
    """
    from scipy.stats import false_discovery_control  # half a second that no other estimate needs

    method = "by" if any_dependence else "bh"
    return _adjusted(p, lambda known: np.asarray(false_discovery_control(known, method=method), np.float64))


def _adjusted(p: ArrayLike, method: Callable[[Floats], Floats]) -> Floats:
    values = np.asarray(p, np.float64)
    known = ~np.isnan(values)
    if ((values[known] < 0) | (values[known] > 1)).any():
        raise ValueError("a p-value lies between 0 and 1")
    adjusted = np.full(values.shape, nan)
    if known.any():
        adjusted[known] = method(values[known])
    return adjusted


def selected_intervals(
    estimates: Sequence[Estimate], selected: NDArray[np.bool_] | Sequence[bool], level: float = 0.95
) -> tuple[Estimate, ...]:
    """Intervals of the selected estimates such that of all shown, 1 − level on average miss.

    `selected` (K): which levels were chosen to be shown, by whatever rule that looks at them (the best, the
    significant). With R of K chosen each gets a marginal interval at confidence 1 − (1 − level)·R/K. In the
    order of the estimates, the others left out. K counts the levels with an interval.
    Assumes independent or positively dependent estimates, and a simple rule of selection.
    Source: Benjamini and Yekutieli 2005, "False discovery rate-adjusted multiple confidence intervals".
    """
    chosen = [e for e, take in zip(estimates, selected, strict=True) if take]
    family, shown = sum(e.sure for e in estimates), sum(e.sure for e in chosen)
    each = 1 - (1 - level) * shown / family if family else level
    return tuple(_widened(e, critical(each, e.clusters), each) for e in chosen)
