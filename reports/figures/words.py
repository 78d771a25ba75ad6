"""Figures in words, for whoever doesn't see them."""

from __future__ import annotations

from functools import singledispatch
from math import isnan
from typing import TYPE_CHECKING, Any

from reports.document import Bars, Boxes, Dots, Figure, Heat, Kind, Lines, Map, Scatter, Strips
from reports.numbers import one, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simlab.stats.intervals import Estimate


def alt(figure: Figure) -> str:
    """What a figure shows, in words: its title and every value."""
    return f"{figure.title}. {described(figure.plot)}."


def quantiles(at: Sequence[Estimate]) -> str:
    """Five quantiles in words."""
    low, quarter, middle, three, high = (f"{e.value:g}" for e in at)
    return f"median {middle}, half of the games {quarter} to {three}, nine in ten {low} to {high}"


@singledispatch
def described(plot: Any) -> str:
    """The values of a plot in words."""
    raise TypeError(f"nothing can be said of {type(plot).__name__}")


@described.register
def _(plot: Dots) -> str:
    return "; ".join(f"{row.label} {one(plot.kind, row.at)}" for row in plot.rows)


@described.register
def _(plot: Strips) -> str:
    return "; ".join(
        f"{row.label} {one(plot.kind, row.at)}{_drawn(plot.kind, row.draws)}" for row in plot.rows
    )


def _drawn(kind: Kind, draws: Sequence[Estimate]) -> str:
    known = sorted((e for e in draws if e.known), key=lambda e: e.value)
    if not known:
        return ""
    return f", {len(known)} draws from {short(kind, known[0])} to {short(kind, known[-1])}"


@described.register
def _(plot: Heat) -> str:
    return "; ".join(
        f"{label}: " + ", ".join(f"{c} {one(plot.kind, e)}" for c, e in zip(plot.columns, cells, strict=True))
        for label, cells in zip(plot.rows, plot.cells, strict=True)
    )


@described.register
def _(plot: Bars) -> str:
    return "; ".join(
        f"{label}: "
        + ", ".join(f"{s} {one(Kind.AMOUNT, e)}" for s, e in zip(plot.series, cells, strict=True))
        for label, cells in zip(plot.rows, plot.cells, strict=True)
    )


@described.register
def _(plot: Boxes) -> str:
    return "; ".join(
        f"{label}: {quantiles(at)}" for label, at in plot.rows if not any(isnan(e.value) for e in at)
    )


@described.register
def _(plot: Lines) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{x} {one(plot.kind, e)}" for x, e in zip(plot.at, estimates, strict=True))
        for name, estimates in plot.series
    )


@described.register
def _(plot: Scatter) -> str:
    named = [s for s in plot.spots if s.named] or plot.spots
    return "; ".join(f"{s.label} {one(plot.x_kind, s.x)}, {one(plot.y_kind, s.y)}" for s in named)


@described.register
def _(plot: Map) -> str:
    return "; ".join(
        f"{area.name} {one(plot.kind, area.at)}"
        + "".join(
            f", {name} {one(Kind.SHARE, part)}" for name, part in zip(plot.series, area.parts, strict=False)
        )
        for sheet in plot.sheets
        for area in sheet.areas
    )
