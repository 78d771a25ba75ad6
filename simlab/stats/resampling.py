"""Intervals for whatever is read from a table of profiles, by weighing its blocks anew.

α-rank and Nash mixes jump where a payoff gap changes its sign, so no derivative tells their error. Blocks get
random weights instead, again and again, and the answer is computed from each.

Sources: Rubin 1981, "The Bayesian bootstrap"; Muliere and Secchi 1996, "Bayesian nonparametric predictive
inference and bootstrap techniques", for one with a proper prior; Perks 1947 for that prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from simlab.stats.intervals import Estimate, Floats
from simlab.stats.profiles import PayoffTable, ProfileRows, payoff_table, profiles, shares_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

DRAWS = 400
PRIOR = 1.0


def resampled(
    rows: ProfileRows,
    statistic: Callable[[PayoffTable], ArrayLike],
    seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
) -> tuple[Estimate, ...]:
    """What `statistic` (a table → a number for each strategy, (S)) says, with intervals over blocks.

    The value is that of the table as played; interval: the middle `level` of `draws` answers, stretched to
    hold the value; SE: their standard deviation; `n`, `clusters`: seats and blocks of the strategy. NaN
    intervals where a profile was played in one block alone, and where the answer is NaN.
    Assumes independent blocks. Source: Rubin 1981; Muliere and Secchi 1996.
    """
    value = np.asarray(statistic(payoff_table(rows)), np.float64)
    if value.shape != (rows.strategies,):
        raise ValueError(f"one number for each of {rows.strategies} strategies was due, not {value.shape}")
    if repeated(rows) and not np.isnan(value).all():
        answers = np.array([statistic(table) for table in tables(rows, seed, draws)], np.float64)
    else:
        answers = np.full((draws, rows.strategies), nan)
    behind = (sizes(rows, rows.strategy == s) for s in range(rows.strategies))
    each = zip(value, answers.T, behind, strict=True)
    return tuple(of_draws(float(v), drawn, *counted, level) for v, drawn, counted in each)


def sizes(rows: ProfileRows, mine: NDArray[np.bool_]) -> tuple[int, int]:
    """How many seats and blocks some of the rows, mine (N,), hold."""
    return round(float(rows.seats[mine].sum())), len(np.unique(rows.block[mine]))


def of_draws(value: float, drawn: Floats, n: int, clusters: int, level: float = 0.95) -> Estimate:
    """A value and what it came to with blocks weighed anew (draws,); no interval if any of it is NaN."""
    if isnan(value) or np.isnan(drawn).any():
        return Estimate(value, nan, nan, nan, n, clusters, level)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Estimate(value, float(drawn.std(ddof=1)), min(value, low), max(value, high), n, clusters, level)


def tables(rows: ProfileRows, seed: int, draws: int, prior: float = PRIOR) -> Iterator[PayoffTable]:
    """`draws` tables, each of the same blocks with random weights, as `Weighed.table` makes them."""
    weighed = Weighed.of(rows, rows.profile * rows.strategies + rows.strategy)
    for rng, weight in weights(weighed.blocks, seed, draws):
        yield weighed.table(*weighed.sums(weight), rng, prior)


def weights(blocks: int, seed: int, draws: int) -> Iterator[tuple[np.random.Generator, Floats]]:
    """`draws` times random weights (G,), exponential with mean 1, and the generator that goes on from there.

    The weights go to blocks in the order of their numbers, from a generator keyed by (`seed`, draw).
    """
    for draw in range(draws):
        rng = np.random.default_rng((seed, draw))
        yield rng, rng.standard_exponential(blocks)


@dataclass(frozen=True, eq=False)
class Weighed:
    """Rows as matrices `seats` and `won` (C, G) by cell and block, to be multiplied with weights of blocks.

    `games` (M): games of each profile in a block that plays it, 0 where none does.
    """

    players: int
    counts: NDArray[np.int64]
    games: Floats
    seats: csr_array
    won: csr_array

    @classmethod
    def of(cls, rows: ProfileRows, cell: NDArray[np.int64], finer: int = 1) -> Weighed:
        """From rows and the cell of each (N,): profile · S + strategy, or `finer` cells within each."""
        counts = profiles(rows.strategies, rows.players)
        blocks, block = np.unique(rows.block, return_inverse=True)
        shape = (counts.size * finer, len(blocks))
        seats, won = (csr_array((x, (cell, block.ravel())), shape=shape) for x in (rows.seats, rows.won))
        games = np.bincount(rows.profile, rows.seats, len(counts)) / rows.players
        held = np.bincount(rows.pairs()[0], minlength=len(counts))
        return cls(rows.players, counts, games / np.maximum(1, held), seats, won)

    @property
    def blocks(self) -> int:
        """How many blocks there are, G."""
        return int(self.seats.shape[1])

    def sums(self, weight: Floats) -> tuple[Floats, Floats]:
        """Seats and what they won by cell (C,), blocks counting by their weights (G,)."""
        return self.seats @ weight, self.won @ weight

    def table(
        self, seats: Floats, won: Floats, rng: np.random.Generator, prior: float = PRIOR
    ) -> PayoffTable:
        """A table from such sums (M · S,).

        Five blocks that all went one way aren't certain, so each profile that was played gets `prior` further
        blocks on average, in which one of its strategies, each as likely as the other, won everything.
        """
        counts = self.counts
        seats, won = seats.reshape(counts.shape), won.reshape(counts.shape)
        if prior > 0:
            kinds = (counts > 0).sum(axis=1, keepdims=True)
            extra = rng.standard_gamma(np.broadcast_to(prior / kinds, counts.shape)) * self.games[:, None]
            extra[counts == 0] = 0.0
            won = won + extra
            seats = seats + extra.sum(axis=1, keepdims=True) * counts
        return shares_table(self.players, counts, seats, won)


def repeated(rows: ProfileRows) -> bool:
    """Whether each profile of several strategies was played in two blocks or more."""
    counts = profiles(rows.strategies, rows.players)
    held = np.bincount(rows.pairs()[0], minlength=len(counts))
    return not (held[(counts > 0).sum(axis=1) > 1] == 1).any()
