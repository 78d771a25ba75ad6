"""A map to SVG: the lines of the game's own board, its areas shaded by their numbers.

Written as text rather than drawn by matplotlib, since the lines are those that a page of a game has.
"""

from __future__ import annotations

from html import escape
from math import ceil, sqrt
from typing import TYPE_CHECKING

from reports.document import Kind
from reports.figures.ink import SERIES, SVG
from reports.numbers import EMPTY, short, tip
from simlab.games.dei.ground_plan import GroundPlan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reports.document import Area, Map, Sheet

SIDE = 36  # of a space
GAP = 14  # between tiles
HEAD = 15  # of a tile's title
LEGEND = 22
MARGIN = 3
IN_A_ROW = 4  # tiles at most
FAINT, DARK = 0.05, 0.55  # how much colour the least and the most have
SIGN = 5.5  # width of a letter or sign beside a name, at most
MUTED = "fill:var(--muted)"
BAR = 7  # height of the bar of parts
DOT = '<circle cx="1.5" cy="1.5" r=".8" style="fill:var(--muted);opacity:.5"/>'
STROKES = {"tile": (0.5, "muted", "2 4"), "border": (1.0, "ink", ""), "level": (2.4, "ink", "")}


def svg(plot: Map, name: str, alt: str) -> str:
    """The map as SVG for a page: as the other figures are, colours by role, tips as titles."""
    most = max((area.at.value for sheet in plot.sheets for area in sheet.areas if area.at.known), default=0.0)
    columns = min(IN_A_ROW, ceil(sqrt(len(plot.sheets))))
    head = HEAD if any(sheet.title for sheet in plot.sheets) else 0
    top = LEGEND if plot.series else 0
    plans = [_plan(plot, sheet) for sheet in plot.sheets]
    across = max(plan.width for plan in plans) + GAP
    down = max(plan.height for plan in plans) + GAP + head
    width = 2 * MARGIN + max(columns * across - GAP, sum(map(_entry, plot.series)))
    height = top + ceil(len(plans) / columns) * down - GAP + 2 * MARGIN
    box = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    roof = f'<pattern id="{name}-roof" width="6" height="6" patternUnits="userSpaceOnUse">{DOT}</pattern>'
    drawn = [
        f'<svg xmlns="{SVG}" class="map" {box} role="img" aria-label="{escape(alt)}">',
        f"<defs>{roof}</defs>",
        *_legend(plot),
    ]
    for k, (sheet, plan) in enumerate(zip(plot.sheets, plans, strict=True)):
        x, y = MARGIN + k % columns * across, top + MARGIN + k // columns * down
        drawn.append(f'<g transform="translate({x} {y})">')
        if head:
            drawn.append(_text(1, HEAD - 5, sheet.title, 10, "font-weight:650"))
        drawn += [f'<g transform="translate(0 {head})">', *_sheet(plot, sheet, plan, name, most), "</g></g>"]
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _plan(plot: Map, sheet: Sheet) -> GroundPlan:
    return GroundPlan(sheet.spaces, [area.roof for area in sheet.areas], plot.tile_size, SIDE)


def _legend(plot: Map) -> Iterator[str]:
    x = MARGIN
    for k, name in enumerate(plot.series):
        yield f'<rect x="{x}" y="4" width="9" height="9" style="fill:{_series(k)}"/>'
        yield _text(x + 13, 12, name, 10)
        x += _entry(name)


def _entry(name: str) -> int:
    """The width of a name in the legend, its colour and the gap after it."""
    return 30 + 6 * len(name)


def _sheet(plot: Map, sheet: Sheet, plan: GroundPlan, name: str, most: float) -> Iterator[str]:
    for k, area in enumerate(sheet.areas):
        path = plan.area(k)
        shade = FAINT + (DARK - FAINT) * area.at.value / most if area.at.known and most > 0 else 0.0
        yield f"<g><title>{escape(_tip(plot, area))}</title>"
        yield f'<path d="{path}" style="fill:var(--accent);fill-opacity:{shade:.3f}"/>'
        if area.roof:
            yield f'<path d="{path}" style="fill:url(#{name}-roof)"/>'
        yield "</g>"
    for kind, path in plan.edges().items():
        thick, colour, dashes = STROKES[kind]
        dashed = f";stroke-dasharray:{dashes}" if dashes else ""
        style = f"fill:none;stroke:var(--{colour});stroke-width:{thick};stroke-linecap:square{dashed}"
        if path:
            yield f'<path d="{path}" style="{style}"/>'
    for k, area in enumerate(sheet.areas):
        yield from _told(plot, sheet, area, plan.spaces_of(k))


def _told(plot: Map, sheet: Sheet, area: Area, spaces: Sequence[tuple[int, int]]) -> Iterator[str]:
    """What stands in an area's first space: its name, with signs if they have room, its bar, its number."""
    row, column = spaces[0]
    x, y = column * SIDE, row * SIDE
    along = next(n for n in range(1, len(spaces) + 1) if (row, column + n) not in spaces)
    label = area.name.removeprefix(f"{sheet.title}.") if sheet.title else area.name
    fits = SIGN * (len(label) + 1 + len(area.signs)) <= along * SIDE - 6
    yield _text(x + 4, y + 11, f"{label} {area.signs}" if fits and area.signs else label, 8.5, MUTED)
    low = y + SIDE - 6
    if area.parts:
        yield from _bar(area, x + 4, y + SIDE - BAR - 4)
        low -= BAR + 1
    number = short(plot.kind, area.at).removesuffix(" %") if area.at.known else EMPTY
    yield _text(x + 4, low, number, 10, "font-weight:650")


def _bar(area: Area, x: float, y: float) -> Iterator[str]:
    room = SIDE - 8
    yield f'<rect x="{x}" y="{y}" width="{room}" height="{BAR}" style="fill:var(--paper);stroke:none"/>'
    for k, part in enumerate(area.parts):
        size = round(room * part.value, 2) if part.known else 0.0
        if size:
            yield f'<rect x="{x:g}" y="{y}" width="{size:g}" height="{BAR}" style="fill:{_series(k)}"/>'
        x = round(x + size, 2)


def _series(k: int) -> str:
    return f"var(--s{k % len(SERIES)})"


def _tip(plot: Map, area: Area) -> str:
    parts = [
        f"{name} {short(Kind.SHARE, part)}"
        for name, part in zip(plot.series, area.parts, strict=False)
        if part.known
    ]
    return ", ".join([f"{area.name}: {tip(plot.kind, area.at)}", *parts])


def _text(x: float, y: float, text: str, size: float, style: str = "") -> str:
    style = f"font-size:{size}px;{style}"
    style = style if "fill:" in style else f"{style};fill:var(--ink)"
    return f'<text x="{x:g}" y="{y:g}" style="{style}">{escape(text)}</text>'
