"""The board: tiles laid and turned, and the Regions that result.

A Region is named by the first patch it holds (tiles in reading order, then letters), `tile.letter`; that
name is what positions and choices use.
"""

from dataclasses import dataclass

from .pack import Pack
from .words import GROUND, ROOF

Layout = tuple[tuple[tuple[str, int], ...], ...]  # rows of (tile, quarter turns clockwise)
Patch = tuple[int, str]  # a tile's place in reading order, a letter


@dataclass(frozen=True)
class OutpostSite:
    """CORE-010 Where an Outpost lies, and on which letter; sites are numbered in the order of their list."""

    region: str
    letter: str


class Board:
    """The board of one layout; nothing on it ever changes."""

    def __init__(self, pack: Pack, layout: Layout) -> None:
        self.layout = layout
        self.tiles = [pack.tiles[tile] for row in layout for tile, _ in row]
        self._spaces = _lay(pack, layout)
        self._name = _regions(self._spaces, self.tiles)
        order = {name: number for number, name in enumerate(dict.fromkeys(self._name.values()))}
        self.regions: list[str] = list(order)
        self.order = order
        self.level = {name: ROOF if letter.isupper() else GROUND for (_, letter), name in self._name.items()}
        self.touching = self._touching()
        self.spaces = dict.fromkeys(self.regions, 0)
        for patch in self._spaces.values():
            self.spaces[self._name[patch]] += 1
        self.elevator_sites = self._elevator_sites()
        self.bridge_sites = self._bridge_sites()
        self._read_symbols()

    def region(self, tile: str, letter: str) -> str:
        """The Region that holds a patch."""
        number = next(n for n, laid in enumerate(self.tiles) if laid.id == tile)
        return self._name[number, letter]

    def adjacent(self, one: str, other: str) -> bool:
        """CORE-005 Two Regions that touch over a Border or a Level difference."""
        return other in self.touching[one]

    def in_order(self, regions) -> list[str]:
        """Regions, each once, in the order of their first patches."""
        return sorted(set(regions), key=self.order.__getitem__)

    def _touching(self) -> dict[str, set[str]]:
        """CORE-005 Regions touch where spaces of theirs share an edge."""
        touching: dict[str, set[str]] = {name: set() for name in self.regions}
        for space, patch in self._spaces.items():
            for beside in _after(space):
                if beside in self._spaces:
                    one, other = self._name[patch], self._name[self._spaces[beside]]
                    if one != other:
                        touching[one].add(other)
                        touching[other].add(one)
        return touching

    def _elevator_sites(self) -> set[tuple[str, str]]:
        """CORE-050 A Ground and a Roof that are Adjacent, over a tile's edge too."""
        grounds = [region for region in self.regions if self.level[region] == GROUND]
        return {
            (ground, roof) for ground in grounds for roof in self.touching[ground] if self.level[roof] == ROOF
        }

    def _bridge_sites(self) -> set[tuple[str, str, str]]:
        """CORE-049 Straight runs over one Ground between two Roofs, within a tile: (Roof, Roof, Ground)."""
        sites: set[tuple[str, str, str]] = set()
        lines: dict[tuple, list[Patch]] = {}
        for (row, column), patch in sorted(self._spaces.items()):
            lines.setdefault(("row", row, patch[0]), []).append(patch)
            lines.setdefault(("column", column, patch[0]), []).append(patch)
        for line in lines.values():
            run = [self._name[patch] for patch in line]
            for start in range(len(run)):
                for end in range(start + 2, len(run)):
                    between = set(run[start + 1 : end])
                    if len(between) == 1 and self._bridges(run[start], run[end], *between):
                        sites.add((*self.in_order([run[start], run[end]]), *between))
        return sites

    def _bridges(self, one: str, other: str, below: str) -> bool:
        levels = self.level[one], self.level[other], self.level[below]
        return one != other and levels == (ROOF, ROOF, GROUND)

    def _read_symbols(self) -> None:
        """CORE-007, CORE-008, CORE-009, CORE-010 What is printed on the tiles."""
        self.resources: dict[str, int] = {}
        self.neutral_refuges: list[str] = []
        self.neutral_elevators: set[tuple[str, str]] = set()
        self.neutral_bridges: set[frozenset[str]] = set()
        self.drone_symbols: dict[str, str] = {}
        printed_on: list[tuple[int, str, str]] = []
        for number, tile in enumerate(self.tiles):
            for letter, tokens in (*tile.technology.items(), *tile.energy.items()):
                name = self._name[number, letter]
                self.resources[name] = self.resources.get(name, 0) + tokens
            for patch, printed in tile.outposts.items():
                printed_on += [(number, patch, letter) for letter in printed]
            if tile.refuge:
                self.neutral_refuges.append(self._name[number, tile.refuge])
            if tile.elevator:
                ends = [self._name[number, patch] for patch in tile.elevator]
                ground, roof = sorted(ends, key=self._is_roof)
                self.neutral_elevators.add((ground, roof))
            if tile.bridge:
                self.neutral_bridges.add(frozenset(self._name[number, patch] for patch in tile.bridge))
            if tile.drone:
                self.drone_symbols[tile.id] = self._name[number, tile.drone]
        self.neutral_refuges = self.in_order(self.neutral_refuges)
        self.outposts = [
            OutpostSite(self._name[number, patch], letter) for number, patch, letter in sorted(printed_on)
        ]

    def _is_roof(self, region: str) -> bool:
        return self.level[region] == ROOF


def turned(rows: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    """CORE-002 A tile's map after so many quarter turns clockwise."""
    for _ in range(quarters % 4):
        rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
    return rows


def _lay(pack: Pack, layout: Layout) -> dict[tuple[int, int], Patch]:
    """CORE-001 The spaces of the whole grid, each with its patch."""
    spaces: dict[tuple[int, int], Patch] = {}
    number = 0
    for tile_row, row in enumerate(layout):
        for tile_column, (tile, quarters) in enumerate(row):
            rows = turned(pack.tiles[tile].map, quarters)
            for down, line in enumerate(rows):
                for across, letter in enumerate(line):
                    place = tile_row * len(rows) + down, tile_column * len(rows) + across
                    spaces[place] = number, letter
            number += 1
    return spaces


def _after(space: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    row, column = space
    return (row, column + 1), (row + 1, column)


def _regions(spaces: dict[tuple[int, int], Patch], tiles: list) -> dict[Patch, str]:
    """CORE-004 Patches joined over tile edges where the level is the same, each with its Region's name."""
    region: dict[Patch, set[Patch]] = {patch: {patch} for patch in spaces.values()}
    for space, patch in spaces.items():
        for beside in _after(space):
            other = spaces.get(beside, patch)
            over_an_edge = other[0] != patch[0]
            same_level = other[1].isupper() == patch[1].isupper()
            if over_an_edge and same_level and region[patch] is not region[other]:
                region[patch] |= region[other]
                for joined in region[other]:
                    region[joined] = region[patch]
    firsts = {patch: min(region[patch]) for patch in region}
    in_order = sorted(firsts, key=lambda patch: (firsts[patch], patch))
    return {patch: f"{tiles[firsts[patch][0]].id}.{firsts[patch][1]}" for patch in in_order}
