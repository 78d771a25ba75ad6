"""Every rule that an experiment can change changes play; so does every handicap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simlab.game import SCHEDULE, Settings
from simlab.games.dei import block
from simlab.games.dei.rules import HANDICAPS, RULES, Rule
from simlab.games.dei.vocabulary import FARM_Z, FEATS
from strategies.dei import uniform
from tests.dei.randomly import PACK

PLAYERS = 3
# Feats come early and often, so that what they give is met in a few hundred games
BASE = {"feat_unlock_cubes": 1, "cards_per_phase": 3}


def results(rules: dict[str, Any], handicaps: dict[str, Any] | None = None, games: int = 300) -> list[int]:
    """The hashes of some games by chance, without what only counts them."""
    schedule = np.zeros(games, SCHEDULE)
    schedule["deal_key"] = 1 + np.arange(games) // PLAYERS
    schedule["strategy_key"] = 1000 + np.arange(games)
    schedule["players"] = PLAYERS
    schedule["faction"] = -1
    for game in range(games):
        schedule["faction"][game, :PLAYERS] = [(seat + game // PLAYERS) % 4 for seat in range(PLAYERS)]
    settings = Settings(
        {**BASE, **rules}, {"layout": "random", "outposts": "advanced"}, handicaps or {}, PACK
    )
    return [int(value) for value in block.play_logs(settings, schedule, [uniform.STRATEGY])["game_hash"]]


@pytest.fixture(scope="module")
def base() -> list[int]:
    return results({})


def another(rule: Rule) -> Any:
    """A value that isn't the default nor the base's."""
    if rule.is_switch:
        return not rule.default
    if isinstance(rule.default, list):
        return [min(value + 1, rule.high) for value in rule.default]
    taken = {rule.default, BASE.get(rule.name)}
    return next(value for value in (rule.low, rule.high, rule.low + 1) if value not in taken)


@pytest.mark.compiled_only
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_an_effect(rule: Rule, base: list[int]) -> None:
    assert results({rule.name: another(rule)}) != base


@pytest.mark.compiled_only
@pytest.mark.parametrize("handicap", HANDICAPS, ids=lambda handicap: handicap.name)
def test_every_handicap_has_an_effect(handicap: Any, base: list[int]) -> None:
    value = True if handicap.name == "leader_off" else 2
    changed = results({}, {handicap.name: [value] * PLAYERS})
    assert changed != base


@pytest.mark.compiled_only
def test_a_void_feat_and_a_banned_card_bite_only_where_they_apply(base: list[int]) -> None:
    void = results({}, {"void_feats": [[FEATS[0]], [FEATS[0]], [FEATS[0]]]})
    assert 0 < sum(a != b for a, b in zip(base, void, strict=True)) < len(base)
    card = PACK.card_ids.index("tactic-01")
    banned = results({}, {"banned_cards": [[PACK.card_ids[card]]] * PLAYERS})
    assert 0 < sum(a != b for a, b in zip(base, banned, strict=True)) < len(base)


@pytest.mark.compiled_only
@pytest.mark.rule("CORE-094")
def test_bully_matters_only_to_games_with_farm_z(base: list[int]) -> None:
    changed = results({"bully_value": 1})
    for game, (before, after) in enumerate(zip(base, changed, strict=True)):
        has_farm_z = FARM_Z in [(seat + game // PLAYERS) % 4 for seat in range(PLAYERS)]
        assert before == after or has_farm_z
