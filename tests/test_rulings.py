"""docs/rulings.md lists every ruling of the digest, and what the experiment on them asks."""

from __future__ import annotations

import re
from pathlib import Path

from simlab.experiment import load
from simlab.games.dei.rules import BY_NAME

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/rulings.md").read_text(encoding="utf-8")
DIGEST = (ROOT / "docs/rules/dei-core.md").read_text(encoding="utf-8")
EXPERIMENT = ROOT / "experiments/dei/rulings.toml"


def rulings() -> dict[str, str]:
    """Rule and letter → a ruling's text, and what follows it up to the next."""
    found = {}
    for rule, text in re.findall(r"^- (CORE-\d+) (.*)$", DIGEST, re.MULTILINE):
        for number, ruling in enumerate(re.split(r"\bR(?=:| for )", text)[1:]):
            found[f"{rule}{'abcdefghij'[number]}"] = ruling
    return found


def rows() -> list[list[str]]:
    """The cells of all rows that begin with the id of a ruling."""
    lines = (line for line in PAGE.splitlines() if line.startswith("| CORE-"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def knobs() -> dict[str, tuple[str, bool]]:
    """Ruling → its knob, and the value that turns it round."""
    found = {}
    for ruling, _, _, knob, *_ in (row for row in rows() if len(row) > 3):
        name, _, value = knob.strip("`").partition(" = ")
        found[ruling] = (name, value == "true")
    return found


def test_every_ruling_is_listed_once_with_a_question_and_an_answer() -> None:
    listed = [row[0] for row in rows()]
    assert len(rulings()) > 90
    assert sorted(listed) == sorted(rulings())
    assert all(row[1].endswith("?") and row[2] for row in rows())


def test_the_knobs_listed_are_those_of_the_digest() -> None:
    named = {id_: re.findall(r"Knob `(\w+)`", text) for id_, text in rulings().items()}
    assert {id_: [name] for id_, (name, _) in knobs().items()} == {id_: n for id_, n in named.items() if n}
    assert all(BY_NAME[name].is_switch and BY_NAME[name].default != value for name, value in knobs().values())


def test_the_experiment_turns_each_of_them_round() -> None:
    arms = load(EXPERIMENT).arms.written
    assert arms is not None
    assert list(arms.values()) == [{"rules": {name: value}} for name, value in knobs().values()]


def test_the_effects_are_of_games_as_they_are_played_now() -> None:
    signature = (ROOT / "tests/golden/signature.txt").read_text(encoding="utf-8").split()[-1]
    assert f"signature {signature}" in PAGE, "play has changed: simlab compare experiments/dei/rulings.toml"
