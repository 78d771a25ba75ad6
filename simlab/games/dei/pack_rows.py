"""The CSV files of a component pack as typed rows: cards, market slots, Candy Boosts, Missions, Feats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from simlab.errors import PackError
from simlab.games.dei.icons import (
    GAINS,
    icon_name,
    parse_icons,
    plain_amount,
    plain_argument,
    plain_op,
    plain_per,
)
from simlab.games.dei.pack_files import (
    ASSUMED,
    LONGEST_WORD,
    RULEBOOK,
    Ranged,
    Row,
    check_unique,
    read_rows,
    split_range,
)
from simlab.games.dei.vocabulary import (
    ANY_DRONE,
    CANDIES,
    COLOURS,
    COPY,
    DRONE,
    DRONES,
    FACTIONS,
    FEATS,
    FEATS_PER_COLOUR,
    MARKETS,
    MAX_COPIES,
    MAX_ICONS,
    MISSION_KINDS,
    N_MARKETS,
    N_SLOTS,
)
from simlab.wording import shown

FACTION_CARDS = 8  # CORE-014
MARKET_CARDS = (8, 8, 8, 12)  # CORE-011, by market
DRONE_CARDS = 3  # of each Drone
CANDY_TOKENS = 16  # CORE-080
MISSIONS = 12  # CORE-013
PRINTED_MISSIONS = {  # CORE-120 … CORE-127: on time gain, per; late gain, per
    "technologies": (1, 1, 2, 3),
    "energy_cells": (2, 1, 3, 2),
    "drone_cards": (2, 1, 1, 1),
    "constructions": (2, 1, 1, 1),
    "scrappers": (3, 3, 2, 3),
    "outposts": (2, 1, 1, 1),
    "garrisons": (2, 1, 1, 1),
    "tactic_outposts": (3, 1, 2, 1),
    "logistic_outposts": (3, 1, 2, 1),
    "machinery_outposts": (3, 1, 2, 1),
}
MAX_PRICE = 9
MAX_SUPPLIES = 20

CARDS = "cards.csv"
NUMBER_COLUMNS = ("technology", "energy", "supplies")
CARD_COLUMNS = (
    "id",
    "title",
    "deck",
    "icons",
    "icons_range",
    *(name for column in NUMBER_COLUMNS for name in (column, f"{column}_range")),
    "source",
)
SLOTS = "markets.csv"
SLOT_COLUMNS = ("market", "slot", "cubes", "cubes_range", "technology", "technology_range", "source")
CANDY = "candy.csv"
CANDY_COLUMNS = ("kind", "tokens", "tokens_range", "source")
MISSION_CARDS = "missions.csv"
MISSION_NUMBERS = ("on_time_gain", "on_time_per", "late_gain", "late_per")
MISSION_COLUMNS = ("id", "kind", "title", *MISSION_NUMBERS, "kind_range", "source")
DECKS = (*FACTIONS, *MARKETS, *DRONES)


@dataclass(frozen=True)
class Card:
    """One Action card. `icon_ranges` says how many of each icon it may plausibly have."""

    id: str
    title: str
    deck: str
    icons: tuple[int, ...]
    technology: Ranged
    energy: Ranged
    supplies: Ranged
    source: str
    icon_ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def is_drone_card(self) -> bool:
        """CORE-075: it activates a Drone."""
        return any(plain_op(code) == DRONE for code in self.icons)

    @property
    def is_faction_card(self) -> bool:
        """CORE-014: it belongs to a starting hand."""
        return self.deck in FACTIONS


@dataclass(frozen=True)
class Slot:
    """What one slot of a market asks for (CORE-045)."""

    market: int
    slot: int
    cubes: Ranged
    technology: Ranged
    source: str


@dataclass(frozen=True)
class CandyKind:
    """How many Candy Boosts of a kind there are."""

    kind: int
    tokens: Ranged
    source: str


@dataclass(frozen=True)
class Mission:
    """One Mission card: gain for each `per` things, on time and late."""

    id: str
    kind: int
    values: tuple[int, int, int, int]  # on time gain, per; late gain, per
    kinds: tuple[str, ...]  # what it may plausibly be
    source: str


def icon_counts(icons: Iterable[int]) -> Counter[str]:
    """How many of each icon, gains by amount, a Drone's extra movement left out."""
    counts: Counter[str] = Counter()
    for code in icons:
        amount = plain_amount(code)
        if plain_op(code) in GAINS:
            counts[icon_name(code).replace(f"*{amount}", "")] += amount
        else:
            counts[icon_name(code).replace(f"+{amount}", "")] += 1
    return counts


def read_icons(text: str, where: str) -> tuple[int, ...]:
    """The icons of a text in the pack language."""
    for word in text.split():
        if len(word) > LONGEST_WORD or not word.isascii() or not word.isprintable():
            raise PackError(f"{where}: unknown icon {shown(word)}")
    try:
        return tuple(parse_icons(text))
    except ValueError as error:
        raise PackError(f"{where}: {error}") from None


def parse_card_icons(text: str, where: str) -> tuple[int, ...]:
    """A card's icons; what a card can't bear is refused."""
    icons = read_icons(text, where)
    if not icons:
        raise PackError(f"{where}: the card has no icon")
    if len(icons) > MAX_ICONS:
        raise PackError(f"{where}: {len(icons)} icons, {MAX_ICONS} at most are possible")
    if sum(plain_op(code) == COPY for code in icons) > MAX_COPIES:
        raise PackError(f"{where}: more than {MAX_COPIES} Copy icons")
    for code in icons:
        if plain_op(code) in (COPY, DRONE) and plain_per(code):
            raise PackError(f"{where}: {shown(icon_name(code))} can't be done once per Outpost")
    return icons


def parse_icon_ranges(text: str, icons: tuple[int, ...], where: str) -> dict[str, tuple[int, int]]:
    """'move*1..3 drone:fly+0..2': how many of an icon, or how far its Drone moves beyond the usual."""
    ranges: dict[str, tuple[int, int]] = {}
    column = f"{where}: icons_range"
    for word in text.split():
        mark = "+" if "+" in word else "*"
        name, marked, span = word.partition(mark)
        if not name or not marked:
            raise PackError(f"{column} has {shown(word)}, which does not read icon{mark}low..high")
        (code, *_) = read_icons(name, column)
        if mark == "+" and plain_op(code) != DRONE:
            raise PackError(f"{column} has {shown(word)}, but only a Drone moves further")
        (key,) = icon_counts([code])
        key += mark.strip("*")
        if key in ranges:
            raise PackError(f"{column} has a range of {shown(name)} twice")
        ranges[key] = split_range(span, f"{column} of {shown(name)}")
    for name, count in icon_counts(icons).items():
        if name not in ranges and f"{name}+" not in ranges:
            raise PackError(f"{column}: the icon {shown(name)} has no range")
        low, high = ranges.get(name, (1, 1))
        if not low <= count <= high:
            raise PackError(f"{where}: {count} of icon {shown(name)}, outside its range {low}..{high}")
    for code in icons:
        name = icon_name(code).partition("+")[0]
        low, high = ranges.get(f"{name}+", (0, 15))
        if plain_op(code) == DRONE and not low <= plain_amount(code) <= high:
            raise PackError(f"{where}: {shown(icon_name(code))} is outside its range +{low}..{high}")
    return ranges


def parse_card(row: Row) -> Card:
    """A card from its row; Faction cards have no price and no Supplies, their cells stay empty."""
    deck = row.word("deck", DECKS)
    icons = parse_card_icons(row.text("icons"), row.where)
    icon_ranges: dict[str, tuple[int, int]] = {}
    if row.source == ASSUMED:
        icon_ranges = parse_icon_ranges(row.text("icons_range"), icons, row.where)
    elif row.cells["icons_range"]:
        raise row.fail("it is marked rulebook and has an icons_range, which only assumed icons have")
    numbers = []
    for column, high in zip(NUMBER_COLUMNS, (MAX_PRICE, MAX_PRICE, MAX_SUPPLIES), strict=True):
        if deck in FACTIONS:
            if row.cells[column] not in ("", "0") or row.cells[f"{column}_range"]:
                raise row.fail(f"a Faction card has no {column}")
            numbers.append(Ranged(0, 0, 0))
        else:
            numbers.append(row.ranged(column, 0, high))
    technology, energy, supplies = numbers
    card = Card(row.id, row.title, deck, icons, technology, energy, supplies, row.source, icon_ranges)
    check_drone(card, row)
    return card


def check_drone(card: Card, row: Row) -> None:
    """CORE-008, CORE-011, CORE-075: a Drone's Market card activates it (or any); no other market has one."""
    drones = [plain_argument(code) for code in card.icons if plain_op(code) == DRONE]
    if card.deck in MARKETS:
        if drones:
            raise row.fail("a Drone icon outside the Drones' decks and the Faction cards")
    elif card.deck in DRONES:
        if not drones:
            raise row.fail("a Drone's Market card without a Drone icon")
        if any(drone not in (DRONES.index(card.deck), ANY_DRONE) for drone in drones):
            raise row.fail(f"a card of {card.deck}'s deck that activates another Drone")
    elif any(drone != FACTIONS.index(card.deck) for drone in drones):
        raise row.fail("a Faction card that activates a Drone other than its faction's")


def parse_cards(text: str) -> list[Card]:
    """All Action cards: 8 a faction with one Drone card, 8 a colour, 12 Black ones, 3 a Drone."""
    cards = [parse_card(row) for row in read_rows(text, CARDS, CARD_COLUMNS, "id")]
    check_unique((card.id for card in cards), CARDS, "card")
    wanted = dict.fromkeys(FACTIONS, FACTION_CARDS) | dict(zip(MARKETS, MARKET_CARDS, strict=True))
    wanted |= dict.fromkeys(DRONES, DRONE_CARDS)
    for deck, number in wanted.items():
        there = sum(card.deck == deck for card in cards)
        if there != number:
            raise PackError(f"{CARDS}: deck {shown(deck)} has {there} cards instead of {number}")
    for faction in FACTIONS:
        there = sum(card.deck == faction and card.is_drone_card for card in cards)
        if there != 1:
            raise PackError(f"{CARDS}: deck {shown(faction)} has {there} Drone cards instead of 1")
    return cards


def parse_slots(text: str) -> list[Slot]:
    """The three slots of each market, left to right."""
    slots = []
    for row in read_rows(text, SLOTS, SLOT_COLUMNS, "market"):
        market, slot = MARKETS.index(row.word("market", MARKETS)), row.number("slot", 1, N_SLOTS)
        cubes, technology = row.ranged("cubes", 0, 4), row.ranged("technology", -3, 3)
        if market == N_MARKETS - 1 and cubes.high > 0:
            raise row.fail("the Black Market has no Outposts to ask for")
        slots.append(Slot(market, slot - 1, cubes, technology, row.source))
    check_unique((f"{MARKETS[slot.market]} {slot.slot + 1}" for slot in slots), SLOTS, "slot")
    if len(slots) != N_MARKETS * N_SLOTS:
        raise PackError(f"{SLOTS}: {len(slots)} slots instead of {N_MARKETS * N_SLOTS}")
    return slots


def parse_candy(text: str) -> list[CandyKind]:
    """The kinds of Candy Boosts and how many tokens of each (CORE-081)."""
    candy = []
    for row in read_rows(text, CANDY, CANDY_COLUMNS, "kind"):
        kind = CANDIES.index(row.word("kind", CANDIES))
        candy.append(CandyKind(kind, row.ranged("tokens", 0, CANDY_TOKENS), row.source))
    check_unique((CANDIES[kind.kind] for kind in candy), CANDY, "kind")
    total = sum(kind.tokens.value for kind in candy)
    if total != CANDY_TOKENS:
        raise PackError(f"{CANDY}: {total} tokens instead of {CANDY_TOKENS}")
    return sorted(candy, key=lambda kind: kind.kind)


def parse_missions(text: str) -> list[Mission]:
    """The Mission cards; a second copy's kind is assumed and says what else it may be (CORE-128)."""
    missions = []
    for row in read_rows(text, MISSION_CARDS, MISSION_COLUMNS, "id"):
        kind = row.word("kind", MISSION_KINDS)
        kinds = tuple(row.cells["kind_range"].split())
        if row.source == RULEBOOK and kinds:
            raise row.fail("it is marked rulebook and has a kind_range, which only assumed kinds have")
        if row.source == ASSUMED and kind not in kinds:
            raise row.fail(f"kind {shown(kind)} is not in its own kind_range")
        for other in kinds:
            if other not in MISSION_KINDS:
                raise row.fail(
                    f'column "kind_range" has {shown(other)}, not one of {", ".join(MISSION_KINDS)}'
                )
        _ = row.title  # checked, though nobody reads it
        gain, per, late, late_per = (row.number(name, 1, 9) for name in MISSION_NUMBERS)
        values = (gain, per, late, late_per)
        if row.source == RULEBOOK and values != PRINTED_MISSIONS[kind]:
            printed = " ".join(map(str, PRINTED_MISSIONS[kind]))
            raise row.fail(
                f"the rulebook prints {printed} in the columns {' '.join(MISSION_NUMBERS)} of this kind"
            )
        missions.append(Mission(row.id, MISSION_KINDS.index(kind), values, kinds, row.source))
    check_unique((mission.id for mission in missions), MISSION_CARDS, "Mission")
    if len(missions) != MISSIONS:
        raise PackError(f"{MISSION_CARDS}: {len(missions)} Missions instead of {MISSIONS}")
    return missions


def parse_feats(text: str) -> list[str]:
    """The Feat tokens' marks, by Feat: their effects are rules, so the file may only repeat them."""
    marks = {}
    for row in read_rows(text, "feats.csv", ("id", "colour", "title", "source"), "id"):
        feat = row.word("id", FEATS)
        colour = COLOURS[FEATS.index(feat) // FEATS_PER_COLOUR]
        if row.word("colour", COLOURS) != colour:
            raise row.fail(f"the Feat's colour is {colour}")
        title = feat.replace("_", " ").title()
        if row.text("title") != title:
            raise row.fail(f"the Feat's title is {title}")
        if row.source != RULEBOOK:
            raise row.fail("the rulebook prints all Feats, so its source is rulebook")
        if feat in marks:
            raise PackError(f"feats.csv: Feat {shown(feat)} stands there twice")
        marks[feat] = row.source
    if len(marks) != len(FEATS):
        raise PackError(f"feats.csv: {len(marks)} Feats instead of {len(FEATS)}")
    return [marks[feat] for feat in FEATS]
