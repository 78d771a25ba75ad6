"""Reading the tables of a scenario file key by key: whatever is wrong is an error that says where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from simlab.errors import ScenarioError, UsageError
from simlab.wording import did_you_mean, kind_of, shown

_WORDS = {int: "a whole number", str: "a text", bool: "true or false", list: "a list", dict: "a table"}


@contextmanager
def at(where: str) -> Iterator[None]:
    """Words that aren't understood inside become errors of this key."""
    try:
        yield
    except ScenarioError:
        raise
    except UsageError as error:
        raise ScenarioError(f"{where}: {error}") from error


def typed(value: Any, kind: type, where: str) -> Any:
    """The value if it is of that kind; true is no number, and a text says something."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ScenarioError(f"{where}: {_WORDS[kind]} is needed, not {kind_of(value)} ({shown(value)})")
    if isinstance(value, str) and not value.strip():
        raise ScenarioError(f"{where}: the text is empty")
    return value


def ranged(value: Any, low: int, high: int, where: str) -> int:
    """A whole number within bounds."""
    if not low <= typed(value, int, where) <= high:
        raise ScenarioError(f"{where}: a whole number from {low} to {high} is needed, not {shown(value)}")
    return int(value)


def texts(value: Any, where: str, gaps: bool = False) -> list[str]:
    """A list of texts; with `gaps` a text may be empty."""
    words = typed(value, list, where)
    return [word if gaps and word == "" else typed(word, str, where) for word in words]


def numbers(value: Any, low: int, high: int, where: str) -> list[int]:
    """A list of different whole numbers within bounds."""
    found = [ranged(number, low, high, where) for number in typed(value, list, where)]
    for number in found:
        if found.count(number) > 1:
            raise ScenarioError(f"{where}: {number} is named twice")
    return found


class Keys:
    """One table: each key is taken once, and a key that nobody takes is an error."""

    def __init__(self, table: Any, where: str) -> None:
        self.table = dict(typed(table, dict, where))
        self.given = tuple(self.table)
        self.where = where
        self.known: list[str] = []

    def path(self, key: str) -> str:
        """The key as messages name it."""
        return f"{self.where}.{key}" if self.where else key

    def take(self, key: str, kind: type, default: Any) -> Any:
        """The value of a key, or the default where it isn't given."""
        self.known.append(key)
        return typed(self.table.pop(key), kind, self.path(key)) if key in self.table else default

    def number(self, key: str, low: int, high: int, default: int) -> int:
        """A whole number within bounds."""
        value = self.take(key, int, None)
        return default if value is None else ranged(value, low, high, self.path(key))

    def has(self, key: str) -> bool:
        """Whether a key is given and not taken yet."""
        self.known.append(key)
        return key in self.table

    def rows(self, key: str) -> Iterator[tuple[str, Any, str]]:
        """Key, value and place of each entry of a table inside; what the keys name is the caller's."""
        inside = self.path(key)
        for name, value in self.take(key, dict, {}).items():
            yield name, value, f"{inside}.{name}"

    def done(self) -> None:
        """Nothing may be left."""
        for key in self.table:
            raise ScenarioError(f"{self.path(key)}: there is no such key{did_you_mean(key, self.known)}")
