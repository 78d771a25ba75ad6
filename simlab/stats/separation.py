"""Where a choice model has no finite answer: what always wins is stronger, and nothing says how much.

If some direction of the coefficients ranks every alternative that was chosen above all that weren't (or level
with them), the likelihood grows along it without end. Then the alternatives that it puts below can be
left out, which gives the model that the likelihood tends to; what can be said in that model is finite and
has an interval, and of the rest only the sign and a bound. Cones of such directions are found by linear
programming, exactly.

Sources: Albert and Anderson 1984 and Konis 2007 for separation and its linear programme; Geyer 2009,
"Likelihood inference in exponential families and directions of recession", for the limiting model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from simlab.stats.choice_sets import Choices
from simlab.stats.intervals import Floats

_SMALL = 1e-6  # of the solver's answers


@dataclass(frozen=True, eq=False)
class Recession:
    """Directions along which the likelihood doesn't fall.

    `steeper` (D, K): the differences (chosen less not chosen) whose product with such a direction is never
    negative. `direction` (K,): one that is positive wherever any is, by 1 or more.
    """

    steeper: Floats
    direction: Floats

    def signs(self, contrast: Floats) -> tuple[bool, bool]:
        """Whether a contrast (K,) can fall and whether it can rise along such directions."""
        return self._reaches(-contrast), self._reaches(contrast)

    def _reaches(self, contrast: Floats) -> bool:
        found = linprog(-contrast, A_ub=-self.steeper, b_ub=np.zeros(len(self.steeper)), bounds=(-1, 1))
        return bool(-found.fun > _SMALL)


def recession(data: Choices) -> Recession | None:
    """The directions in which the sets are separated; None if they aren't: there is a finite answer."""
    steeper = _differences(data)
    count, k = steeper.shape
    if count == 0:
        return None
    # maximise Σ t with D b ≥ t, 0 ≤ t ≤ 1: t is 1 wherever some direction is positive, else 0
    answer = linprog(
        np.r_[np.zeros(k), -np.ones(count)],
        A_ub=np.hstack([-steeper, np.eye(count)]),
        b_ub=np.zeros(count),
        bounds=[(None, None)] * k + [(0, 1)] * count,
    )
    if -answer.fun < _SMALL:
        return None
    return Recession(steeper, answer.x[:k])


def limit(data: Choices, found: Recession) -> Choices:
    """The choices without the alternatives that the direction puts below what was chosen."""
    height = data.x @ found.direction
    chosen = np.where(data.won > 0, height, -np.inf)
    top = np.repeat(np.maximum.reduceat(chosen, data.start), data.sizes)
    return data.of_alternatives(height > top - 0.5)


def _differences(data: Choices) -> Floats:
    """What was chosen less each other alternative of its set, every difference once (D, K)."""
    found = [np.zeros((0, data.x.shape[1]))]
    sizes = data.sizes
    for size in np.unique(sizes):
        rows = data.start[sizes == size, None] + np.arange(size)
        x, chosen = data.x[rows], data.won[rows] > 0
        for j in range(size):
            own = chosen[:, j]
            found += [np.unique(x[own, j] - x[own, k], axis=0) for k in range(size) if k != j]
    differences = np.unique(np.concatenate(found), axis=0)
    kept: Floats = differences[np.abs(differences).max(axis=1, initial=0.0) > 0]
    return kept
