"""A game whose truth is known: Plackett–Luce by its strategies' weight; factions and seats matter too.

Strategies are named by their strength in hundredths of log odds: `fake/150` beats `fake/50` at odds of e.
"""

from __future__ import annotations

import dataclasses
from hashlib import sha256
from pathlib import Path

import numpy as np
from fake_game import (
    ENDINGS,
    FACTIONS,
    GAME_OF_CHANCE,
    GAMES,
    STALLED,
    FakePack,
    choose,
)

from simlab.design import draw
from simlab.game import Column, Table
from simlab.results import BLOCK, GAME, SEAT, WORD, arrow, optional, words
from simlab.strategy import Strategy

SEATS = Table(
    "seats",
    "one row a seat",
    (
        *(GAME, BLOCK, SEAT),
        Column("faction", WORD, "", "who"),
        Column("strategy", WORD, "", "how"),
        Column("place", "int8", "", "1 = winner"),
        Column("win_share", "float32", "", "1 for the winner, else 0"),
    ),
)
FACTION_STRENGTH = np.array([0.0, 0.5, -0.3, 0.2])
SEAT_STRENGTH = np.array([0.3, 0.0, -0.1, -0.2])


def strategy(name: str, games_per_part: int = 24_000) -> Strategy:
    strength = int(name.partition("/")[2].partition("_")[0])
    return Strategy(name, f"strength {strength}", choose, (strength,), games_per_part=games_per_part)


def tables_of(settings, schedule, strategies, logs):
    """Places by Gumbel draws; in a pack whose name ends in -1 the weak are strong."""
    game, seat = np.nonzero(np.arange(6) < schedule["players"][:, None])
    strength = np.array([each.weights[0] for each in strategies]) / 100
    if settings.pack.name.endswith("-1"):
        strength = -strength
    key, own = schedule["strategy_key"][:, None], (1000 * strength).astype(np.int64)[schedule["strategy"]]
    uniform = (draw(key, 97, np.arange(6)[None, :], own) + 0.5) / 2.0**63
    luck = np.where(schedule["strategy"] < 0, -np.inf, -np.log(-np.log(uniform)))
    height = luck + strength[schedule["strategy"]] + FACTION_STRENGTH[schedule["faction"]]
    height[:, :4] += SEAT_STRENGTH
    place = 1 + np.argsort(np.argsort(-height, axis=1), axis=1)
    lost = logs["ending"][game] == STALLED
    columns = {name: schedule[name] for name in ("game", "block", "arm", "rotation", "players")}
    columns["ending"] = words(logs["ending"], ENDINGS)
    columns["ending_seat"] = optional(logs["ending_seat"], logs["ending_seat"] < 0)
    columns["decisions"], columns["game_hash"] = logs["decisions"], logs["game_hash"]
    seats = {
        "game": schedule["game"][game],
        "block": schedule["block"][game],
        "seat": seat.astype(np.int8),
        "faction": words(schedule["faction"][game, seat], FACTIONS),
        "strategy": words(schedule["strategy"][game, seat], [each.name for each in strategies]),
        "place": optional(place[game, seat].astype(np.int8), lost),
        "win_share": optional((place[game, seat] == 1).astype(np.float32), lost),
    }
    return {"games": arrow(GAMES, columns), "seats": arrow(SEATS, seats)}


def load_pack(name: str) -> FakePack:
    return FakePack(Path(name).name, hash=sha256(Path(name).name.encode()).hexdigest())


GAME_OF_STRENGTH = dataclasses.replace(
    GAME_OF_CHANCE,
    tables=(GAMES, SEATS),
    tables_of=tables_of,
    load_pack=load_pack,
    sample_pack=lambda pack, seed, index, keep: (
        f"{pack.name}-{index}",
        {"pack.toml": f"{seed} {index} {keep}\n"},
    ),
)
