"""The outlines of a board: areas of Regions and the lines between them, as paths of an SVG.

What a page of a game and a report draw of a board is made here; how it is coloured is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NOWHERE = -1
EDGES = ("tile", "border", "level")  # of tiles within a Region, between Regions of a level, of levels


@dataclass(frozen=True)
class GroundPlan:
    """A board, or a tile: `spaces[row][column]` is the Region there, `roofs[region]` whether it is a Roof.

    `tile_size` and `side` are spaces along a tile's edge, and units of the SVG along a space's.
    """

    spaces: Sequence[Sequence[int]]
    roofs: Sequence[bool]
    tile_size: int
    side: int

    @property
    def width(self) -> int:
        """In units of the SVG."""
        return len(self.spaces[0]) * self.side

    @property
    def height(self) -> int:
        """In units of the SVG."""
        return len(self.spaces) * self.side

    def spaces_of(self, region: int) -> list[tuple[int, int]]:
        """(row, column) of each space of a Region, in reading order."""
        return [
            (row, column)
            for row, line in enumerate(self.spaces)
            for column, here in enumerate(line)
            if here == region
        ]

    def area(self, region: int) -> str:
        """The path that fills a Region."""
        side = self.side
        return "".join(
            f"M{column * side} {row * side}h{side}v{side}h{-side}z" for row, column in self.spaces_of(region)
        )

    def edges(self) -> dict[str, str]:
        """The path of each kind of line, by EDGES; those of levels go round the board too."""
        kinds: dict[str, list[str]] = {kind: [] for kind in EDGES}
        rows, columns, side = len(self.spaces), len(self.spaces[0]), self.side
        for row in range(rows + 1):
            for column in range(columns):
                above, below = self._at(row - 1, column), self._at(row, column)
                if kind := self._kind(above, below, row % self.tile_size == 0):
                    kinds[kind].append(f"M{column * side} {row * side}h{side}")
        for row in range(rows):
            for column in range(columns + 1):
                before, after = self._at(row, column - 1), self._at(row, column)
                if kind := self._kind(before, after, column % self.tile_size == 0):
                    kinds[kind].append(f"M{column * side} {row * side}v{side}")
        return {kind: "".join(lines) for kind, lines in kinds.items()}

    def _at(self, row: int, column: int) -> int:
        inside = 0 <= row < len(self.spaces) and 0 <= column < len(self.spaces[0])
        return self.spaces[row][column] if inside else NOWHERE

    def _kind(self, one: int, other: int, tile: bool) -> str:
        if one == other:
            return "tile" if tile and one != NOWHERE else ""
        if NOWHERE in (one, other):
            return "level"
        return "border" if self.roofs[one] == self.roofs[other] else "level"
