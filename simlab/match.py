"""The plain loop: one game, decision by decision, with any mix of compiled and Python strategies.

A contract test holds it equal to each game's compiled block loop, choice by choice.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from simlab.strategy import Strategy
from simlab.wording import plain, shown

# how a game ended; a game's own vocabulary has the same numbers
PLAYING = 0
ILLEGAL_CHOICE = 3
STRATEGY_FAILED = 5
STALLED = 6

_LONGEST = 120  # characters of a reason


class Live(Protocol):
    """What the loop needs of a game in progress."""

    ending: int

    @property
    def active(self) -> int:
        """The seat to act."""

    @property
    def log(self) -> Any:
        """What the game leaves behind: a record array of length 1."""

    @property
    def choices(self) -> list[int]:
        """The list last looked at."""

    def look(self) -> list[int]:
        """The choices of the seat to act."""

    def ask(self, strategy: Strategy, seat: int) -> Any:
        """What a strategy answers to them: their index, if all is well."""

    def copy(self) -> Live:
        """The decision last looked at in a game apart, which nothing that is done here changes."""

    def redraw(self, seat: int, key: int) -> None:
        """Draw anew all that a seat can't know."""

    def records(self) -> bytes:
        """All that a strategy must leave as it is."""

    def apply(self, code: int) -> None:
        """Perform one."""

    def end(self, ending: int, seat: int) -> None:
        """Close the game's log."""


class Unanswered(Exception):
    """A strategy gave no choice: how that ends the game, and the reason in words."""

    def __init__(self, ending: int, reason: str) -> None:
        super().__init__(reason)
        self.ending = ending
        self.reason = reason


@dataclass(frozen=True)
class Failure:
    """How a strategy ended a game."""

    seat: int
    decision: int  # from 1, of all decisions of the game that had more than one choice
    cause: Unanswered


@dataclass(frozen=True)
class Moment:
    """A decision that a strategy is asked for."""

    live: Live
    strategy: Strategy
    seat: int
    decision: int  # as in Failure
    n: int  # choices


def play(
    live: Live,
    strategies: Sequence[Strategy],
    watch: Callable[[int, int], None] | None = None,
    ask: Callable[[Moment], int] | None = None,
    after: Callable[[], None] | None = None,
) -> Failure | None:
    """Play a game to its end; `strategies` by seat.

    `watch(seat, code)` is called before each choice is performed, `after()` when it is. A strategy that
    raises or answers outside the list ends its game with that reason and its seat; nothing is dropped.
    `ask` stands around `answer`, whose contract it has.
    """
    ask = ask or answer
    decision = 0
    while live.ending == PLAYING:
        seat = live.active
        choices = live.look()
        if live.ending != PLAYING:
            return None
        if not choices:  # as in the compiled loop
            live.end(ILLEGAL_CHOICE, seat)
            return None
        index = 0
        if len(choices) > 1:
            decision += 1
            try:
                index = ask(Moment(live, strategies[seat], seat, decision, len(choices)))
            except Unanswered as cause:
                live.end(cause.ending, seat)
                return Failure(seat, decision, cause)
        if watch is not None:
            watch(seat, choices[index])
        live.apply(choices[index])
        if after is not None:
            after()
    live.end(live.ending, -1)
    return None


def answer(moment: Moment) -> int:
    """The index of the choice that a strategy makes; raises Unanswered, whatever a plug-in does.

    Ctrl-C alone goes through: it is the user's.
    """
    try:
        given = _asked(moment.live, moment.strategy, moment.seat)
        index = _index(given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Unanswered(STRATEGY_FAILED, reason_of(error)) from error
    if not 0 <= index < moment.n:
        raise Unanswered(
            ILLEGAL_CHOICE, f"it answered {shown(index)}, and its choices were 0 to {moment.n - 1}"
        )
    return index


def _asked(live: Live, strategy: Strategy, seat: int) -> Any:
    return strategy.choose(live, seat) if strategy.readable else live.ask(strategy, seat)


def _index(given: Any) -> int:
    """An answer as an index: 0.5, "a" and True are none."""
    if isinstance(given, bool):
        raise TypeError("'bool' object cannot be interpreted as an index")
    return operator.index(given)


def reason_of(error: BaseException) -> str:
    """Type and message of what a plug-in raised, on one line; the message is its code too and may raise."""
    try:
        lines = str(error).strip().splitlines()
    except KeyboardInterrupt:
        raise
    except BaseException:
        lines = ["(its message can't be read)"]
    return plain(": ".join([type(error).__name__, *lines[:1]]), _LONGEST)


def seated(strategies: Sequence[Strategy], row: Any) -> list[Strategy]:
    """The strategies of a game by seat, by its row of the schedule."""
    return [strategies[k] for k in row["strategy"][: int(row["players"])]]
