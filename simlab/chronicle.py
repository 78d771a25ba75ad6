"""A game as a sequence of steps: each choice in words, what it brought about, the position after it.

A `Chronicle` stands beside the plain loop (`match.play`), whoever makes the choices: a replay, golden
records and a person at the prompt all tell a game by it. Steps are plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from simlab.match import Live
from simlab.story import Event, Facts, Moment, Teller, Words


@dataclass(frozen=True)
class Step:
    """One choice that was made."""

    number: int  # from 1, of all choices of the game
    moment: Moment
    seat: int
    words: Words
    n: int  # how many choices there were, this one included
    others: tuple[str, ...]  # the sentences of the others, where they are wanted
    events: tuple[Event, ...]
    facts: Facts  # after it
    running_hash: int


class Chronicle:
    """Tells each step as soon as it is done; `with_others` asks for the choices that weren't made."""

    def __init__(
        self, live: Live, teller: Teller, tell: Callable[[Step], None], *, with_others: bool = False
    ) -> None:
        self._live, self._teller, self._tell, self._with_others = live, teller, tell, with_others
        self._number = self._seat = 0
        self._facts = teller.facts()
        self._begun: Callable[..., Step]

    def watch(self, seat: int, code: int) -> None:
        """A choice is about to be performed (what `match.play` calls)."""
        choices, teller = self._live.choices, self._teller
        others: tuple[str, ...] = ()
        if self._with_others:
            at = choices.index(code)
            others = tuple(sentence for n, sentence in enumerate(teller.choices()) if n != at)
        self._number, self._seat = self._number + 1, seat
        self._begun = partial(
            Step, self._number, teller.moment(), seat, teller.words(code), len(choices), others
        )

    def after(self) -> None:
        """It is performed."""
        before, self._facts = self._facts, self._teller.facts()
        events = tuple(self._teller.changes(before, self._facts, self._seat))
        self._tell(self._begun(events, self._facts, self._teller.running_hash()))
