"""A table as CSV: plain numbers, an estimate as value, low, high and n, a column each."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from reports.document import Cell, Kind, Position, Table
from reports.numbers import verdict
from reports.structured import plain
from simlab.stats.equivalence import Verdict
from simlab.stats.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELDS = ("", " low", " high", " n")  # of an estimate


def comma_separated(table: Table) -> str:
    """The table with a line of heads. Fractions are fractions, not percent; what isn't there is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    wide = [_is_wide(table, k) for k in range(len(table.columns))]
    writer.writerow(
        [
            f"{column.title}{field}"
            for column, is_wide in zip(table.columns, wide, strict=True)
            for field in (FIELDS if is_wide else FIELDS[:1])
        ]
    )
    for row in table.rows:
        writer.writerow([x for cell, is_wide in zip(row, wide, strict=True) for x in _cells(cell, is_wide)])
    return out.getvalue()


def _is_wide(table: Table, k: int) -> bool:
    """Whether a column holds estimates; the intervals of another column's are that column's own."""
    return table.columns[k].kind is not Kind.TEXT and any(
        isinstance(row[k], Estimate | Position) for row in table.rows
    )


def _cells(cell: Cell, is_wide: bool) -> Iterator[Any]:
    if isinstance(cell, Verdict):
        yield verdict(cell)
        return
    found = cell.at if isinstance(cell, Position) else cell
    if isinstance(found, Estimate):
        data = plain(found)
        yield from (data[name] if found.known else None for name in ("value", "low", "high", "n"))
    else:
        yield plain(found)
        yield from [None] * (len(FIELDS) - 1 if is_wide else 0)
