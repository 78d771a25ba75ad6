"""A replay as a page: whole, small, the same each time, with every position in it."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from simlab import replay
from simlab.chronicle import Step
from simlab.replay_page import ReplayPage, Timeline

QUESTION = """
name = "short"
game = "dei"
seed = 2
games = 24
players = {players}
strategies = ["dei/uniform"]
[rules]
turns = 1
"""


def source(folder: Path, players: int) -> Path:
    file = folder / "short.toml"
    file.write_text(QUESTION.format(players=players), encoding="utf-8")
    return file


def page_of(file: Path) -> str:
    return ReplayPage(replay.Replay(replay.find(file, game=3))).text()


def timeline_of(page: str) -> dict[str, tuple[list[int], list[str]]]:
    (text,) = re.findall(r'<script type="application/json" id="timeline">(.*?)</script>', page, re.DOTALL)
    found: dict[str, tuple[list[int], list[str]]] = json.loads(text)
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_a_page_has_every_position_and_needs_nothing_else(tmp_path: Path, players: int) -> None:
    file = source(tmp_path, players)
    page = page_of(file)
    assert len(page.encode()) < 2_000_000
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#|data:)|@import|url\((?!#)|https?://""", page)
    played = replay.Replay(replay.find(file, game=3))
    steps: list[Step] = []
    played.play(steps.append)
    timeline = timeline_of(page)
    for number, facts in enumerate([played.start, *(step.facts for step in steps)]):
        parts = {
            name: texts[max(k for k, step in enumerate(changed) if step <= number)]
            for name, (changed, texts) in timeline.items()
        }
        assert parts == played.teller.parts(facts)
    places = re.findall(r'data-part="([^"]+)"', page)
    assert sorted(places) == sorted(timeline)
    for name, (_, texts) in timeline.items():  # without the script it shows the end
        assert f'data-part="{name}">{texts[-1]}<' in page
    text = unescape(page)
    assert all(step.words.sentence in text for step in steps)
    assert page.count('<tr id="s') == len(steps)


def test_the_same_game_is_the_same_page(tmp_path: Path) -> None:
    file = source(tmp_path, 2)
    assert page_of(file) == page_of(file)


def test_every_sign_of_a_region_is_drawn(tmp_path: Path) -> None:
    """Nothing is left out where many lie: units, cubes, resources, constructions of a Region, counted."""
    played = replay.Replay(replay.find(source(tmp_path, 4), game=3))
    steps: list[Step] = []
    played.play(steps.append)
    facts, fixed = steps[-1].facts, played.teller.fixed
    crowded = 5
    facts = {
        **facts,
        "scrappers": [[1] * len(fixed["regions"]) for _ in fixed["seats"]],
        "built": [[{"kind": "refuge", "regions": [crowded]}] for _ in fixed["seats"]],
        "drones": dict.fromkeys(("simon", "draco", "masamune", "fly"), crowded),
    }
    drawn = played.teller.parts(facts)[f"region-{crowded}"]
    assert drawn.count('<g class="sign') >= 4 + 4 + 4
    places = re.findall(r"translate\(([\d.]+ [\d.]+)\)", drawn)
    assert len(set(places)) == len(places)


def test_a_timeline_keeps_changes_only() -> None:
    timeline = Timeline()
    for step, parts in enumerate([{"a": "1", "b": "x"}, {"a": "1", "b": "y"}, {"a": "2", "b": "y"}]):
        timeline.note(step, parts)
    assert timeline.changes == {"a": ([0, 2], ["1", "2"]), "b": ([0, 1], ["x", "y"])}


def test_a_game_of_an_arm_is_told_by_its_rules(tmp_path: Path) -> None:
    file = source(tmp_path, 2)
    file.write_text(file.read_text() + "[arms.longer]\nrules = { turns = 2 }\n", encoding="utf-8")
    for game, arm, turns in ((2, "base", 1), (3, "longer", 2)):
        page = ReplayPage(replay.Replay(replay.find(file, game=game))).text()
        assert f"<dt>Arm</dt><dd>{arm}</dd>" in page
        assert ("Turn 2, phase 1" in page) == (turns == 2)
    assert "<dt>Arm</dt>" not in page_of(source(tmp_path, 2))
