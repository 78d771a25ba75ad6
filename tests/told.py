"""What a report's sections say: a table by its title, a cell by its row and column."""

from __future__ import annotations

from reports.document import Cell, Section, Table
from simlab.stats.intervals import Estimate


def table(section: Section, title: str) -> Table:
    return next(part for part in section.parts if isinstance(part, Table) and part.title == title)


def cell(section: Section, title: str, row: str, column: str) -> Cell:
    found = table(section, title)
    at = [head.title for head in found.columns].index(column)
    return next(cells[at] for cells in found.rows if cells[0] == row)


def estimate(section: Section, title: str, row: str, column: str) -> Estimate:
    found = cell(section, title, row, column)
    assert isinstance(found, Estimate)
    return found
