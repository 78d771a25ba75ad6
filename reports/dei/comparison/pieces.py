"""A few parts of a run as arrays by arm and pair: games on one deal, with one seating, under each arm.

Of A arms, game number g is arm g % A of pair g // A, so results are put side by side by their number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import tallies
from simlab.games.dei.vocabulary import COLOURS, FEATS, MAX_SEATS, MISSION_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from simlab.results import Run

    Array = NDArray[Any]

NOBODY = -1


@dataclass(frozen=True)
class Piece:
    """Some parts: arrays (arm, pair, …), made when they are asked for."""

    run: Run
    arms: int
    factions: tuple[str, ...]
    cards: tuple[str, ...]
    turns: int  # the most that a game has
    strategies: tuple[str, ...] = ()  # where there are several
    _kept: dict[str, Array] = field(default_factory=dict, compare=False)

    @cached_property
    def _games(self) -> dict[str, Array]:
        found = tallies.arrays(
            self.run,
            "SELECT game, block, players, decisions, game_hash, ending = 'finished' AS finished, "
            "coalesce(winning_margin, 0) AS margin, coalesce(tied_top, false) AS tied FROM games",
        )
        return {name: np.ma.filled(values, 0) for name, values in found.items()}

    @cached_property
    def first(self) -> int:
        """The number of the first pair."""
        return int(self._games["game"].min()) // self.arms

    @property
    def pairs(self) -> int:
        """How many pairs."""
        return len(self._games["game"]) // self.arms

    def _by_pair(self, name: str) -> Array:
        """A column of games, (arm, pair)."""
        return self._put(self._games[name], self._games)

    def _put(self, values: Array, rows: dict[str, Array], *axes: tuple[str, int], blank: Any = 0) -> Array:
        """Values of rows, put where game number and further columns of the rows say."""
        pair, arm = np.divmod(rows["game"], self.arms)
        shape = (self.arms, self.pairs, *(size for _, size in axes))
        array = np.full(shape, blank, values.dtype)
        array[(arm, pair - self.first, *(rows[column] for column, _ in axes))] = values
        return array

    @cached_property
    def block(self) -> Array:
        """(pair,) → its block, numbered from 0 in this piece."""
        found: Array = np.unique(self._by_pair("block")[0], return_inverse=True)[1]
        return found

    @property
    def blocks(self) -> int:
        """How many blocks."""
        return int(self.block.max()) + 1

    @cached_property
    def players(self) -> Array:
        """(pair,) → number of players."""
        return np.asarray(self._by_pair("players")[0])

    @cached_property
    def finished(self) -> Array:
        """(arm, pair) → whether the game ended regularly."""
        return self._by_pair("finished")

    @cached_property
    def differs(self) -> Array:
        """(arm, pair) → whether it has other choices or another result than the base's game."""
        hashes = self._by_pair("game_hash")
        return np.asarray(hashes != hashes[0])

    def amounts(self, name: str) -> Array:
        """(arm, pair): decisions, margin or tied."""
        return self._by_pair(name)

    # --- seats ----------------------------------------------------------------------------------------

    @cached_property
    def _seats(self) -> dict[str, Array]:
        feats = ", ".join(
            f"coalesce(list_position({_listed(FEATS)}, feat_{colour}), 0)::TINYINT AS feat_{colour}, "
            f"feat_{colour}_turn IS NOT NULL AS unlocked_{colour}"
            for colour in COLOURS
        )
        faction = f"list_position({_listed(self.factions)}, faction)::TINYINT AS faction"
        if self.strategies:
            faction += f", list_position({_listed(self.strategies)}, strategy)::TINYINT AS strategy"
        return tallies.arrays(
            self.run,
            f"SELECT game, seat, {faction}, coalesce(win_share, 0) AS win, supplies, {feats} FROM seats",
        )

    def by_seat(self, name: str) -> Array:
        """(arm, pair, seat): win, supplies, unlocked_COLOUR; faction, strategy, feat_COLOUR, or NOBODY."""
        if name not in self._kept:
            self._kept[name] = self._seat_array(name)
        return self._kept[name]

    def _seat_array(self, name: str) -> Array:
        values = np.ma.filled(self._seats[name], 0)
        if name in {"faction", "strategy"} or name.startswith("feat_"):
            return self._put(values - 1, self._seats, ("seat", MAX_SEATS), blank=NOBODY)
        return self._put(values, self._seats, ("seat", MAX_SEATS))

    # --- Turns ----------------------------------------------------------------------------------------

    @cached_property
    def _turns(self) -> dict[str, Array]:
        return tallies.arrays(
            self.run, "SELECT game, turn - 1 AS turn, seat, supplies, choices_hash FROM turns"
        )

    @cached_property
    def parted(self) -> Array:
        """(arm, pair, Turn) → whether its choices differ from the base's by the end of that Turn."""
        own = self._turns["seat"] == 0
        rows = {name: values[own] for name, values in self._turns.items()}
        hashes = self._put(rows["choices_hash"], rows, ("turn", self.turns))
        return np.asarray(hashes != hashes[0])

    def lead_changes(self, arm: int) -> Array:
        """(pair,): how often another seat than before was alone in the lead, Turn by Turn and at the end."""
        name = f"lead changes {arm}"
        if name not in self._kept:
            self._kept[name] = self._lead_changes(arm)
        return self._kept[name]

    def _lead_changes(self, arm: int) -> Array:
        own = self._turns["game"] % self.arms == arm
        rows = {name: values[own] for name, values in self._turns.items()}
        axes = ("turn", self.turns), ("seat", MAX_SEATS)
        after = self._put(rows["supplies"].astype(np.int16), rows, *axes, blank=NOBODY)[arm]
        final = np.where(self.by_seat("faction")[arm] == NOBODY, NOBODY, self.by_seat("supplies")[arm])
        standing = np.concatenate([after, final[:, None].astype(np.int16)], axis=1)
        changes, leader = np.zeros(self.pairs, np.int64), np.full(self.pairs, NOBODY)
        for turn in range(self.turns + 1):
            most = standing[:, turn].max(1)
            alone = ((standing[:, turn] == most[:, None]).sum(1) == 1) & (most > NOBODY)
            now = np.where(alone, standing[:, turn].argmax(1), leader)
            changes += (now != leader) & (leader != NOBODY)
            leader = now
        return changes

    # --- cards and Missions ---------------------------------------------------------------------------

    def market(self, value: str) -> Array:
        """(arm, pair, card): `1` for each card bought, or `plays`."""
        if value not in self._kept:
            self._kept[value] = self._market_array(value)
        return self._kept[value]

    def _market_array(self, value: str) -> Array:
        rows = tallies.arrays(
            self.run,
            f"SELECT game, list_position({_listed(self.cards)}, card)::SMALLINT - 1 AS card, "
            f"{value}::TINYINT AS value FROM market WHERE bought_by IS NOT NULL",
        )
        return self._put(rows["value"], rows, ("card", len(self.cards)))

    @cached_property
    def missions(self) -> Array:
        """(arm, pair, kind of Mission): players who completed one."""
        rows = tallies.arrays(
            self.run,
            f"SELECT game, list_position({_listed(MISSION_KINDS)}, mission)::SMALLINT - 1 AS kind, "
            "count(*)::TINYINT AS value FROM missions WHERE seat IS NOT NULL GROUP BY ALL",
        )
        return self._put(rows["value"], rows, ("kind", len(MISSION_KINDS)))


def _listed(words: Sequence[str]) -> str:
    return "[" + ", ".join(map(tallies.literal, words)) + "]"
