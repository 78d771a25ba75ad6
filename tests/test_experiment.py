"""Experiment files: what a good one resolves to, and the one sentence for each way to be wrong."""

from __future__ import annotations

import dataclasses
import os
import re
import tomllib
from pathlib import Path

import pytest
from fake_game import FakePack

from simlab import catalog
from simlab.errors import ExperimentError
from simlab.experiment import Experiment, load, shipped
from simlab.games.dei.definition import GAME
from simlab.toml import LARGEST, dumps

LEAST = {
    "name": '"x"',
    "game": '"dei"',
    "seed": "1",
    "games": "8",
    "players": "4",
    "strategies": '["dei/greedy"]',
}
TABLES = ("[rules]", "[handicaps]")


def text_of(**changes: str | None) -> str:
    """The least experiment file with some keys changed or added (None: left out); `rules` etc. are tables."""
    lines = LEAST | changes
    tables = {f"[{key}]": lines.pop(key) for key in ("rules", "handicaps") if lines.get(key) is not None}
    plain = "".join(f"{key} = {value}\n" for key, value in lines.items() if value is not None)
    return plain + "".join(f"{head}\n{body}\n" for head, body in tables.items())


@dataclasses.dataclass(frozen=True)
class Paper(FakePack):
    """Three cards to buy and a Faction card."""

    card_ids: tuple[str, ...] = ("t1", "t2", "b1", "f1")
    faction_card_ids: tuple[str, ...] = ("f1",)


@pytest.fixture(autouse=True)
def pack(monkeypatch: pytest.MonkeyPatch) -> None:
    """D.E.I. with a pack of three cards; other names go to the real reader."""

    def load_pack(name: str) -> object:
        return Paper() if name == "reconstructed" else GAME.load_pack(name)

    game = dataclasses.replace(GAME, load_pack=load_pack)
    real = catalog.game
    monkeypatch.setattr(catalog, "game", lambda name: game if name == "dei" else real(name))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "e.toml"


HUGE = "0x" + "f" * 10_000

BAD = [
    # keys
    (text_of(sede="2"), 'there is no key "sede"; did you mean "seed"?'),
    (text_of(Layout='"quick"'), 'there is no key "Layout"; did you mean "layout"?'),
    (text_of(workers="2"), 'there is no key "workers"'),
    (text_of(games=None), "games is missing"),
    (text_of(games=None, game_s="4"), 'games is missing (there is no key "game_s")'),
    (text_of(name=None), "name is missing"),
    (text_of(strategies=None), "strategies is missing"),
    (text_of(seed=None), "seed is missing"),
    # name
    (text_of(name="3"), "name must be a text, not a whole number (3)"),
    (text_of(name='"a/b"'), "name must be 1 to 64 letters"),
    (text_of(name='""'), "name must be 1 to 64 letters"),
    (text_of(name='"../up"'), "name must be 1 to 64 letters"),
    # game
    (text_of(game='"die"'), 'there is no game "die"; did you mean "dei"?'),
    (text_of(game="1"), "game must be a text, not a whole number (1)"),
    # numbers
    (text_of(games='"many"'), 'games must be a whole number, not a text ("many")'),
    (text_of(games="true"), "games must be a whole number, not true or false (true)"),
    (text_of(games="0"), "games must be from 1 to 10000000000, not 0"),
    (text_of(games="-4"), "games must be from 1 to 10000000000, not -4"),
    (text_of(games="1e3"), "games must be a whole number, not a decimal number (1000.0)"),
    (text_of(games="[8]"), "games must be a whole number, not a list ([8])"),
    (text_of(games="99999999999999999999999"), "games must be from 1 to 10000000000"),
    (text_of(seed="-1"), "seed must be from 0 to 9223372036854775807, not -1"),
    (text_of(seed="2026-11-29"), "seed must be a whole number, not a date or time (2026-11-29)"),
    # players and line-ups
    (text_of(players="5"), "players: D.E.I. – Divide et Impera is for 2, 3 or 4 players, not 5"),
    (text_of(players="1"), "is for 2, 3 or 4 players, not 1"),
    (text_of(players="[]"), "players is an empty list"),
    (text_of(players="[4, 4]"), "players names 4 twice"),
    (text_of(players="[2, 7]"), "is for 2, 3 or 4 players, not 7"),
    (text_of(players="true"), "players must be a whole number, not true or false (true)"),
    (text_of(players='"four"'), 'players must be a whole number, not a text ("four")'),
    (text_of(factions='["farm_z", "farm_z", "auxilia", "ravagers"]'), 'factions names "farm_z" twice'),
    (text_of(factions='["farm_z", "auxilia"]'), "factions names 2, too few for 4 players"),
    (
        text_of(factions='["farmz", "auxilia"]'),
        'factions: there is no faction "farmz"; did you mean "farm_z"?',
    ),
    (text_of(factions='"farm_z"'), 'factions must be a list of texts, not a text ("farm_z")'),
    (text_of(factions="[1, 2, 3, 4]"), "factions[0] must be a text, not a whole number (1)"),
    # strategies
    (text_of(strategies='"dei/greedy"'), "strategies must be a list of texts, not a text"),
    (text_of(strategies="[]"), "strategies is an empty list"),
    (text_of(strategies='["dei/gready"]'), 'there is no strategy "dei/gready"; did you mean "dei/greedy"?'),
    (text_of(strategies='["dei/greedy", "dei/greedy"]'), 'strategies names "dei/greedy" twice'),
    (text_of(strategies='["mine.py"]'), 'there is no strategy file "mine.py"'),
    # decision_timeout
    (
        text_of(decision_timeout="true"),
        "decision_timeout must be a number of seconds, not true or false (true)",
    ),
    (text_of(decision_timeout='"10 s"'), 'decision_timeout must be a number of seconds, not a text ("10 s")'),
    (text_of(decision_timeout="0"), "decision_timeout must be from 0.01 to 86400 seconds, not 0"),
    (text_of(decision_timeout="-1.5"), "decision_timeout must be from 0.01 to 86400 seconds, not -1.5"),
    (text_of(decision_timeout="nan"), "decision_timeout must be from 0.01 to 86400 seconds, not nan"),
    (text_of(decision_timeout="inf"), "decision_timeout must be from 0.01 to 86400 seconds, not inf"),
    (text_of(decision_timeout="5"), "decision_timeout has no effect: every strategy is compiled"),
    (text_of(decisiontimeout="5"), 'there is no key "decisiontimeout"; did you mean "decision_timeout"?'),
    # options and pack
    (text_of(layout='"fast"'), 'layout must be "random" or "quick", not "fast"'),
    (text_of(outposts="1"), "outposts must be a text, not a whole number (1)"),
    (text_of(pack="1"), "pack must be a text, not a whole number (1)"),
    (text_of(pack='""'), "pack is an empty text"),
    (text_of(pack='"reconstruct"'), "reconstruct"),
    # rules
    (text_of(rules="turn = 3"), '[rules] has no key "turn"; did you mean "turns"?'),
    (text_of(rules="turns = 7"), "[rules] turns must be a whole number from 1 to 6, not 7"),
    (text_of(rules='turns = "four"'), 'turns must be a whole number from 1 to 6, not a text ("four")'),
    (text_of(rules="turns = true"), "turns must be a whole number from 1 to 6, not true or false (true)"),
    (text_of(rules="planning = 1"), "[rules] planning must be true or false, not 1"),
    (text_of(rules="cards_per_phase = 0"), "cards_per_phase must be a whole number from 1 to 3, not 0"),
    (text_of(rules="cube_limit_per_color = 8"), "must be a whole number from 1 to 7, not 8"),
    (text_of(rules="resource_limit = 3"), "must be a whole number from 4 to 30, not 3"),
    (text_of(rules="starting_scrappers = 3"), "starting_scrappers must be a list of whole numbers, not 3"),
    (
        text_of(rules="starting_scrappers = [1, 2]"),
        "must hold 4 numbers, one a seat of the largest table, not 2",
    ),
    (text_of(rules="starting_scrappers = [1, 2, 3, 4, 5]"), "one a seat of the largest table, not 5"),
    (
        text_of(rules="starting_scrappers = [1, 2, 3, 99]"),
        "starting_scrappers[3] must be a whole number from 0",
    ),
    (text_of(rules="starting_scrappers = [2, 3, 4, 15]\nscrappers = 14"), "would deploy 15 Scrappers of 14"),
    (text_of(rules="feat_supplies = [0, 1]"), "feat_supplies must hold 4 numbers, not 2"),
    (text_of(rules="starting_energy = 10"), "would start with 11 resources on a Pad for 10"),
    ("rules = 3\n" + text_of(), "rules must be a table ([rules]), not a whole number (3)"),
    # handicaps
    (text_of(handicaps="bans = []"), '[handicaps] has no key "bans"'),
    (
        text_of(handicaps="leader_of = [true]"),
        '[handicaps] has no key "leader_of"; did you mean "leader_off"?',
    ),
    (text_of(handicaps="leader_off = [1]"), "leader_off of seat 0 must be true or false, not 1"),
    (text_of(handicaps="leader_off = []"), "[handicaps] leader_off names no seat, so it has no effect"),
    (
        text_of(handicaps="leader_off = true"),
        "leader_off must be a list by seat or a table of seats, not true",
    ),
    (
        text_of(handicaps="grant_energy = [0, 1, 0, 0, 2]"),
        "grant_energy names 5 seats, the largest table has 4",
    ),
    (text_of(handicaps="grant_energy = { 4 = 1 }"), 'grant_energy has no seat "4"; seats are 0 to 3'),
    (text_of(handicaps="grant_energy = { first = 1 }"), 'grant_energy has no seat "first"'),
    (text_of(handicaps="grant_energy = [11]"), "must be a whole number from 0 to 10, not 11"),
    (text_of(handicaps="grant_energy = [9]"), "seat 0 would start with 11 resources on a Pad for 10"),
    (text_of(handicaps='void_feats = [["bombin"]]'), 'there is no Feat "bombin"; did you mean "bombing"?'),
    (text_of(handicaps='banned_cards = { 1 = ["t9"] }'), 'banned_cards of seat 1: there is no card "t9"'),
    (text_of(handicaps='banned_cards = ["t1"]'), 'must be a list of names, not "t1"'),
    (text_of(handicaps='banned_cards = [["t1", "t1"]]'), 'banned_cards of seat 0 names "t1" twice'),
    # not TOML at all
    ("name = ", "is not TOML"),
    ("name = 'x'\nname = 'y'\n", "is not TOML"),
    ("", "is empty"),
    ("  \n\n", "is empty"),
    ("\x00\x01", "is not a text file in UTF-8"),
    ("[rules]\n[rules]\n", "is not TOML: the table [rules] stands there twice (line 2)"),
    ("a = 1\n\na = 2\nb = 3\n", "is not TOML: a key stands there twice (line 3)"),
    ("a = { b = 1 }\na.c = 2\n", "is not TOML: a table in braces can't be added to (line 2)"),
    ("a = { b = 1, b = 2 }\n", "is not TOML: the key 'b' stands there twice (line 1)"),
    ("name = ", "is not TOML: invalid value (at its end)"),
    ("a = " + "[" * 5000, "is not TOML: it is nested too deeply"),
    (text_of(seed="9" * 5000), "is not TOML: a number has too many digits (line 3)"),
    # numbers beyond what Python writes out, deep tables
    (text_of(seed=HUGE), "seed must be from 0 to 9223372036854775807, not a number of about 12"),
    (text_of(games=HUGE), "games must be from 1 to 10000000000, not a number of about 12"),
    (text_of(players=HUGE), "is for 2, 3 or 4 players, not a number of about 12"),
    (text_of(players="[4, 4, " + "9" * 30 + "]"), "is for 2, 3 or 4 players, not 999"),
    (text_of(players="-1"), "is for 2, 3 or 4 players, not -1"),
    (text_of(name=HUGE), "name must be a text, not a whole number (a number of about 12"),
    (text_of(pack=HUGE), "pack must be a text, not a whole number (a number of about 12"),
    (text_of(rules=f"turns = {HUGE}"), "turns must be a whole number from 1 to 6, not a number of about 12"),
    (text_of(rules=f"starting_scrappers = {HUGE}"), "must be a list of whole numbers, not a number of about"),
    (text_of(handicaps=f"grant_energy = [{HUGE}]"), "from 0 to 10, not a number of about 12"),
    (text_of(handicaps=f"leader_off = [{HUGE}]"), "must be true or false, not a number of about 12"),
    (text_of(handicaps=f"banned_cards = [[{HUGE}]]"), "must be a list of names, not [a number of about 12"),
    (text_of(handicaps="grant_energy = { " + "9" * 5000 + " = 1 }"), 'has no seat "999'),
    (
        text_of(seed=None) + "seed" + ".a" * 3000 + " = 1\n",
        "seed must be a whole number, not a table ({a = {a",
    ),
    # what is written in a key or a text is one line of printable signs, cut
    (text_of(pack='"' + "a" * 300 + '"'), "pack: "),
    (text_of(pack=r'"a\u0000b"'), 'pack: no pack is called "a\\x00b"'),
    (text_of(strategies='["' + "a" * 300 + '.py"]'), "strategies: there is no strategy file"),
    (text_of(strategies=r'["a\u0000b.py"]'), "strategies: there is no strategy file"),
    ('"a\\nb" = 1\n' + text_of(), 'there is no key "a\\nb"'),
    ('"\\u001B[31m" = 1\n' + text_of(), 'there is no key "\\x1b[31m"'),
    ("a" * 1000 + " = 1\n" + text_of(), 'there is no key "' + "a" * 38 + "…"),
    (text_of(rules='"\\u001B" = 1'), '[rules] has no key "\\x1b"'),
    (text_of(rules="q = 1"), '[rules] has no key "q"; simlab list rules names them all'),
    (text_of(handicaps='"\\n" = 1'), '[handicaps] has no key "\\n"'),
    (text_of(handicaps='banned_cards = [["a\\nb"]]'), 'there is no card "a\\nb"; known: t1'),
    (text_of(handicaps='void_feats = [["a\\nb"]]'), 'there is no Feat "a\\nb"; ids read such as "'),
    (text_of(games=None, **{'"game\\ns"': "4"}), 'games is missing (there is no key "game\\ns")'),
    # what has no effect
    (text_of(handicaps="grant_energy = [0, 0, 0, 0]"), "grant_energy gives no seat anything, so it has no"),
    (text_of(handicaps="grant_energy = [0]"), "grant_energy gives no seat anything, so it has no effect"),
    (text_of(handicaps="grant_energy = { 0 = 0 }"), "grant_energy gives no seat anything"),
    (text_of(handicaps="leader_off = [false]"), "leader_off gives no seat anything"),
    (text_of(handicaps="banned_cards = [[]]"), "banned_cards gives no seat anything"),
    (text_of(handicaps="void_feats = { 1 = [] }"), "void_feats gives no seat anything"),
    (text_of(handicaps='banned_cards = [[], ["f1"]]'), 'banned_cards of seat 1: "f1" is a Faction card'),
    (
        text_of(handicaps="grant_energy = { 1 = 1, 01 = 2 }"),
        'grant_energy has no seat "01"; seats are 0 to 3',
    ),
    (text_of(rules="refuges = 0\nfortress_value = 5"), "fortress_value has no effect: there are no Refuges"),
    (text_of(rules="refuges = 0\ncaravan_value = 5"), "caravan_value has no effect: there are no Refuges"),
    (text_of(rules="bridges = 0\nbombing_value = 0"), "bombing_value has no effect: there are no Bridges"),
    (
        text_of(rules="bridges = 0\nelevators = 0\nfield_engineer_moves = 1"),
        "field_engineer_moves has no effect: there are no Bridges and no Elevators to build",
    ),
    (
        text_of(rules="field_engineer_moves = 0\nfield_engineer_per_build = false"),
        "field_engineer_per_build has no effect: Field Engineer gives no Moves (field_engineer_moves = 0)",
    ),
    (
        text_of(rules="sky_boots_moves = 0\nsky_boots_per_card = false"),
        "sky_boots_per_card has no effect: Sky Boots give no Moves (sky_boots_moves = 0)",
    ),
    (text_of(rules="masamune_resources = 0\ndrone_collect_needs_majority = true"), "no Drone collects"),
    (text_of(rules="simon_scrappers = 0\nplace_from_board = true"), "no Drone places Scrappers"),
    # which key
    (text_of(game='"die"'), ': game: there is no game "die"'),
    (text_of(pack='"nowhere"'), ': pack: no pack is called "nowhere"'),
    (text_of(pack='"."'), "pack.toml: there is no such file"),
    (text_of(pack='".."'), "pack.toml: there is no such file"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_a_wrong_file_is_one_sentence_with_file_key_and_reason(file: Path, text: str, sentence: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ExperimentError) as caught:
        load(file)
    message = str(caught.value)
    assert sentence in message
    assert message.startswith(str(file))
    assert message.isprintable()
    assert len(message) < 600


def test_what_is_no_text_file_is_said(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="there is no such file"):
        load(file)
    with pytest.raises(ExperimentError, match="is a folder, not a file"):
        load(tmp_path)
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
    file.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    with pytest.raises(ExperimentError, match="is not a text file in UTF-8"):
        load(file)


def test_overrides_are_checked_like_the_file(file: Path) -> None:
    file.write_text(text_of(), encoding="utf-8")
    assert load(file, games=12, seed=7).games == 12
    with pytest.raises(ExperimentError, match="games must be from 1"):
        load(file, games=0)
    with pytest.raises(ExperimentError, match="seed must be from 0"):
        load(file, seed=-3)


ALL = ["refuge_42", "farm_z", "ravagers", "auxilia"]
GOOD = [
    (
        {},
        {
            "players": [4],
            "factions": ALL,
            "pack": "reconstructed",
            "layout": "random",
            "outposts": "advanced",
        },
    ),
    ({"players": "[4, 2, 3]"}, {"players": [2, 3, 4]}),
    ({"players": "2", "factions": '["ravagers", "farm_z"]'}, {"factions": ["farm_z", "ravagers"]}),
    ({"layout": '"quick"', "outposts": '"quick"'}, {"layout": "quick", "outposts": "quick"}),
    ({"strategies": '["dei/uniform", "dei/greedy"]'}, {"strategies": ["dei/uniform", "dei/greedy"]}),
    ({"rules": ""}, {"rules": {}}),
    ({"rules": "turns = 4"}, {"rules": {}}),
    ({"rules": "turns = 3\nplanning = true"}, {"rules": {"turns": 3, "planning": True}}),
    ({"rules": "starting_scrappers = [2, 3, 4, 5]"}, {"rules": {}}),
    ({"rules": "starting_scrappers = [3, 3, 4, 5]"}, {"rules": {"starting_scrappers": [3, 3, 4, 5]}}),
    ({"rules": "feat_supplies = [0, 2, 4, 8]"}, {"rules": {"feat_supplies": [0, 2, 4, 8]}}),
    ({"handicaps": "leader_off = [true]"}, {"handicaps": {"leader_off": [True, False, False, False]}}),
    ({"handicaps": "grant_energy = { 2 = 1 }"}, {"handicaps": {"grant_energy": [0, 0, 1, 0]}}),
    (
        {"handicaps": 'banned_cards = { 3 = ["b1", "t1"] }'},
        {"handicaps": {"banned_cards": [[], [], [], ["t1", "b1"]]}},
    ),
    ({"handicaps": 'void_feats = [["bombing"]]'}, {"handicaps": {"void_feats": [["bombing"], [], [], []]}}),
    ({"seed": "0", "games": "1"}, {"seed": 0, "games": 1}),
]


@pytest.mark.parametrize(("changes", "expected"), GOOD)
def test_a_good_file_resolves(file: Path, changes: dict[str, str], expected: dict[str, object]) -> None:
    file.write_text(text_of(**changes), encoding="utf-8")
    resolved = load(file).resolved()
    assert {key: resolved[key] for key in expected} == expected
    assert list(resolved)[:5] == ["name", "game", "seed", "games", "players"]


@pytest.mark.parametrize("changes", [changes for changes, _ in GOOD])
@pytest.mark.parametrize("all_rules", [False, True])
def test_a_resolved_file_is_a_file_that_resolves_to_itself(
    file: Path, changes: dict[str, str], all_rules: bool
) -> None:
    file.write_text(text_of(**changes), encoding="utf-8")
    resolved = load(file).resolved()
    written = dumps(load(file).resolved(all_rules=all_rules))
    assert tomllib.loads(written)["name"] == "x"
    file.write_text(written, encoding="utf-8")
    assert load(file).resolved() == resolved


def test_a_byte_order_mark_is_read_over(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + text_of().encode())
    assert load(file).name == "x"


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


@pytest.mark.parametrize("path", sorted(shipped().rglob("*.toml")), ids=lambda path: path.stem)
def test_shipped_experiments_load_and_are_named_as_their_files(path: Path) -> None:
    assert load(path).name == path.stem


def test_a_shipped_experiment_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load("experiments/dei/demo.toml").games == 20_000
    assert load("dei/demo.toml").games == 20_000


def test_the_example_of_the_readme_is_an_experiment(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # with the real pack
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    file.write_text(block, encoding="utf-8")
    resolved = load(file).resolved()
    assert resolved["handicaps"]["banned_cards"][0] == ["tactic-01"]
    assert resolved["rules"] == {"turns": 5}


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
    assert load(file) == shorter


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
