"""What is wrong with a pack's tables (cards, markets, Candy, Missions, Feats), and the sentence for it."""

from __future__ import annotations

FIRST_CARD = r"(?m)^refuge-42-1,.*$"
FIRST_ICONS = r"(?m)(?<=^refuge-42-1,Refuge 42 1,refuge_42,)[^,]*"
RANGE_1 = r"(Refuge 42 1,refuge_42,[^,]*),[^,]*"
SIMON = r"(Simon \+0,simon,[^,]*),[^,]*"
HUGE = "9" * 5000

# file, pattern, replacement (None: the file goes; bytes: its whole content), the sentence's beginning
BROKEN_TABLES = [
    ("cards.csv", None, None, "cards.csv: there is no such file"),
    ("missions.csv", None, b"  \n\n", "missions.csv is empty"),
    ("cards.csv", None, b"\x00\x01\x02", "cards.csv is not a text file in UTF-8"),
    ("feats.csv", None, b"id,colour\xff\xfe", "feats.csv is not a text file in UTF-8"),
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
