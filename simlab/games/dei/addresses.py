"""Chance addressed by words: a drawn value is a hash of what it is for, never the next of a stream.

`chance.py` does the same for events of a game, by numbers. Here names are the address (pack, file, row,
column), so that a row more in a file leaves what is drawn for the others as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Address:
    """What a value is drawn for, from the seed down. `keep` percent of all values stay as they were."""

    words: tuple[str, ...]
    keep: int = 0

    def at(self, *words: object) -> Address:
        """An address further down."""
        return Address((*self.words, *map(str, words)), self.keep)

    @property
    def stays(self) -> bool:
        """Whether the value here is one of those that stay as they were."""
        return self.at("stays").below(100) < self.keep

    def below(self, n: int) -> int:
        """0 … n - 1, all equally likely (bias below n · 2**-64)."""
        digest = hashlib.sha256("\0".join(self.words).encode()).digest()
        return int.from_bytes(digest[:8], "little") % n

    def between(self, low: int, high: int) -> int:
        """low … high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """The options in random order; each has its own place in it, whatever the others are."""
        return sorted(options, key=lambda option: (self.at(option).below(1 << 62), str(option)))
