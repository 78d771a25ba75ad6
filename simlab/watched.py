"""Decisions of a strategy, watched: nothing may be altered, and what is hidden may not matter."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from simlab import match
from simlab.match import Moment, Unanswered
from simlab.story import Teller
from simlab.strategy import Strategy

LEGAL, SAME_AGAIN, UNSEEN, UNALTERED = "legal", "same again", "hidden unseen", "nothing altered"
QUESTIONS = (LEGAL, SAME_AGAIN, UNSEEN, UNALTERED)
_EVERY = 4  # every so many decisions are made again, with the hidden part drawn anew


class Fault(Exception):
    """What a strategy does that strategies must not: a question of QUESTIONS that is answered no."""

    def __init__(self, question: str, sentence: str) -> None:
        super().__init__(sentence)
        self.question = question


class Watch:
    """Stands around the answers of one strategy in the games that are played."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.decisions = 0
        self.seconds = 0.0  # that its answers took

    def begin(self, teller: Teller | None, where: str) -> None:
        """Another game is played; `where` names it."""
        self._teller, self._where = teller, where

    def ask(self, moment: Moment) -> int:
        """As `match.answer`; raises Fault."""
        if moment.strategy is not self.strategy:
            return match.answer(moment)
        self.decisions += 1
        redrawn = self.decisions % _EVERY == 0
        live = moment.live
        same, other = (live.copy(), live.copy()) if redrawn else (None, None)
        before = live.records()
        started = time.perf_counter()
        try:
            index = match.answer(moment)
        finally:
            self.seconds += time.perf_counter() - started
        if live.records() != before:
            raise self.fault(UNALTERED, "alters what it is given", moment)
        if same is not None and other is not None:
            other.redraw(moment.seat, self.decisions)
            self._compare(moment, index, same, other)
        return index

    def _compare(self, moment: Moment, index: int, same: Any, other: Any) -> None:
        """Hold the choice against those of the same decision in two games apart, one of them redrawn."""
        again = _answer(replace(moment, live=other))
        if again == index:
            return
        if _answer(replace(moment, live=same)) != index:
            raise self.fault(SAME_AGAIN, "chooses otherwise when it is asked the same again", moment)
        assert self._teller is not None
        words = self._teller.choices()
        instead = f": {words[again]} instead of {words[index]}" if again is not None else ": it fails"
        sentence = f"chooses otherwise when what its seat can't know is drawn anew{instead}"
        raise self.fault(UNSEEN, sentence, moment)

    def fault(self, question: str, sentence: str, moment: Moment | None = None) -> Fault:
        """A fault in the game that is played, at a decision if one is given."""
        decision = "" if moment is None else f", decision {moment.decision}"
        return Fault(question, f"{sentence} ({self._where}{decision})")


def _answer(moment: Moment) -> int | None:
    try:
        return match.answer(moment)
    except Unanswered:
        return None
