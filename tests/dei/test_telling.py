"""What is told of a game: facts, what choices bring about, drawings, replays held against their record."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import StringIO
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from simlab import catalog, match
from simlab import replay as replays
from simlab.chronicle import Chronicle, Step
from simlab.errors import RunError
from simlab.games.dei import engine
from simlab.games.dei.box_drawing import HEAVY, LIGHT, SIGNS
from simlab.games.dei.changes import changes
from simlab.games.dei.drawing import board, position
from simlab.games.dei.map_drawing import Map
from simlab.games.dei.position_facts import fixed_facts, position_facts
from simlab.games.dei.scenario import read_situation
from simlab.games.dei.scenario_table import read_table
from simlab.games.dei.signature import rows
from simlab.games.dei.text import parse_choice
from simlab.story import STYLES, Line
from simlab.transcript import Transcript, Wanted

TILES = [
    {"id": "x", "map": ["aab", "aAb", "cAb"], "refuge": "a"},
    {"id": "y", "map": ["ddB", "deB", "Cef"]},
]
GAME = {"name": "dei", "players": ["ravagers", "auxilia"], "layout": [["x", "y"]], "tile": TILES}
POSITION: dict[str, Any] = {
    "turn": 2,
    "phase": 1,
    "scrappers": {"ravagers": {"x.a": 2}, "auxilia": {"x.a": 1, "x.b": 1}},
    "leader": {"ravagers": "x.a"},
    "resources": {"x.a": 2},
    "outposts": {"x.a": ["tactic", "machinery"], "y.f": ["logistic"]},
    "drones": {"fly": "x.A"},
    "built": {"ravagers": ["refuge x.a", "elevator x.b x.A"]},
}


UNASKED: Any = None  # a strategy that is never asked


def text(lines: list[Line]) -> list[str]:
    return ["".join(span for span, _ in line).rstrip() for line in lines]


def situation(**changed: Any) -> tuple[Any, Any]:
    table = read_table({**GAME, "tile": [dict(tile) for tile in TILES]})
    return read_situation(table, POSITION | changed), table.pack


def happened(icon: str, words: str, **changed: Any) -> list[str]:
    """What one choice with an icon brings about, as it is told of the Ravagers."""
    at, pack = situation(**changed)
    engine.grant(at, 0, engine_icon(icon))
    fixed, before = fixed_facts(at, pack), position_facts(at, pack)
    engine.apply(at, parse_choice(at, pack, words))
    names = [seat["faction"] for seat in fixed["seats"]]
    return [event.told(names, 0) for event in changes(fixed, before, position_facts(at, pack), 0)]


def engine_icon(name: str) -> int:
    from simlab.games.dei.icons import parse_icons

    (code,) = parse_icons(name)
    return code


# --- drawing --------------------------------------------------------------------------------------------


def test_there_is_a_sign_for_every_meeting_of_lines() -> None:
    assert set(SIGNS) == set(product(range(3), repeat=4))
    assert len(set(SIGNS.values())) == 81
    light, heavy = LIGHT, HEAVY
    assert SIGNS[light, light, light, light] == "┼"
    assert SIGNS[heavy, 0, heavy, 0] == "┃"
    assert SIGNS[0, heavy, light, 0] == "┍"
    assert SIGNS[heavy, light, light, light] == "╀"


def test_the_board_is_drawn_with_levels_borders_and_all_that_lies_there() -> None:
    at, pack = situation()
    assert text(board(fixed_facts(at, pack), position_facts(at, pack), 49)) == [
        "┏━━━━━━━━━━━━━━━┯━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━┓",
        "┃x.a V2L* A1 ◆T │x.b A1* ↕V             ┃y.B ···┃",
        "┃◆M •2 ⌂ ⌂V     │                       ┃·······┃",
        "┃       ┏━━━━━━━┪               ┌───────┨·······┃",
        "┃       ┃x.A @F ┃               │y.e    ┃·······┃",
        "┃       ┃·······┃               │       ┃·······┃",
        "┠───────┨·······┃       ┏━━━━━━━┪       ┡━━━━━━━┫",
        "┃x.c    ┃·······┃       ┃y.C ···┃       │y.f ◇L ┃",
        "┃       ┃·······┃       ┃·······┃       │       ┃",
        "┗━━━━━━━┻━━━━━━━┻━━━━━━━┻━━━━━━━┻━━━━━━━┷━━━━━━━┛",
    ]


def test_what_has_no_room_stands_below_the_map() -> None:
    at, pack = situation(outposts={"y.f": ["tactic"] * 4 + ["logistic"] * 4})
    lines = text(board(fixed_facts(at, pack), position_facts(at, pack), 20))
    assert any("…" in line for line in lines)
    assert lines[-1] == "y.f ◇T ◇T ◇T ◇T ◇L ◇L ◇L ◇L"
    assert max(map(len, lines[:-1])) == 6 * 4 + 1


def test_a_map_parts_no_sign_and_tells_whether_all_have_room() -> None:
    drawn = Map([[0, 0], [1, 0]], [False, True], 5)
    assert drawn.write(0, [[("abc", "")], [("defghijk", "")], [("lm", "")]])
    assert not drawn.write(1, [[("nopqrs", "")]])
    assert text(drawn.lines()) == [
        "┏━━━━━━━━━━━┓",
        "┃abc        ┃",
        "┃defghijk lm┃",
        "┣━━━━━┓     ┃",
        "┃·····┃     ┃",
        "┃·····┃     ┃",
        "┗━━━━━┻━━━━━┛",
    ]


def test_a_name_wider_than_its_region_is_parted() -> None:
    drawn = Map([[0, 1]], [False, False], 3)
    assert drawn.write(0, [[("2.4.b", "strong")]])
    assert drawn.write(1, [[("•12", "")]])
    assert text(drawn.lines()) == ["┏━━━┯━━━┓", "┃2.4│•12┃", "┃.b │   ┃", "┗━━━┷━━━┛"]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_region_is_drawn_as_large_as_it_is(number: int) -> None:
    """On real boards of 2, 3 and 4 players, in 65 to 140 columns."""
    settings, row, _ = list(rows())[number]
    live = catalog.game("dei").open(settings, row)
    fixed, facts = fixed_facts(live.position, live.pack), position_facts(live.position, live.pack)
    record = live.position.board[0]
    flat = [region for line in fixed["spaces"] for region in line]
    assert [flat.count(region) for region in range(len(fixed["regions"]))] == record.region_size[
        : int(record.n_regions)
    ].tolist()
    for width in (65, 80, 100, 120, 140):
        lines = position(fixed, facts, width)
        drawn = text(lines)
        end = next(n for n, line in enumerate(drawn) if line.startswith("┗"))
        assert {len(line) for line in drawn[: end + 1]} == {len(drawn[0])}
        assert len(drawn[0]) <= width
        parted = width < 100  # a name may stand in two lines
        assert parted or all(f"{region['name']}" in "\n".join(drawn) for region in fixed["regions"])
        assert {style for line in lines for _, style in line} <= set(STYLES)


# --- what choices bring about ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("icon", "words", "told"),
    [
        ("technology*2", "gain 2 technology", ["+2 Technology (2)"]),
        ("supplies", "gain 1 supplies", ["+1 Supply from a card's icon (1)"]),
        ("collect", "collect at x.a", ["+1 Technology (1)"]),
        ("kill", "kill auxilia at x.a", ["auxilia +1 Candy Boost (", "auxilia loses 1 Scrapper in x.a"]),
        (
            "move",
            "move 2 from x.a to x.b",
            [
                "Majority in x.a with its tactic and machinery cubes: ravagers → nobody",
                "Majority in x.b: auxilia → ravagers",
            ],
        ),
        ("enlist", "enlist at x.a", []),
    ],
)
def test_what_a_choice_brings_about_is_told(icon: str, words: str, told: list[str]) -> None:
    found = happened(icon, words)
    assert len(found) == len(told)
    assert all(event.startswith(expected) for event, expected in zip(found, told, strict=True))


def test_a_cube_beyond_the_limit_goes_over_alone() -> None:
    at, pack = situation()
    fixed, before = fixed_facts(at, pack), position_facts(at, pack)
    after = {**before, "cubes": [None, *before["cubes"][1:]]}
    (event,) = changes(fixed, before, after, 0)
    assert event.words == "tactic cube of x.a: ravagers → nobody"


@pytest.mark.parametrize("number", [1, 3])
def test_a_whole_game_adds_up(number: int) -> None:
    """Of every Supply and every Majority is told; facts are plain data; facts hold what a page needs."""
    settings, row, _ = list(rows())[number]
    game = catalog.game("dei")
    live = game.open(settings, row)
    teller, steps = game.teller(live), []
    chronicle = Chronicle(live, teller, steps.append, with_others=True)
    first = teller.facts()
    match.play(
        live,
        [UNASKED] * 4,
        chronicle.watch,
        lambda moment: moment.decision * 7 % moment.n,
        chronicle.after,
    )
    assert json.loads(json.dumps([teller.fixed, steps[-1].facts])) == [teller.fixed, steps[-1].facts]
    supplies = [0] * len(first["pads"])
    majorities = 0
    for step in steps:
        assert len(step.others) == step.n - 1
        for event in step.events:
            gained = re.match(r"\+(\d+) Suppl", event.words)
            supplies[event.seat] += int(gained[1]) if gained else 0
            majorities += event.words.startswith("Majority")
    assert supplies == [pad["supplies"] for pad in steps[-1].facts["pads"]]
    holders = [first["holder"], *(step.facts["holder"] for step in steps)]
    pairs = pairwise(holders)
    assert majorities == sum(a != b for one, other in pairs for a, b in zip(one, other, strict=True))
    assert teller.running_hash() != steps[-1].running_hash  # the result goes in as well


# --- replays --------------------------------------------------------------------------------------------

QUESTION = """
name = "question"
game = "dei"
seed = 3
games = 12
players = [2, 3, 4]
strategies = ["dei/uniform", "dei/greedy"]
[rules]
turns = 2
"""


@pytest.fixture
def question(tmp_path: Path) -> Path:
    file = tmp_path / "question.toml"
    file.write_text(QUESTION, encoding="utf-8")
    return file


@pytest.mark.compiled_only
def test_a_replay_is_held_against_every_turn(question: Path) -> None:
    played = replays.find(question, game=5)
    assert set(played.record.turn_hashes) == {1, 2}
    replays.Replay(played).play(lambda step: None)
    for turn in (1, 2):
        hashes = {**played.record.turn_hashes, turn: 0}
        other = replace(played, record=replace(played.record, turn_hashes=hashes))
        steps: list[Step] = []
        with pytest.raises(RunError, match=rf"game 5 of .* recorded: its choices differ in Turn {turn}"):
            replays.Replay(other).play(steps.append)
        assert {step.moment.turn for step in steps} == set(range(1, turn + 1))
    other = replace(played, record=replace(played.record, game_hash=0))
    with pytest.raises(RunError, match="its result"):
        replays.Replay(other).play(lambda step: None)


@pytest.mark.compiled_only
def test_a_game_is_printed_with_its_final_count(question: Path) -> None:
    played = replays.find(question, game=20)
    out = StringIO()
    Transcript(replays.Replay(played), Console(file=out, width=120), Wanted(board="never")).run()
    lines = out.getvalue().splitlines()
    assert [line for line in lines if line.startswith("Turn")] == [
        f"Turn {turn}, phase {phase}" for turn in (1, 2) for phase in (1, 2, 3)
    ]
    for words in ("  Clean-up: ", "  Final count: ", "The winner is ", "Supplies "):
        assert any(line.startswith(words) for line in lines), words
    assert max(map(len, lines[1:])) <= 120  # the first names the run's folder, however long that is
