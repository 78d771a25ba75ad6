"""The contract of a strategy.

`choose(public, own, rules, pack, board, choices, n, weights, scratch, key) -> index` with

    public, own       record arrays of length 1: what everybody sees, what this seat knows
    rules, pack, board  the tables, record arrays of length 1
    choices, n        int64 codes of the legal choices; the first n are valid
    weights           int32, the strategy's numbers
    scratch           int64, a row of this seat, zeroed when a game starts; its only memory
    key               int64, its only randomness: a value of the strategy seed, the game and this decision

Scores are integers, so the same choice comes out on every machine, compiled or not. The hidden record is
never passed. A compiled strategy is decorated with `simlab.jit.entry`; a plain Python one works too. A
*readable* one is a class of plain Python whose `choose(view)` gets the same in readable form
(`simlab/readable.py`), and a file of weights gives another one other numbers (`simlab/weights_file.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SCRATCH_LENGTH = 256
WEIGHTS_LENGTH = 128
PART_GAMES = 6_000  # the most games of a part: what memory a worker takes is in proportion
PLAIN_PART_GAMES = 480  # plain Python is slow


@dataclass(frozen=True)
class Strategy:
    """A way to play: a function and its numbers, no state."""

    name: str  # game/name
    says: str  # one line: how it plays
    choose: Callable[..., Any]
    weights: tuple[int, ...] = ()
    weight_names: tuple[str, ...] = ()  # of each weight, where they may be set by name
    compiled: bool = True
    games_per_part: int = PART_GAMES  # at most; a slow strategy takes fewer
    readable: bool = False  # made of a class: `choose` takes the game in progress and a seat
    # it looks at no component that isn't in play: no card in a deck, no Feat, Mission or faction that wasn't
    # dealt, and no rule about one. Arms that change only such things then needn't be played (arm_play.py)
    looks_in_play_only: bool = False
    # without a choice that it didn't take, but asked as often, it chooses the same, then and later. What a
    # seat never used can then be taken from it without a difference: knock_outs.py doesn't play it again
    weighs_choices_alone: bool = False

    def __post_init__(self) -> None:
        """A strategy that can't be played with as it is declared raises ValueError."""
        if self.weight_names and len(self.weight_names) != len(self.weights):
            raise ValueError(f"{len(self.weights)} weights have {len(self.weight_names)} names")
        if len(self.weights) > WEIGHTS_LENGTH:
            raise ValueError(f"it has {len(self.weights)} weights, and at most {WEIGHTS_LENGTH} can be")
        if not all(-(2**31) <= weight < 2**31 for weight in self.weights):
            raise ValueError("a weight is no int32")

    @property
    def part_games(self) -> int:
        """The most games of one part."""
        return min(self.games_per_part, PART_GAMES if self.compiled else PLAIN_PART_GAMES)


@dataclass(frozen=True)
class Family:
    """Strategies that differ by a whole number: `game/name:N`."""

    of: Callable[[int], Strategy]
    low: int
    high: int
