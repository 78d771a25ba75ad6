"""The teller of D.E.I.: a game in progress in words, facts and drawings (`simlab/story.py`)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from simlab.games.dei import choices as ch
from simlab.games.dei import drawing, scene
from simlab.games.dei.changes import changes
from simlab.games.dei.choice_groups import heading
from simlab.games.dei.icons import icon_name
from simlab.games.dei.names import Names
from simlab.games.dei.position_facts import fixed_facts, position_facts
from simlab.games.dei.position_words import position_words
from simlab.games.dei.sections import SECTIONS, section
from simlab.games.dei.seen import covered_words, seen
from simlab.games.dei.state import Position
from simlab.games.dei.text import choice_words, words_of
from simlab.games.dei.view import view_of
from simlab.story import Event, Facts, Line, Moment, Words

if TYPE_CHECKING:
    from simlab.games.dei.live import LiveGame

DRAFT, MISSIONS = 0, 4  # numbers of phases beside the three Action Phases
_PHASES = {DRAFT: "Feats Draft", MISSIONS: "Missions"}


class DeiTeller:
    """Tells one game; `live` is played on beside it. With `seat`, what that seat may know of it."""

    sections = SECTIONS

    def __init__(self, live: LiveGame, seat: int | None = None) -> None:
        self._live = live
        self._seat = seat

    def seen_by(self, seat: int) -> DeiTeller:
        """A teller of the same game that tells what a seat may know."""
        return DeiTeller(self._live, seat)

    @property
    def _position(self) -> Position:
        return self._live.position

    @cached_property
    def fixed(self) -> Facts:
        """What holds throughout the game."""
        return fixed_facts(self._position, self._live.pack)

    def facts(self) -> Facts:
        """The position."""
        facts = position_facts(self._position, self._live.pack)
        return facts if self._seat is None else seen(facts, self._seat)

    def moment(self) -> Moment:
        """When the next choice is made."""
        turn, phase = (int(self._position.public[0][field]) for field in ("turn", "phase"))
        return Moment(turn, phase, f"Turn {turn}, {_PHASES.get(phase, f'phase {phase}')}")

    def words(self, code: int) -> Words:
        """A choice: of a card played or bought its icons beside it, of an end what it waives."""
        words = self._words(code)
        return words if self._seat in {None, self._live.active} else covered_words(code, words)

    def _words(self, code: int) -> Words:
        names = Names(self._position, self._live.pack)
        sentence, kind = words_of(names, code), ch.plain_kind(code)
        if kind in (ch.PLAY, ch.BUY):
            return Words(sentence, self._icons(ch.plain_a(code)))
        if kind in (ch.END_CARD, ch.END_PHASE):
            public = names.public
            pending = [icon_name(int(icon)) for icon in public.bag[: int(public.n_bag)]]
            waived = f"waives {' '.join(pending)}" if pending else ""
            return Words(sentence, waived, routine=not pending)
        return Words(sentence)

    def _icons(self, card: int) -> str:
        table = self._live.pack.table[0]
        return " ".join(icon_name(int(icon)) for icon in table.icon[card, : int(table.n_icons[card])])

    def choices(self) -> list[str]:
        """The sentences of all choices last looked at."""
        return [choice_words(self._position, self._live.pack, code) for code in self._live.choices]

    def groups(self) -> list[str]:
        """What each of the choices last looked at stands under."""
        names = Names(self._position, self._live.pack)
        return [heading(names, code) for code in self._live.choices]

    def position(self) -> str:
        """The position in words."""
        return position_words(self._position, self._live.pack, self._seat)

    def question(self) -> str:
        """Who is asked what."""
        return self.position().splitlines()[0]

    def running_hash(self) -> int:
        """The hash of all choices so far."""
        return int(self._position.log[0].game_hash)

    def dealt(self) -> list[str]:
        """The Feats of each seat."""
        pads = self.facts()["pads"]
        return [", ".join([*pad["feats"], *pad["feats_face_down"]]) or "to be drafted" for pad in pads]

    def changes(self, before: Facts, after: Facts, seat: int) -> list[Event]:
        """What a choice of a seat brought about."""
        return changes(self.fixed, before, after, seat)

    def drawing(self, facts: Facts, width: int) -> list[Line]:
        """The position drawn."""
        return drawing.position(self.fixed, facts, width)

    def section(self, name: str, width: int) -> list[Line]:
        """A part of the table as the seat sees it (where none is given: the seat to act)."""
        seat = self._live.active if self._seat is None else self._seat
        return section(name, self.fixed, self.facts(), view_of(self._live, seat), width)

    def scene(self) -> str:
        """The markup of a page."""
        return scene.scene(self.fixed)

    def parts(self, facts: Facts) -> dict[str, str]:
        """What stands in its parts."""
        return scene.parts(self.fixed, facts)

    def scores(self, facts: Facts) -> list[int]:
        """The Supplies of each seat."""
        return scene.scores(facts)

    def key(self) -> list[Line]:
        """What the signs of the drawing mean."""
        return drawing.key(self.fixed)

    def result(self, facts: Facts) -> list[Line]:
        """The final count."""
        return drawing.final_count(self.fixed, facts)


def teller_of(live: Any) -> DeiTeller:
    """The teller of a game in progress."""
    return DeiTeller(live)
