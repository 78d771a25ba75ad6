"""The position: everything on the table at a moment, comparable with ==."""

from dataclasses import dataclass, field, replace

from .agenda import AskIcon, BeginTurn, Question, Step
from .board import Board
from .deal import Deal
from .icons import Icon
from .pack import Pack, Slot
from .rules import Rules
from .words import CONSTRUCTIONS, MARKETS


@dataclass(frozen=True)
class Play:
    """A card laid on the Pad this Turn: the icons that it bears, those copied along included (CORE-060)."""

    card: str
    face_up: bool
    icons: tuple[Icon, ...] = ()
    candy: str | None = None


def nothing_built() -> dict[str, list[tuple[str, ...]]]:
    """CORE-014 All constructions are in reserve."""
    return {kind: [] for kind in CONSTRUCTIONS}


@dataclass
class Seat:
    """A player: the faction, its Pad, and what it has on the board."""

    faction: str
    scrappers: dict[str, int] = field(default_factory=dict)  # by Region; Regions without one are left out
    leader: str | None = None
    technology: int = 0
    energy: int = 0
    supplies: dict[str, int] = field(default_factory=dict)  # by source; sources without any are left out
    candy: list[str] = field(default_factory=list)  # sorted
    hand: list[str] = field(default_factory=list)  # in the order of the pack, committed cards included
    committed: list[str] = field(default_factory=list)  # CORE-132
    plays: list[Play] = field(default_factory=list)  # of this Turn, in order
    bin: list[str] = field(default_factory=list)
    feats: frozenset[str] = frozenset()  # all dealt
    unlocked: frozenset[str] = frozenset()
    built: dict[str, list[tuple[str, ...]]] = field(default_factory=nothing_built)
    tokens: frozenset[int] = frozenset()  # columns with an own mission token

    def copy(self) -> "Seat":
        """A copy that shares nothing that changes."""
        return replace(
            self,
            scrappers=dict(self.scrappers),
            supplies=dict(self.supplies),
            candy=list(self.candy),
            hand=list(self.hand),
            committed=list(self.committed),
            plays=list(self.plays),
            bin=list(self.bin),
            built={kind: list(places) for kind, places in self.built.items()},
        )

    def units(self, region: str) -> int:
        """The Units in a Region, the Leader among them."""
        return self.scrappers.get(region, 0) + (self.leader == region)

    @property
    def deployed(self) -> int:
        """Scrappers in play."""
        return sum(self.scrappers.values())

    @property
    def total_supplies(self) -> int:
        """What the Supply Board shows."""
        return sum(self.supplies.values())

    @property
    def cards(self) -> list[str]:
        """CORE-035 All cards owned, those face down and binned included."""
        return self.hand + [play.card for play in self.plays] + self.bin

    def add_scrappers(self, region: str, number: int) -> None:
        """Put Scrappers into a Region, or take them out."""
        self.scrappers[region] = self.scrappers.get(region, 0) + number
        if not self.scrappers[region]:
            del self.scrappers[region]

    def add_supplies(self, source: str, number: int) -> None:
        """CORE-061 Advance on the Supply Board."""
        if number:
            self.supplies[source] = self.supplies.get(source, 0) + number


@dataclass
class Outpost:
    """An Outpost and who holds its cube."""

    region: str
    colour: str
    holder: int | None = None


@dataclass
class Position:
    """The whole state of a game."""

    pack: Pack
    rules: Rules
    deal: Deal
    board: Board = field(compare=False)
    seats: list[Seat]
    outposts: list[Outpost]  # in the order of their numbers (CORE-024)
    resources: dict[str, int]  # by Region; Regions without one are left out
    drones: dict[str, str]  # a Drone to its Region
    slots: dict[str, list[str | None]]
    decks: dict[str, list[str]]
    candy_reserve: dict[str, int]
    majority: dict[str, int | None]  # by Region, as of the last renewal (CORE-026)
    feats_left: frozenset[str]  # in a draft
    priority: list[int]
    turn: int = 0
    phase: int = 0
    active: int | None = None  # whose Action Phase it is
    cards_left: int = 0
    extra_moves: int = 0
    used: frozenset[str] = frozenset()  # what comes once a phase and is gone
    agenda: list[Question | Step] = field(default_factory=list)
    places: list[int] | None = None  # seats, the winner first, once the game is over

    @classmethod
    def bare(cls, pack: Pack, rules: Rules, deal: Deal) -> "Position":
        """CORE-008 … CORE-017 The table as set up, before anything is asked."""
        board = Board(pack, deal.layout)
        seats = [
            Seat(
                faction=faction,
                technology=rules.starting_technology,
                energy=rules.starting_energy,
                hand=[card.id for card in pack.cards.values() if card.deck == faction],
                feats=deal.feats[number],
            )
            for number, faction in enumerate(deal.factions)
        ]
        return cls(
            pack=pack,
            rules=rules,
            deal=deal,
            board=board,
            seats=seats,
            outposts=[Outpost(site.region, deal.outpost_colours[site.letter]) for site in board.outposts],
            resources={region: number for region, number in board.resources.items() if number},
            drones={drone: board.drone_symbols[tile] for drone, tile in deal.drones.items()},
            slots={market: list(deal.slots[market]) for market in MARKETS},
            decks={market: list(deal.decks[market]) for market in MARKETS},
            candy_reserve=dict(pack.candy),
            majority=dict.fromkeys(board.regions),
            feats_left=frozenset(pack.feats) if rules.feats_draft else frozenset(),
            priority=list(range(len(seats))),
            agenda=[BeginTurn(1)],
        )

    def copy(self) -> "Position":
        """A copy that shares nothing that changes."""
        return replace(
            self,
            seats=[seat.copy() for seat in self.seats],
            outposts=[replace(outpost) for outpost in self.outposts],
            resources=dict(self.resources),
            drones=dict(self.drones),
            slots={market: list(cards) for market, cards in self.slots.items()},
            decks={market: list(cards) for market, cards in self.decks.items()},
            candy_reserve=dict(self.candy_reserve),
            majority=dict(self.majority),
            priority=list(self.priority),
            agenda=list(self.agenda),
        )

    @property
    def question(self) -> Question | None:
        """What is asked; None once the game is over."""
        top = self.agenda[-1] if self.agenda else None
        return top if isinstance(top, Question) else None

    @property
    def acting(self) -> int | None:
        """The seat that is to choose."""
        return self.question.seat if self.question else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.places is not None

    def reserve(self, number: int) -> int:
        """CORE-014 A seat's Scrappers in reserve."""
        return self.rules.scrappers - self.seats[number].deployed

    def cubes(self, number: int, colour: str | None = None) -> int:
        """The cubes on a seat's Pad, of a colour or of all."""
        return sum(out.holder == number and colour in (None, out.colour) for out in self.outposts)

    def seat_of(self, faction: str) -> int:
        """Where a faction sits."""
        return next(number for number, seat in enumerate(self.seats) if seat.faction == faction)

    def opponents(self, number: int) -> list[int]:
        """All other seats, in Priority order."""
        return [other for other in self.priority if other != number]

    def slot(self, market: str, number: int) -> Slot:
        """CORE-046 What a slot asks for."""
        return self.pack.slots[market][number - 1]

    @property
    def card_resolved(self) -> int | None:
        """Where in the agenda the card lies that is being resolved, if one is."""
        asks = [place for place, due in enumerate(self.agenda) if isinstance(due, AskIcon)]
        return asks[-1] if asks else None

    def wild_outposts(self, number: int) -> int:
        """CORE-080 1 while a wild Outpost lies on the card that the seat is resolving."""
        if self.card_resolved is None or self.active != number:
            return 0
        return int(self.seats[number].plays[-1].candy == "outpost")

    def outposts_counted(self, number: int, colour: str) -> int:
        """CORE-063, CORE-080 Controlled Outposts of a colour, or of any, with the wild one."""
        return self.cubes(number, None if colour == "any" else colour) + self.wild_outposts(number)

    def place_resource(self, region: str) -> None:
        """CORE-066, CORE-115 Put a resource from the Reserve into a Region: its level says which."""
        self.resources[region] = self.resources.get(region, 0) + 1

    def take_resource(self, region: str) -> None:
        """CORE-042 Take a resource off a Region."""
        self.resources[region] -= 1
        if not self.resources[region]:
            del self.resources[region]
