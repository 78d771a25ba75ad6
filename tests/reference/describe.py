"""A position told as plain dicts, keyed by words: all facts, public and hidden."""

from .majority import supremacies, tied, values_in
from .position import Position, Seat
from .words import COLOURS, CONSTRUCTIONS, SOURCES


def describe(position: Position) -> dict:
    """All facts of a position.

    Factions stand for seats, Regions are named by their first patch. What is a list has an order that
    matters, or is sorted where none does.
    """
    factions = [seat.faction for seat in position.seats]
    return {
        "turn": position.turn,
        "phase": position.phase,
        "active": None if position.active is None else factions[position.active],
        "acting": None if position.acting is None else factions[position.acting],
        "question": None if position.question is None else type(position.question).__name__,
        "priority": [factions[seat] for seat in position.priority],
        "cards_left": position.cards_left,
        "extra_moves": position.extra_moves,
        "used": sorted(position.used),
        "regions": list(position.board.regions),
        "level": dict(position.board.level),
        "resources": dict(position.resources),
        "outposts": [
            {
                "region": outpost.region,
                "colour": outpost.colour,
                "holder": "nobody" if outpost.holder is None else factions[outpost.holder],
            }
            for outpost in position.outposts
        ],
        "drones": dict(position.drones),
        "majority": {region: _majority(position, region) for region in position.board.regions},
        "value": {region: _values(position, region) for region in position.board.regions},
        "market": {market: list(cards) for market, cards in position.slots.items()},
        "deck": {market: list(cards) for market, cards in position.decks.items()},
        "candy_reserve": {kind: number for kind, number in position.candy_reserve.items() if number},
        "missions": [list(column) for column in position.deal.missions],
        "feats_left": sorted(position.feats_left),
        "pads": {seat.faction: _pad(position, number, seat) for number, seat in enumerate(position.seats)},
        "ending": "finished" if position.over else "playing",
        "ranking": None if position.places is None else [factions[seat] for seat in position.places],
    }


def _majority(position: Position, region: str) -> str:
    """CORE-020 Who has Majority as of the last renewal; a Tie is told from an empty Region."""
    number = position.majority[region]
    if number is not None:
        return position.seats[number].faction
    return "tie" if tied(position, region) else "nobody"


def _values(position: Position, region: str) -> dict[str, int]:
    """CORE-020 Majority values as they are now, those above 0."""
    values = values_in(position, region)
    return {position.seats[number].faction: value for number, value in values.items() if value}


def _pad(position: Position, number: int, seat: Seat) -> dict:
    """All facts of one seat."""
    return {
        "seat": number,
        "scrappers": dict(seat.scrappers),
        "reserve": position.reserve(number),
        "leader": seat.leader or "the reserve",
        "technology": seat.technology,
        "energy": seat.energy,
        "supplies": seat.total_supplies,
        "supplies_by_source": {source: seat.supplies.get(source, 0) for source in SOURCES},
        "candy": list(seat.candy),
        "hand": list(seat.hand),
        "committed": list(seat.committed),
        "plays": [{"card": play.card, "face_up": play.face_up, "candy": play.candy} for play in seat.plays],
        "face_up": [play.card for play in seat.plays if play.face_up],
        "face_down": [play.card for play in seat.plays if not play.face_up],
        "bin": list(seat.bin),
        "feats": sorted(seat.feats),
        "unlocked": sorted(seat.unlocked),
        "built": [
            f"{kind} {_built_words(kind, place)}" for kind in CONSTRUCTIONS for place in seat.built[kind]
        ],
        "control": {colour: position.cubes(number, colour) for colour in COLOURS},
        "supremacy": supremacies(position, number),
        "tokens": sorted(seat.tokens),
    }


def _built_words(kind: str, place: tuple[str, ...]) -> str:
    """The place as scenario files name it: `x.a`, `x.b x.A`, `y.A y.B over y.c`."""
    if kind == "bridge":
        return f"{place[0]} {place[1]} over {place[2]}"
    return " ".join(place)
