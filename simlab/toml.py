"""Reading what users write: text files, and TOML in them; and writing a resolved experiment as TOML.

Every file that a person writes is read here, so that whatever is in its place (nothing, a folder, a pipe,
an image, a file too large, TOML that is broken or too deep) is one sentence in the error of the caller.
"""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simlab.errors import UsageError
from simlab.wording import place, plain

LARGEST = 2**20  # bytes of a file that a person writes
_HUGE = re.compile(r"[0-9_]{4301}")  # Python reads no number with more decimal digits
_AT = re.compile(r"(.*?)\s*\((?:at line (\d+), column \d+|at end of document)\)", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def read_text(path: Path, error: type[UsageError]) -> str:
    """The text of a file; raises `error` with one sentence if there is none."""
    where = place(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise error(f"{where} is a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            raise error(f"{where} is not a regular file")
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise error(f"{where}: there is no such file") from None
    except (OSError, ValueError) as reason:
        raise error(f"{where} can't be read: {getattr(reason, 'strerror', None) or reason}") from None
    if len(data) > LARGEST:
        raise error(f"{where} is larger than {LARGEST // 2**20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise error(f"{where} is not a text file in UTF-8")
    if not text.strip():
        raise error(f"{where} is empty")
    return text


def read_toml(path: Path, error: type[UsageError]) -> dict[str, Any]:
    """The content of a TOML file; raises `error` with one sentence that names file, line and reason."""
    return parse_toml(read_text(path, error), place(path), error)


def parse_toml(text: str, where: str, error: type[UsageError]) -> dict[str, Any]:
    """The same from a text; `where` names it in messages."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        sentence = _toml_sentence(str(reason))
    except RecursionError:
        sentence = "it is nested too deeply"
    except ValueError:  # a number that Python doesn't read
        huge = _HUGE.search(text)
        line = f" (line {text.count(chr(10), 0, huge.start()) + 1})" if huge else ""
        sentence = f"a number has too many digits{line}"
    raise error(f"{where} is not TOML: {sentence}")


def _toml_sentence(message: str) -> str:
    """A message of tomllib as one clause with the line, without Python in it."""
    found = _AT.fullmatch(message)
    reason, line = (found[1], found[2]) if found else (message, None)
    if twice := re.match(r"Cannot declare \((.*?),?\) twice", reason):
        name = ".".join(part.strip().strip("'\"") for part in twice[1].split(", "))
        reason = f"the table [{name}] stands there twice"
    elif reason.startswith("Cannot mutate immutable namespace"):
        reason = "a table in braces can't be added to"
    elif reason == "Illegal character '\\n'":
        reason = "a text isn't ended on its line"
    elif reason == "Cannot overwrite a value":
        reason = "a key stands there twice"
    elif twice := re.match(r"Duplicate inline table key (.*)", reason):
        reason = f"the key {twice[1]} stands there twice"
    reason = plain(reason[:1].lower() + reason[1:], 100)
    return f"{reason} ({f'line {line}' if line else 'at its end'})" if found else reason


def dumps(content: Mapping[str, Any]) -> str:
    """A dict of plain values and of tables as TOML; empty tables are left out."""
    plain = [_line(key, value) for key, value in content.items() if not isinstance(value, Mapping)]
    tables = [
        f"\n[{_key(key)}]\n" + "".join(_line(name, item) for name, item in value.items())
        for key, value in content.items()
        if isinstance(value, Mapping) and value
    ]
    return "".join(plain + tables)


def _line(key: str, content: Any) -> str:
    return f"{_key(key)} = {value(content)}\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else value(key)


def value(content: Any) -> str:
    """A plain value, a list or a table as TOML on one line."""
    if isinstance(content, bool):
        return "true" if content else "false"
    if isinstance(content, int | float):
        return str(content)
    if isinstance(content, str):
        return '"' + "".join(_character(character) for character in content) + '"'
    if isinstance(content, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {value(item)}" for key, item in content.items()) + " }"
    assert isinstance(content, list | tuple), f"no TOML for {type(content).__name__}"
    return "[" + ", ".join(map(value, content)) + "]"


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else f"\\u{ord(character):04x}"
