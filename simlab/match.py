"""The plain loop: one game, decision by decision, with any mix of compiled and Python strategies.

A contract test holds it equal to each game's compiled block loop, choice by choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from simlab.strategy import Strategy

# how a game ended; a game's own vocabulary has the same numbers
PLAYING = 0
ILLEGAL_CHOICE = 3
STRATEGY_FAILED = 5


class Live(Protocol):
    """What the loop needs of a game in progress."""

    ending: int

    @property
    def active(self) -> int:
        """The seat to act."""

    def look(self) -> list[int]:
        """The choices of the seat to act."""

    def ask(self, strategy: Strategy, seat: int) -> int:
        """The index a strategy gives for them."""

    def apply(self, code: int) -> None:
        """Perform one."""

    def end(self, ending: int, seat: int) -> None:
        """Close the game's log."""


def play(live: Live, strategies: Sequence[Strategy], watch: Callable[[int, int], None] | None = None) -> None:
    """Play a game to its end; `strategies` by seat.

    `watch(seat, code)` is called before each choice is performed. A strategy that raises or answers
    outside the list ends its game with that reason and its seat; nothing is dropped.
    """
    while live.ending == PLAYING:
        seat = live.active
        choices = live.look()
        if live.ending != PLAYING:
            return
        index = 0
        if len(choices) > 1:
            try:
                index = live.ask(strategies[seat], seat)
            except (Exception, SystemExit):  # whatever a plug-in raises, the game becomes a row
                live.end(STRATEGY_FAILED, seat)
                return
        if not 0 <= index < len(choices):
            live.end(ILLEGAL_CHOICE, seat)
            return
        if watch is not None:
            watch(seat, choices[index])
        live.apply(choices[index])
    live.end(live.ending, -1)


def play_part(open_game: Callable[[Any], Live], schedule: Any, strategies: Sequence[Strategy]) -> list[Live]:
    """All games of a schedule, one after the other; `open_game` takes a row of it."""
    played = []
    for row in schedule:
        live = open_game(row)
        play(live, [strategies[k] for k in row["strategy"][: int(row["players"])]])
        played.append(live)
    return played
