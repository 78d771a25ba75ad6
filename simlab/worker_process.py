"""What a worker process does: it plays the games it is given and sends back each one's log.

`workers.py` starts it and watches over it. A strategy's code runs here alone, so nothing it does to its
process can harm a run. Before each decision the process says in shared memory which one it is, afterwards
that it is over: `Pulse`. That is all the watching it does itself.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from simlab import catalog, failures, match
from simlab.errors import RunError, SimlabError
from simlab.failures import Spoilt
from simlab.game import Game, Settings
from simlab.match import Failure, Moment, Unanswered
from simlab.strategy import Strategy
from simlab.wording import place

PULSE_BYTES = 24
_PR_SET_PDEATHSIG = 1  # Linux: what the kernel sends a process whose parent is gone


@dataclass(frozen=True)
class Batch:
    """Games to play: names rather than code, so that it can go to another process."""

    game: str
    strategies: tuple[str, ...]  # as the experiment names them
    settings: Settings
    schedule: np.ndarray[Any, Any]  # SCHEDULE
    timeout: float  # seconds for a decision
    in_full: bool = False  # whether to stop at the first failure, with an account of it
    strategy_hashes: tuple[str, ...] = ()  # what the strategies have to be; nothing where it doesn't matter


@dataclass(frozen=True)
class Lost:
    """A decision that is given up when it comes: the process that asked for it is no more."""

    game: int
    decision: int
    ending: int
    reason: str


@dataclass(frozen=True)
class Order:
    """What a worker is sent: the games of a batch, from row `first` of its schedule on."""

    batch: Batch
    first: int
    lost: Lost | None = None


@dataclass(frozen=True)
class Played:
    """What it sends back for each game, in order."""

    log: np.ndarray[Any, Any]  # length 1
    spoilt: Spoilt | None


class Pulse:
    """Three int64 in shared memory: a count, odd while a strategy is asked; the game; the decision."""

    def __init__(self, file: int) -> None:
        self._words = np.frombuffer(mmap.mmap(file, PULSE_BYTES), np.int64)

    def begin(self, game: int, decision: int) -> None:
        """A strategy is asked."""
        self._words[1:] = game, decision
        self._words[0] += 1

    def end(self) -> None:
        """It has answered."""
        self._words[0] += 1

    @property
    def beat(self) -> int:
        """The count."""
        return int(self._words[0])

    @property
    def asked(self) -> tuple[int, int] | None:
        """Game and decision that a strategy is asked for, None between two."""
        return (int(self._words[1]), int(self._words[2])) if self.beat % 2 else None


# --- the process ------------------------------------------------------------------------------------------


def main(connection: int, pulse: int, parent: int) -> None:
    """Serve one parent until it closes the connection or is gone; two files and a process by number."""
    _end_with(parent)
    for file in (connection, pulse):
        os.set_inheritable(file, False)  # what a strategy starts has no part in this
    # Ctrl-C reaches all of a terminal's processes: it is for the parent to act
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    with suppress(EOFError, ConnectionError), Connection(connection) as channel:
        beats = Pulse(pulse)
        channel.send(None)  # ready
        while True:
            _serve(channel, channel.recv(), beats)


def _end_with(parent: int) -> None:
    """See to it that this process doesn't outlive its parent, whatever a strategy is doing at that time.

    The kernel does it on Linux. Elsewhere a thread does, which a strategy that never lets go of Python's
    lock keeps waiting.
    """
    lifeline = os.dup(0)  # a pipe that only the parent can write to
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # a strategy that reads finds nothing

    def wait() -> None:
        os.read(lifeline, 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # gone before that
            os._exit(1)


def _serve(channel: Connection, order: Order, pulse: Pulse) -> None:
    """Play an order; what goes wrong outside of strategies goes to the parent, as all else does."""
    try:
        table = _Table(order, pulse)
        for row in order.batch.schedule[order.first :]:
            played = table.play(row)
            channel.send(played)
            if order.batch.in_full and played.spoilt is not None:
                return
    except SimlabError as error:
        channel.send(error)
    except Exception:
        channel.send(RuntimeError(f"in a worker process:\n{traceback.format_exc()}"))


class _Table:
    """Where the games of an order are played."""

    def __init__(self, order: Order, pulse: Pulse) -> None:
        batch = order.batch
        self.batch, self.lost, self.pulse = batch, order.lost, pulse
        self.game: Game = catalog.game(batch.game)
        self.strategies: Sequence[Strategy] = [
            catalog.strategy(name, batch.game) for name in batch.strategies
        ]
        self._check_hashes()
        self.game.warm_up()
        self.number = 0

    def _check_hashes(self) -> None:
        """A file that was edited since the run was planned would play on under the name of what it was."""
        planned = self.batch.strategy_hashes
        for name, strategy, hashed in zip(self.batch.strategies, self.strategies, planned, strict=False):
            if catalog.strategy_hash(strategy) != hashed:
                raise RunError(f"{place(Path(name))} was changed while its run was played")

    def play(self, row: Any) -> Played:
        """One game."""
        self.number = int(row["game"])
        live = self.game.open(self.batch.settings, row)
        failure = match.play(live, match.seated(self.strategies, row), ask=self._ask)
        return Played(live.log.copy(), None if failure is None else self._spoilt(live, row, failure))

    def _ask(self, moment: Moment) -> int:
        lost = self.lost
        if lost is not None and (lost.game, lost.decision) == (self.number, moment.decision):
            raise Unanswered(lost.ending, lost.reason)
        self.pulse.begin(self.number, moment.decision)
        try:
            return match.answer(moment)
        except KeyboardInterrupt as error:  # no Ctrl-C comes here: the strategy raised it
            raise Unanswered(match.STRATEGY_FAILED, match.reason_of(error)) from error
        finally:
            self.pulse.end()

    def _spoilt(self, live: match.Live, row: Any, failure: Failure) -> Spoilt:
        k = int(row["strategy"][failure.seat])
        name, account = self.batch.strategies[k], ""
        if self.batch.in_full:
            sources = catalog.strategy_sources(self.strategies[k])
            account = failures.account(self.game, live, row, failure, name, sources)
        return Spoilt(self.number, failure.decision, name, failure.cause.reason, account)
