"""Everybody's chance to win as a game goes on, by a choice model that hasn't seen the game.

After each Turn a conditional logit says who will win by what everybody then has. *Cross-fitted*: blocks fall
into two halves by chance, and each half's chances come from a model of the other half, so no game is judged
by a model that was fitted to it. A few thousand blocks fix a dozen coefficients far better than the
model is right, so of a large run only some blocks, drawn by chance, are fitted to.

Sources: McFadden 1974 for the model; Chernozhukov et al. 2018, "Double/debiased machine learning", for
cross-fitting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from simlab.stats.choice_sets import Choices
from simlab.stats.likelihood import maximum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from simlab.stats.intervals import Floats

Ints = NDArray[np.int64]
FITTED = 2_000  # blocks a model is fitted to, at most
AT_ONCE = 50_000  # games that are described at a time


def cross_fitted(
    describe: Callable[[Ints], Floats], winner: Ints, block: Ints, seed: int = 0, fitted: int = FITTED
) -> NDArray[np.float32]:
    """Each seat's chance to win (N, P), by a model of other blocks.

    `describe` gives what describes the seats of some games (n,) as (n, P, K); `winner` (N,) is the place of
    who won, `block` (N,) numbered from 0 without gaps. Which blocks are fitted to hangs on `seed` and the
    number of blocks alone.
    """
    blocks = int(block.max(initial=-1)) + 1
    if blocks < 2:
        raise ValueError(f"a model of other blocks takes two blocks or more, not {blocks}")
    rank = np.random.default_rng((seed, blocks)).permutation(blocks)[block]
    half = rank % 2
    found: NDArray[np.float32] | None = None
    for side in (0, 1):
        used = np.flatnonzero((half != side) & (rank < 2 * fitted))
        beta = _coefficients(describe(used), winner[used])
        for games in _pieces(np.flatnonzero(half == side)):
            chance = softmax(describe(games) @ beta, axis=1)
            if found is None:
                found = np.empty((len(winner), chance.shape[1]), np.float32)
            found[games] = chance
    assert found is not None
    return found


def _coefficients(x: Floats, winner: Ints) -> Floats:
    """Of greatest likelihood; where some are infinite, large enough for chances that are all but 0 and 1."""
    games, places, columns = x.shape
    won = (np.arange(places) == winner[:, None]).astype(np.float64).ravel()
    start = np.arange(games) * places
    ones = np.ones(games)
    return maximum(Choices(x.reshape(-1, columns), won, start, ones, np.zeros(games, np.int64)))


def _pieces(games: Ints) -> Iterator[Ints]:
    for first in range(0, len(games), AT_ONCE):
        yield games[first : first + AT_ONCE]
