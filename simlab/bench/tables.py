"""An answer for people, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simlab.bench.measures import Measure
from simlab.bench.question import Answer

if TYPE_CHECKING:
    from rich.table import Table


def tables(found: Answer) -> list[Table]:
    """A table a strategy, one of the whole command, one of the machine."""
    asked = found.question
    shown = [
        _table(
            f"{name}, {asked.players} players",
            [measure for measure in found.measures if measure.strategy == name],
        )
        for name in asked.strategies
    ]
    shown.append(_table("simlab", [measure for measure in found.measures if not measure.strategy]))
    return [*shown, _facts(found.machine)]


def _table(title: str, measures: Sequence[Measure]) -> Table:
    table = _blank(title)
    table.add_column("measure", no_wrap=True)
    for heading in ("median", "quartiles"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("bar", justify="right")  # the one that gives way where there is little room
    for measure in measures:
        middle_half = "" if measure.low is None or measure.high is None else _span(measure)
        table.add_row(measure.says, number(measure.value, measure.unit), middle_half, _bar(measure))
    return table


def _blank(title: str) -> Table:
    from rich import box
    from rich.table import Table

    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)


def _facts(facts: dict[str, str | int]) -> Table:
    table = _blank("Machine")
    table.show_header = False
    for name, value in facts.items():
        gigabytes = name == "memory_bytes"
        table.add_row("memory" if gigabytes else name, number(value, "bytes") if gigabytes else str(value))
    return table


def _span(measure: Measure) -> str:
    return " – ".join(number(value, measure.unit) for value in (measure.low, measure.high))


def _bar(measure: Measure) -> str:
    bar = measure.bar
    if bar is None:
        return ""
    limit = f"{'≥' if bar.at_least else '≤'} {number(bar.limit, measure.unit)}"
    aim = "" if bar.aim is None else f" (aim {number(bar.aim, measure.unit)})"
    return f"{limit}{aim} {'met' if measure.met else 'missed'}"


def number(value: Any, unit: str) -> str:
    """A figure with three or four digits that count."""
    if unit == "share":
        return f"{value:.1%}".replace("%", " %")
    if unit == "bytes":
        for size, name in ((2**30, "GiB"), (2**20, "MiB")):
            if value >= size:
                return f"{value / size:.1f} {name}"
        return f"{value:,.0f} B"
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 10 else 2
    seconds = " s" if unit == "s" else ""
    return f"{value:,.{digits}f}{seconds}"
