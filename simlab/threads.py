"""Worker threads, each playing one part after the other.

For compiled strategies: the kernels let go of Python's lock. A run begins with one thread; the others come
once it is clear that it takes long enough to be worth it. Who plays a part changes nothing in it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

from simlab.design import Part

Result = TypeVar("Result")
Checkpoint = Callable[[], None]  # raises where nobody waits for the part any more

ALONE_SECONDS = 2.0  # a run that takes less needs one worker
_LOOK_SECONDS = 0.05  # between two looks at how long it will take
_GRACE_SECONDS = 0.3  # for threads to end when the run does


class Job(Protocol):
    """What is played: one part."""

    @property
    def part(self) -> Part:
        """Its part of the run."""


J = TypeVar("J", bound=Job)


class _EndedError(Exception):
    """A part that nobody waits for any more."""


def played(
    jobs: Sequence[J],
    play: Callable[[J, Checkpoint], Result],
    most: int,
    pace: Pace | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> Generator[list[Result]]:
    """Play a part each job on up to `most` threads; yields what is done, in any order, and often nothing.

    `pace` is that of all games where these are only some of them. Where `enough` says so no more is played,
    and what was begun is waited for, so that nothing is written later.
    `play` has to call the checkpoint it gets every now and then. Closing the iterator ends the threads at
    their next one, or leaves them to themselves where that takes too long.
    """
    ended = threading.Event()

    def checkpoint() -> None:
        if ended.is_set():
            raise _EndedError

    waiting, running = deque(jobs), set[Future[Result]]()
    pace = pace or Pace(sum(job.part.games for job in jobs))
    pool = ThreadPoolExecutor(most)
    try:
        while (waiting or running) and not enough():
            while waiting and len(running) < (most if pace.is_slow() else 1):
                job = waiting.popleft()
                pace.begin(job.part.games)
                running.add(pool.submit(play, job, checkpoint))
            done, running = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
            yield [future.result() for future in done]
    finally:
        ended.set()
        pool.shutdown(wait=False, cancel_futures=True)
        wait(running, None if enough() else _GRACE_SECONDS)


class Pace:
    """How long one worker would take for all games, judged by how it goes."""

    def __init__(self, games: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._games, self._begun = games, 0
        self._clock, self._start = clock, clock()
        self._slow = False

    def begin(self, games: int) -> None:
        """Note that games were handed out."""
        self._begun += games

    def is_slow(self) -> bool:
        """Whether it would take ALONE_SECONDS at least, even if all games that were begun were just done."""
        taken = self._clock() - self._start
        self._slow = self._slow or taken * self._games >= ALONE_SECONDS * self._begun > 0
        return self._slow
