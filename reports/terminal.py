"""A report on the terminal, with rich's tables: the same data, the same numbers, no figures."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from rich import box
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from reports.document import Cell, Column, Kind, Section, Table
from reports.markdown import LEFT, note
from reports.numbers import texts
from simlab.stats.equivalence import BALANCED, UNBALANCED, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, JustifyMethod

WIDEST = 1_000
EMPHASIS = re.compile(r"(?<!\w)\*(\S[^*]*)\*(?!\w)")
COLOURS = {BALANCED: "green", UNBALANCED: "bold red"}


def show(sections: Sequence[Section], console: Console) -> None:
    """Print the report, as wide as the console; as far as somebody reads it (`| head`)."""
    with suppress(SystemExit):  # so rich ends where nobody reads on, but files are yet to be written
        for section in sections:
            _print_section(section, console)


def _print_section(section: Section, console: Console) -> None:
    console.print(Text(section.heading, style="bold underline"))
    for part in section.parts:
        if isinstance(part, Table):
            console.print()
            _print_table(part, console)
        elif isinstance(part, str):
            console.print()
            console.print(Text(_without_marks(part)))
    console.print()


def _print_table(table: Table, console: Console) -> None:
    if table.title:
        console.print(Text(table.title, style="bold"))
    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    columns = texts(table)
    for column, cells in zip(table.columns, columns, strict=True):
        # Numbers are never broken or cut short: a narrow terminal breaks the lines instead. Words may wrap.
        wraps = column is table.columns[-1] and column.kind in LEFT
        width = max(map(len, [column.title, *cells]))
        justify: JustifyMethod = "left" if column.kind in LEFT else "right"
        drawn.add_column(Text(column.title), justify=justify, min_width=min(width, 20) if wraps else width)
    shown = table.rows[: table.brief or None]
    for n, row in enumerate(shown):
        drawn.add_row(*(_styled(c, row[k], columns[k][n]) for k, c in enumerate(table.columns)))
    least = Measurement.get(console, console.options.update(max_width=WIDEST), drawn).minimum
    drawn.width = least if least > console.width else None
    console.print(drawn, crop=False)
    if len(shown) < len(table.rows):
        console.print(
            Text(f"and {len(table.rows) - len(shown)} more rows, in the report's files", style="dim")
        )
    below = note(table)
    if below:
        console.print(Text(_without_marks(below), style="dim"))


def _styled(column: Column, cell: Cell, text: str) -> Text:
    style = COLOURS.get(cell.kind, "") if column.kind is Kind.VERDICT and isinstance(cell, Verdict) else ""
    return Text(text, style=style)


def _without_marks(text: str) -> str:
    """Markdown's emphasis and code marks mean nothing on a terminal."""
    return EMPHASIS.sub(r"\1", text.replace("**", "").replace("`", ""))
