"""The components: a pack of text files, read with nothing but the standard library."""

import csv
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from .icons import Icon, read_icons
from .words import FACTIONS

RECONSTRUCTED = Path(__file__).parents[2] / "simlab" / "games" / "dei" / "packs" / "reconstructed"


@dataclass(frozen=True)
class Card:
    """An Action card: a Faction card, a Market card or a Drone's Market card."""

    id: str
    deck: str
    icons: tuple[Icon, ...]
    technology: int
    energy: int
    supplies: int

    @property
    def is_market_card(self) -> bool:
        """CORE-012 Bought in a market, whatever its deck."""
        return self.deck not in FACTIONS

    @property
    def is_drone_card(self) -> bool:
        """CORE-012, CORE-075 It activates a Drone; a plain Copy icon makes no Drone card."""
        return any(icon.action == "drone" for icon in self.icons)


@dataclass(frozen=True)
class Tile:
    """A District tile, unturned: its map by letters, and the symbols by letter."""

    id: str
    players: int
    map: tuple[str, ...]
    technology: dict[str, int]
    energy: dict[str, int]
    outposts: dict[str, str]
    drone: str | None
    refuge: str | None
    elevator: tuple[str, str] | None
    bridge: tuple[str, str] | None


@dataclass(frozen=True)
class Slot:
    """CORE-045, CORE-046 What a slot of a market asks for."""

    cubes: int
    technology: int


@dataclass(frozen=True)
class Mission:
    """A Mission card: Supplies and per how many things, on time and late."""

    id: str
    kind: str
    on_time: tuple[int, int]
    late: tuple[int, int]


@dataclass(frozen=True)
class Pack:
    """All components of the box."""

    cards: dict[str, Card]
    tiles: dict[str, Tile]
    layouts: dict[int, tuple[tuple[str, ...], ...]]
    slots: dict[str, tuple[Slot, ...]]
    candy: dict[str, int]
    missions: dict[str, Mission]
    feats: dict[str, str]  # a Feat's colour
    largest_region_percent: int = 100
    order: dict[str, int] = field(default_factory=dict)  # a card's place in the file
    leader_values: dict[str, int] = field(default_factory=dict)  # by faction, before what the rules say

    def in_order(self, cards: list[str]) -> list[str]:
        """Cards in the order of the pack."""
        return sorted(cards, key=self.order.__getitem__)


def read_pack(folder: Path = RECONSTRUCTED) -> Pack:
    """Read a pack from its folder."""
    cards = {row["id"]: _card(row) for row in _table(folder / "cards.csv")}
    about = _toml(folder / "pack.toml")
    return Pack(
        cards=cards,
        tiles={tile["id"]: _tile(tile) for tile in _toml(folder / "tiles.toml")["tile"]},
        layouts={
            layout["players"]: tuple(tuple(row) for row in layout["grid"])
            for layout in _toml(folder / "layouts.toml")["layout"]
        },
        slots=_slots(_table(folder / "markets.csv")),
        candy={row["kind"]: int(row["tokens"]) for row in _table(folder / "candy.csv")},
        missions={row["id"]: _mission(row) for row in _table(folder / "missions.csv")},
        feats={row["id"]: row["colour"] for row in _table(folder / "feats.csv")},
        largest_region_percent=int(about.get("largest_region_percent", 100)),
        order={card: number for number, card in enumerate(cards)},
    )


def _table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _toml(path: Path) -> dict:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _card(row: dict[str, str]) -> Card:
    numbers = {key: int(row[key] or 0) for key in ("technology", "energy", "supplies")}
    return Card(row["id"], row["deck"], read_icons(row["icons"]), **numbers)


def _tile(tile: dict) -> Tile:
    pairs = {key: tuple(tile[key]) if key in tile else None for key in ("elevator", "bridge")}
    return Tile(
        id=tile["id"],
        players=tile.get("players", 2),
        map=tuple(tile["map"]),
        technology=tile.get("technology", {}),
        energy=tile.get("energy", {}),
        outposts=tile.get("outposts", {}),
        drone=tile.get("drone"),
        refuge=tile.get("refuge"),
        **pairs,
    )


def _slots(rows: list[dict[str, str]]) -> dict[str, tuple[Slot, ...]]:
    markets: dict[str, dict[int, Slot]] = {}
    for row in rows:
        slot = Slot(int(row["cubes"]), int(row["technology"]))
        markets.setdefault(row["market"], {})[int(row["slot"])] = slot
    return {market: tuple(slots[number] for number in sorted(slots)) for market, slots in markets.items()}


def _mission(row: dict[str, str]) -> Mission:
    on_time = int(row["on_time_gain"]), int(row["on_time_per"])
    late = int(row["late_gain"]), int(row["late_per"])
    return Mission(row["id"], row["kind"], on_time, late)
