"""Every rule that an experiment can change changes play; so does every handicap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from simlab.game import SCHEDULE, Settings
from simlab.games.dei import block
from simlab.games.dei.effects import DRONE_OF, FEAT_OF, LEADER_OF
from simlab.games.dei.rules import BY_NAME, HANDICAPS, RULES, Rule
from simlab.games.dei.vocabulary import DRONES, FARM_Z, FEATS, LEADERS, N_FACTIONS
from strategies.dei import uniform
from tests.dei.randomly import PACK

PLAYERS = 3
# Feats come early and often, so that what they give is met in a few hundred games
BASE = {"feat_unlock_cubes": 1, "cards_per_phase": 3}


def results(
    rules: dict[str, Any],
    handicaps: dict[str, Any] | None = None,
    games: int = 300,
    factions: Sequence[int] = range(N_FACTIONS),
) -> list[int]:
    """The hashes of some games by chance, without what only counts them."""
    schedule = np.zeros(games, SCHEDULE)
    schedule["deal_key"] = 1 + np.arange(games) // PLAYERS
    schedule["strategy_key"] = 1000 + np.arange(games)
    schedule["players"] = PLAYERS
    schedule["faction"] = -1
    for game in range(games):
        line_up = [factions[(seat + game // PLAYERS) % len(factions)] for seat in range(PLAYERS)]
        schedule["faction"][game, :PLAYERS] = line_up
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


# --- what is refused as without effect (effects.py) has none ------------------------------------------

OWNER = {rule: DRONES.index(drone) for rule, drone in DRONE_OF.items()}
OWNER |= {rule: LEADERS.index(leader) for rule, leader in LEADER_OF.items()}


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", OWNER)
def test_what_a_faction_brings_changes_nothing_without_it(name: str) -> None:
    others = [faction for faction in range(N_FACTIONS) if faction != OWNER[name]]
    changed = {name: another(BY_NAME[name])}
    assert results(changed, factions=others) == results({}, factions=others)
    assert results(changed) != results({})


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", LEADER_OF)
def test_a_leaders_skill_changes_nothing_where_all_are_off(name: str) -> None:
    off = {"leader_off": [True] * PLAYERS}
    assert results({name: another(BY_NAME[name])}, off) == results({}, off)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", FEAT_OF)
def test_what_a_feat_does_changes_nothing_where_nobody_has_it(name: str) -> None:
    changed, locked = {name: another(BY_NAME[name])}, {"feat_unlock_cubes": 5}
    void = {"void_feats": [[FEAT_OF[name]]] * PLAYERS}
    assert results(changed | locked) == results(locked)
    assert results(changed, void) == results({}, void)


SAME = [
    ({"feat_unlock_cubes": 5}, {"feat_unlock_cubes": 7}),
    ({"feat_unlock_cubes": 5}, {"feat_unlock_cubes": 5, "feat_supplies": [0, 9, 9, 9]}),
    ({"feat_unlock_cubes": 5}, {"feat_unlock_cubes": 5, "majority_needs_unit": True}),
    ({}, {"cube_limit_per_color": 7}),  # with 3 players a colour has 4 Outposts
    ({"cards_per_phase": 1}, {"cards_per_phase": 1, "sky_boots_per_card": False}),
    ({"refuges": 0, "bridges": 0}, {"refuges": 0, "bridges": 0, "majority_needs_unit": True}),
]


@pytest.mark.compiled_only
@pytest.mark.parametrize(("rules", "same"), SAME)
def test_rules_that_are_refused_as_the_same_are(rules: dict[str, Any], same: dict[str, Any]) -> None:
    assert results(rules) == results(same)


@pytest.mark.compiled_only
def test_a_ban_of_cards_that_never_come_changes_nothing(base: list[int]) -> None:
    cards = [card for card, drone in PACK.drone_decks.items() if drone == DRONES[FARM_Z]]
    banned = {"banned_cards": [cards] * PLAYERS}
    others = [faction for faction in range(N_FACTIONS) if faction != FARM_Z]
    assert results({}, banned, factions=others) == results({}, factions=others)
    assert results({}, banned) != base
