"""A report as one HTML file that needs nothing else: style, script and figures are in it."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from reports import guide
from reports.document import Cell, Column, Figure, Kind, Position, Table
from reports.figures.ink import DARK, HALO, LIGHT, css
from reports.markdown import LEFT, note
from reports.numbers import texts, tip
from simlab.stats.equivalence import Verdict
from simlab.stats.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reports.document import Section

TAGS = re.compile(r"(<[^>]+>)")
UNTOUCHED = ("<a ", "<code>")  # words inside these are left alone


@cache
def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("reports"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    return environment.get_template("report.html.j2")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def page(sections: Sequence[Section], pictures: Mapping[str, str]) -> str:
    """The whole report; `pictures` holds the SVG of each figure by its name."""
    explained = Explained()
    shown = [_section(section, pictures, explained.text) for section in sections]
    return str(
        _template().render(
            title=sections[0].title if sections else "Report",
            sections=shown,
            guide=Markup(_guide()),
            light=css(LIGHT),
            dark=css(DARK),
            halo=HALO,
        )
    )


@dataclass
class Explained:
    """Turns text into HTML and links each word of the guide where it is first used."""

    left: dict[str, guide.Word] = field(default_factory=lambda: dict(guide.words()))

    def text(self, text: str) -> Markup:
        """A paragraph's Markdown as HTML."""
        pieces = TAGS.split(_markdown().renderInline(text).strip())
        inside = ""
        for k, piece in enumerate(pieces):
            if piece.startswith("<"):
                inside = piece if piece.startswith(UNTOUCHED) else "" if piece.startswith("</") else inside
            elif not inside:
                pieces[k] = self._linked(piece)
        return Markup("".join(pieces))

    def _linked(self, text: str) -> str:
        for word, meant in sorted(self.left.items(), key=lambda entry: -len(entry[0])):  # of two the longer
            places = re.finditer(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", text, re.IGNORECASE)
            found = next((each for each in places if not self._in_link(text, each.start())), None)
            if found:
                del self.left[word]
                link = (
                    f'<a class="word" href="#{meant.anchor}" title="{html.escape(meant.says)}">{found[0]}</a>'
                )
                text = text[: found.start()] + link + text[found.end() :]
        return text

    @staticmethod
    def _in_link(text: str, at: int) -> bool:
        """Whether a place lies in a link that was just made, its text or its title."""
        return text.rfind("<a ", 0, at) > text.rfind("</a>", 0, at)


def _section(section: Section, pictures: Mapping[str, str], text: Callable[[str], Markup]) -> dict[str, Any]:
    names = iter(section.named())
    parts = []
    for part in section.parts:
        if isinstance(part, str):
            parts.append({"kind": "text", "html": text(part)})
        elif isinstance(part, Table):
            parts.append(_table(next(names)[0], part, text))
        else:
            parts.append(_figure(next(names)[0], part, pictures, text))
    finding = text(section.finding[:1].upper() + section.finding[1:])
    return {"key": section.key, "title": section.title, "finding": finding, "parts": parts}


def _figure(
    name: str, figure: Figure, pictures: Mapping[str, str], text: Callable[[str], Markup]
) -> dict[str, Any]:
    svg = Markup(pictures[name])
    return {"kind": "figure", "name": name, "title": figure.title, "svg": svg, "note": text(figure.note)}


def _table(name: str, table: Table, text: Callable[[str], Markup]) -> dict[str, Any]:
    shown = zip(*texts(table), strict=True)
    rows = [
        [_cell(*entry) for entry in zip(table.columns, row, line, strict=True)]
        for row, line in zip(table.rows, shown, strict=True)
    ]
    facts = not table.title and all(column.kind is Kind.TEXT for column in table.columns)
    if facts:
        rows = [[{**head, "html": text(head["text"])}, *rest] for head, *rest in rows]
    heads = [{"title": column.title, "left": column.kind in LEFT} for column in table.columns]
    return {
        "kind": "facts" if facts else "table",
        "name": name,
        "title": table.title,
        "heads": heads,
        "rows": rows,
        "note": text(note(table)),
    }


def _cell(column: Column, cell: Cell, text: str) -> dict[str, Any]:
    """A cell's text, what is said when the pointer rests on it, and the number that it is sorted by."""
    found = cell.at if isinstance(cell, Position) else cell
    told, sorted_by = "", None
    if isinstance(found, Estimate):
        told, sorted_by = tip(column.kind, found, column.of), found.value if found.known else None
    elif isinstance(found, Verdict):
        sorted_by = found.gap
    elif isinstance(found, int | float):
        sorted_by = found
    sort = "" if sorted_by is None or sorted_by != sorted_by else repr(float(sorted_by))  # noqa: PLR0124
    mark = found.kind if isinstance(found, Verdict) else ""
    return {"text": text, "tip": told, "sort": sort, "left": column.kind in LEFT, "mark": mark}


def _guide() -> str:
    """The page on reading a report, a heading lower, each explained word with its anchor."""
    text = _markdown().render(guide.page().split("\n", 1)[1])
    text = re.sub(r"<(/?)h2>", r"<\1h3>", text)
    text = re.sub(r'<a href="(?!#)[^"]*">(.*?)</a>', r"\1", text)  # to files that aren't here
    return re.sub(
        r"<p><strong>([^<]+)\.</strong>",
        lambda m: f'<p id="{guide.anchor(html.unescape(m[1]))}"><strong>{m[1]}.</strong>',
        text,
    )
