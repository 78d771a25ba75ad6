"""The record that the engine reads: every rule and handicap lands in its field."""

from __future__ import annotations

import numpy as np
import pytest
from fake_game import FakePack

from simlab.errors import ExperimentError
from simlab.game import Settings
from simlab.games.dei.effects import DRONE_OF, FEAT_OF, LEADER_OF, NEEDS, STANDING
from simlab.games.dei.rules import BY_NAME, RULES, RULES_RECORD
from simlab.games.dei.settings import resolve_rules, resolve_settings, rules_record
from simlab.games.dei.vocabulary import DRONES, FACTIONS, FEATS, LEADERS

PACK = FakePack()


def test_defaults_fill_the_record() -> None:
    record = rules_record(resolve_rules({}), {}, PACK)
    assert record.dtype.fields == RULES_RECORD.fields
    assert record.shape == (1,)
    for rule in RULES:
        assert np.array_equal(record[rule.name][0], rule.default), rule.name
    assert not record.banned_cards.any()
    assert not record.void_feats.any()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_takes_its_bounds_and_nothing_outside(rule: object) -> None:
    def written(number: int) -> object:
        value = bool(number) if rule.is_switch else number
        return [value] * rule.length if rule.length else value

    for bound in (rule.low, rule.high):
        value = resolve_rules({rule.name: written(bound)})
        assert np.all(rules_record(value, {}, PACK)[rule.name] == bound)
    if not rule.is_switch:
        for outside in (rule.low - 1, rule.high + 1):
            with pytest.raises(ExperimentError, match=f"from {rule.low} to {rule.high}, not {outside}"):
                resolve_rules({rule.name: written(outside)})


def test_handicaps_land_at_their_seat() -> None:
    handicaps = {
        "leader_off": [False, True],
        "grant_supplies": {"3": 5},
        "void_feats": {"1": ["fortress", "bombing"]},
        "banned_cards": [["t2"], [], ["b1"]],
    }
    record = rules_record(resolve_rules({}), handicaps, PACK)[0]
    assert record.leader_off.tolist() == [0, 1, 0, 0, 0, 0]
    assert record.grant_supplies.tolist() == [0, 0, 0, 5, 0, 0]
    assert record.void_feats.tolist() == [0, 0b11, 0, 0, 0, 0]
    assert np.argwhere(record.banned_cards).tolist() == [[0, 1], [2, 2]]


def test_the_canonical_form_gives_the_same_record_and_is_its_own() -> None:
    settings = Settings({"turns": 3, "starting_scrappers": [1, 2]}, {}, {"grant_candy": {"1": 2}}, PACK)
    canonical = resolve_settings(settings, (2,), FACTIONS)
    assert canonical.rules == {"turns": 3, "starting_scrappers": [1, 2]}
    assert canonical.handicaps == {"grant_candy": [0, 2]}
    assert resolve_settings(canonical, (2,), FACTIONS) == canonical
    one, other = (rules_record(resolve_rules(s.rules), s.handicaps, PACK) for s in (settings, canonical))
    assert one.tobytes() == other.tobytes()


def test_what_has_no_effect_is_told_by_names_that_are_there() -> None:
    needed = {name for rule, others, _ in NEEDS for name in (rule, *others)}
    standing = {name for token, worth, _ in STANDING for name in (token, worth)}
    assert needed | standing | {*DRONE_OF, *LEADER_OF, *FEAT_OF} <= set(BY_NAME)
    assert set(DRONE_OF.values()) <= set(DRONES)
    assert set(LEADER_OF.values()) <= set(LEADERS)
    assert {*FEAT_OF.values(), *(feat for _, _, feat in STANDING)} <= set(FEATS)
