"""A game in which every faction's true win share is known: it wins by its strength, whatever its seat.

`turns` other than 4 doubles the strength of grey, on the same luck; `layout = "quick"` changes no result.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from fake_game import FACTIONS, GAME_OF_CHANCE, GAMES, LOG, STALLED, choose, outcome, tables_of

from simlab.design import draw
from simlab.game import Column, Table
from simlab.results import ARM, BLOCK, GAME, SEAT, WORD, arrow, optional, words
from simlab.strategy import Strategy

STRENGTHS = np.array([1.0, 1.0, 1.0, 1.0])  # of the factions
UNEVEN = np.array([3.0, 1.0, 1.0, 1.0])  # 50 % and a sixth each
SEATS = Table(
    "seats",
    "one row a seat",
    (
        *(GAME, BLOCK, ARM, Column("players", "int8", "", "number of players"), SEAT),
        *(Column("faction", WORD, "", "who"), Column("strategy", WORD, "", "how")),
        Column("win_share", "float32", "", "1 for the winner"),
    ),
)


def recorded(schedule, strategies, won, made):
    """The tables of games in which the seats won so, (n, 6); NaN for what didn't finish."""
    game, seat = np.nonzero(np.arange(6) < schedule["players"][:, None])
    share = won[game, seat]
    columns = {
        "game": schedule["game"][game],
        "block": schedule["block"][game],
        "arm": schedule["arm"][game],
        "players": schedule["players"][game],
        "seat": seat.astype(np.int8),
        "faction": words(schedule["faction"][game, seat], FACTIONS),
        "strategy": words(schedule["strategy"][game, seat], [each.name for each in strategies]),
        "win_share": optional(np.nan_to_num(share).astype(np.float32), np.isnan(share)),
    }
    return {"games": made["games"], "seats": arrow(SEATS, columns)}


def even(strengths: np.ndarray, *, irregular: int = 0):
    """The game with such factions; one game in `irregular` stalls."""

    def play(settings, schedule, strategies, checkpoint=lambda: None):
        checkpoint()
        logs = np.zeros(len(schedule), LOG)
        faction = schedule["faction"]
        luck = draw(schedule["strategy_key"][:, None], 96, np.maximum(faction, 0), 0)
        of_each = np.append(strengths, 1.0)
        if settings.rules.get("turns", 4) != 4:
            of_each = of_each * np.array([1, 1, 1, 2, 1])
        skill = np.array([strategy.weights[0] for strategy in strategies], float)
        rate = of_each[faction] * skill[schedule["strategy"]]
        wait = np.where(faction >= 0, -np.log((luck + 1) / 2.0**63) / rate, np.inf)
        logs["game_hash"] = draw(schedule["strategy_key"], 95, wait.argmin(1), 0)
        stalls = irregular and schedule["strategy_key"] % irregular == 0
        logs["ending"] = np.where(stalls, STALLED, 1)
        logs["ending_seat"] = -1
        logs["decisions"] = wait.argmin(1)  # who won
        return logs

    def record(settings, schedule, strategies, logs):
        won = (np.arange(6) == logs["decisions"][:, None]).astype(float)
        won[logs["ending"] == STALLED] = np.nan
        return recorded(schedule, strategies, won, tables_of(settings, schedule, strategies, logs))

    return replace(GAME_OF_CHANCE, name="even", tables=(GAMES, SEATS), play=play, tables_of=record)


EVEN, PLANTED = even(STRENGTHS), even(UNEVEN)


def record_chance(settings, schedule, strategies, logs):
    logs = np.concatenate(logs)
    won, _ = outcome(schedule, logs)
    return recorded(schedule, strategies, won, tables_of(settings, schedule, strategies, logs))


CHANCE = replace(GAME_OF_CHANCE, name="chance", tables=(GAMES, SEATS), tables_of=record_chance)
"""The game of chance with its win shares recorded: one that plain Python can play."""


def strategy(name: str, skill: int = 1) -> Strategy:
    return Strategy(name, "wins by its skill", choose, weights=(skill, 0), games_per_part=4_000)
