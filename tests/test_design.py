"""The design: exact balance over replicates, near balance of every prefix, the same games every time."""

from __future__ import annotations

from itertools import pairwise
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlab import chance, jit
from simlab.design import Design, Part, cells, design_of, draw
from simlab.strategy import PART_GAMES, PLAIN_PART_GAMES, Strategy

CASES = [(f, p) for f in range(2, 7) for p in range(2, min(f, 6) + 1) if comb(f, p) * factorial(p - 1) <= 400]


def design(players=(4,), factions=4, strategies=1, per_part=24_000, seed=1) -> Design:
    return design_of(seed, players, range(factions), [per_part] * strategies)


def schedule(made: Design, games: int) -> np.ndarray:
    return np.concatenate([made.schedule(part) for part in made.parts(games)])


def count(*columns: np.ndarray) -> np.ndarray:
    """How often each combination of values that occurs does occur."""
    return np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)[1]


@pytest.mark.parametrize(("factions", "players"), CASES)
def test_cells_are_all_line_ups_in_all_circular_orders(factions: int, players: int) -> None:
    made = cells(factions, players)
    assert len(made) == comb(factions, players) * factorial(players - 1)
    assert len({tuple(np.roll(row, -row.argmin())) for row in made}) == len(made)
    assert all(len(set(row)) == players for row in made)


@pytest.mark.parametrize(("factions", "players"), CASES)
def test_any_prefix_of_cells_has_the_factions_nearly_equally_often(factions: int, players: int) -> None:
    made = cells(factions, players)
    seen = np.cumsum((made[:, :, None] == np.arange(factions)).sum(1), axis=0)
    assert (seen.max(1) - seen.min(1)).max() <= 2


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("strategies", [1, 2, 3])
def test_a_replicate_is_balanced_exactly(players: int, strategies: int) -> None:
    made = design((players,), strategies=strategies)
    games = schedule(made, made.replicate(players))
    assert len(games) == made.replicate(players)
    seat = np.tile(np.arange(players), (len(games), 1)).ravel()
    faction = games["faction"][:, :players].ravel()
    strategy = games["strategy"][:, :players].ravel()
    triples = count(seat, faction, strategy)
    assert len(triples) == players * 4 * strategies
    assert len(set(triples)) == 1
    neighbours = count(faction, np.roll(games["faction"][:, :players], -1, axis=1).ravel())
    assert len(set(neighbours)) == 1
    assert len(set(count(*games["strategy"][:, :players].T))) == 1  # every way to give strategies to seats


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_faction_sits_in_each_seat_once_a_block_with_its_strategy(players: int) -> None:
    games = schedule(design((players,), strategies=2), 400)
    for block in np.unique(games["block"]):
        own = games[games["block"] == block]
        assert sorted(own["rotation"]) == list(range(players))
        assert len(set(own["deal_key"])) == 1
        assert len(set(own["strategy_key"])) == players
        for seat in range(players):
            assert len(set(own["faction"][:, seat])) == players
        pairs = set(zip(own["faction"][:, :players].flat, own["strategy"][:, :players].flat, strict=True))
        assert len(pairs) == players


@pytest.mark.parametrize("strategies", [1, 2, 3])
@pytest.mark.parametrize("players", [(2,), (3,), (4,), (2, 3, 4)])
def test_any_prefix_of_blocks_is_nearly_balanced(players: tuple[int, ...], strategies: int) -> None:
    games = schedule(design(players, strategies=strategies), 600)
    for number in players:
        own = games[games["players"] == number]
        for stop in range(number, len(own), number):  # after each block
            faction = own["faction"][:stop, :number].ravel()
            strategy = own["strategy"][:stop, :number].ravel()
            per_faction = np.bincount(faction, minlength=4) / number  # blocks a faction was in
            assert np.ptp(per_faction) <= 2
            assert np.ptp(np.bincount(strategy, minlength=strategies)) / number <= 2 * number  # two blocks
    finished = np.bincount(games["players"])[list(players)]
    assert len(set(finished)) == 1


def test_seats_that_are_not_there_are_empty() -> None:
    games = schedule(design((2, 3, 4)), 24)
    for game in games:
        assert (game["faction"][game["players"] :] == -1).all()
        assert (game["strategy"][game["players"] :] == -1).all()
        assert (game["faction"][: game["players"]] >= 0).all()


@pytest.mark.parametrize("players", [(4,), (2, 3, 4)])
def test_games_and_blocks_are_numbered_in_order(players: tuple[int, ...]) -> None:
    games = schedule(design(players), 5_000)
    assert games["game"].tolist() == list(range(len(games)))
    assert all(later - earlier in {0, 1} for earlier, later in pairwise(games["block"]))
    assert games["block"][0] == 0


def test_more_games_only_add_to_fewer() -> None:
    made = design((2, 3, 4), strategies=2, per_part=240)
    few, many = schedule(made, 500), schedule(made, 5_000)
    assert many[: len(few)].tobytes() == few.tobytes()


def test_a_part_is_a_function_of_the_experiment_and_its_number() -> None:
    made, again = design((2, 4)), design((2, 4))
    parts = made.parts(50_000)
    for part in reversed(parts):
        assert made.schedule(part).tobytes() == again.schedule(part).tobytes()
    assert sum(part.games for part in parts) == 2 * made.cycles(50_000) * 4


def test_four_player_games_are_the_same_with_or_without_others() -> None:
    alone, beside = schedule(design((4,)), 240), schedule(design((2, 3, 4)), 240)
    beside = beside[beside["players"] == 4]
    for field in ("deal_key", "strategy_key", "rotation", "faction"):
        assert np.array_equal(alone[field], beside[field])


@pytest.mark.parametrize("players", [(2,), (3,), (4,), (2, 3), (2, 3, 4)])
@pytest.mark.parametrize("per_part", [1, 100, 24_000])
def test_parts_are_whole_cycles_and_never_too_long(players: tuple[int, ...], per_part: int) -> None:
    made = design(players, per_part=per_part)
    parts = made.parts(70_000 if per_part > 100 else 2_000)
    assert [part.number for part in parts] == list(range(len(parts)))
    assert parts[0].first == 0
    assert all(earlier.last == later.first for earlier, later in pairwise(parts))
    for part in parts:
        assert part.games == (part.last - part.first) * made.games_in_cycle
        assert part.games <= part.full <= max(per_part, made.games_in_cycle)
    assert all(part.games == part.full for part in parts[:-1])


@pytest.mark.parametrize(
    ("declared", "compiled", "most"),
    [(10**9, True, PART_GAMES), (100, True, 100), (10**9, False, PLAIN_PART_GAMES), (100, False, 100)],
)
def test_no_strategy_makes_parts_too_long(declared: int, compiled: bool, most: int) -> None:
    mine = Strategy("x/mine", "", max, compiled=compiled, games_per_part=declared)
    assert mine.part_games == most


def test_small_runs_have_several_parts() -> None:
    assert len(design().parts(20_000)) >= 8


@pytest.mark.parametrize(
    ("asked", "players", "played"), [(1, (4,), 4), (8, (4,), 8), (9, (3,), 9), (13, (2, 3, 4), 24)]
)
def test_games_are_rounded_up_to_whole_blocks(asked: int, players: tuple[int, ...], played: int) -> None:
    made = design(players)
    assert made.cycles(asked) * made.cycle_games == played
    assert len(made.schedule(Part(0, 0, made.cycles(asked), 0, 0))) == played * len(players)


def test_keys_differ_between_seeds_and_blocks_and_rotations() -> None:
    one, other = schedule(design(seed=1), 4_000), schedule(design(seed=2), 4_000)
    assert not set(one["deal_key"]) & set(other["deal_key"])
    assert len(set(one["deal_key"])) == 1_000
    assert len(set(one["strategy_key"])) == 4_000
    assert not set(one["strategy_key"]) & set(one["deal_key"])
    assert (one["deal_key"] >= 0).all()


def test_only_the_factions_named_play() -> None:
    made = design_of(1, [2], [1, 3], [24_000])
    assert set(schedule(made, 40)["faction"][:, :2].ravel()) == {1, 3}


@jit.inner
def _chance_of(keys, purposes, a, b, out):
    for i in range(len(keys)):
        out[i] = chance.draw(keys[i], purposes[i], a[i], b[i])


@given(st.lists(st.tuples(*[st.integers(0, 2**63 - 1)] * 2), min_size=1, max_size=20), st.integers(1, 20))
def test_draw_is_the_draw_of_the_engine(pairs: list[tuple[int, int]], purpose: int) -> None:
    keys, a = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    b = np.arange(len(keys))
    purposes = np.full(len(keys), purpose)
    out = np.zeros(len(keys), np.int64)
    _chance_of(keys, purposes, a, b, out)
    assert draw(keys, purpose, a, b).tolist() == out.tolist()
