"""Setup: what is dealt, to whom, how much (CORE-008 … CORE-018), and that chance is addressed by event."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simlab.games.dei import engine
from simlab.games.dei.board import make_board
from simlab.games.dei.icons import plain_icon
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ABSENT,
    ASK_DEPLOY,
    BLACK,
    DECK,
    GAIN_CANDY,
    HAND,
    MARKET,
    N_DRONES,
    N_MARKETS,
    NONE,
)
from tests.dei.randomly import PACK, new_position

GAMES = [(players, key) for players in (2, 3, 4) for key in (1, 2, 3)]


def dealt(players: int, key: int, rules: dict[str, object] | None = None) -> Position:
    return new_position(random.Random(key), players, rules or {}, key)


@pytest.mark.rule("CORE-008")
@pytest.mark.parametrize(("players", "key"), GAMES)
def test_drones_of_the_factions_in_play_start_on_a_symbol(players: int, key: int) -> None:
    position = dealt(players, key)
    public, board, pack = position.public[0], position.board[0], position.pack[0]
    symbols = [
        int(board.region_of[tile, pack.drone_patch[tile]])
        for tile in (int(board.tile_at[place]) for place in board.drone_tiles if place != NONE)
    ]
    assert len(symbols) == players
    in_play = [drone for drone in range(N_DRONES) if public.seat_of[drone] != NONE]
    assert sorted(int(public.drone[drone]) for drone in in_play) == sorted(symbols)
    assert all(public.drone[drone] == NONE for drone in range(N_DRONES) if drone not in in_play)


@pytest.mark.rule("CORE-009")
@pytest.mark.parametrize(("players", "key"), GAMES)
def test_every_symbol_gets_its_resource(players: int, key: int) -> None:
    position = dealt(players, key)
    board, pack = position.board[0], position.pack[0]
    tiles = [int(tile) for tile in board.tile_at if tile != NONE]
    symbols = sum(int(pack.patch_resources[tile].sum()) for tile in tiles)
    assert int(position.public[0].resources.sum()) == symbols


@pytest.mark.rule("CORE-011", "CORE-012")
@pytest.mark.parametrize(("players", "key"), GAMES)
def test_markets_hold_their_cards_and_an_equal_share_of_drone_cards(players: int, key: int) -> None:
    position = dealt(players, key)
    public, pack = position.public[0], position.pack[0]
    for market in range(N_MARKETS):
        deck = [int(card) for card in position.hidden[0].deck[market] if card != NONE]
        cards = deck + [int(card) for card in public.market[market]]
        assert len(deck) == public.deck_left[market]
        drone_cards = [card for card in cards if pack.drone_deck[card] != NONE]
        assert len(drone_cards) == (0 if market == BLACK else players)
        assert len(cards) - len(drone_cards) == (12 if market == BLACK else 8)
        assert all(pack.card_market[card] == market for card in cards if card not in drone_cards)
        assert all(pack.card_market[card] == NONE for card in drone_cards)
        assert all(public.seat_of[int(pack.drone_deck[card])] != NONE for card in drone_cards)
    places = public.card_place[: int(pack.n_cards)]
    assert int((places == MARKET).sum()) == 12
    assert int((places == DECK).sum()) == int(public.deck_left.sum())


@pytest.mark.rule("CORE-013", "CORE-130")
@pytest.mark.parametrize("no_choices", [False, True])
def test_missions_are_different_cards_on_four_columns(no_choices: bool) -> None:
    mission = dealt(4, 1, {"no_choices": no_choices}).public[0].mission
    assert (mission[:4, 0] != NONE).all()
    assert (mission[4:] == NONE).all()
    assert ((mission[:4, 1] == NONE) == no_choices).all()
    cards = [int(card) for card in mission.ravel() if card != NONE]
    assert len(set(cards)) == len(cards)


@pytest.mark.rule("CORE-130")
def test_no_choices_keeps_the_missions_of_row_one() -> None:
    with_rows = dealt(3, 5).public[0].mission
    without = dealt(3, 5, {"no_choices": True}).public[0].mission
    assert (with_rows[:, 0] == without[:, 0]).all()


@pytest.mark.rule("CORE-014", "CORE-017", "CORE-019")
@pytest.mark.parametrize(("players", "key"), GAMES)
def test_what_a_player_starts_with(players: int, key: int) -> None:
    position = dealt(players, key)
    public, pack = position.public[0], position.pack[0]
    assert public.priority[:players].tolist() == list(range(players))
    for seat in range(players):
        assert (public.technology[seat], public.energy[seat], public.supplies[seat]) == (1, 1, 0)
        assert (public.reserve[seat], public.leader[seat], public.candy[seat]) == (15, NONE, 0)
        assert (public.built[seat] == NONE).all()
        assert (public.token[seat] == NONE).all()
        hand = [
            card
            for card in range(int(pack.n_cards))
            if public.card_owner[card] == seat and public.card_place[card] == HAND
        ]
        assert len(hand) == 8
        assert all(pack.card_faction[card] == public.faction[seat] for card in hand)
        assert sum(int(pack.is_drone_card[card]) for card in hand) == 1
    absent = public.card_place[: int(pack.n_cards)] == ABSENT
    assert int(absent.sum()) == (4 - players) * (8 + 3)


@pytest.mark.rule("CORE-015")
@pytest.mark.parametrize(("players", "key"), GAMES)
def test_one_feat_of_each_colour_without_repetition(players: int, key: int) -> None:
    position = dealt(players, key)
    dealt_feats = [int(own.feats) for own in position.own[:players]]
    for feats in dealt_feats:
        assert [(feats >> 6 * colour & 63).bit_count() for colour in range(3)] == [1, 1, 1]
    assert int(np.bitwise_or.reduce(dealt_feats)).bit_count() == 3 * players
    assert (position.public[0].unlocked == 0).all()


@pytest.fixture(scope="module")
def deals() -> list[Position]:
    """The same two players on the quick layout, dealt a number of times."""
    found = []
    for key in range(40):
        board = make_board(PACK, 2, key, "quick")
        position = Position(rules_record(resolve_rules({}), {}, PACK), PACK.table, board)
        engine.start(position, key, [0, 3])
        found.append(position)
    return found


@pytest.mark.rule("CORE-008")
def test_any_symbol_may_get_any_drone() -> None:
    rules, board = rules_record(resolve_rules({}), {}, PACK), make_board(PACK, 4, 1, "quick")
    starts = []
    for key in range(20):
        position = Position(rules, PACK.table, board)
        engine.start(position, key, [0, 1, 2, 3])
        starts.append(position.public[0].drone.tolist())
    places = set(starts[0])
    assert len(places) > 2
    assert [set(of_one) for of_one in zip(*starts, strict=True)] == [places] * N_DRONES


@pytest.mark.rule("CORE-011")
def test_any_outpost_market_may_get_any_drone_card(deals: list[Position]) -> None:
    found: dict[int, set[int]] = {}
    for position in deals:
        for market in range(N_MARKETS):
            cards = [*position.hidden[0].deck[market], *position.public[0].market[market]]
            for card in map(int, cards):
                if card != NONE and position.pack[0].drone_deck[card] != NONE:
                    found.setdefault(card, set()).add(market)
    assert list(found.values()) == [{0, 1, 2}] * 6


@pytest.mark.rule("CORE-013")
def test_any_mission_may_lie_anywhere(deals: list[Position]) -> None:
    first = {int(position.public[0].mission[0, 0]) for position in deals}
    drawn = {int(card) for position in deals for card in position.public[0].mission.ravel() if card != NONE}
    assert len(first) > 6
    assert len(drawn) == 12


@pytest.mark.rule("CORE-015")
def test_any_player_may_get_any_feat(deals: list[Position]) -> None:
    for seat in range(2):
        held = [int(position.own[seat].feats) for position in deals]
        assert int(np.bitwise_or.reduce(held)) == (1 << 18) - 1


@pytest.mark.rule("CORE-035", "CORE-080")
def test_candy_is_drawn_blind_from_a_reserve_shuffled_each_turn(deals: list[Position]) -> None:
    drawn = set()
    for turn in (1, 2, 3):
        position = deals[0].copy()
        position.public[0].turn = turn
        order = []
        for _ in range(4):
            engine.grant(position, 0, plain_icon(GAIN_CANDY, 0, 0, 0))
            before = position.own[0].candy.copy()
            engine.apply(position, engine.legal(position)[0])
            order.append(int(np.flatnonzero(position.own[0].candy - before)[0]))
        drawn.add(tuple(order))
    assert len(drawn) == 3
    assert any(list(order) != sorted(order) for order in drawn)


@pytest.mark.rule("CORE-018")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_deployment_is_split_evenly_and_comes_after_earlier_players_phases(players: int) -> None:
    """n + 1 Scrappers and the Leader; each player deploys when the own first phase begins."""
    position = dealt(players, 7)
    board = position.board[0]
    regions = [int(region) for region in board.refuge_regions[: int(board.n_refuge_regions)]]
    deployed = []
    while len(deployed) < players:
        if engine.question(position) != ASK_DEPLOY:
            engine.apply(position, engine.legal(position)[-1])
            continue
        seat = engine.active(position)
        public = position.public[0]
        assert public.leader[seat] == NONE
        assert all(int(public.n_plays[earlier]) == 2 for earlier in deployed)
        units = seat + 3
        choices = engine.legal(position)
        assert len(choices) == (1 if len(regions) == 1 else 2 if units % 2 == 0 else 4)
        engine.apply(position, choices[0])
        here = [
            int(public.scrappers[seat, region]) + int(public.leader[seat] == region) for region in regions
        ]
        assert sum(here) == units
        assert max(here) - min(here) <= 1 or len(regions) == 1
        assert public.reserve[seat] == 15 - units + 1
        deployed.append(seat)
    assert deployed == list(range(players))


def test_a_deal_shares_all_luck_that_still_applies() -> None:
    """Same key: the same Missions, Feats and deck orders whatever the rules; another key: others."""
    record = rules_record(resolve_rules({"starting_technology": 3}), {}, PACK)
    other = Position(record, PACK.table, make_board(PACK, 4, 9))
    base = Position(rules_record(resolve_rules({}), {}, PACK), PACK.table, make_board(PACK, 4, 9))
    for position in (base, other):
        engine.start(position, 9, [0, 1, 2, 3])
    assert base.hidden.tobytes() == other.hidden.tobytes()
    assert base.own.tobytes() == other.own.tobytes()
    engine.start(other, 10, [0, 1, 2, 3])
    assert base.hidden.tobytes() != other.hidden.tobytes()


def test_a_removed_card_leaves_the_order_of_the_others() -> None:
    """Decks are sorted by a priority a card, so fewer Drone cards don't reshuffle a market's own."""

    def own_cards(factions: list[int]) -> list[list[int]]:
        position = Position(
            rules_record(resolve_rules({}), {}, PACK), PACK.table, make_board(PACK, len(factions), 9)
        )
        engine.start(position, 9, factions)
        pack = position.pack[0]
        orders = []
        for market in range(N_MARKETS):
            deck = [int(card) for card in position.hidden[0].deck[market] if card != NONE][::-1]
            cards = [int(card) for card in position.public[0].market[market]][::-1] + deck
            orders.append([card for card in cards if pack.drone_deck[card] == NONE])
        return orders

    assert own_cards([0, 1, 2, 3]) == own_cards([3, 1])


@pytest.mark.rule("CORE-014")
def test_handicaps_reach_the_seat_they_name() -> None:
    handicaps = {
        "grant_technology": [0, 3],
        "grant_energy": [0, 2],
        "grant_supplies": [0, 5],
        "grant_candy": [0, 2],
        "grant_scrappers": [0, 4],
    }
    position = Position(rules_record(resolve_rules({}), handicaps, PACK), PACK.table, make_board(PACK, 2, 3))
    engine.start(position, 3, [0, 1])
    public = position.public[0]
    assert (public.technology[1], public.energy[1], public.supplies[1], public.candy[1]) == (4, 3, 5, 2)
    assert (public.technology[0], public.energy[0], public.supplies[0], public.candy[0]) == (1, 1, 0, 0)
    assert engine.broken_laws(position) == []
    while engine.question(position) != ASK_DEPLOY or engine.active(position) != 1:
        engine.apply(position, engine.legal(position)[-1])
    engine.apply(position, engine.legal(position)[0])
    assert public.reserve[1] == 15 - 3 - 4
