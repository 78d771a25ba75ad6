"""Mirror games: every strategy plays all seats of a table, each of them as often as the others.

Block i is played by strategy i mod S of S, and takes the line-up that block i // S of a single strategy would
have (`design.py`). So no game sets strategies against each other, each of them plays the same line-ups in the
same order, and in any prefix their blocks differ by one at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlab.design import Design, cells


@dataclass(frozen=True)
class Mirrored(Design):
    """The order of all games of an experiment with `mixing = "mirrored"`: a prefix of it is a run."""

    def replicate(self, players: int) -> int:
        """Games after which every strategy played every line-up in every order once."""
        return len(cells(len(self.factions), players)) * players * self.strategies

    def _line_ups(self, own: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
        return super()._line_ups(own // self.strategies, players)

    def _mix(self, own: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
        """(block, place) → strategy."""
        return np.repeat((own % self.strategies)[:, None], players, axis=1)


def mirrored_of(
    seed: int,
    players: Sequence[int],
    factions: Sequence[int],
    games_per_part: Sequence[int],
    noise: Sequence[int] = (0,),
) -> Mirrored:
    """The design of such an experiment; one entry of `games_per_part` a strategy, one of `noise` an arm."""
    least = min(games_per_part)
    return Mirrored(seed, tuple(sorted(players)), tuple(factions), len(games_per_part), least, tuple(noise))
