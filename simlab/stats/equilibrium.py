"""The Nash mix of a symmetric game of two for a fixed sum: what nobody can beat on average.

Strategies i and j meet, i earns A_ij more than j. A mix is an equilibrium if no strategy has an advantage
over it. Of several the one of highest entropy is taken; it is unique, and doubling a strategy only splits
its share.

Sources: Balduzzi, Tuyls, Pérolat and Graepel 2018, "Re-evaluating evaluation" (Nash averaging); Goldman and
Tucker 1956, "Theory of linear programming", for the complementary solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, nan
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.special import entr, logsumexp, softmax

from simlab.stats.intervals import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Bools = NDArray[np.bool_]

EXACT = 1e-9  # of the largest advantage: less is no advantage


@dataclass(frozen=True)
class Nash:
    """The equilibrium of highest entropy; all NaN where an advantage isn't known.

    `mix` (S), adding up to 1; `rating` (S): each strategy's advantage over the mix, 0 for those in it and at
    most 0 for the others, unit that of the advantages; `viable`: e to the mix's entropy, how many strategies
    alike it amounts to, 1 … S; `only`: whether there is no other equilibrium.
    """

    mix: tuple[float, ...]
    rating: tuple[float, ...]
    viable: float
    only: bool


def nash(advantage: ArrayLike) -> Nash:
    """The Nash mix of highest entropy for advantages (S, S), antisymmetric: A_ij = −A_ji.

    A linear program finds all strategies that are in any equilibrium (by strict complementarity they alone
    have advantage 0 over it); where they leave a choice, entropy is maximised over it by its dual.
    Source: Balduzzi et al. 2018.
    """
    a = np.asarray(advantage, np.float64)
    if a.ndim != 2 or a.shape[0] != a.shape[1] or not len(a):
        raise ValueError(f"advantages {a.shape} must be a square table")
    if np.isnan(a).any():
        return Nash((nan,) * len(a), (nan,) * len(a), nan, False)
    size = float(np.abs(a).max())
    if np.abs(a + a.T).max() > EXACT * size:
        raise ValueError("what one strategy earns more than another must be what the other earns less")
    scaled = a / size if size > 0 else a
    held: Bools = np.all(scaled + np.eye(len(a)) > EXACT, axis=1)  # who beats each other one is played alone
    if not held.any():
        held = _in_some_equilibrium(scaled)
    choice = _null_space(scaled[np.ix_(held, held)])
    mix = np.zeros(len(a))
    if choice.shape[1] == 1:
        mix[held] = choice[:, 0] / choice[:, 0].sum()
    else:
        mix[held] = _most_even(scaled, held)
    mix = np.clip(mix, 0.0, None) / np.clip(mix, 0.0, None).sum()
    return Nash(
        tuple(mix.tolist()), tuple((a @ mix).tolist()), exp(float(entr(mix).sum())), choice.shape[1] == 1
    )


def _in_some_equilibrium(a: Floats) -> Bools:
    """Which strategies (S) some equilibrium plays.

    With x a multiple of an equilibrium, as large as need be, Σ min(x_i, 1) is largest if all those are in it.
    """
    s = len(a)
    unbeaten = np.hstack([a, np.zeros((s, s))])
    counted = np.hstack([-np.eye(s), np.eye(s)])
    found = linprog(
        np.r_[np.zeros(s), -np.ones(s)],
        A_ub=np.vstack([unbeaten, counted]),
        b_ub=np.zeros(2 * s),
        bounds=[(0, None)] * s + [(0, 1)] * s,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not found.success:
        raise ArithmeticError(f"no equilibrium was found: {found.message}")
    return np.asarray(found.x[s:] > 0.5)


def _null_space(a: Floats) -> Floats:
    """A basis (K, D) of what a (K, K) sends to nothing, of one vector at least."""
    _, values, rows = np.linalg.svd(a)
    kept = values <= EXACT * max(1.0, float(values.max(initial=0.0)))
    kept[-1] = True
    return np.asarray(rows[kept].T, np.float64)


def _most_even(a: Floats, held: Bools) -> Floats:
    """Highest entropy (K) among mixes of `held` that nobody beats: the dual is smooth and nearly free."""
    inside, outside = a[np.ix_(held, held)], a[np.ix_(~held, held)]
    rows = np.vstack([inside, outside])
    bounds = [(None, None)] * len(inside) + [(0, None)] * len(outside)

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        tilt = -multipliers @ rows
        return float(logsumexp(tilt)), -rows @ softmax(tilt)

    start = np.zeros(len(rows))
    found = minimize(
        dual,
        start,
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"gtol": 1e-12, "ftol": 1e-16, "maxiter": 10_000},
    )
    return np.asarray(softmax(-found.x @ rows), np.float64)
