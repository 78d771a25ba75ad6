"""A run's folder, held by one command at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from simlab.errors import RunError
from simlab.wording import place


@contextmanager
def claimed(folder: Path) -> Iterator[Callable[[], None]]:
    """Make the folder and hold it: two commands that play into one would undo each other's work.

    Yields what raises RunError when the folder isn't there any more, or is another.
    """
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"{place(folder)} is being played into by another command: wait for it") from None

        def still_there() -> None:
            if not _same(folder, held):
                raise RunError(f"{place(folder)} was moved or removed while its run was played")

        try:
            yield still_there
        except OSError:
            still_there()
            raise
    finally:
        os.close(held)


def _same(folder: Path, held: int) -> bool:
    try:
        return os.path.samestat(folder.stat(), os.fstat(held))
    except FileNotFoundError:
        return False


def in_words(folder: Path, error: OSError) -> str:
    """What keeps a run from being written."""
    path = Path(os.fsdecode(error.filename2 or error.filename or folder))
    path = path.parent if path.suffix == ".tmp" else path
    with suppress(OSError):  # such as a path too long to look at
        for step in (*reversed(path.parents), path):
            if os.path.lexists(step) and not step.is_dir():
                what = "a link that leads nowhere" if step.is_symlink() else "a file"
                return f"{place(step)} is in the way: it is {what}, not a folder"
    return f"{place(path)} can't be written: {error.strerror or error}"
