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


def regions_of(view: View) -> tuple[Region, ...]:
    """All Regions of the board."""
    made = _Regions(view)
    return tuple(map(made.region, range(len(made.names))))


class _Regions:
    """The Regions of a view: the records are turned into lists once for all of them."""

    def __init__(self, view: View) -> None:
        names = view.names
        self.board, self.names = names.board, names.regions
        self.resources, self.holder = field(names, "resources"), field(names, "holder")
        self.value, self.scrappers = field(names, "value"), by_seat(names, "scrappers")
        self.leader, self.built = by_seat(names, "leader"), by_seat(names, "built")
        self.level, self.neutral = self.board.level.tolist(), self.board.neutral_refuges.tolist()
        self.near, self.n_near = self.board.near.tolist(), self.board.n_near.tolist()
        self.linked, self.n_linked = self.board.linked.tolist(), self.board.n_linked.tolist()
        self.drones: dict[str, list[str]] = {}
        for drone, region in view.drones.items():
            self.drones.setdefault(region, []).append(drone)
        self.outposts: dict[str, list[Outpost]] = {}
        for outpost in view.outposts:
            self.outposts.setdefault(outpost.region, []).append(outpost)

    def region(self, number: int) -> Region:
        name, seats = self.names[number], range(len(self.leader))
        near, relation = self.near[number][: self.n_near[number]], self.board.relation[number].tolist()
        return Region(
            number=number,
            name=name,
            level=LEVELS[self.level[number]],
            resources=self.resources[number],
            scrappers=tuple(self.scrappers[seat][number] for seat in seats),
            leaders=tuple(self.leader[seat] == number for seat in seats),
            values=tuple(self.value[number][seat] for seat in seats),
            holder=seat_of(self.holder[number]),
            refuges=tuple(self.built[seat][REFUGE].count(number) for seat in seats),
            neutral_refuges=self.neutral[number],
            outposts=tuple(self.outposts.get(name, ())),
            drones=tuple(self.drones.get(name, ())),
            linked=tuple(self.names[other] for other in self.linked[number][: self.n_linked[number]]),
            adjacent=tuple(self.names[other] for other in near if relation[other] & ADJACENT),
        )


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
