"""What a game's log counts is what was chosen: counted again from the choices themselves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from simlab.games.dei import engine
from simlab.games.dei.choices import (
    ACTIVATE,
    BUY,
    CONSTRUCT,
    DEPLOYMENT,
    GATHER,
    HARVEST,
    LAY_CANDY,
    MOVING,
    PLAY,
    a_of,
    e_of,
    kind_of,
)
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import MAX_SEATS, N_CANDIES, NONE, PLAYING
from tests.dei.randomly import RULE_SETS, new_position

COUNTED = {MOVING: "moves", BUY: "buys", DEPLOYMENT: "enlisted"}
CANDY_LAID = 1  # what a purchase adds to the kind that it lays, 0 = none


def played(number: int) -> tuple[Position, Counter[tuple[str, int]], Counter[int]]:
    """A random game: how often each seat chose what the log counts, what was left on the map after each
    Turn, how often each card lay face up."""
    rng = random.Random(number)
    position = new_position(rng, 2 + number % 3, RULE_SETS[number % len(RULE_SETS)], number + 1)
    chosen: Counter[tuple[str, int]] = Counter()
    plays: Counter[int] = Counter()
    while position.public[0].ending == PLAYING:
        code = rng.choice(engine.legal(position))
        seat, kind = engine.active(position), int(kind_of(code))
        if kind in COUNTED:
            chosen[COUNTED[kind], seat] += 1
            if kind == BUY and e_of(code) > 0:
                chosen[f"candy {e_of(code) - CANDY_LAID}", seat] += 1
        elif kind == CONSTRUCT:
            chosen[f"build {a_of(code)}", seat] += 1
        elif kind == ACTIVATE:
            chosen[f"drone {a_of(code)}", seat] += 1
        elif kind in {GATHER, HARVEST}:
            chosen["collected", seat] += 1
        elif kind == LAY_CANDY:
            chosen[f"candy {a_of(code)}", seat] += 1
        elif kind == PLAY:
            plays[int(a_of(code))] += 1
        public, turn = position.public[0], int(position.public[0].turn)
        order = public.priority.tolist()
        engine.apply(position, code)
        chosen["resources left", turn] = int(public.resources.sum())
        for seat in range(int(public.n_seats)):
            chosen[f"place in Turn {turn}", seat] = order.index(seat)
            if int(public.turn) > turn:  # the last one's are noted before the final count
                chosen[f"Supplies after Turn {turn}", seat] = int(public.supplies[seat])
                chosen[f"Outposts after Turn {turn}", seat] = int(public.cubes[seat].sum())
    return position, chosen, plays


SOME = [*range(2), *(pytest.param(number, marks=pytest.mark.compiled_only) for number in range(2, 18))]


@pytest.mark.parametrize("number", SOME)
def test_counters_are_the_choices_counted(number: int) -> None:
    position, chosen, plays = played(number)
    log, public = position.log[0], position.public[0]
    for seat in range(MAX_SEATS):
        for name in COUNTED.values():
            assert int(getattr(log, name)[seat]) == chosen[name, seat]
        assert int(log.collected[seat].sum()) == chosen["collected", seat]
        for construction in range(3):
            assert int(log.builds[seat, construction]) == chosen[f"build {construction}", seat]
        for candy in range(N_CANDIES):
            assert int(log.candy_laid[seat, candy]) == chosen[f"candy {candy}", seat]
        for drone in range(4):
            assert int(log.activations[seat, drone]) == chosen[f"drone {drone}", seat]
        assert int(log.supplies_from[seat].sum()) == int(public.supplies[seat])
    for card in range(len(log.plays)):
        assert int(log.plays[card]) == plays[card]
        if log.bought_by[card] != NONE:
            assert public.card_owner[card] == log.bought_by[card]
    assert int(log.kills.sum()) == int(log.losses.sum())
    turns = int(position.rules[0].turns)
    for turn, left in enumerate(log.turn_resources, 1):
        assert int(left) == chosen["resources left", turn]
        for seat in range(int(public.n_seats) if turn <= turns else 0):
            assert int(log.turn_place[turn - 1, seat]) == chosen[f"place in Turn {turn}", seat]
            if turn < turns:
                assert int(log.turn_supplies[turn - 1, seat]) == chosen[f"Supplies after Turn {turn}", seat]
                assert int(log.turn_outposts[turn - 1, seat]) == chosen[f"Outposts after Turn {turn}", seat]


@pytest.mark.compiled_only
@pytest.mark.rule("CORE-039")
def test_places_follow_supplies_then_priority() -> None:
    for number in range(30):
        position, _, _ = played(number)
        log, public = position.log[0], position.public[0]
        seats = [int(seat) for seat in public.priority[: int(public.n_seats)]]
        order = sorted(seats, key=lambda seat: (-int(public.supplies[seat]), seats.index(seat)))
        assert [int(log.place[seat]) for seat in order] == list(range(1, len(order) + 1))
