"""The compiled strategies: legal at every question, a function of what the seat may see, strong enough."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simlab import jit
from simlab.game import SCHEDULE, Settings
from simlab.games.dei import block, engine
from simlab.games.dei import choices as ch
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import ASKS, MAX_REGIONS, N_FEATS, PLAYING
from simlab.strategy import SCRATCH_LENGTH, WEIGHTS_LENGTH, Strategy
from strategies.dei import greedy, memory, planner, search, uniform, weights
from tests.dei.randomly import PACK, RULE_SETS, decisions, new_position

ROOT = Path(__file__).resolve().parents[2]
QUICK = [greedy.STRATEGY, uniform.STRATEGY, planner.UNTUNED]
STRATEGIES = QUICK if jit.DISABLED else [*QUICK, search.search(3)]  # which takes hours uncompiled
GAMES = 2 if jit.DISABLED else 36
ids = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


def index_of(strategy: Strategy, position: Position, codes: list[int], key: int, scratch: Any = None) -> int:
    """The index that a strategy gives, from a scratch of its own unless one is given."""
    seat = engine.active(position)
    numbers = np.zeros(WEIGHTS_LENGTH, np.int32)
    numbers[: len(strategy.weights)] = strategy.weights
    if scratch is None:
        scratch = np.zeros(SCRATCH_LENGTH, np.int64)
    choices = np.array([*codes, -1, -1], np.int64)  # what lies behind the list doesn't matter
    p = position
    own = p.own[seat : seat + 1]
    answer = strategy.choose(
        p.public, own, p.rules, p.pack, p.board, choices, len(codes), numbers, scratch, key
    )
    return int(answer)


@ids
@pytest.mark.parametrize("stress", [False, True])
def test_it_answers_every_question_with_a_listed_choice(strategy, stress):
    asked = set()
    for position, codes, _ in decisions(8 + stress, GAMES, stress=stress):
        before = position.public.tobytes() + position.own.tobytes()
        assert 0 <= index_of(strategy, position, codes, 99) < len(codes)
        assert position.public.tobytes() + position.own.tobytes() == before
        asked.add(ASKS[engine.question(position)])
    if stress and not jit.DISABLED:
        assert asked == set(ASKS)


@ids
def test_it_plays_every_kind_of_game_to_its_end(strategy):
    for number, rules in enumerate(RULE_SETS[: GAMES // 2]):
        game = plain_game(strategy, rules, 2 + number % 3, 70 + number)
        assert game
        assert game == plain_game(strategy, rules, 2 + number % 3, 70 + number)


def plain_game(strategy: Strategy, rules: dict[str, Any], players: int, key: int) -> list[int]:
    """The choices of a game among seats that all play a strategy, each with its scratch."""
    position = new_position(random.Random(key), players, rules, key)
    scratch = np.zeros((players, SCRATCH_LENGTH), np.int64)
    made = []
    while position.public[0].ending == PLAYING:
        codes = engine.legal(position)
        index = index_of(strategy, position, codes, key + len(made), scratch[engine.active(position)])
        made.append(codes[index])
        engine.apply(position, codes[index])
    return made


@ids
def test_it_does_not_see_what_is_hidden(strategy):
    for number, (position, codes, _) in enumerate(decisions(8, GAMES, stress=True)):
        if number % 5:
            continue
        twin = position.copy()
        engine.redraw_hidden(twin, engine.active(position), number)
        assert index_of(strategy, twin, codes, 3) == index_of(strategy, position, codes, 3)


@ids
def test_the_order_of_the_list_does_not_matter(strategy):
    for number, (position, codes, _) in enumerate(decisions(9, GAMES)):
        if number % 7 == 0 and not any(ch.kind_of(code) == ch.MOVING for code in codes):
            turned = codes[::-1]
            assert (
                turned[index_of(strategy, position, turned, 4)]
                == codes[index_of(strategy, position, codes, 4)]
            )


def schedule_of(players: int, games: int) -> Any:
    """Strategy 0 takes each seat with each faction in turn, strategy 1 the others."""
    schedule = np.zeros(games, SCHEDULE)
    schedule["game"] = np.arange(games)
    schedule["block"] = schedule["game"] // players
    schedule["deal_key"] = 500 + schedule["block"]
    schedule["strategy_key"] = 9000 + schedule["game"]
    schedule["players"] = players
    schedule["faction"] = -1
    for game in range(games):
        own_seat, shift = game % players, game // players
        schedule["faction"][game, :players] = [(seat + shift) % 4 for seat in range(players)]
        schedule["strategy"][game, :players] = [int(seat != own_seat) for seat in range(players)]
    return schedule


def share_won(players: int, games: int, rules: dict[str, Any], strategies: Any = STRATEGIES) -> float:
    """The win share of the first of two strategies, one seat of it against the other one in all others."""
    settings = Settings(rules, {"layout": "random", "outposts": "advanced"}, {}, PACK)
    schedule = schedule_of(players, games)
    logs = block.play_logs(settings, schedule, strategies)
    won = logs["place"][:, :players] == 1
    return float((won & (schedule["strategy"][:, :players] == 0)).sum() / games)


@pytest.mark.compiled_only
@pytest.mark.parametrize(("players", "least"), [(2, 0.85), (3, 0.75), (4, 0.7)])
def test_greedy_beats_uniform(players, least):
    assert share_won(players, 240, {}) > least


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "rules",
    [{"planning": True}, {"feats_draft": True}, {"confrontation": True, "rebel": True}, {"no_choices": True}],
)
def test_greedy_beats_uniform_under_optional_rules(rules):
    assert share_won(4, 120, rules) > 0.7


@pytest.mark.compiled_only
def test_greedy_scores_well_among_its_like():
    settings = Settings({}, {"layout": "random", "outposts": "advanced"}, {}, PACK)
    schedule = schedule_of(4, 200)
    means = []
    for number in (0, 1):
        schedule["strategy"] = number
        logs = block.play_logs(settings, schedule, STRATEGIES)
        means.append(float(logs["final_supplies"][:, :4].mean()))
    assert means[0] > 2 * means[1]


PLAIN = """
from tests.strategies.test_greedy import QUICK, plain_game
print([hash(tuple(plain_game(s, {"turns": 2}, 2, 31))) for s in QUICK])
"""


@pytest.mark.compiled_only
def test_compiled_and_plain_code_choose_alike():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAIN],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = [hash(tuple(plain_game(s, {"turns": 2}, 2, 31))) for s in QUICK]
    assert plain.stdout.strip() == str(compiled)


def test_each_weight_has_its_own_place():
    places = {name: value for name, value in vars(weights).items() if isinstance(value, int)}
    assert sorted(places.values()) == list(range(weights.FEAT + 1))
    assert len(weights.WEIGHTS) == weights.FEAT + N_FEATS <= WEIGHTS_LENGTH


def test_a_region_packs_and_unpacks():
    packed = memory.pack_region(60_000, 5_000, 30_000, 3, 17, 1, 0)
    assert (memory.hold_of(packed), memory.beyond_of(packed), memory.pull_of(packed)) == (
        60_000,
        5_000,
        30_000,
    )
    assert (memory.outposts_of(packed), memory.highest_of(packed), memory.needed_of(packed)) == (3, 17, 18)
    assert memory.is_theirs(packed, 16)
    assert not memory.is_theirs(packed, 17)
    assert memory.needed_of(memory.pack_region(0, 0, 0, 0, 17, 1, 1)) == 17
    assert memory.hold_of(memory.pack_region(99_999, 0, 0, 0, 0, 0, 0)) == 0xFFFF


def test_what_is_kept_has_room():
    assert memory.REGION + MAX_REGIONS <= memory.TYPICAL < memory.STEP
    assert memory.MOST < SCRATCH_LENGTH
