"""How what the user wrote is named in a message: one place, so that all messages read alike.

A message is one line that a person can read: control characters are escaped and long words cut, whatever
the user's file holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time
from difflib import get_close_matches
from pathlib import Path
from typing import Any

_LONGEST = 40
_LONGEST_PATH = 240
_MOST_KNOWN = 16  # words that a message lists all of
_MOST_BITS = 1000  # of a number that is written out, if only to be cut: Python itself refuses at 4300 digits
_KINDS = (
    (bool, "true or false"),  # before int, which it is too
    (int, "a whole number"),
    (float, "a decimal number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "a table"),
    (date | time, "a date or time"),
    (type(None), "nothing"),
)


def shown(value: Any) -> str:
    """The value as a person would write it in a file, shortened, on one line."""
    text = _written(value, _LONGEST)
    if isinstance(value, str) and len(text) > _LONGEST:
        return text[: _LONGEST - 2] + '…"'
    return _cut(text, _LONGEST)


def place(path: str | Path) -> str:
    """A path as messages begin with it."""
    return plain(str(path), _LONGEST_PATH)


def plain(text: str, longest: int) -> str:
    """A text without quotation marks on one line, cut to a length."""
    return _cut(_printable(text[: longest + 1]), longest)


def kind_of(value: Any) -> str:
    """What sort of value it is, in words."""
    named = (words for kind, words in _KINDS if isinstance(value, kind))
    return next(named, f"an object of Python's ({type(value).__name__})")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean "…"?`` if a known word is near, else the known words if they are few."""
    known = list(known)
    near = get_close_matches(word.lower(), known, n=1, cutoff=0.6) if len(word) <= _LONGEST_PATH else []
    if near:
        return f"; did you mean {shown(near[0])}?"
    return f"; known: {', '.join(known)}" if 0 < len(known) <= _MOST_KNOWN else ""


def _written(value: Any, room: int) -> str:
    """At least as much of the value as there is room for; each level takes some, so it ends."""
    if room <= 0:
        return "…"
    if isinstance(value, str):
        return '"' + _printable(value[: room + 1].replace("\\", "\\\\").replace('"', '\\"')) + '"'
    if isinstance(value, list | tuple):
        return "[" + _joined((_written(item, room - 1) for item in value), room) + "]"
    if isinstance(value, dict):
        items = (f"{_printable(str(key)[:room])} = {_written(item, room - 1)}" for key, item in value.items())
        return "{" + _joined(items, room) + "}"
    return _printable(_plain_value(value))


def _plain_value(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"a number of about {int(value.bit_length() * 0.30103)} digits"
    return str(value)


def _joined(parts: Iterable[str], room: int) -> str:
    text = ""
    for part in parts:
        text += f", {part}" if text else part
        if len(text) > room:
            break
    return text


def _printable(text: str) -> str:
    """The text with what can't be printed on one line as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
