"""One game outside a compiled block: what the plain loop, replay and a person at the prompt drive."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from simlab.errors import RunError
from simlab.game import Settings
from simlab.games.dei import engine
from simlab.games.dei.board import FAILURES, LAYOUTS, OUTPOSTS, draw_board
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.state import Position, records
from simlab.games.dei.tables import BOARD_RECORD
from simlab.games.dei.vocabulary import LIST_OVERFLOW, MAX_CHOICES, MAX_SEATS
from simlab.strategy import SCRATCH_LENGTH, WEIGHTS_LENGTH, Strategy


class LiveGame:
    """A game of one schedule row, decision by decision; `position` holds its records.

    `look` lists the choices of the seat to act, `ask` lets a strategy choose, `apply` performs one. `scratch`
    has each seat's own numbers, `key` is the decision's chance.
    """

    def __init__(self, settings: Settings, row: Any) -> None:
        rules = rules_record(resolve_rules(settings.rules), settings.handicaps, settings.pack)
        self.pack = settings.pack
        self.position = Position(rules, settings.pack.table, _board(settings, row))
        seats = int(row["players"])
        self._strategy_key = int(row["strategy_key"])
        self.scratch = np.zeros((MAX_SEATS, SCRATCH_LENGTH), np.int64)
        self._choices = np.zeros(MAX_CHOICES, np.int64)
        self._key = np.zeros(1, np.int64)
        self.n = 0
        engine.start(self.position, int(row["deal_key"]), [int(f) for f in row["faction"][:seats]])
        self.ending = int(self.position.public[0].ending)

    @property
    def active(self) -> int:
        """The seat to act."""
        return engine.active(self.position)

    @property
    def log(self) -> Any:
        """What the game leaves behind: LOG, length 1."""
        return self.position.log

    @property
    def choices(self) -> list[int]:
        """The list last looked at."""
        return [int(code) for code in self._choices[: min(self.n, MAX_CHOICES)]]

    @property
    def key(self) -> int:
        """The chance that the seat to act may use for the list last looked at."""
        return int(self._key[0])

    def look(self) -> list[int]:
        """The choices of the seat to act; to be called once a decision (the log counts lists)."""
        p = self.position
        self.n = engine.decision_kernel(
            p.public, p.own, p.log, p.rules, p.pack, p.board, self._strategy_key, self._choices, self._key
        )
        if self.n > MAX_CHOICES:
            self.end(LIST_OVERFLOW, -1)
        return self.choices

    def ask(self, strategy: Strategy, seat: int) -> Any:
        """What a strategy answers to the list last looked at; plain Python gets copies to spoil."""
        p = self.position
        weights = np.zeros(WEIGHTS_LENGTH, np.int32)
        weights[: len(strategy.weights)] = strategy.weights
        seen: tuple[Any, ...] = (p.public, p.own[seat : seat + 1], p.rules, p.pack, p.board, self._choices)
        if not strategy.compiled:
            seen = tuple(array.copy() for array in seen)
        return strategy.choose(*seen, self.n, weights, self.scratch[seat], self.key)

    def copy(self) -> LiveGame:
        """The same decision in a game apart."""
        twin = copy(self)
        twin.position, twin.scratch = self.position.copy(), self.scratch.copy()
        twin._choices, twin._key = self._choices.copy(), self._key.copy()  # noqa: SLF001
        return twin

    def redraw(self, seat: int, key: int) -> None:
        """Draw anew all that a seat can't know."""
        engine.redraw_hidden(self.position, seat, key)

    def records(self) -> bytes:
        """All that a strategy must leave as it is, what lies behind the list apart."""
        p = self.position
        records = (p.public, p.own, p.hidden, p.log, p.rules, p.pack, p.board, self._choices[: self.n])
        return b"".join(array.tobytes() for array in records)

    def apply(self, code: int) -> None:
        """Perform one of the choices listed."""
        self.ending = engine.apply(self.position, code)

    def end(self, ending: int, seat: int) -> None:
        """The game is over: by the rules, or for a reason that lies with a seat's strategy."""
        self.ending = ending
        engine.end_kernel(self.position.public, self.position.log, ending, seat)


def _board(settings: Settings, row: Any) -> Any:
    board = records(BOARD_RECORD)
    failure = draw_board(
        settings.pack.table,
        board,
        int(row["players"]),
        int(row["deal_key"]),
        LAYOUTS.index(settings.options["layout"]),
        OUTPOSTS.index(settings.options["outposts"]),
    )
    if failure:
        raise RunError(f"pack {settings.pack.name}: {FAILURES[failure]}")
    return board
