"""What docs/experiments.md and the README show of arms can be played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simlab import runs
from simlab.experiment import Experiment, load
from simlab.results import open_run

ROOT = Path(__file__).resolve().parents[1]
HEAD = 'name = "x"\ngame = "dei"\nseed = 1\ngames = 4\nplayers = 4\nstrategies = ["dei/greedy"]\n'


def documented(document: str, mark: str, folder: Path, before: str = "") -> Experiment:
    """The TOML of a document that holds a text, as an experiment."""
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL)
    (text,) = (block for block in blocks if mark in block)
    file = folder / "documented.toml"
    file.write_text(before + text, encoding="utf-8")
    return load(file, games=4)


@pytest.mark.compiled_only
def test_the_documented_experiment_plays_all_its_arms(tmp_path: Path) -> None:
    made = documented("docs/experiments.md", 'name = "kitchen_table"', tmp_path)
    assert made.arms.names == ("our_table", "as_printed", "other_cards", "cubes=1", "cubes=3")
    plan = runs.plan(made, tmp_path / "run")
    runs.play(plan, 1, quiet=True)
    rows = open_run(plan.folder).sql("SELECT arm, count(*) FROM games GROUP BY arm ORDER BY arm").fetchall()
    assert rows == [(arm, 8) for arm in range(5)]


def test_the_readmes_arms_are_arms(tmp_path: Path) -> None:
    made = documented("README.md", "[arms.dearer]", tmp_path, HEAD)
    assert made.arms.names == ("base", "longer", "dearer", "cubes=1", "cubes=3")
