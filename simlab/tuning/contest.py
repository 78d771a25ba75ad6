"""Playing candidates: all of them the same deals in the same seats against the same league.

So what tells two candidates apart is not luck that both could have had (common random numbers). What a game
comes to depends on its row of the schedule alone; who plays it, beside what, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlab import threads
from simlab.design import Part
from simlab.game import Game
from simlab.stats.intervals import Estimate, Moments, mean, share
from simlab.strategy import Strategy
from simlab.threads import Checkpoint, Pace
from simlab.tuning.deals import CANDIDATE, Deals

_CALL_GAMES = 480  # of one candidate, that a worker plays in one go

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Played:
    """What candidates made of the same games, in the order of the deals.

    `won` and `margin` are (candidate, game): the win share, and by how much the own score is above the mean
    of the others'. A game that ended irregularly is lost, by 0; `irregular` says how many did.
    """

    players: np.ndarray[Any, Any]  # (game,)
    block: np.ndarray[Any, Any]  # (game,), other numbers for other packs
    won: Floats
    margin: Floats
    irregular: int

    def fitness(self, margin: float) -> Floats:
        """Of each candidate: its mean win share, plus `margin` times its mean lead.

        Both are means over the numbers of players, each of which counts the same. A lead is in standard
        deviations of all candidates' games with that number of players.
        """
        found = np.zeros(len(self.won))
        numbers = np.unique(self.players)
        for number in numbers:
            games = self.players == number
            lead = self.margin[:, games]
            spread = float(lead.std())
            found += self.won[:, games].mean(axis=1)
            found += margin * lead.mean(axis=1) / spread if spread > 0 else 0.0
        return found / len(numbers)

    def shares(self, candidate: int = 0) -> dict[int, Estimate]:
        """Its win share for each number of players, the interval clustered on blocks."""
        return self._each(share, self.won[candidate])

    def differences(self, one: int, other: int) -> dict[int, Estimate]:
        """By how much one candidate's win share is above another's, for each number of players, paired."""
        return self._each(mean, self.won[one] - self.won[other])

    def _each(self, estimate: Callable[[Moments], Estimate], values: Floats) -> dict[int, Estimate]:
        found = {}
        for number in np.unique(self.players):
            games = self.players == number
            found[int(number)] = estimate(Moments.of_rows(values[games], self.block[games]))
        return found


@dataclass(frozen=True)
class _Job:
    """Some games of one candidate."""

    part: Part
    candidate: int
    deals: Deals
    at: int  # the first one's number among all games of a candidate

    @property
    def rows(self) -> np.ndarray[Any, Any]:
        rows: np.ndarray[Any, Any] = self.deals.schedule[self.part.first : self.part.last]
        return rows


@dataclass(frozen=True)
class Contest:
    """Where games are played: with how many workers, and at what pace so far; `advance` hears of games."""

    game: Game
    workers: int
    pace: Pace
    advance: Callable[[int], None]

    def play(
        self, candidates: Sequence[Strategy], league: Sequence[Strategy], deals: Sequence[Deals]
    ) -> Played:
        """Have all candidates play all deals."""
        schedule = np.concatenate([each.schedule for each in deals])
        won, margin = (np.zeros((len(candidates), len(schedule))) for _ in range(2))
        irregular = 0
        jobs = [job for candidate in range(len(candidates)) for job in _jobs(candidate, deals)]

        def play(job: _Job, checkpoint: Checkpoint) -> tuple[_Job, Floats, Floats]:
            strategies = [candidates[job.candidate], *league]
            logs = self.game.play(job.deals.settings, job.rows, strategies, checkpoint)
            return job, *_own(job.rows, *self.game.outcome(job.rows, logs))

        with closing(threads.played(jobs, play, self.workers, self.pace)) as done:
            for some in done:
                for job, own_won, own_margin in some:
                    games = slice(job.at, job.at + len(own_won))
                    lost = np.isnan(own_won)
                    irregular += int(lost.sum())
                    won[job.candidate, games] = np.where(lost, 0.0, own_won)
                    margin[job.candidate, games] = np.where(lost, 0.0, own_margin)
                    self.advance(len(own_won))
        return Played(schedule["players"], _blocks(deals), won, margin, irregular)


def _jobs(candidate: int, deals: Sequence[Deals]) -> Iterator[_Job]:
    """The games of a candidate in pieces, whole blocks each."""
    before = 0
    for each in deals:
        games = len(each.schedule)
        starts = np.flatnonzero(np.diff(each.schedule["block"], prepend=-1))
        first = 0
        while first < games:
            later = starts[starts >= first + _CALL_GAMES]
            last = int(later[0]) if len(later) else games
            yield _Job(Part(0, first, last, last - first, last - first), candidate, each, before + first)
            first = last
        before += games


def _blocks(deals: Sequence[Deals]) -> np.ndarray[Any, Any]:
    """The block of each game, counted on from pack to pack."""
    numbers, before = [], 0
    for each in deals:
        block = each.schedule["block"] - each.schedule["block"].min()
        numbers.append(block + before)
        before += int(block.max()) + 1
    return np.concatenate(numbers)


def _own(rows: np.ndarray[Any, Any], won: Floats, score: Floats) -> tuple[Floats, Floats]:
    """The candidate's win share and lead in each game."""
    game = np.arange(len(rows))
    seat = (rows["strategy"] == CANDIDATE).argmax(axis=1)
    own = score[game, seat]
    return won[game, seat], own - (score.sum(axis=1) - own) / (rows["players"] - 1)
