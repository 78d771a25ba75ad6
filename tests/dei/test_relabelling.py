"""Factions that are alike in all but their names: which one sits where changes no recorded row but the names.

What tells factions apart by the rules: the Leader's skill (CORE-091 … CORE-094), the eight starting cards
(CORE-014) and the starter Drone (CORE-008), which does what no other does (CORE-071 … CORE-074), brings its
own cards into the markets (CORE-011) and starts where a priority of its own says. So the relabelled game has
skills off, equal starting cards and the same factions at the table, in other seats; then the same Drones lie
in the same Regions and the same cards in the same markets. Each of the three, left as it is, breaks the
symmetry.

Chance is addressed by seat, Drone, card, Feat and token, never by faction, and so is a strategy's key. But
the number of a choice holds the number of its card, so `dei/uniform`, which draws a priority a choice, may
play another of the equal cards. The game's hash, which adds up those numbers, is the one thing that a
relabelling changes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlab.games.dei.live import LiveGame
from simlab.games.dei.pack import Pack
from simlab.games.dei.vocabulary import (
    AUXILIA,
    DRONES,
    FACTIONS,
    FARM_Z,
    RAVAGERS,
    REFUGE_42,
)
from tests.dei.drawn_games import Components, Drawn, examples, games, other_examples
from tests.dei.relabelled import Relabelling, play_alike, relabelling, renamed, rows_of, with_equal_decks


def play_both(drawn: Drawn, pack: Pack, line_up: Sequence[int]) -> tuple[LiveGame, LiveGame, Relabelling]:
    """Play a game and the same one with `line_up` at the seats; AssertionError where they part."""
    names = relabelling(pack, drawn.factions, line_up)
    one, other = drawn.deal(pack=pack), drawn.deal(tuple(line_up), pack=pack)
    play_alike(one, other, names, drawn.luck)
    return one, other, names


def hold_equal(drawn: Drawn, model: int, drone: str, order: random.Random) -> None:
    line_up = order.sample(drawn.factions, len(drawn.factions))
    pack = with_equal_decks(drawn.components.load(), model, drone)
    one, other, names = play_both(drawn, pack, line_up)
    rows = rows_of(drawn, one, drawn.factions)
    assert any("faction" in key for row in rows["seats"] for key in row)
    assert renamed(rows, names) == rows_of(drawn, other, line_up)


EQUAL = (
    games(skills=False),
    st.integers(0, len(FACTIONS) - 1),
    st.sampled_from(("any", *DRONES)),
    st.randoms(use_true_random=False),
)


@examples(compiled=40, plain=3)
@given(*EQUAL)
def test_equal_factions_may_change_names(drawn: Drawn, model: int, drone: str, order: random.Random) -> None:
    hold_equal(drawn, model, drone, order)


@pytest.mark.slow
@pytest.mark.compiled_only
@other_examples(800)
@given(*EQUAL)
def test_equal_factions_may_change_names_in_many_games(
    drawn: Drawn, model: int, drone: str, order: random.Random
) -> None:
    hold_equal(drawn, model, drone, order)


def game(number: int, factions: tuple[int, ...], *, skills: bool) -> Drawn:
    """A game by the rulebook with the shipped pack."""
    off = {} if skills else {"leader_off": [True] * len(factions)}
    return Drawn(factions, {}, off, Components(), "random", "advanced", number, False, number)


def parts_ways(drawn: Drawn, pack: Pack, line_up: Sequence[int]) -> bool:
    """Whether the relabelled game comes to another list, as it does where something isn't symmetric."""
    try:
        one, other, names = play_both(drawn, pack, line_up)
    except AssertionError:
        return True
    return renamed(rows_of(drawn, one, drawn.factions), names) != rows_of(drawn, other, line_up)


PAIR, SWAPPED, OTHERS = (FARM_Z, RAVAGERS), (RAVAGERS, FARM_Z), (REFUGE_42, AUXILIA)


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("skills", "equal_decks", "line_up", "parted"),
    [
        (False, True, SWAPPED, False),
        (True, True, SWAPPED, True),  # Leaders' skills
        (False, False, SWAPPED, True),  # starting cards
        (False, True, OTHERS, True),  # Drones, their cards and where they start
    ],
)
def test_what_tells_factions_apart(
    skills: bool, equal_decks: bool, line_up: tuple[int, int], parted: bool
) -> None:
    shipped = Components().load()
    pack = with_equal_decks(shipped, REFUGE_42, "any") if equal_decks else shipped
    found = [parts_ways(game(number, PAIR, skills=skills), pack, line_up) for number in range(8)]
    assert any(found) == parted
