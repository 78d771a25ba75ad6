"""A broken component pack is refused in one sentence that names file, row or key, and reason."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from simlab.errors import PackError
from simlab.games.dei.pack import PACKS, load_pack


@pytest.fixture
def copied(tmp_path):
    """A copy of the shipped pack, to be broken."""
    return shutil.copytree(PACKS / "reconstructed", tmp_path / "mine")


FIRST_CARD = r"(?m)^refuge-42-1,.*$"
FIRST_ICONS = r"(?m)(?<=^refuge-42-1,Refuge 42 1,refuge_42,)[^,]*"
FIRST_MAP = r"map = \[[^]]*\]"

# file, pattern, replacement (None: the file goes; bytes: its whole content), the sentence's beginning
BROKEN = [
    ("cards.csv", None, None, "cards.csv: there is no such file"),
    ("tiles.toml", None, b"", "tiles.toml is empty"),
    ("missions.csv", None, b"  \n\n", "missions.csv is empty"),
    ("cards.csv", None, b"\x00\x01\x02", "cards.csv is not a text file in UTF-8"),
    ("feats.csv", None, b"id,colour\xff\xfe", "feats.csv is not a text file in UTF-8"),
    ("pack.toml", None, b"name = ", "pack.toml is not TOML: invalid value (at its end)"),
    ("candy.csv", None, b"kind,tokens,tokens_range,source\n", "candy.csv: no rows below the header"),
    ("candy.csv", r"^kind,", "sort,", 'candy.csv: unknown column "sort"'),
    ("candy.csv", r"^kind,tokens,", "kind,kind,tokens,", 'candy.csv: column "kind" stands there twice'),
    ("cards.csv", r"^id,title,", "id,", 'cards.csv: column "title" is missing'),
    ("candy.csv", r"enlist,2,", "enlist,2,,", "candy.csv, row 2: 5 cells under 4 columns"),
    ("candy.csv", r"enlist,2,", '"enlist,2,', "candy.csv, row "),
    (
        "candy.csv",
        r"enlist,2",
        "enlist,two",
        'candy.csv, row 2 (enlist): column "tokens" has "two", which is not a whole number',
    ),
    (
        "candy.csv",
        r"enlist,2",
        "enlist,99",
        'candy.csv, row 2 (enlist): column "tokens" has 99, which is not between 0 and 16',
    ),
    ("candy.csv", r"enlist,2", "enlist,3", "candy.csv: 17 tokens instead of 16"),
    (
        "candy.csv",
        r"enlist,2,1\.\.3",
        "enlist,2,3..4",
        'candy.csv, row 2 (enlist): column "tokens" has 2, outside its own range 3..4',
    ),
    (
        "candy.csv",
        r"enlist,2,1\.\.3",
        "enlist,2,",
        'candy.csv, row 2 (enlist): column "tokens" is assumed and has no range',
    ),
    (
        "candy.csv",
        r"enlist,2,1\.\.3",
        "enlist,2,1-3",
        'candy.csv, row 2 (enlist): column "tokens_range" has the range "1-3", which does not read',
    ),
    (
        "candy.csv",
        r"enlist,2,1\.\.3",
        "enlist,2,3..1",
        'candy.csv, row 2 (enlist): column "tokens_range" has the range "3..1", whose low end',
    ),
    (
        "candy.csv",
        r"(enlist.*),assumed",
        r"\1,guessed",
        'candy.csv, row 2 (enlist): column "source" has "guessed", not one of',
    ),
    (
        "candy.csv",
        r"(enlist.*),assumed",
        r"\1,rulebook",
        'candy.csv, row 2 (enlist): column "tokens" is marked rulebook and has a range',
    ),
    ("candy.csv", r"move,2", "enlist,2", 'candy.csv: kind "enlist" stands there twice'),
    (
        "candy.csv",
        r"move,2",
        "shove,2",
        'candy.csv, row 3 (shove): column "kind" has "shove", not one of enlist,',
    ),
    ("cards.csv", FIRST_CARD, "", 'cards.csv: deck "refuge_42" has 7 cards instead of 8'),
    ("cards.csv", r"refuge-42-2,", "refuge-42-1,", 'cards.csv: card "refuge-42-1" stands there twice'),
    ("cards.csv", r"(?m)^refuge-42-2,", ",", 'cards.csv, row 3 (no id): column "id" is empty'),
    (
        "cards.csv",
        r"Refuge 42 1,refuge_42,",
        "Refuge 42 1,tunnel,",
        'cards.csv, row 2 (refuge-42-1): column "deck" has "tunnel", not one of',
    ),
    ("cards.csv", FIRST_ICONS, "leap", "cards.csv, row 2 (refuge-42-1): unknown icon 'leap'"),
    ("cards.csv", FIRST_ICONS, "move*9", "cards.csv, row 2 (refuge-42-1): 9 icons, 8 at most"),
    ("cards.csv", FIRST_ICONS, "copy*3", "cards.csv, row 2 (refuge-42-1): more than 2 Copy icons"),
    ("cards.csv", FIRST_ICONS, "", 'cards.csv, row 2 (refuge-42-1): column "icons" is empty'),
    (
        "cards.csv",
        FIRST_ICONS,
        "move@machinery",
        "cards.csv, row 2 (refuge-42-1): unknown icon 'move@machinery'",
    ),
    (
        "cards.csv",
        FIRST_ICONS,
        "copy/outpost",
        'cards.csv, row 2 (refuge-42-1): "copy/outpost" can\'t be done once',
    ),
    (
        "cards.csv",
        FIRST_ICONS,
        "kill",
        'cards.csv, row 2 (refuge-42-1): icons_range: the icon "kill" has no range',
    ),
    (
        "cards.csv",
        r"(Refuge 42 1,refuge_42,[^,]*),[^,]*",
        r"\1,leap*1..2",
        "cards.csv, row 2 (refuge-42-1): icons_range: unknown icon 'leap'",
    ),
    (
        "cards.csv",
        r"(Refuge 42 1,refuge_42,[^,]*,[^,]*),",
        r"\1,2",
        "cards.csv, row 2 (refuge-42-1): a Faction card has no technology",
    ),
    ("cards.csv", r"(Refuge 42 8,refuge_42,)drone:simon", r"\1drone:fly", "cards.csv, row 9 (refuge-42-8): "),
    (
        "cards.csv",
        r"(Tactic Market 1,tactic,)[^,]*,[^,]*",
        r"\1drone:fly,drone:fly+0..1",
        "cards.csv, row 34 (tactic-01): a Drone icon outside",
    ),
    (
        "cards.csv",
        r"(Simon \+0,simon,)[^,]*,[^,]*",
        r"\1move,move*1..2",
        "cards.csv, row 70 (simon-0): a Drone's Market card without a Drone icon",
    ),
    (
        "markets.csv",
        r"tactic,1,2",
        "tactic,4,2",
        'markets.csv, row 2 (tactic): column "slot" has 4, which is not between 1 and 3',
    ),
    ("markets.csv", r"tactic,2,", "tactic,1,", 'markets.csv: slot "tactic 1" stands there twice'),
    ("markets.csv", r"(?m)^tactic,1.*\n", "", "markets.csv: 11 slots instead of 12"),
    (
        "markets.csv",
        r"black,1,0,0\.\.0",
        "black,1,1,0..1",
        "markets.csv, row 11 (black): the Black Market has no Outposts to ask for",
    ),
    ("missions.csv", r"(?m)^scrappers,.*\n", "", "missions.csv: 11 Missions instead of 12"),
    ("missions.csv", r"(?m)^outposts_2,", "outposts,", 'missions.csv: Mission "outposts" stands there twice'),
    (
        "missions.csv",
        r"(?m)^scrappers,scrappers,",
        "scrappers,robots,",
        'missions.csv, row 6 (scrappers): column "kind" has "robots", not one of',
    ),
    (
        "feats.csv",
        r"bombing,tactic",
        "bombing,logistic",
        "feats.csv, row 2 (bombing): the Feat's colour is tactic",
    ),
    ("feats.csv", r"(?m)^caravan,.*\n", "", "feats.csv: 17 Feats instead of 18"),
    (
        "tiles.toml",
        r"\nplayers = 2",
        "\nplayers = 7",
        'tiles.toml, tile "2.1": players is 7, not a number from 1 to 6',
    ),
    ("tiles.toml", r"\nplayers = 2", "", 'tiles.toml, tile "2.1": key "players" is missing'),
    (
        "tiles.toml",
        r"\nplayers = 2",
        "\nplayers = 3",
        "tiles.toml: 8 tiles come into play with 2 players instead of 9",
    ),
    ("tiles.toml", r'id = "2.2"', 'id = "2.1"', 'tiles.toml: tile "2.1" stands there twice'),
    ("tiles.toml", r'id = "2.1"', "id = 2.1", "tiles.toml: a tile's id 2.1 is not a word"),
    ("tiles.toml", r"\nsource", "\ncolour = 1\nsource", 'tiles.toml, tile "2.1": unknown key "colour"'),
    (
        "tiles.toml",
        FIRST_MAP,
        'map = ["abA", "bca", "ddd"]',
        'tiles.toml, tile "2.1": patch "a" is not connected',
    ),
    (
        "tiles.toml",
        FIRST_MAP,
        'map = ["aaa", "aa", "aaa"]',
        'tiles.toml, tile "2.1": the map is not a square',
    ),
    (
        "tiles.toml",
        FIRST_MAP,
        'map = ["a1", "aa"]',
        'tiles.toml, tile "2.1": the map has "1", which is not a letter',
    ),
    ("tiles.toml", FIRST_MAP, "map = 3", 'tiles.toml, tile "2.1": the map is not a list of texts'),
    (
        "tiles.toml",
        r"technology = \{ ",
        "technology = { z = 1, ",
        'tiles.toml, tile "2.1": technology names "z", which is no patch of the map',
    ),
    (
        "tiles.toml",
        r"energy = \{ ",
        'energy = { A = "one", ',
        'tiles.toml, tile "2.1": energy of "A" is "one", not a number from 0 to 9',
    ),
    (
        "tiles.toml",
        r'refuge = "."',
        'refuge = "z"',
        'tiles.toml, tile "2.1": refuge names "z", which is no patch of the map',
    ),
    (
        "tiles.toml",
        r'(?s)\nrefuge = "."(.*?)\nrefuge = [^\n]*',
        r"\1",
        "tiles.toml: 1 Neutral Refuges on the tiles of 2 players instead of 2",
    ),
    (
        "tiles.toml",
        r'(?s)\ndrone = "."(.*?)\ndrone = [^\n]*',
        r"\1",
        "tiles.toml: 1 Drone symbols on the tiles of 2 players instead of 2",
    ),
    (
        "tiles.toml",
        r'(?s)\nbridge = \["[^\n]*(.*?)\nbridge = [^\n]*',
        r"\1",
        'tiles.toml, tile "2.3": Neutral Bridges lie on tiles 2.3 and 4.3 only',
    ),
    (
        "tiles.toml",
        r"(?s)\noutposts = \{[^}]*\}(.*?)\noutposts = [^\n]*",
        r"\1",
        "tiles.toml: 14 Outposts instead of 15",
    ),
    (
        "tiles.toml",
        r"\[tile.range\]\n",
        "[tile.range]\nweather = 1\n",
        'tiles.toml, tile "2.1", range: unknown key "weather"',
    ),
    ("tiles.toml", r'patches = "[^"]*"', 'patches = "15..16"', 'tiles.toml, tile "2.1": patches is '),
    ("tiles.toml", r'patches = "[^"]*"\n', "", 'tiles.toml, tile "2.1", range: key "patches" is missing'),
    ("tiles.toml", None, b"[[house]]\n", 'tiles.toml: unknown key "house"'),
    ("layouts.toml", r"players = 2", "players = 3", "layouts.toml, layout for 3 players: "),
    ("layouts.toml", r'"2\.9"', '"2.8"', 'layouts.toml, layout for 2 players: tile "2.8" stands there twice'),
    ("layouts.toml", r'"2\.9"', '"9.9"', 'layouts.toml, layout for 2 players: "9.9" is no tile in play'),
    (
        "layouts.toml",
        r"grid = \[",
        "grid = [[],",
        "layouts.toml, layout for 2 players: grid is not a list of rows",
    ),
    (
        "layouts.toml",
        r'"any order"',
        '"some order"',
        'layouts.toml, layout for 2 players: range must be "any order"',
    ),
    (
        "layouts.toml",
        r"(?s)\[\[layout\]\]\nplayers = 4.*",
        "",
        "layouts.toml: the layout for 4 players is missing",
    ),
    ("pack.toml", r"name = ", "nom = ", 'pack.toml: unknown key "nom"'),
    ("pack.toml", r"(?m)^title.*\n", "", 'pack.toml: key "title" is missing'),
    (
        "pack.toml",
        r"percent = 20",
        "percent = 200",
        'pack.toml: key "largest_region_percent" is 200, not a number from 1 to 100',
    ),
    (
        "pack.toml",
        r'source = "assumed"',
        'source = "oracle"',
        'pack.toml: source is "oracle", not one of rulebook, assumed',
    ),
]
RANGE_1 = r"(Refuge 42 1,refuge_42,[^,]*),[^,]*"
SIMON = r"(Simon \+0,simon,[^,]*),[^,]*"
HUGE = "9" * 5000
BROKEN += [
    # numbers beyond what Python reads, deep tables
    (
        "cards.csv",
        r"(tactic-01,.*?),\d+,",
        rf"\1,{HUGE},",
        'cards.csv, row 34 (tactic-01): column "technology" has 999',
    ),
    (
        "candy.csv",
        r"enlist,2,1",
        f"enlist,2,{HUGE}",
        'candy.csv, row 2 (enlist): column "tokens_range" has 999',
    ),
    (
        "cards.csv",
        RANGE_1,
        rf"\1,move*1..{HUGE}",
        'cards.csv, row 2 (refuge-42-1): icons_range of "move" has 999',
    ),
    ("cards.csv", FIRST_ICONS, f"move*{HUGE}", 'cards.csv, row 2 (refuge-42-1): unknown icon "move*999'),
    ("cards.csv", FIRST_ICONS, "move*²", 'cards.csv, row 2 (refuge-42-1): unknown icon "move*²"'),
    (
        "pack.toml",
        r"percent = 20",
        f"percent = {HUGE}",
        "pack.toml is not TOML: a number has too many digits (line 1",
    ),
    (
        "pack.toml",
        r"percent = 20",
        f"percent = 0x{HUGE}",
        'pack.toml: key "largest_region_percent" is a number of about',
    ),
    (
        "pack.toml",
        r'"15..30"',
        f"0x{HUGE}",
        'pack.toml: key "largest_region_percent_range" has the range a number of',
    ),
    (
        "pack.toml",
        r'"15..30"',
        "false",
        'pack.toml: key "largest_region_percent_range" has the range false, which does',
    ),
    (
        "tiles.toml",
        r"\nplayers = 2",
        f"\nplayers = 0x{HUGE}",
        'tiles.toml, tile "2.1": players is a number of about 6',
    ),
    (
        "tiles.toml",
        r'patches = "[^"]*"',
        f"patches = 0x{HUGE}",
        'tiles.toml, tile "2.1", range, patches has the range a',
    ),
    (
        "layouts.toml",
        r"players = 2",
        f"players = 0x{HUGE}",
        "layouts.toml, layout 1: players is a number of about 6",
    ),
    (
        "layouts.toml",
        r'"2\.9"',
        f"0x{HUGE}",
        "layouts.toml, layout for 2 players: grid has a number of about 6",
    ),
    *[
        (file, r"\A", f"a = {'[' * 5000}\n", f"{file} is not TOML: it is nested too deeply")
        for file in ("pack.toml", "tiles.toml", "layouts.toml")
    ],
    ("pack.toml", r"\A", "a = 1\na = 2\n", "pack.toml is not TOML: a key stands there twice (line 2)"),
    # tables
    ("candy.csv", None, b"\n\n,,\n", "candy.csv: no row with the columns' names"),
    ("candy.csv", r"^kind,", '"so\x1brt\n",', 'candy.csv: unknown column "so\\x1brt"'),
    # words and titles
    (
        "cards.csv",
        r"refuge-42-1,",
        "refuge 42,",
        'cards.csv, row 2 (refuge 42): column "id" is "refuge 42", not a word',
    ),
    ("cards.csv", r"refuge-42-1,", "a'b,", 'cards.csv, row 2 (a\'b): column "id" is "a\'b", not a word'),
    ("cards.csv", r"refuge-42-1,", "a" * 61 + ",", f"cards.csv, row 2 ({'a' * 59}…): column"),
    (
        "cards.csv",
        r"refuge-42-1,",
        "a\x1b[31m,",
        'cards.csv, row 2 (a\\x1b[31m): column "id" is "a\\x1b[31m", not',
    ),
    (
        "cards.csv",
        r"Refuge 42 1,",
        '"Two\nlines",',
        'cards.csv, row 3 (refuge-42-1): column "title" is "Two\\nlines"',
    ),
    (
        "missions.csv",
        r"Drone Cards",
        "Drone\x1bCards",
        'missions.csv, row 4 (drone_cards): column "title" is "Drone',
    ),
    (
        "missions.csv",
        r"(?m)^drone_cards,",
        "drone cards,",
        'missions.csv, row 4 (drone cards): column "id" is "drone',
    ),
    (
        "pack.toml",
        r'name = "reconstructed"',
        'name = "my box"',
        'pack.toml: key "name" is "my box", not a word of',
    ),
    ("pack.toml", r'title = "', r'title = "\\n', 'pack.toml: key "title" is "\\nRecon'),
    ("pack.toml", r'notes = """', r'notes = """\\u001B', 'pack.toml: key "notes" has the line "\\x1b'),
    ("pack.toml", r"\A", '"a\\\\nb" = 1\n', 'pack.toml: unknown key "a\\nb"'),
    ("tiles.toml", r'id = "2.1"', r'id = "a\\nb"', 'tiles.toml: a tile\'s id is "a\\nb", not a word'),
    # ranges
    (
        "cards.csv",
        r"(tactic-01,.*?,\d+),[^,]*,",
        r"\1,-9999..0,",
        'cards.csv, row 34 (tactic-01): column "technology_range" has -9999, which is not between -99',
    ),
    (
        "cards.csv",
        RANGE_1,
        r"\1,*1..2",
        'cards.csv, row 2 (refuge-42-1): icons_range has "*1..2", which does not read',
    ),
    (
        "cards.csv",
        RANGE_1,
        r"\1,+1..2",
        'cards.csv, row 2 (refuge-42-1): icons_range has "+1..2", which does not read',
    ),
    (
        "cards.csv",
        RANGE_1,
        r"\1,move",
        'cards.csv, row 2 (refuge-42-1): icons_range has "move", which does not read',
    ),
    (
        "cards.csv",
        RANGE_1,
        r"\1,move*1..2 move*0..2",
        "cards.csv, row 2 (refuge-42-1): icons_range has a range of",
    ),
    (
        "cards.csv",
        RANGE_1,
        r"\1,move*1..2",
        'cards.csv, row 2 (refuge-42-1): icons_range: the icon "enlist" has no range',
    ),
    (
        "cards.csv",
        RANGE_1,
        r"\1,move+1..2",
        'cards.csv, row 2 (refuge-42-1): icons_range has "move+1..2", but only a',
    ),
    (
        "cards.csv",
        SIMON,
        r"\1,move*0..2",
        'cards.csv, row 70 (simon-0): icons_range: the icon "drone:simon" has no range',
    ),
    (
        "tiles.toml",
        r'source = "assumed"',
        'source = "rulebook"',
        'tiles.toml, tile "2.1": it is marked rulebook and',
    ),
    (
        "tiles.toml",
        r"\[tile.range\]",
        '[tile.range]\ndrone = ["F"]',
        'tiles.toml, tile "2.1": range of drone stands there',
    ),
    (
        "tiles.toml",
        r'refuge = \["a"',
        'refuge = ["F"',
        'tiles.toml, tile "2.1": range of refuge names "F", which is not a G',
    ),
    (
        "tiles.toml",
        r'refuge = \["a"',
        'refuge = [["a"]',
        'tiles.toml, tile "2.1": range of refuge names ["a"], which is no',
    ),
    (
        "tiles.toml",
        r"refuge = \[.*",
        'refuge = "b"',
        'tiles.toml, tile "2.1": range of refuge is "b", but a list of lett',
    ),
    (
        "tiles.toml",
        r"elevator = \[\[.*",
        'elevator = ["d", "F"]',
        'tiles.toml, tile "2.1": range of elevator is ["d", "F"], but a list of pairs of letters is needed',
    ),
    (
        "tiles.toml",
        r'\[\["a", "F"\]',
        '[["F", "a"]',
        'tiles.toml, tile "2.1": range of elevator names "F", which is not a',
    ),
    (
        "tiles.toml",
        r'\[\["a", "F"\]',
        '[["a"]',
        'tiles.toml, tile "2.1": range of elevator has ["a"], which is not a',
    ),
    (
        "tiles.toml",
        r'\[\["a", "F"\]',
        '[["b", "F"]',
        'tiles.toml, tile "2.1": range of elevator joins "b" and a Roof',
    ),
    # what is printed
    (
        "layouts.toml",
        r'"2\.9"',
        "2.9",
        "layouts.toml, layout for 2 players: grid has 2.9, not a tile's id in quotes",
    ),
    ("layouts.toml", r"(?m)^players = 2\n", "", 'layouts.toml, layout 1: key "players" is missing'),
    (
        "layouts.toml",
        r"players = 2",
        "players = true",
        "layouts.toml, layout 1: players is true, not a number",
    ),
    (
        "layouts.toml",
        r'source = "assumed"',
        "source = {}",
        "layouts.toml, layout for 2 players: source is {}, not one of",
    ),
    (
        "missions.csv",
        r"Drone Cards,2",
        "Drone Cards,3",
        "missions.csv, row 4 (drone_cards): the rulebook prints 2 1 1 1 in",
    ),
    ("feats.csv", r"Drop Pod,", "Drop Pods,", "feats.csv, row 10 (drop_pod): the Feat's title is Drop Pod"),
    (
        "feats.csv",
        r"Drop Pod,rulebook",
        "Drop Pod,assumed",
        "feats.csv, row 10 (drop_pod): the rulebook prints all",
    ),
]


@pytest.mark.parametrize(
    ("file", "pattern", "new", "sentence"), BROKEN, ids=[f"{row[0]}-{k}" for k, row in enumerate(BROKEN)]
)
def test_a_broken_pack_is_refused_in_one_sentence(copied, file, pattern, new, sentence):
    path = copied / file
    if pattern is not None:
        text = path.read_text(encoding="utf-8")
        changed = re.sub(pattern, new, text, count=1)
        assert changed != text
        path.write_text(changed, encoding="utf-8")
    elif new is None:
        path.unlink()
    else:
        path.write_bytes(new)
    with pytest.raises(PackError) as caught:
        load_pack(str(copied))
    message = str(caught.value)
    assert message.startswith(f"{copied}/")
    assert message.removeprefix(f"{copied}/").startswith(sentence)
    assert message.isprintable()
    assert len(message) < 600


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("no pack")
    with pytest.raises(PackError, match="file is not a folder with a component pack"):
        load_pack(str(tmp_path / "file"))


def test_a_path_that_can_not_be_is_refused(tmp_path, monkeypatch):
    with pytest.raises(PackError, match=r"^a+… can't be read: File name too long$|: File name too long$"):
        load_pack("a" * 300)
    monkeypatch.chdir(tmp_path)
    for name in (".", ".."):
        with pytest.raises(PackError, match=r"pack\.toml: there is no such file"):
            load_pack(name)


def test_a_pipe_in_place_of_a_file_is_refused(copied):
    (copied / "cards.csv").unlink()
    os.mkfifo(copied / "cards.csv")
    with pytest.raises(PackError, match=r"mine/cards\.csv is not a regular file"):
        load_pack(str(copied))
