"""What it does to a faction that another one sits at the table: faction by faction, where line-ups vary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reports.dei.basis import LEVEL, title, titles
from reports.dei.seated import seated
from reports.document import Cell, Column, Figure, Heat, Kind, Part, Section, Table
from reports.numbers import one
from simlab.stats.equivalence import UNBALANCED, verdicts
from simlab.stats.intervals import EMPTY
from simlab.stats.presence import Presence, presences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

ABOUT = (
    "*Presence*: by how many points the win share of the row's faction changes when the column's faction "
    "sits at the table instead of somebody else. Line-ups are set by design, so this is an effect. A strong "
    "faction takes from all others: its whole column is negative. A cell that stands off from its column "
    "says that the two suit or hamper each other."
)
NONE = (
    "{at} there is nothing to tell: all {factions} factions sat at every table, so none was ever absent. An "
    "experiment with fewer players than factions would tell."
)
NOTE = "The intervals hold for all cells of the table together, clustered on blocks."
MOST_NAMED = 2


def build(basis: Basis) -> Section:
    """A figure and a matrix a player count, or why there is none."""
    parts: list[Part] = []
    findings: list[str] = []
    for players in basis.players:
        if players >= len(basis.factions):
            parts.append(NONE.format(at=f"With {players} players", factions=len(basis.factions)))
            continue
        found = effects(basis, players)
        parts += [] if findings else [ABOUT]
        parts += _matrix(basis, players, found)
        findings.append(_finding(basis, found))
    return Section("Presence of other factions", tuple(parts), basis.headline(findings))


def effects(basis: Basis, players: int) -> tuple[Presence, ...]:
    """The effect of each faction's presence on each other one."""
    games = seated(basis, players)
    sets, of_kind = games.line_ups()
    line_up, (winner, _) = of_kind[games.kind], games.winning
    shape = (games.clusters, len(sets), len(basis.factions))
    at = games.cluster * shape[1] + line_up
    counts = np.bincount(at, minlength=shape[0] * shape[1]).reshape(shape[:2])
    totals = np.bincount(at * shape[2] + winner, minlength=int(np.prod(shape))).reshape(shape)
    return presences(sets, counts, totals, LEVEL)


def _matrix(basis: Basis, players: int, found: Sequence[Presence]) -> list[Part]:
    by_pair = {(each.level, each.other): each.together for each in found}
    names = titles(basis.factions)
    numbers = range(len(names))
    cells = tuple(tuple(by_pair.get((f, g), EMPTY) for g in numbers) for f in numbers)
    heading = f"Presence of other factions{basis.at(players)}"
    columns = (Column("Faction", Kind.TEXT), *(Column(f"with {name}", Kind.GAIN) for name in names))
    rows: tuple[tuple[Cell, ...], ...] = tuple((names[f], *cells[f]) for f in numbers)
    heat = Heat(tuple(names), tuple(names), cells, Kind.GAIN, 0.0)
    note = "Rows: whose win share; columns: who is present. Orange: more, blue: less."
    return [Figure(heading, heat, note), Table(columns, rows, heading, NOTE)]


def _finding(basis: Basis, found: Sequence[Presence]) -> str:
    """`Farm-Z with Ravagers −6.1 ± 0.7`, of those that are shown to be out of the band."""
    judged = verdicts([each.alone for each in found], [0.0] * len(found), basis.band)
    out = [each for each, kind in zip(found, judged, strict=True) if kind.kind == UNBALANCED]
    if not out:
        return f"none is shown to change a win share by more than ±{100 * basis.band:g} points"
    out.sort(key=lambda each: -abs(each.alone.value))
    named = [
        f"{title(basis.factions[each.level])} with {title(basis.factions[each.other])} "
        f"{one(Kind.GAIN, each.together)}"
        for each in out[:MOST_NAMED]
    ]
    more = len(out) - MOST_NAMED
    return ", ".join(named) + (f"; {more} more out of the band" if more > 0 else "")
