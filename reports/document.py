"""What a section of a report is made of: plain data, without a word on how it will look.

A section builds these from a run; `markdown.py` and `terminal.py` render them. Both take the text of
every number from `numbers.py`, so they can't disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from simlab.stats.equivalence import Verdict
from simlab.stats.intervals import Estimate


class Kind(Enum):
    """What the cells of a column are."""

    TEXT = "text"  # str
    COUNT = "count"  # int
    SHARE = "share"  # Estimate of a fraction: 25.3 % ± 0.4
    RANGE = "range"  # the same Estimate's interval: 24.9–25.7 %
    POINTS = "points"  # float, a difference of fractions: +1.3
    AMOUNT = "amount"  # Estimate in the table's unit: 47.3 ± 0.2
    VERDICT = "verdict"  # Verdict


@dataclass(frozen=True)
class Position:
    """A quantile, in a column of amounts: 47 (46–48)."""

    at: Estimate


Cell = Estimate | Position | Verdict | float | int | str | None  # a float has no interval, None is empty


@dataclass(frozen=True)
class Column:
    """A column's head and what stands below it."""

    title: str
    kind: Kind


@dataclass(frozen=True)
class Table:
    """A table: `note` says what its numbers are and rests below it."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    note: str = ""


@dataclass(frozen=True)
class Section:
    """One part of a report: a title, then paragraphs and tables in order."""

    title: str
    parts: tuple[str | Table, ...]
