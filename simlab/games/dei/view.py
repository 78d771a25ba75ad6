"""The view of a strategy that is a class: all that its seat may know at a decision, by the rulebook's names.

It is made of what a function would be given, copies of the public record, of the seat's own and of the
tables, and of nothing else, so what is hidden isn't in it. Everything is worked out when it is first read.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError
from simlab.games.dei.icons import icon_name
from simlab.games.dei.names import Names
from simlab.games.dei.rules import RULES
from simlab.games.dei.state import Position
from simlab.games.dei.view_choices import Choice, choice_of
from simlab.games.dei.view_parts import (
    by_seat,
    cards_of,
    feats_of,
    field,
    mission_of,
    player_of,
    regions_of,
    seat_of,
    slots_of,
)
from simlab.games.dei.view_things import Card, Mission, Outpost, Player, Region, Slot
from simlab.games.dei.vocabulary import (
    ASKS,
    CANDIES,
    COLOURS,
    DRONES,
    FEATS,
    MARKETS,
    NONE,
)
from simlab.wording import did_you_mean, shown

if TYPE_CHECKING:
    from simlab.games.dei.live import LiveGame


class View:
    """What seat `seat` may know when it is to choose one of `choices`."""

    def __init__(self, seen: Position, pack: Any, seat: int, codes: list[int], memory: Any, key: int) -> None:
        self.seat = seat
        self.memory = memory  # 256 whole numbers (int64), 0 when a game starts: all that is kept in it
        self.names = Names(seen, pack)
        self._codes, self._key = codes, key
        self._own = seen.own[seat]

    # --- the choice ------------------------------------------------------------------------------------
    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """All that may be chosen, at least two."""
        return tuple(choice_of(self, code) for code in self._codes)

    @cached_property
    def asked(self) -> str:
        """What is asked, such as "choose a card" or "resolve an icon"."""
        return ASKS[field(self.names, "frame")[int(self.names.public.n_frames) - 1][0]]

    @cached_property
    def icons(self) -> tuple[str, ...]:
        """The icons still pending of the card that is being resolved."""
        return tuple(icon_name(icon) for icon in field(self.names, "bag")[: int(self.names.public.n_bag)])

    @cached_property
    def random(self) -> random.Random:
        """The only chance that a choice may hang on: new at each decision, the same in the same game."""
        return random.Random(self._key)

    def chance(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely; another one with each call."""
        return int(self.random.random() * n)

    # --- the moment ------------------------------------------------------------------------------------
    @property
    def turn(self) -> int:
        """From 1 to `turns`; 0 before the first."""
        return int(self.names.public.turn)

    @property
    def turns(self) -> int:
        """How many the game has."""
        return int(self.names.rules.turns)

    @property
    def action_phase(self) -> int:
        """From 1 to 3; 0 before the first, 4 in the Missions of the rule Confrontation."""
        return int(self.names.public.phase)

    @cached_property
    def priority(self) -> tuple[int, ...]:
        """The seats in this Turn's order."""
        return tuple(by_seat(self.names, "priority"))

    @cached_property
    def rules(self) -> Mapping[str, Any]:
        """Every rule's value, by the names of `simlab list rules`."""
        return {rule.name: self.names.rules[rule.name].tolist() for rule in RULES}

    # --- who plays -------------------------------------------------------------------------------------
    @cached_property
    def players(self) -> tuple[Player, ...]:
        """All players, by seat."""
        return tuple(player_of(self, seat) for seat in range(int(self.names.public.n_seats)))

    @property
    def me(self) -> Player:
        """What everybody sees of the own seat."""
        return self.players[self.seat]

    @property
    def opponents(self) -> tuple[Player, ...]:
        """All other players, by seat."""
        return tuple(player for player in self.players if player.seat != self.seat)

    @property
    def faction(self) -> str:
        """The own faction."""
        return self.me.faction

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards in the own hand."""
        return self.me.hand

    # --- what nobody else knows ------------------------------------------------------------------------
    @cached_property
    def feats(self) -> Mapping[str, bool]:
        """The own Feats: whether each is unlocked."""
        unlocked = field(self.names, "unlocked")[self.seat]
        return {feat: bool(unlocked >> FEATS.index(feat) & 1) for feat in feats_of(int(self._own.feats))}

    @cached_property
    def candy(self) -> Mapping[str, int]:
        """The own Candy Boosts: how many of each kind that is held."""
        return {kind: n for kind, n in zip(CANDIES, self._own.candy.tolist(), strict=True) if n}

    @cached_property
    def committed(self) -> tuple[Card, ...]:
        """With the rule Planning, the own cards that are committed and not yet played."""
        return tuple(self.cards[card] for card in self._own.committed.tolist() if card != NONE)

    # --- the table -------------------------------------------------------------------------------------
    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card of the pack, whether it is in play or not."""
        return cards_of(self.names.pack)

    @cached_property
    def markets(self) -> Mapping[str, tuple[Slot, ...]]:
        """The slots of each market, left to right."""
        return {name: slots_of(self, market) for market, name in enumerate(MARKETS)}

    @cached_property
    def decks(self) -> Mapping[str, int]:
        """How many cards each market's deck still has."""
        return dict(zip(MARKETS, field(self.names, "deck_left"), strict=True))

    @cached_property
    def missions(self) -> tuple[tuple[Mission, ...], ...]:
        """The Missions of each column."""
        columns = field(self.names, "mission")[: self.turns]
        return tuple(
            tuple(mission_of(self, column, row, card) for row, card in enumerate(cards) if card != NONE)
            for column, cards in enumerate(columns)
        )

    @cached_property
    def drones(self) -> Mapping[str, str]:
        """The Region of each Drone that is in play."""
        places = zip(DRONES, field(self.names, "drone"), strict=True)
        return {name: self.names.regions[place] for name, place in places if place != NONE}

    @cached_property
    def outposts(self) -> tuple[Outpost, ...]:
        """All Outposts of the board."""
        board, cubes = self.names.board, field(self.names, "cube")
        places = zip(board.outpost_colour.tolist(), board.outpost_region.tolist(), cubes, strict=True)
        return tuple(
            Outpost(number, COLOURS[colour], self.names.regions[region], seat_of(holder))
            for number, (colour, region, holder) in enumerate(list(places)[: self.names.n_outposts])
        )

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """All Regions of the board."""
        return regions_of(self)

    def region(self, name: str) -> Region:
        """A Region by its name; UsageError if none has it."""
        if name not in self.names.regions:
            raise UsageError(f"there is no Region {shown(name)}{did_you_mean(name, self.names.regions)}")
        return self.regions[self.names.regions.index(name)]


def view_of(live: LiveGame, seat: int) -> View:
    """What a seat may know at the decision last looked at."""
    position = live.position
    seen = Position(position.rules.copy(), live.pack.table, position.board.copy())
    seen.public[:] = position.public
    seen.own[seat] = position.own[seat]
    return View(seen, live.pack, seat, live.choices, live.scratch[seat], live.key)
