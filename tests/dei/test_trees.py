"""The decision trees of small positions have as many branches as `tests/golden/trees` says, depth by depth.

As chess engines are tested (perft): a choice that is missing, listed twice or wrongly allowed changes the
count of its depth and of all deeper ones. Each file says how its counts were verified; where a rule of
thumb isn't enough, `naive_tree.py` counts again from the rules alone.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from simlab import jit
from simlab.games.dei import engine
from simlab.games.dei.scenario import read_situation
from simlab.games.dei.scenario_table import read_table
from simlab.games.dei.state import Position
from simlab.games.dei.text import choice_words
from simlab.games.dei.vocabulary import PLAYING
from tests.dei.naive_tree import Tree

FOLDER = Path(__file__).resolve().parents[1] / "golden/trees"
FILES = sorted(FOLDER.glob("*.toml"))
KEYS = {"says", "verified", "naive", "stop", "counts", "game", "position"}
MOST = 100_000 if not jit.DISABLED else 600  # positions that are walked through: uncompiled they take a while


def read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def counted(position: Position, pack: Any, stop: str, depth: int, counts: list[int], level: int = 0) -> None:
    """Add to `counts[level]` the choices of a position, and so on down to a depth."""
    if int(position.public[0].ending) != PLAYING or level == depth:
        return
    choices = engine.legal(position)
    assert len(set(choices)) == len(choices)
    counts[level] += len(choices)
    if level + 1 == depth:
        return
    for code in choices:
        if choice_words(position, pack, code) != stop:
            after = position.copy()
            engine.apply(after, code)
            counted(after, pack, stop, depth, counts, level + 1)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_tree_has_as_many_branches_as_is_written(file: Path) -> None:
    written = read(file)
    assert set(written) <= KEYS
    assert written["verified"].strip()
    kept = written["counts"]
    depth = max(d for d in range(1, len(kept) + 1) if sum(kept[: d - 1]) <= MOST)
    table = read_table(written["game"])
    counts = [0] * depth
    position = read_situation(table, written.get("position", {}))
    counted(position, table.pack, written.get("stop", ""), depth, counts)
    assert counts == kept[:depth]


NAIVE = [file for file in FILES if read(file).get("naive")]


@pytest.mark.parametrize("file", NAIVE, ids=lambda file: file.stem)
def test_a_count_from_the_rules_alone_comes_to_the_same(file: Path) -> None:
    written = read(file)
    assert written["stop"] == "end card"
    assert Tree(written).counts(len(written["counts"])) == written["counts"]
