"""`dei/planner`: the planner with the weights that `experiments/dei/tune_planner.toml` came to."""

from __future__ import annotations

from pathlib import Path

from simlab.weights_file import read_weights

PLANNER = read_weights(Path(__file__).with_name("planner.toml"), "dei")
