"""Whether a deal is one that the rules allow."""

from collections import Counter

from .board import Board
from .deal import SHAPES, Deal, quick_layout, refuges_adjacent
from .pack import Pack
from .rules import Rules
from .words import COLOURS, MARKETS, STARTER_DRONE


def faults(pack: Pack, rules: Rules, deal: Deal) -> list[str]:
    """CORE-001 … CORE-015 What a set-up game has that it mustn't, or lacks; empty if nothing."""
    return [
        *_board(pack, deal),
        *_drones(pack, deal),
        *_markets(pack, deal),
        *_missions(rules, deal),
        *_feats(pack, rules, deal),
    ]


def _board(pack: Pack, deal: Deal):
    """CORE-001, CORE-002, CORE-003, CORE-010"""
    players = len(deal.factions)
    rows, columns = SHAPES[players]
    tiles = sorted(tile for row in deal.layout for tile, _ in row)
    if [len(row) for row in deal.layout] != [columns] * rows:
        yield f"the board isn't {rows} × {columns}"
    if tiles != sorted(tile.id for tile in pack.tiles.values() if tile.players <= players):
        yield f"these tiles lie: {tiles}"
    if refuges_adjacent(pack, deal.layout):
        yield "the tiles with a Neutral Refuge are adjacent"
    if deal.layout != quick_layout(pack, players):
        spaces = Board(pack, deal.layout).spaces.values()
        if max(spaces) * 100 > pack.largest_region_percent * sum(spaces):
            yield "a Region is too large"
    if sorted(deal.outpost_colours.values()) != sorted(COLOURS):
        yield f"the letters bear {deal.outpost_colours}"


def _drones(pack: Pack, deal: Deal):
    """CORE-008"""
    if set(deal.drones) != {STARTER_DRONE[faction] for faction in deal.factions}:
        yield f"these Drones are in play: {sorted(deal.drones)}"
    tiles = list(deal.drones.values())
    if len(set(tiles)) < len(tiles) or not all(pack.tiles[tile].drone for tile in tiles):
        yield f"Drones lie on {tiles}"


def _markets(pack: Pack, deal: Deal):
    """CORE-011"""
    in_play = {STARTER_DRONE[faction] for faction in deal.factions}
    shares = Counter()
    for market in MARKETS:
        cards = [*deal.slots[market], *deal.decks[market]]
        if None in deal.slots[market] or len(set(cards)) < len(cards):
            yield f"the {market} market has {cards}"
        kinds = Counter(pack.cards[card].deck for card in cards if card is not None)
        if kinds.pop(market, 0) != sum(card.deck == market for card in pack.cards.values()):
            yield f"cards of its own are not in the {market} market"
        shares[market] = sum(kinds.values())
        if not set(kinds) <= in_play:
            yield f"the {market} market has cards of {sorted(kinds)}"
    share = sum(card.deck in in_play for card in pack.cards.values()) // len(COLOURS)
    if shares != Counter(dict.fromkeys(COLOURS, share)):
        yield f"the markets have so many Drone cards: {dict(shares)}"


def _missions(rules: Rules, deal: Deal):
    """CORE-013, CORE-030, CORE-130"""
    cards = [card for column in deal.missions for card in column]
    rows = 1 if rules.no_choices else 2
    if [len(column) for column in deal.missions] != [rows] * rules.turns or len(set(cards)) < len(cards):
        yield f"these Missions lie: {deal.missions}"


def _feats(pack: Pack, rules: Rules, deal: Deal):
    """CORE-015, CORE-131"""
    each = [] if rules.feats_draft else sorted(COLOURS)
    if any(sorted(pack.feats[feat] for feat in feats) != each for feats in deal.feats):
        yield f"Feats of these colours were dealt: {deal.feats}"
    if sum(map(len, deal.feats)) > len(frozenset().union(*deal.feats)):
        yield f"a Feat was dealt twice: {deal.feats}"
