"""Each archetype does more of what it is named after than the planner, whose weights it changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simlab import catalog
from simlab.game import Settings
from simlab.games.dei import block
from tests.dei.randomly import PACK
from tests.strategies.test_greedy import schedule_of, share_won

PLAYERS = 4
GAMES = 480


def gathered(logs: Any) -> Any:
    return logs["collected"].sum(axis=2)


def outposts(logs: Any) -> Any:
    return logs["turn_outposts"].mean(axis=1)


def from_missions(logs: Any) -> Any:
    """The share of all Supplies."""
    return logs["supplies_from"][:, :, :2].sum(axis=2) / np.maximum(logs["final_supplies"], 1)


def purchases(logs: Any) -> Any:
    return logs["buys"]


def constructions(logs: Any) -> Any:
    return logs["builds"].sum(axis=2)


def activations(logs: Any) -> Any:
    return logs["activations"].sum(axis=2)


MEASURES = {
    "collector": (gathered, 1.1),
    "controller": (outposts, 1.0),
    "mission_planner": (from_missions, 1.0),
    "trader": (purchases, 1.2),
    "builder": (constructions, 1.15),
    "drone_master": (activations, 1.15),
}


def of_first(strategy: str, measure: Any) -> float:
    """The mean of a measure for the seat of a strategy among greedy ones."""
    mix = [catalog.strategy(name, "dei") for name in (strategy, "dei/greedy")]
    schedule = schedule_of(PLAYERS, GAMES)
    settings = Settings({}, {"layout": "random", "outposts": "advanced"}, {}, PACK)
    found = measure(block.play_logs(settings, schedule, mix))
    seat = np.argmin(schedule["strategy"][:, :PLAYERS], axis=1)
    return float(found[np.arange(GAMES), seat].mean())


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", MEASURES)
def test_an_archetype_does_what_it_is_named_after(name: str) -> None:
    measure, times = MEASURES[name]
    assert of_first(f"dei/{name}", measure) > times * of_first("dei/planner", measure)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", MEASURES)
def test_an_archetype_is_no_joke(name: str) -> None:
    mix = tuple(catalog.strategy(each, "dei") for each in (f"dei/{name}", "dei/greedy"))
    assert share_won(2, 600, {}, mix) > 0.45


def test_every_archetype_is_tried() -> None:
    others = {"dei/greedy", "dei/planner", "dei/planner_untuned", "dei/uniform"}
    assert {f"dei/{name}" for name in MEASURES} == set(catalog.strategies("dei")) - others
