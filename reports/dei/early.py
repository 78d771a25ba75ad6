"""Early Outposts: whether an Outpost more after a Turn is still there later, and what goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reports.dei.basis import LEVEL
from reports.dei.course import Course, course
from reports.document import Cell, Column, Kind, Part, Section, Table
from simlab.stats.intervals import Estimate, Moments, share
from simlab.stats.within import slope

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reports.dei.basis import Basis
    from reports.dei.seated import Ints

WHAT = (
    "Does an early Majority wall others out? An Outpost is controlled by Majority in its Region, so what is "
    "left of an early lead in Outposts says how well Majority is held. These are associations: who has more "
    "early may be strong for other reasons. An arm with more Scrappers at the start tells more."
)
LATER = (
    "Of seats of the same faction{strategy} and seat, those that control an Outpost more after that Turn "
    "have so much more later. Of Outposts 1 would be a wall, 0 nothing left."
)
MOST = (
    "Of the games in which one seat alone controls the most Outposts after that Turn: how often it does so "
    "later, and wins. Any seat: how often that is so of any seat."
)
EARLY = 2  # Turns that count as early


def build(basis: Basis) -> Section | None:
    """What is left of an Outpost more, and of the most Outposts, a player count each."""
    if not basis.has("turns"):
        return None
    parts: list[Part] = [WHAT]
    findings = []
    for players in basis.players:
        games = course(basis, players)
        if games is None or len(games.turns) < 2 or not games.seats.blocks:
            findings.append("")
            continue
        table, said = _left(basis, games)
        parts += [table, _most(basis, games)]
        findings.append(said)
    return Section("Early Outposts", tuple(parts), basis.headline(findings)) if len(parts) > 1 else None


def _left(basis: Basis, games: Course) -> tuple[Table, str]:
    won = 100.0 * (np.arange(games.seats.players) == games.seats.winner[:, None])
    outcomes = {f"Outposts after Turn {turn}": games.outposts[:, k] for k, turn in _later(games)}
    outcomes |= {"Supplies at the end": games.final, "Win share, points": won}
    cell, block = _cells(games), games.seats.block
    rows: list[tuple[Cell, ...]] = []
    for place, (label, outcome) in enumerate(outcomes.items()):
        found = [
            slope(games.outposts[:, early], outcome, cell, block, LEVEL) if place >= early else None
            for early in _early(games)
        ]
        rows.append((label, *found))
    heads = (Column(f"One more after Turn {games.turns[early]}", Kind.CHANGE) for early in _early(games))
    title = "What an Outpost more goes with" + basis.at(games.seats.players)
    note = LATER.format(strategy=", strategy" if len(basis.strategies) > 1 else "")
    return Table((Column("So much more", Kind.TEXT), *heads), tuple(rows), title, note), _finding(games, rows)


def _early(games: Course) -> range:
    """The early Turns, by their places; there is a later one."""
    return range(min(EARLY, len(games.turns) - 1))


def _later(games: Course) -> list[tuple[int, int]]:
    """The Turns after the first, with their places."""
    return list(enumerate(games.turns))[1:]


def _cells(games: Course) -> Ints:
    """Faction, strategy and seat of each seat as one number (N, P)."""
    seats = games.seats
    who = seats.faction * (int(seats.strategy.max(initial=0)) + 1) + seats.strategy
    by_kind: Ints = who * seats.players + np.arange(seats.players)
    return by_kind[seats.kind]


def _finding(games: Course, rows: list[tuple[Cell, ...]]) -> str:
    last = rows[len(games.turns) - 2][1]
    if not isinstance(last, Estimate) or not last.known:
        return ""
    first, end = games.turns[0], games.turns[-1]
    return f"of an Outpost more after Turn {first}, {last.value:.2f} are left after Turn {end}"


def _most(basis: Basis, games: Course) -> Table:
    """Who alone has the most Outposts, then and later."""
    alone = [_alone(games.outposts[:, turn]) for turn in range(len(games.turns))]
    every = np.ones(len(games.seats.winner), bool)
    players = games.seats.players
    rows: list[tuple[Cell, ...]] = []
    for turn, label in _later(games):
        same = (
            _share(games, alone[turn] == alone[e], alone[e] >= 0) if turn > e else None for e in _early(games)
        )
        any_seat = _share(games, (alone[turn] >= 0) / players, every)
        rows.append((f"The most after Turn {label}", *same, any_seat))
    wins = (_share(games, alone[e] == games.seats.winner, alone[e] >= 0) for e in _early(games))
    rows.append(("Wins", *wins, None))
    heads = (Column(f"Most after Turn {games.turns[early]}", Kind.SHARE) for early in _early(games))
    columns = (Column("Later", Kind.TEXT), *heads, Column("Any seat", Kind.SHARE))
    return Table(columns, tuple(rows), "Who has the most Outposts early" + basis.at(players), MOST)


def _alone(outposts: NDArray[np.int16]) -> Ints:
    """The seat that has more Outposts than every other (N,), -1 where there is none."""
    most = outposts.max(axis=1, keepdims=True)
    single = (outposts == most).sum(axis=1) == 1
    return np.where(single, outposts.argmax(axis=1), -1)


def _share(games: Course, values: NDArray[np.floating], where: NDArray[np.bool_]) -> Estimate:
    block, size = games.seats.block[where], games.seats.blocks
    return share(
        Moments.of_blocks(np.bincount(block, minlength=size), np.bincount(block, values[where], size)), LEVEL
    )
