"""A game of strategies read as a whole: who holds, and what that means for levels such as factions.

One pass over blocks that are weighed anew gives α-rank, the Nash mix, what a lone seat wins against that mix,
and the share of each level where all seats draw their strategies from it, all with the same luck, so that
the uncertainty of the mix is in the shares too.

Sources: Wellman, Tuyls and Greenwald 2025, "Empirical game-theoretic analysis: a survey"; those of
`alpharank`, `equilibrium` and `resampling`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.alpharank import alpha_rank
from simlab.stats.equilibrium import nash
from simlab.stats.intervals import Estimate, Floats
from simlab.stats.profiles import PayoffTable, ProfileRows, payoff_table
from simlab.stats.resampling import DRAWS, PRIOR, Weighed, of_draws, repeated, sizes, weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 20_270


@dataclass(frozen=True)
class Reading:
    """Of each strategy (S): its α-rank `mass`, its share of the Nash `mix`, what it wins `against` the mix.

    `levels` (F): win share of each level where every seat draws its strategy from the mix.
    """

    mass: tuple[Estimate, ...]
    mix: tuple[Estimate, ...]
    against: tuple[Estimate, ...]
    levels: tuple[Estimate, ...]


def read(
    rows: ProfileRows,
    level_of: NDArray[np.int64],
    levels: int,
    seed: int = SEED,
    draws: int = DRAWS,
    confidence: float = 0.95,
) -> Reading:
    """Read rows of one level each, `level_of` (N,); several of a block, profile and strategy add up.

    Intervals are those of `resampling.resampled`; NaN where a profile that matters wasn't played, no interval
    where one was played in a single block. Assumes independent blocks.
    """
    finer = (rows.profile * rows.strategies + rows.strategy) * levels + level_of
    weighed = Weighed.of(rows, finer, levels)
    ones = np.ones(weighed.blocks)
    value = _answers(payoff_table(rows), *(x.reshape(-1, levels) for x in weighed.sums(ones)))
    drawn = np.full((draws, len(value)), np.nan)
    if repeated(rows) and not np.isnan(value).all():
        for k, (rng, weight) in enumerate(weights(weighed.blocks, seed, draws)):
            seats, won = (x.reshape(-1, levels) for x in weighed.sums(weight))
            table = weighed.table(seats.sum(axis=1), won.sum(axis=1), rng)
            drawn[k] = _answers(table, *_with_prior(weighed, seats, won, rng))
    of_strategy = [sizes(rows, rows.strategy == s) for s in range(rows.strategies)]
    of_level = [sizes(rows, level_of == f) for f in range(levels)]
    behind = [*(of_strategy * 3), *of_level]
    found = tuple(
        of_draws(float(v), each, *counted, confidence)
        for v, each, counted in zip(value, drawn.T, behind, strict=True)
    )
    s = rows.strategies
    return Reading(found[:s], found[s : 2 * s], found[2 * s : 3 * s], found[3 * s :])


def _answers(table: PayoffTable, seats: Floats, won: Floats) -> Floats:
    """α-rank, mix, payoffs against the mix, and shares of levels, in one row; sums (M · S, F) by level."""
    advantage = table.advantage()
    mix = np.array(nash(advantage).mix)
    if np.isnan(mix).any():
        return np.full(3 * len(mix) + seats.shape[1], np.nan)
    chance = (table.chances(mix) * mix).reshape(-1, 1)
    share = np.divide(won, seats, out=np.full(seats.shape, np.nan), where=seats > 0)
    held = np.where(chance > 0, share, 0.0)
    return np.concatenate([alpha_rank(advantage).mass, mix, table.against(mix), (chance * held).sum(axis=0)])


def _with_prior(
    weighed: Weighed, seats: Floats, won: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Sums by level with a further block each, won by one seat of the table: few blocks prove little."""
    per_seat = PRIOR * np.array([1, weighed.players - 1]) / weighed.players
    size = np.repeat(weighed.games, weighed.counts.shape[1])[:, None] * (seats > 0)
    extra, lost = (rng.standard_gamma(shape, seats.shape) * size / seats.shape[1] for shape in per_seat)
    return seats + extra + lost, won + extra
