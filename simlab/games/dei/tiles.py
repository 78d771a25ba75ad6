"""District tiles from text art: patches by letter, symbols beside them by letter (CORE-002, CORE-004).

map = ["AAbb",      the same letter: one patch, joined by edges
       "Accb",      another letter of the same case: a Border between the two
       "cccD",      upper case: Roof, lower case: Ground
       "ccDD"]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from simlab.errors import PackError
from simlab.games.dei.pack_files import ASSUMED, RULEBOOK, SOURCES, check_keys, check_word, split_range
from simlab.games.dei.vocabulary import GROUND, MAX_PATCHES, MAX_SEATS, MAX_TILE_SIZE, NONE, ROOF
from simlab.wording import shown

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
    if name is None:
        raise PackError(f"{file}: a tile has no id")
    if not isinstance(name, str) or not name or "." in name.strip("0123456789."):
        raise PackError(f'{file}: a tile\'s id is {shown(name)}, not a word in quotes such as "2.1"')
    check_word(name, f"{file}: a tile's id")
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
            refuge=self.symbol("refuge", NONE),
            drone=self.symbol("drone", NONE),
            bridge=self.symbol("bridge", (NONE, NONE)),
            elevator=self.symbol("elevator", (NONE, NONE)),
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
            patch = self.outpost("outposts", letter)
            if not isinstance(kinds, str) or not kinds or kinds.strip(OUTPOST_LETTERS):
                raise self.fail(
                    f"outposts of {shown(letter)} is {shown(kinds)}, not letters out of A, B and C"
                )
            a, b, c = (kinds.count(kind) for kind in OUTPOST_LETTERS)
            counts[patch] = (a, b, c)
        return tuple(counts)

    def symbol(self, key: str, absent: Any) -> Any:
        return self.places(key)(key, self.table[key]) if key in self.table else absent

    def pair(self, key: str, letters: Any, levels: tuple[int, int]) -> tuple[int, int]:
        if not isinstance(letters, list) or len(letters) != 2:
            raise self.fail(f"{key} has {shown(letters)}, which is not a pair of letters")
        first, second = (self.patch(key, x, level) for x, level in zip(letters, levels, strict=True))
        if first == second:
            raise self.fail(f"{key} names one patch twice")
        return first, second

    def bridge(self, key: str, letters: Any) -> tuple[int, int]:
        """CORE-007, CORE-049: two Roofs with a straight run over one Ground between them."""
        pair = self.pair(key, letters, (ROOF, ROOF))
        for line in (*self.spaces, *zip(*self.spaces, strict=True)):
            if _has_run(line, set(pair), self.letters):
                return pair
        names = " and ".join(map(shown, letters))
        raise self.fail(f"{key}: no straight Bridge over one Ground joins {names}")

    def elevator(self, key: str, letters: Any) -> tuple[int, int]:
        """CORE-007, CORE-050: a Ground and a Roof that touch it."""
        pair = self.pair(key, letters, (GROUND, ROOF))
        for line in (*self.spaces, *zip(*self.spaces, strict=True)):
            if any(set(pair) == {a, b} for a, b in pairwise(line)):
                return pair
        raise self.fail(f"{key} joins {shown(letters[0])} and a Roof that does not touch it")

    def outpost(self, key: str, letter: Any) -> int:
        if not isinstance(letter, str) or letter not in self.letters:
            raise self.fail(f"{key} names {shown(letter)}, which is no patch of the map")
        return self.letters.index(letter)

    def places(self, key: str) -> Callable[[str, Any], Any]:
        """What reads one place of a symbol: the name in messages and what is written → patch or patches."""
        single = {"drone": ROOF, "refuge": GROUND}
        if key in single:
            return lambda name, letter: self.patch(name, letter, single[key])
        return {"bridge": self.bridge, "elevator": self.elevator, "outposts": self.outpost}[key]

    def check_ranges(self, tile: Tile, needed: bool) -> None:
        table = self.subtable("range")
        if table and tile.source == RULEBOOK:
            raise self.fail("it is marked rulebook and has a range, which only assumed values have")
        needed_keys = ("patches", "ground", *(key for key in (*NUMBERS, *SYMBOLS) if key in self.table))
        must = needed_keys if needed and tile.source == ASSUMED else ()
        check_keys(table, RANGES, must, f"{self.where}, range")
        ground = sum(self.letters[patch].islower() for row in self.spaces for patch in row)
        values = {"patches": len(self.letters), "ground": ground}
        values |= {key: tile.total(key) for key in NUMBERS}
        for key, value in values.items():
            if key in table:
                low, high = split_range(table[key], f"{self.where}, range, {key}")
                if not low <= value <= high:
                    raise self.fail(f"{key} is {value}, outside its own range {table[key]}")
        for key in SYMBOLS:
            if key in table:
                self.check_places(key, table[key])

    def check_places(self, key: str, written: Any) -> None:
        """Where a symbol may plausibly lie: a list of letters, for Bridge and Elevator of pairs."""
        what = "pairs of letters" if key in {"bridge", "elevator"} else "letters"
        name = f"range of {key}"
        if key not in self.table:
            raise self.fail(f"{name} stands there, but the tile has no {key}")
        if not isinstance(written, list) or (what != "letters" and any(isinstance(x, str) for x in written)):
            raise self.fail(f"{name} is {shown(written)}, but a list of {what} is needed")
        read = self.places(key)
        places = [self.same(read(name, place)) for place in written]
        value = self.table[key]
        for place in value if isinstance(value, dict) else [value]:
            if self.same(read(key, place)) not in places:
                raise self.fail(f"{key} lies on {shown(place)}, outside its own range")

    @staticmethod
    def same(place: Any) -> Any:
        """A pair is the same either way round."""
        return sorted(place) if isinstance(place, tuple) else place


def _has_run(line: tuple[int, ...], roofs: set[int], letters: tuple[str, ...]) -> bool:
    """Whether a row or column runs from one of the two Roofs to the other over one Ground patch."""
    runs: list[int] = []  # the line with equal neighbours taken together
    for patch in line:
        if not runs or runs[-1] != patch:
            runs.append(patch)
    triples = zip(runs, runs[1:], runs[2:], strict=False)
    return any({a, b} == roofs and letters[under].islower() for a, under, b in triples)
