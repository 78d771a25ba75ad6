"""A report as JSON: every number with its interval, rows and blocks, and as the text that the others show."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, Any

from reports.document import Cell, Position, Table
from reports.figures.words import alt
from reports.markdown import note
from reports.numbers import texts
from simlab.stats.equivalence import Verdict
from simlab.stats.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.document import Section

FORMAT = 1


def structured(sections: Sequence[Section]) -> str:
    """The whole report. Fractions are fractions here, not percent; what isn't there is null."""
    whole = {
        "format": FORMAT,
        "title": sections[0].title if sections else "",
        "sections": list(map(_section, sections)),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """Data as JSON knows it: an Estimate as an object, NaN and infinity as null."""
    if isinstance(value, Position):
        return plain(value.at)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        named = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        if isinstance(value, Estimate):
            named["blocks"] = named.pop("clusters")
        return named
    if isinstance(value, tuple | list):
        return [plain(entry) for entry in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _section(section: Section) -> dict[str, Any]:
    names = iter(section.named())
    parts = [
        {"text": part}
        if isinstance(part, str)
        else (_table if isinstance(part, Table) else _figure)(*next(names))
        for part in section.parts
    ]
    return {"key": section.key, "title": section.title, "finding": section.finding, "parts": parts}


def _table(name: str, table: Any) -> dict[str, Any]:
    shown = list(zip(*texts(table), strict=True))
    rows = [
        [_cell(cell, text) for cell, text in zip(*row, strict=True)]
        for row in zip(table.rows, shown, strict=True)
    ]
    columns = [{"title": column.title, "kind": column.kind.value} for column in table.columns]
    return {"table": name, "title": table.title, "columns": columns, "rows": rows, "note": note(table)}


def _cell(cell: Cell, text: str) -> dict[str, Any]:
    data = plain(cell)
    if isinstance(cell, Estimate | Position | Verdict):
        return {"text": text, **data}
    return {"text": text, "value": data}


def _figure(name: str, figure: Any) -> dict[str, Any]:
    plot = {"plot": type(figure.plot).__name__.lower(), **plain(figure.plot)}
    return {"figure": name, "title": figure.title, "alt": alt(figure), "data": plot, "note": figure.note}
