"""Which games are played: deals of three kinds that never meet, and who sits where.

A tuning's deals for search, validation and report come from seeds of their own (`seed_of`), and so do its
opponents' seats; none of them is the seed of a run. Search and validation take new deals each time.

A block is one deal under all its rotations, as in `design.py`. In each the candidate has one place of the
line-up and keeps it, so it plays one faction from every seat; over K · P blocks (K cells) it has every
faction equally often. The league takes the other places in fixed proportions, in an order that chance gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import Any

import numpy as np

from simlab.design import Design, Part, cells, design_of, draw
from simlab.game import MAX_SEATS, Settings
from simlab.strategy import PART_GAMES
from simlab.tuning.question import Tuning

CANDIDATE = 0  # its number in a schedule; the league's begin with 1


@dataclass(frozen=True)
class Deals:
    """Games of one pack: an array of SCHEDULE whose strategies are the candidate and the league."""

    settings: Settings
    schedule: np.ndarray[Any, Any]


def seed_of(purpose: str, *numbers: int) -> int:
    """A seed for one purpose alone: a hash of both, so none that another purpose or a run would have."""
    text = " ".join(["simlab tune", purpose, *map(str, numbers)])
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1


def deal(
    tuning: Tuning, purpose: str, number: int, games: int, proportions: Sequence[float]
) -> tuple[Deals, ...]:
    """At least `games` games for each number of players, shared evenly by the packs, whole cycles of each.

    `number` says which of the purpose's deals: no two numbers share one. `proportions` (league,) add up to 1.
    """
    dealt = []
    for pack, experiment in enumerate(tuning.experiments):
        design = _design(tuning, seed_of(purpose, tuning.seed, pack))
        length = _cycles(tuning, design, games)
        first, size = number * length, length * design.games_in_cycle
        schedule = design.schedule(Part(number, first, first + length, size, size))
        seat(schedule, design, proportions, seed_of(f"{purpose} league", tuning.seed, pack, number))
        dealt.append(Deals(experiment.settings, schedule))
    return tuple(dealt)


def games_of(tuning: Tuning, games: int) -> int:
    """How many games `deal` deals for that many, all numbers of players together."""
    design = _design(tuning, 0)
    return len(tuning.experiments) * _cycles(tuning, design, games) * design.games_in_cycle


def _design(tuning: Tuning, seed: int) -> Design:
    experiment = tuning.experiments[0]
    factions = [tuning.game.factions.index(name) for name in experiment.factions]
    return design_of(seed, experiment.players, factions, [PART_GAMES])


def _cycles(tuning: Tuning, design: Design, games: int) -> int:
    """Cycles of each pack."""
    return design.cycles(ceil(games / len(tuning.experiments)))


def seat(schedule: np.ndarray[Any, Any], design: Design, proportions: Sequence[float], key: int) -> None:
    """Give every seat of a schedule, in place, to the candidate or to one of the league."""
    schedule["strategy"] = -1
    for players in design.players:
        rows = np.flatnonzero(schedule["players"] == players)
        blocks = len(rows) // players
        number = schedule["block"][rows[::players]]
        mine = _own_place(number, design, players)
        others = np.arange(players) != mine[:, None]
        by_place = np.full((blocks, players), CANDIDATE)
        by_place[others] = 1 + _drawn(draw(key, 0, number[:, None], np.arange(players))[others], proportions)
        seats = np.arange(players)
        place = (seats + schedule["rotation"][rows][:, None]) % players
        by_seat = np.full((len(rows), MAX_SEATS), -1)
        by_seat[:, :players] = np.take_along_axis(np.repeat(by_place, players, axis=0), place, axis=1)
        schedule["strategy"][rows] = by_seat


def _own_place(block: np.ndarray[Any, Any], design: Design, players: int) -> np.ndarray[Any, Any]:
    """The candidate's place in the line-up of each block: another at each visit of a cell."""
    cycle, within = np.divmod(block, design.blocks_in_cycle)
    fewer = sum(design.cycle_games // other for other in design.players if other < players)
    own = cycle * (design.cycle_games // players) + within - fewer  # as the design counts blocks of that size
    visit, cell = np.divmod(own, len(cells(len(design.factions), players)))
    place: np.ndarray[Any, Any] = (visit + cell) % players
    return place


def _drawn(chance: np.ndarray[Any, Any], proportions: Sequence[float]) -> np.ndarray[Any, Any]:
    """One of the league for each value of chance: as many of each as its proportion says, in random order."""
    rank = np.empty(len(chance))
    rank[np.argsort(chance, kind="stable")] = np.arange(len(chance)) + 0.5
    upto = np.cumsum(proportions) * len(chance)
    member: np.ndarray[Any, Any] = np.minimum(np.searchsorted(upto, rank, side="right"), len(proportions) - 1)
    return member
