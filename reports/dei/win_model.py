"""The win share model of a run: fitted once a player count, and as shares over the whole design."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from reports.dei.basis import LEVEL, ORDINALS, titles
from reports.dei.seated import Seated, design, seated
from simlab.stats.choice_kinds import Kinds, fit_kinds, influence
from simlab.stats.intervals import EMPTY
from simlab.stats.standardisation import Cells, gaps, standardised_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reports.dei.basis import Basis
    from reports.dei.seated import Ints
    from simlab.stats.choice_model import Fit
    from simlab.stats.intervals import Estimate, Floats

LEAST = 30  # blocks
Labels = tuple[str, ...]
Size = tuple[int, int, int]  # factions, seats, strategies


@dataclass(frozen=True, eq=False)
class Family:
    """Levels of one kind: their name, labels, and the weights that make them of the cells (L, C)."""

    column: str
    head: str
    labels: Labels
    cells: Floats

    def named(self, label: str) -> str:
        """A level as the head of a row or column."""
        return f"{label} seat" if self.column == "seat" else label

    def said(self, label: str) -> str:
        """A level within a sentence."""
        return f"the {label} seat" if self.column == "seat" else label


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model of the games with so many players, as standardised cells (faction, seat, strategy).

    `played` (C,): how many seats each cell had. `families`: factions, seats and, of several, strategies.
    """

    players: int
    clusters: int
    cells: Cells
    played: Ints
    families: tuple[Family, ...]

    def estimates(self, family: Family, *, together: bool) -> tuple[Estimate, ...]:
        """The standardised win shares of a family; no estimate for what never played."""
        levels = self.cells.levels(family.cells)
        rows = (family.cells > 0) @ self.played
        found = levels.estimates(rows, self.clusters, LEVEL, share=True, together=together)
        return tuple(EMPTY if isnan(each.value) or not each.n else each for each in found)

    def beyond(self, one: Family, other: Family) -> tuple[tuple[Estimate, ...], ...]:
        """By how much each pair's share differs from what its two levels add up to, rows of `other`."""
        ways = one.cells.shape[1] / (len(one.labels) * len(other.labels))
        pair = (one.cells[None] > 0) & (other.cells[:, None] > 0)  # (other, one, C)
        mean = np.full(one.cells.shape[1], 1 / one.cells.shape[1])
        a = pair / ways - one.cells[None] - other.cells[:, None] + mean
        levels = self.cells.levels(a.reshape(-1, one.cells.shape[1]))
        found = levels.estimates(
            (pair @ self.played).ravel(), self.clusters, LEVEL, share=False, together=True
        )
        known = [each if each.n and each.sure else EMPTY for each in found]
        width = len(one.labels)
        return tuple(tuple(known[k : k + width]) for k in range(0, len(known), width))


def least(basis: Basis, players: int) -> int:
    """Blocks that the model needs: twice as many as it has free coefficients, and LEAST."""
    factions, strategies = len(basis.factions), len(basis.strategies)
    by_strategy = (factions + players - 1 - basis.mirrored) * (strategies - 1)
    return max(LEAST, 2 * (factions * players - 1 + by_strategy))


def model(basis: Basis, players: int) -> Model | None:
    """The model of the games with so many players, fitted once a report; None with too few blocks."""
    return basis.once(("model", players), lambda: _model(basis, players))


def _model(basis: Basis, players: int) -> Model | None:
    games = seated(basis, players)
    if games.blocks < least(basis, players):
        return None
    size = (len(basis.factions), players, len(basis.strategies))
    x = columns_of(size, games.faction, games.strategy)
    fitted = fit_kinds(Kinds(x, games.kind, games.winner, games.block))
    cells = _standardised(fitted, size, design(basis, players))
    played = played_cells(games, size).ravel()
    return Model(players, fitted.clusters, cells, played, tuple(_families(basis, size)))


@dataclass(frozen=True, eq=False)
class Ranked:
    """The same model fitted to all places (Plackett–Luce), and by how much its shares differ.

    `gaps`: of each family that was asked for, a level's share by all places less that by who won alone.
    """

    model: Model
    gaps: tuple[tuple[Estimate, ...], ...]


def by_all_places(basis: Basis, found: Model, families: Sequence[Family]) -> Ranked | None:
    """None where places say no more than who won: with two players, or where a run has them of some seats."""
    games = seated(basis, found.players)
    orders = games.orders if found.players > 2 else None
    if orders is None:
        return None
    size = (len(basis.factions), found.players, len(basis.strategies))
    x = columns_of(size, games.faction, games.strategy)
    all_places = Kinds.of_rankings(x, games.kind, orders, games.block)
    fitted, firsts = fit_kinds(all_places), found.cells.fitted
    cells = _standardised(fitted, size, design(basis, found.players))
    moves = influence(all_places, fitted), influence(Kinds(x, games.kind, games.winner, games.block), firsts)
    levels = np.concatenate([family.cells for family in families])
    apart = iter(gaps(cells, found.cells, moves, levels, LEVEL))
    return Ranked(replace(found, cells=cells), tuple(tuple(next(apart) for _ in f.labels) for f in families))


def mirrors(basis: Basis, players: int, strategy: int) -> tuple[Estimate, ...]:
    """What each faction (F) wins by the model where all seats play a strategy; nothing without a model."""
    found = model(basis, players)
    if found is None:
        return (EMPTY,) * len(basis.factions)
    size = (len(basis.factions), players, len(basis.strategies))
    tables = ((faction[:1], np.full((1, players), strategy)) for faction, _ in design(basis, players))
    cells = _standardised(found.cells.fitted, size, tables)
    which = np.indices(size).reshape(3, -1)
    belongs = (which[0] == np.arange(size[0])[:, None]) & (which[2] == strategy)
    factions = replace(found.families[0], cells=belongs / belongs.sum(axis=1, keepdims=True))
    return replace(found, cells=cells).estimates(factions, together=False)


def _standardised(fitted: Fit, size: Size, tables: Iterable[tuple[Ints, Ints]]) -> Cells:
    described = ((columns_of(size, *table), _cells(size, *table)) for table in tables)
    return standardised_cells(fitted, described, int(np.prod(size)))


def columns_of(size: Size, faction: Ints, strategy: Ints) -> Floats:
    """Tables (M, P) as x (M, P, K): each faction in each seat, both by each of several strategies."""
    factions, players, strategies = size
    by_seat: Floats = np.eye(factions * players)[faction * players + np.arange(players)]
    if strategies == 1:
        return by_seat
    by_strategy = np.eye(factions * strategies)[faction * strategies + strategy]
    seat_by_strategy = np.eye(players * strategies)[np.arange(players) * strategies + strategy]
    return np.concatenate([by_seat, by_strategy, seat_by_strategy], axis=2)


def _cells(size: Size, faction: Ints, strategy: Ints) -> Ints:
    _, players, strategies = size
    return np.asarray((faction * players + np.arange(players)) * strategies + strategy, np.int64)


def _families(basis: Basis, size: Size) -> Iterator[Family]:
    labels = (titles(basis.factions), ORDINALS[: size[1]], basis.strategies)
    heads = (("faction", "Faction"), ("seat", "Seat"), ("strategy", "Strategy"))
    for axis, (names, (column, head)) in enumerate(zip(labels, heads, strict=True)):
        if len(names) > 1:
            which = np.indices(size)[axis].ravel()
            belongs = which[None, :] == np.arange(size[axis])[:, None]
            yield Family(column, head, tuple(names), belongs / belongs.sum(axis=1, keepdims=True))


def played_cells(games: Seated, size: Size) -> Ints:
    """How many seats were played by faction, seat and strategy."""
    often = np.bincount(games.kind, minlength=len(games.faction))
    cells = _cells(size, games.faction, games.strategy)
    counts = np.bincount(cells.ravel(), np.repeat(often, games.players), int(np.prod(size)))
    return np.asarray(counts, np.int64).reshape(size)
