"""Where the variance of an outcome comes from: place, player, deal, how they meet, and noise.

One deal is played in all P rotations of one line-up, so a block is a table y (P, P) of who by where, each
cell from a game of its own. Where a block was played again with another noise of play, A times in all, what
the A tables share is owed to the deal and who sat where, and what they don't is noise. What blocks of one
*kind* (the same line-up in the same order) share is systematic: place, player and how they meet; what it
leaves is the deal's. Each table is split as in a two-way analysis of variance: its mean, its columns (where),
its rows (who), the rest (both together).

Every mean of squares is estimated from products of different blocks, or of the A tables of one, whose errors
are independent; so the parts are unbiased, and one that is 0 may come out a little below. They add up to
the variance of all outcomes exactly.

Sources: Cornfield and Tukey 1956, "Average values of mean squares in factorials", for the components of
tables whose rows and columns are all there are; Hoeffding 1948 for means of products of different blocks;
Rubin 1981 for the intervals (`resampling.py`); Wolter 2007, ch. 2, for groups of blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlab.stats.intervals import EMPTY, Estimate, Floats
from simlab.stats.resampling import of_draws, weights

Ints = NDArray[np.int64]
PLACE, BEYOND = "place", "beyond"  # systematic parts; those of factors have the factors' names between them
DEAL, DEAL_PLACE, DEAL_PLAYER, DEAL_BOTH = "deal", "deal by place", "deal by player", "deal by both"
NOISE, DEAL_AND_NOISE = "noise", "deal and noise"
SYSTEMATIC, DEALT = "systematic", "dealt"  # sums: of the parts up to BEYOND, of those that begin with DEAL
DRAWS = 200
GROUPS = 1_024  # of neighbouring blocks at most
TIMES, REPEATED = (
    3,
    0.9,
)  # so often must the kinds of so many blocks have come: of two, intervals are too short


@dataclass(frozen=True, eq=False)
class Rounds:
    """Outcomes of B blocks.

    `y` (A, B, P, P): of replicate, block, player and place. `kind` (B,): which line-up in which order it is,
    from 0; `factors` name what players differ by, a level by kind and player, each (M, P).
    """

    y: NDArray[Any]
    kind: Ints
    factors: Mapping[str, Ints]

    @property
    def rows(self) -> int:
        """How many outcomes there are."""
        return int(self.y.size)

    def clusters(self) -> Ints:
        """The group of neighbouring blocks of each (B,), at most GROUPS of them."""
        blocks = len(self.kind)
        return np.arange(blocks) // -(-max(blocks, 1) // GROUPS)


@dataclass(frozen=True, eq=False)
class Variance:
    """The variance of an outcome, and its parts in order, each as a fraction of it.

    `total` has the unit of the outcome, squared. `parts` name the systematic ones, then those of the deal,
    then noise, or the deal and noise in one where nothing was played again. `sums` has what is systematic,
    what is dealt and noise, or the former and the rest.
    """

    total: Estimate
    parts: Mapping[str, Estimate]
    sums: Mapping[str, Estimate]


def components(rounds: Rounds, seed: int = 0, draws: int = DRAWS, level: float = 0.95) -> Variance | None:
    """Split the variance of an outcome; None where too few kinds of blocks came thrice to tell.

    Intervals: the middle `level` of `draws` answers with groups of blocks weighed anew, of each part alone.
    Assumes independent blocks, and 30 groups or more for the intervals to be right.
    """
    sums = _Sums.of(rounds)
    if sums is None:
        return None
    value = sums.parts(np.ones(sums.groups))
    drawn = [sums.parts(weight) for _, weight in weights(sums.groups, seed, draws)]

    def estimate(of: str) -> Estimate:
        divided = [_share(each, of) for each in (value, *drawn)]
        if isnan(divided[0]):  # nothing varies, so there are no parts of it
            return EMPTY
        return of_draws(divided[0], np.array(divided[1:]), rounds.rows, sums.groups, level)

    last = [NOISE] if NOISE in value else [DEAL_AND_NOISE]
    added = [name for name in (SYSTEMATIC, DEALT, *last) if name in value]
    parts = {name: estimate(name) for name in value if name not in ("total", SYSTEMATIC, DEALT)}
    return Variance(estimate("total"), parts, {name: estimate(name) for name in added})


def _share(found: Mapping[str, float], name: str) -> float:
    total = found["total"]
    return total if name == "total" else found[name] / total if total > 0 else nan


@dataclass(frozen=True, eq=False)
class _Sums:
    """All that the parts need, by group (G) or by group and kind (R pairs, those of a kind together).

    `squares` (G, 5): squared outcomes, then squared means of cells, columns, rows and table; `blocks` (G,);
    `main` by factor: totals and counts (G, L) of its levels. `tables` (R, P, P), `held` (R,): the tables of a
    pair added up, and how many; `group` (R,) and `first` (M,): a pair's group, a kind's first pair.
    """

    squares: Floats
    blocks: Floats
    main: Mapping[str, tuple[Floats, Floats]]
    tables: Floats
    held: Floats
    group: Ints
    first: Ints
    replicates: int

    @classmethod
    def of(cls, rounds: Rounds) -> _Sums | None:
        cluster = rounds.clusters()
        if not len(cluster):
            return None
        groups, players = int(cluster[-1]) + 1, rounds.y.shape[-1]
        pairs, pair = np.unique(rounds.kind * groups + cluster, return_inverse=True)
        kinds, group = np.divmod(pairs, groups)
        first = np.flatnonzero(np.r_[True, np.diff(kinds) > 0])
        y = rounds.y - rounds.y.mean(dtype=np.float64)  # which changes no part, but steadies the weighed ones
        mean = y.mean(axis=0)
        tables = _added(pair, mean.reshape(len(mean), -1).T).reshape(-1, players, players)
        held = np.bincount(pair).astype(np.float64)
        groups_of_kind = np.diff(first, append=len(pairs))
        seldom = np.repeat(groups_of_kind < TIMES, groups_of_kind)
        if held[seldom].sum() > (1 - REPEATED) * len(cluster):
            return None
        squares = _added(cluster, _squares(y))
        main = {PLACE: _levels(tables, held, group, groups, None)}
        for name, level in rounds.factors.items():
            main[name] = _levels(tables, held, group, groups, level[kinds])
        blocks = np.bincount(cluster).astype(np.float64)
        return cls(squares, blocks, main, tables, held, group, first, len(rounds.y))

    @property
    def groups(self) -> int:
        return len(self.blocks)

    def parts(self, weight: Floats) -> dict[str, float]:
        """The total, its parts and their sums, groups counting by their weights (G,)."""
        every, cell, place, player, table = (weight @ self.squares / (weight @ self.blocks)).tolist()
        known_cell, known_place, known_player, known_table = self._systematic(weight)
        totals, counts = self.main[PLACE]
        grand = _products(weight, totals.sum(axis=1, keepdims=True), counts.sum(axis=1, keepdims=True))
        found = {name: _products(weight, *levels) - grand for name, levels in self.main.items()}
        found[BEYOND] = known_cell - grand - sum(found.values())
        if self.replicates == 1:
            found[DEAL_AND_NOISE] = every - known_cell
        else:
            found[DEAL] = table - known_table
            found[DEAL_PLACE] = place - known_place - found[DEAL]
            found[DEAL_PLAYER] = player - known_player - found[DEAL]
            found[DEAL_BOTH] = cell - known_cell - found[DEAL] - found[DEAL_PLACE] - found[DEAL_PLAYER]
            found[NOISE] = every - cell
            found[DEALT] = cell - known_cell
        return {"total": every - grand, SYSTEMATIC: known_cell - grand, **found}

    def _systematic(self, weight: Floats) -> tuple[float, ...]:
        """Mean squares of what blocks of a kind share: by cell, column, row and table."""
        w = weight[self.group]
        held = np.add.reduceat(w * self.held, self.first)
        pairs = held**2 - np.add.reduceat((w * self.held) ** 2, self.first)
        weighed = w[:, None, None] * self.tables
        summed = np.add.reduceat(weighed, self.first, axis=0)
        several = np.diff(self.first, append=len(w)) > 1
        share = np.where(several, held, 0.0) / held[several].sum()
        return tuple(
            float(share[several] @ ((whole - np.add.reduceat(each, self.first))[several] / pairs[several]))
            for whole, each in zip(_means(summed), _means(weighed), strict=True)
        )


def _means(tables: Floats) -> tuple[Floats, ...]:
    """Mean squares of tables (N, P, P), each (N,): of cells, means of columns, means of rows, the mean."""
    columns, rows = tables.mean(axis=1), tables.mean(axis=2)
    return (
        np.square(tables).mean(axis=(1, 2)),
        np.square(columns).mean(axis=1),
        np.square(rows).mean(axis=1),
        np.square(rows.mean(axis=1)),
    )


def _squares(y: Floats) -> list[Floats]:
    """Mean squares by block (B,): of outcomes, then as `_means` has them, of products if A > 1."""
    each = [_means(table) for table in y]
    every = sum((found[0] for found in each), np.zeros(y.shape[1])) / len(y)
    if len(y) == 1:
        return [every, *each[0]]
    summed = _means(y.sum(axis=0))
    pairs = len(y) * (len(y) - 1)
    return [every, *((summed[k] - sum(found[k] for found in each)) / pairs for k in range(4))]


def _levels(
    tables: Floats, held: Floats, group: Ints, groups: int, level: Ints | None
) -> tuple[Floats, Floats]:
    """Totals and counts (G, L) of places, or of the levels (R, P) of the rows of each pair's tables."""
    players = tables.shape[1]
    totals = tables.mean(axis=1 if level is None else 2)
    level = np.broadcast_to(np.arange(players), totals.shape) if level is None else level
    size = int(level.max()) + 1
    cell = (group[:, None] * size + level).ravel()
    counts = np.repeat(held[:, None], players, axis=1)
    found = _added(cell, (totals.ravel(), counts.ravel()), groups * size)
    return found[:, 0].reshape(groups, size), found[:, 1].reshape(groups, size)


def _added(which: Ints, columns: Iterable[Floats], size: int = 0) -> Floats:
    """Columns (N,) each added up by number (N,): (numbers, columns)."""
    return np.stack([np.bincount(which, each, size).astype(np.float64) for each in columns], axis=1)


def _products(weight: Floats, totals: Floats, counts: Floats) -> float:
    """The mean square of the levels' means, from products of different groups: totals, counts (G, L)."""
    total, count = weight @ totals, weight @ counts
    twice = weight**2
    pairs = count**2 - twice @ counts**2
    held = pairs > 0
    square = (total**2 - twice @ totals**2)[held] / pairs[held]
    return float(count[held] @ square / count[held].sum())
