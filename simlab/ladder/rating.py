"""What a ladder's games say: ratings, shares of pairs, whether the order is certain.

A rating is Plackett–Luce's strength as Elo's scale has it: 400 points are odds of ten to one in a duel. It
counts whole rankings, not winners alone. Each strategy had every faction in every seat equally often, so
these need no terms of their own, and two ratings say what share of duels to expect over all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log

import numpy as np

from simlab.ladder.games import Games
from simlab.stats.choice_model import Fit, contrast, fit, standardised, strengths
from simlab.stats.choice_sets import exploded
from simlab.stats.equivalence import more_rows
from simlab.stats.intervals import Estimate, Moments, share
from simlab.stats.order import CERTAIN, certainty, of_all
from simlab.stats.simultaneous import simultaneous_shares

LEVEL = 0.95
EVEN = 0.5  # the share of a pair's win at which neither is stronger
ELO = 400 / log(10)  # points a unit of log odds


@dataclass(frozen=True)
class Rating:
    """A strategy's rating in points above the anchor, and its share of duels `among` all the others."""

    strategy: int
    overall: Estimate
    by_players: dict[int, Estimate]
    among: Estimate


@dataclass(frozen=True)
class Pair:
    """Two strategies that met in duels, the higher one of the order first.

    `alone` is the higher one's win share with the interval of this pair, `together` with one that holds for
    all pairs at once; `expected` is what the ratings say of it.
    """

    higher: int
    lower: int
    alone: Estimate
    together: Estimate
    expected: float

    @property
    def kind(self) -> str:
        """Whether it is certain that the higher one is stronger, by the games of the pair."""
        return certainty(self.together, EVEN)


@dataclass(frozen=True)
class Step:
    """A pair of neighbours in the order; `more` games would about make it certain, 0 if it is."""

    pair: Pair
    more: float


@dataclass(frozen=True)
class Order:
    """What the games of one pack say."""

    pack: str
    order: tuple[int, ...]  # strategies, the strongest first
    ratings: tuple[Rating, ...]  # in that order
    pairs: tuple[Pair, ...]
    steps: tuple[Step, ...]  # of the order that is judged

    @property
    def kind(self) -> str:
        """Whether the order is certain."""
        return of_all(step.pair.kind for step in self.steps)


@dataclass(frozen=True, eq=False)
class Fits:
    """The model of all games, and of those with so many players."""

    overall: Fit
    by_players: dict[int, Fit]

    @classmethod
    def of(cls, found: Sequence[Games], strategies: int) -> Fits:
        """Fit them; with one number of players they are the same."""
        counts = sorted({games.meeting.players for games in found})
        by_players = {
            players: _fit([games for games in found if games.meeting.players == players], strategies)
            for players in counts
        }
        overall = by_players[counts[0]] if len(counts) == 1 else _fit(found, strategies)
        return cls(overall, by_players)

    @property
    def order(self) -> tuple[int, ...]:
        """All strategies, the strongest first, by all games; those that are level as the file has them."""
        strength = strengths(self.overall)
        return tuple(sorted(range(len(strength)), key=lambda k: (-round(float(strength[k]), 9), k)))


def judged(
    found: Sequence[Games], strategies: int, anchor: int, pack: str, order: Sequence[int] | None = None
) -> Order:
    """All that the games of one pack say; its steps are those of `order`, by default the games' own."""
    fits = Fits.of(found, strategies)
    order = fits.order if order is None else order
    pairs = _pairs([games for games in found if games.meeting.players == 2], fits.by_players[2], order)
    by_members = {(pair.higher, pair.lower): pair for pair in pairs}
    steps = tuple(
        Step(
            pair,
            0.0
            if pair.kind == CERTAIN
            else more_rows(pair.alone, pair.alone.value - EVEN, 1 - LEVEL, 2 * len(pairs)),
        )
        for pair in (by_members[both] for both in pairwise(order))
    )
    return Order(pack, fits.order, _ratings(fits, anchor), pairs, steps)


# --- ratings --------------------------------------------------------------------------------------------


def _fit(found: Sequence[Games], strategies: int) -> Fit:
    """Plackett–Luce over all games, clustered on deals, which contests share."""
    numbers = [np.arange(len(games.block)) for games in found]
    before = np.cumsum([0, *map(len, numbers)])
    rows, places, sets, blocks = [], [], [], []
    for games, number, first in zip(found, numbers, before, strict=False):
        size = games.meeting.players
        rows.append(games.strategy.ravel())
        places.append(games.place.ravel())
        sets.append(np.repeat(number + first, size))
        blocks.append(np.repeat(games.block * 100 + size, size))
    ids = np.concatenate(rows)[:, None]
    merged = exploded(ids, *map(np.concatenate, (places, sets, blocks))).merged(by_block=True)
    return fit(replace(merged, x=np.eye(strategies)[merged.x[:, 0].astype(np.int64)]))


def _ratings(fits: Fits, anchor: int) -> tuple[Rating, ...]:
    """In the order that they give."""
    return tuple(
        Rating(
            k,
            _elo(fits.overall, k, anchor),
            {players: _elo(fitted, k, anchor) for players, fitted in fits.by_players.items()},
            standardised(fits.by_players[2], _duels(k, len(fits.order)), LEVEL),
        )
        for k in fits.order
    )


def _elo(fitted: Fit, k: int, anchor: int) -> Estimate:
    unit = np.eye(len(fitted.coefficients))
    found = contrast(fitted, unit[k] - unit[anchor], LEVEL)
    return replace(
        found, value=ELO * found.value, se=ELO * found.se, low=ELO * found.low, high=ELO * found.high
    )


def _duels(k: int, strategies: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    """Tables for two: a strategy against each other one."""
    unit = np.eye(strategies)
    return np.stack([[unit[k], unit[other]] for other in range(strategies) if other != k])


# --- pairs ----------------------------------------------------------------------------------------------


def _pairs(duels: Sequence[Games], fitted: Fit, order: Sequence[int]) -> tuple[Pair, ...]:
    """All pairs that met, by the place of the higher one and then of the lower one."""
    rank = {k: number for number, k in enumerate(order)}
    met = {tuple(sorted(games.meeting.members, key=rank.__getitem__)): games for games in duels}
    both = sorted(met, key=lambda pair: [rank[k] for k in pair])
    deals = 1 + max(int(games.block.max(initial=-1)) for games in duels)
    counts, totals = np.zeros((2, deals, len(both)))
    for k, pair in enumerate(both):
        games = met[pair]
        won = (games.won * (games.strategy == pair[0])).sum(axis=1)
        counts[:, k] = np.bincount(games.block, minlength=deals)
        totals[:, k] = np.bincount(games.block, weights=won, minlength=deals)
    together = simultaneous_shares(counts, totals, LEVEL)
    unit = np.eye(len(order))
    return tuple(
        Pair(
            pair[0],
            pair[1],
            share(Moments.of_blocks(counts[:, k], totals[:, k]), LEVEL),
            together[k],
            standardised(fitted, [unit[list(pair)]], LEVEL).value,
        )
        for k, pair in enumerate(both)
    )
