"""Weights as CMA-ES sees them: a vector around zero, in which a step means the same in each direction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simlab.strategy import Strategy

REACH = 3.0  # a weight ends within a factor of e³ ≈ 20 of where it starts, and never changes its sign


@dataclass(frozen=True)
class Numbers:
    """Some of a strategy's weights as a vector x, 0 where it starts.

    A weight w₀ ≠ 0 becomes w₀ · exp(x), so a step of 0.1 is about 10 % of it, whatever its size, and it
    keeps its sign. One that starts at 0 becomes m · x, of either sign, with m the median size of those that
    don't. All are rounded to whole numbers, so those of a few units move in jumps.
    """

    base: Strategy
    tuned: tuple[int, ...]

    def weights(self, x: np.ndarray[Any, Any]) -> tuple[int, ...]:
        """All of the strategy's weights at x (len(tuned),)."""
        found = np.array(self.base.weights, np.int64)
        start = found[list(self.tuned)]
        x = np.clip(x, -REACH, REACH)
        tuned = np.where(start == 0, self._typical() * x, start * np.exp(x))
        limit = np.iinfo(np.int32).max
        found[list(self.tuned)] = np.rint(np.clip(tuned, -limit, limit)).astype(np.int64)
        return tuple(found.tolist())

    def strategy(self, weights: tuple[int, ...]) -> Strategy:
        """The strategy with these weights."""
        return replace(self.base, weights=weights)

    def _typical(self) -> float:
        sizes = np.abs([weight for weight in self.base.weights if weight])
        return float(np.median(sizes)) if len(sizes) else 1.0
