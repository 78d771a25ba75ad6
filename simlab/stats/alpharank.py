"""α-rank: which strategies a population that imitates the successful ends up with.

A population of m plays one strategy; now and then somebody tries another, which dies out or takes over. How
likely it is to take over depends on its advantage and on how strongly success is imitated (α). The share of
time that the population spends with each strategy is the strategy's mass. Unlike ratings it is no worse off
for cycles, and unlike equilibria it is unique.

Rates differ by factors such as e^(−10,000), so everything is computed with logarithms and without a
difference: no α is too large, and the limit of infinite α is found by doubling it until nothing changes.

Sources: Omidshafiei et al. 2019, "α-Rank: multi-agent evaluation by evolution"; Fudenberg and Imhof 2006 and
Traulsen, Pacheco and Nowak 2007 for the probability of fixation; Grassmann, Taksar and Heyman 1985 for the
elimination without subtractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.intervals import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

POPULATION = 50
NO_GAP = 1e-12  # of the largest: what rounding leaves of equal payoffs
STILL = 1e-9  # a mass that moves by less doesn't move
DOUBLINGS = 60


@dataclass(frozen=True)
class AlphaRank:
    """The mass of each strategy (S), adding up to 1; NaN where a payoff isn't known.

    `alpha`: the strength of selection it was computed for; `settled`: that a stronger one changes nothing.
    """

    mass: tuple[float, ...]
    alpha: float
    settled: bool


def alpha_rank(advantage: ArrayLike, population: int = POPULATION, alpha: float = inf) -> AlphaRank:
    """The masses of S strategies in one population of m = `population`.

    advantage: (S, S), what i earns more than j where the two meet (`PayoffTable.advantage`: imitation looks
    at the present opponent only), or (S, S, m − 1) by how many of the population play i
    (`PayoffTable.invasion`). Unit: that of payoffs; `alpha`: per payoff, infinite for the limit.
    Source: Omidshafiei et al. 2019, with one population.
    """
    gaps = _gaps(advantage, population)
    if np.isnan(gaps).any():
        return AlphaRank((nan,) * len(gaps), alpha, False)
    if alpha < inf:
        return AlphaRank(_mass(gaps, alpha, population), alpha, False)
    return _limit(gaps, population)


def _gaps(advantage: ArrayLike, population: int) -> Floats:
    """The advantages, of shapes that fit and with rounding errors as the ties that they are."""
    gaps = np.asarray(advantage, np.float64)
    if population < 2:
        raise ValueError(f"a population of {population} has nobody to imitate")
    if gaps.ndim < 2 or gaps.shape[0] != gaps.shape[1] or gaps.shape[2:] not in {(), (population - 1,)}:
        raise ValueError(f"advantages {gaps.shape} don't fit a population of {population}")
    size = np.abs(gaps).max(initial=0.0)
    return np.asarray(np.where(np.abs(gaps) <= NO_GAP * size, 0.0, gaps), np.float64)


def _limit(gaps: Floats, population: int) -> AlphaRank:
    """Doubling α from where even the smallest gap decides, until two doublings change nothing."""
    sizes = np.abs(gaps[gaps != 0])
    alpha, before, still = 64 / (sizes.min() if len(sizes) else 1.0), _mass(gaps, 0.0, population), 0
    for _ in range(DOUBLINGS):
        mass = _mass(gaps, alpha, population)
        still = still + 1 if np.abs(np.subtract(mass, before)).max() < STILL else 0
        if still == 2:
            return AlphaRank(mass, float(alpha), True)
        alpha, before = 2 * alpha, mass
    return AlphaRank(before, float(alpha / 2), False)


def log_fixation_of_constant(gaps: ArrayLike, alpha: float, population: int) -> Floats:
    """Logarithm of the probability that one of m comes to be all of them, if its advantage stays the same.

    ρ = (1 − e^(−α·gap)) / (1 − e^(−m·α·gap)), 1/m without a gap. For gaps of any shape.
    Source: Omidshafiei et al. 2019.
    """
    u = alpha * np.asarray(gaps, np.float64)
    size = np.where(u == 0, 1.0, np.abs(u))  # e^((m − 1)·u) is all that the sign changes
    fixed = np.log(np.expm1(-size) / np.expm1(-population * size)) + (population - 1) * np.minimum(u, 0.0)
    return np.asarray(np.where(u == 0, -np.log(population), fixed), np.float64)


def log_fixation(gaps: ArrayLike, alpha: float) -> Floats:
    """The same for an advantage that depends on how many there are: gaps (…, m − 1) for 1 … m − 1 of m.

    ρ = 1 / (1 + Σ_l Π_{k ≤ l} e^(−α·gap_k)): pairwise comparison with Fermi's function.
    Source: Traulsen, Pacheco and Nowak 2007.
    """
    ladder = np.cumsum(-alpha * np.asarray(gaps, np.float64), axis=-1)
    return np.asarray(-np.logaddexp(0.0, np.logaddexp.reduce(ladder, axis=-1)), np.float64)


def _mass(gaps: Floats, alpha: float, population: int) -> tuple[float, ...]:
    """Stationary distribution of the chain that goes from j to i at the rate of i's fixation among j."""
    constant = gaps.ndim == 2
    rates = log_fixation_of_constant(gaps, alpha, population) if constant else log_fixation(gaps, alpha)
    return tuple(np.exp(log_stationary(rates.T)).tolist())


def log_stationary(rates: ArrayLike) -> Floats:
    """Logarithm (S) of the stationary distribution for the logarithms (S, S) of rates from row to column.

    The diagonal is ignored: what doesn't leave stays. Every state must be reached from every other.
    Source: Grassmann, Taksar and Heyman 1985, "Regenerative analysis and steady state distributions".
    """
    left = np.array(rates, np.float64)
    size = len(left)
    for k in range(size - 1, 0, -1):
        left[:k, k] -= np.logaddexp.reduce(left[k, :k])
        left[:k, :k] = np.logaddexp(left[:k, :k], left[:k, k, None] + left[None, k, :k])
    mass = np.zeros(size)
    for k in range(1, size):
        mass[k] = np.logaddexp.reduce(mass[:k] + left[:k, k])
    return np.asarray(mass - np.logaddexp.reduce(mass), np.float64)
