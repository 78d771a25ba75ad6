"""A contest: as many strategies as players, each deal played in every seating.

A block is one deal of one line-up (a cell of `design.py`) in all its rotations, and each of those with the
strategies moved on round the places: P · P games, in which every strategy has every faction in every
seat once. So neither a faction nor a seat can be mistaken for a strategy. The circular orders of the
strategies are taken in turn.

Deals and chances of strategies have purposes of their own (`chance.py`), so no run of an experiment, whatever
its seed, meets a deal of the ladder: what was tuned or debugged on runs is rated on others. All
contests of a seed with equally many players play the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np

from simlab.design import Design, cells, draw
from simlab.game import SCHEDULE

# purposes of keys, as in chance.py
_DEAL, _STRATEGY, _PACK = 15, 16, 17


@dataclass(frozen=True)
class Contest(Design):
    """The order of all games of a contest, without end: a prefix of it is played."""

    @property
    def cycle_games(self) -> int:
        """Games of a block."""
        return self.players[0] ** 2

    @property
    def blocks_in_cycle(self) -> int:
        """A cycle is a block."""
        return 1

    def replicate(self, players: int) -> int:
        """Games after which every order of strategies met every line-up in every order once."""
        line_ups = len(cells(len(self.factions), players))
        return line_ups * factorial(players - 1) * players**2

    def _games_of(self, players: int, first: int, last: int) -> np.ndarray[Any, Any]:
        own = np.arange(first, last)
        size = players**2
        deal, within = np.repeat(own, size), np.tile(np.arange(size), len(own))
        rotation, shift = np.divmod(within, players)
        games = np.zeros(len(deal), SCHEDULE)
        games["block"] = deal
        games["deal_key"] = draw(self.seed, _DEAL, players, deal)
        strategy_key = draw(self.seed, _STRATEGY, players, deal)
        games["strategy_key"] = draw(strategy_key, _STRATEGY, rotation, shift)
        games["rotation"], games["players"] = rotation, players
        place = (np.arange(players) + rotation[:, None]) % players  # (game, seat)
        for field in ("faction", "strategy"):
            games[field] = -1
        line_up = np.repeat(self._line_ups(own, players), size, axis=0)
        games["faction"][:, :players] = np.take_along_axis(line_up, place, axis=1)
        order = np.repeat(self._orders(own, players), size, axis=0)
        games["strategy"][:, :players] = np.take_along_axis(order, (place + shift[:, None]) % players, axis=1)
        return games

    def _orders(self, own: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
        """(block, place) → strategy."""
        orders = np.array([(0, *rest) for rest in permutations(range(1, players))], np.int8)
        visit, cell = np.divmod(own, len(cells(len(self.factions), players)))
        chosen: np.ndarray[Any, Any] = orders[(visit + cell) % len(orders)]
        return chosen


def contest_of(
    seed: int, players: Sequence[int], factions: Sequence[int], games_per_part: Sequence[int]
) -> Contest:
    """The design of a contest; one entry of `games_per_part` a strategy, as many as players."""
    assert list(players) == [len(games_per_part)], "a contest has as many strategies as players"
    return Contest(seed, tuple(players), tuple(factions), len(games_per_part), min(games_per_part))


def pack_seed(seed: int) -> int:
    """The seed of the packs that the ladder samples."""
    return int(draw(seed, _PACK, 0, 0))
