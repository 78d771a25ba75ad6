"""All that chance fixes before play, and one way of dealing it."""

import random
from dataclasses import dataclass

from .board import Board, Layout
from .pack import Pack
from .rules import Rules
from .words import COLOURS, MARKETS, STARTER_DRONE

SHAPES = {2: (3, 3), 3: (3, 4), 4: (4, 4)}  # CORE-001: rows, columns


@dataclass(frozen=True)
class Deal:
    """A set-up game. Seats are numbered from 0 in the starting Priority (CORE-017)."""

    factions: tuple[str, ...]  # by seat
    layout: Layout  # rows of (tile, quarter turns clockwise)
    outpost_colours: dict[str, str]  # letter A, B, C to colour (CORE-010)
    drones: dict[str, str]  # a Drone to the tile on which its token was dealt (CORE-008)
    slots: dict[str, tuple[str | None, ...]]  # by market, left to right (CORE-011)
    decks: dict[str, tuple[str, ...]]  # by market, the next card first
    missions: tuple[tuple[str, ...], ...]  # columns, each row 1 first (CORE-013)
    feats: tuple[frozenset[str], ...]  # by seat (CORE-015); nothing is dealt for a draft (CORE-131)


def random_deal(
    pack: Pack,
    rules: Rules,
    factions: tuple[str, ...],
    chance: random.Random,
    random_layout: bool = False,
) -> Deal:
    """CORE-001 … CORE-018 Set up a game for these factions, who sit in this order."""
    slots, decks = _markets(pack, factions, chance)
    players = len(factions)
    layout = _random_layout(pack, players, chance) if random_layout else quick_layout(pack, players)
    return Deal(
        factions=factions,
        layout=layout,
        outpost_colours=dict(zip("ABC", _shuffled(COLOURS, chance), strict=True)),
        drones=_drones(pack, factions, layout, chance),
        slots=slots,
        decks=decks,
        missions=_missions(pack, rules, chance),
        feats=_feats(pack, rules, players, chance),
    )


def quick_layout(pack: Pack, players: int) -> Layout:
    """CORE-002 The layout of the picture, unrotated."""
    return tuple(tuple((tile, 0) for tile in row) for row in pack.layouts[players])


def _random_layout(pack: Pack, players: int, chance: random.Random) -> Layout:
    """CORE-002, CORE-003 Place and rotation drawn, again until the limits are met."""
    rows, columns = SHAPES[players]
    tiles = [tile.id for tile in pack.tiles.values() if tile.players <= players]
    while True:
        drawn = _shuffled(tiles, chance)
        layout = tuple(
            tuple((drawn[row * columns + column], chance.randrange(4)) for column in range(columns))
            for row in range(rows)
        )
        board = Board(pack, layout)
        limit = pack.largest_region_percent * sum(board.spaces.values())
        if max(board.spaces.values()) * 100 <= limit and not refuges_adjacent(pack, layout):
            return layout


def refuges_adjacent(pack: Pack, layout: Layout) -> bool:
    """CORE-003 Whether the two tiles with a Neutral Refuge share an edge."""
    places = [
        (row, column)
        for row, tiles in enumerate(layout)
        for column, (tile, _) in enumerate(tiles)
        if pack.tiles[tile].refuge
    ]
    return any(
        abs(row - other_row) + abs(column - other_column) == 1
        for row, column in places
        for other_row, other_column in places
    )


def _drones(pack: Pack, factions: tuple[str, ...], layout: Layout, chance: random.Random) -> dict[str, str]:
    """CORE-008 A token for each faction in play, dealt over the tiles with a Drone symbol."""
    tiles = [tile for row in layout for tile, _ in row if pack.tiles[tile].drone]
    drones = [STARTER_DRONE[faction] for faction in factions]
    return dict(zip(drones, chance.sample(tiles, len(drones)), strict=True))


def _markets(pack: Pack, factions: tuple[str, ...], chance: random.Random) -> tuple[dict, dict]:
    """CORE-011 Decks with equal random shares of the Drone cards, three cards of each face up."""
    in_play = {STARTER_DRONE[faction] for faction in factions}
    drone_cards = _shuffled([card.id for card in pack.cards.values() if card.deck in in_play], chance)
    share = len(drone_cards) // len(COLOURS)
    slots, decks = {}, {}
    for number, market in enumerate(MARKETS):
        cards = [card.id for card in pack.cards.values() if card.deck == market]
        if market in COLOURS:
            cards += drone_cards[number * share : (number + 1) * share]
        cards = _shuffled(cards, chance)
        slots[market], decks[market] = tuple(cards[:3]), tuple(cards[3:])
    return slots, decks


def _missions(pack: Pack, rules: Rules, chance: random.Random) -> tuple[tuple[str, ...], ...]:
    """CORE-013, CORE-030, CORE-130 A column for each Turn, of two rows, or of one."""
    rows = 1 if rules.no_choices else 2
    cards = chance.sample(sorted(pack.missions), rules.turns * rows)
    return tuple(tuple(cards[column * rows : (column + 1) * rows]) for column in range(rules.turns))


def _feats(pack: Pack, rules: Rules, seats: int, chance: random.Random) -> tuple[frozenset[str], ...]:
    """CORE-015, CORE-131 One Feat of each colour a seat, no Feat twice; none before a draft."""
    if rules.feats_draft:
        return (frozenset(),) * seats
    hands: list[set[str]] = [set() for _ in range(seats)]
    for colour in COLOURS:
        feats = sorted(feat for feat, its_colour in pack.feats.items() if its_colour == colour)
        for hand, feat in zip(hands, chance.sample(feats, seats), strict=True):
            hand.add(feat)
    return tuple(frozenset(hand) for hand in hands)


def _shuffled(things, chance: random.Random) -> list:
    things = list(things)
    chance.shuffle(things)
    return things
