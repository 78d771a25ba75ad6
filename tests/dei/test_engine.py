"""What must hold in every position: invariants, unique lists, copies that don't leak, hidden stays hidden."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simlab.games.dei import engine
from simlab.games.dei.board import make_board
from simlab.games.dei.choices import KINDS, kind_of
from simlab.games.dei.resources import gained_kind
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ENDINGS,
    ENERGY,
    FINISHED,
    GAIN_ENERGY,
    GAIN_SUPPLIES,
    GAIN_TECHNOLOGY,
    HAND,
    MAX_CHOICES,
    N_MARKETS,
    NONE,
    TECHNOLOGY,
)
from simlab.jit import plain
from tests.dei.randomly import PACK, RULE_SETS, decisions

KIND_MASK = 31  # choices.py packs the kind there


@pytest.mark.compiled_only
@pytest.mark.parametrize("stress", [False, True])
def test_invariants_hold_after_every_choice(stress: bool) -> None:
    for position, choices, code in decisions(1, 90, stress=stress):
        assert choices
        assert len(set(choices)) == len(choices)
        assert code in choices
        assert engine.broken_laws(position) == []


@pytest.mark.parametrize("rules", range(len(RULE_SETS)))
def test_one_game_of_each_rule_set_ends_by_the_rules(rules: int) -> None:
    last = None
    for position, _choices, _code in decisions(
        2, 1, stress=rules % 2 == 1, rule_sets=RULE_SETS[rules : rules + 1]
    ):
        last = position
        if int(position.public[0].decisions) % 8 == 0:  # uncompiled, each check is slow
            assert engine.broken_laws(position) == []
    assert last is not None
    assert ENDINGS[int(last.public[0].ending)] == ENDINGS[FINISHED]


def test_a_token_in_reserve_is_nowhere() -> None:
    """NONE, where a token stands that isn't placed, is no place of the board's tables, not their last one."""
    rng = random.Random(7)
    for position, choices, _ in decisions(6, 2, stress=True, rule_sets=({},)):
        board = position.board[0]
        whole = board.copy()
        site, bridge = rng.randrange(int(board.n_elevator_sites)), rng.randrange(int(board.n_bridge_sites))
        board.elevator_ground[-1] = board.elevator_ground[site]
        board.elevator_roof[-1] = board.elevator_roof[site]
        board.bridge_a[-1], board.bridge_b[-1] = board.bridge_a[bridge], board.bridge_b[bridge]
        listed = engine.legal(position)
        position.board[0] = whole
        assert listed == choices


def test_each_gain_of_a_resource_names_its_kind() -> None:
    kind = plain(gained_kind)
    assert (kind(GAIN_TECHNOLOGY), kind(GAIN_ENERGY), kind(GAIN_SUPPLIES)) == (TECHNOLOGY, ENERGY, NONE)


@pytest.mark.compiled_only
def test_every_kind_of_choice_comes_up() -> None:
    seen = {int(code) & KIND_MASK for _, _, code in decisions(5, 120, stress=True)}
    assert {KINDS[kind] for kind in seen} == set(KINDS)


@pytest.mark.compiled_only
def test_a_copy_is_independent() -> None:
    for position, choices, code in decisions(4, 12):
        twin = position.copy()
        assert twin.same(position)
        engine.apply(twin, code)
        assert not twin.same(position)
        assert engine.legal(position) == choices


@pytest.mark.compiled_only
@pytest.mark.rule("CORE-015", "CORE-016")
@pytest.mark.parametrize("stress", [False, True])
def test_a_redraw_changes_nothing_that_the_seat_knows(stress: bool) -> None:
    changed = 0
    for number, (position, choices, _) in enumerate(decisions(5, 36, stress=stress)):
        seat = engine.active(position)
        twin = position.copy()
        engine.redraw_hidden(twin, seat, number)
        assert twin.public.tobytes() == position.public.tobytes()
        assert twin.own[seat : seat + 1].tobytes() == position.own[seat : seat + 1].tobytes()
        assert engine.legal(twin) == choices
        assert engine.broken_laws(twin) == []
        changed += twin.hidden.tobytes() != position.hidden.tobytes()
    assert changed > 0


@pytest.mark.rule("CORE-015", "CORE-016")
def test_a_redraw_draws_all_that_a_seat_cannot_know() -> None:
    """Decks, the others' Feats, Candy Boosts and committed cards: each comes out in several ways."""
    rules = rules_record(resolve_rules({"planning": True}), {"grant_candy": [2, 2]}, PACK)
    position = Position(rules, PACK.table, make_board(PACK, 2, 1, "quick"))
    engine.start(position, 1, [0, 1])
    for _ in range(2):
        engine.apply(position, engine.legal(position)[-1])  # each commits two cards
    ways: dict[str, set[bytes]] = {}
    for key in range(8):
        twin = position.copy()
        engine.redraw_hidden(twin, 0, key)
        for name in ("feats", "candy", "committed"):
            ways.setdefault(name, set()).add(np.asarray(twin.own[1][name]).tobytes())
        for market in range(N_MARKETS):
            ways.setdefault(f"deck {market}", set()).add(twin.hidden[0].deck[market].tobytes())
    assert {name: len(found) > 2 for name, found in ways.items()} == dict.fromkeys(ways, True)


@pytest.mark.compiled_only
@pytest.mark.rule("CORE-131")
def test_a_redrawn_draft_agrees_with_what_was_seen() -> None:
    for number, (position, _, _) in enumerate(decisions(6, 9, rule_sets=({"feats_draft": True},))):
        public = position.public[0]
        if public.phase == 0:
            continue
        seat = number % int(public.n_seats)
        twin = position.copy()
        engine.redraw_hidden(twin, seat, number)
        dealt = [int(own.feats) for own in twin.own[: int(public.n_seats)]]
        assert len({feat for feats in dealt for feat in range(18) if feats >> feat & 1}) == 3 * len(dealt)
        for other, feats in enumerate(dealt):
            for colour in range(3):
                seen = int(twin.own[seat].draft_seen[colour])
                if other == seat:
                    continue
                later = public.draft_order[other, colour] > public.draft_order[seat, colour]
                assert bool(feats & seen) == bool(later)


@pytest.mark.compiled_only
def test_lists_stay_within_their_room() -> None:
    longest = max(len(choices) for _, choices, _ in decisions(7, 60, stress=True))
    assert longest < MAX_CHOICES


@pytest.mark.compiled_only
@pytest.mark.rule("CORE-044")
def test_a_bought_card_is_in_hand_at_once() -> None:
    bought = 0
    for position, _, code in decisions(8, 9, rule_sets=({},)):
        if KINDS[int(code) & KIND_MASK] != "buy":
            continue
        twin = position.copy()
        seat = engine.active(twin)
        card = (int(code) >> 10) & 1023
        engine.apply(twin, code)
        assert twin.public[0].card_owner[card] == seat
        assert twin.public[0].card_place[card] == HAND
        bought += 1
    assert bought > 10


def test_kinds_are_named_once() -> None:
    assert len(set(KINDS)) == len(KINDS)
    assert callable(kind_of)
