"""What a Mission does by lying there, and by its column: to factions, seats and strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import cells, tallies
from reports.dei.basis import LEVEL
from reports.dei.cells import Cells
from reports.document import Kind, Part
from simlab.stats.crossed import crossed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

    Array = np.ndarray[Any, Any]

LYING = (
    "Missions are dealt at random, so the **effect** of one's lying there is the win share of the faction, "
    "seat or strategy in games with it less that in games without, in points, whether anybody completes it "
    "or not."
)
COLUMN = (
    "Where a Mission lies once, chance put it into one of the columns: the **effect** of its column is the "
    "win share in games in which it lies in that one less that in games in which it lies in another."
)


def places(basis: Basis) -> str:
    """A table made once: by block, each Mission dealt with its column, the same in all games of the block."""

    def make() -> str:
        query = (
            "SELECT DISTINCT block, mission, column_turn, position FROM missions "
            "WHERE game IN (SELECT min(game) FROM games GROUP BY block)"
        )
        tallies.kept(basis.run, "mission_places", query)
        return "mission_places"

    return basis.once("mission places", make)


def lying(basis: Basis) -> str:
    """A table made once: by block and kind, how many Missions of it lie there.

    `column_turn` is where it lies, 0 if it lies there twice.
    """

    def make() -> str:
        query = (
            "SELECT block, mission, count(*) AS times, if(count(*) = 1, min(column_turn), 0) AS column_turn "
            f"FROM {places(basis)} GROUP BY block, mission"
        )
        tallies.kept(basis.run, "missions_lying", query)
        return "missions_lying"

    return basis.once("missions lying", make)


def turns(basis: Basis) -> list[int]:
    """The Turns that have a column of Missions."""
    query = "SELECT DISTINCT column_turn FROM missions ORDER BY column_turn"
    return basis.once("mission columns", lambda: [row[0] for row in tallies.rows(basis.run, query)])


def parts(basis: Basis, players: int, kinds: Sequence[str], labels: Sequence[str]) -> list[Part]:
    """Figures and tables of both kinds of effect; `kinds` are those that were dealt."""
    there, column = effects(basis, players, kinds, labels)
    at = basis.at(players)
    made: list[Part] = [LYING]
    for dimension in there.dimensions:
        heading = f"Effect of a Mission's lying there on win share by {dimension}{at}"
        made += [cells.figure(there, dimension, heading)] if dimension == "faction" else []
        made += cells.tables(there, dimension, heading)
    made += cells.outstanding(there, f"Missions that matter by lying there{at}")
    made.append(COLUMN)
    for dimension in column.dimensions:
        heading = f"Effect of a Mission's column on win share by {dimension}{at}"
        made += [cells.figure(column, dimension, heading)] if dimension == "faction" else []
        made += cells.tables(column, dimension, heading)
    made += cells.outstanding(column, f"Columns of Missions that matter{at}")
    return made


def effects(basis: Basis, players: int, kinds: Sequence[str], labels: Sequence[str]) -> tuple[Cells, Cells]:
    """What each kind's lying there does, and each column of it, against games without and other columns."""
    levels = cells.dimensions(basis, players, "faction", "seat", "strategy")
    sums = [_sums(basis, players, kinds, name) for name in levels]
    (n, wins), (lying_n, lying_wins) = (
        [np.concatenate([each[k][name] for each in sums], axis=-1) for name in ("n", "wins")]
        for k in range(2)
    )
    families = cells.families(levels)
    there_n, there_wins = lying_n.sum(2), lying_wins.sum(2)
    lies = crossed(there_n, there_wins, n[:, None] - there_n, wins[:, None] - there_wins, families, LEVEL)
    once_n, once_wins = lying_n[:, :, 1:], lying_wins[:, :, 1:]
    other_n, other_wins = (of.sum(2, keepdims=True) - of for of in (once_n, once_wins))
    shape = (len(n), -1, len(families))
    column_n, column_wins, other_n, other_wins = (
        of.reshape(shape) for of in (once_n, once_wins, other_n, other_wins)
    )
    column = crossed(column_n, column_wins, other_n, other_wins, families, LEVEL)
    rows = tuple(f"{label}, Turn {turn}" for label in labels for turn in turns(basis))
    return (
        Cells("Mission", tuple(labels), levels, Kind.GAIN, lies),
        Cells("Mission, column", rows, levels, Kind.GAIN, column),
    )


def _sums(basis: Basis, players: int, kinds: Sequence[str], level: str) -> list[tallies.Grid]:
    """Seats `n` and their `wins` by cluster and level: of all games, and by Mission and column.

    The first column, 0, is that of Missions that lie there twice.
    """
    names: dict[str, Sequence[Any]] = {
        "faction": basis.factions, "seat": range(players), "strategy": basis.strategies,
    }  # fmt: skip
    by_block = basis.by_block
    if level != "faction":
        by_block = (
            f"(SELECT block, players, {level}, count(*)::DOUBLE AS n, sum(win_share)::DOUBLE AS wins "
            f"FROM seats WHERE {tallies.counted('seats', players)} GROUP BY ALL)"
        )
    found = []
    for more in ({}, {"mission": kinds, "column_turn": [0, *turns(basis)]}):
        joined = f"{lying(basis)} JOIN {by_block} USING (block)" if more else by_block
        query = (
            f"SELECT {basis.group} AS cluster, {''.join(f'{key}, ' for key in more)}{level}, "
            f"sum(n) AS n, sum(wins) AS wins FROM {joined} WHERE players = {players} GROUP BY ALL"
        )
        found.append(tallies.grid(basis.run, query, {**more, level: names[level]}, basis.clusters(players)))
    return found
