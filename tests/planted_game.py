"""A game whose best weights are known: a seat's score falls as its weights leave them; the deal adds luck."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from fake_game import GAME_OF_CHANCE, choose, tables_of

from simlab.design import draw
from simlab.strategy import Strategy

LOG = np.dtype([("score", "f8", 6), ("ending", "i1")])
NAMES = ("factor", "negative", "zero", "idle")
BEST = (700, -90, 150)  # of the first three; the last one changes nothing
START = (400, -160, 0, 50)
LUCK = 2.0


def off(weights) -> float:
    """How far weights are from the best, in units of the search: 0 is perfect."""
    factor, negative, zero = weights[:3]
    logs = [np.log(max(factor, 1) / BEST[0]), np.log(max(-negative, 1) / -BEST[1]), (zero - BEST[2]) / 150]
    return float(np.square(logs).sum())


def play(settings, schedule, strategies, checkpoint, *, broken=False):
    checkpoint()
    logs = np.zeros(len(schedule), LOG)
    logs["ending"] = 1
    skill = np.array([-off(strategy.weights) for strategy in strategies])
    for seat in range(6):
        luck = draw(schedule["deal_key"], 98, schedule["faction"][:, seat], 0) / 2.0**63
        logs["score"][:, seat] = skill[schedule["strategy"][:, seat]] + LUCK * luck
    if broken:
        logs["ending"][0] = 6
    return logs


def outcome(schedule, logs):
    present = np.arange(6) < schedule["players"][:, None]
    score = np.where(present, logs["score"], -np.inf)
    won = (score == score.max(1)[:, None]) / (score == score.max(1)[:, None]).sum(1)[:, None]
    won[logs["ending"] != 1] = np.nan
    return won, np.where(present, score, 0.0)


GAME = replace(GAME_OF_CHANCE, name="planted", play=play, outcome=outcome, tables_of=tables_of)
BROKEN = replace(GAME, name="broken", play=partial(play, broken=True))
HILL = Strategy("planted/hill", "climbs", choose, weights=START, weight_names=NAMES)
PEAK = replace(HILL, name="planted/peak", weights=(*BEST, 50))
NAMELESS = Strategy("planted/nameless", "has no names", choose, weights=START)
PLAIN = replace(HILL, name="planted/plain", compiled=False)
