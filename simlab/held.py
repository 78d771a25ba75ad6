"""The parts of a run that are there, and listing them in its manifest as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count, takewhile

from simlab import results
from simlab.design import Part
from simlab.errors import RunError
from simlab.manifest import manifest_of
from simlab.plan import Plan

_REST = 20  # times as long as writing the manifest takes, it isn't written again


class Held:
    """The parts of a run that are there as they were written, the longest of each number."""

    def __init__(self, parts: results.Parts) -> None:
        self._by_number: dict[int, tuple[str, Mapping[str, str]]] = {}
        for name, hashes in parts.items():
            self.add(name, hashes)

    def add(self, name: str, hashes: Mapping[str, str]) -> None:
        """Take a part in, instead of a shorter one of its number."""
        self._by_number[results.part_size(name)[0]] = name, hashes

    def has(self, part: Part) -> bool:
        """Whether the part is there, as long as is wanted."""
        name, _ = self._by_number.get(part.number, ("", {}))
        if not name:
            return False
        games = results.part_size(name)[1]
        return games is None or games >= part.games

    def name(self, number: int) -> str:
        """The name of a part that is there."""
        return self._by_number[number][0]

    @property
    def parts(self) -> results.Parts:
        """All parts, in order."""
        return dict(self._by_number[number] for number in sorted(self._by_number))

    def without_gaps(self) -> results.Parts:
        """The parts up to the first that isn't there: a run is a prefix of its design."""
        numbers = takewhile(self._by_number.__contains__, count())
        return dict(self._by_number[number] for number in numbers)


@contextmanager
def listing(
    plan: Plan, held: Held, still_there: Callable[[], None]
) -> Iterator[Callable[[Iterable[tuple[str, Mapping[str, str]]]], None]]:
    """List parts in the manifest soon after they came, in little time; all of them whatever ends the run.

    What it yields is to be called again and again, with the parts that have come since, if any. Nothing is
    written where the run's folder isn't there any more: `still_there` raises RunError then.
    """
    next_time, new = 0.0, False

    def write() -> None:
        nonlocal new
        still_there()
        results.write_manifest(plan.folder, manifest_of(plan, held.parts, finished=False))
        new = False

    def note(parts: Iterable[tuple[str, Mapping[str, str]]]) -> None:
        nonlocal next_time, new
        for name, hashes in parts:
            held.add(name, hashes)
            new = True
        if new and (start := time.monotonic()) >= next_time:
            write()
            end = time.monotonic()
            next_time = end + _REST * (end - start)

    try:
        yield note
    finally:
        with suppress(OSError, RunError):  # what ended the run is to be told, not this
            if new:
                write()
