"""What must hold: `[expect]` of a scenario file. Each key gives the first difference in words, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simlab.games.dei import engine
from simlab.games.dei.facts import built_number
from simlab.games.dei.majority import has_supremacy
from simlab.games.dei.names import Names, number_of
from simlab.games.dei.scenario_expect_pads import PAD_CHECKS, card_list
from simlab.games.dei.scenario_keys import Keys, at, texts, typed
from simlab.games.dei.scenario_legal import legal_difference
from simlab.games.dei.scenario_position import USED
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

    # --- the Turn ------------------------------------------------------------------------------
    def turn(self) -> Difference:
        """The Turn."""
        yield from differs(
            "the Turn", int(self.public.turn), self.keys.take("turn", int, int(self.public.turn))
        )

    def phase(self) -> Difference:
        """The phase: 1 to 3."""
        now = int(self.public.phase)
        yield from differs("the phase", now, self.keys.take("phase", int, now))

    def active(self) -> Difference:
        """The faction whose choice is asked."""
        word = self.keys.take("active", str, "")
        if word:
            seat = int(engine.active(self.position))
            self.names.seat(word)
            yield from differs("to choose", "nobody" if seat == NONE else self.names.seat_name(seat), word)

    def priority(self) -> Difference:
        """All factions in the order of this Turn."""
        order = [self.names.seat_name(int(seat)) for seat in self.public.priority[: int(self.public.n_seats)]]
        yield from differs("Priority", order, self.keys.take("priority", list, order))

    def ending(self) -> Difference:
        """How the game ended."""
        now = ENDINGS[int(self.public.ending)]
        yield from differs("the game", now, self.keys.take("ending", str, now))

    def ranking(self) -> Difference:
        """All factions, the winner first."""
        word = self.keys.take("ranking", list, [])
        if word:
            places = [int(place) for place in self.position.log[0].place]
            order = sorted(range(int(self.public.n_seats)), key=lambda seat: places[seat])
            yield from differs("the ranking", [self.names.seat_name(seat) for seat in order], word)

    def extra_moves(self) -> Difference:
        """Extra Moves of Feats still unused."""
        now = int(self.public.extra_moves)
        yield from differs("extra Moves", now, self.keys.take("extra_moves", int, now))

    def cards_left(self) -> Difference:
        """Cards that the active player must still play in this phase."""
        now = int(self.public.cards_left)
        yield from differs("cards left to play", now, self.keys.take("cards_left", int, now))

    def used(self) -> Difference:
        """What comes once a phase and is used up."""
        now = [word for word, field in USED.items() if self.public[field]]
        yield from differs("used in this phase", sorted(now), sorted(self.keys.take("used", list, now)))

    # --- the board ------------------------------------------------------------------------------
    def majority(self) -> Difference:
        """By Region: a faction, "tie" or "nobody"."""
        for name, word, where in self.keys.rows("majority"):
            region = self.names.region(name)
            if typed(word, str, where) not in ("tie", "nobody"):
                self.names.seat(word)
            holder = int(self.public.holder[region])
            tied = "tie" if self.public.value[:, region].max() > 0 else "nobody"
            now = tied if holder == NONE else self.names.seat_name(holder)
            yield from differs(f"Majority in {name}", now, word)

    def supremacy(self) -> Difference:
        """By faction: all Regions in which it has Supremacy."""
        for word, regions, where in self.keys.rows("supremacy"):
            seat = self.names.seat(word)
            numbers = range(len(self.names.regions))
            now = [self.names.regions[r] for r in numbers if has_supremacy(self.public, seat, r)]
            expected = [self.names.regions[self.names.region(name)] for name in texts(regions, where)]
            yield from differs(f"the Supremacy of {word}", sorted(now), sorted(expected))

    def _by_seat_and_region(self, key: str, field: str, what: str) -> Difference:
        for word, regions, where in self.keys.rows(key):
            seat = self.names.seat(word)
            for name, number in typed(regions, dict, where).items():
                now = int(self.public[field][seat, self.names.region(name)])
                yield from differs(f"{what} of {word} in {name}", now, number)

    def value(self) -> Difference:
        """Majority values by faction and Region."""
        yield from self._by_seat_and_region("value", "value", "the Majority value")

    def scrappers(self) -> Difference:
        """Scrappers by faction and Region, the Leader not counted."""
        yield from self._by_seat_and_region("scrappers", "scrappers", "Scrappers")

    def reserve(self) -> Difference:
        """Scrappers in reserve by faction."""
        for word, number, _ in self.keys.rows("reserve"):
            now = int(self.public.reserve[self.names.seat(word)])
            yield from differs(f"the reserve of {word}", now, number)

    def leader(self) -> Difference:
        """The Region of each Leader."""
        for word, name, _ in self.keys.rows("leader"):
            region = int(self.public.leader[self.names.seat(word)])
            now = "the reserve" if region == NONE else self.names.regions[region]
            expected = name if name == "the reserve" else self.names.regions[self.names.region(name)]
            yield from differs(f"the Leader of {word}", now, expected)

    def resources(self) -> Difference:
        """Resources lying in Regions."""
        for name, number, _ in self.keys.rows("resources"):
            now = int(self.public.resources[self.names.region(name)])
            yield from differs(f"resources in {name}", now, number)

    def drones(self) -> Difference:
        """The Region of each Drone, "nowhere" for one that isn't in play."""
        for word, name, _ in self.keys.rows("drones"):
            region = int(self.public.drone[number_of(word, DRONES, "Drone")])
            now = "nowhere" if region == NONE else self.names.regions[region]
            expected = name if name == "nowhere" else self.names.regions[self.names.region(name)]
            yield from differs(f"Drone {word}", now, expected)

    def built(self) -> Difference:
        """All constructions of a faction, in any order."""
        for word, built, where in self.keys.rows("built"):
            seat = self.names.seat(word)
            expected = [self._construction(*built_number(self.names, text)) for text in texts(built, where)]
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
        for word, colours, where in self.keys.rows("control"):
            seat = self.names.seat(word)
            for colour, number in typed(colours, dict, where).items():
                now = int(self.public.cubes[seat, number_of(colour, COLOURS, "Outpost colour")])
                yield from differs(f"{colour} cubes of {word}", now, number)

    def outposts(self) -> Difference:
        """By Region: who holds the cube of each Outpost there, in their order; "nobody" if it lies on it."""
        for name, holders, _ in self.keys.rows("outposts"):
            region = self.names.region(name)
            cubes = [
                int(self.public.cube[number])
                for number in range(self.names.n_outposts)
                if int(self.position.board[0].outpost_region[number]) == region
            ]
            now = ["nobody" if seat == NONE else self.names.seat_name(seat) for seat in cubes]
            yield from differs(f"the cubes of {name}", now, holders)

    # --- Pads, markets, Missions ---------------------------------------------------------------
    def supplies(self) -> Difference:
        """Supplies by faction, final ones after the end."""
        for word, number, _ in self.keys.rows("supplies"):
            now = int(self.public.supplies[self.names.seat(word)])
            yield from differs(f"Supplies of {word}", now, number)

    def feats(self) -> Difference:
        """The unlocked Feats of a faction, all of them."""
        for word, feats, where in self.keys.rows("feats"):
            bits = int(self.public.unlocked[self.names.seat(word)])
            now = [FEATS[feat] for feat in range(N_FEATS) if bits >> feat & 1]
            for feat in texts(feats, where):
                number_of(feat, FEATS, "Feat")
            yield from differs(f"the unlocked Feats of {word}", sorted(now), sorted(feats))

    def pad(self) -> Difference:
        """What lies on Pads; see `scenario_expect_pads`."""
        for word, pad, where in self.keys.rows("pad"):
            inside = Keys(pad, where)
            seat = self.names.seat(word)
            for key, check in PAD_CHECKS.items():
                with at(f"{where}.{key}"):
                    yield from check(self.names, self.position, seat, inside)
            inside.done()

    def market(self) -> Difference:
        """The face-up cards of a market, left to right, "" for an empty slot."""
        for word, cards, where in self.keys.rows("market"):
            market = number_of(word, MARKETS, "market")
            expected = [name and self.names.card_name(self.names.card(name)) for name in texts(cards, where)]
            yield from differs(
                f"the {word} market", card_list(self.names, self.public.market[market]), expected
            )

    def deck_left(self) -> Difference:
        """Cards left in the decks."""
        for word, number, _ in self.keys.rows("deck_left"):
            now = int(self.public.deck_left[number_of(word, MARKETS, "market")])
            yield from differs(f"the {word} deck", now, number)

    def tokens(self) -> Difference:
        """Columns with a mission token, by faction."""
        for word, columns, _ in self.keys.rows("tokens"):
            rows = self.public.token[self.names.seat(word)]
            now = [column + 1 for column, row in enumerate(rows) if int(row) != NONE]
            yield from differs(f"the columns used by {word}", now, columns)

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
        for word, number, _ in self.keys.rows("counts"):
            number_of(word, tuple(there), "thing that is counted")
            yield from differs(f"the number of {word}", there[word], number)

    def legal(self) -> Difference:
        """The choices of the seat to act."""
        written = self.keys.take("legal", dict, {})
        difference = legal_difference(self.position, self.pack, written, "expect.legal") if written else ""
        if difference:
            yield difference


CHECKS = tuple(name for name in vars(Checks) if not name.startswith("_"))
