"""What lies on the table, as a strategy that is a class sees it: plain data, by the rulebook's names.

A seat is a number, a place in the starting Priority; what is indexed by seat is a tuple. What has a name in
the component pack goes by that, a Region by the name that boards and sentences have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simlab.games.dei.view_parts import Neighbours


@dataclass(frozen=True)
class Card:
    """An Action card: what is printed on it."""

    id: str
    title: str
    icons: tuple[str, ...]  # in the words of pack files: "move", "collect", "drone:simon+1", "kill/tactic"
    supplies: int
    technology: int  # its price, without a slot's surcharge
    energy: int
    market: str | None  # whose colour it bears; None for a faction's and a Drone's
    drone: str | None  # whose card it is


@dataclass(frozen=True)
class Slot:
    """A place in a market and the card on it."""

    market: str  # "tactic", "logistic", "machinery", "black"
    number: int  # from 1, left to right
    card: Card | None
    technology: int  # price of the card here, a surcharge included, before any discount; 0 without a card
    energy: int
    cubes: int  # of the market's colour, asked for
    gives: int  # Technology gained after the purchase


@dataclass(frozen=True)
class Outpost:
    """An Outpost: `holder` is the seat that has its cube."""

    number: int
    colour: str
    region: str
    holder: int | None


@dataclass(frozen=True)
class Region:
    """A Region of the board; what is by seat has a number for each."""

    number: int
    name: str
    level: str  # "Ground", where Technology lies, or "Roof", where Energy Cells do
    resources: int
    scrappers: tuple[int, ...]  # by seat
    leaders: tuple[bool, ...]  # by seat
    values: tuple[int, ...]  # Majority values, by seat
    holder: int | None  # the seat with Majority
    refuges: tuple[int, ...]  # by seat
    neutral_refuges: int
    outposts: tuple[Outpost, ...]
    drones: tuple[str, ...]
    _neighbours: Neighbours = field(repr=False, compare=False)

    @property
    def linked(self) -> tuple[str, ...]:
        """The Regions Linked with it for everybody; a player's constructions link others."""
        return self._neighbours.linked(self.number)

    @property
    def adjacent(self) -> tuple[str, ...]:
        """The Regions that lie beside it."""
        return self._neighbours.adjacent(self.number)

    @property
    def units(self) -> tuple[int, ...]:
        """Units by seat: Scrappers and the Leader."""
        return tuple(n + leader for n, leader in zip(self.scrappers, self.leaders, strict=True))


@dataclass(frozen=True)
class Construction:
    """A construction: a Refuge stands in one Region, an Elevator in Ground and Roof, a Bridge in two Roofs
    and over a Ground, in this order.
    """

    kind: str  # "refuge", "elevator", "bridge"
    regions: tuple[str, ...]


@dataclass(frozen=True)
class Mission:
    """A Mission card: `gain` Supplies for each `per` of what it counts."""

    id: str
    column: int  # from 1: the Turn in which it is on time
    kind: str  # what it counts: "technologies", "scrappers", "tactic_outposts" …
    on_time_gain: int
    on_time_per: int
    late_gain: int
    late_per: int
    done_by: tuple[int, ...]  # seats


@dataclass(frozen=True)
class Player:
    """What everybody sees of one seat."""

    seat: int
    faction: str
    supplies: int
    technology: int
    energy: int
    scrappers: int  # on the board
    reserve: int  # Scrappers in reserve
    leader: str | None  # the Leader's Region, None in reserve
    cubes: Mapping[str, int]  # Outpost cubes held, by colour
    candy: int  # Candy Boosts held; which ones only their owner knows
    feats: tuple[str, ...]  # unlocked
    constructions: tuple[Construction, ...]
    hand: tuple[Card, ...]
    played: tuple[Card, ...]  # on the Pad this Turn, in order
    bin: tuple[Card, ...]  # in the Recycle Bin
