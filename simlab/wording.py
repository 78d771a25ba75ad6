"""How a value the user wrote is named in a message: one place, so that all messages read alike."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_LONGEST = 40
_KINDS = (
    (bool, "true or false"),  # before int, which it is too
    (int, "a whole number"),
    (float, "a decimal number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "a table"),
)


def shown(value: Any) -> str:
    """The value as a person would write it in a file, shortened, on one line."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    elif isinstance(value, list):
        text = "[" + ", ".join(map(shown, value)) + "]"
    elif isinstance(value, dict):
        text = "{" + ", ".join(f"{key} = {shown(item)}" for key, item in value.items()) + "}"
    else:
        text = str(value)
    text = "".join(character if character.isprintable() else " " for character in text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def kind_of(value: Any) -> str:
    """What sort of value it is, in words."""
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "a date or time")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean "…"?`` if a known word is near, else the known words if they are few."""
    known = list(known)
    near = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; known: {', '.join(known)}" if 0 < len(known) <= 12 else ""
