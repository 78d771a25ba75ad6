"""How varied something is: as how many equally common kinds (Hill numbers).

Of order 1 the number is e to the entropy of the kinds' shares; of order 2 it is 1 over the chance that two
picks are of one kind, so it counts common kinds rather than rare ones. Either is K if K kinds are equally
common.

Entropy from counts is too low by about (K − 1) / 2n, which is added (Miller–Madow); the chance of two of a
kind is estimated from pairs of different picks, without bias. Errors are clustered on blocks, by the delta
method on the scale of logarithms.

Sources: Hill 1973; Jost 2007, "Partitioning diversity into independent alpha and beta components"; Miller
1955 for the bias of entropy; Simpson 1949 for order 2.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import entr, xlogy

from simlab.stats.intervals import EMPTY, Estimate, Floats, critical

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def hill(counts: ArrayLike, order: int, level: float = 0.95) -> Estimate:
    """The number of equally common kinds that is as varied, from counts (G, K) of K kinds by block.

    `order` is 1 or 2. No value of no picks, none of order 2 of a single one. Assumes independent blocks, 30
    or more for the interval to be right.
    """
    if order not in (1, 2):
        raise ValueError(f"a Hill number of order 1 or 2 is known here, not {order}")
    found = np.asarray(counts, np.float64)
    kinds = found.sum(axis=0)
    n = float(kinds.sum())
    if n < order:
        return EMPTY
    share = kinds / n
    away = found - found.sum(axis=1, keepdims=True) * share
    if order == 1:
        value = float(np.exp(entr(share).sum() + ((kinds > 0).sum() - 1) / (2 * n)))
        scores = -_logarithm(away, share) / n
    else:
        alike = float(kinds @ (kinds - 1)) / (n * (n - 1))
        if alike <= 0:
            return EMPTY
        value = 1 / alike
        scores = -2 * away @ share / n / float(share @ share)
    return _estimate(value, scores, round(n), int((found.sum(axis=1) > 0).sum()), level)


class Partition(NamedTuple):
    """How varied a crowd is: all `together`, each `alone` on average, and in how many distinct `ways`.

    `together` = `alone` · `ways`; one way if everybody does the same, as many as there are people if no two
    have anything in common.
    """

    together: Estimate
    alone: Estimate
    ways: Estimate


def partition(shares: ArrayLike, entropies: ArrayLike, counts: ArrayLike, level: float = 0.95) -> Partition:
    """Of people who each divide something over K kinds, all counting alike.

    By block: their shares (G, K) added up, their own entropies (G,) added up, and how many they are (G,).
    """
    found, own, people = (np.asarray(each, np.float64) for each in (shares, entropies, counts))
    n = float(people.sum())
    if n == 0:
        return Partition(EMPTY, EMPTY, EMPTY)
    share, mean = found.sum(axis=0) / n, float(own.sum()) / n
    whole = float(entr(share).sum())
    together = -_logarithm(found - people[:, None] * share, share) / n
    alone = (own - people * mean) / n
    clusters = int((people > 0).sum())
    values = ((whole, together), (mean, alone), (whole - mean, together - alone))
    return Partition(
        *(_estimate(float(np.exp(value)), scores, round(n), clusters, level) for value, scores in values)
    )


def _logarithm(away: Floats, share: Floats) -> Floats:
    """Σ away · log share by block (G,), kinds that never came left out."""
    held = share > 0
    return np.asarray(away[:, held] @ xlogy(1.0, share[held]), np.float64)


def _estimate(value: float, scores: Floats, n: int, clusters: int, level: float) -> Estimate:
    """A positive number, by the scores (G,) of its logarithm."""
    factor = clusters / (clusters - 1) if clusters > 1 else nan
    se = float(np.sqrt(factor * (scores @ scores)))
    reach = np.exp(critical(level, clusters) * se)
    return Estimate(value, value * se, float(value / reach), float(value * reach), n, clusters, level)
