"""`dei/planner`: the plan of Missions is a best one, Buys wait for nothing, chance does what `noise` says."""

from __future__ import annotations

import dataclasses
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simlab import jit
from simlab.design import design_of
from simlab.game import Settings
from simlab.games.dei import choices as ch
from simlab.games.dei import engine
from simlab.games.dei.block import play_logs
from simlab.games.dei.missions import mission_value, things_counted
from simlab.games.dei.pack import load_pack
from simlab.games.dei.vocabulary import ASK_CARD, ASK_MISSION, NONE
from simlab.strategy import SCRATCH_LENGTH
from strategies.dei import planner
from strategies.dei import planner_weights as p
from strategies.dei import weights as w
from strategies.dei.position import growth
from tests.dei.randomly import decisions
from tests.strategies.test_greedy import index_of, share_won

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden" / "planner.toml").read_text(encoding="utf-8"))

UNTUNED = planner.UNTUNED


def with_weights(**changed: int) -> Any:
    """The untuned planner with other numbers, by name."""
    numbers = dict(zip(p.NAMES, p.WEIGHTS, strict=True)) | changed
    assert len(numbers) == len(p.NAMES)
    return dataclasses.replace(UNTUNED, weights=tuple(numbers.values()))


def test_every_weight_has_a_place_and_a_name() -> None:
    places = {name: value for name, value in vars(p).items() if isinstance(value, int)}
    assert len(p.WEIGHTS) == len(p.NAMES) == len(set(p.NAMES)) == p.DRONE + 1
    for name, place in places.items():
        assert p.NAMES[place].startswith(name.lower())


def test_the_tuned_weights_are_of_this_very_planner() -> None:
    """Or of one that made the same choices: tests/golden/planner.toml has those since."""
    from simlab import catalog

    rows = GOLDEN["planner"]
    file = Path(planner.__file__).with_name("planner.toml")
    provenance = tomllib.loads(file.read_text(encoding="utf-8"))["provenance"]
    assert provenance["base_hash"] == rows[0]["source"]
    assert catalog.strategy_hash(catalog.strategy("dei/planner_untuned", "dei")) == rows[-1]["source"]
    assert all(row["low"] > 1.1 / row["players"] for row in provenance["report"])


@pytest.mark.compiled_only
def test_it_plays_as_the_planner_that_was_tuned() -> None:
    from simlab import catalog

    design = design_of(1, [4], range(4), [6000])
    schedule = np.concatenate([design.schedule(part) for part in design.parts(48)])
    settings = Settings({}, {"layout": "random", "outposts": "advanced"}, {}, load_pack("reconstructed-2"))
    logs = play_logs(settings, schedule, [catalog.strategy("dei/planner", "dei")])
    assert f"{sum(logs['game_hash'].tolist()) % 2**64:016x}" == GOLDEN["digest"]


def value_of(position: Any, card: int, turn: int, *, on_time: bool) -> int:
    """What a Mission would give in a Turn, in thousandths, by the growth that the weights expect."""
    if card == NONE:
        return 0
    public, pack = position.public[0], position.pack[0]
    seat, kind = engine.active(position), int(pack.mission_kind[card])
    counted = jit.plain(things_counted)(public, position.rules[0], pack, position.board[0], seat, kind)
    things = 1000 * counted + (turn - int(public.turn)) * jit.plain(growth)(p.WEIGHTS, kind)
    gain, per = (pack.on_time_gain, pack.on_time_per) if on_time else (pack.late_gain, pack.late_per)
    return int(things) * int(gain[card]) // int(per[card])


def best_plan(position: Any, without: int, first: int) -> int:
    """The most that the open columns but `without` can give, one a Turn from `first` on: all orders tried."""
    public, turns = position.public[0], int(position.rules[0].turns)
    tokens = public.token[engine.active(position)]
    missions = [[int(card) for card in public.mission[column]] for column in range(turns)]

    @cache
    def worth(column: int, turn: int) -> int:
        at = min(turn, turns)
        return max(value_of(position, card, at, on_time=column + 1 >= at) for card in missions[column])

    @cache
    def best(columns: frozenset[int], turn: int) -> int:
        found = (worth(column, turn) + best(columns - {column}, turn + 1) for column in columns)
        return max(found, default=0)

    return best(frozenset(c for c in range(turns) if tokens[c] == NONE and c != without), first)


@pytest.mark.parametrize("rules", [{}, {"turns": 6}, {"no_choices": True}])
def test_a_mission_is_chosen_by_the_best_plan_for_the_rest(rules: dict[str, Any]) -> None:
    met = best = 0
    for position, codes, _ in decisions(21, 2 if jit.DISABLED else 24, rule_sets=(rules,)):
        public = position.public[0]
        if engine.question(position) != ASK_MISSION or public.turn >= position.rules[0].turns:
            continue
        worths = []
        for code in codes:
            column, row = ch.plain_a(code), int(jit.plain(ch.b_of)(code))
            card, on_time = int(public.mission[column, row]), column + 1 >= int(public.turn)
            tables = (public, position.rules[0], position.pack[0], position.board[0])
            now = 1000 * int(jit.plain(mission_value)(*tables, engine.active(position), card, on_time))
            later = best_plan(position, column, int(public.turn) + 1)
            worths.append(now + (later * p.WEIGHTS[w.KEEP_COLUMN] >> 10))
        chosen = worths[index_of(UNTUNED, position, codes, 7)]
        met += 1
        best += chosen == max(worths)
        assert chosen >= 0.9 * max(worths)
    assert met > 2
    assert best >= 0.9 * met  # exchanging two columns at a time finds nearly always the best order


@pytest.mark.compiled_only
def test_with_noise_choices_are_left_to_chance() -> None:
    position, codes = next(
        (position.copy(), codes) for position, codes, _ in decisions(3, 1) if 3 < len(codes) < 8
    )
    by_chance = with_weights(noise=1000)
    counts = Counter(index_of(by_chance, position, codes, key) for key in range(1400))
    even = 1400 / len(codes)
    assert set(counts) == set(range(len(codes)))
    assert sum((count - even) ** 2 / even for count in counts.values()) < 30
    half = with_weights(noise=500)
    plain = index_of(UNTUNED, position, codes, 0)
    share = np.mean([index_of(half, position, codes, key) == plain for key in range(1400)])
    assert abs(share - (0.5 + 0.5 / len(codes))) < 0.06


@pytest.mark.compiled_only
def test_a_buy_comes_first_where_the_cards_can_still_be_played() -> None:
    """With all patience more Buys, and none where a hand is just played out."""
    buys = {}
    for patience in (0, 1024):
        made = with_weights(patience=patience)
        buys[patience] = 0
        for position, codes, _ in decisions(30, 12, rule_sets=({},)):
            if engine.question(position) == ASK_CARD:
                scratch = np.zeros(SCRATCH_LENGTH, np.int64)
                code = codes[index_of(made, position, codes, 1, scratch)]
                buys[patience] += ch.plain_kind(code) == ch.BUY
    assert buys[1024] > buys[0]


@pytest.mark.compiled_only
@pytest.mark.parametrize(("players", "least"), [(2, 0.53), (4, 0.27)])
def test_planner_beats_greedy(players: int, least: float) -> None:
    from simlab import catalog

    best = catalog.strategy("dei/planner", "dei")
    assert share_won(players, 1200, {}, (best, catalog.strategy("dei/greedy", "dei"))) > least
