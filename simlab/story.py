"""A game told: what a replay, a prompt or a page shows of it, as plain data.

A game supplies a `Teller` of a game in progress; it looks and never changes anything. *Facts* are what
lies where, in lists, texts and numbers alone (JSON takes them): those that hold throughout the game apart
from those of one position. Drawings are made of facts, so a page can draw any step again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Facts = Mapping[str, Any]
Span = tuple[str, str]  # a text and its style, one of STYLES
Line = list[Span]
STYLES = ("", "dim", "strong", "red", "blue", "green", *(f"seat{seat}" for seat in range(6)))
NOBODY = -1


@dataclass(frozen=True)
class Event:
    """What a choice brought about, in words: for a seat or, with NOBODY, for all to see."""

    words: str
    seat: int = NOBODY
    under: str = ""  # what it is part of, such as "Clean-up"; empty: of the choice itself

    def told(self, names: Sequence[str], actor: int = NOBODY) -> str:
        """Its words after the name of whom it befell, unless that is who acted."""
        return self.words if self.seat in {NOBODY, actor} else f"{names[self.seat]} {self.words}"


@dataclass(frozen=True)
class Words:
    """A choice in words."""

    sentence: str
    note: str = ""  # what a reader may want to know beside it, such as what is printed on the card
    routine: bool = False  # whether nobody misses it in a record of the game


@dataclass(frozen=True)
class Moment:
    """When a choice is made."""

    turn: int
    phase: int
    words: str  # the heading that both have


class Teller(Protocol):
    """What is to be told of one game in progress."""

    sections: Mapping[str, str]  # parts of the table that can be looked at alone → what each is

    def seen_by(self, seat: int) -> Teller:
        """A teller of the same game that tells no more than a seat may know."""

    @property
    def fixed(self) -> Facts:
        """What holds throughout the game."""

    def facts(self) -> Facts:
        """The position."""

    def moment(self) -> Moment:
        """When the next choice is made."""

    def words(self, code: int) -> Words:
        """A choice, in the position in which it is made."""

    def choices(self) -> list[str]:
        """The sentences of all choices last looked at."""

    def groups(self) -> list[str]:
        """By choice, what it stands under where the list is long."""

    def position(self) -> str:
        """The position in words, many lines."""

    def question(self) -> str:
        """Who is asked what, in a line."""

    def running_hash(self) -> int:
        """The hash of all choices so far, which the game's result tables keep for each Turn."""

    def dealt(self) -> list[str]:
        """What each seat alone was dealt at the start, by seat."""

    def changes(self, before: Facts, after: Facts, seat: int) -> list[Event]:
        """What a choice of a seat brought about, from the facts around it."""

    def drawing(self, facts: Facts, width: int) -> list[Line]:
        """The position drawn, board and Pads, in about so many columns."""

    def section(self, name: str, width: int) -> list[Line]:
        """One of `sections`, in about so many columns."""

    def scene(self) -> str:
        """The markup of a page of the game; what may change is an element with `data-part`, empty."""

    def parts(self, facts: Facts) -> Mapping[str, str]:
        """The markup in each such element at a position."""

    def scores(self, facts: Facts) -> list[int]:
        """By seat, what decides the game."""

    def key(self) -> list[Line]:
        """What the signs of the drawing mean."""

    def result(self, facts: Facts) -> list[Line]:
        """The final count of a game that is over."""
