"""A game as records of arrays: what everybody sees, what each seat knows, what nobody knows, a log.

`PUBLIC` and `OWN[seat]` are all that a strategy is given; `HIDDEN` never leaves the engine. Facts stand
apart from derived fields, which `majority.py` keeps and `invariants.py` recomputes. A copy is one
assignment. Arrays are indexed by seat; Priority is data. Absent is NONE = -1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlab.games.dei.vocabulary import (
    MAX_BAG,
    MAX_CANDY,
    MAX_CARDS,
    MAX_CARDS_PER_PHASE,
    MAX_COPIES,
    MAX_DECK,
    MAX_FRAMES,
    MAX_OUTPOSTS,
    MAX_PATCHES,
    MAX_PLAYS,
    MAX_REGIONS,
    MAX_SEATS,
    MAX_TILES,
    MAX_TOKENS,
    MAX_TURNS,
    N_CANDIES,
    N_COLOURS,
    N_CONSTRUCTIONS,
    N_DRONES,
    N_MARKETS,
    N_SLOTS,
    N_SOURCES,
    NONE,
)

PUBLIC = np.dtype(
    [
        # --- facts ---------------------------------------------------------------------------------
        ("unlocked", "<i4", (MAX_SEATS,)),  # a bit an unlocked Feat
        ("decisions", "<i4"),  # choices applied so far
        ("bag", "<i4", (MAX_BAG,)),  # icons still pending of the card being resolved
        ("frame", "<i2", (MAX_FRAMES, 5)),  # what is asked (ASK_…), seat, a, b, c; the last one is on top
        ("supplies", "<i2", (MAX_SEATS,)),
        ("built", "<i2", (MAX_SEATS, N_CONSTRUCTIONS, MAX_TOKENS)),  # Region (Refuge) or site, NONE = reserve
        ("n_frames", "i1"),
        ("n_bag", "i1"),
        ("n_seats", "i1"),
        ("ending", "i1"),  # how the game ended (ENDINGS)
        ("turn", "i1"),  # 1 … turns
        ("phase", "i1"),  # 1 … 3; 0 before the first, 4 in the Missions of Confrontation
        ("place", "i1"),  # who plays: index into priority
        ("cards_left", "i1"),  # cards the active player must still play in this phase
        ("priority", "i1", (MAX_SEATS,)),  # seats in the order of this Turn
        ("faction", "i1", (MAX_SEATS,)),
        ("seat_of", "i1", (MAX_SEATS,)),  # by faction: its seat, NONE if absent
        # board
        ("scrappers", "i1", (MAX_SEATS, MAX_REGIONS)),
        ("reserve", "i1", (MAX_SEATS,)),  # Scrappers in reserve
        ("leader", "i1", (MAX_SEATS,)),  # Region, NONE = reserve
        ("resources", "i1", (MAX_REGIONS,)),  # Technology on Grounds, Energy Cells on Roofs
        ("drone", "i1", (N_DRONES,)),  # Region, NONE = not in play
        ("cube", "i1", (MAX_OUTPOSTS,)),  # seat that holds the Outpost's cube, NONE = on the Outpost
        # Pads
        ("technology", "i1", (MAX_SEATS,)),
        ("energy", "i1", (MAX_SEATS,)),
        ("candy", "i1", (MAX_SEATS,)),  # number of Candy Boosts held
        ("candy_reserve", "i1"),  # Candy Boosts in the Candy Reserve
        ("card_place", "i1", (MAX_CARDS,)),  # ABSENT, DECK, MARKET, HAND, FACE_UP, FACE_DOWN, BIN
        ("card_owner", "i1", (MAX_CARDS,)),  # seat, NONE
        ("n_plays", "i1", (MAX_SEATS,)),  # cards laid on the Pad this Turn
        ("play", "i1", (MAX_SEATS, MAX_PLAYS)),  # card, in order
        ("copied", "i1", (MAX_SEATS, MAX_PLAYS, MAX_COPIES)),  # earlier plays that this play copied
        ("play_candy", "i1", (MAX_SEATS, MAX_PLAYS)),  # Candy Boost on it: kind, NONE
        # once per phase, and what Feats have given
        ("fresh", "i1", (2,)),  # cards bought in this own phase: the Buy's and Delivery Bot's, NONE
        ("bought", "i1"),  # the phase's Buy is done
        ("bot_used", "i1"),  # Delivery Bot
        ("swap_used", "i1"),  # Alternative Energy
        ("seeker_used", "i1"),  # Abraham
        ("boots_used", "i1"),  # Sky Boots, where it counts once a phase
        ("engineer_used", "i1"),  # Field Engineer, where it counts once a phase
        ("extra_moves", "<i2"),
        # markets, missions, draft
        ("market", "i1", (N_MARKETS, N_SLOTS)),  # card in each slot, left to right, NONE = empty
        ("deck_left", "i1", (N_MARKETS,)),
        ("mission", "i1", (MAX_TURNS, 2)),  # (column, row) → Mission card, NONE
        ("token", "i1", (MAX_SEATS, MAX_TURNS)),  # (seat, column) → row of its mission token, NONE
        ("draft_step", "i1"),  # picks done in the Feats Draft
        ("draft_colour", "i1", (MAX_SEATS, N_COLOURS)),  # (seat, round) → colour named, NONE
        ("draft_order", "i1", (MAX_SEATS, N_COLOURS)),  # (seat, colour) → how many picked that colour before
        # --- derived: majority.py keeps them ----------------------------------------------------------
        ("holder", "i1", (MAX_REGIONS,)),  # seat with Majority, NONE
        ("cubes", "i1", (MAX_SEATS, N_COLOURS)),  # cubes on the Pad by colour
        ("value", "<i2", (MAX_REGIONS, MAX_SEATS)),  # Majority values: those of a Region lie together
    ]
)

OWN = np.dtype(
    [
        ("feats", "<i4"),  # a bit a Feat dealt to this seat, unlocked or not
        ("draft_seen", "<i4", (N_COLOURS,)),  # Feats that lay there when this seat picked the colour
        ("candy", "i1", (N_CANDIES,)),  # Candy Boosts held, by kind
        ("committed", "i1", (MAX_CARDS_PER_PHASE,)),  # Planning: cards committed, not yet played; NONE
        ("n_committed", "i1"),
    ]
)

HIDDEN = np.dtype(
    [
        ("deal_key", "<i8"),  # all chance of this game (chance.py)
        ("deck", "i1", (N_MARKETS, MAX_DECK)),  # next card last: deck[m, deck_left[m] - 1]
        ("token_at", "i1", (MAX_CANDY,)),  # seat, CANDY_IN_RESERVE or CANDY_ON_CARD
    ]
)

# What a game leaves behind: the block loop writes one a game, `record.py` makes the result tables of it.
LOG = np.dtype(
    [
        ("game_hash", "<i8"),  # all choices and the final Supplies, for the digest
        ("turn_hash", "<i8", (MAX_TURNS,)),  # running hash of the choices after each Turn
        ("n_choices", "<i8"),  # lengths of all lists, added up
        ("n_decisions", "<i4"),  # lists with more than one choice
        ("longest_list", "<i4"),
        ("feats_dealt", "<i4", (MAX_SEATS,)),  # a bit a Feat
        ("feats_unlocked", "<i4", (MAX_SEATS,)),
        ("final_supplies", "<i2", (MAX_SEATS,)),
        ("turn_supplies", "<i2", (MAX_TURNS, MAX_SEATS)),  # after each Turn, the last before the final count
        ("turn_resources", "<i2", (MAX_TURNS,)),  # in all Regions after each Turn
        ("supplies_from", "<i2", (MAX_SEATS, N_SOURCES)),
        ("collected", "<i2", (MAX_SEATS, 2)),
        ("gained", "<i2", (MAX_SEATS, 2)),
        ("paid", "<i2", (MAX_SEATS, 2)),
        ("discarded", "<i2", (MAX_SEATS, 2)),  # as the eleventh, and by Delivery Bot
        ("enlisted", "<i2", (MAX_SEATS,)),
        ("moves", "<i2", (MAX_SEATS,)),
        ("kills", "<i2", (MAX_SEATS,)),
        ("losses", "<i2", (MAX_SEATS,)),  # own Scrappers killed
        ("builds", "<i2", (MAX_SEATS, N_CONSTRUCTIONS)),
        ("buys", "<i2", (MAX_SEATS,)),
        ("candy_gained", "<i2", (MAX_SEATS,)),
        ("candy_laid", "<i2", (MAX_SEATS, N_CANDIES)),
        ("activations", "<i2", (MAX_SEATS, N_DRONES)),
        ("placed_from_reserve", "<i2", (2,)),  # resources put on the board by effects, by kind
        ("ending", "i1"),
        ("ending_seat", "i1"),  # whose strategy ended the game, NONE
        ("layout_draws", "i1"),
        ("place", "i1", (MAX_SEATS,)),  # 1 = winner
        ("turn_outposts", "i1", (MAX_TURNS, MAX_SEATS)),
        ("turn_place", "i1", (MAX_TURNS, MAX_SEATS)),  # place in that Turn's Priority, 0 first
        ("mission", "i1", (MAX_TURNS, 2)),  # (column, row) → Mission card, NONE
        ("feat_turn", "i1", (MAX_SEATS, N_COLOURS)),  # Turn in which the Feat was unlocked, 0 = never
        # a card's life
        ("revealed_turn", "i1", (MAX_CARDS,)),  # 0 = at setup, NONE = never
        ("bought_by", "i1", (MAX_CARDS,)),
        ("bought_turn", "i1", (MAX_CARDS,)),
        ("bought_phase", "i1", (MAX_CARDS,)),
        ("bought_market", "i1", (MAX_CARDS,)),
        ("bought_slot", "i1", (MAX_CARDS,)),
        ("paid_technology", "i1", (MAX_CARDS,)),
        ("paid_energy", "i1", (MAX_CARDS,)),
        ("plays", "i1", (MAX_CARDS,)),  # times played face up
        ("offered", "i1", (MAX_CARDS,)),  # a bit a seat that could buy something while the card lay face up
        ("affordable", "i1", (MAX_CARDS,)),  # a bit a seat that could have bought this card
        # Missions by seat and column
        ("mission_row", "i1", (MAX_SEATS, MAX_TURNS)),  # NONE = none
        ("mission_turn", "i1", (MAX_SEATS, MAX_TURNS)),  # 0 = never
        ("mission_supplies", "<i2", (MAX_SEATS, MAX_TURNS)),
        # (seat, Turn, column) → Supplies of the column's better Mission when the seat was asked in that Turn
        ("mission_worth", "<i2", (MAX_SEATS, MAX_TURNS, MAX_TURNS)),
        # the board and what happened in its Regions
        ("board_columns", "i1"),  # of tiles
        ("tile_place", "i1", (MAX_TILES,)),  # by tile: its place in reading order, NONE if not in play
        ("tile_turned", "i1", (MAX_TILES,)),  # quarter turns clockwise
        ("region_of", "i1", (MAX_TILES, MAX_PATCHES)),  # (tile, patch) → Region, NONE if not in play
        ("moves_into", "<i2", (MAX_REGIONS,)),
        ("moves_out", "<i2", (MAX_REGIONS,)),
        ("collected_from", "<i2", (MAX_REGIONS,)),  # resources
        ("held", "i1", (MAX_SEATS, MAX_REGIONS)),  # Turns at whose end the seat had Majority there
    ]
)


# fields that name something and so are NONE, not 0, while there is nothing
_NAMING = {
    "PUBLIC": (
        "built priority faction seat_of leader drone cube card_owner play copied play_candy market mission "
        "token draft_colour draft_order holder fresh"
    ),
    "OWN": "committed",
    "HIDDEN": "deck token_at",
    "LOG": (
        "ending_seat mission turn_place revealed_turn bought_by bought_turn bought_phase bought_market "
        "bought_slot mission_row tile_place region_of"
    ),
}
_NAMING_FIELDS = {
    dtype: _NAMING[name].split()
    for name, dtype in (("PUBLIC", PUBLIC), ("OWN", OWN), ("HIDDEN", HIDDEN), ("LOG", LOG))
}


def records(dtype: np.dtype[Any], n: int = 1) -> np.recarray[Any, Any]:
    """`n` blank records of `dtype`, 0 or NONE in every field: the one place where record arrays are made."""
    array = np.zeros(n, dtype)
    for name in _NAMING_FIELDS.get(dtype, ()):
        array[name] = NONE
    return array.view(np.recarray)


class Position:
    """All records of one game, for code outside compiled blocks: tests, replay, prompts, scenarios.

    `public` and `hidden` and `log` have one record, `own` one a seat; `rules`, `pack` and `board` are the
    tables they are read with. `copy` shares the tables.
    """

    __slots__ = ("board", "hidden", "log", "own", "pack", "public", "rules")

    def __init__(self, rules: Any, pack: Any, board: Any) -> None:
        self.rules = rules
        self.pack = pack
        self.board = board
        self.public = records(PUBLIC)
        self.own = records(OWN, MAX_SEATS)
        self.hidden = records(HIDDEN)
        self.log = records(LOG)

    def copy(self) -> Position:
        """An independent game on the same tables."""
        twin = Position(self.rules, self.pack, self.board)
        for name in ("public", "own", "hidden", "log"):
            getattr(twin, name)[:] = getattr(self, name)
        return twin

    def same(self, other: Position) -> bool:
        """Whether every field of the game (the log apart) is equal, byte by byte."""
        names = ("public", "own", "hidden")
        return all(getattr(self, name).tobytes() == getattr(other, name).tobytes() for name in names)
