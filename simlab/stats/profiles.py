"""Strategies as a game of their own: what each earns beside which others.

P seats, S strategies, and seats averaged over, so a *profile* is how many seats each strategy has: there are
C(S+P−1, P) of them. A table of mean payoffs by profile and strategy is a symmetric game; α-rank and Nash
mixes are read from it (`alpharank`, `equilibrium`), with intervals from blocks weighted anew (`resampling`).

Sources: Wellman, Tuyls and Greenwald 2025, "Empirical game-theoretic analysis: a survey", for tables of
profiles; Gokhale and Traulsen 2010, "Evolutionary games in the multiverse", for many-player invasions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, nan, prod
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from simlab.stats.intervals import Floats


def profiles(strategies: int, players: int) -> NDArray[np.int64]:
    """All profiles (M, S) of `strategies` S at tables of `players` P: seats of each, rows add up to P."""
    if strategies < 1 or players < 2:
        raise ValueError(f"{strategies} strategies at tables of {players} are no game")
    seats = list(combinations_with_replacement(range(strategies), players))
    counts = np.zeros((len(seats), strategies), np.int64)
    np.add.at(counts, (np.arange(len(seats))[:, None], np.array(seats)), 1)
    return counts


def profile_numbers(seated: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where in `profiles` seats by strategy (…, S) stand."""
    strategies, players = seated.shape[-1], int(seated.reshape(-1, seated.shape[-1])[0].sum())
    places = (players + 1) ** np.arange(strategies)[::-1]  # read as digits, the profiles descend
    return np.searchsorted(-(profiles(strategies, players) @ places), -(seated @ places))


@dataclass(frozen=True, eq=False)
class PayoffTable:
    """A symmetric game of P seats and S strategies.

    `counts` (M, S): the profiles, as `profiles` lists them; `payoff` (M, S): what one seat of a strategy
    earns on average, NaN where the strategy has no seat or the profile wasn't played.
    """

    players: int
    counts: NDArray[np.int64]
    payoff: Floats

    @property
    def strategies(self) -> int:
        """How many strategies there are, S."""
        return int(self.counts.shape[1])

    def duels(self) -> Floats:
        """Payoffs (S, S, P) where two strategies share a table.

        [i, j, c − 1]: that of i with c seats, the other P − c being j's; [i, j, P − 1]: i alone at the table.
        """
        one, mine = np.eye(self.strategies, dtype=np.int64), np.arange(1, self.players + 1)[:, None]
        seated = mine * one[:, None, None] + (self.players - mine) * one[None, :, None]  # (S, S, P, S)
        return np.asarray(self.payoff[profile_numbers(seated), np.arange(self.strategies)[:, None, None]])

    def advantage(self) -> Floats:
        """Advantages (S, S): how much more a seat of i earns than a seat of j where only the two sit.

        Mean over all ways to seat both, each alike; antisymmetric. With two seats it is simply i's payoff
        against j less j's against i. NaN where one of these profiles wasn't played.
        """
        duels, p = self.duels(), self.players
        ways = np.array([comb(p, c) for c in range(1, p)], np.float64)
        gaps = duels[:, :, : p - 1] - duels.transpose(1, 0, 2)[:, :, p - 2 :: -1]
        result = gaps @ (ways / ways.sum())
        np.fill_diagonal(result, 0.0)
        return np.asarray(result, np.float64)

    def invasion(self, population: int) -> Floats:
        """Advantages (S, S, m − 1) in a population of m that plays tables drawn at random from itself.

        [i, j, k − 1]: what a seat of i earns more than one of j where k of the m play i, the others j.
        Source: Gokhale and Traulsen 2010 (hypergeometric sampling).
        """
        from scipy.stats import hypergeom

        p, m = self.players, population
        if m < p:
            raise ValueError(f"a population of {m} fills no table of {p}")
        duels, met = self.duels(), np.arange(p)  # others at the table who play i
        k = np.arange(1, m)[:, None]
        as_i, as_j = hypergeom.pmf(met, m - 1, k - 1, p - 1), hypergeom.pmf(met, m - 1, k, p - 1)
        mine = _weighted(as_i, duels)  # c others and itself: c + 1 seats of i
        theirs = _weighted(as_j[:, ::-1], duels.transpose(1, 0, 2))  # P − c seats of j
        gaps = mine - theirs
        gaps[np.arange(self.strategies), np.arange(self.strategies)] = 0.0
        return gaps

    def against(self, mix: ArrayLike) -> Floats:
        """Payoff (S) of each strategy where every other seat draws its own from `mix` (S), adding up to 1.

        NaN for a strategy with a profile that can come up and wasn't played. `against(mix) −
        mix·against(mix)` is what a seat would gain by leaving the mix.
        """
        chance = self.chances(mix)
        payoff = np.where(chance > 0, self.payoff, 0.0)  # what can't come up may be unknown
        return np.asarray((chance * payoff).sum(axis=0), np.float64)

    def chances(self, mix: ArrayLike) -> Floats:
        """Each profile's chance (M, S) for a seat of a strategy while the others draw theirs from `mix`."""
        x = np.asarray(mix, np.float64)
        if x.shape != (self.strategies,) or (x < 0).any() or abs(x.sum() - 1) > 1e-9:
            raise ValueError(f"a mix has a share for each of {self.strategies} strategies, adding up to 1")
        others = self.counts[:, None, :] - np.eye(self.strategies, dtype=np.int64)  # (M, S, S)
        seated = self.counts > 0
        met = np.where(seated[:, :, None], others, 0)
        ways = np.exp(gammaln(self.players) - gammaln(met + 1).sum(axis=2))
        return np.where(seated, ways * np.prod(x**met, axis=2), 0.0)


def _weighted(weights: Floats, payoffs: Floats) -> Floats:
    """Sums (S, S, K) of payoffs (S, S, P) by weights (K, P); what has weight 0 may be NaN."""
    known = np.nan_to_num(payoffs)
    missing = np.isnan(payoffs).astype(np.float64) @ (weights > 0).T.astype(np.float64)
    return np.asarray(np.where(missing > 0, nan, known @ weights.T), np.float64)


@dataclass(frozen=True, eq=False)
class ProfileRows:
    """Played games as sums: a row a block, profile and strategy, in any order.

    `profile` (N) indexes `profiles(strategies, players)`, `strategy` (N), `block` (N); `seats` (N): seats
    that the strategy had in the block's games of that profile; `won` (N): the win shares of these seats
    together. The shares of a game add up to 1.
    """

    players: int
    strategies: int
    profile: NDArray[np.int64]
    strategy: NDArray[np.int64]
    block: NDArray[np.int64]
    seats: Floats
    won: Floats

    def __post_init__(self) -> None:
        _, which = self.pairs()
        games = np.bincount(which, weights=self.seats) / self.players
        if not np.allclose(np.bincount(which, weights=self.won), games, rtol=1e-9):
            raise ValueError("the win shares of a game must add up to 1")

    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The profile of each block and profile that occur together (K), and which of these a row is (N)."""
        size = comb(self.strategies + self.players - 1, self.players)
        found, which = np.unique(self.block * size + self.profile, return_inverse=True)
        return found % size, which

    @classmethod
    def of_games(
        cls, played: ArrayLike, shares: ArrayLike, blocks: ArrayLike, strategies: int
    ) -> ProfileRows:
        """From the strategy and the win share, both (N, P), of the seats of N games, and their blocks (N)."""
        who, share = np.asarray(played, np.int64), np.asarray(shares, np.float64)
        block = np.asarray(blocks, np.int64)
        if who.shape != share.shape or who.ndim != 2 or block.shape != who.shape[:1]:
            raise ValueError(
                f"strategies {who.shape}, shares {share.shape} and blocks {block.shape} don't fit"
            )
        if who.size and not 0 <= who.min() <= who.max() < strategies:
            raise ValueError(f"the strategies must be numbered from 0 to {strategies - 1}")
        if not who.size:
            return cls(who.shape[1], strategies, block, block, block, np.zeros(0), np.zeros(0))
        seated = np.stack([(who == s).sum(axis=1) for s in range(strategies)], axis=1)
        size = len(profiles(strategies, who.shape[1]))
        key = (block * size + profile_numbers(seated))[:, None] * strategies + who
        cells, which = np.unique(key, return_inverse=True)
        seats, won = (sums(which.ravel(), x.ravel(), cells.shape) for x in (np.ones_like(share), share))
        block, profile, strategy = (
            cells // (size * strategies),
            cells // strategies % size,
            cells % strategies,
        )
        return cls(who.shape[1], strategies, profile, strategy, block, seats, won)


def payoff_table(rows: ProfileRows) -> PayoffTable:
    """Win share of a seat by profile and strategy, as played; 1/P where all seats play alike."""
    counts = profiles(rows.strategies, rows.players)
    cell = rows.profile * rows.strategies + rows.strategy
    seats, won = (sums(cell, x, counts.shape) for x in (rows.seats, rows.won))
    return shares_table(rows.players, counts, seats, won)


def sums(cells: NDArray[np.int64], values: Floats, shape: tuple[int, ...]) -> Floats:
    """What `values` (N) add up to in each of the cells of a table of this shape, which `cells` (N) number."""
    return np.asarray(np.bincount(cells, values, prod(shape)), np.float64).reshape(shape)


def shares_table(players: int, counts: NDArray[np.int64], seats: Floats, won: Floats) -> PayoffTable:
    """A table from seats (M, S) and what they won (M, S)."""
    payoff = np.divide(won, seats, out=np.full(counts.shape, nan), where=seats > 0)
    payoff[counts == players] = 1 / players  # what all seats of one strategy win needs no games
    return PayoffTable(players, counts, payoff)
