"""A report as Markdown: GitHub's tables, padded so that the plain file reads well too; figures as links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.document import Figure, Kind, Section, Table
from reports.numbers import sizes, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

LEFT = {Kind.TEXT, Kind.VERDICT}


def markdown(sections: Sequence[Section], figures: str = "figures") -> str:
    """The whole report; the first section's title is the report's. `figures`: the folder of the pictures."""
    from reports.figures.words import alt

    lines: list[str] = []
    for n, section in enumerate(sections):
        lines += [f"{'#' if n == 0 else '##'} {section.heading}", ""]
        names = iter(section.named())
        for part in section.parts:
            if isinstance(part, str):
                lines += [part, ""]
                continue
            name, _ = next(names)
            if isinstance(part, Table):
                lines += [*_table(part), ""]
            else:
                lines += _figure(part, alt(part), f"{figures}/{name}.svg")
    return "\n".join(lines).rstrip() + "\n"


def note(table: Table) -> str:
    """What rests below a table: its note, and the rows behind its numbers."""
    return " ".join(text for text in (table.note, sizes(table)) if text)


def _figure(figure: Figure, alt: str, file: str) -> list[str]:
    told = alt.replace("[", "(").replace("]", ")").replace("\n", " ")
    return [f"**{figure.title}**", "", f"![{told}]({file})", "", *([figure.note, ""] if figure.note else [])]


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
    below = note(table)
    return [*head, *lines, *(["", below] if below else [])]


def _row(texts_: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    cells = [
        text.ljust(width) if at_left else text.rjust(width)
        for text, width, at_left in zip(texts_, widths, left, strict=True)
    ]
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
