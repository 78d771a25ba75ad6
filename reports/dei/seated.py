"""Who sat where, played by whom, and who won: a kind of table a row, and a kind and a winner a game.

DuckDB makes one number of each game's seats; all else is counting over a few hundred kinds, so that sections
on line-ups, models and strategies read the seats once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reports.dei import tallies

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reports.dei.basis import Basis

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Seated:
    """The N finished games with P players, of M kinds.

    `faction` (M, P) and `strategy` (M, P) of each seat, as `basis.factions` and `basis.strategies` number
    them; `kind` (N,), `winner` (N,), the seat that won, `block` (N,) and `cluster` (N,), the block or group
    of blocks that sections with many rows use (`Basis.group`), from 0; `places` (N,), those of all seats as
    the digits of a number to the base P + 1, the 1st seat's the last.
    """

    players: int
    faction: Ints
    strategy: Ints
    kind: Ints
    winner: Ints
    block: Ints
    cluster: Ints
    places: Ints

    @property
    def orders(self) -> Ints | None:
        """Who came first, second … (N, P), as seats; None where a game says it of some seats alone."""
        codes, which = np.unique(self.places, return_inverse=True)
        places = codes[:, None] // (self.players + 1) ** np.arange(self.players) % (self.players + 1)
        if (np.sort(places, axis=1) != np.arange(1, self.players + 1)).any():
            return None
        return np.asarray(places.argsort(axis=1)[which.ravel()], np.int64)

    @property
    def clusters(self) -> int:
        """How many blocks or groups of blocks there are."""
        return int(self.cluster.max(initial=-1)) + 1

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return int(self.block.max(initial=-1)) + 1

    @property
    def winning(self) -> tuple[Ints, Ints]:
        """Faction and strategy of each game's winner (N,)."""
        return self.faction[self.kind, self.winner], self.strategy[self.kind, self.winner]

    def line_ups(self) -> tuple[list[tuple[int, ...]], Ints]:
        """The sets of factions that met, and which of them each kind is (M,)."""
        found, which = np.unique(np.sort(self.faction, axis=1), axis=0, return_inverse=True)
        return [tuple(map(int, row)) for row in found], np.asarray(which.ravel(), np.int64)


def seated(basis: Basis, players: int) -> Seated:
    """The games with so many players, read once a report."""
    return basis.once(("seated", players), lambda: _seated(basis, players))


def _seated(basis: Basis, players: int) -> Seated:
    digits = {str(seat): (players + 1) ** seat for seat in range(players)}
    found = tallies.arrays(
        basis.run,
        f"SELECT any_value({basis.group})::BIGINT AS cluster, any_value(block)::BIGINT AS block, "
        f"{seating(basis, players)} AS kind, sum(seat * win_share)::BIGINT AS winner, "
        f"sum(coalesce(place, 0) * ({_numbered('seat', digits)}))::BIGINT AS places "
        f"FROM seats WHERE {tallies.counted('seats', players)} GROUP BY game ORDER BY game",
    )
    columns = {name: np.asarray(values, np.int64) for name, values in found.items()}
    faction, strategy, kind = seats_of(basis, players, columns["kind"])
    block, cluster = renumbered(columns["block"]), renumbered(columns["cluster"])
    return Seated(players, faction, strategy, kind, columns["winner"], block, cluster, columns["places"])


def seating(basis: Basis, players: int) -> str:
    """SQL for a number that says who sits where in a game: an aggregate over its rows of `seats`."""
    size = len(basis.strategies)
    base = len(basis.factions) * size
    faction, strategy = (
        _numbered(column, {tallies.literal(name): k for k, name in enumerate(names)})
        for column, names in (("faction", basis.factions), ("strategy", basis.strategies))
    )
    place = _numbered("seat", {str(seat): base**seat for seat in range(players)})
    return f"sum((({faction}) * {size} + ({strategy})) * ({place}))::BIGINT"


def seats_of(basis: Basis, players: int, seatings: Ints) -> tuple[Ints, Ints, Ints]:
    """Faction and strategy by kind and seat (M, P), and the kind of each of such numbers (N,)."""
    size = len(basis.strategies)
    base = len(basis.factions) * size
    kinds, kind = np.unique(seatings, return_inverse=True)
    seats = kinds[:, None] // base ** np.arange(players) % base
    return seats // size, seats % size, kind.ravel()


def renumbered(values: Ints) -> Ints:
    """Numbers of blocks from 0 without gaps; marking them is faster than sorting."""
    there = np.zeros(int(values.max(initial=-1)) + 1, np.int64)
    there[values] = 1
    return np.asarray((np.cumsum(there) - 1)[values], np.int64)


def _numbered(column: str, numbers: Mapping[str, int]) -> str:
    """SQL for the number of a column's value."""
    return f"CASE {column} {' '.join(f'WHEN {value} THEN {k}' for value, k in numbers.items())} END"


def design(basis: Basis, players: int) -> Iterator[tuple[Ints, Ints]]:
    """All tables of the design: faction (M, P) and strategy (M, P), in pieces, a line-up in an order each."""
    strategies = range(len(basis.strategies))
    mixed = ((s,) * players for s in strategies) if basis.mirrored else product(strategies, repeat=players)
    ways = np.array(list(mixed), np.int64)
    for line_up in combinations(range(len(basis.factions)), players):
        for order in permutations(line_up):
            yield np.broadcast_to(np.array(order, np.int64), ways.shape), ways
