"""Effects of many things on many levels, such as Missions on factions: tables, figures and what stands out.

The numbers are those of `simlab/stats/crossed.py`: a cell is called out only if its interval among all cells
at once leaves out nothing, and figures show cells drawn towards nothing by their noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from reports.dei.basis import ORDINALS, titles
from reports.document import Cell, Column, Figure, Heat, Kind, Part, Table
from reports.numbers import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.dei.basis import Basis
    from simlab.stats.crossed import Crossed
    from simlab.stats.intervals import Estimate

ABREAST = 4  # levels in a table, so that it fits a terminal
MANY = 24  # rows; of more than so many a terminal shows a few
BRIEF = 4
MOST_OUT = 12  # cells that stand out, on a terminal
PLURALS = {"faction": "factions", "seat": "seats", "strategy": "strategies"}
UNITS = {Kind.GAIN: ("points", 100.0), Kind.CHANGE: ("Supplies", 1.0)}
SHRUNK = (
    "Each cell is drawn towards nothing by as much of its distance as is noise (*shrunk*), so that colour "
    "means something. Orange: more, blue: less."
)
CLEAREST = (
    "The clearest of {cells} effects first, which may be the luckiest: below is what stands out among all."
)
OUT = (
    "Of {cells} effects those that are shown to be other than {what}; their intervals hold for all at once. "
    "Shrunk: what is left of an effect, as the strongest of many are partly the luckiest."
)


@dataclass(frozen=True)
class Cells:
    """Effects of `things` (R) on the levels of some `dimensions`, their labels in order (L in all).

    `head` says what the things are, `kind` the unit: GAIN for win share, CHANGE for Supplies.
    """

    head: str
    things: tuple[str, ...]
    dimensions: Mapping[str, tuple[str, ...]]
    kind: Kind
    found: Crossed

    def places(self, dimension: str) -> list[int]:
        """Which of the levels are those of a dimension."""
        return [k for k, family in enumerate(families(self.dimensions)) if family == dimension]

    def each(self) -> Iterator[tuple[str, str, Estimate, Estimate]]:
        """Thing, level, the effect among all and shrunk, cell by cell."""
        labels = [label for group in self.dimensions.values() for label in group]
        for thing, *rows in zip(self.things, self.found.together, self.found.shrunk, strict=True):
            for label, together, shrunk in zip(labels, *rows, strict=True):
                yield thing, label, together, shrunk


def families(dimensions: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The dimension of each level (L), as `crossed` wants it."""
    return [name for name, labels in dimensions.items() for _ in labels]


def dimensions(basis: Basis, players: int, *names: str) -> dict[str, tuple[str, ...]]:
    """Factions, seats or strategies as a report calls them; strategies only where several play."""
    every = {
        "faction": tuple(titles(basis.factions)),
        "seat": tuple(f"{one} seat" for one in ORDINALS[:players]),
        "strategy": basis.strategies,
    }
    return {name: every[name] for name in names if name != "strategy" or len(basis.strategies) > 1}


def figure(cells: Cells, dimension: str, heading: str) -> Figure:
    """A heat map of what is left of the effects once their noise is drawn off."""
    at = cells.places(dimension)
    shown = tuple(
        tuple(shrunk[k] if shrunk[k].sure else alone[k] for k in at)
        for shrunk, alone in zip(cells.found.shrunk, cells.found.alone, strict=True)
    )
    heat = Heat(cells.things, tuple(cells.dimensions[dimension]), shown, cells.kind, 0.0)
    return Figure(heading, heat, SHRUNK)


def tables(cells: Cells, dimension: str, heading: str) -> list[Table]:
    """The effects with their own intervals, the clearest first where they are many."""
    labels, at, alone = cells.dimensions[dimension], cells.places(dimension), cells.found.alone
    order = list(range(len(cells.things)))
    many = len(order) > MANY
    if many:
        order.sort(key=lambda r: -max(_clear(alone[r][k]) for k in at))
    note = CLEAREST.format(cells=len(order) * len(labels)) if many else ""
    rows = [(cells.things[r], [alone[r][k] for k in at]) for r in order]
    return abreast(cells.head, labels, cells.kind, rows, heading, note, BRIEF if many else 0)


def abreast(
    head: str,
    labels: Sequence[str],
    kind: Kind,
    rows: Sequence[tuple[str, Sequence[Estimate]]],
    heading: str,
    note: str = "",
    brief: int = 0,
) -> list[Table]:
    """Things by levels as one table, or as several where the levels are too many to stand abreast."""
    made = []
    for start in range(0, len(labels), ABREAST):
        some = slice(start, start + ABREAST)
        columns = (Column(head, Kind.TEXT), *(Column(label, kind) for label in labels[some]))
        shown: tuple[tuple[Cell, ...], ...] = tuple((thing, *found[some]) for thing, found in rows)
        made.append(Table(columns, shown, heading, note, brief))
    return made


def _clear(e: Estimate) -> float:
    """Standard errors from nothing."""
    return abs(e.value) / e.se if e.se > 0 else 0.0


def outstanding(cells: Cells, heading: str, beyond: str = "") -> list[Part]:
    """The cells that are shown to be other than nothing among all, or a sentence that none is.

    `beyond`: the mean that effects are told beyond, if they are.
    """
    judged = [row for row in cells.each() if row[2].sure]
    if not judged:
        return []
    out = [row for row in judged if row[2].se > 0 and not row[2].low <= 0 <= row[2].high]
    what = beyond or "nothing"
    if not out:
        none = f"none of {len(judged)} effects is shown to be other than {what}, at 95 % over all."
        return [f"{heading}: {none} {_scatter(cells)}".rstrip()]
    columns = (
        Column(cells.head, Kind.TEXT),
        Column("For", Kind.TEXT),
        Column("Beyond" if beyond else "Effect", cells.kind),
        Column("Shrunk", cells.kind),
    )
    rows = tuple(sorted(out, key=lambda row: -_clear(row[2])))
    note = f"{OUT.format(cells=len(judged), what=what)} {_scatter(cells)}".rstrip()
    return [Table(columns, rows, heading, note, MOST_OUT)]


def _scatter(cells: Cells) -> str:
    """By how much the true effects differ, as the shrinkage has it."""
    unit, scale = UNITS[cells.kind]
    known = {name: tau for name, tau in cells.found.scatter.items() if not isnan(tau)}
    said = [f"{scale * tau:.1f} {unit} over {PLURALS[str(name)]}" for name, tau in known.items()]
    return f"By estimate the true effects scatter by {listed(said)} (standard deviation)." if said else ""
