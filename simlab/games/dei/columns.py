"""The result tables of D.E.I., declared: every column with its type, unit and meaning.

Imports nothing compiled, so that `simlab list tables` can print them at once.
"""

from __future__ import annotations

from simlab.game import Column, Table
from simlab.games.dei.vocabulary import (
    CANDIES,
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    FACTION_TITLES,
    FACTIONS,
    RESOURCES,
    SOURCES,
)
from simlab.results import ARM, BLOCK, COMMON, GAME, HASH, SEAT, TEXT, TURN, TURN_HASH, WORD

RESOURCE_WORDS = tuple(name.lower().replace(" cells", "") for name in RESOURCES)
FACTION = Column("faction", WORD, "", "the faction of the seat")


def _counts() -> tuple[Column, ...]:
    """Columns that are fields of the log as they are, a number a seat."""
    kinds = (
        ("collected", "collected from Regions"),
        ("gained", "gained otherwise (icons, Feats, Candy Boosts, slots)"),
        ("paid", "paid or discarded for purchases and Feats"),
    )
    columns = [
        Column(f"{verb}_{resource}", "int16", "resources", f"{resource} {says}")
        for verb, says in kinds
        for resource in RESOURCE_WORDS
    ]
    columns += [
        Column("enlisted", "int16", "Scrappers", "placed by Enlist"),
        Column("moves", "int16", "", "Moves made, extra ones included"),
        Column("kills", "int16", "Scrappers", "of others, killed"),
        Column("losses", "int16", "Scrappers", "own ones killed"),
        Column("buys", "int16", "cards", "bought"),
        Column("candy_gained", "int16", "Candy Boosts", "drawn"),
    ]
    columns += [Column(f"laid_{name}", "int16", "Candy Boosts", f"{name} Boosts laid") for name in CANDIES]
    columns += [Column(f"built_{name}", "int16", "", f"{name}s built") for name in CONSTRUCTIONS]
    columns += [Column(f"used_{name}", "int16", "", f"activations of {name.title()}") for name in DRONES]
    return tuple(columns)


GAMES = Table(
    "games",
    "one row a game",
    (
        *COMMON,
        Column("ending", WORD, "", "how it ended; all but `finished` are counted and reported"),
        Column("ending_seat", "int8", "seat", "whose strategy ended it irregularly, else nothing"),
        Column("turns", "int8", "Turns", "Turns played to their end"),
        Column("decisions", "int32", "", "decisions with more than one choice"),
        Column("choices", "int64", "", "lengths of all lists of choices, added up"),
        Column("longest_list", "int32", "", "most choices at one decision"),
        Column("winner_seat", "int8", "seat", "who won, nothing if the game didn't finish"),
        Column("winner_faction", WORD, "", "faction of the winner"),
        Column("winning_margin", "int16", "Supplies", "of the winner over the best other, 0 in a tie"),
        Column("tied_top", "bool", "", "the most Supplies were held by several, Priority decided (CORE-039)"),
        Column("layout_draws", "int8", "", "layouts drawn until one satisfied the pack's constraints"),
        HASH,
    ),
)
SEATS = Table(
    "seats",
    "one row a seat of a game",
    (
        GAME,
        BLOCK,
        ARM,
        Column("players", "int8", "", "number of players"),
        SEAT,
        FACTION,
        Column("strategy", WORD, "", "who played it"),
        Column("place", "int8", "", "1 = winner, nothing if the game didn't finish"),
        Column("win_share", "float32", "", "1 for the winner, else 0; nothing if the game didn't finish"),
        Column("supplies", "int16", "Supplies", "at the end"),
        *(Column(f"supplies_{name}", "int16", "Supplies", f"of them from {name}") for name in SOURCES),
        Column(
            "missions_best",
            "int16",
            "Supplies",
            "the most that Missions could have given, each Turn's taken in hindsight; nothing if unfinished",
        ),
        *(Column(f"feat_{colour}", WORD, "", f"{colour} Feat dealt") for colour in COLOURS),
        *(
            Column(
                f"feat_{colour}_turn", "int8", "Turn", f"when the {colour} Feat was unlocked; nothing = never"
            )
            for colour in COLOURS
        ),
        Column("feats_unlocked", "int8", "Feats", "unlocked at the end"),
        *_counts(),
    ),
)
MARKET = Table(
    "market",
    "one row a Market or Drone card that lay face up in a game, bought or not",
    (
        GAME,
        BLOCK,
        ARM,
        Column("card", WORD, "", "id in the pack"),
        Column("colour", WORD, "", "market whose colour it bears; nothing for Drone cards (CORE-012)"),
        Column("revealed_turn", "int8", "Turn", "when it came to a slot, 0 = at setup"),
        Column("offered_to", "int8", "bits", "bit s: seat s could buy something while it lay there"),
        Column("affordable_to", "int8", "bits", "bit s: seat s could have bought this card"),
        Column("bought_by", "int8", "seat", "nothing if nobody did; so for all columns below but plays"),
        Column("bought_by_faction", WORD, "", "faction of that seat"),
        Column("bought_turn", "int8", "Turn", "when"),
        Column("bought_phase", "int8", "phase", "when, 1 to 3"),
        Column("market", WORD, "", "where it was bought"),
        Column("slot", "int8", "slot", "where it was bought, 0 = left"),
        Column("paid_technology", "int8", "resources", "Technology paid for it"),
        Column("paid_energy", "int8", "resources", "Energy Cells paid for it"),
        Column("plays", "int8", "", "times it was played face up"),
    ),
)
MISSIONS = Table(
    "missions",
    "one row a Mission dealt and player who completed it; one with no seat where nobody did",
    (
        GAME,
        BLOCK,
        ARM,
        Column("column_turn", "int8", "Turn", "its column: the Turn until which it is on time"),
        Column("position", "int8", "", "its row in the column, 0 = upper"),
        Column("mission", WORD, "", "what it counts"),
        Column("seat", "int8", "seat", "who completed it, nothing = nobody"),
        FACTION,
        Column("turn", "int8", "Turn", "when"),
        Column("on_time", "bool", "", "whether the upper value counted"),
        Column("supplies", "int16", "Supplies", "what it gave"),
        Column("best_now", "int16", "Supplies", "the most that any open to the seat would have given then"),
    ),
)
TURNS = Table(
    "turns",
    "one row a seat and Turn: the standing after it (the last one before the final count)",
    (
        GAME,
        BLOCK,
        ARM,
        TURN,
        SEAT,
        FACTION,
        Column("supplies", "int16", "Supplies", "held"),
        Column("outposts", "int8", "Outposts", "controlled"),
        Column("priority", "int8", "", "place in that Turn's Priority, 0 first"),
        Column("resources_left", "int16", "resources", "in all Regions together, the same for every seat"),
        TURN_HASH,
    ),
)
REGIONS = Table(
    "regions",
    "one row a block and part of a tile that shows one Region: what happened in the Region that it lay in, "
    "the block's finished games added up",
    (
        BLOCK,
        ARM,
        Column("players", "int8", "", "number of players"),
        Column("tile", WORD, "", "id in the pack"),
        Column("letter", WORD, "", "which part of the tile: a capital is a Roof, a small letter a Ground"),
        Column("spaces", "int32", "bits", "bit 4 · row + column: the part has this space of the tile"),
        Column("resources", "int8", "resources", "printed on it: Technology on a Ground, Energy on a Roof"),
        Column("outposts", "int8", "Outposts", "printed on it"),
        Column("refuge", "bool", "", "whether a Neutral Refuge is printed on it"),
        Column("drone", "bool", "", "whether a Drone's place is printed on it"),
        Column("tile_row", "int8", "tiles", "of the board, 0 = top"),
        Column("tile_column", "int8", "tiles", "of the board, 0 = left"),
        Column("turned", "int8", "quarter turns", "of the tile, clockwise"),
        Column(
            "region", "int8", "", "number of the Region on this board, the same for parts that are joined"
        ),
        Column("games", "int8", "games", "finished ones that are added up"),
        Column("turns", "int8", "Turns", "of these games"),
        Column("moves_into", "int16", "", "Moves that ended in the Region"),
        Column("moves_out", "int16", "", "Moves that began there"),
        Column("collected", "int16", "resources", "collected there"),
        *(
            Column(f"held_{faction}", "int8", "Turns", f"at whose end {title} had Majority there")
            for faction, title in zip(FACTIONS, FACTION_TITLES, strict=True)
        ),
    ),
)
KNOCK_OUTS = Table(
    "knock_outs",
    "one row a game played again with one thing taken from one seat; only of experiments with [knock_outs]",
    (
        GAME,
        BLOCK,
        ARM,
        Column("players", "int8", "", "number of players"),
        Column("kind", WORD, "", "of the thing: card, feat, drone, candy or leader"),
        Column(
            "thing", TEXT, "", "what was taken: the card's id, the Feat, the Drone, the kind, the faction"
        ),
        SEAT,
        FACTION,
        Column("strategy", WORD, "", "who played it"),
        Column("used", "bool", "", "whether that seat used the thing in the base's game"),
        Column("differs", "bool", "", "whether the two games differ at all"),
        Column("turn", "int8", "Turn", "the first whose choices differ; nothing = none"),
        Column("win_share", "float32", "", "with the thing; nothing if either game didn't finish"),
        Column("win_share_without", "float32", "", "without it; nothing if either game didn't finish"),
        Column("supplies", "int16", "Supplies", "at the end with the thing"),
        Column("supplies_without", "int16", "Supplies", "at the end without it"),
    ),
)
TABLES = (GAMES, SEATS, MARKET, MISSIONS, TURNS, REGIONS)
