"""How dramatic games are, by everybody's chance to win after each Turn.

`chances` (N, T + 1, P) are those before the first Turn and after each of T, of N games with P seats; `winner`
(N,) is the seat that won. Each function gives a number a game (N,), to be averaged over blocks.

Sources: Browne and Maire 2010, "Evolutionary game design", and Browne 2008 for drama, lead changes and
uncertainty; Ely, Frankel and Kamenica 2015, "Suspense and surprise", for belief that moves as what
excites; Shannon 1948 for entropy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

Ints = NDArray[np.int64]
Chances = NDArray[np.float32]
SURE = 0.9  # a chance above it: decided


def moved(chances: Chances, winner: Ints) -> Chances:
    """How much chance to win passed from seat to seat in each Turn and at the final count (N, T + 1).

    Half the sum of what the chances changed by, 0 to 1. The row's sum is the game's *excitement*.
    """
    found = np.empty(chances.shape[:2], np.float32)
    for turn in range(chances.shape[1] - 1):  # one at a time, for want of memory
        found[:, turn] = np.abs(chances[:, turn + 1] - chances[:, turn]).sum(axis=1) / 2
    found[:, -1] = 1 - chances[np.arange(len(winner)), -1, winner]  # all others' chances pass to who won
    return found


def uncertainty(chances: Chances) -> Chances:
    """How open a game is before the first Turn and after each (N, T + 1): 1 if even, 0 if it is over.

    Entropy of the chances over that of even ones.
    """
    found = np.empty(chances.shape[:2], np.float32)
    for turn in range(chances.shape[1]):
        found[:, turn] = entr(chances[:, turn]).sum(axis=1) / np.log(chances.shape[2])
    return found


def decided(chances: Chances, sure: float = SURE) -> Ints:
    """The Turn after which one seat's chance stays above `sure` (N,): 0 … T, T + 1 if that never is."""
    best, above = chances.argmax(axis=2), chances.max(axis=2) > sure
    held = above & (best == best[:, -1:])
    lasting = np.logical_and.accumulate(held[:, ::-1], axis=1).sum(axis=1)
    return np.asarray(chances.shape[1] - lasting, np.int64)


def dead_time(turn: Ints, turns: int) -> NDArray[np.float64]:
    """The share of the Turns that are played once the game is decided (N,), by `decided`."""
    return np.asarray(np.maximum(0, turns - turn) / turns, np.float64)


def behind(chances: Chances, winner: Ints) -> Chances:
    """By how much the winner's chance lay below the favourite's, after each Turn (N, T)."""
    own = chances[np.arange(len(winner)), :, winner]
    found: Chances = (chances.max(axis=2) - own)[:, 1:]
    return found


def drama(chances: Chances, winner: Ints) -> NDArray[np.float64]:
    """The mean of `behind` over those Turns after which the winner was behind (N,); 0 where it never was.

    Browne's, without the root that he takes of each.
    """
    each = behind(chances, winner)
    return np.asarray(each.sum(axis=1) / np.maximum(1, (each > 0).sum(axis=1)), np.float64)


def leaders(standing: NDArray[Any]) -> Ints:
    """Who is first after each Turn (N, T), by a standing (N, T, P) in which no two are alike."""
    return np.asarray(standing.argmax(axis=2), np.int64)


def changes(who: NDArray[Any]) -> Ints:
    """How often another is first than after the Turn before (N,), of who is first after each (N, T)."""
    return np.asarray((np.diff(who, axis=1) != 0).sum(axis=1), np.int64)


def deficit(scores: NDArray[Any], winner: Ints) -> Ints:
    """By how much the winner was behind the first at most (N,), scores (N, T, P) after each Turn."""
    own = scores[np.arange(len(winner)), :, winner]
    return np.asarray((scores.max(axis=2) - own).max(axis=1), np.int64)
