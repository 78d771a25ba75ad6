"""Drama: everybody's chance to win as the game goes on, how it moves, and when the game is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import examples
from reports.dei.basis import LEVEL
from reports.dei.course import LEAST, Course, course
from reports.document import Cell, Column, Figure, Kind, Lines, Part, Section, Table
from reports.numbers import one
from simlab.stats import drama
from simlab.stats.intervals import Estimate, Floats, Moments, mean, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from reports.dei.basis import Basis

WHAT = (
    "The *chance to win* after a Turn is that of a choice model: it knows each seat's faction, "
    "seat{strategy}, Supplies, Outposts and Priority at that time, and has been fitted to other games than "
    "those it judges. *Favourite*: who has the greatest chance."
)
FIRST = (
    "Leader: the mean chance of who has the most Supplies. Wins: the favourite, in the end. Uncertainty: "
    "100 % if all chances are alike, 0 % if it is over."
)
WHEN = (
    "Moved: how much chance to win passes from seat to seat in the Turn, or at the final count. New "
    "favourite: another than before; at the end, another wins. Decided: one seat's chance is above 90 % and "
    "stays so."
)
WHOLE = (
    "Excitement: all that moves. Drama: by how much the later winner's chance lies below the favourite's, "
    "over the Turns after which it does; 0 for who was never behind. Half-time: after Turn {half}. Dead "
    "time: the share of the Turns that come once the game is decided."
)
LEADS = "Leads and favourites are those after each Turn; how often they change counts from Turn to Turn."
HOLDS = "All seats after all Turns, by what the model gave them: where it is right, both columns agree."
SURE = "Of the favourites after all Turns {won} won, where the model gave them {given}: {so}."
END = "End"
FEW = "Too few blocks{at} for a model of chances: {blocks}, where it takes {needed}."
STEPS = 10  # of chances that are held against what came out


def build(basis: Basis) -> Section | None:
    """Chances by Turn, when games are decided, a game's drama and whether the chances hold."""
    if not basis.has("turns"):
        return None
    strategy = ", strategy" if len(basis.strategies) > 1 else ""
    parts: list[Part] = [WHAT.format(strategy=strategy)]
    findings = []
    for players in basis.players:
        games = course(basis, players)
        if games is None or not games.turns or games.seats.blocks < LEAST:
            blocks = 0 if games is None else games.seats.blocks
            parts.append(FEW.format(at=basis.at(players), blocks=blocks, needed=LEAST))
            findings.append("")
            continue
        found, said = _of(basis, games, players)
        parts += found
        findings.append(said)
    return Section("Drama", tuple(parts), basis.headline(findings))


def _of(basis: Basis, games: Course, players: int) -> tuple[list[Part], str]:
    told = _Told(games)
    at = basis.at(players)
    parts: list[Part] = [_figure(told, at), _chances(told, at), _when(told, at), _whole(told, at)]
    parts += [
        _leads(told, at),
        _holds(told, at),
        _sureness(told),
        *examples.of_places(basis, players, _outliers(told)),
    ]
    return parts, _finding(told)


class _Told:
    """Games with their chances; averages over them with intervals clustered on blocks."""

    def __init__(self, games: Course) -> None:
        self.games, self.block, self.winner = games, games.seats.block, games.seats.winner
        self.chances = games.chances()
        self.favourite = self.chances.argmax(axis=2).astype(np.int8)
        self.leader = drama.leaders(games.standing).astype(np.int8)
        self.moved = drama.moved(self.chances, self.winner)
        self.decided = drama.decided(self.chances)
        self._held = np.bincount(self.block).astype(np.float64)

    @property
    def last(self) -> int:
        """The number of Turns."""
        return len(self.games.turns)

    def label(self, turn: int) -> str:
        """A row's: the Turn by its place, from 1; before the first, and the end."""
        return "0" if turn == 0 else str(self.games.turns[turn - 1]) if turn <= self.last else END

    def mean(self, values: NDArray[Any], where: NDArray[np.bool_] | None = None) -> Estimate:
        return mean(self._moments(values, where), LEVEL)

    def share(self, values: NDArray[Any], where: NDArray[np.bool_] | None = None) -> Estimate:
        return share(self._moments(values, where), LEVEL)

    def _moments(self, values: NDArray[Any], where: NDArray[np.bool_] | None) -> Moments:
        if where is None:
            return Moments.of_blocks(self._held, np.bincount(self.block, values))
        size = len(self._held)
        block, kept = self.block[where], values[where]
        return Moments.of_blocks(np.bincount(block, minlength=size), np.bincount(block, kept, size))

    def chance_of(self, who: NDArray[Any], turn: int) -> Estimate:
        """The mean chance of somebody (N,) after a Turn."""
        return self.share(self.chances[np.arange(len(who)), turn, who])


def _outliers(told: _Told) -> dict[str, int]:
    """Games to look at: their places, by what is said of them."""
    own = told.chances[np.arange(len(told.winner)), 1:, told.winner]
    least = own.min(axis=1)
    game = int(least.argmin())
    turn = told.label(1 + int(own[game].argmin()))
    return {
        "the most excitement": int(told.moved.sum(axis=1).argmax()),
        "the least": int(told.moved.sum(axis=1).argmin()),
        f"won with a chance of {100 * least[game]:.2g} % after Turn {turn}": game,
    }


def _chances(told: _Told, at: str) -> Table:
    columns = (
        Column("After Turn", Kind.TEXT),
        Column("Leader", Kind.SHARE),
        Column("Favourite", Kind.SHARE),
        Column("Wins", Kind.SHARE),
        Column("Uncertainty", Kind.SHARE),
    )
    open_ = drama.uncertainty(told.chances)
    rows: list[tuple[Cell, ...]] = []
    for turn in range(told.last + 1):
        best = told.favourite[:, turn]
        leader = told.chance_of(told.leader[:, turn - 1], turn) if turn else None
        wins = told.share(best == told.winner)
        rows.append((told.label(turn), leader, told.chance_of(best, turn), wins, told.share(open_[:, turn])))
    return Table(columns, tuple(rows), "Chances to win after each Turn" + at, FIRST)


def _figure(told: _Told, at: str) -> Figure:
    turns = range(1, told.last + 1)
    series = (
        ("Favourite's chance", tuple(told.chance_of(told.favourite[:, t], t) for t in turns)),
        ("Leader's chance", tuple(told.chance_of(told.leader[:, t - 1], t) for t in turns)),
        ("Games decided", tuple(told.share(told.decided <= t) for t in turns)),
    )
    plot = Lines(told.games.turns, series, Kind.SHARE, "%", "After Turn")
    return Figure("How a game comes to its end" + at, plot, "The final count comes after the last Turn.")


def _when(told: _Told, at: str) -> Table:
    columns = (
        Column("Turn", Kind.TEXT),
        Column("Moved, points", Kind.AMOUNT),
        Column("New favourite", Kind.SHARE),
        Column("Decided", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    for turn in range(1, told.last + 2):
        before = told.favourite[:, turn - 1]
        after = told.favourite[:, turn] if turn <= told.last else told.winner
        decided = told.share(told.decided <= turn) if turn <= told.last else None
        moved = told.mean(100 * told.moved[:, turn - 1])
        rows.append((told.label(turn), moved, told.share(before != after), decided))
    return Table(columns, tuple(rows), "When a game is decided" + at, WHEN)


def _whole(told: _Told, at: str) -> Table:
    games, winner, half = told.games, told.winner, max(1, told.last // 2)
    own = told.chances[np.arange(len(winner)), 1:, winner].min(axis=1)
    last = games.standing[:, half - 1].argmin(axis=1)
    rows: list[tuple[Cell, ...]] = [
        ("Excitement, points", told.mean(100 * told.moved.sum(axis=1))),
        ("Drama, points", told.mean(100 * drama.drama(told.chances, winner))),
        ("Winner's lowest chance, %", told.mean(100 * own)),
        ("Who is last at half-time wins, %", told.mean(100 * (last == winner))),
        ("Dead time, % of Turns", told.mean(100 * drama.dead_time(told.decided, told.last))),
    ]
    columns = (Column("Mean of a game", Kind.TEXT), Column("", Kind.AMOUNT))
    note = WHOLE.format(half=games.turns[half - 1])
    return Table(columns, tuple(rows), "A game's drama" + at, note)


def _leads(told: _Told, at: str) -> Table:
    """Counts apart from percents and points: a table has the decimals that its least certain number bears."""
    rows: list[tuple[Cell, ...]] = [
        ("Winner's largest deficit, Supplies", told.mean(drama.deficit(told.games.supplies, told.winner))),
        ("Changes of the lead", told.mean(drama.changes(told.leader))),
        ("Changes of the favourite", told.mean(drama.changes(told.favourite[:, 1:]))),
    ]
    columns = (Column("Mean of a game", Kind.TEXT), Column("", Kind.AMOUNT))
    return Table(columns, tuple(rows), "Who leads" + at, LEADS)


def _holds(told: _Told, at: str) -> Table:
    """What the model gave beside what came out."""
    rows: list[tuple[Cell, ...]] = []
    for k, (n, *sums) in enumerate(_by_step(told)):
        said, won = (share(Moments.of_blocks(n, each), LEVEL) for each in sums)
        rows.append((f"{100 * k // STEPS}–{100 * (k + 1) // STEPS} %", int(n.sum()), said, won))
    columns = (
        Column("Chance", Kind.TEXT),
        Column("Seats", Kind.COUNT),
        Column("Mean chance", Kind.LEVEL),
        Column("Won", Kind.SHARE),
    )
    return Table(columns, tuple(rows), "Whether the chances hold" + at, HOLDS)


def _sureness(told: _Told) -> str:
    """Whether favourites win as often as the model says, by the difference of the two in each game."""
    best = told.favourite[:, 1 : told.last + 1]
    given = np.take_along_axis(told.chances[:, 1 : told.last + 1], best[..., None], 2).mean(axis=(1, 2))
    won = (best == told.winner[:, None]).mean(axis=1)
    over = told.mean(given - won)
    so = "it isn't shown to be too sure of them or too careful"
    if over.sure and not over.low <= 0 <= over.high:
        by = told.mean(100 * np.sign(over.value) * (given - won))
        so = f"it is {one(Kind.AMOUNT, by)} points too {'sure of them' if over.value > 0 else 'careful'}"
    return SURE.format(won=one(Kind.SHARE, told.share(won)), given=f"{100 * given.mean():.1f} %", so=so)


def _by_step(told: _Told) -> Iterator[tuple[Floats, ...]]:
    """For each step of the chance, by group of blocks: seats, their chances added up, those that won."""
    cluster, clusters = told.games.seats.cluster[:, None], told.games.seats.clusters
    sums = np.zeros((3, STEPS * clusters))
    won = (np.arange(told.games.seats.players) == told.winner[:, None]).ravel()
    for turn in range(1, told.last + 1):
        chance = told.chances[:, turn]
        step = np.minimum((chance * STEPS).astype(np.int64), STEPS - 1)
        cell = (step * clusters + cluster).ravel()
        for k, weight in enumerate((None, chance.ravel(), won)):
            sums[k] += np.bincount(cell, weight, STEPS * clusters)
    yield from (tuple(by_group) for by_group in sums.reshape(3, STEPS, clusters).swapaxes(0, 1))


def _finding(told: _Told) -> str:
    middle = max(1, told.last // 2)
    wins = told.share(told.favourite[:, middle] == told.winner)
    decided = told.share(told.decided <= told.last)
    return (
        f"the favourite after Turn {told.label(middle)} wins {100 * wins.value:.0f} % of the games, and "
        f"{100 * decided.value:.0f} % are decided before the final count"
    )
