"""From the engine's records to the slow twin: its Deal and Rules before play, its facts where set by hand."""

from __future__ import annotations

from typing import Any

import reference as twin
from reference.words import CONSTRUCTIONS

from simlab.games.dei.names import Names
from simlab.games.dei.rules import RULES
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    CANDIES,
    COLOURS,
    NONE,
)
from tests.dei.twin_facts import (
    Facts,
    decks_of,
    drones_of,
    engine_facts,
    feat_names,
    missions_of,
    slots_of,
)


def twin_rules(rules: dict[str, Any]) -> twin.Rules:
    """The twin's knobs: those of `resolve_rules`, by the same names."""
    return twin.Rules(
        **{rule.name: tuple(rules[rule.name]) if rule.length else rules[rule.name] for rule in RULES}
    )


def twin_deal(names: Names, position: Position, pack: twin.Pack) -> twin.Deal:
    """All that chance has fixed in a game that the engine has just set up."""
    public, board = names.public, names.board
    seats = range(int(public.n_seats))
    layout = _layout(names)
    colours = dict.fromkeys("ABC")
    for outpost in range(names.n_outposts):
        letter = "ABC"[int(board.outpost_letter[outpost])]
        colours[letter] = COLOURS[int(board.outpost_colour[outpost])]
    return twin.Deal(
        factions=tuple(names.seat_name(seat) for seat in seats),
        layout=layout,
        outpost_colours=colours,
        drones=_drone_tiles(names, layout, pack),
        slots={market: tuple(cards) for market, cards in slots_of(names).items()},
        decks={market: tuple(cards) for market, cards in decks_of(names, position).items()},
        missions=tuple(tuple(column) for column in missions_of(names)),
        feats=tuple(frozenset(feat_names(int(position.own[seat].feats))) for seat in seats),
    )


def _layout(names: Names) -> twin.board.Layout:
    board, columns = names.board, int(names.board.columns)
    tiles = [
        (names.pack.tile_ids[int(tile)], int(turns))
        for tile, turns in zip(board.tile_at, board.rotation, strict=True)
        if int(tile) != NONE
    ]
    return tuple(tuple(tiles[start : start + columns]) for start in range(0, len(tiles), columns))


def _drone_tiles(names: Names, layout: Any, pack: twin.Pack) -> dict[str, str]:
    """The tile under each Drone; of several with their symbols in one Region any that is left."""
    free = dict(twin.Board(pack, layout).drone_symbols)
    tiles = {}
    for drone, region in drones_of(names).items():
        tiles[drone] = next(tile for tile, place in free.items() if place == region)
        del free[tiles[drone]]
    return tiles


def adopt(names: Names, position: Position, other: twin.Position) -> twin.Position:
    """The twin's position with all facts of the engine's; what is due stays as it is."""
    facts = engine_facts(names, position)
    after = other.copy()
    after.resources = dict(facts["resources"])
    after.drones = dict(facts["drones"])
    after.slots = {market: list(cards) for market, cards in facts["market"].items()}
    after.decks = {market: list(cards) for market, cards in facts["deck"].items()}
    after.candy_reserve = dict.fromkeys(CANDIES, 0) | facts["candy_reserve"]
    after.extra_moves = int(names.public.extra_moves)
    seat_of = {seat.faction: number for number, seat in enumerate(after.seats)}
    after.majority = {region: seat_of.get(word) for region, word in facts["majority"].items()}
    for outpost, told in zip(after.outposts, facts["outposts"], strict=True):
        outpost.holder = seat_of.get(told["holder"])
    for faction, pad in facts["pads"].items():
        _adopt_pad(after.seats[seat_of[faction]], pad)
    return after


def _adopt_pad(seat: twin.Seat, pad: Facts) -> None:
    seat.scrappers = dict(pad["scrappers"])
    seat.leader = None if pad["leader"] == "the reserve" else pad["leader"]
    seat.technology, seat.energy = pad["technology"], pad["energy"]
    seat.supplies = {source: number for source, number in pad["supplies_by_source"].items() if number}
    seat.candy = list(pad["candy"])
    seat.hand = list(pad["hand"])
    seat.bin = list(pad["bin"])
    seat.feats, seat.unlocked = frozenset(pad["feats"]), frozenset(pad["unlocked"])
    seat.built = {kind: [] for kind in CONSTRUCTIONS}
    for text in pad["built"]:
        kind, *ends = text.replace(" over", "").split()
        seat.built[kind].append(tuple(ends))
    for places in seat.built.values():
        places.sort()
