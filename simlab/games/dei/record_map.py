"""The result table of Regions: sums over the games of a block, which share their board.

A row is a part of a tile, because that is what stays the same when layouts are drawn at random: where a
Region has several parts, its numbers stand in the row of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.games.dei.vocabulary import FACTIONS, FINISHED, MAX_TILE_SIZE, NONE
from simlab.results import words

if TYPE_CHECKING:
    import pyarrow as pa

    Array = np.ndarray[Any, Any]
    Columns = dict[str, Array | pa.Array]


def regions_of(schedule: Array, logs: Array, pack: Any) -> Columns:
    """The columns; games of one block and arm follow each other."""
    changes = np.diff(schedule["block"], prepend=-1) | np.diff(schedule["arm"], prepend=-1)
    first = np.flatnonzero(changes)
    deal, tile, letter = np.nonzero(logs["region_of"][first] != NONE)
    row = first[deal]
    region = logs["region_of"][row, tile, letter]
    finished = logs["ending"] == FINISHED

    def added(values: Array) -> Array:
        """Finished games' values, (games,) or (games, Regions), as a number a row of the table."""
        kept = values if finished.all() else values * finished.reshape(-1, *[1] * (values.ndim - 1))
        sums = np.add.reduceat(kept, first, axis=0, dtype=np.int16) if len(first) else kept
        return sums[deal] if values.ndim == 1 else sums[deal, region]

    place, columns = logs["tile_place"][row, tile], np.maximum(1, logs["board_columns"][row])
    return {
        "block": schedule["block"][row],
        "arm": schedule["arm"][row],
        "players": schedule["players"][row],
        **_printed(pack, tile, letter),
        "tile_row": place // columns,
        "tile_column": place % columns,
        "turned": logs["tile_turned"][row, tile],
        "region": region,
        "games": added(np.ones(len(logs), np.int16)).astype(np.int8),
        "turns": added((logs["turn_hash"] != 0).sum(1)),
        "moves_into": added(logs["moves_into"]),
        "moves_out": added(logs["moves_out"]),
        "collected": added(logs["collected_from"]),
        **{f"held_{name}": added(_held(schedule, logs, faction)) for faction, name in enumerate(FACTIONS)},
    }


def _held(schedule: Array, logs: Array, faction: int) -> Array:
    """(games, Regions) → Turns at whose end the faction had Majority, 0 where it doesn't play."""
    sits = schedule["faction"] == faction
    held: Array = logs["held"][np.arange(len(logs)), sits.argmax(1)]
    plays = sits.any(1)
    return held if plays.all() else held * plays[:, None]


def _printed(pack: Any, tile: Array, letter: Array) -> Columns:
    """What the pack has of each part: names, shape, symbols."""
    table = pack.table[0]
    known = sorted({name for names in pack.patch_letters for name in names})
    code = np.full(table["patch_level"].shape, NONE)
    for k, names in enumerate(pack.patch_letters):
        code[k, : len(names)] = [known.index(name) for name in names]
    numbers = np.arange(code.shape[1])
    bit = 1 << np.arange(MAX_TILE_SIZE**2).reshape(MAX_TILE_SIZE, MAX_TILE_SIZE)
    size = int(table["tile_size"])
    at, bit = table["patch_at"][:, :size, :size], bit[:size, :size]
    spaces = ((at[:, None] == numbers[:, None, None]) * bit).sum((2, 3)).astype(np.int32)
    return {
        "tile": words(tile, pack.tile_ids),
        "letter": words(code[tile, letter], known),
        "spaces": spaces[tile, letter],
        "resources": table["patch_resources"][tile, letter],
        "outposts": table["patch_outposts"][tile, letter].sum(1).astype(np.int8),
        "refuge": table["refuge_patch"][tile] == letter,
        "drone": table["drone_patch"][tile] == letter,
    }
