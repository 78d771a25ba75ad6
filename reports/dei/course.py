"""The course of games as arrays: what everybody had after each Turn, and their chance to win by that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reports.dei import tallies
from reports.dei.packed import packed, unpacked
from reports.dei.seated import Seated, seated
from simlab.stats.chances import cross_fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reports.dei.basis import Basis
    from reports.dei.seated import Ints
    from simlab.stats.intervals import Floats

LEAST = 30  # blocks that a model of chances takes, as many as other models
PLACES = 16  # more than Priority has
SEED = 23  # of the draw of halves


@dataclass(frozen=True, eq=False)
class Course:
    """The N finished games with P players, in the order of `seats`, after each of the T `turns`.

    `supplies`, `outposts`, `priority` (N, T, P), the latter the place in that Turn's Priority from 0; `final`
    (N, P): Supplies at the end. `winner` and `block` are those of `seats`.
    """

    turns: tuple[int, ...]
    seats: Seated
    supplies: NDArray[np.int16]
    outposts: NDArray[np.int16]
    priority: NDArray[np.int16]
    final: NDArray[np.int16]

    @property
    def standing(self) -> NDArray[np.int32]:
        """By Supplies, then Priority (N, T, P): the larger one leads, as at the end."""
        return self.supplies.astype(np.int32) * PLACES - self.priority

    def described(self, games: Ints, turn: int | None) -> Floats:
        """What is known of the seats of some games (n, P, K) after a Turn by its place, or before the first.

        Faction, seat and strategy; after a Turn also Supplies, Outposts and place in Priority, the first two
        with their squares about the table's mean: without, favourites' chances are some points too high.
        """
        kind = self.seats.kind[games]
        shape = (len(games), self.seats.players, 1)
        seat = np.broadcast_to(np.arange(self.seats.players), shape[:2])
        seats = self.seats
        columns = [
            _one_hot(seats.faction[kind], seats.faction),
            _one_hot(seat, seat),
            _one_hot(seats.strategy[kind], seats.strategy),
        ]
        if turn is not None:
            held = [each[games, turn] for each in (self.supplies, self.outposts, self.priority)]
            squares = [np.square(each - each.mean(axis=1, keepdims=True)) for each in held[:2]]
            columns += [each.astype(np.float64).reshape(shape) for each in (*held, *squares)]
        return np.concatenate(columns, axis=2)

    def chances(self) -> NDArray[np.float32]:
        """Each seat's chance to win before the first Turn and after each (N, T + 1, P), cross-fitted."""
        found = np.empty((len(self.seats.winner), len(self.turns) + 1, self.seats.players), np.float32)
        for place, turn in enumerate((None, *range(len(self.turns)))):
            found[:, place] = self._chances(turn)
        return found

    def _chances(self, turn: int | None) -> NDArray[np.float32]:
        winner, block = self.seats.winner, self.seats.block
        return cross_fitted(lambda games: self.described(games, turn), winner, block, SEED)


def _one_hot(level: Ints, all_levels: Ints) -> Floats:
    """A column a level, of those too that some games lack: coefficients are by column."""
    return np.eye(int(all_levels.max(initial=0)) + 1)[level]


def course(basis: Basis, players: int) -> Course | None:
    """The games with so many players, read once a report; None if there is no table of Turns to read."""
    return basis.once(("course", players), lambda: _course(basis, players))


def _course(basis: Basis, players: int) -> Course | None:
    if not basis.has("turns"):
        return None
    turns = tuple(row[0] for row in tallies.rows(basis.run, "SELECT DISTINCT turn FROM turns ORDER BY turn"))
    columns = {"supplies": "supplies", "held": f"outposts::INT * {PLACES} + priority"}
    each = [
        f"{packed(what, players, f'turn = {t}')} AS {name}{t}"
        for name, what in columns.items()
        for t in turns
    ]
    found = _by_game(basis, "turns", each, players)
    supplies, held = (
        np.stack([unpacked(found.pop(f"{name}{t}"), players) for t in turns], axis=1) for name in columns
    )
    outposts, priority = np.divmod(held, np.int16(PLACES))
    end = _by_game(basis, "seats", [f"{packed('supplies', players)} AS final"], players)
    final = unpacked(end["final"], players)
    return Course(turns, seated(basis, players), supplies, outposts, priority, final)


def _by_game(basis: Basis, table: str, columns: list[str], players: int) -> dict[str, Ints]:
    where = tallies.counted(table, players)
    query = f"SELECT {', '.join(columns)} FROM {table} WHERE {where} GROUP BY game ORDER BY game"
    return {name: np.asarray(values, np.int64) for name, values in tallies.arrays(basis.run, query).items()}
