"""The things of a view, made of the records."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from simlab.games.dei.icons import icon_name
from simlab.games.dei.names import Names
from simlab.games.dei.tables import ADJACENT
from simlab.games.dei.view_things import Card, Construction, Mission, Outpost, Player, Region, Slot
from simlab.games.dei.vocabulary import (
    BIN,
    BLACK,
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    FACTIONS,
    FEATS,
    HAND,
    LEVELS,
    MARKETS,
    MISSION_KINDS,
    N_FEATS,
    NONE,
    REFUGE,
)

if TYPE_CHECKING:
    from simlab.games.dei.view import View


@lru_cache(maxsize=8)
def cards_of(pack: Any) -> tuple[Card, ...]:
    """Every card of a pack."""
    return tuple(_card(pack, card) for card in range(int(pack.table[0].n_cards)))


def _card(pack: Any, card: int) -> Card:
    table = pack.table[0]
    market, drone = int(table.card_market[card]), int(table.drone_deck[card])
    return Card(
        pack.card_ids[card],
        pack.card_titles[card],
        tuple(map(icon_name, table.icon[card].tolist()[: int(table.n_icons[card])])),
        int(table.card_supplies[card]),
        int(table.card_technology[card]),
        int(table.card_energy[card]),
        None if market == NONE else MARKETS[market],
        None if drone == NONE else DRONES[drone],
    )


def slots_of(view: View, market: int) -> tuple[Slot, ...]:
    """A market's slots, left to right."""
    table, found = view.names.pack.table[0], []
    for slot, number in enumerate(field(view.names, "market")[market]):
        card = None if number == NONE else view.cards[number]
        technology = int(table.slot_technology[market, slot])
        found.append(
            Slot(
                MARKETS[market],
                slot + 1,
                card,
                card.technology + max(0, technology) if card else 0,
                card.energy if card else 0,
                0 if market == BLACK else int(table.slot_cubes[market, slot]),
                max(0, -technology),
            )
        )
    return tuple(found)


def mission_of(view: View, column: int, row: int, card: int) -> Mission:
    """The Mission card at a place."""
    table, tokens = view.names.pack.table[0], by_seat(view.names, "token")
    return Mission(
        view.names.pack.mission_ids[card],
        column + 1,
        MISSION_KINDS[int(table.mission_kind[card])],
        int(table.on_time_gain[card]),
        int(table.on_time_per[card]),
        int(table.late_gain[card]),
        int(table.late_per[card]),
        tuple(seat for seat, rows in enumerate(tokens) if rows[column] == row),
    )


def player_of(view: View, seat: int) -> Player:
    """What everybody sees of a seat."""
    leader = field(view.names, "leader")[seat]
    return Player(
        seat,
        FACTIONS[field(view.names, "faction")[seat]],
        field(view.names, "supplies")[seat],
        field(view.names, "technology")[seat],
        field(view.names, "energy")[seat],
        sum(field(view.names, "scrappers")[seat]),
        field(view.names, "reserve")[seat],
        None if leader == NONE else view.names.regions[leader],
        dict(zip(COLOURS, field(view.names, "cubes")[seat], strict=True)),
        field(view.names, "candy")[seat],
        tuple(feats_of(field(view.names, "unlocked")[seat])),
        _constructions(view, seat),
        _cards_at(view, seat, HAND),
        tuple(view.cards[card] for card in field(view.names, "play")[seat] if card != NONE),
        _cards_at(view, seat, BIN),
    )


def _constructions(view: View, seat: int) -> tuple[Construction, ...]:
    return tuple(
        Construction(CONSTRUCTIONS[kind], tuple(view.names.ends(kind, place)))
        for kind, places in enumerate(field(view.names, "built")[seat])
        for place in places
        if place != NONE
    )


def _cards_at(view: View, seat: int, where: int) -> tuple[Card, ...]:
    owned = zip(field(view.names, "card_owner"), field(view.names, "card_place"), strict=True)
    return tuple(view.cards[card] for card, at in enumerate(owned) if at == (seat, where))


class Neighbours:
    """Which Regions are Linked for everybody, and Adjacent; looked up when it is asked for."""

    def __init__(self, names: Names) -> None:
        self._board, self._names = names.board, names.regions

    def linked(self, region: int) -> tuple[str, ...]:
        """The Regions that everybody's Units can go to from here."""
        others = self._board.linked[region].tolist()[: int(self._board.n_linked[region])]
        return tuple(self._names[other] for other in others)

    def adjacent(self, region: int) -> tuple[str, ...]:
        """The Regions that lie beside it."""
        others = self._board.near[region].tolist()[: int(self._board.n_near[region])]
        relation = self._board.relation[region].tolist()
        return tuple(self._names[other] for other in others if relation[other] & ADJACENT)


def regions_of(view: View) -> tuple[Region, ...]:
    """All Regions of the board; the records are turned into lists once for all of them."""
    names, public = view.names, view.names.public
    count, seats = len(names.regions), int(public.n_seats)
    leader, neighbours = by_seat(names, "leader"), Neighbours(names)
    places = [places[REFUGE] for places in by_seat(names, "built")]
    refuges = {
        region: tuple(each.count(region) for each in places)
        for region in {at for each in places for at in each}
    }
    drones, outposts = _by_region(view)
    nobody, nothing = (False,) * seats, (0,) * seats
    columns = zip(
        range(count),
        names.regions,
        names.board.level.tolist(),
        field(names, "resources"),
        map(tuple, public.scrappers[:seats].T.tolist()),
        map(tuple, public.value[:, :seats].tolist()),
        field(names, "holder"),
        names.board.neutral_refuges.tolist(),
        strict=False,  # the records have room for more Regions
    )
    return tuple(
        Region(
            number=number,
            name=name,
            level=LEVELS[level],
            resources=resources,
            scrappers=scrappers,
            leaders=tuple(at == number for at in leader) if number in leader else nobody,
            values=values,
            holder=seat_of(holder),
            refuges=refuges.get(number, nothing),
            neutral_refuges=neutral,
            outposts=tuple(outposts.get(name, ())),
            drones=tuple(drones.get(name, ())),
            _neighbours=neighbours,
        )
        for number, name, level, resources, scrappers, values, holder, neutral in columns
    )


def _by_region(view: View) -> tuple[dict[str, list[str]], dict[str, list[Outpost]]]:
    drones: dict[str, list[str]] = {}
    for drone, region in view.drones.items():
        drones.setdefault(region, []).append(drone)
    outposts: dict[str, list[Outpost]] = {}
    for outpost in view.outposts:
        outposts.setdefault(outpost.region, []).append(outpost)
    return drones, outposts


def field(names: Names, name: str) -> Any:
    """A field of the public record as a number or lists of them."""
    return names.public[name].tolist()


def by_seat(names: Names, name: str) -> Any:
    """The same for the seats that are taken."""
    return field(names, name)[: int(names.public.n_seats)]


def seat_of(number: int) -> int | None:
    """A seat, or nobody."""
    return None if number == NONE else number


def feats_of(bits: int) -> list[str]:
    """The Feats of which the bits are set."""
    return [FEATS[feat] for feat in range(N_FEATS) if bits >> feat & 1]
