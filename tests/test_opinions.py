"""docs/opinions.md answers each opinion by an experiment that exists, with games as they are played now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simlab.experiment import load

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/opinions.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## (\d+)\. (.+?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
OPINIONS = {int(number): text for number, text in SECTION.findall(PAGE)}
COMMAND = re.compile(r"`simlab (run|compare) (experiments/dei/\w+\.toml) --games (\d+)`")
VERDICTS = ("So it is in these games", "In part", "Not so in these games", "This can't be told")


def test_there_are_nine_and_each_is_in_the_summary() -> None:
    assert list(OPINIONS) == list(range(1, 10))
    summary = re.findall(r"^\| (\d) \| ([^|]+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    assert [int(number) for number, *_ in summary] == list(OPINIONS)
    for number, opinion, verdict in summary:
        text = OPINIONS[int(number)]
        assert text.startswith(opinion.strip()), "the heading is the opinion of the summary"
        assert f"**{verdict.strip()}" in text, "the verdict is that of the summary"
        assert verdict.strip() in VERDICTS


@pytest.mark.parametrize("number", OPINIONS)
def test_the_experiment_named_exists_and_is_what_the_text_says(number: int) -> None:
    ((how, file, games),) = set(COMMAND.findall(OPINIONS[number]))
    made = load(ROOT / file, games=int(games))
    assert (how == "compare") == bool(made.arms.written)
    assert all(f"`{strategy}`" in OPINIONS[number] for strategy in made.strategies)
    assert all(f"`{arm}`" in OPINIONS[number] for arm in (made.arms.written or {}))
    played = OPINIONS[number].partition("*Played:*")[2]
    assert f"{int(games):,} games" in " ".join(played.split())


def test_the_answers_are_of_games_as_they_are_played_now() -> None:
    signature = (ROOT / "tests/golden/signature.txt").read_text(encoding="utf-8").split()[-1]
    assert f"signature {signature}" in PAGE, "play has changed: repeat the commands of docs/opinions.md"
