"""A component pack read into parts: what its folder says, checked for structure, not yet in tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from simlab.errors import PackError
from simlab.games.dei.pack_files import (
    ASSUMED,
    SOURCES,
    Ranged,
    check_keys,
    check_title,
    check_unique,
    check_word,
    content_hash,
    ranged,
    read_text,
    read_toml,
)
from simlab.games.dei.pack_rows import (
    CandyKind,
    Card,
    Mission,
    Slot,
    parse_candy,
    parse_cards,
    parse_feats,
    parse_missions,
    parse_slots,
)
from simlab.games.dei.tiles import OUTPOST_LETTERS, Tile, parse_tile
from simlab.games.dei.vocabulary import MAX_SEATS, N_FACTIONS, NONE
from simlab.wording import place, shown

HEAD = "pack.toml"
LIMIT = "largest_region_percent"
FILES = (
    HEAD,
    "cards.csv",
    "tiles.toml",
    "layouts.toml",
    "markets.csv",
    "candy.csv",
    "missions.csv",
    "feats.csv",
)
TILES_FROM = {2: 9, 3: 3, 4: 4}  # CORE-001: tiles that come into play from so many players on
DRONES_FROM = {2: 2, 3: 1, 4: 1}  # CORE-003
REFUGES = 2  # CORE-003
OUTPOSTS = 15  # CORE-010
BRIDGE_TILES = ("2.3", "4.3")  # CORE-007
ANY_ORDER = "any order"
MOST_VERSIONS = 10**6


@dataclass(frozen=True)
class Layout:
    """The quick layout for a number of players: tile ids, row by row."""

    players: int
    grid: tuple[tuple[str, ...], ...]
    source: str


@dataclass(frozen=True)
class Drawn:
    """Where a sampled pack comes from: the pack with the ranges, the seed, which of the seed's draws."""

    pack: str
    hash: str  # of that pack's content
    seed: int
    index: int
    keep: int  # percent of the assumed values that stayed as they were

    @property
    def suffix(self) -> str:
        """What tells the packs drawn from one pack apart: the end of their names."""
        return f"-{self.seed}-{self.index}" + (f"-keep{self.keep}" if self.keep else "")


@dataclass(frozen=True)
class PackParts:
    """Everything a pack says, ranges and source marks included."""

    name: str
    version: int
    title: str
    notes: str
    source: str  # of the limit on Regions
    largest_region_percent: Ranged
    cards: tuple[Card, ...]
    slots: tuple[Slot, ...]
    candy: tuple[CandyKind, ...]
    missions: tuple[Mission, ...]
    feats: tuple[str, ...]  # source marks
    tiles: tuple[Tile, ...]
    layouts: tuple[Layout, ...]
    hash: str
    drawn: Drawn | None = None
    # what a Leader counts for Majority, by faction, where that isn't left to the rules; of house rules alone
    leader_values: tuple[int | None, ...] = (None,) * N_FACTIONS


def read_parts(folder: Path) -> PackParts:
    """Read and check all files of a pack's folder."""
    texts = {name: read_text(folder, name) for name in FILES}
    try:
        return parse_parts(texts)
    except PackError as error:
        raise PackError(f"{place(folder)}/{error}") from None


def parse_parts(texts: Mapping[str, str]) -> PackParts:
    """The parts that the texts of a pack's files describe; errors begin with the file's name."""
    head = read_head(texts[HEAD])
    tiles = read_tiles(texts["tiles.toml"])
    return PackParts(
        **head,
        cards=tuple(parse_cards(texts["cards.csv"])),
        slots=tuple(parse_slots(texts["markets.csv"])),
        candy=tuple(parse_candy(texts["candy.csv"])),
        missions=tuple(parse_missions(texts["missions.csv"])),
        feats=tuple(parse_feats(texts["feats.csv"])),
        tiles=tiles,
        layouts=read_layouts(texts["layouts.toml"], tiles),
        hash=content_hash(texts),
    )


def read_head(text: str) -> dict[str, Any]:
    """Name, version, title, notes and origin; the limit on the largest Region of a random layout."""
    table = read_toml(text, HEAD)
    keys = ("name", "title", "notes", "source", LIMIT)
    check_keys(table, (*keys, f"{LIMIT}_range", "version", "drawn"), keys, HEAD)
    for key in keys[:3]:
        if not isinstance(table[key], str) or not table[key].strip():
            raise PackError(
                f"{HEAD}: key {shown(key)} is {shown(table[key])}, not a text with something in it"
            )
    check_word(table["name"], f'{HEAD}: key "name"')
    check_title(table["title"], f'{HEAD}: key "title"')
    for line in table["notes"].splitlines():
        if not line.isprintable():
            raise PackError(f'{HEAD}: key "notes" has the line {shown(line)}, which can\'t be printed')
    source = table["source"]
    check_source(source, HEAD)
    percent = read_number(table[LIMIT], 1, 100, f"{HEAD}: key {shown(LIMIT)}")
    places = (f"{HEAD}: key {shown(LIMIT)}", f"{HEAD}: key {shown(f'{LIMIT}_range')}")
    span = ranged(percent, table.get(f"{LIMIT}_range", ""), source, places)
    version = read_number(table.get("version", 1), 1, MOST_VERSIONS, f'{HEAD}: key "version"')
    head = {key: table[key] for key in keys[:4]} | {LIMIT: span, "version": version}
    return head | ({"drawn": read_drawn(table["drawn"])} if "drawn" in table else {})


def read_drawn(table: Any) -> Drawn:
    """The origin of a sampled pack, as `pack_sample.py` writes it."""
    where = f"{HEAD}, [drawn]"
    if not isinstance(table, dict):
        raise PackError(f"{where} is {shown(table)}, not a table")
    keys = ("pack", "hash", "seed", "index", "keep")
    check_keys(table, keys, keys, where)
    for key in keys[:2]:
        if not isinstance(table[key], str):
            raise PackError(f"{where}: {key} is {shown(table[key])}, not a text")
        check_word(table[key], f"{where}: {key}")
    most = (2**63 - 1, 2**63 - 1, 100)
    numbers = [
        read_number(table[key], 0, high, f"{where}: key {shown(key)}")
        for key, high in zip(keys[2:], most, strict=True)
    ]
    return Drawn(table["pack"], table["hash"], *numbers)


def read_number(value: Any, low: int, high: int, where: str) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not low <= value <= high:
        raise PackError(f"{where} is {shown(value)}, not a number from {low} to {high}")
    return value


def check_source(source: Any, where: str) -> None:
    """A source mark is one of two words."""
    if source not in SOURCES:
        raise PackError(f"{where}: source is {shown(source)}, not one of {', '.join(SOURCES)}")


def list_of_tables(text: str, file: str, key: str) -> list[Mapping[str, Any]]:
    """The [[key]] tables of a TOML file that holds nothing else."""
    table = read_toml(text, file)
    check_keys(table, (key,), (key,), file)
    entries = table[key]
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise PackError(f"{file}: {shown(key)} is not a list of [[{key}]] tables")
    return entries


def read_tiles(text: str) -> tuple[Tile, ...]:
    """All Districts, and what the rulebook prints about them together."""
    file = "tiles.toml"
    tables = list_of_tables(text, file, "tile")
    for number, table in enumerate(tables, 1):
        named = shown(table["id"]) if "id" in table else number
        check_keys(table, table, ("id", "players", "source"), f"{file}, tile {named}")
    tiles = tuple(parse_tile(table, file, ranges_needed=True) for table in tables)
    check_unique((tile.id for tile in tiles), file, "tile")
    check_sizes(tiles, file)
    for players, number in TILES_FROM.items():
        mine = [tile for tile in tiles if tile.players == players]
        if len(mine) != number:
            raise PackError(
                f"{file}: {len(mine)} tiles come into play with {players} players instead of {number}"
            )
        drones = sum(tile.drone != NONE for tile in mine)
        if drones != DRONES_FROM[players]:
            wanted = DRONES_FROM[players]
            raise PackError(
                f"{file}: {drones} Drone symbols on the tiles of {players} players instead of {wanted}"
            )
    if len(tiles) != sum(TILES_FROM.values()):
        raise PackError(f"{file}: {len(tiles)} tiles instead of {sum(TILES_FROM.values())}")
    check_symbols(tiles, file)
    return tiles


def check_sizes(tiles: tuple[Tile, ...], file: str) -> None:
    """All tiles are squares of one size."""
    first = tiles[0]
    for tile in tiles:
        if tile.size != first.size:
            where = f"{file}, tile {shown(tile.id)}"
            raise PackError(
                f"{where}: {tile.size} spaces an edge, but tile {shown(first.id)} has {first.size}"
            )


def check_symbols(tiles: tuple[Tile, ...], file: str) -> None:
    """CORE-003, CORE-007, CORE-010: how many Neutral Refuges, Neutral Bridges and Outposts there are."""
    refuges = [tile.players for tile in tiles if tile.refuge != NONE]
    if refuges != [2] * REFUGES:
        raise PackError(
            f"{file}: {refuges.count(2)} Neutral Refuges on the tiles of 2 players instead of {REFUGES}"
        )
    for tile in tiles:
        if (tile.bridge[0] != NONE) != (tile.id in BRIDGE_TILES):
            raise PackError(
                f"{file}, tile {shown(tile.id)}:"
                f" Neutral Bridges lie on tiles {' and '.join(BRIDGE_TILES)} only"
            )
    total = sum(sum(kinds) for tile in tiles for kinds in tile.outposts)
    if total != OUTPOSTS:
        raise PackError(f"{file}: {total} Outposts instead of {OUTPOSTS}")
    for k, letter in enumerate(OUTPOST_LETTERS):
        there = sum(kinds[k] for tile in tiles for kinds in tile.outposts)
        if there != OUTPOSTS // len(OUTPOST_LETTERS):
            raise PackError(
                f"{file}: {there} Outposts {shown(letter)} instead of {OUTPOSTS // len(OUTPOST_LETTERS)}"
            )


def read_layouts(text: str, tiles: tuple[Tile, ...]) -> tuple[Layout, ...]:
    """The quick layouts: every tile in play lies once, Neutral Refuges apart (CORE-001 … CORE-003)."""
    file = "layouts.toml"
    layouts = []
    for number, table in enumerate(list_of_tables(text, file, "layout"), 1):
        where = f"{file}, layout {number}"
        check_keys(table, ("players", "source", "grid", "range"), ("players", "source", "grid"), where)
        players = table["players"]
        if type(players) is not int or not 1 <= players <= MAX_SEATS:
            raise PackError(f"{where}: players is {shown(players)}, not a number from 1 to {MAX_SEATS}")
        where = f"{file}, layout for {players} players"
        check_source(table["source"], where)
        if table.get("range", "") != (ANY_ORDER if table["source"] == ASSUMED else ""):
            raise PackError(
                f"{where}: range must be {shown(ANY_ORDER)} if the layout is assumed, else absent"
            )
        grid = read_grid(table["grid"], where)
        check_grid(grid, [tile for tile in tiles if tile.players <= players], where)
        layouts.append(Layout(players, grid, table["source"]))
    check_unique((str(layout.players) for layout in layouts), file, "the layout for players")
    for players in TILES_FROM:
        if all(layout.players != players for layout in layouts):
            raise PackError(f"{file}: the layout for {players} players is missing")
    return tuple(layouts)


def read_grid(grid: Any, where: str) -> tuple[tuple[str, ...], ...]:
    """Rows of tile ids, equally long."""
    rows = grid if isinstance(grid, list) else []
    if not rows or not all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows):
        raise PackError(f"{where}: grid is not a list of rows of equal length")
    for name in (name for row in rows for name in row):
        if not isinstance(name, str):
            raise PackError(f'{where}: grid has {shown(name)}, not a tile\'s id in quotes such as "2.1"')
    return tuple(tuple(row) for row in rows)


def check_grid(grid: tuple[tuple[str, ...], ...], tiles: list[Tile], where: str) -> None:
    """A grid holds exactly the tiles in play, with the Neutral Refuges apart."""
    names = [name for row in grid for name in row]
    for name in names:
        if all(tile.id != name for tile in tiles):
            raise PackError(f"{where}: {shown(name)} is no tile in play")
    check_unique(names, where, "tile")
    if len(names) != len(tiles):
        raise PackError(f"{where}: {len(names)} tiles instead of {len(tiles)}")
    refuges = {tile.id for tile in tiles if tile.refuge != NONE}
    for line in (*grid, *zip(*grid, strict=True)):
        if any({a, b} == refuges for a, b in pairwise(line)):
            raise PackError(f"{where}: the tiles with a Neutral Refuge are adjacent")


def marks(parts: PackParts) -> list[str]:
    """The source mark of every value: what `share_assumed` counts. Titles and ids are no values."""
    found = [parts.source, *parts.feats]
    for card in parts.cards:
        found += [card.source] * (1 if card.is_faction_card else 4)
    for slot in parts.slots:
        found += [slot.source] * 2
    found += [kind.source for kind in parts.candy]
    for mission in parts.missions:
        found += [mission.source] * 5
    for tile in parts.tiles:
        there = (tile.refuge, tile.drone, tile.bridge[0], tile.elevator[0])
        symbols = sum(place != NONE for place in there) + sum(any(kinds) for kinds in tile.outposts)
        found += [tile.source] * (2 + symbols + sum(n > 0 for n in tile.resources))
    found += [layout.source for layout in parts.layouts]
    return found
