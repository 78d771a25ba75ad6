"""All scenario files, the examples of their documentation, and what the loader says of wrong files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from simlab.errors import ScenarioError
from simlab.games.dei import choices as ch
from simlab.games.dei import engine, scenario_keys
from simlab.games.dei.names import Names
from simlab.games.dei.scenario import read_situation
from simlab.games.dei.scenario_table import read_table
from simlab.games.dei.sentences import read_choice
from simlab.games.dei.text import words_of
from simlab.games.dei.vocabulary import SIMON
from simlab.scenario import parse_scenario, read_scenario, run_files, run_scenario

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
DOCUMENT = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
RULES = Path(__file__).parents[2] / "docs" / "rules"
EXAMPLES = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)
SENTENCES = re.findall(r"```sentences\n(.*?)```", DOCUMENT, re.DOTALL)[0].splitlines()

BOARD = """
rule = ["CORE-020"]
says = "a test of the loader"
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
technology = 1
market = "tactic"
"""
POSITION = """
[position]
turn = 2
scrappers = { ravagers = { "x.a" = 2 } }
outposts = { "x.a" = ["tactic"] }
missions = [["technologies"]]
drones = { simon = "x.a" }
built.ravagers = ["refuge x.b", "bridge w.A w.C over w.b", "elevator x.a x.A"]
market = { tactic = ["", "first", ""] }
pad = { ravagers = { technology = 2, plays = ["ravagers-2"], candy = ["move"] } }
"""


def rules_of(path: Path) -> list[str]:
    return tomllib.loads(path.read_text(encoding="utf-8"))["rule"]


def one(text: str) -> str:
    """The first difference of a scenario given as text."""
    return run_scenario(parse_scenario(text)).difference


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=pytest.mark.rule(*rules_of(path))) for path in FILES],
)
def test_scenario(path):
    outcome = run_scenario(read_scenario(path))
    assert outcome.passed, str(outcome)


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_example_of_the_documentation(text):
    assert one(text) == ""


def test_examples_use_every_key(monkeypatch):
    known, used = set(), set()
    remember = scenario_keys.Keys.done

    def done(self):
        where = re.sub(r"\[\d+\]|ravagers|auxilia|farm_z|refuge_42", "*", self.where)
        where = "legal" if where.endswith("legal") else where
        known.update((where, key) for key in self.known)
        used.update((where, key) for key in self.known if key in self.given)
        remember(self)

    monkeypatch.setattr(scenario_keys.Keys, "done", done)
    for text in EXAMPLES:
        assert one(text) == ""
    assert known - used == set()
    named = {key for _, key in known if f"`{key}`" in DOCUMENT or f"[[game.{key}]]" in DOCUMENT}
    assert {key for _, key in known} - named == set()


def test_documented_sentences_are_printed_as_they_are_read():
    scenario = parse_scenario(BOARD + POSITION)
    position = read_situation(read_table(scenario.game), scenario.position)
    position.public[0].frame[0, 2] = SIMON  # the Drone that harvests, places and reaps in these sentences
    position.public[0].built[0, 0, 1] = position.public[0].built[0, 0, 0]
    names = Names(position, read_table(scenario.game).pack)
    # the sentences name a tile y of other examples
    sentences = [words.replace("y.e", "w.g") for words in SENTENCES]
    codes = [read_choice(names, words) for words in sentences]
    assert [words_of(names, code) for code in codes] == sentences
    assert {ch.KINDS[ch.kind_of(code)] for code in codes} == set(ch.KINDS)


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ("turn = 3", "the Turn is 2, expected 3"),
        ('active = "auxilia"', "to choose is ravagers, expected auxilia"),
        ('majority = { "x.a" = "tie" }', "Majority in x.a is ravagers, expected tie"),
        ("value = { ravagers = { 'x.a' = 3 } }", "the Majority value of ravagers in x.a is 2, expected 3"),
        ("scrappers = { ravagers = { 'x.a' = 3 } }", "Scrappers of ravagers in x.a is 2, expected 3"),
        ("reserve = { ravagers = 3 }", "the reserve of ravagers is 13, expected 3"),
        ('leader = { ravagers = "x.a" }', "the Leader of ravagers is the reserve, expected x.a"),
        ('drones = { fly = "x.a" }', "Drone fly is nowhere, expected x.a"),
        ("built = { ravagers = [] }", "the constructions of ravagers is ['bridge"),
        ("control = { ravagers = { tactic = 2 } }", "tactic cubes of ravagers is 1, expected 2"),
        ('outposts = { "x.a" = ["nobody"] }', "the cubes of x.a is ['ravagers'], expected ['nobody']"),
        ("supplies = { auxilia = 2 }", "Supplies of auxilia is 0, expected 2"),
        ('feats = { auxilia = ["bombing"] }', "the unlocked Feats of auxilia is [], expected ['bombing']"),
        ("pad = { ravagers = { technology = 1 } }", "Technology of ravagers is 2, expected 1"),
        ("pad = { ravagers = { candy = 2 } }", "ravagers has 1 Candy Boosts, expected 2"),
        ("pad = { ravagers = { hand_size = 2 } }", "the hand of ravagers has 7 cards, expected 2"),
        ('pad = { ravagers = { bin = ["first"] } }', "bin of ravagers is [], expected ['first']"),
        ('market = { tactic = ["first", "", ""] }', "the tactic market is ['', 'first', '']"),
        ("deck_left = { black = 9 }", "the black deck is 0, expected 9"),
        ("tokens = { ravagers = [1] }", "the columns used by ravagers is [], expected [1]"),
        ("counts = { missions = 8 }", "the number of missions is 1, expected 8"),
        ('ending = "finished"', "the game is playing, expected finished"),
        ('legal = { contains = ["end card"] }', "'end card' isn't among the legal choices"),
        ('legal = { lacks = ["play ravagers-1 face up"] }', "'play ravagers-1 face up' is among"),
        ('legal = { only = ["play ravagers-1 face up"] }', "is legal too"),
        ('legal = { kinds = ["move"] }', "no legal choice is of kind 'move'"),
        ('legal = { lacks_kinds = ["play"] }', "a legal choice is of kind 'play'"),
    ],
)
def test_differences_are_told_in_words(expect, says):
    assert says in one(f"{BOARD}{POSITION}[expect]\n{expect}")


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ('choose = "end card"', "do[1]: 'end card' isn't legal"),
        ('choose = "play ravagers-1 face up"\nrefused = true', "do[1]: 'play ravagers-1 face up' is among"),
        ('seat = "auxilia"\nchoose = "play auxilia-1 face up"', "do[1]: it is not auxilia's choice"),
    ],
)
def test_steps_that_go_wrong_are_told_in_words(steps, says):
    assert says in one(f"{BOARD}{POSITION}[[do]]\n{steps}")


@pytest.mark.parametrize("step", ['choose = "move 1 from x.a to x.b"', 'legal = { kinds = ["move"] }'])
def test_a_choice_that_is_listed_twice_is_told(step, monkeypatch):
    legal = engine.legal
    monkeypatch.setattr(engine, "legal", lambda position: 2 * legal(position))
    assert "' is listed twice" in one(f'{BOARD}{POSITION}[[do]]\nicon = "move"\n{step}')


def test_what_is_not_on_the_table_counts_as_refused():
    step = 'icon = "build:bridge"\nchoose = "build bridge from w.A to w.E over w.f"\nrefused = true'
    assert one(f"{BOARD}{POSITION}[[do]]\n{step}") == ""


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (BOARD + "[positon]\n", "positon: there is no such key"),
        (BOARD + "[position]\nturns = 2", "position.turns: there is no such key"),
        (BOARD + '[position]\nturn = "2"', "position.turn: a whole number is needed"),
        (BOARD + '[position]\nresources = { "x.z" = 1 }', "position.resources.x.z: 'x.z' is no Region"),
        (
            BOARD + "[position]\nscrappers = { farm_z = { } }",
            "position.scrappers.farm_z: 'farm_z' doesn't play",
        ),
        (BOARD + "[position]\nscrappers = { ravager = { } }", "position.scrappers.ravager: 'ravager' is no"),
        (BOARD + "[position]\nscrappers = { ravagers = { 'x.a' = 8, 'x.b' = 8 } }", "more Scrappers than"),
        (
            BOARD + '[position]\nbuilt = { ravagers = ["tower x.a"] }',
            "position.built.ravagers: 'tower' is no",
        ),
        (
            BOARD + '[position]\nbuilt = { ravagers = ["bridge x.a x.A"] }',
            "doesn't read 'bridge ROOF ROOF over",
        ),
        (
            BOARD + '[position]\nbuilt.ravagers = ["refuge x.a", "refuge x.a", "refuge x.a", "refuge x.a"]',
            "position.built.ravagers: more constructions",
        ),
        (BOARD + '[position]\nfeats = { ravagers = { held = ["flying"] } }', "'flying' is no Feat"),
        (BOARD + '[position]\ndrones = { fly = "x" }', "position.drones.fly: 'x' is no Region"),
        (
            BOARD + '[position]\npad = { ravagers = { hand = ["none"] } }',
            "pad.ravagers.hand: 'none' is no card",
        ),
        (BOARD + "[position]\npad = { ravagers = { cards = [] } }", "pad.ravagers.cards: there is no such"),
        (BOARD + '[position]\npad = { ravagers = { candy = ["sugar"] } }', "'sugar' is no Candy Boost"),
        (
            BOARD + '[position]\npad = { ravagers = { bin = ["first", "first"] } }',
            "card first lies in two places",
        ),
        (BOARD + '[position]\nmarket = { tactic = ["first"] }', "position.market.tactic: 3 slots are needed"),
        (
            BOARD + '[position]\nmissions = [["nothing"]]',
            "position.missions[1]: 'nothing' is no kind of Mission",
        ),
        (
            BOARD + "[position]\ntokens = { ravagers = [9] }",
            "position.tokens.ravagers: a whole number from 1 to 4",
        ),
        (BOARD + '[position]\npriority = ["ravagers"]', "position.priority: each faction"),
        (BOARD + '[position]\nused = ["luck"]', "position.used: 'luck' is no use"),
        (BOARD + '[[do]]\nchoice = "end card"', "do[1].choice: there is no such key; did you mean"),
        (BOARD + "[[do]]\n", "do[1]: an icon, a choice or legal is needed"),
        (BOARD + '[[do]]\nicon = "jump"', 'do[1].icon: unknown icon "jump"; icons read such as move'),
        (BOARD + '[[do]]\nicon = "move*2"', "do[1].icon: one icon is needed"),
        (BOARD + '[[do]]\nchoose = "jump up"', "do[1].choose: in 'jump up', 'jump' isn't understood"),
        (BOARD + '[expect]\nmajority = { "x.q" = "tie" }', "expect.majority.x.q: 'x.q' is no Region"),
        (BOARD + "[expect]\nwinner = 1", "expect.winner: there is no such key"),
        (BOARD + "[expect]\ncounts = { cats = 1 }", "expect.counts.cats: 'cats' is no thing"),
        (
            BOARD + '[expect]\nlegal = { kinds = ["dance"] }',
            "expect.legal.kinds: 'dance' is no kind of choice",
        ),
        (BOARD.replace('"auxilia"', '"ravagers"'), "game.players: 1 to 4 different factions"),
        (BOARD.replace('"auxilia"', '"nobody"'), "game.players: 'nobody' is no faction"),
        (BOARD.replace("layout =", "lay ="), "game.lay: there is no such key"),
        (BOARD.replace('["x", "w"]', '["x", "q"]'), "game.layout: unknown tile 'q'"),
        (BOARD.replace('["x", "w"]', '["x@5", "w"]'), "game.layout: '@5' is no number of quarter turns"),
        (BOARD.replace('name = "dei"', 'name = "chess"'), 'game.name: there is no game "chess"'),
        (BOARD.replace('name = "dei"', 'name = "dei"\npack = "gone"'), "game.pack: no pack"),
        (BOARD.replace('name = "dei"', 'name = "dei"\nrules = { turn = 1 }'), "game.rules: "),
        (BOARD.replace("says", "said"), "said: there is no such key"),
        (BOARD.replace('rule = ["CORE-020"]', "rule = []"), "rule: a list"),
        ("rule = [", "is not TOML"),
    ],
)
def test_a_wrong_file_says_where_and_why(text, key):
    with pytest.raises(ScenarioError) as caught:
        one(text)
    assert str(caught.value).startswith(("scenario: ", "scenario is not TOML"))
    assert key in str(caught.value)
    assert "\n" not in str(caught.value)


def test_run_files_takes_files_and_folders(tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(f"{BOARD}{POSITION}[expect]\nturn = 3", encoding="utf-8")
    right = tmp_path / "deeper" / "right.toml"
    right.parent.mkdir()
    right.write_text(f"{BOARD}{POSITION}[expect]\nturn = 2", encoding="utf-8")
    outcomes = list(run_files([tmp_path, right]))
    assert [outcome.passed for outcome in outcomes] == [True, False, True]
    assert "FAIL wrong.toml (CORE-020): a test of the loader\n     the Turn is 2, expected 3" in str(
        outcomes[1]
    )


def test_run_files_tells_what_is_not_there_in_its_turn(tmp_path):
    right = tmp_path / "right.toml"
    right.write_text(f"{BOARD}{POSITION}[expect]\nturn = 2", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    paths = [right, tmp_path / "nowhere.toml", tmp_path / "empty", right]
    first, missing, empty, last = run_files(paths)
    assert first.passed
    assert last.passed
    assert str(missing) == f"{paths[1]}: there is no such file"
    assert str(empty) == f"{paths[2]}: there is no scenario file in this folder"


def test_scenario_files_name_rules_of_the_digest():
    digest = "\n".join(path.read_text(encoding="utf-8") for path in RULES.glob("*.md"))
    known = set(re.findall(r"^- ([A-Z]+-\d{3}) ", digest, re.MULTILINE))
    assert {rule for path in FILES for rule in rules_of(path)} - known == set()
