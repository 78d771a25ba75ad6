"""What the log and the tables say of Missions not taken is what completing them would have given."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from simlab.games.dei import engine
from simlab.games.dei.choices import MISSION, a_of, kind_of
from simlab.games.dei.live import LiveGame
from simlab.games.dei.record import tables_of
from simlab.games.dei.record_missions import best_of_missions
from simlab.games.dei.signature import GAMES, rows, unlock_feats
from simlab.games.dei.vocabulary import (
    ASK_MISSION,
    FROM_MISSION_LATE,
    FROM_MISSION_ON_TIME,
    MISSION_ENERGY,
    MISSION_TECHNOLOGIES,
    NONE,
    PLAYING,
)

Gains = dict[int, int]  # by column that may be chosen: Supplies of its better Mission
FROM_MISSIONS = [FROM_MISSION_ON_TIME, FROM_MISSION_LATE]
SOME = [
    pytest.param(number, marks=[] if number in {1, 2, 3} else pytest.mark.compiled_only)
    for number in range(len(GAMES))
]


def tried(live: LiveGame, choices: list[int]) -> Gains:
    """What completing the Missions listed would give, by completing each in a game apart."""
    gains: Gains = {}
    for code in (code for code in choices if kind_of(code) == MISSION):
        twin, column = live.copy(), int(a_of(code))
        twin.apply(code)
        before, after = (game.log[0].supplies_from[live.active][FROM_MISSIONS].sum() for game in (live, twin))
        gains[column] = max(gains.get(column, 0), int(after - before))
    return gains


def played(number: int) -> tuple[LiveGame, Any, dict[tuple[int, int], Gains]]:
    """One of the signature's games, its schedule row, and by seat and Turn what Missions would have given."""
    settings, row, feats = list(rows())[number]
    live = LiveGame(settings, row)
    if feats:
        unlock_feats(live)
    given = {}
    n = 0
    while live.ending == PLAYING:
        choices = live.look()
        if engine.question(live.position) == ASK_MISSION:
            given[live.active, int(live.position.public[0].turn)] = tried(live, choices)
        live.apply(choices[(7 * n * n + n) % len(choices)])
        n += 1
    live.end(live.ending, NONE)
    return live, row, given


@pytest.mark.parametrize("number", SOME)
def test_what_a_mission_would_give_is_what_completing_it_gives(number: int) -> None:
    live, row, given = played(number)
    worth = live.log[0].mission_worth
    assert {(int(s), int(t) + 1) for s, t, _ in zip(*worth.nonzero(), strict=True)} <= set(given)
    for (seat, turn), gains in given.items():
        assert gains == {column: int(worth[seat, turn - 1, column]) for column in gains}
    tables = tables_of(np.array([row]), live.log, live.pack, ["chance"])
    done = [each for each in tables["missions"].to_pylist() if each["seat"] is not None]
    assert done
    for each in done:
        gains = given[each["seat"], each["turn"]]
        assert each["supplies"] <= gains[each["column_turn"] - 1]
        assert each["best_now"] == max(gains.values())
    assert {each["seat"] for each in done if each["best_now"] > each["supplies"]}  # chance leaves something
    assert all(each["best_now"] is None for each in tables["missions"].to_pylist() if each["seat"] is None)
    for each in tables["seats"].to_pylist():
        had = each["supplies_missions_on_time"] + each["supplies_missions_late"]
        assert had <= each["missions_best"]


@pytest.mark.rule("CORE-034")
@pytest.mark.rule("CORE-120")
@pytest.mark.rule("CORE-121")
@pytest.mark.parametrize(("turn", "gave", "best"), [(1, 3, 8), (2, 2, 6)])
def test_a_known_regret(turn: int, gave: int, best: int) -> None:
    """3 Technology or 4 Energy Cells, in the column of Turn 1: 3 or 8 on time, 2 or 6 late."""
    settings, row, _ = next(rows())
    live = LiveGame(settings, row)
    while engine.question(live.position) != ASK_MISSION:
        live.apply(live.look()[0])
    public, log, seat = live.position.public[0], live.log[0], live.active
    kinds = live.pack.table["mission_kind"][0].tolist()
    public.mission[:] = log.mission[:] = NONE
    public.mission[0] = log.mission[0] = kinds.index(MISSION_TECHNOLOGIES), kinds.index(MISSION_ENERGY)
    public.technology[seat], public.energy[seat], public.turn = 3, 4, turn
    technologies, energy = live.look()
    assert (int(a_of(technologies)), int(a_of(energy))) == (0, 0)
    live.apply(technologies)
    assert log.mission_worth[seat, turn - 1].tolist() == [best, 0, 0, 0, 0, 0]
    made = tables_of(np.array([row]), live.log, live.pack, ["chance"])["missions"].to_pylist()
    done = [(each["supplies"], each["best_now"], each["on_time"]) for each in made if each["seat"] == seat]
    assert done == [(gave, best, turn == 1)]


def test_the_best_in_hindsight_is_the_best_of_all_orders() -> None:
    rng = np.random.default_rng(1)
    for turns in (1, 2, 4, 5):
        worth = np.zeros((40, 6, 6), np.int16)
        worth[:, :turns, :turns] = rng.integers(0, 12, (40, turns, turns))
        orders = [list(order) for order in permutations(range(turns))]
        best = np.max([worth[:, range(turns), order].sum(1) for order in orders], axis=0)
        assert best_of_missions(worth).tolist() == best.tolist()


def test_a_turn_in_which_a_seat_was_not_asked_takes_no_mission() -> None:
    worth = np.zeros((1, 6, 6), np.int16)
    worth[0, 0, :3], worth[0, 2, :3] = [5, 4, 1], [9, 2, 8]
    assert best_of_missions(worth).tolist() == [4 + 9]
    assert best_of_missions(np.zeros((2, 6, 6), np.int16)).tolist() == [0, 0]
