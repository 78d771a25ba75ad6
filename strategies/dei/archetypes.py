"""Ways to play that anyone would recognise: the planner with other weights, a file each.

They are weaker than the planner and stronger than greedy, so a verdict that holds among them too doesn't hang
on one way to play.
"""

from __future__ import annotations

from pathlib import Path

from simlab.strategy import Strategy
from simlab.weights_file import read_weights


def _read(name: str) -> Strategy:
    return read_weights(Path(__file__).with_name(f"{name}.toml"), "dei")


BUILDER = _read("builder")
COLLECTOR = _read("collector")
CONTROLLER = _read("controller")
DRONE_MASTER = _read("drone_master")
MISSION_PLANNER = _read("mission_planner")
TRADER = _read("trader")
