"""What is printed on the tiles of a run, as its table of Regions keeps it: parts, their shapes, the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reports.dei import tallies
from reports.document import Area, Sheet
from simlab.games.dei.ground_plan import NOWHERE
from simlab.games.dei.vocabulary import MAX_TILE_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reports.dei.basis import Basis

Space = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Part:
    """The spaces of one letter of a tile, what is printed there and, in one block, where they lie."""

    tile: str
    letter: str
    spaces: tuple[Space, ...]  # of the tile as printed
    resources: int
    outposts: int
    refuge: bool
    drone: bool
    row: int  # of the tile on the board
    column: int
    turned: int
    region: int

    @property
    def name(self) -> str:
        """As a Region is named whose first part it is."""
        return f"{self.tile}.{self.letter}"

    @property
    def roof(self) -> bool:
        """Whether it is a Roof; else it is a Ground."""
        return self.letter.isupper()

    @property
    def size(self) -> int:
        """How far it reaches from the tile's corner: of all parts together, the tile's edge."""
        return 1 + max(max(space) for space in self.spaces)

    @property
    def kind(self) -> str:
        """What kind of place it is: the level and its symbols."""
        symbols = [
            word
            for there, word in (
                (self.outposts, "Outpost"),
                (self.refuge, "Neutral Refuge"),
                (self.drone, "Drone"),
                (self.resources, "resources"),
            )
            if there
        ]
        return f"{'Roof' if self.roof else 'Ground'} with {', '.join(symbols)}" if symbols else self.bare

    @property
    def bare(self) -> str:
        """Its level, where nothing else is printed."""
        return f"{'Roof' if self.roof else 'Ground'}, bare"

    @property
    def says(self) -> str:
        """All that is printed there, in words."""
        resource = "Energy" if self.roof else "Technology"
        things = [
            f"{self.resources} {resource}" if self.resources else "",
            ("Outpost" if self.outposts == 1 else f"{self.outposts} Outposts") if self.outposts else "",
            "Neutral Refuge" if self.refuge else "",
            "Drone" if self.drone else "",
        ]
        return ", ".join(["Roof" if self.roof else "Ground", *(thing for thing in things if thing)])


def signs(parts: Sequence[Part]) -> str:
    """What is printed on the parts of a Region, as a replay draws it."""
    resources = sum(part.resources for part in parts)
    outposts, refuges = sum(part.outposts for part in parts), sum(part.refuge for part in parts)
    drones = sum(part.drone for part in parts)
    return (f"•{resources}" if resources else "") + "◇" * outposts + "⌂" * refuges + "@" * drones


def parts_of(basis: Basis, players: int) -> list[Part]:
    """The parts in play with so many players, by tile and letter, as they lie in the first block."""
    found = tallies.rows(
        basis.run,
        "SELECT tile, letter, spaces, resources, outposts, refuge, drone, tile_row, tile_column, turned, "
        f"region FROM regions WHERE players = {players} AND block = "
        f"(SELECT min(block) FROM games WHERE players = {players}) ORDER BY tile, letter",
    )
    return [Part(tile, letter, _spaces(bits), *rest) for tile, letter, bits, *rest in found]


def _spaces(bits: int) -> tuple[Space, ...]:
    return tuple(
        divmod(place, MAX_TILE_SIZE) for place in range(MAX_TILE_SIZE * MAX_TILE_SIZE) if bits >> place & 1
    )


def sheets(known: Sequence[Part], area: Callable[[int], Area], *, quick: bool) -> tuple[Sheet, ...]:
    """The board, or tile by tile; `area(k)` is what is drawn of `known[k]`."""
    size = max(part.size for part in known)
    if quick:
        return (_board(known, area, size),)
    tiles: dict[str, list[int]] = {}
    for k, part in enumerate(known):
        tiles.setdefault(part.tile, []).append(k)
    return tuple(_tile(name, [(k, known[k]) for k in at], area, size) for name, at in tiles.items())


def _tile(name: str, parts: Sequence[tuple[int, Part]], area: Callable[[int], Area], size: int) -> Sheet:
    grid = [[NOWHERE] * size for _ in range(size)]
    for number, (_, part) in enumerate(parts):
        for row, column in part.spaces:
            grid[row][column] = number
    return Sheet(name, tuple(map(tuple, grid)), tuple(area(k) for k, _ in parts))


def _board(known: Sequence[Part], area: Callable[[int], Area], size: int) -> Sheet:
    """Parts where they lie, those of a Region as one: it bears the name of its first in reading order."""
    rows, columns = (1 + max(getattr(part, at) for part in known) for at in ("row", "column"))
    grid = [[NOWHERE] * columns * size for _ in range(rows * size)]
    for part in known:
        for space in part.spaces:
            row, column = _turned(space, part.turned, size - 1)
            grid[part.row * size + row][part.column * size + column] = part.region
    first: dict[int, int] = {}
    for k in sorted(range(len(known)), key=lambda k: (known[k].row, known[k].column, known[k].letter)):
        first.setdefault(known[k].region, k)
    areas = tuple(
        replace(area(first[region]), signs=signs([part for part in known if part.region == region]))
        for region in sorted(first)
    )
    return Sheet("", tuple(map(tuple, grid)), areas)


def _turned(space: Space, quarters: int, last: int) -> Space:
    """Where a space of a tile lies after so many quarter turns clockwise."""
    row, column = space
    for _ in range(quarters):
        row, column = column, last - row
    return row, column
