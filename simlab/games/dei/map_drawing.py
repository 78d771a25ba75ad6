"""The board as a map of signs: spaces as cells, Regions as areas with what lies there written into them.

A heavy line parts levels, a light one Regions of one level; Roofs are dotted. A Region's signs flow
through its cells, row by row; what has no room is told below the map, so nothing is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from simlab.games.dei.box_drawing import HEAVY, LIGHT, NO_LINE, SIGNS
from simlab.story import Line, Span

HEIGHT = 2  # lines of a cell
NARROWEST, WIDEST = 3, 8  # columns of a cell
DOTS = "·"
MORE = "…"

Grid = Sequence[Sequence[int]]
Stretch = list[int]  # row, column, length: what is still free of it


def cell_width(columns: int, width: int) -> int:
    """How wide a cell is where so many of them share a width."""
    return max(NARROWEST, min(WIDEST, (width - 1) // columns - 1))


class Map:
    """A board of spaces (row, column) → Region, drawn with cells of so many columns."""

    def __init__(self, grid: Grid, roofs: Sequence[bool], width: int) -> None:
        self._grid, self._roofs, self._width = grid, roofs, width
        self._rows = len(grid) * (HEIGHT + 1) + 1
        self._columns = len(grid[0]) * (width + 1) + 1
        self._within = [
            [self._region(row, column) for column in range(self._columns)] for row in range(self._rows)
        ]
        self._free = self._stretches()
        self._canvas: list[list[Span]] = [
            [self._blank(row, column) for column in range(self._columns)] for row in range(self._rows)
        ]

    # --- areas and lines ---------------------------------------------------------------------------
    def _space(self, row: int, column: int) -> int:
        """The Region of a space, -1 outside."""
        inside = 0 <= row < len(self._grid) and 0 <= column < len(self._grid[0])
        return self._grid[row][column] if inside else -1

    def _around(self, row: int, column: int) -> tuple[int, int, int, int]:
        """The Regions of the spaces that a point of the canvas lies between, clockwise from upper left."""
        up, down = (row - 1) // (HEIGHT + 1), row // (HEIGHT + 1)
        left, right = (column - 1) // (self._width + 1), column // (self._width + 1)
        return (
            self._space(up, left),
            self._space(up, right),
            self._space(down, right),
            self._space(down, left),
        )

    def _weight(self, one: int, other: int) -> int:
        if one == other:
            return NO_LINE
        if -1 in (one, other):
            return HEAVY
        return LIGHT if self._roofs[one] == self._roofs[other] else HEAVY

    def _region(self, row: int, column: int) -> int:
        """The Region that a point of the canvas lies within, -1 on lines and outside."""
        around = set(self._around(row, column))
        return around.pop() if len(around) == 1 else -1

    def _blank(self, row: int, column: int) -> Span:
        region = self._within[row][column]
        if region >= 0:
            return (DOTS, "dim") if self._roofs[region] else (" ", "")
        upper_left, upper_right, lower_right, lower_left = self._around(row, column)
        arms = (
            self._weight(upper_left, upper_right),
            self._weight(upper_right, lower_right),
            self._weight(lower_left, lower_right),
            self._weight(upper_left, lower_left),
        )
        return SIGNS[arms], ""

    # --- writing into areas ----------------------------------------------------------------------------
    def _stretches(self) -> dict[int, list[Stretch]]:
        """By Region, its stretches of a row, from above."""
        found: dict[int, list[Stretch]] = {}
        for row, regions in enumerate(self._within):
            column = 0
            for region, points in groupby(regions):
                length = len(list(points))
                if region >= 0:
                    found.setdefault(region, []).append([row, column, length])
                column += length
        return found

    def write(self, region: int, signs: Sequence[Line]) -> bool:
        """Write signs into a Region, none of them parted, the first ones first; whether all found room.

        They begin at its first stretch of two cells, so that they stay together, and go on from the top.
        Only a name that is wider than the Region is parted, before its last letter.
        """
        stretches = self._free[region]
        roomy = (n for n, stretch in enumerate(stretches) if stretch[2] > 2 * self._width)
        first = next(roomy, 0)
        left, last = list(signs), None
        if left and "." in left[0][0][0] and _length(left[0]) > max(stretch[2] for stretch in stretches):
            left[:1] = _parted(left[0])
        for stretch in stretches[first:] + stretches[:first]:
            while left and _length(left[0]) <= stretch[2]:
                sign = left.pop(0)
                self._put(stretch[0], stretch[1], sign)
                last = stretch[0], stretch[1] + _length(sign) - 1
                stretch[1] += _length(sign) + 1
                stretch[2] -= _length(sign) + 1
        if left and last is not None:
            self._canvas[last[0]][last[1]] = (MORE, "dim")
        return not left

    def _put(self, row: int, column: int, sign: Line) -> None:
        letters = [(letter, style) for text, style in sign for letter in text]
        self._canvas[row][column : column + len(letters)] = letters
        after = column + len(letters)
        if self._within[row][after] >= 0:
            self._canvas[row][after] = (" ", "")

    def lines(self) -> list[Line]:
        """The canvas, neighbouring letters of one style joined."""
        return [_joined(row) for row in self._canvas]


def _length(sign: Line) -> int:
    return sum(len(text) for text, _ in sign)


def _parted(name: Line) -> list[Line]:
    """`2.4.b` as `2.4` and `.b`."""
    text, style = name[0]
    tile, dot, letter = text.rpartition(".")
    return [[(tile, style)], [(dot + letter, style)]]


def _joined(row: Sequence[Span]) -> Line:
    spans: Line = []
    for text, style in row:
        if spans and spans[-1][1] == style:
            spans[-1] = spans[-1][0] + text, style
        else:
            spans.append((text, style))
    return spans
