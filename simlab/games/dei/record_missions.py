"""The table of Missions, and how much of what they could have given was had: part of `record.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.games.dei.vocabulary import FACTIONS, MAX_SEATS, MISSION_KINDS, NONE
from simlab.results import optional, words

if TYPE_CHECKING:
    import pyarrow as pa

    Array = np.ndarray[Any, Any]


def missions_of(schedule: Any, logs: Any, pack: Any) -> dict[str, Array | pa.Array]:
    """Takers first found by (game, seat, column), then the Missions that nobody took are added."""
    mission = logs["mission"]
    present = np.arange(MAX_SEATS) < schedule["players"][:, None]
    row = np.where(present[:, :, None], logs["mission_row"], NONE)
    game, seat, column = np.nonzero(row != NONE)
    row = row[game, seat, column]
    taken = np.zeros(mission.shape, bool)
    taken[game, column, row] = True
    left = np.nonzero((mission != NONE) & ~taken)
    n_taken = len(game)
    game, column, row = (np.concatenate(pair) for pair in zip((game, column, row), left, strict=True))
    order = np.argsort(game, kind="stable")
    seat = np.concatenate([seat, np.full(len(left[0]), NONE)])[order]
    game, column, row, nobody = game[order], column[order], row[order], order >= n_taken
    turn = logs["mission_turn"][game, seat, column]
    faction = schedule["faction"][game, seat]
    numbers = {name: schedule[name][game] for name in ("game", "block", "arm")}
    return numbers | {
        "column_turn": (column + 1).astype(np.int8),
        "position": row.astype(np.int8),
        "mission": words(pack.table["mission_kind"][0][mission[game, column, row]], MISSION_KINDS),
        "seat": optional(seat.astype(np.int8), nobody),
        "faction": words(np.where(nobody, NONE, faction), FACTIONS),
        "turn": optional(turn, nobody),
        "on_time": optional(turn <= column + 1, nobody),
        "supplies": optional(logs["mission_supplies"][game, seat, column], nobody),
        "best_now": optional(_best_now(logs, game, seat, turn), nobody),
    }


def _best_now(logs: Any, game: Array, seat: Array, turn: Array) -> Array:
    """(N,) the most that a column without an own token would have given seats in Turns, all (N,)."""
    worth = logs["mission_worth"][game, seat, np.maximum(turn, 1) - 1]
    token_since = logs["mission_turn"][game, seat]
    free = (token_since == 0) | (token_since >= turn[:, None])
    return np.where(free, worth, 0).max(1)


def best_of_missions(worth: Array) -> Array:
    """The most (N,) that a Mission a Turn, each of another column, adds up to: `worth` (N, Turns, columns).

    An assignment of columns to Turns, by dynamic programming over the sets of columns that have a token:
    for N seats at once, since 6 Turns have no more than 64 sets. A Turn may go without.
    """
    columns = [int(column) for column in np.flatnonzero(worth.any((0, 1)))]
    best = np.zeros((1 << len(columns), len(worth)), worth.dtype)  # by set, some of it perhaps left out
    for turn in np.flatnonzero(worth.any((0, 2))):
        before = best.copy()
        for tokens in range(len(best)):
            for k, column in enumerate(columns):
                if tokens >> k & 1:
                    np.maximum(
                        best[tokens], before[tokens ^ 1 << k] + worth[:, turn, column], out=best[tokens]
                    )
    highest: Array = best[-1]
    return highest
