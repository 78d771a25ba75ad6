"""Experiment files: what names a run and what overrides them; tests/inputs has the valid and invalid ones."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from simlab import catalog
from simlab.errors import ExperimentError
from simlab.experiment import Experiment, load, shipped
from simlab.toml import LARGEST, dumps

LEAST = {
    "name": '"x"',
    "game": '"dei"',
    "seed": "1",
    "games": "8",
    "players": "4",
    "strategies": '["dei/greedy"]',
}


def text_of(**changes: str | None) -> str:
    """The least experiment file with some keys changed or added (None: left out); `rules` etc. are tables."""
    lines = LEAST | changes
    tables = {f"[{key}]": lines.pop(key) for key in ("rules", "handicaps") if lines.get(key) is not None}
    plain = "".join(f"{key} = {value}\n" for key, value in lines.items() if value is not None)
    return plain + "".join(f"{head}\n{body}\n" for head, body in tables.items())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "e.toml"


def test_what_is_no_text_file_is_said(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="can't be read: File name too long"):
        load("a" * 300)
    with pytest.raises(ExperimentError, match=r"a\\nb: there is no such file"):
        load("a\nb")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ExperimentError, match="is not a regular file"):
        load(tmp_path / "pipe")
    file.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(ExperimentError, match="is larger than 1 MiB"):
        load(file)


def test_overrides_are_checked_like_the_file(file: Path) -> None:
    file.write_text(text_of(), encoding="utf-8")
    assert load(file, games=12, seed=7).games == 12
    with pytest.raises(ExperimentError, match="games must be from 1"):
        load(file, games=0)
    with pytest.raises(ExperimentError, match="seed must be from 0"):
        load(file, seed=-3)


def test_strategies_of_the_command_take_the_place_of_the_files(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(text_of(strategies=None), encoding="utf-8")
    with pytest.raises(ExperimentError, match="strategies is missing"):
        load(file)
    assert load(file, strategies=["dei/uniform"]).strategies == ("dei/uniform",)
    file.write_text(text_of(strategies='["nothing"]'), encoding="utf-8")
    both = load(file, strategies=["dei/uniform", "dei/greedy"])
    assert both.resolved()["strategies"] == ["dei/uniform", "dei/greedy"]
    with pytest.raises(
        ExperimentError, match=r'^--strategy: there is no strategy "dei/unifrom"; did you mean'
    ):
        load(file, strategies=["dei/unifrom"])
    with pytest.raises(ExperimentError, match=r"^--strategy names 17, but at most 16 can be mixed"):
        load(file, strategies=[f"dei/{number}" for number in range(17)])
    with pytest.raises(ExperimentError, match=r"e\.toml: games must be from 1"):
        load(file, games=0, strategies=["dei/uniform"])


def test_a_file_of_the_command_is_looked_for_where_the_command_runs(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "class Mine:\n    def choose(self, view):\n        return 0\n"
    here = tmp_path / "here"
    here.mkdir()
    for folder in (tmp_path, here):
        (folder / "mine.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(here)
    file.write_text(text_of(strategies='["mine.py:Mine"]'), encoding="utf-8")
    assert load(file).strategies == (f"{tmp_path}/mine.py:Mine",)
    given = load(file, strategies=["./mine.py:Mine"])
    assert (given.strategies, given.decision_timeout) == (("mine.py:Mine",), 10.0)
    (here / "broken.py").write_text("1 // 0\n", encoding="utf-8")
    with pytest.raises(ExperimentError, match=r"^--strategy: broken.py can't be imported: ZeroDivisionError"):
        load(file, strategies=["broken.py"])


def hashed(file: Path, **changes: str) -> str:
    file.write_text(text_of(**changes), encoding="utf-8")
    return load(file).run_hash(["s"], "signature")


def test_the_hash_covers_what_changes_play_and_nothing_else(file: Path) -> None:
    base = hashed(file)
    same = [
        {"games": "800"},
        {"name": '"y"'},
        {"rules": "turns = 4"},
        {"players": "[4]"},
        {"layout": '"random"'},
        {"until": '"decided"'},
    ]
    other = [
        {"seed": "2"},
        {"players": "3"},
        {"layout": '"quick"'},
        {"rules": "turns = 3"},
        {"handicaps": "leader_off = [true]"},
        {"players": "2", "factions": '["farm_z", "ravagers"]'},
    ]
    assert {hashed(file, **changes) for changes in same} == {base}
    assert len({base, *(hashed(file, **changes) for changes in other)}) == 1 + len(other)
    experiment = load(file)
    assert experiment.run_hash(["t"], "signature") != experiment.run_hash(["s"], "signature")
    assert experiment.run_hash(["s"], "another") != experiment.run_hash(["s"], "signature")


_OTHERS = ("tune_", "planner_noise_")  # tunings, and strategies that a ladder names
EXPERIMENTS = sorted(file for file in shipped().glob("*/*.toml") if not file.stem.startswith(_OTHERS))


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_shipped_experiments_load_and_are_named_as_their_files(path: Path) -> None:
    assert load(path).name == path.stem


def test_a_shipped_experiment_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load("experiments/dei/demo.toml").games == 20_000
    assert load("dei/demo.toml").games == 20_000


def test_the_example_of_the_readme_is_an_experiment(file: Path) -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    block, arms = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert "[arms." in arms  # the second one goes on from the first
    file.write_text(block, encoding="utf-8")
    resolved = load(file).resolved()
    assert resolved["handicaps"]["banned_cards"][0] == ["tactic-01"]
    assert resolved["rules"] == {"turns": 5}


def test_the_example_of_until_is_the_shipped_one(file: Path) -> None:
    text = (Path(__file__).parents[1] / "docs/until.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    file.write_text(block, encoding="utf-8")
    assert load(file).resolved() == load("dei/factions_until_decided.toml").resolved()


PLAIN = """
from simlab.strategy import Strategy
STRATEGY = Strategy("mine/first", "the first", lambda *_: 0, compiled=False)
"""


def with_plain(file: Path, **changes: str) -> Experiment:
    """An experiment in which a plain Python strategy plays."""
    (file.parent / "plain.py").write_text(PLAIN, encoding="utf-8")
    file.write_text(text_of(strategies='["plain.py", "dei/greedy"]', **changes), encoding="utf-8")
    return load(file)


def test_plain_python_is_timed_and_the_resolved_file_says_so(file: Path) -> None:
    made = with_plain(file)
    assert made.resolved()["decision_timeout"] == made.timeout == 10
    shorter = with_plain(file, decision_timeout="0.5")
    assert shorter.resolved()["decision_timeout"] == shorter.timeout == 0.5
    assert with_plain(file, decision_timeout="10").resolved() == made.resolved()
    file.write_text(dumps(shorter.resolved()), encoding="utf-8")
    assert load(file).resolved() == shorter.resolved()


def test_the_timeout_names_the_run(file: Path) -> None:
    one, other = with_plain(file), with_plain(file, decision_timeout="0.5")
    assert one.run_hash([], "") != other.run_hash([], "")


def test_what_is_compiled_has_no_timeout(file: Path) -> None:
    file.write_text(text_of(), encoding="utf-8")
    assert "decision_timeout" not in load(file).resolved()


def test_a_strategy_that_cannot_be_imported_is_named_with_the_file(file: Path) -> None:
    (file.parent / "broken.py").write_text("1 // 0", encoding="utf-8")
    file.write_text(text_of(strategies='["broken.py"]'), encoding="utf-8")
    with pytest.raises(
        ExperimentError, match=r"e.toml: strategies: .*broken.py can't be imported: ZeroDivision"
    ):
        load(file)


def test_all_strategies_that_come_along_are_compiled() -> None:
    """So nobody has to load them to know."""
    names = catalog.strategies("dei")
    assert names
    assert all(catalog.strategy(name, "dei").compiled for name in names if catalog.compiled(name, "dei"))
