"""Every shipped experiment asks a question, is listed, and plays: a few blocks, as its command does."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab.arms import noise_alone
from simlab.errors import RunError
from simlab.experiment import load
from simlab.games.dei.rules import BY_NAME, RULES
from simlab.ladder import ladder as ladders
from simlab.tuning import question
from simlab.tuning.plan import plan
from simlab.tuning.store import GENERATIONS
from simlab.tuning.tune import tune

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "experiments/dei"
FILES = {file.stem: file for file in sorted(FOLDER.glob("*.toml"))}
LISTED = re.compile(r"^\| (.+) \| \[(\w+)\]\(dei/\2\.toml\) \| (\w+) \|$", re.MULTILINE)
GAMES = 12  # for each number of players: some blocks


def written(name: str) -> dict[str, Any]:
    return tomllib.loads(FILES[name].read_text(encoding="utf-8"))


def command(name: str) -> str:
    """The command that answers it."""
    keys = written(name)
    if "opponents" in keys:
        return "tune"
    if "ladder" in keys:
        return "ladder"
    return "compare" if any(not noise_alone(arm) for arm in keys.get("arms", {}).values()) else "run"


def test_all_are_listed_with_their_questions_and_commands() -> None:
    asked = {}
    for name, file in FILES.items():
        first = file.read_text(encoding="utf-8").partition("\n")[0]
        found = re.match(r"# ([^?]+\?)", first)
        assert found, f"the first line of {file.name} asks nothing"
        asked[name] = (found[1], command(name))
    listed = LISTED.findall((FOLDER.parent / "README.md").read_text(encoding="utf-8"))
    assert {name: (says, how) for says, name, how in listed} == asked
    assert len(listed) == len(asked)


@pytest.mark.parametrize("name", FILES)
def test_each_has_the_name_of_its_file(name: str) -> None:
    said = written(name)["name"]
    assert said == name if command(name) != "tune" else name.startswith("tune_")


def test_all_rulings_with_a_rule_of_their_own_are_turned_round_at_once() -> None:
    one_by_one = [arm["rules"] for arm in written("rulings")["arms"].values()]
    (at_once,) = [arm["rules"] for arm in written("rulings_at_once")["arms"].values()]
    assert at_once == {name: value for rules in one_by_one for name, value in rules.items()}
    assert all(value != BY_NAME[name].default for name, value in at_once.items())


def test_every_optional_rule_is_asked_about() -> None:
    optional = {rule.name for rule in RULES if "CORE-130" <= rule.source <= "CORE-134"}
    arms = [arm for name in FILES for arm in written(name).get("arms", {}).values()]
    asked = {name for arm in arms for name in arm.get("rules", {})}
    assert len(optional) == 5
    assert optional <= asked


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", [name for name in FILES if command(name) in {"run", "compare"}])
def test_a_question_is_played_and_answered(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    if command(name) == "compare":
        found = simlab.compare(FILES[name], games=GAMES, workers=1, out=folder)
        made = load(FILES[name])
        assert {(each["arm"], each["players"]) for each in found["arms"]} == {
            (arm, players) for arm in made.arms.names[1:] for players in made.players
        }
        assert [sweep["sweep"] for sweep in found["sweeps"]] == [
            sweep.name for sweep in made.arms.sweeps for _ in made.players
        ]
    run = simlab.load(folder) if folder.exists() else simlab.run(FILES[name], games=GAMES, out=folder)
    assert set(run.manifest["counts"]["endings"]) == {"finished"}
    assert {"header", "faction", "seat"} <= {section["key"] for section in run.report()["sections"]}


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", [name for name in FILES if command(name) == "ladder"])
def test_a_ladder_is_played(name: str, tmp_path: Path) -> None:
    made = load(FILES[name], games=1)
    assert made.ladder is not None
    small = replace(made, players=made.players[:1], ladder=replace(made.ladder, packs=0, parts=1))
    found = ladders.play(small, 1, tmp_path / "ladder", quiet=True)
    assert sorted(found.orders[0].order) == list(range(len(made.strategies)))


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", [name for name in FILES if command(name) == "tune"])
def test_a_tuning_is_played(name: str, tmp_path: Path) -> None:
    small = {"generations": 1, "champion_every": 1, "population": 4, "games": 2}
    small |= {"validation_games": 4, "report_games": 4}
    asked = question.resolve(written(name) | small, FOLDER)
    try:
        tune(plan(asked, tmp_path / "tuned"), 1, lambda _: None, quiet=True)
    except RunError as error:  # that so few games show no champion is an answer too
        if "no mean of the search beat" not in str(error):
            raise
    assert len(list((tmp_path / "tuned" / GENERATIONS).iterdir())) == 1
