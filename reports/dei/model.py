"""The win share model: factions, seats and strategies beside the same others, and what goes beyond them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from reports.dei import beyond, shares
from reports.dei.basis import LEVEL, ORDINALS, titles
from reports.dei.seated import Seated, design, seated
from reports.document import Column, Kind, Part, Section, Table
from reports.numbers import listed, word
from simlab.stats.choice_kinds import Kinds, fit_kinds
from simlab.stats.equivalence import verdicts
from simlab.stats.intervals import EMPTY
from simlab.stats.standardisation import Cells, standardised_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reports.dei.basis import Basis
    from reports.dei.seated import Ints
    from reports.dei.shares import Share
    from simlab.stats.choice_model import Fit
    from simlab.stats.intervals import Estimate, Floats

ABOUT = (
    "The *win share model* (a conditional logit) gives each faction in each seat{strategies} a strength; a "
    "seat's chance to win is its share of the strengths at the table. *Standardised* is what that comes to "
    "over all tables of the design, each counting alike: every line-up in every order of seats{mixed}. Where "
    "the games were as even as the design, it is the share as played; where not, the difference is due to "
    "who happened to meet whom."
)
READING = (
    "±, all at once and verdict as for factions. Intervals are clustered on blocks and don't rest on the "
    "model being right; the standardised share does."
)
UNTOLD = (
    "Nothing can be standardised{at}: these games leave open how some strengths compare, since one side "
    "never won against another."
)
FEW = "Too few blocks{at} for a model: {blocks}, where it takes {needed}."
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


def build(basis: Basis) -> Section:
    """Standardised beside raw shares at each player count, then what goes beyond them pair by pair."""
    about = ABOUT.format(**_told_of_strategies(basis))
    parts: list[Part] = [about]
    findings = []
    for players in basis.players:
        fitted = model(basis, players)
        if fitted is None:
            blocks, needed = seated(basis, players).blocks, least(basis, players)
            parts.append(FEW.format(at=basis.at(players), blocks=blocks, needed=needed))
            findings.append("")
            continue
        found, said = _of(basis, fitted)
        parts += found
        findings.append(said)
    return Section(
        "Win share model", (*parts, *([READING] if any(findings) else [])), basis.headline(findings)
    )


def _told_of_strategies(basis: Basis) -> dict[str, str]:
    """What the section says beside factions and seats where strategies differ."""
    if len(basis.strategies) < 2:
        return {"strategies": "", "mixed": ""}
    mixed = ", all seats played by each strategy" if basis.mirrored else ", each seat played by each strategy"
    return {"strategies": ", faction and seat by each strategy too,", "mixed": mixed}


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
    x = _columns(size, games.faction, games.strategy)
    fitted = fit_kinds(Kinds(x, games.kind, games.winner, games.block))
    cells = _standardised(fitted, size, design(basis, players))
    played = played_cells(games, size).ravel()
    return Model(players, fitted.clusters, cells, played, tuple(_families(basis, size)))


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
    described = ((_columns(size, *table), _cells(size, *table)) for table in tables)
    return standardised_cells(fitted, described, int(np.prod(size)))


def _columns(size: Size, faction: Ints, strategy: Ints) -> Floats:
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


def _of(basis: Basis, found: Model) -> tuple[list[Part], str]:
    parts: list[Part] = []
    changed: list[str] = []
    families = found.families[:2] if basis.mirrored else found.families  # there strategies win alike
    judgements = [judged(basis, found, family) for family in families]
    if not any(row.alone.known for rows in judgements for row in rows):
        return [UNTOLD.format(at=basis.at(found.players))], ""
    for family, rows in zip(families, judgements, strict=True):
        raw = as_played(basis, found, family)
        parts.append(_table(basis, found, family, raw, rows))
        changed += _changed(raw, rows)
    for one, other in combinations(found.families, 2):
        parts += beyond.parts(basis, found, one, other)
    return parts, f"standardised, {listed(changed) if changed else 'every verdict stays the same'}"


def _changed(raw: Sequence[Share], rows: Sequence[Share]) -> Iterator[str]:
    """`Farm-Z is too weak rather than undecided`."""
    for played, row in zip(raw, rows, strict=True):
        was, now = (word(each.verdict) for each in (played, row))
        if row.alone.sure and was != now:
            yield f"{row.label} {'are' if row.label in shares.PLURAL else 'is'} {now} rather than {was}"


def judged(basis: Basis, found: Model, family: Family) -> tuple[Share, ...]:
    """The standardised shares of a family against the band."""
    alone, together = (found.estimates(family, together=all_of) for all_of in (False, True))
    kinds = verdicts(alone, [1 / found.players] * len(alone), basis.band)
    scaled = shares.as_games(basis, found.players, alone, kinds)
    return tuple(shares.Share(*row) for row in zip(family.labels, alone, together, scaled, strict=True))


def as_played(basis: Basis, found: Model, family: Family) -> tuple[Share, ...]:
    """The shares of a family as they were played."""
    levels = {"faction": basis.factions, "seat": range(found.players), "strategy": basis.strategies}
    return shares.shares(basis, family.column, levels[family.column], family.labels, found.players)


def _table(basis: Basis, found: Model, family: Family, raw: Sequence[Share], rows: Sequence[Share]) -> Table:
    columns = (
        Column(family.head, Kind.TEXT),
        Column("As played", Kind.SHARE),
        Column("Standardised", Kind.SHARE),
        Column("All at once", Kind.RANGE),
        Column("Verdict", Kind.VERDICT),
    )
    cells = tuple(
        (row.label, played.alone, row.alone, row.together, row.verdict if row.alone.sure else None)
        for played, row in zip(raw, rows, strict=True)
    )
    return Table(columns, cells, f"Standardised win share by {family.column}{basis.at(found.players)}")
