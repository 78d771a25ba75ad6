"""Ctrl-C, and what else asks a command to end: an answer within a second, whatever it is at."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

STOPPED = 130  # exit code
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE_SECONDS = 0.7
_NUDGE_SECONDS = 0.1


@contextmanager
def stoppable(say: Callable[[str], None]) -> Iterator[None]:
    """Raise KeyboardInterrupt at the first SIGINT, SIGTERM or SIGHUP and pay no heed to further ones.

    Python hears of a signal only between two of its own steps, and compiling has long ones. So a thread
    hears of it too; if the block doesn't end in time, it has the last word said and ends the process.
    What a signal was told to do by others stays so: under nohup, or where there is nobody to press Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    ours = {signal.SIG_DFL, signal.default_int_handler}
    ending, woken = os.pipe()
    os.set_blocking(woken, False)
    answered = threading.Event()
    watch = threading.Thread(target=_watch, args=(ending, answered, say), daemon=True)
    watch.start()
    for number, handler in before.items():
        if handler in ours:
            signal.signal(number, _stop)
    heard = signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    try:
        yield
    finally:
        answered.set()
        signal.set_wakeup_fd(heard)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(woken)
        watch.join()
        os.close(ending)


def _stop(*_: Any) -> None:
    for number in _SIGNALS:
        if signal.getsignal(number) is _stop:
            signal.signal(number, _stop_no_more)
    raise KeyboardInterrupt


def _stop_no_more(*_: Any) -> None:
    """One Ctrl-C is enough; a second one would come while the run is put away."""


def _watch(ending: int, answered: threading.Event, say: Callable[[str], None]) -> None:
    while number := os.read(ending, 1):  # nothing: the other end was closed
        if number[0] not in _SIGNALS or answered.wait(_NUDGE_SECONDS):
            continue
        # it may have come just before the main thread began to wait for a line: the wait has to be broken
        signal.pthread_kill(threading.main_thread().ident or 0, number[0])
        if not answered.wait(_PATIENCE_SECONDS - _NUDGE_SECONDS):
            say("stopped")
            leave()


def leave() -> NoReturn:
    """End this process at once: Python would wait for threads that play, and take compiled code down."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads any more; it is closed
            stream.flush()
    os._exit(STOPPED)
