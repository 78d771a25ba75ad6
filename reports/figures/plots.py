"""Plain data to pictures, with matplotlib: a function a kind of plot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from math import inf
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from reports.document import Bars, Boxes, Dots, Figure, Heat, Kind, Lines, Map, Plot, Scatter, Strips
from reports.figures import ink, maps
from reports.figures.words import alt, quantiles
from reports.numbers import SHARES, one, short, tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDTH = 6.6  # inches, of 72 points each: legible on a phone without scrolling
ROW = 0.31
STRIP = 0.42  # a row with a draw's dots
GOLDEN = 0.618034  # multiples of it spread evenly over 0 … 1
LEGEND = 0.24  # a line of it
IN_A_LINE = 3


def svg(figure: Figure, name: str) -> str:
    """A figure as SVG; `name` keeps its ids apart from those of other figures on a page."""
    if isinstance(figure.plot, Map):
        return maps.svg(figure.plot, name, alt(figure))
    with mpl.rc_context({**ink.STYLE, "svg.hashsalt": name}):
        drawing = Drawing(figure.plot)
        draw(figure.plot, drawing)
        return ink.finished(drawing.canvas, name, drawing.tips, alt(figure))


class Drawing:
    """A canvas with the tips of what is drawn on it."""

    def __init__(self, plot: Plot) -> None:
        self.tips: list[str] = []
        self.scale = 100.0 if getattr(plot, "kind", Kind.AMOUNT) in SHARES else 1.0
        self.canvas = Canvas(figsize=(WIDTH, 1.0))
        self.axes: Axes = self.canvas.add_axes((0, 0, 1, 1))

    def sized(
        self, height: float, left: float, right: float = 0.3, top: float = 0.12, below: float = 0.55
    ) -> None:
        """Height of the plotting area and room around it, in inches; `below` is for the axis."""
        total = height + below + top
        self.canvas.set_size_inches(WIDTH, total)
        room = WIDTH - left - right
        self.axes.set_position((left / WIDTH, below / total, room / WIDTH, height / total))

    def tip(self, artist: Any, text: str) -> None:
        """Say `text` when the pointer rests on an artist."""
        artist.set_gid(f"tip-{len(self.tips)}")
        self.tips.append(text)


def margin(labels: Any) -> float:
    """Room for the longest label, in inches."""
    return 0.2 + 0.08 * max((len(label) for label in labels), default=0)


@singledispatch
def draw(plot: Any, on: Drawing) -> None:
    """Draw a plot on a canvas."""
    raise TypeError(f"no picture is drawn of {type(plot).__name__} on {on.canvas}")


@draw.register
def _(plot: Dots, on: Drawing) -> None:
    ax, scale = on.axes, on.scale
    labels = [row.label for row in plot.rows]
    texts = [one(plot.kind, row.at) for row in plot.rows]
    on.sized(max(2, len(labels)) * ROW, margin(labels), right=margin(texts))
    if plot.target is not None:
        _band(ax, scale, plot.target, plot.band)
    for y, row in enumerate(plot.rows):
        if not row.at.known:
            continue
        colour = ink.ACCENT if row.stands_out else ink.MUTED
        if row.together is not None and row.together.sure:
            ax.plot([scale * row.together.low, scale * row.together.high], [y, y], color=colour, lw=1)
        if row.at.sure:
            ax.plot(
                [scale * row.at.low, scale * row.at.high], [y, y], color=colour, lw=4, solid_capstyle="butt"
            )
        (dot,) = ax.plot([scale * row.at.value], [y], "o", color=colour, ms=7, mec=ink.PAPER, mew=1)
        on.tip(dot, f"{row.label}: {tip(plot.kind, row.at)}")
        ax.text(
            1.02, y, texts[y], transform=ax.get_yaxis_transform(), va="center",
            color=ink.INK if row.stands_out else ink.MUTED, fontweight="bold" if row.stands_out else "normal",
        )  # fmt: skip
    _rows(ax, labels)
    ax.grid(axis="x", color=ink.LINE, lw=0.6)
    ax.set_xlabel(plot.axis, loc="left")


@draw.register
def _(plot: Strips, on: Drawing) -> None:
    ax, scale = on.axes, on.scale
    labels = [row.label for row in plot.rows]
    texts = [one(plot.kind, row.at) for row in plot.rows]
    on.sized(max(2, len(labels)) * STRIP, margin(labels), right=margin(texts))
    _band(ax, scale, plot.target, plot.band)
    for y, row in enumerate(plot.rows):
        for number, drawn in enumerate(row.draws):
            if drawn.known:
                above = 0.3 * (
                    (number * GOLDEN) % 1 - 0.5
                )  # spread, so that equal ones don't hide each other
                (dot,) = ax.plot(
                    [scale * drawn.value], [y + above], "o", color=ink.MUTED, ms=4, alpha=0.55, mew=0
                )
                on.tip(dot, f"{row.label}, draw {number + 1}: {tip(plot.kind, drawn)}")
        if row.at.known:
            colour = ink.ACCENT if row.stands_out else ink.INK
            (own,) = ax.plot([scale * row.at.value] * 2, [y - 0.33, y + 0.33], color=colour, lw=3)
            on.tip(own, f"{row.label}: {tip(plot.kind, row.at)}")
        ax.text(
            1.02, y, texts[y], transform=ax.get_yaxis_transform(), va="center",
            color=ink.INK if row.stands_out else ink.MUTED, fontweight="bold" if row.stands_out else "normal",
        )  # fmt: skip
    _rows(ax, labels)
    ax.grid(axis="x", color=ink.LINE, lw=0.6)
    ax.set_xlabel(plot.axis, loc="left")


def _band(ax: Axes, scale: float, target: float, band: float) -> None:
    """A grey band around a target."""
    ax.axvspan(scale * (target - band), scale * (target + band), color=ink.BAND, lw=0, zorder=0)
    ax.axvline(scale * target, color=ink.MUTED, lw=0.8, zorder=1)


@draw.register
def _(plot: Heat, on: Drawing) -> None:
    ax = on.axes
    on.sized(len(plot.rows) * ROW, margin(plot.rows), top=0.4, below=0.06)
    away = [abs(e.value - plot.centre) for row in plot.cells for e in row if e.known]
    most = max(away, default=0.0) or 1.0
    for y, cells in enumerate(plot.cells):
        for x, estimate in enumerate(cells):
            if not estimate.known:
                ax.text(x, y, "–", ha="center", va="center", color=ink.MUTED)
                continue
            gap = estimate.value - plot.centre
            (box,) = ax.fill(
                [x - 0.48, x + 0.48, x + 0.48, x - 0.48], [y - 0.45, y - 0.45, y + 0.45, y + 0.45],
                color=ink.HIGH if gap > 0 else ink.LOW, alpha=0.04 + 0.56 * abs(gap) / most, lw=0,
            )  # fmt: skip
            on.tip(box, f"{plot.rows[y]}, {plot.columns[x]}: {tip(plot.kind, estimate)}")
            ax.text(x, y, short(plot.kind, estimate), ha="center", va="center")
    _rows(ax, plot.rows)
    ax.set_xlim(-0.5, len(plot.columns) - 0.5)
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(plot.columns)), plot.columns)
    ax.tick_params(axis="x", length=0, labelcolor=ink.INK)
    ax.spines["bottom"].set_visible(False)


@draw.register
def _(plot: Bars, on: Drawing) -> None:
    ax = on.axes
    on.sized(
        len(plot.rows) * 0.42,
        margin(plot.rows),
        right=0.55,
        top=0.1 + LEGEND * -(-len(plot.series) // IN_A_LINE),
    )
    most = max((sum(e.value for e in row if e.known) for row in plot.cells), default=0.0) or 1.0
    for k, name in enumerate(plot.series):
        ax.barh([-9], [0], color=ink.SERIES[k], label=name)
    for y, cells in enumerate(plot.cells):
        begin = 0.0
        for k, estimate in enumerate(cells):
            size = estimate.value if estimate.known else 0.0
            (bar,) = ax.barh([y], [size], left=begin, height=0.66, color=ink.SERIES[k], ec=ink.PAPER, lw=0.8)
            on.tip(bar, f"{plot.rows[y]}, {plot.series[k]}: {tip(Kind.AMOUNT, estimate)}")
            if size > 0.06 * most:
                ax.text(
                    begin + size / 2,
                    y,
                    short(Kind.AMOUNT, estimate),
                    ha="center",
                    va="center",
                    color=ink.ON_SERIES[k],
                    fontsize=9,
                )
            begin += size
        ax.text(begin + 0.01 * most, y, f"{begin:.1f}", va="center", fontweight="bold")
    _rows(ax, plot.rows)
    ax.set_xlim(0, 1.02 * most)
    ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=IN_A_LINE, frameon=False, fontsize=9.5,
        borderaxespad=0, handlelength=0.9, handleheight=0.9, columnspacing=1.6,
    )  # fmt: skip
    ax.grid(axis="x", color=ink.LINE, lw=0.6)
    ax.set_xlabel(plot.axis, loc="left")


@draw.register
def _(plot: Boxes, on: Drawing) -> None:
    ax = on.axes
    labels = [label for label, _ in plot.rows]
    on.sized(max(2, len(labels)) * ROW, margin(labels), right=0.5)
    for y, (label, at) in enumerate(plot.rows):
        if not all(e.known for e in at):
            continue
        values = [e.value for e in at]
        ax.plot([values[0], values[4]], [y, y], color=ink.ACCENT, lw=1.2)
        ax.plot([values[1], values[3]], [y, y], color=ink.ACCENT, lw=9, alpha=0.35, solid_capstyle="butt")
        (dot,) = ax.plot([values[2]], [y], "o", color=ink.ACCENT, ms=8, mec=ink.PAPER, mew=1)
        on.tip(dot, f"{label}: {quantiles(at)}")
        ax.text(
            values[2], y - 0.24, f"{values[2]:g}", ha="center", va="bottom", fontsize=9, fontweight="bold"
        )
    _rows(ax, labels)
    ax.grid(axis="x", color=ink.LINE, lw=0.6)
    ax.set_xlabel(plot.axis, loc="left")


@draw.register
def _(plot: Lines, on: Drawing) -> None:
    ax, scale = on.axes, on.scale
    on.sized(2.4, 0.5, right=margin(name for name, _ in plot.series))
    ends: list[Tag] = []
    for k, (name, estimates) in enumerate(plot.series):
        colour = ink.SERIES[k % len(ink.SERIES)]
        known = [(x, e) for x, e in zip(plot.at, estimates, strict=True) if e.known]
        ax.plot([x for x, _ in known], [scale * e.value for _, e in known], color=colour, lw=2)
        for x, e in known:
            if e.sure:
                ax.plot([x, x], [scale * e.low, scale * e.high], color=colour, lw=1)
            (dot,) = ax.plot([x], [scale * e.value], "o", color=colour, ms=6, mec=ink.PAPER, mew=1)
            on.tip(dot, f"{name}, {plot.along} {x}: {tip(plot.kind, e)}")
        if known:
            ends.append(Tag(name, known[-1][0], scale * known[-1][1].value, colour))
    ax.margins(x=0.03, y=0.08)
    _apart(ends, ax)
    right = ax.get_yaxis_transform()
    for tag in ends:
        ax.text(1.01, tag.y, tag.text, transform=right, va="center", color=tag.colour, fontweight="bold")
    ax.set_xticks(plot.at)
    ax.tick_params(axis="y", labelcolor=ink.MUTED, labelsize=9.5)
    ax.grid(axis="y", color=ink.LINE, lw=0.6)
    ax.set_xlabel(f"{plot.along}; upwards: {plot.axis}", loc="left")


@draw.register
def _(plot: Scatter, on: Drawing) -> None:
    ax = on.axes
    on.sized(3.2, 0.5, right=0.3)
    across, up = (100.0 if kind in SHARES else 1.0 for kind in (plot.x_kind, plot.y_kind))
    ax.axhline(up * plot.level, color=ink.MUTED, lw=0.8)
    named: list[Tag] = []
    for spot in plot.spots:
        if not (spot.x.known and spot.y.known):
            continue
        x, y = across * spot.x.value, up * spot.y.value
        colour = ink.ACCENT if spot.named else ink.MUTED
        if spot.y.sure:
            ax.plot([x, x], [up * spot.y.low, up * spot.y.high], color=colour, lw=1, alpha=0.6)
        (dot,) = ax.plot([x], [y], "o", color=colour, ms=6.5, mec=ink.PAPER, mew=1)
        on.tip(
            dot,
            f"{spot.label}: {plot.x_axis} {one(plot.x_kind, spot.x)}; "
            f"{plot.y_axis} {one(plot.y_kind, spot.y)}",
        )
        if spot.named:
            named.append(Tag(spot.label, x, y, ink.INK))
    ax.margins(x=0.04, y=0.1)
    if plot.diagonal:
        _diagonal(ax)
    _apart(named, ax, near=0.2 * (ax.get_xlim()[1] - ax.get_xlim()[0]))
    for tag in named:
        right = tag.x < sum(ax.get_xlim()) / 2
        label = ax.annotate(
            tag.text, (tag.x, tag.y), xytext=(7 if right else -7, 0), textcoords="offset points", va="center",
            ha="left" if right else "right", fontsize=9.5, fontweight="bold",
        )  # fmt: skip
        label.set_gid(ink.LABEL)
    if all(float(spot.x.value).is_integer() for spot in plot.spots if spot.x.known):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.tick_params(axis="y", labelcolor=ink.MUTED, labelsize=9.5)
    ax.grid(color=ink.LINE, lw=0.6)
    ax.set_xlabel(f"{plot.x_axis}; upwards: {plot.y_axis}", loc="left")


def _diagonal(ax: Axes) -> None:
    """The part of the line y = x that lies in view."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    ends = [max(left, low), min(right, high)]
    if ends[0] < ends[1]:
        ax.plot(ends, ends, color=ink.MUTED, lw=0.8, ls=(0, (4, 3)), zorder=0)
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)


def _rows(ax: Axes, labels: Any) -> None:
    """Rows from top to bottom, each with its label."""
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.5, -0.5)


@dataclass
class Tag:
    """A label beside a point."""

    text: str
    x: float
    y: float
    colour: str


def _apart(tags: list[Tag], ax: Axes, near: float = inf) -> None:
    """Labels that would touch, `near` each other along x, are moved up, the lowest first."""
    low, high = ax.get_ylim()
    step = (high - low) * 0.065
    tags.sort(key=lambda tag: tag.y)
    for n, above in enumerate(tags):
        for below in tags[:n]:
            if abs(above.x - below.x) < near:
                above.y = max(above.y, below.y + step)
    over = max((tag.y for tag in tags), default=low) - high
    for tag in tags:
        tag.y -= max(0.0, over)
