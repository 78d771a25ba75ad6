"""A legal choice as a strategy that is a class sees it: its sentence, and what it names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simlab.games.dei import choices as ch
from simlab.games.dei.text import words_of
from simlab.games.dei.view_things import Card, Construction, Mission, Region, Slot
from simlab.games.dei.vocabulary import (
    ANY_COLOUR,
    CANDIES,
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    FEATS,
    MARKETS,
    OPS,
    RESOURCES,
)

if TYPE_CHECKING:
    from simlab.games.dei.view import View

_ICON_SPENT = {
    *(ch.MOVING, ch.GATHER, ch.EXCAVATE, ch.KILLING, ch.DEPLOYMENT, ch.CONSTRUCT, ch.GAIN, ch.DECLARE),
    *(ch.REPLICATE, ch.ACTIVATE, ch.HARVEST, ch.PLACE, ch.TELEPORT, ch.REAP, ch.SKIP),
}


@dataclass(frozen=True, eq=False)
class Choice:
    """One legal choice: what it is about, and None, 0, False or nothing for all that it isn't about."""

    kind: str  # one of choices.KINDS: "move", "collect", "buy", "end card" …
    icon: str = ""  # the icon that is spent, as pack files call it
    region: Region | None = None  # where it is done; of what moves, where it goes
    start: Region | None = None  # of what moves, where it comes from; None also for the reserve
    odd: Region | None = None  # where the odd Scrapper of a deployment goes
    scrappers: int = 0  # that move
    leader: bool = False  # whether the Leader moves
    refuges: int = 0  # that move
    seat: int | None = None  # whose Scrapper is killed
    card: Card | None = None  # played, bought, copied
    cards: tuple[Card, ...] = ()  # committed
    slot: Slot | None = None  # bought from
    laid: Card | None = None  # laid down for it
    technology: int = 0  # paid
    energy: int = 0
    candy: str = ""  # the Candy Boost laid
    construction: Construction | None = None  # built
    moved: Construction | None = None  # taken away for it
    swap: bool = False  # whether a Collect's Technology becomes an Energy Cell (Alternative Energy)
    with_resource: bool = False  # whether an Enlist also brings a resource
    amount: int = 0  # gained
    per: str = ""  # colour of the Outposts that an action is done for, "any" for all
    drone: str = ""
    resource: str = ""  # discarded
    mission: Mission | None = None
    colour: str = ""  # named in the Feats Draft
    feat: str = ""  # taken there
    _view: Any = field(default=None, repr=False)
    _code: int = field(default=0, repr=False)

    @cached_property
    def sentence(self) -> str:
        """The choice in words, as in scenario files and replays."""
        return words_of(self._view.names, self._code)


def choice_of(view: View, code: int) -> Choice:
    """A choice by its number."""
    kind = ch.plain_kind(code)
    icon = OPS[ch.plain_op(code)] if kind in _ICON_SPENT else ""
    parts = _PARTS.get(kind)
    fields = (ch.plain_a(code), ch.plain_b(code), ch.plain_c(code), ch.plain_d(code), ch.plain_e(code))
    named = {} if parts is None else parts(view, *fields)
    return Choice(ch.KINDS[kind], icon, _view=view, _code=code, **named)


def _card(view: View, stored: int) -> Card | None:
    return view.cards[stored - 1] if stored else None


def _region(view: View, stored: int) -> Region | None:
    return view.regions[stored - 1] if stored else None


def _buy(view: View, card: int, place: int, paid: int, laid: int, candy: int) -> dict[str, Any]:
    market, slot = divmod(place, 4)
    technology, energy = divmod(paid, 32)
    return {
        "card": view.cards[card],
        "slot": view.markets[MARKETS[market]][slot],
        "laid": _card(view, laid),
        "technology": technology,
        "energy": energy,
        "candy": CANDIES[candy - 1] if candy else "",
    }


def _move(view: View, start: int, end: int, scrappers: int, leader: int, refuges: int) -> dict[str, Any]:
    return {
        "start": view.regions[start],
        "region": view.regions[end],
        "scrappers": scrappers,
        "leader": bool(leader),
        "refuges": refuges,
    }


def _build(view: View, kind: int, place: int, moved: int, *_: int) -> dict[str, Any]:
    names = view.names
    built = Construction(CONSTRUCTIONS[kind], tuple(names.ends(kind, place)))
    if not moved:
        return {"construction": built}
    stands = int(names.public.built[view.seat, kind, moved - 1])
    return {
        "construction": built,
        "moved": Construction(CONSTRUCTIONS[kind], tuple(names.ends(kind, stands))),
    }


def _commit(view: View, a: int, b: int, c: int, *_: int) -> dict[str, Any]:
    return {"cards": tuple(view.cards[card - 1] for card in (a, b, c) if card)}


def _at_drone(view: View, *_: int) -> dict[str, Any]:
    return {"region": view.region(view.names.drone_at)}


# by kind, of the five fields of a code (choices.py): the parts that it has
_PARTS: dict[int, Callable[..., dict[str, Any]]] = {
    ch.DEPLOY: lambda view, a, b, *_: {"region": view.regions[a], "odd": view.regions[b]},
    ch.PLAY: lambda view, a, *_: {"card": view.cards[a]},
    ch.BUY: _buy,
    ch.MOVING: _move,
    ch.GATHER: lambda view, a, b, *_: {"region": view.regions[a], "swap": bool(b)},
    ch.EXCAVATE: lambda view, a, *_: {"region": view.regions[a]},
    ch.KILLING: lambda view, a, b, *_: {"region": view.regions[a], "seat": b},
    ch.DEPLOYMENT: lambda view, a, b, c, *_: {
        "region": view.regions[a],
        "start": _region(view, b),
        "with_resource": bool(c),
    },
    ch.CONSTRUCT: _build,
    ch.GAIN: lambda view, a, *_: {"amount": a},
    ch.DECLARE: lambda view, a, b, *_: {
        "per": "any" if a == 1 + ANY_COLOUR else COLOURS[a - 1],
        "amount": b,
    },
    ch.REPLICATE: lambda view, a, *_: {"card": view.me.played[a]},
    ch.ACTIVATE: lambda view, a, b, *_: {"drone": DRONES[a], "region": view.regions[b]},
    ch.DISCARD: lambda view, a, *_: {"resource": RESOURCES[a]},
    ch.HARVEST: _at_drone,
    ch.REAP: _at_drone,
    ch.PLACE: lambda view, a, *_: {**_at_drone(view), "start": _region(view, a)},
    ch.TELEPORT: lambda view, a, *_: {"region": view.regions[a]},
    ch.LAY_CANDY: lambda view, a, *_: {"candy": CANDIES[a]},
    ch.MISSION: lambda view, a, b, *_: {"mission": view.missions[a][b]},
    ch.COLOUR: lambda view, a, *_: {"colour": COLOURS[a]},
    ch.FEAT: lambda view, a, *_: {"feat": FEATS[a]},
    ch.COMMIT: _commit,
}
