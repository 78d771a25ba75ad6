"""The game of chance, taking its time: to be stopped, killed and starved while it plays.

It is installed beside simlab for commands in processes of their own (`commands.py`).
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace

import numpy as np
from fake_game import GAME_OF_CHANCE, choose, play, strategy, tables_of

from simlab.game import MAX_SEATS

SECONDS = float(os.environ.get("SLOW_SECONDS", "0"))  # a game
PART_GAMES = 160  # so the first parts have 8 games, the next 40


def slow_play(settings, schedule, strategies, checkpoint):
    for _ in range(len(schedule) // 4):
        checkpoint()
        time.sleep(4 * SECONDS)
    return play(settings, schedule, strategies)


@dataclass
class SlowGame:
    """One game in progress: a single decision of two choices."""

    ending: int = 0
    active: int = 0
    n: int = 2

    def look(self) -> list[int]:
        time.sleep(SECONDS)
        return [0, 1]

    def ask(self, asked, seat):
        return asked.choose(None, None, None, None, None, None, 2, None, None, 0)

    def apply(self, code):
        self.ending = 1

    def end(self, ending, seat):
        self.ending = ending

    @property
    def log(self):
        return np.zeros(1, np.int8)

    @property
    def choices(self) -> list[int]:
        return [0, 1]


def slow_tables_of(settings, schedule, strategies, logs):
    return tables_of(settings, schedule, strategies, play(settings, schedule, strategies))


GAME = replace(
    GAME_OF_CHANCE,
    name="slow",
    play=slow_play,
    open=lambda settings, row: SlowGame(),
    tables_of=slow_tables_of,
)
assert max(GAME.players) <= MAX_SEATS

COMPILED = replace(strategy("slow/compiled", PART_GAMES), weight_names=("one", "other"))
PLAIN = replace(strategy("slow/plain", PART_GAMES), compiled=False, choose=choose)
