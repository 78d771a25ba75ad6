"""Tasks in forked processes, a few at once, each with a limit of time.

A task needs a process that has imported the heavy libraries and nothing of the engine, and is thrown away:
what `multiprocessing` and `concurrent.futures` offer as a pool reuses processes.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

FORK = multiprocessing.get_context("fork")
TIMEOUT = object()

Task = tuple[Any, Callable[..., Any], tuple[Any, ...]]


def run_tasks(tasks: Iterable[Task], workers: int, limit: float) -> Iterator[tuple[Any, Any]]:
    """(key, what the function returned, TIMEOUT or the exception) of each task (key, function, arguments)."""
    waiting = iter(tasks)
    running: dict[Connection, tuple[Any, Any, float]] = {}
    while True:
        while len(running) < workers and (task := next(waiting, None)) is not None:
            key, function, arguments = task
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=_answer, args=(theirs, function, arguments))
            process.start()
            theirs.close()
            running[ours] = key, process, time.monotonic() + limit
        if not running:
            return
        soonest = min(deadline for _, _, deadline in running.values())
        for ready in wait(list(running), max(0.0, soonest - time.monotonic())):
            key, process, _ = running.pop(ready)  # type: ignore[call-overload]
            yield key, _received(ready)
            process.join()
        for late in [it for it, (_, _, deadline) in running.items() if time.monotonic() >= deadline]:
            key, process, _ = running.pop(late)
            process.kill()
            process.join()
            yield key, TIMEOUT


def _received(pipe: Any) -> Any:
    try:
        return pipe.recv()
    except EOFError:
        return RuntimeError("the process ended without an answer")
    finally:
        pipe.close()


def _answer(pipe: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        pipe.send(function(*arguments))
    except Exception as error:
        pipe.send(RuntimeError(f"{type(error).__name__}: {error}"))
    pipe.close()
