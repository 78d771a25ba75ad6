"""Morris' trajectories, as the library SALib draws them, one group of factors moved a step.

Source: Morris 1991; groups by Campolongo, Cariboni and Saltelli 2007; Herman and Usher 2017 for SALib.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.errors import RunError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVELS = 4  # of a factor, 0 to 1; a step goes two of them up or down
STEPS = tuple(level / (LEVELS - 1) for level in range(LEVELS))


def imported() -> Any:
    """The library's sampler; RunError where it isn't installed."""
    try:
        from SALib.sample import morris
    except ImportError:
        raise RunError('screening needs the library SALib: pip install "simlab[sensitivity]"') from None
    return morris


@dataclass(frozen=True, eq=False)
class Trajectories:
    """R walks of G + 1 points over F factors: `points` (R, G + 1, F) of levels 0 … 1.

    `moved` (R, G): the group that the step after a point moves, each once in a walk.
    """

    points: NDArray[np.float64]
    moved: NDArray[np.int64]


def trajectories(groups: Sequence[int], number: int, seed: int) -> Trajectories:
    """`number` walks; `groups` holds the size of each group, whose factors lie side by side."""
    names = [f"x{k}" for k in range(sum(groups))]
    group_of = np.repeat(np.arange(len(groups)), groups)
    problem = {
        "num_vars": len(names),
        "names": names,
        "bounds": [[0.0, 1.0]] * len(names),
        "groups": [f"g{k}" for k in group_of],
    }
    rows = imported().sample(problem, number, num_levels=LEVELS, seed=seed)
    points = np.asarray(rows, np.float64).reshape(number, len(groups) + 1, len(names))
    steps = np.abs(np.diff(points, axis=1)) > 0.5 / LEVELS
    moved = np.array([[group_of[np.flatnonzero(step)[0]] for step in walk] for walk in steps], np.int64)
    return Trajectories(points, moved)
