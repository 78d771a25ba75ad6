"""Writing a resolved experiment as TOML: as much of the language as experiment files use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def dumps(content: Mapping[str, Any]) -> str:
    """A dict of plain values and of tables as TOML; empty tables are left out."""
    plain = [_line(key, value) for key, value in content.items() if not isinstance(value, Mapping)]
    tables = [
        f"\n[{_key(key)}]\n" + "".join(_line(name, item) for name, item in value.items())
        for key, value in content.items()
        if isinstance(value, Mapping) and value
    ]
    return "".join(plain + tables)


def _line(key: str, value: Any) -> str:
    return f"{_key(key)} = {_value(value)}\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(_character(character) for character in value) + '"'
    assert isinstance(value, list | tuple), f"no TOML for {type(value).__name__}"
    return "[" + ", ".join(map(_value, value)) + "]"


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else f"\\u{ord(character):04x}"
