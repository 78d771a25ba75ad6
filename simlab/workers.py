"""Worker processes for plain Python strategies, and the watch over them.

A strategy may raise, which its worker notes. It may also never answer, or take its process down with it.
So each worker is a process of its own, this one watches their pulse, and a worker that is stuck or gone is
replaced: the new one plays the game anew up to the decision in question, which it gives up, and goes on. As
games depend on nothing but their row of the schedule, the others come out as if nothing had happened.

The clock decides whether a decision is given up, and nothing else. It stands still while this process
does (Ctrl-Z, a lid that is closed), and while a worker starts, imports and loads.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import Pipe
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from simlab.errors import RunError
from simlab.failures import Spoilt
from simlab.match import STALLED, STRATEGY_FAILED
from simlab.worker_process import PULSE_BYTES, Batch, Lost, Order, Played, Pulse

if TYPE_CHECKING:
    import numpy as np

_BOOT = (  # a process of our own rather than one of multiprocessing: that would run the caller's script again
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from simlab.worker_process import main; main(*map(int, sys.argv[2:]))"
)
_LOOKS = 10  # at a pulse, in the time that a decision has
_LONGEST_LOOK = 0.25  # seconds between two
_SILENCE = 600.0  # seconds after which a worker that isn't at a decision is taken to hang


@dataclass
class Done:
    """A batch, played: which one it was, and its games in order."""

    number: int
    batch: Batch
    logs: list[np.ndarray[Any, Any]] = field(default_factory=list)
    spoilt: list[Spoilt] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether all that is wanted of it is there."""
        stopped = self.batch.in_full and self.spoilt
        return bool(stopped) or len(self.logs) == len(self.batch.schedule)


def play_batches(batches: Iterable[Batch], workers: int) -> Generator[Done]:
    """Play batches in so many processes at a time; yields each when it is done, in any order.

    A strategy that takes longer than a batch's `timeout` for a decision ends its game by it. A batch whose
    failures are wanted in full is done with the first of them. Closing the iterator ends the processes.
    Raises RunError where a worker can't go on for a reason that lies with no strategy.
    """
    waiting = enumerate(batches)
    crew: list[_Worker] = []
    try:
        crew += (_Worker(Done(*entry)) for entry in islice(waiting, workers))
        while crew:
            wait([worker.channel for worker in crew], min(worker.look for worker in crew))
            for worker in list(crew):
                worker.hear()
                worker.watch()
                if not worker.at.over:
                    continue
                yield worker.at
                following = next(waiting, None)
                if following is None:
                    worker.end()
                    crew.remove(worker)
                else:
                    worker.take(Done(*following))
    finally:
        for worker in crew:
            worker.end()


def _process(*files: int) -> subprocess.Popen[bytes]:
    """A worker process that is given two files."""
    words = [json.dumps(sys.path), *map(str, files), str(os.getpid())]
    return subprocess.Popen(
        [sys.executable, "-P", "-u", "-c", _BOOT, *words],  # -P: no json.py that lies about
        stdin=subprocess.PIPE,  # its lifeline: closed when this process ends, however it does
        stdout=2,  # what a strategy prints is no part of what the command prints
        env={**os.environ, "PYTHONHASHSEED": "0"},  # in which order a set of words is gone through
        pass_fds=files,
    )


class _Worker:
    """One process at a time, with the batch it is at."""

    def __init__(self, at: Done) -> None:
        self.at = at
        self.lost: Lost | None = None
        self.deaths = 0  # in the game that is played
        self._start()

    @property
    def look(self) -> float:
        """Seconds between two looks at its pulse."""
        return min(self.at.batch.timeout / _LOOKS, _LONGEST_LOOK)

    def take(self, at: Done) -> None:
        """Go to another batch."""
        self.at = at
        self.lost = None
        self.deaths = 0
        self._order()

    def _start(self) -> None:
        self.channel, theirs = Pipe()
        # Ctrl-C must not reach the process before that can turn a deaf ear
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with theirs, tempfile.TemporaryFile(buffering=0) as shared:
                shared.write(bytes(PULSE_BYTES))
                self.pulse = Pulse(shared.fileno())
                self.process = _process(theirs.fileno(), shared.fileno())
        except OSError as error:
            raise RunError(f"a worker process can't be started: {error.strerror or error}") from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        self.ready = False
        self._heard = 0  # messages
        self._seen, self._still_for, self._looked = (0, 0), 0.0, time.monotonic()

    def _order(self) -> None:
        if self.ready:
            with suppress(OSError):  # dead: that is seen when it is next heard
                self.channel.send(Order(self.at.batch, len(self.at.logs), self.lost))

    def hear(self) -> None:
        """Take in what the process has sent; replace it if it is gone."""
        try:
            while self.channel.poll():
                self._take_in(self.channel.recv())
        except (EOFError, OSError):
            self._replace(self._died())

    def _take_in(self, message: Any) -> None:
        self._heard += 1
        if message is None:
            self.ready = True
            self._order()
        elif isinstance(message, Played):
            self.at.logs.append(message.log)
            if message.spoilt is not None:
                self.at.spoilt.append(message.spoilt)
            self.deaths = 0
        else:
            raise message

    def watch(self) -> None:
        """Replace the process if it has been at one decision for too long."""
        beat, now = self.pulse.beat, time.monotonic()
        if (beat, self._heard) == self._seen:
            self._still_for += min(now - self._looked, 2 * self.look)  # more: this process stood still
        else:
            self._seen, self._still_for = (beat, self._heard), 0.0
        self._looked = now
        if beat % 2 and self._still_for >= self.at.batch.timeout:
            self._stalled(beat)
        elif self._still_for >= _SILENCE and not beat % 2:
            raise RunError(
                f"a worker process has done nothing for {_SILENCE:g} s while no strategy was asked"
            )

    def _stalled(self, beat: int) -> None:
        self._kill()
        lost = None
        if self.pulse.beat == beat and self.pulse.asked:  # it didn't answer at the last moment
            lost = Lost(*self.pulse.asked, STALLED, f"no answer within {self.at.batch.timeout:g} s")
        self._replace(lost)

    def _died(self) -> Lost | None:
        """What the strategy is to blame for, if it is: a death that comes twice in one game is no accident.

        So nobody's strategy loses a game because its process was killed from outside.
        """
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)  # it may have closed the connection only
        self._kill()
        self.deaths += 1
        if self.deaths < 2:
            return None
        if self.pulse.asked is None:
            raise RunError(self._not_to_blame())
        return Lost(*self.pulse.asked, STRATEGY_FAILED, f"its process {self._how()}")

    def _how(self) -> str:
        code = self.process.returncode
        if code >= 0:
            return f"ended itself with exit code {code}"
        named = {number.value: number.name for number in signal.Signals}
        return f"was ended by {named.get(-code, f'signal {-code}')}"

    def _not_to_blame(self) -> str:
        if not self.ready:
            return f"a worker process can't be started: it {self._how()}"
        game = int(self.at.batch.schedule["game"][len(self.at.logs)])
        return f"a worker process {self._how()} twice in game {game} while no strategy was asked"

    def _replace(self, lost: Lost | None) -> None:
        """Start a new process that goes on where the messages of the old one end."""
        with suppress(EOFError, OSError):
            while self.channel.poll():
                self._take_in(self.channel.recv())
        self.lost = lost or self.lost
        self.end()
        self._start()

    def _kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """No process any more."""
        self._kill()
        self.channel.close()
        if self.process.stdin is not None:
            self.process.stdin.close()
