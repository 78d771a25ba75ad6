"""The signature: one number that changes only when play changes.

A fixed set of games with the shipped pack, every optional rule among them, played by a fixed hash of
each decision. A commit that changes it says so and why.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from simlab.game import SCHEDULE, Settings
from simlab.games.dei import engine
from simlab.games.dei.live import LiveGame
from simlab.games.dei.pack import load_pack
from simlab.games.dei.vocabulary import N_FACTIONS, N_FEATS, NONE, PLAYING

# (players, layout, rules, extra Feats): small enough to be played uncompiled, wide enough to reach every
# optional rule, every knob that a ruling names and, with Feats unlocked from the start, all of them mixed
GAMES: tuple[tuple[int, str, dict[str, Any], bool], ...] = (
    (4, "random", {}, False),
    (2, "quick", {"feats_draft": True, "planning": True}, False),
    (3, "random", {"confrontation": True, "rebel": True, "no_choices": True}, False),
    (3, "quick", {"turns": 2, "cards_per_phase": 3, "feat_unlock_cubes": 1}, False),
    (4, "random", {}, True),
    (3, "quick", {"planning": True, "cards_per_phase": 3, "resource_limit": 4}, True),
    (2, "random", {"turns": 6, "scrappers": 6, "refuges": 1, "elevators": 1, "bridges": 1}, True),
    (
        4,
        "random",
        {
            "majority_needs_unit": True,
            "kill_needs_unit": False,
            "place_from_board": True,
            "drone_collect_needs_majority": True,
            "delivery_bot_extra_buy": False,
            "field_engineer_per_build": False,
            "sky_boots_per_card": False,
            "cube_limit_per_color": 1,
        },
        True,
    ),
)


def rows() -> Iterator[tuple[Settings, Any, bool]]:
    """Settings, schedule row and whether Feats are unlocked from the start, of each game."""
    pack = load_pack("reconstructed")
    for number, (players, layout, rules, feats) in enumerate(GAMES):
        row = np.zeros(1, SCHEDULE)[0]
        row["deal_key"] = row["strategy_key"] = 1000 + number
        row["players"] = players
        row["faction"] = NONE
        row["faction"][:players] = [(seat + number) % N_FACTIONS for seat in range(players)]
        outposts = "quick" if layout == "quick" else "advanced"
        yield Settings(rules, {"layout": layout, "outposts": outposts}, {}, pack), row, feats


def unlock_feats(live: LiveGame) -> None:
    """Half of all Feats for every seat, by a hash, beside its own."""
    public, own = live.position.public[0], live.position.own
    for seat in range(int(public.n_seats)):
        extra = _number(seat) & ((1 << N_FEATS) - 1)
        own[seat].feats |= extra
        public.unlocked[seat] = own[seat].feats
    engine.settle(live.position)


def play_by_hash(live: LiveGame) -> Iterator[tuple[int, int]]:
    """Play with a hash of the decision's number as index; yields (number of choices, choice)."""
    number = 0
    while live.ending == PLAYING:
        choices = live.look()
        code = choices[_number(number) % len(choices)]
        yield len(choices), code
        live.apply(code)
        number += 1
    live.end(live.ending, NONE)


def _number(number: int) -> int:
    digest = hashlib.sha256(number.to_bytes(8, "little")).digest()
    return int.from_bytes(digest[:7], "little")


@cache
def signature() -> str:
    """The hash, 16 hex digits, of every list length, choice and result of the fixed games."""
    digest = hashlib.sha256()
    for settings, row, feats in rows():
        live = LiveGame(settings, row)
        if feats:
            unlock_feats(live)
        for n, code in play_by_hash(live):
            digest.update(f"{n} {code}\n".encode())
        log = live.position.log[0]
        digest.update(f"{int(log.game_hash)} {log.final_supplies.tolist()} {log.place.tolist()}\n".encode())
    return digest.hexdigest()[:16]
