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
from simlab.games.dei.live import LiveGame
from simlab.games.dei.pack import load_pack
from simlab.games.dei.vocabulary import N_FACTIONS, NONE, PLAYING

# (players, layout, rules): small enough to be played uncompiled, wide enough to reach every optional rule
GAMES: tuple[tuple[int, str, dict[str, Any]], ...] = (
    (4, "random", {}),
    (2, "quick", {"feats_draft": True, "planning": True}),
    (3, "random", {"confrontation": True, "rebel": True, "no_choices": True}),
    (3, "quick", {"turns": 2, "cards_per_phase": 3, "feat_unlock_cubes": 1}),
)


def rows() -> Iterator[tuple[Settings, Any]]:
    """Settings and schedule row of each game."""
    pack = load_pack("reconstructed")
    for number, (players, layout, rules) in enumerate(GAMES):
        row = np.zeros(1, SCHEDULE)[0]
        row["deal_key"] = row["strategy_key"] = 1000 + number
        row["players"] = players
        row["faction"] = NONE
        row["faction"][:players] = [(seat + number) % N_FACTIONS for seat in range(players)]
        outposts = "quick" if layout == "quick" else "advanced"
        yield Settings(rules, {"layout": layout, "outposts": outposts}, {}, pack), row


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
    for settings, row in rows():
        live = LiveGame(settings, row)
        for n, code in play_by_hash(live):
            digest.update(f"{n} {code}\n".encode())
        log = live.position.log[0]
        digest.update(f"{int(log.game_hash)} {log.final_supplies.tolist()} {log.place.tolist()}\n".encode())
    return digest.hexdigest()[:16]
