"""Who is met: the opponents of the tuning file, and past champions."""

from __future__ import annotations

from collections.abc import Sequence

from simlab.mix import MOST_STRATEGIES
from simlab.strategy import Strategy


class League:
    """Opponents and champions, in that order, the oldest champion first; too old ones are left out."""

    def __init__(self, opponents: Sequence[Strategy], champion_share: float) -> None:
        self._opponents = tuple(opponents)
        self._share = champion_share
        self._champions: list[Strategy] = []

    def join(self, champion: Strategy) -> None:
        """Take a champion in; where there is no room for it, the oldest leaves."""
        self._champions.append(champion)
        room = MOST_STRATEGIES - 1 - len(self._opponents)  # a candidate plays too
        self._champions = self._champions[-room:]

    @property
    def members(self) -> tuple[Strategy, ...]:
        """All of them."""
        return (*self._opponents, *self._champions)

    @property
    def proportions(self) -> tuple[float, ...]:
        """What part of the opposing places each member has.

        The champions have `champion_share` of them: half of that the latest, the older ones the other half
        evenly. The opponents share the rest evenly.
        """
        past = len(self._champions) - 1
        if past < 0:
            return (1 / len(self._opponents),) * len(self._opponents)
        opponents = ((1 - self._share) / len(self._opponents),) * len(self._opponents)
        if past == 0:
            return (*opponents, self._share)
        return (*opponents, *(self._share / 2 / past,) * past, self._share / 2)
