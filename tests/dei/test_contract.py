"""The plain loop and the compiled block loop give the same games, byte by byte."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simlab import match
from simlab.game import SCHEDULE, Settings
from simlab.games.dei import block
from simlab.games.dei.live import LiveGame
from simlab.games.dei.vocabulary import ILLEGAL_CHOICE, STRATEGY_FAILED
from simlab.strategy import Strategy
from strategies.dei import greedy, uniform
from tests.dei.randomly import PACK, RULE_SETS


def schedule_of(players: int, games: int) -> Any:
    """Blocks of all rotations of the first factions, two strategies mixed."""
    schedule = np.zeros(games, SCHEDULE)
    schedule["game"] = np.arange(games)
    schedule["block"] = schedule["game"] // players
    schedule["deal_key"] = 17 + schedule["block"]
    schedule["strategy_key"] = 1000 + schedule["game"]
    schedule["rotation"] = schedule["game"] % players
    schedule["players"] = players
    schedule["faction"] = -1
    for game in range(games):
        schedule["faction"][game, :players] = [(seat + game) % 4 for seat in range(players)]
        schedule["strategy"][game, :players] = [(seat + game) % 2 for seat in range(players)]
    return schedule


STRATEGIES = [uniform.STRATEGY, greedy.STRATEGY]


def played_plainly(settings: Settings, schedule: Any, strategies: list[Strategy]) -> list[LiveGame]:
    played = [LiveGame(settings, row) for row in schedule]
    for live, row in zip(played, schedule, strict=True):
        match.play(live, match.seated(strategies, row))
    return played


@pytest.mark.compiled_only
@pytest.mark.parametrize("rules", range(len(RULE_SETS)))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_plain_loop_equals_block_loop(players: int, rules: int) -> None:
    settings = Settings(RULE_SETS[rules], {"layout": "random", "outposts": "advanced"}, {}, PACK)
    schedule = schedule_of(players, 2 * players)
    logs = block.play_logs(settings, schedule, STRATEGIES)
    played = played_plainly(settings, schedule, STRATEGIES)
    for log, live in zip(logs, played, strict=True):
        assert log.tobytes() == live.position.log[0].tobytes()


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        (lambda *_: -1, ILLEGAL_CHOICE),
        (lambda *_: 10**30, ILLEGAL_CHOICE),
        (lambda *_: 1 // 0, STRATEGY_FAILED),
        (lambda *_: sys.exit(0), STRATEGY_FAILED),
        (lambda *_: None, STRATEGY_FAILED),
        (lambda *_: 0.5, STRATEGY_FAILED),
        (lambda *_: "0", STRATEGY_FAILED),
        (lambda *_: True, STRATEGY_FAILED),
    ],
)
def test_a_failing_strategy_ends_its_game_with_a_reason(answer: Any, ending: int) -> None:
    settings = Settings({}, {"layout": "quick", "outposts": "quick"}, {}, PACK)
    failing = Strategy("dei/failing", "fails", answer, compiled=False)
    schedule = schedule_of(2, 1)
    (live,) = played_plainly(settings, schedule, [uniform.STRATEGY, failing])
    log = live.position.log[0]
    assert (int(log.ending), int(log.ending_seat)) == (ending, 1)


def spoiling(public, own, rules, pack, board, choices, n, weights, scratch, key):
    """The last choice, after everything else was overwritten that it was given."""
    for array in (public, own, rules, pack, board, choices, weights):
        array.view(np.uint8)[:] = 255
    return n - 1


def test_a_strategy_in_plain_python_can_spoil_nothing() -> None:
    settings = Settings({}, {"layout": "quick", "outposts": "quick"}, {}, PACK)
    careful = Strategy("dei/last", "takes the last choice", lambda *given: given[6] - 1, compiled=False)
    careless = replace(careful, choose=spoiling)
    logs = [
        [live.position.log.tobytes() for live in played_plainly(settings, schedule_of(2, 1), [mine, mine])]
        for mine in (careful, careless)
    ]
    assert logs[0] == logs[1]
