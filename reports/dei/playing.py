"""What a run of several strategies says of them as a game: who wins how much beside whom, as what faction."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import combinations_with_replacement
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from reports.dei.basis import LEVEL
from reports.dei.seated import Seated, seated
from simlab.stats.empirical_game import Reading, read
from simlab.stats.intervals import EMPTY, Estimate, Moments, share
from simlab.stats.profiles import ProfileRows, profile_numbers, profiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.dei.basis import Basis
    from reports.dei.seated import Ints


@dataclass(frozen=True, eq=False)
class Profiled:
    """Sums by cluster, profile, strategy and `faction` (N,) with so many players."""

    rows: ProfileRows
    faction: Ints


@dataclass(frozen=True, eq=False)
class Playing:
    """The games of so many players by profile, and what they say of strategies as a game."""

    games: Profiled
    reading: Reading


def playing(basis: Basis, players: int) -> Playing:
    """The game of strategies with so many players, read once a report."""
    return basis.once(("playing", players), lambda: _playing(basis, players))


def _playing(basis: Basis, players: int) -> Playing:
    games = games_by_profile(basis, players)
    found = read(games.rows, games.faction, len(basis.factions), confidence=LEVEL)
    known = {field.name: tuple(map(_or_empty, getattr(found, field.name))) for field in fields(found)}
    return Playing(games, Reading(**known))


def games_by_profile(basis: Basis, players: int) -> Profiled:
    """The games with so many players, by who plays how beside whom."""
    return Profiled(*profile_rows(seated(basis, players), len(basis.strategies), len(basis.factions)))


def _or_empty(found: Estimate) -> Estimate:
    return EMPTY if isnan(found.value) else found


def profile_rows(games: Seated, strategies: int, factions: int) -> tuple[ProfileRows, Ints]:
    """Seats and wins by cluster, profile, strategy and faction, and the faction of each row (N,)."""
    seated_ = np.stack([(games.strategy == s).sum(axis=1) for s in range(strategies)], axis=1)
    profile = profile_numbers(seated_) if len(seated_) else np.zeros(0, np.int64)
    cell = (profile[:, None] * strategies + games.strategy) * factions + games.faction  # (M, P)
    size = len(profiles(strategies, games.players)) * strategies * factions
    kinds = len(games.faction)
    pair, often = np.unique(games.cluster * kinds + games.kind, return_counts=True)
    cluster, kind = np.divmod(pair, max(1, kinds))
    key, which = np.unique(cluster[:, None] * size + cell[kind], return_inverse=True)
    seats = np.bincount(which.ravel(), np.repeat(often, games.players), len(key)).astype(np.float64)
    won_by = np.searchsorted(key, games.cluster * size + cell[games.kind, games.winner])
    won = np.bincount(won_by, minlength=len(key)).astype(np.float64)
    cluster, rest = np.divmod(key, size)
    rest, faction = np.divmod(rest, factions)
    profile, strategy = np.divmod(rest, strategies)
    return ProfileRows(games.players, strategies, profile, strategy, cluster, seats, won), faction


def payoffs(rows: ProfileRows) -> Iterator[tuple[Ints, tuple[Estimate, ...]]]:
    """For each way the other seats can be played (S): what a seat of each strategy wins beside them (S)."""
    cells = rows.profile * rows.strategies + rows.strategy
    order = np.argsort(cells, kind="stable")
    numbers, first = np.unique(cells[order], return_index=True)
    each = np.split(order, first[1:])
    found = {int(cell): _share(rows, mine) for cell, mine in zip(numbers, each, strict=True)}
    for others in combinations_with_replacement(range(rows.strategies), rows.players - 1):
        met = np.bincount(others, minlength=rows.strategies)
        whole = profile_numbers(met + np.eye(rows.strategies, dtype=np.int64))
        at = (int(profile) * rows.strategies + s for s, profile in enumerate(whole))
        yield met, tuple(_known(found.get(cell, EMPTY), met, s, rows.players) for s, cell in enumerate(at))


def _known(found: Estimate, met: Ints, strategy: int, players: int) -> Estimate:
    """Where all seats are played alike each wins an equal share on average: that needs no interval."""
    if met[strategy] < players - 1 or not found.n:
        return found
    return Estimate(1 / players, 0.0, 1 / players, 1 / players, found.n, found.clusters, LEVEL)


def _share(rows: ProfileRows, mine: np.ndarray) -> Estimate:
    blocks, block = np.unique(rows.block[mine], return_inverse=True)
    seats, won = (np.bincount(block.ravel(), x[mine], len(blocks)) for x in (rows.seats, rows.won))
    return share(Moments.of_blocks(seats, won), LEVEL)


def by_faction(
    rows: ProfileRows, faction: Ints, factions: int, mine: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Seats and wins by cluster and faction (G, F) of some rows, clusters without any left out."""
    blocks, block = np.unique(rows.block[mine], return_inverse=True)
    at = block.ravel() * factions + faction[mine]
    shape = (len(blocks), factions)
    seats, won = (
        np.bincount(at, x[mine], shape[0] * shape[1]).reshape(shape) for x in (rows.seats, rows.won)
    )
    return seats, won
