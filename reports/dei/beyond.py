"""What two kinds of levels do together beyond what each does alone: faction, seat and strategy by pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.document import Column, Figure, Heat, Kind, Part, Table
from reports.numbers import listed, one

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.dei.basis import Basis
    from reports.dei.win_model import Family, Model
    from simlab.stats.intervals import Estimate

NOTE = (
    "By how many points the win share of a {one} {where} differs from what {one} and {other} add up to. "
    "The intervals hold for all cells of the table together."
)
ADDS_UP = "{pair}{at}: nothing can be told beyond the two."
WHERE = {"seat": "in a seat", "strategy": "played by a strategy"}
MOST_NAMED = 3


def parts(basis: Basis, found: Model, first: Family, other: Family) -> list[Part]:
    """A figure, a table with a row a level of `other`, and what stands out."""
    at = basis.at(found.players)
    pair = f"{first.head} and {other.column}"
    cells = found.beyond(first, other)
    if not any(cell.known for row in cells for cell in row):
        return [ADDS_UP.format(pair=pair, at=at)]
    title = f"{pair}: beyond the two{at}"
    rows, heads = (tuple(map(family.named, family.labels)) for family in (other, first))
    columns = (Column(other.head, Kind.TEXT), *(Column(head, Kind.GAIN) for head in heads))
    note = NOTE.format(one=first.column, other=other.column, where=WHERE[other.column])
    heat = Heat(rows, heads, cells, Kind.GAIN, 0.0)
    table = Table(columns, tuple((label, *row) for label, row in zip(rows, cells, strict=True)), title, note)
    return [Figure(title, heat), table, _standing_out(first, other, cells)]


def _standing_out(first: Family, other: Family, cells: Sequence[Sequence[Estimate]]) -> str:
    """The cells whose interval leaves out 0."""
    where = "in" if other.column == "seat" else "by"
    named = off_zero(
        (f"{first.said(column)} {where} {other.said(row)}", each)
        for row, line in zip(other.labels, cells, strict=True)
        for column, each in zip(first.labels, line, strict=True)
    )
    if not named:
        return f"No {first.column} is shown to depend on the {other.column} otherwise than the others do."
    return f"Shown to depend on the {other.column} otherwise than the others: {named}."


def off_zero(found: Iterable[tuple[str, Estimate]]) -> str:
    """Those by name whose interval leaves out 0, the largest first; nothing if there are none."""
    off = [(each, said) for said, each in found if each.sure and not each.low <= 0 <= each.high]
    off.sort(key=lambda pair: -abs(pair[0].value))
    named = [f"{said} ({one(Kind.GAIN, each)})" for each, said in off[:MOST_NAMED]]
    return listed(named) + (f"; {len(off) - MOST_NAMED} more" if len(off) > MOST_NAMED else "")
