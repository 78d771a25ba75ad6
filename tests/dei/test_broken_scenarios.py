"""What the loader says of broken scenario files: a table of them, and odd values everywhere."""

from __future__ import annotations

import copy
import os
import re
import tomllib
from pathlib import Path

import pytest

from simlab.errors import ScenarioError
from simlab.scenario import parse_scenario, parts_of, read_scenario, run_files, run_scenario

DOCUMENT = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
EXAMPLES = [tomllib.loads(text) for text in re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)]

HEAD = """
rule = ["CORE-020"]
says = "a test of the loader"
"""
GAME = """
[game]
name = "dei"
players = ["ravagers", "auxilia"]
layout = [["x", "w"]]
[[game.tile]]
id = "x"
map = ["aab", "aAb", "cAb"]
[[game.tile]]
id = "w"
map = ["AbC", "AbD", "Efg"]
[[game.card]]
id = "first"
icons = "move"
market = "tactic"
"""
BIG = 2**40
HUGE = 10**30
WHOLE = "a whole number"
TEN = ", ".join(f'"c{number}"' for number in range(10))
TEN_CARDS = "".join(f'[[game.card]]\nid = "c{number}"\nicons = "move"\n' for number in range(10))
MANY_CARDS = "".join(f'[[game.card]]\nid = "c{number}"\nicons = "move"\n' for number in range(25))
MANY = ", ".join(f'"c{number}"' for number in range(25))


def position(line: str, more: str = "") -> str:
    return f"{HEAD}{GAME}{more}[position]\n{line}\n[expect]\nturn = 1"


def game(line: str, tail: str = "") -> str:
    return f"{HEAD}{GAME.replace('[game]', f'[game]{chr(10)}{line}')}[expect]\nturn = 1\n{tail}"


def step(lines: str) -> str:
    return f"{HEAD}{GAME}[[do]]\n{lines}"


def expect(line: str) -> str:
    return f"{HEAD}{GAME}[expect]\n{line}"


BROKEN = [
    # the frame
    ("", "scenario: rule: a list of one or more rule ids is needed"),
    ("rule = [", "scenario is not TOML: invalid value (at its end)"),
    (f"rule = {'[' * 5000}{']' * 5000}", "scenario is not TOML: it is nested too deeply"),
    (f"says = {'1' * 5000}", "scenario is not TOML: a number has too many digits (line 1)"),
    ('rule = "CORE-020"', 'scenario: rule: a list is needed, not a text ("CORE-020")'),
    ('rule = ["zzz"]', 'scenario: rule: a rule id reads like CORE-041, not "zzz"'),
    ('rule = [""]', 'scenario: rule: a rule id reads like CORE-041, not ""'),
    ("rule = [41]", "scenario: rule: a rule id reads like CORE-041, not 41"),
    ('rule = ["CORE-041"]\nsays = " "', "scenario: says: the rule in one clause is needed"),
    (HEAD + "do = [1]", "scenario: do: each step is a table [[do]]"),
    (HEAD, 'scenario: game.name: the name of a game is needed, such as "dei"'),
    (HEAD + "[game]\nname = 7", "scenario: game.name: there is no game 7 with scenarios"),
    (
        HEAD + GAME,
        "scenario: expect: nothing is done and nothing is expected, so nothing can fail",
    ),
    # the game
    (game(f"deal = {HUGE}"), f"scenario: game.deal: {WHOLE} from 0 to {2**63 - 1} is needed, not {HUGE}"),
    (game("deal = -1"), f"scenario: game.deal: {WHOLE} from 0 to {2**63 - 1} is needed, not -1"),
    (
        game("deal = 1\nrules = { scrappers = 1 }"),
        "scenario: game.rules: seat 0 would deploy 2 Scrappers of 1",
    ),
    (game('pack = ""'), "scenario: game.pack: the text is empty"),
    (game("handicaps = { zzz = { } }"), "scenario: game.handicaps.zzz: a faction of this game is needed"),
    (
        game("handicaps = { leader_off = { farm_z = true } }"),
        "scenario: game.handicaps.leader_off: farm_z doesn't play in this game",
    ),
    # the position: numbers
    (position(f"turn = {BIG}"), f"scenario: position.turn: {WHOLE} from 1 to 4 is needed, not {BIG}"),
    (position("turn = 0"), f"scenario: position.turn: {WHOLE} from 1 to 4 is needed, not 0"),
    (position("turn = 1.5"), f"scenario: position.turn: {WHOLE} is needed, not a decimal number (1.5)"),
    (position("turn = true"), f"scenario: position.turn: {WHOLE} is needed, not true or false (true)"),
    (position(f"phase = {HUGE}"), f"scenario: position.phase: {WHOLE} from 1 to 3 is needed, not {HUGE}"),
    (position("phase = 4"), f"scenario: position.phase: {WHOLE} from 1 to 3 is needed, not 4"),
    (position("cards_left = 3"), f"scenario: position.cards_left: {WHOLE} from 1 to 2 is needed, not 3"),
    (position("cards_left = -1"), f"scenario: position.cards_left: {WHOLE} from 1 to 2 is needed, not -1"),
    (
        position(f"extra_moves = {BIG}"),
        f"scenario: position.extra_moves: {WHOLE} from 0 to 20 is needed, not {BIG}",
    ),
    (
        position(f"scrappers = {{ ravagers = {{ 'x.a' = {BIG} }} }}"),
        f"scenario: position.scrappers.ravagers.x.a: {WHOLE} from 0 to 15 is needed, not {BIG}",
    ),
    (
        position("scrappers = { ravagers = { 'x.a' = -1 } }"),
        f"scenario: position.scrappers.ravagers.x.a: {WHOLE} from 0 to 15 is needed, not -1",
    ),
    (
        position("scrappers = { ravagers = { 'x.a' = 8, 'x.b' = 8 } }"),
        "scenario: position.scrappers.ravagers: more Scrappers than the faction has",
    ),
    (
        position("resources = { 'x.a' = 101 }"),
        f"scenario: position.resources.x.a: {WHOLE} from 0 to 100 is needed, not 101",
    ),
    (
        position("resources = { 'x.b' = 1, 'w.b' = 1, 'w.A' = 1, 'x.c' = 1, 'x.a' = -2 }"),
        f"scenario: position.resources.x.a: {WHOLE} from 0 to 100 is needed, not -2",
    ),
    (
        position("pad.ravagers.supplies = 201"),
        f"scenario: position.pad.ravagers.supplies: {WHOLE} from 0 to 200 is needed, not 201",
    ),
    (
        position("pad.ravagers.energy = -1"),
        f"scenario: position.pad.ravagers.energy: {WHOLE} from 0 to 10 is needed, not -1",
    ),
    (
        position("pad.ravagers = { technology = 6, energy = 5 }"),
        "scenario: position.pad.ravagers: 11 resources are on a Pad for 10",
    ),
    (
        position("tokens = { ravagers = [5] }"),
        f"scenario: position.tokens.ravagers: {WHOLE} from 1 to 4 is needed, not 5",
    ),
    (position("tokens = { ravagers = [1, 1] }"), "scenario: position.tokens.ravagers: 1 is named twice"),
    # the position: words and lists
    (position('active = ""'), "scenario: position.active: the text is empty"),
    (position('priority = [""]'), "scenario: position.priority: the text is empty"),
    (position('built = { ravagers = [" "] }'), "scenario: position.built.ravagers: the text is empty"),
    (
        position("missions = [[], [], [], [], []]"),
        "scenario: position.missions: a game of 4 Turns has 4 columns",
    ),
    (
        position('missions = [["technologies", "outposts", "scrappers"]]'),
        "scenario: position.missions[1]: a column has 2 rows",
    ),
    (
        position(f"pad.ravagers.plays = [{TEN}]", TEN_CARDS),
        "scenario: position.pad.ravagers.plays: more cards than a Turn has room for (9)",
    ),
    (
        position(f"deck = {{ tactic = [{MANY}] }}", MANY_CARDS),
        "scenario: position.deck.tactic: more than 24 cards",
    ),
    (
        position(f"outposts = {{ 'x.a' = {['tactic'] * 25} }}"),
        "scenario: position.outposts: more than 24 Outposts",
    ),
    (
        position('pad.ravagers.committed = ["ravagers-1"]'),
        "scenario: position.pad.ravagers.committed: cards are committed under the rule 'planning'",
    ),
    # steps
    (step('seat = ""\nchoose = "end card"'), "scenario: do[1].seat: the text is empty"),
    (step('choose = ""'), "scenario: do[1].choose: the text is empty"),
    (step('icon = ""'), "scenario: do[1].icon: the text is empty"),
    (step('icon = "move"\nrefused = true'), "scenario: do[1].refused: there is no choice that is refused"),
    (
        step('icon = "move"\nchoose = "move 1024 from x.a to x.b"'),
        'scenario: do[1].choose: in "move 1024 from x.a to x.b", "1024" is no number from 0 to 31',
    ),
    (
        step('choose = "move ² from x.a to x.b"'),
        'scenario: do[1].choose: in "move ² from x.a to x.b", "²" is no number from 0 to 31',
    ),
    (
        "\n".join([HEAD, GAME, *['[[do]]\nicon = "move"'] * 20]),
        "scenario: do[16].icon: too many icons are pending",
    ),
    # what must hold
    (expect('active = ""'), "scenario: expect.active: the text is empty"),
    (expect('ending = "over"'), "scenario: expect.ending: 'over' is no ending; known: playing, finished"),
    (expect('priority = ["ravagers"]'), "scenario: expect.priority: each faction of the game is named once"),
    (expect("ranking = [1]"), f"scenario: expect.ranking: a text is needed, not {WHOLE} (1)"),
    (expect('used = ["luck"]'), "scenario: expect.used: 'luck' is no use that comes once a phase"),
    (
        expect('value = { ravagers = { "x.q" = 1 } }'),
        "scenario: expect.value.ravagers.x.q: 'x.q' is no Region",
    ),
    (
        expect('scrappers = { ravagers = { "x.a" = "1" } }'),
        f'scenario: expect.scrappers.ravagers.x.a: {WHOLE} is needed, not a text ("1")',
    ),
    (
        expect("reserve = { ravagers = [1] }"),
        f"scenario: expect.reserve.ravagers: {WHOLE} is needed, not a list",
    ),
    (expect("leader = { ravagers = 1 }"), f"scenario: expect.leader.ravagers: a text is needed, not {WHOLE}"),
    (expect('leader = { ravagers = "nowhere" }'), "scenario: expect.leader.ravagers: 'nowhere' is no Region"),
    (
        expect('drones = { simon = "the reserve" }'),
        "scenario: expect.drones.simon: 'the reserve' is no Region",
    ),
    (expect('drones = { bob = "nowhere" }'), "scenario: expect.drones.bob: 'bob' is no Drone"),
    (
        expect('resources = { "x.a" = "two" }'),
        f"scenario: expect.resources.x.a: {WHOLE} is needed, not a text",
    ),
    (
        expect("control = { ravagers = { red = 1 } }"),
        "scenario: expect.control.ravagers.red: 'red' is no Outpost",
    ),
    (expect('outposts = { "x.a" = ["farm_z"] }'), "scenario: expect.outposts.x.a: 'farm_z' doesn't play"),
    (expect('feats = { ravagers = ["flying"] }'), "scenario: expect.feats.ravagers: 'flying' is no Feat"),
    (expect("supplies = { nobody = 1 }"), "scenario: expect.supplies.nobody: 'nobody' is no faction"),
    (expect('market = { tactic = ["first"] }'), "scenario: expect.market.tactic: 3 slots are needed"),
    (expect("market = { red = [] }"), "scenario: expect.market.red: 'red' is no market"),
    (
        expect("deck_left = { tactic = true }"),
        f"scenario: expect.deck_left.tactic: {WHOLE} is needed, not true",
    ),
    (
        expect("tokens = { ravagers = [9] }"),
        f"scenario: expect.tokens.ravagers: {WHOLE} from 1 to 4 is needed",
    ),
    (expect("counts = { tiles = '9' }"), f"scenario: expect.counts.tiles: {WHOLE} is needed, not a text"),
    (expect('pad = { ravagers = { feats = ["x"] } }'), "scenario: expect.pad.ravagers.feats: 'x' is no Feat"),
    (expect("pad = { ravagers = 1 }"), f"scenario: expect.pad.ravagers: a table is needed, not {WHOLE} (1)"),
    (expect('legal = { contains = [""] }'), "scenario: expect.legal.contains: the text is empty"),
    (expect("legal = [1]"), "scenario: expect.legal: a table is needed, not a list ([1])"),
]


@pytest.mark.parametrize(("text", "says"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_one_sentence(text, says):
    with pytest.raises(ScenarioError) as caught:
        run_scenario(parse_scenario(text))
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


ODD = (0, -1, BIG, HUGE, True, 1.5, "", "zzz", "²", "a\nb", [], [""], [1], [[]], {}, {"": 1}, ["move"] * 50)
ODD_INSIDE = (
    {"ravagers": HUGE},
    {"ravagers": [""]},
    {"ravagers": {"x.a": -1}},
    {"x.a": HUGE},
    {"tactic": [[]]},
)


def places(part, path=()):
    """All places inside a file, as lists of keys and numbers."""
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


@pytest.mark.parametrize("value", [*ODD, *ODD_INSIDE], ids=lambda value: str(value)[:20].replace("\n", " "))
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_odd_value_anywhere_is_one_sentence_or_plays(number, value):
    for path in places(EXAMPLES[number]):
        content = copy.deepcopy(EXAMPLES[number])
        part = content
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        said = what_is_said(content)
        assert said.startswith(("odd: ", "ok  ", "FAIL"))
        assert said.count("\n") <= said.startswith("FAIL")


def what_is_said(content):
    try:
        return str(run_scenario(parts_of(Path("odd"), content)))
    except ScenarioError as error:
        return str(error)


# --- what lies where a file should be -------------------------------------------------------------------


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    file = tmp_path / "marked.toml"
    file.write_bytes(b"\xef\xbb\xbf" + expect("turn = 1").encode())
    assert run_scenario(read_scenario(file)).passed


def test_what_is_no_file_is_one_sentence(tmp_path):
    empty, pipe, picture = tmp_path / "empty.toml", tmp_path / "pipe.toml", tmp_path / "picture.toml"
    empty.write_text("\n")
    os.mkfifo(pipe)
    picture.write_bytes(b"\x89PNG\xff\xfe")
    long = tmp_path / ("x" * 5000)
    found = [str(error) for error in run_files([empty, pipe, picture, long])]
    assert found[0] == f"{empty} is empty"
    assert found[1] == f"{pipe} is not a regular file"
    assert found[2] == f"{picture} is not a text file in UTF-8"
    assert found[3].endswith("can't be read: File name too long")
    assert len(found[3]) < 300
