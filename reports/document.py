"""What a section of a report is made of: plain data, without a word on how it will look.

A section builds these from a run; `html.py`, `markdown.py`, `structured.py` (JSON) and `terminal.py` render
them. All take the text of every number from `numbers.py`, so they can't disagree.
"""

from __future__ import annotations

import re
from collections import Counter
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
    GAIN = "gain"  # Estimate of a difference of fractions: +1.3 ± 0.4
    SPAN = "span"  # the interval of such a difference: −0.4 to +1.3
    AMOUNT = "amount"  # Estimate in the table's unit: 47.3 ± 0.2
    CHANGE = "change"  # Estimate of a difference in the table's unit: +1.3 ± 0.4
    VERDICT = "verdict"  # Verdict
    LEVEL = "level"  # Estimate of a fraction, its value alone: 25.3 %


@dataclass(frozen=True)
class Position:
    """A quantile, in a column of amounts: 47 (46–48)."""

    at: Estimate


Cell = Estimate | Position | Verdict | float | int | str | None  # a float has no interval, None is empty


@dataclass(frozen=True)
class Column:
    """A column's head and what stands below it; `of`: what its estimates are clustered on."""

    title: str
    kind: Kind
    of: str = "blocks"


@dataclass(frozen=True)
class Table:
    """A table: `note` says what its numbers are and rests below it.

    `brief`: rows that a terminal shows, all if 0; a long table has its most telling rows first.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    note: str = ""
    brief: int = 0


@dataclass(frozen=True)
class Dot:
    """A row of a dot plot: an estimate, and the same with an interval that holds for all rows together."""

    label: str
    at: Estimate
    together: Estimate | None = None
    stands_out: bool = False


@dataclass(frozen=True)
class Dots:
    """Estimates below each other on one axis, against `target` and a band of `band` on either side of it."""

    rows: tuple[Dot, ...]
    kind: Kind
    axis: str
    target: float | None = None
    band: float = 0.0


@dataclass(frozen=True)
class Strip:
    """A row of a strip plot: one's own estimate, and those of many draws beside it."""

    label: str
    at: Estimate
    draws: tuple[Estimate, ...]
    stands_out: bool = False


@dataclass(frozen=True)
class Strips:
    """Estimates of many draws a row on one axis, against `target` and a band of `band` either side of it."""

    rows: tuple[Strip, ...]
    kind: Kind
    axis: str
    target: float
    band: float


@dataclass(frozen=True)
class Heat:
    """A grid of estimates, coloured by how far each is above or below `centre`."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Estimate, ...], ...]  # by row
    kind: Kind
    centre: float


@dataclass(frozen=True)
class Bars:
    """Stacked bars: what a total is made of, a bar a row."""

    rows: tuple[str, ...]
    series: tuple[str, ...]
    cells: tuple[tuple[Estimate, ...], ...]  # by row
    axis: str


@dataclass(frozen=True)
class Boxes:
    """Distributions below each other: 5, 25, 50, 75 and 95 % of the values are at most so much."""

    rows: tuple[tuple[str, tuple[Estimate, ...]], ...]
    axis: str


@dataclass(frozen=True)
class Lines:
    """Estimates along whole numbers, a line a series."""

    at: tuple[int, ...]
    series: tuple[tuple[str, tuple[Estimate, ...]], ...]
    kind: Kind
    axis: str
    along: str


@dataclass(frozen=True)
class Spot:
    """A point of a scatter plot; `named` ones bear their label."""

    label: str
    x: Estimate
    y: Estimate
    named: bool = False


@dataclass(frozen=True)
class Scatter:
    """Two estimates of many things against each other; `level` is what y would be if nothing mattered.

    With `diagonal` the line on which both are the same is drawn too.
    """

    spots: tuple[Spot, ...]
    x_axis: str
    y_axis: str
    level: float
    x_kind: Kind = Kind.SHARE
    y_kind: Kind = Kind.SHARE
    diagonal: bool = False


@dataclass(frozen=True)
class Area:
    """A Region of a map, or what a tile shows of it: `at` is its number, `parts` of a whole make a bar in it.

    `signs` stand beside its name: what is printed there.
    """

    name: str
    roof: bool
    at: Estimate
    parts: tuple[Estimate, ...] = ()
    signs: str = ""


@dataclass(frozen=True)
class Sheet:
    """Areas that lie together: `spaces[row][column]` is the number of the one there; `title` stands above."""

    title: str
    spaces: tuple[tuple[int, ...], ...]
    areas: tuple[Area, ...]


@dataclass(frozen=True)
class Map:
    """Estimates where they belong on the board, or on its tiles; darker is more. `series` names the parts."""

    sheets: tuple[Sheet, ...]
    tile_size: int
    kind: Kind
    axis: str
    series: tuple[str, ...] = ()


Plot = Dots | Strips | Heat | Bars | Boxes | Lines | Scatter | Map


@dataclass(frozen=True)
class Figure:
    """A picture of numbers that a table nearby holds too; `note` says how to read it."""

    title: str
    plot: Plot
    note: str = ""


Part = str | Table | Figure


@dataclass(frozen=True)
class Section:
    """One part of a report: a title, what was found, then paragraphs, tables and figures in order.

    `key` names it in links and files; `reports.compose` sets it.
    """

    title: str
    parts: tuple[Part, ...]
    finding: str = ""
    key: str = ""

    @property
    def heading(self) -> str:
        """Title and finding in one line."""
        return f"{self.title}: {self.finding}" if self.finding else self.title

    def named(self) -> list[tuple[str, Table | Figure]]:
        """Its tables and figures, each with a name for its file: that of the section and what it shows."""
        found: list[tuple[str, Table | Figure]] = []
        seen: Counter[tuple[type, str]] = Counter()
        for part in self.parts:
            if isinstance(part, str):
                continue
            words = re.findall(r"[a-z0-9]+", part.title.lower()) or [type(part).__name__.lower()]
            name = "-".join([self.key or "section", *words])
            seen[type(part), name] += 1
            again = seen[type(part), name]
            found.append((name if again == 1 else f"{name}-{again}", part))
        return found
