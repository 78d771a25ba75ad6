"""District tiles from text art: patches by letter, symbols beside them by letter (CORE-002, CORE-004).

map = ["AAbb",      the same letter: one patch, joined by edges
       "Accb",      another letter of the same case: a Border between the two
       "cccD",      upper case: Roof, lower case: Ground
       "ccDD"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from simlab.errors import PackError
from simlab.games.dei.pack_files import ASSUMED, SOURCES, check_keys, split_range
from simlab.games.dei.vocabulary import GROUND, MAX_PATCHES, MAX_SEATS, MAX_TILE_SIZE, NONE, ROOF

OUTPOST_LETTERS = "ABC"
NUMBERS = ("technology", "energy")
SYMBOLS = ("outposts", "drone", "refuge", "bridge", "elevator")
KEYS = ("id", "players", "source", "map", *NUMBERS, *SYMBOLS, "range")
RANGES = ("patches", "ground", *NUMBERS, *SYMBOLS)


@dataclass(frozen=True)
class Tile:
    """One District. Patches are numbered in ASCII order of their letters, so Roofs come first."""

    id: str
    players: int  # in play from so many players on
    source: str
    letters: tuple[str, ...]
    spaces: tuple[tuple[int, ...], ...]  # patch of each space
    resources: tuple[int, ...]  # by patch
    outposts: tuple[tuple[int, int, int], ...]  # by patch: Outposts with the letters A, B, C
    refuge: int = NONE
    drone: int = NONE
    bridge: tuple[int, int] = (NONE, NONE)
    elevator: tuple[int, int] = (NONE, NONE)  # Ground, Roof
    ranges: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Spaces along an edge."""
        return len(self.spaces)

    @property
    def levels(self) -> tuple[int, ...]:
        """GROUND or ROOF of each patch."""
        return tuple(ROOF if letter.isupper() else GROUND for letter in self.letters)

    def total(self, kind: str) -> int:
        """Technology or Energy Cells on the whole tile."""
        level = (GROUND, ROOF)[NUMBERS.index(kind)]
        return sum(n for n, mine in zip(self.resources, self.levels, strict=True) if mine == level)


def parse_tile(table: Mapping[str, Any], file: str, ranges_needed: bool = False) -> Tile:
    """A tile from its TOML table; PackError names the tile and what is wrong with it."""
    name = table.get("id")
    if not isinstance(name, str) or not name or "." in name.strip("0123456789."):
        raise PackError(f"{file}: a tile's id {shown(name)} is not a word or a number like 2.1")
    reader = _TileReader(table, f"{file}, tile {shown(name)}")
    return reader.read(name, ranges_needed)


class _TileReader:
    """Reads one tile's table; every method raises PackError with the tile's name in front."""

    def __init__(self, table: Mapping[str, Any], where: str) -> None:
        self.table = table
        self.where = where

    def fail(self, reason: str) -> PackError:
        return PackError(f"{self.where}: {reason}")

    def read(self, name: str, ranges_needed: bool) -> Tile:
        check_keys(self.table, KEYS, ("map",), self.where)
        self.lines = self.map()
        self.letters = tuple(sorted({letter for line in self.lines for letter in line}))
        if len(self.letters) > MAX_PATCHES:
            raise self.fail(f"the map has {len(self.letters)} patches, {MAX_PATCHES} at most are possible")
        self.spaces = tuple(tuple(self.letters.index(letter) for letter in line) for line in self.lines)
        self.check_connected()
        tile = Tile(
            id=name,
            players=self.players(),
            source=self.source(),
            letters=self.letters,
            spaces=self.spaces,
            resources=self.resources(),
            outposts=self.outposts(),
            refuge=self.single("refuge", GROUND),
            drone=self.single("drone", ROOF),
            bridge=self.bridge(),
            elevator=self.elevator(),
            ranges=self.table.get("range", {}),
        )
        self.check_ranges(tile, ranges_needed)
        return tile

    def map(self) -> list[str]:
        lines = self.table["map"]
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines) or not lines:
            raise self.fail("the map is not a list of texts")
        if len(lines) > MAX_TILE_SIZE or any(len(line) != len(lines) for line in lines):
            raise self.fail(f"the map is not a square of 1 to {MAX_TILE_SIZE} spaces an edge")
        for letter in "".join(lines):
            if not (letter.isascii() and letter.isalpha()):
                raise self.fail(f"the map has {shown(letter)}, which is not a letter")
        return lines

    def check_connected(self) -> None:
        for letter in self.letters:
            cells = {(r, c) for r, line in enumerate(self.lines) for c, x in enumerate(line) if x == letter}
            reached, edge = set(), [min(cells)]
            while edge:
                r, c = edge.pop()
                if (r, c) in cells and (r, c) not in reached:
                    reached.add((r, c))
                    edge += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
            if reached != cells:
                raise self.fail(f"patch {shown(letter)} is not connected")

    def players(self) -> int:
        players = self.table.get("players", 1)
        if type(players) is not int or not 1 <= players <= MAX_SEATS:
            raise self.fail(f"players is {shown(players)}, not a number from 1 to {MAX_SEATS}")
        return players

    def source(self) -> str:
        source = self.table.get("source", SOURCES[0])
        if source not in SOURCES:
            raise self.fail(f"source is {shown(source)}, not one of {', '.join(SOURCES)}")
        return str(source)

    def patch(self, key: str, letter: Any, level: int) -> int:
        if not isinstance(letter, str) or letter not in self.letters:
            raise self.fail(f"{key} names {shown(letter)}, which is no patch of the map")
        if letter.isupper() != (level == ROOF):
            raise self.fail(f"{key} names {shown(letter)}, which is not a {('Ground', 'Roof')[level]}")
        return self.letters.index(letter)

    def subtable(self, key: str) -> Mapping[str, Any]:
        table = self.table.get(key, {})
        if not isinstance(table, dict):
            raise self.fail(f"{key} is not a table of letters")
        return table

    def resources(self) -> tuple[int, ...]:
        counts = [0] * len(self.letters)
        for level, key in enumerate(NUMBERS):
            for letter, n in self.subtable(key).items():
                if type(n) is not int or not 0 <= n <= 9:
                    raise self.fail(f"{key} of {shown(letter)} is {shown(n)}, not a number from 0 to 9")
                counts[self.patch(key, letter, level)] = n
        return tuple(counts)

    def outposts(self) -> tuple[tuple[int, int, int], ...]:
        counts = [(0, 0, 0)] * len(self.letters)
        for letter, kinds in self.subtable("outposts").items():
            if letter not in self.letters:
                raise self.fail(f"outposts names {shown(letter)}, which is no patch of the map")
            if not isinstance(kinds, str) or not kinds or kinds.strip(OUTPOST_LETTERS):
                raise self.fail(f"outposts of {shown(letter)} is {shown(kinds)}, not letters out of A, B and C")
            a, b, c = (kinds.count(kind) for kind in OUTPOST_LETTERS)
            counts[self.letters.index(letter)] = (a, b, c)
        return tuple(counts)

    def single(self, key: str, level: int) -> int:
        return self.patch(key, self.table[key], level) if key in self.table else NONE

    def pair(self, key: str, levels: tuple[int, int]) -> tuple[int, int]:
        letters = self.table[key]
        if not isinstance(letters, list) or len(letters) != 2:
            raise self.fail(f"{key} is not a pair of letters")
        first, second = (self.patch(key, x, level) for x, level in zip(letters, levels, strict=True))
        if first == second:
            raise self.fail(f"{key} names one patch twice")
        return first, second

    def bridge(self) -> tuple[int, int]:
        """CORE-007, CORE-049: two Roofs with a straight run over one Ground between them."""
        if "bridge" not in self.table:
            return NONE, NONE
        first, second = self.pair("bridge", (ROOF, ROOF))
        for line in (*self.spaces, *zip(*self.spaces, strict=True)):
            if _has_run(line, {first, second}, self.letters):
                return first, second
        names = " and ".join(f"{shown(letter)}" for letter in self.table["bridge"])
        raise self.fail(f"no straight Bridge over one Ground joins {names}")

    def elevator(self) -> tuple[int, int]:
        """CORE-007, CORE-050: a Ground and a Roof that touch it."""
        if "elevator" not in self.table:
            return NONE, NONE
        pair = self.pair("elevator", (GROUND, ROOF))
        for line in (*self.spaces, *zip(*self.spaces, strict=True)):
            if any(set(pair) == {a, b} for a, b in pairwise(line)):
                return pair
        raise self.fail(f"elevator joins {shown(self.table['elevator'][0])} and a Roof that does not touch it")

    def check_ranges(self, tile: Tile, needed: bool) -> None:
        table = self.subtable("range")
        needed_keys = ("patches", "ground", *(key for key in (*NUMBERS, *SYMBOLS) if key in self.table))
        must = needed_keys if needed and tile.source == ASSUMED else ()
        check_keys(table, RANGES, must, f"{self.where}, range")
        ground = sum(self.letters[patch].islower() for row in self.spaces for patch in row)
        values = {"patches": len(self.letters), "ground": ground}
        values |= {key: tile.total(key) for key in NUMBERS}
        for key, value in values.items():
            if key in table:
                low, high = split_range(str(table[key]), f"{self.where}, range, {key}")
                if not low <= value <= high:
                    raise self.fail(f"{key} is {value}, outside its own range {table[key]}")
        for key in SYMBOLS:
            self.check_places(key, table.get(key))

    def check_places(self, key: str, places: Any) -> None:
        """Where a symbol may plausibly lie: a list of letters, for Bridge and Elevator of pairs."""
        if places is None:
            return
        if not isinstance(places, list):
            raise self.fail(f"range of {key} is not a list")
        for place in places:
            for letter in place if isinstance(place, list) else [place]:
                if letter not in self.letters:
                    raise self.fail(f"range of {key} names {shown(letter)}, which is no patch of the map")
        value = self.table.get(key)
        chosen = list(value) if isinstance(value, dict) else [] if value is None else [value]
        for place in chosen:
            if place not in places:
                raise self.fail(f"{key} lies on {shown(place)}, outside its own range")


def _has_run(line: tuple[int, ...], roofs: set[int], letters: tuple[str, ...]) -> bool:
    """Whether a row or column runs from one of the two Roofs to the other over one Ground patch."""
    runs: list[int] = []  # the line with equal neighbours taken together
    for patch in line:
        if not runs or runs[-1] != patch:
            runs.append(patch)
    triples = zip(runs, runs[1:], runs[2:], strict=False)
    return any({a, b} == roofs and letters[under].islower() for a, under, b in triples)
