"""Where an arm can make a difference: never too few games, and those left out come out alike when played."""

from __future__ import annotations

import numpy as np
import pytest

from simlab.design import Part, design_of
from simlab.game import Settings
from simlab.games.dei.bites import may_bite
from simlab.games.dei.block import play_logs
from simlab.games.dei.definition import GAME
from simlab.games.dei.pack import load_pack
from simlab.games.dei.patches import patch_pack
from strategies.dei import greedy, uniform

pytestmark = pytest.mark.compiled_only

PACK = load_pack("reconstructed")
PLAYERS = (2, 3)
BASE = Settings({}, {"layout": "random", "outposts": "advanced"}, {}, PACK)
ARMS = {
    "a Feat's rule": {"rules": {"bombing_value": 3}},
    "a Drone's rule": {"rules": {"draco_supplies": 4}},
    "a Leader's rule": {"rules": {"bully_value": 5}},
    "Scrappers of the 3rd seat": {"rules": {"starting_scrappers": [2, 3, 9]}},
    "a grant to the 3rd seat": {"handicaps": {"grant_supplies": {"2": 5}}},
    "a ban": {"handicaps": {"banned_cards": [["black-01"], ["black-01"], ["black-01"]]}},
    "a price": {"pack": {"cards": {"black-01": {"technology": 0}}}},
    "a faction's card": {"pack": {"cards": {"ravagers-4": {"icons": "move"}}}},
    "a Drone's Market card": {"pack": {"cards": {"fly-0": {"supplies": 9}}}},
    "a Leader's value": {"pack": {"factions": {"ravagers": {"leader_value": 5}}}},
    "a Mission": {"pack": {"missions": {"outposts": {"on_time_gain": 5}}}},
}


def settings(rules=(), handicaps=(), pack=()) -> Settings:
    patched = patch_pack(PACK, dict(pack))[0] if pack else PACK
    written = Settings(dict(rules), BASE.options, dict(handicaps), patched)
    return GAME.resolve_settings(written, PLAYERS, GAME.factions)


@pytest.fixture(scope="module")
def base():
    schedule = design_of(3, PLAYERS, range(4), [1, 1]).schedule(Part(0, 0, 4, 48, 48))
    assert set(schedule["strategy"].ravel().tolist()) == {-1, 0, 1}
    return schedule, play_logs(BASE, schedule, [greedy.STRATEGY, uniform.STRATEGY])


@pytest.mark.parametrize("name", ARMS)
def test_games_that_an_arm_cannot_change_come_out_alike(name, base):
    schedule, logs = base
    arm = settings(**ARMS[name])
    bites = may_bite(BASE, arm, schedule, logs)
    again = play_logs(arm, schedule, [greedy.STRATEGY, uniform.STRATEGY])
    alike = np.array([a.tobytes() == b.tobytes() for a, b in zip(logs, again, strict=True)])
    assert alike[~bites].all()
    assert 0 < bites.sum() < len(bites), "it bites in some games and not in others"
    assert not alike.all(), "and makes a difference"


@pytest.mark.parametrize(
    "arm",
    [
        {"rules": {"turns": 3}},
        {"rules": {"bombing_value": 3, "feats_draft": True}},
        {"pack": {"remove": ["black-07"]}},
        {"pack": {"markets": {"tactic": {"1": {"cubes": 1}}}}},
        {"pack": {"candy": {"enlist": {"tokens": 1}, "move": {"tokens": 3}}}},
    ],
)
def test_what_everybody_may_see_bites_everywhere(arm, base):
    assert may_bite(BASE, settings(**arm), *base).all()


def test_another_layout_bites_everywhere(base):
    arm = Settings({}, BASE.options | {"layout": "quick"}, {}, PACK)
    assert may_bite(BASE, arm, *base).all()


def test_the_base_bites_nowhere(base):
    assert not may_bite(BASE, settings(), *base).any()
