"""The long tier: many games under all rules, and the whole engine compiled from nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simlab import jit
from simlab.games.dei import engine
from tests.dei.randomly import decisions

ROOT = Path(jit.__file__).resolve().parent.parent

COUNT = """
import importlib, pkgutil
import simlab.games.dei as game, strategies.dei as strategies
from strategies.dei import greedy
from simlab.games.dei import block, engine
several = []
for package in (game, strategies):
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        for name, value in vars(importlib.import_module(found.name)).items():
            if hasattr(value, "py_func") and len(value.signatures) > 1:
                several.append(f"{found.name}.{name}")
print(sorted(set(several)))
"""


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("seed", range(10, 18))
def test_invariants_hold_in_many_games(seed: int) -> None:
    for position, choices, _ in decisions(seed, 180, stress=seed % 2 == 1):
        assert len(set(choices)) == len(choices) > 0
        assert engine.broken_laws(position) == []


@pytest.mark.slow
@pytest.mark.compiled_only
def test_every_function_of_the_engine_has_one_signature(tmp_path: Path) -> None:
    """In a fresh cache, where every inner function is compiled, and once each."""
    environment = {**os.environ, "SIMLAB_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"
