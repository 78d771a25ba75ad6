"""CMA-ES, as the library `cma` has it, without global chance.

Source: Hansen, "The CMA Evolution Strategy: A Tutorial" (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simlab.errors import RunError
from simlab.tuning.deals import seed_of
from simlab.tuning.numbers import REACH, Numbers
from simlab.tuning.question import Tuning


def imported() -> Any:
    """The library; RunError where it isn't installed."""
    try:
        import cma
    except ImportError:
        raise RunError('simlab tune needs the library cma: pip install "simlab[tune]"') from None
    return cma


class Search:
    """The search as it stands: a function of the tuning and of the fitness that was told so far.

    Nothing of it is ever stored, because the library's state doesn't outlive its version; a search that goes
    on is told again what it was told before.
    """

    def __init__(self, tuning: Tuning) -> None:
        self._numbers = Numbers(tuning.base, tuning.tuned)
        self._seed = tuning.seed
        self._generation = 0
        self._asked: list[np.ndarray[Any, Any]] = []
        options = {
            "popsize": tuning.population,
            "bounds": [-REACH, REACH],
            "CMA_diagonal": tuning.covariance == "diagonal",
            "randn": self._normal,
            "seed": np.nan,  # numpy's own chance is left alone
            "verbose": -9,
            "verb_log": 0,
        }
        self._strategy = imported().CMAEvolutionStrategy([0.0] * len(tuning.tuned), tuning.sigma, options)

    def ask(self) -> list[tuple[int, ...]]:
        """The weights of each candidate of the next generation."""
        self._random = np.random.default_rng(seed_of("search", self._seed, self._generation))
        self._asked = self._strategy.ask()
        return [self._numbers.weights(np.asarray(x)) for x in self._asked]

    def tell(self, fitness: Sequence[float]) -> None:
        """How well each of those did; more is better."""
        self._strategy.tell(self._asked, [-each for each in fitness])
        self._generation += 1

    @property
    def mean(self) -> tuple[int, ...]:
        """The weights in the middle of where is searched now."""
        return self._numbers.weights(np.asarray(self._strategy.result.xfavorite))

    @property
    def step(self) -> float:
        """How far candidates are from the mean, in units of x."""
        return float(self._strategy.sigma)

    def _normal(self, *shape: int) -> np.ndarray[Any, Any]:
        return self._random.standard_normal(shape)
