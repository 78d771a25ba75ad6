"""Chance during play. All that chance fixes before play is in the Deal."""

import random
from abc import ABC, abstractmethod


class Luck(ABC):
    """CORE-080 The one thing that is drawn during play: a Candy Boost from the face-down reserve."""

    @abstractmethod
    def draw_candy(self, faction: str, reserve: dict[str, int]) -> str:
        """The kind that the faction draws; the reserve (kinds with their numbers) isn't empty."""


class SeededLuck(Luck):
    """Draws each token with equal chance."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def draw_candy(self, faction: str, reserve: dict[str, int]) -> str:
        """One token of the reserve."""
        return self._random.choice([kind for kind in sorted(reserve) for _ in range(reserve[kind])])


class ToldLuck(Luck):
    """Gives what it was told, in turn: how outcomes that are known already are replayed."""

    def __init__(self, *kinds: str) -> None:
        self._kinds = list(kinds)

    def draw_candy(self, faction: str, reserve: dict[str, int]) -> str:
        """The next kind told, which must be there."""
        kind = self._kinds.pop(0)
        if not reserve.get(kind):
            raise ValueError(f"{faction} can't draw {kind}: the reserve has none")
        return kind
