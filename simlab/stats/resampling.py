"""Intervals for whatever is read from a table of profiles, by weighing its blocks anew.

α-rank and Nash mixes jump where a payoff gap changes its sign, so no derivative tells their error. Blocks get
random weights instead, again and again, and the answer is computed from each.

Sources: Rubin 1981, "The Bayesian bootstrap"; Muliere and Secchi 1996, "Bayesian nonparametric predictive
inference and bootstrap techniques", for one with a proper prior; Perks 1947 for that prior.
"""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.intervals import Estimate, Floats
from simlab.stats.profiles import PayoffTable, ProfileRows, payoff_table, profiles, shares_table, sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike

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
    if _repeated(rows) and not np.isnan(value).all():
        answers = np.array([statistic(table) for table in tables(rows, seed, draws)], np.float64)
    else:
        answers = np.full((draws, rows.strategies), nan)
    return tuple(_estimate(rows, s, float(value[s]), answers[:, s], level) for s in range(rows.strategies))


def _estimate(rows: ProfileRows, strategy: int, value: float, answers: Floats, level: float) -> Estimate:
    mine = rows.strategy == strategy
    n, clusters = round(float(rows.seats[mine].sum())), len(np.unique(rows.block[mine]))
    if isnan(value) or np.isnan(answers).any():
        return Estimate(value, nan, nan, nan, n, clusters, level)
    low, high = np.quantile(answers, [(1 - level) / 2, (1 + level) / 2]).tolist()
    se = float(answers.std(ddof=1))
    return Estimate(value, se, min(value, low), max(value, high), n, clusters, level)


def tables(rows: ProfileRows, seed: int, draws: int, prior: float = PRIOR) -> Iterator[PayoffTable]:
    """`draws` tables, each of the same blocks with random weights: exponential, on average 1.

    The weights go to blocks in the order of their numbers, from a generator keyed by (`seed`, draw). Five
    blocks that all went one way aren't certain, so each profile that was played gets `prior` further blocks
    on average, in which one of its strategies, each as likely as the other, won everything.
    """
    counts = profiles(rows.strategies, rows.players)
    cell = rows.profile * rows.strategies + rows.strategy
    blocks, block = np.unique(rows.block, return_inverse=True)
    games, kinds = _games_per_block(rows, len(counts)), (counts > 0).sum(axis=1, keepdims=True)
    for draw in range(draws):
        rng = np.random.default_rng((seed, draw))
        weight = rng.standard_exponential(len(blocks))[block.ravel()]
        seats, won = (sums(cell, weight * x, counts.shape) for x in (rows.seats, rows.won))
        if prior > 0:
            extra = rng.standard_gamma(np.broadcast_to(prior / kinds, counts.shape)) * games[:, None]
            extra[counts == 0] = 0.0
            won = won + extra
            seats = seats + extra.sum(axis=1, keepdims=True) * counts
        yield shares_table(rows.players, counts, seats, won)


def _games_per_block(rows: ProfileRows, size: int) -> Floats:
    """Games of each profile (M) in a block that plays it, 0 where none does."""
    games = np.bincount(rows.profile, rows.seats, size) / rows.players
    return np.asarray(games / np.maximum(1, np.bincount(rows.pairs()[0], minlength=size)), np.float64)


def _repeated(rows: ProfileRows) -> bool:
    """Whether each profile of several strategies was played in two blocks or more."""
    counts = profiles(rows.strategies, rows.players)
    held = np.bincount(rows.pairs()[0], minlength=len(counts))
    return not (held[(counts > 0).sum(axis=1) > 1] == 1).any()
