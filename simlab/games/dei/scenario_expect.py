"""What must hold: `[expect]` of a scenario file. Each key gives the first difference in words, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from simlab.errors import ScenarioError
from simlab.games.dei import engine
from simlab.games.dei.facts import built_number
from simlab.games.dei.names import Names, number_of
from simlab.games.dei.scenario_expect_pads import PAD_CHECKS, card_list
from simlab.games.dei.scenario_keys import Keys, at, numbers, texts, typed
from simlab.games.dei.scenario_legal import legal_difference
from simlab.games.dei.scenario_position import USED, USED_WHAT
from simlab.games.dei.state import Position
from simlab.games.dei.text import place_words
from simlab.games.dei.vocabulary import (
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    ENDINGS,
    FEATS,
    MARKETS,
    N_CONSTRUCTIONS,
    N_FEATS,
    N_SLOTS,
    NONE,
)

Difference = Iterator[str]


def differs(what: str, is_now: Any, expected: Any) -> Difference:
    """One sentence where two values aren't equal."""
    if is_now != expected:
        yield f"{what} is {is_now}, expected {expected}"


def expectations(position: Position, pack: Any, written: dict[str, Any]) -> str:
    """The first thing that isn't as `[expect]` says; empty if all is."""
    keys = Keys(written, "expect")
    checks = Checks(position, pack, keys)
    found = [difference for check in CHECKS for difference in _run(check, checks)]
    keys.done()
    return found[0] if found else ""


def _run(check: str, checks: Checks) -> list[str]:
    with at(f"expect.{check}"):
        return list(getattr(checks, check)())


class Checks:
    """One method a key of `[expect]`; each yields differences in words."""

    def __init__(self, position: Position, pack: Any, keys: Keys) -> None:
        self.position = position
        self.pack = pack
        self.keys = keys
        self.names = Names(position, pack)
        self.public = position.public[0]

    # --- how keys are read ------------------------------------------------------------------------
    def _number(self, what: str, key: str, now: Any) -> Difference:
        yield from differs(what, int(now), self.keys.take(key, int, int(now)))

    def _words(self, key: str, read: Callable[[str], Any]) -> list[str] | None:
        """A list of words that `read` understands; None where the key isn't given."""
        written = self.keys.take(key, list, None)
        if written is None:
            return None
        words = texts(written, self.keys.path(key))
        for word in words:
            read(word)
        return words

    def _rows(self, key: str, kind: type, read: Callable[[str], int]) -> Iterator[tuple[str, int, Any, str]]:
        """Name, number, value and place of each entry of a table; the value is of a kind."""
        for name, value, where in self.keys.rows(key):
            with at(where):
                number = read(name)
            yield name, number, typed(value, kind, where), where

    def _seats(self, key: str, kind: type) -> Iterator[tuple[str, int, Any, str]]:
        return self._rows(key, kind, self.names.seat)

    def _regions(self, key: str, kind: type) -> Iterator[tuple[str, int, Any, str]]:
        return self._rows(key, kind, self.names.region)

    def _holder(self, word: str) -> str:
        """A faction of this game, or "nobody"."""
        if word != "nobody":
            self.names.seat(word)
        return word

    def _region_name(self, word: str, other: str, where: str) -> str:
        """A Region by its first patch, or the other word that may stand there."""
        with at(where):
            return word if word == other else self.names.regions[self.names.region(word)]

    def _read(self, words: Any, read: Callable[[str], Any], where: str) -> list[Any]:
        with at(where):
            return [read(word) for word in texts(words, where)]

    # --- the Turn ------------------------------------------------------------------------------
    def turn(self) -> Difference:
        """The Turn."""
        yield from self._number("the Turn", "turn", self.public.turn)

    def phase(self) -> Difference:
        """The phase: 1 to 3."""
        yield from self._number("the phase", "phase", self.public.phase)

    def active(self) -> Difference:
        """The faction whose choice is asked."""
        word = self.keys.take("active", str, "")
        if word:
            seat = int(engine.active(self.position))
            self.names.seat(word)
            yield from differs("to choose", "nobody" if seat == NONE else self.names.seat_name(seat), word)

    def _order(self, what: str, key: str, now: list[str]) -> Difference:
        """All factions, in an order."""
        expected = self._words(key, self.names.seat)
        if expected is None:
            return
        if sorted(expected) != sorted(now):
            raise ScenarioError(f"{self.keys.path(key)}: each faction of the game is named once")
        yield from differs(what, now, expected)

    def priority(self) -> Difference:
        """All factions in the order of this Turn."""
        order = [self.names.seat_name(int(seat)) for seat in self.public.priority[: int(self.public.n_seats)]]
        yield from self._order("Priority", "priority", order)

    def ending(self) -> Difference:
        """How the game ended."""
        now = ENDINGS[int(self.public.ending)]
        word = self.keys.take("ending", str, now)
        number_of(word, ENDINGS, "ending")
        yield from differs("the game", now, word)

    def ranking(self) -> Difference:
        """All factions, the winner first."""
        places = [int(place) for place in self.position.log[0].place]
        order = sorted(range(int(self.public.n_seats)), key=lambda seat: places[seat])
        yield from self._order("the ranking", "ranking", [self.names.seat_name(seat) for seat in order])

    def extra_moves(self) -> Difference:
        """Extra Moves of Feats still unused."""
        yield from self._number("extra Moves", "extra_moves", self.public.extra_moves)

    def cards_left(self) -> Difference:
        """Cards that the active player must still play in this phase."""
        yield from self._number("cards left to play", "cards_left", self.public.cards_left)

    def used(self) -> Difference:
        """What comes once a phase and is used up."""
        now = [word for word, field in USED.items() if self.public[field]]
        expected = self._words("used", lambda word: number_of(word, tuple(USED), USED_WHAT))
        if expected is not None:
            yield from differs("used in this phase", sorted(now), sorted(expected))

    # --- the board ------------------------------------------------------------------------------
    def majority(self) -> Difference:
        """By Region: a faction, "tie" or "nobody"."""
        for name, region, word, where in self._regions("majority", str):
            with at(where):
                _ = word == "tie" or self._holder(word)
            holder = int(self.public.holder[region])
            tied = "tie" if self.public.value[region].max() > 0 else "nobody"
            now = tied if holder == NONE else self.names.seat_name(holder)
            yield from differs(f"Majority in {name}", now, word)

    def supremacy(self) -> Difference:
        """By faction: all Regions in which it has Supremacy."""
        for word, seat, regions, where in self._seats("supremacy", list):
            now = [self.names.regions[region] for region in engine.supremacy(self.position, seat)]
            expected = [
                self.names.regions[region] for region in self._read(regions, self.names.region, where)
            ]
            yield from differs(f"the Supremacy of {word}", sorted(now), sorted(expected))

    def _by_seat_and_region(self, key: str, numbers: Any, what: str) -> Difference:
        for word, seat, regions, where in self._seats(key, dict):
            for name, number in regions.items():
                inside = f"{where}.{name}"
                with at(inside):
                    now = int(numbers[seat, self.names.region(name)])
                yield from differs(f"{what} of {word} in {name}", now, typed(number, int, inside))

    def value(self) -> Difference:
        """Majority values by faction and Region."""
        yield from self._by_seat_and_region("value", self.public.value.T, "the Majority value")

    def scrappers(self) -> Difference:
        """Scrappers by faction and Region, the Leader not counted."""
        yield from self._by_seat_and_region("scrappers", self.public.scrappers, "Scrappers")

    def reserve(self) -> Difference:
        """Scrappers in reserve by faction."""
        for word, seat, number, _ in self._seats("reserve", int):
            yield from differs(f"the reserve of {word}", int(self.public.reserve[seat]), number)

    def leader(self) -> Difference:
        """The Region of each Leader."""
        for word, seat, name, where in self._seats("leader", str):
            region = int(self.public.leader[seat])
            now = "the reserve" if region == NONE else self.names.regions[region]
            expected = self._region_name(name, "the reserve", where)
            yield from differs(f"the Leader of {word}", now, expected)

    def resources(self) -> Difference:
        """Resources lying in Regions."""
        for name, region, number, _ in self._regions("resources", int):
            yield from differs(f"resources in {name}", int(self.public.resources[region]), number)

    def drones(self) -> Difference:
        """The Region of each Drone, "nowhere" for one that isn't in play."""
        for word, drone, name, where in self._rows("drones", str, lambda it: number_of(it, DRONES, "Drone")):
            region = int(self.public.drone[drone])
            now = "nowhere" if region == NONE else self.names.regions[region]
            yield from differs(f"Drone {word}", now, self._region_name(name, "nowhere", where))

    def built(self) -> Difference:
        """All constructions of a faction, in any order."""
        for word, seat, built, where in self._seats("built", list):
            places = self._read(built, lambda text: built_number(self.names, text), where)
            expected = [self._construction(kind, place) for kind, place in places]
            now = [
                self._construction(kind, int(place))
                for kind in range(N_CONSTRUCTIONS)
                for place in self.public.built[seat, kind]
                if int(place) != NONE
            ]
            yield from differs(f"the constructions of {word}", sorted(now), sorted(expected))

    def _construction(self, kind: int, place: int) -> str:
        return f"{CONSTRUCTIONS[kind]} {place_words(self.names, kind, place)}"

    def control(self) -> Difference:
        """Cubes on the Pad by faction and colour."""
        for word, seat, colours, where in self._seats("control", dict):
            for colour, number in colours.items():
                inside = f"{where}.{colour}"
                with at(inside):
                    now = int(self.public.cubes[seat, number_of(colour, COLOURS, "Outpost colour")])
                yield from differs(f"{colour} cubes of {word}", now, typed(number, int, inside))

    def outposts(self) -> Difference:
        """By Region: who holds the cube of each Outpost there, in their order; "nobody" if it lies on it."""
        for name, region, holders, where in self._regions("outposts", list):
            cubes = [
                int(self.public.cube[number])
                for number in range(self.names.n_outposts)
                if int(self.position.board[0].outpost_region[number]) == region
            ]
            now = ["nobody" if seat == NONE else self.names.seat_name(seat) for seat in cubes]
            yield from differs(f"the cubes of {name}", now, self._read(holders, self._holder, where))

    # --- Pads, markets, Missions ---------------------------------------------------------------
    def supplies(self) -> Difference:
        """Supplies by faction, final ones after the end."""
        for word, seat, number, _ in self._seats("supplies", int):
            yield from differs(f"Supplies of {word}", int(self.public.supplies[seat]), number)

    def feats(self) -> Difference:
        """The unlocked Feats of a faction, all of them."""
        for word, seat, feats, where in self._seats("feats", list):
            bits = int(self.public.unlocked[seat])
            now = [FEATS[feat] for feat in range(N_FEATS) if bits >> feat & 1]
            numbers = self._read(feats, lambda feat: number_of(feat, FEATS, "Feat"), where)
            expected = [FEATS[feat] for feat in numbers]
            yield from differs(f"the unlocked Feats of {word}", sorted(now), sorted(expected))

    def pad(self) -> Difference:
        """What lies on Pads; see `scenario_expect_pads`."""
        for _, seat, pad, where in self._seats("pad", dict):
            inside = Keys(pad, where)
            for key, check in PAD_CHECKS.items():
                with at(f"{where}.{key}"):
                    yield from check(self.names, self.position, seat, inside)
            inside.done()

    def market(self) -> Difference:
        """The face-up cards of a market, left to right, "" for an empty slot."""
        for word, market, cards, where in self._rows("market", list, _market):
            words = texts(cards, where, gaps=True)
            if len(words) != N_SLOTS:
                raise ScenarioError(f'{where}: {N_SLOTS} slots are needed, "" for an empty one')
            with at(where):
                expected = [name and self.names.card_name(self.names.card(name)) for name in words]
            now = card_list(self.names, self.public.market[market])
            yield from differs(f"the {word} market", now, expected)

    def deck_left(self) -> Difference:
        """Cards left in the decks."""
        for word, market, number, _ in self._rows("deck_left", int, _market):
            yield from differs(f"the {word} deck", int(self.public.deck_left[market]), number)

    def tokens(self) -> Difference:
        """Columns with a mission token, by faction."""
        for word, seat, columns, where in self._seats("tokens", list):
            now = [column + 1 for column, row in enumerate(self.public.token[seat]) if int(row) != NONE]
            expected = sorted(numbers(columns, 1, int(self.names.rules.turns), where))
            yield from differs(f"the columns used by {word}", now, expected)

    def counts(self) -> Difference:
        """How many of something there are: tiles, outposts, drones, missions, resources, market_cards."""
        public, board = self.public, self.position.board[0]
        there = {
            "tiles": int((board.tile_at != NONE).sum()),
            "outposts": self.names.n_outposts,
            "drones": int((public.drone != NONE).sum()),
            "missions": int((public.mission != NONE).sum()),
            "technology": int(public.resources[board.level == 0].sum()),
            "energy": int(public.resources[board.level == 1].sum()),
            "market_cards": int((public.market != NONE).sum()),
            "candy_reserve": int(public.candy_reserve),
        }
        things = tuple(there)
        for word, _, number, _ in self._rows(
            "counts", int, lambda it: number_of(it, things, "thing that is counted")
        ):
            yield from differs(f"the number of {word}", there[word], number)

    def legal(self) -> Difference:
        """The choices of the seat to act."""
        written = self.keys.take("legal", dict, {})
        difference = legal_difference(self.position, self.pack, written, "expect.legal") if written else ""
        if difference:
            yield difference


def _market(word: str) -> int:
    return number_of(word, MARKETS, "market")


CHECKS = tuple(name for name in vars(Checks) if not name.startswith("_"))
