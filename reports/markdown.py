"""A report as Markdown: GitHub's tables, padded so that the plain file reads well too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.document import Kind, Section, Table
from reports.numbers import texts

if TYPE_CHECKING:
    from collections.abc import Sequence

LEFT = {Kind.TEXT, Kind.VERDICT}


def markdown(sections: Sequence[Section]) -> str:
    """The whole report; the first section's title is the report's."""
    lines: list[str] = []
    for n, section in enumerate(sections):
        lines += [f"{'#' if n == 0 else '##'} {section.title}", ""]
        for part in section.parts:
            lines += [*(_table(part) if isinstance(part, Table) else [part]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _table(table: Table) -> list[str]:
    columns = [
        [column.title, *map(_escaped, cells)]
        for column, cells in zip(table.columns, texts(table), strict=True)
    ]
    widths = [max(3, *map(len, column)) for column in columns]
    left = [column.kind in LEFT for column in table.columns]
    rule = [("-" * w if at_left else "-" * (w - 1) + ":") for w, at_left in zip(widths, left, strict=True)]
    lines = [_row(line, widths, left) for line in zip(*columns, strict=True)]
    lines.insert(1, _row(rule, widths, left))
    head = [f"**{table.title}**", ""] if table.title else []
    return [*head, *lines, *(["", table.note] if table.note else [])]


def _row(texts_: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    cells = [
        text.ljust(width) if at_left else text.rjust(width)
        for text, width, at_left in zip(texts_, widths, left, strict=True)
    ]
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
