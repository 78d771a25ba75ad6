"""Component packs: from a folder of CSV and TOML files to the table that the engine reads.

`load_pack` checks structure and raises a PackError of one sentence; whether the components make a good
game is what `pack_check.py` measures. `with_tiles` and `with_cards` give a pack other tiles or cards,
which scenarios and house rules need.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simlab.errors import PackError, UnknownName
from simlab.games.dei.pack_files import (
    ASSUMED,
    RULEBOOK,
    Ranged,
    check_keys,
    check_title,
    check_unique,
    check_word,
)
from simlab.games.dei.pack_parts import PackParts, check_sizes, marks, read_parts
from simlab.games.dei.pack_rows import (
    DECKS,
    MAX_PRICE,
    MAX_SUPPLIES,
    NUMBER_COLUMNS,
    Card,
    parse_card_icons,
)
from simlab.games.dei.state import records
from simlab.games.dei.tables import PACK_RECORD
from simlab.games.dei.tiles import OUTPOST_LETTERS, parse_tile
from simlab.games.dei.vocabulary import DRONES, FACTIONS, MARKETS, MAX_CARDS, MAX_TILES, NONE
from simlab.wording import place, shown

PACKS = Path(__file__).resolve().parent / "packs"
INLINE_CARD_KEYS = ("id", "title", "deck", "market", "icons", *NUMBER_COLUMNS)


@dataclass(frozen=True, eq=False)
class Pack:
    """One set of components: the engine's table and the names that people use for its rows."""

    name: str
    title: str
    folder: Path
    hash: str  # of the content: independent of path and line ends
    table: Any  # record array of one PACK_RECORD
    card_ids: tuple[str, ...]
    card_titles: tuple[str, ...]
    faction_card_ids: tuple[str, ...]  # those that nobody buys
    drone_decks: Mapping[str, str]  # card of a Drone's deck → the Drone
    tile_ids: tuple[str, ...]
    patch_letters: tuple[tuple[str, ...], ...]  # by tile: the letter of each patch
    mission_ids: tuple[str, ...]
    share_assumed: float  # of all values, those not printed in the rulebook
    counts: Mapping[str, int]
    parts: PackParts  # ranges and source marks

    @property
    def version(self) -> int:
        """The number by which people tell contents of one name apart."""
        return self.parts.version

    @property
    def leader_values(self) -> tuple[int | None, ...]:
        """CORE-090, CORE-094: what each faction's Leader counts for Majority, None where the rules say it."""
        return self.parts.leader_values

    def outposts_of_a_colour(self, players: int) -> int:
        """The most Outposts that one colour can have on a board for so many players (CORE-010)."""
        tiles = [tile for tile in self.parts.tiles if tile.players <= players]
        letters = range(len(OUTPOST_LETTERS))
        return max(sum(kinds[letter] for tile in tiles for kinds in tile.outposts) for letter in letters)


def shipped_packs() -> list[str]:
    """Names of the packs that come with the package."""
    return sorted(folder.name for folder in PACKS.iterdir() if (folder / "pack.toml").is_file())


def load_pack(name_or_path: str) -> Pack:
    """A shipped pack by name, or any by the path of its folder."""
    if name_or_path in shipped_packs():
        folder = PACKS / name_or_path
    else:
        folder = Path(name_or_path)
        _check_folder(folder)
    return build_pack(read_parts(folder), folder)


def _check_folder(folder: Path) -> None:
    try:
        is_there, is_folder = folder.exists(), folder.is_dir()
    except OSError as error:
        raise PackError(f"{place(folder)} can't be read: {error.strerror}") from None
    if not is_there:
        known = ", ".join(shipped_packs())
        raise UnknownName(
            f"no pack is called {shown(str(folder))} and no folder has this path (shipped: {known})"
        )
    if not is_folder:
        raise PackError(f"{place(folder)} is not a folder with a component pack")


def build_pack(parts: PackParts, folder: Path) -> Pack:
    """The tables and names of parts that were read or put together."""
    table = records(PACK_RECORD)
    fill_cards(table[0], parts)
    fill_small_parts(table[0], parts)
    fill_tiles(table[0], parts)
    fill_layouts(table[0], parts)
    mine = marks(parts)
    return Pack(
        name=parts.name,
        title=parts.title,
        folder=folder,
        hash=parts.hash,
        table=table,
        card_ids=tuple(card.id for card in parts.cards),
        card_titles=tuple(card.title for card in parts.cards),
        faction_card_ids=tuple(card.id for card in parts.cards if card.is_faction_card),
        drone_decks={card.id: card.deck for card in parts.cards if card.deck in DRONES},
        tile_ids=tuple(tile.id for tile in parts.tiles),
        patch_letters=tuple(tile.letters for tile in parts.tiles),
        mission_ids=tuple(mission.id for mission in parts.missions),
        share_assumed=mine.count(ASSUMED) / len(mine),
        counts={
            "cards": len(parts.cards),
            "tiles": len(parts.tiles),
            "missions": len(parts.missions),
            "feats": len(parts.feats),
            "candy": sum(kind.tokens.value for kind in parts.candy),
            "values": len(mine),
            "assumed values": mine.count(ASSUMED),
        },
        parts=parts,
    )


def fill_cards(table: Any, parts: PackParts) -> None:
    """Cards in the order of the file."""
    table.n_cards = len(parts.cards)
    for fields in (table.card_market, table.card_faction, table.drone_deck):
        fields[:] = NONE
    for k, card in enumerate(parts.cards):
        table.n_icons[k] = len(card.icons)
        table.icon[k, : len(card.icons)] = card.icons
        table.card_technology[k] = card.technology.value
        table.card_energy[k] = card.energy.value
        table.card_supplies[k] = card.supplies.value
        table.is_drone_card[k] = int(card.is_drone_card)
        for fields, words in (
            (table.card_market, MARKETS),
            (table.card_faction, FACTIONS),
            (table.drone_deck, DRONES),
        ):
            if card.deck in words:
                fields[k] = words.index(card.deck)


def fill_small_parts(table: Any, parts: PackParts) -> None:
    """Market slots, Candy Boosts, Missions and the limit on Regions."""
    for slot in parts.slots:
        table.slot_cubes[slot.market, slot.slot] = slot.cubes.value
        table.slot_technology[slot.market, slot.slot] = slot.technology.value
    tokens = [kind.kind for kind in parts.candy for _ in range(kind.tokens.value)]
    table.n_candy = len(tokens)
    table.candy_kind[:] = NONE
    table.candy_kind[: len(tokens)] = tokens
    table.n_missions = len(parts.missions)
    for k, mission in enumerate(parts.missions):
        table.mission_kind[k] = mission.kind
        table.on_time_gain[k], table.on_time_per[k], table.late_gain[k], table.late_per[k] = mission.values
    table.largest_region_percent = parts.largest_region_percent.value


def fill_tiles(table: Any, parts: PackParts) -> None:
    """Tiles in the order of the file, patches in ASCII order of their letters."""
    table.n_tiles = len(parts.tiles)
    table.tile_size = parts.tiles[0].size
    for fields in (table.refuge_patch, table.drone_patch, table.bridge_patches, table.elevator_patches):
        fields[:] = NONE
    for k, tile in enumerate(parts.tiles):
        n = len(tile.letters)
        table.tile_players[k] = tile.players
        table.n_patches[k] = n
        table.patch_at[k, : tile.size, : tile.size] = tile.spaces
        table.patch_level[k, :n] = tile.levels
        table.patch_resources[k, :n] = tile.resources
        table.patch_outposts[k, :n] = tile.outposts
        table.refuge_patch[k] = tile.refuge
        table.drone_patch[k] = tile.drone
        table.bridge_patches[k] = tile.bridge
        table.elevator_patches[k] = tile.elevator


def fill_layouts(table: Any, parts: PackParts) -> None:
    """The grid and the quick layout of each number of players that has one."""
    table.quick_layout[:] = NONE
    ids = [tile.id for tile in parts.tiles]
    for layout in parts.layouts:
        names = [name for row in layout.grid for name in row]
        table.grid_rows[layout.players] = len(layout.grid)
        table.grid_columns[layout.players] = len(layout.grid[0])
        table.quick_layout[layout.players, : len(names)] = [ids.index(name) for name in names]


def with_tiles(pack: Pack, tiles: Iterable[Mapping[str, Any]]) -> Pack:
    """The pack with exactly these tiles (tables as in tiles.toml) and no layouts."""
    tables = list(tiles)
    new = tuple(parse_tile(table, "game") for table in tables)
    if not 1 <= len(new) <= MAX_TILES:
        raise PackError(f"game: {len(new)} tiles, 1 to {MAX_TILES} are possible")
    check_unique((tile.id for tile in new), "game", "tile")
    check_sizes(new, "game")
    return build_pack(replace(pack.parts, tiles=new, layouts=(), hash=rehash(pack, tables)), pack.folder)


def with_cards(pack: Pack, cards: Iterable[Mapping[str, Any]]) -> Pack:
    """The pack with these cards in place of those with the same id, or after the others."""
    tables = list(cards)
    new = [inline_card(table) for table in tables]
    check_unique((card.id for card in new), "game", "card")
    by_id = {card.id: card for card in pack.parts.cards} | {card.id: card for card in new}
    if len(by_id) > MAX_CARDS:
        raise PackError(f"game: {len(by_id)} cards, {MAX_CARDS} at most are possible")
    return build_pack(
        replace(pack.parts, cards=tuple(by_id.values()), hash=rehash(pack, tables)), pack.folder
    )


def rehash(pack: Pack, tables: list[Mapping[str, Any]]) -> str:
    """The hash of a pack with other parts."""
    return hashlib.sha256(f"{pack.hash} {tables!r}".encode()).hexdigest()


def inline_card(table: Mapping[str, Any]) -> Card:
    """A card from a table in a scenario: only id and icons are needed, a deck (or market) may be named."""
    name = table.get("id")
    where = f"game, card {shown(name)}"
    if not isinstance(name, str) or not name:
        raise PackError("game: a card has no id")
    check_word(name, "game: a card's id")
    check_keys(table, INLINE_CARD_KEYS, ("icons",), where)
    deck = table.get("deck", table.get("market", ""))
    if deck not in ("", *DECKS):
        raise PackError(f"{where}: deck {shown(deck)} is not one of {', '.join(DECKS)}")
    numbers = []
    for key, high in zip(NUMBER_COLUMNS, (MAX_PRICE, MAX_PRICE, MAX_SUPPLIES), strict=True):
        value = table.get(key, 0)
        if type(value) is not int or not 0 <= value <= high:
            raise PackError(f"{where}: {key} is {shown(value)}, not a number from 0 to {high}")
        numbers.append(Ranged(value, value, value))
    technology, energy, supplies = numbers
    for key in ("icons", "title"):
        if not isinstance(table.get(key, ""), str):
            raise PackError(f"{where}: {key} is {shown(table[key])}, not a text")
    icons = parse_card_icons(table["icons"], where)
    title = check_title(table.get("title", name), f"{where}: title")
    return Card(name, title, deck, icons, technology, energy, supplies, RULEBOOK)
