"""A game with a person at one seat: played by the plain loop, told as it goes on, taken back where wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from simlab import match
from simlab.chronicle import Chronicle, Step
from simlab.match import Failure, Live, Moment
from simlab.prompt.sitting import Sitting
from simlab.scenario import GameSoFar, written
from simlab.story import Teller
from simlab.strategy import Strategy


class TakenBack(Exception):
    """The person's decision before the one that is asked is to be made again."""


@dataclass(frozen=True)
class _Mark:
    """The game before a decision of the person's."""

    live: Live
    sentences: int  # choices made by then


class Session:
    """The game; `seen` tells what the person's seat may know of it.

    `tell` gets each step, `ask` makes the person's choices: it gets the session, returns an index and may
    raise TakenBack where `can_take_back`. What it raises else ends the loop, and the game stays as it is.
    """

    def __init__(self, sitting: Sitting, tell: Callable[[Step], None], ask: Callable[[Session], int]) -> None:
        self.sitting = sitting
        self._tell, self._ask_person = tell, ask
        experiment = sitting.experiment
        self.sentences: list[str] = []  # of all choices so far, the secret ones too
        self._marks: list[_Mark] = []  # before each decision of the person's, this one included
        self._sit(experiment.game.open(experiment.settings, sitting.row))

    def _sit(self, live: Any) -> None:
        """Go on with a game in progress."""
        self.live = live
        self._full: Teller = self.sitting.experiment.game.teller(live)
        self.seen: Teller = self._full.seen_by(self.sitting.seat)
        self._ahead = _Mark(live.copy(), len(self.sentences))

    def play(self) -> Failure | None:
        """Play to the end; how a strategy ended the game, if one did."""
        strategies: list[Any] = list(self.sitting.strategies)
        while True:
            self._chronicle = Chronicle(self.live, self.seen, self._tell)
            try:
                return match.play(self.live, strategies, self._watch, self._ask, self._after)
            except TakenBack:
                self._marks.pop()
                before = self._marks.pop()
                del self.sentences[before.sentences :]
                self._sit(before.live)

    @property
    def can_take_back(self) -> bool:
        """Whether the person has decided anything yet."""
        return len(self._marks) > 1

    def hint(self, strategy: Strategy) -> int:
        """The index of what a strategy would choose in the person's place; raises match.Unanswered."""
        live: Any = self.live.copy()
        return match.answer(Moment(live, strategy, self.sitting.seat, 0, len(live.choices)))

    def scenario(self) -> str:
        """The game so far as a scenario file, which has what is hidden too."""
        sitting = self.sitting
        experiment = sitting.experiment
        who = " against ".join(
            f"{title} ({player})" for title, player in zip(sitting.titles, sitting.players, strict=True)
        )
        says = f"{who}, seed {experiment.seed}, as it was played at the prompt"
        so_far = GameSoFar(experiment.settings, sitting.row, experiment.pack, tuple(self.sentences), says)
        return written(experiment.game.name, self.live, so_far)

    def _ask(self, moment: Moment) -> int:
        if moment.seat != self.sitting.seat:
            return match.answer(moment)
        self._marks.append(self._ahead)
        return self._ask_person(self)

    def _watch(self, seat: int, code: int) -> None:
        self.sentences.append(self._full.words(code).sentence)
        self._chronicle.watch(seat, code)

    def _after(self) -> None:
        self._chronicle.after()
        if self.live.active == self.sitting.seat:
            self._ahead = _Mark(self.live.copy(), len(self.sentences))
