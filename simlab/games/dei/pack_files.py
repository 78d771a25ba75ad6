"""The files of a component pack as rows of text: read, named and checked cell by cell.

Everything that is wrong raises a PackError of one sentence: file, row or key, reason. What the values
mean is known by `pack_rows.py` (CSV) and `tiles.py` (TOML).
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab import toml
from simlab.errors import PackError
from simlab.wording import did_you_mean, plain, shown

RULEBOOK, ASSUMED = "rulebook", "assumed"
SOURCES = (RULEBOOK, ASSUMED)
LONGEST_WORD = 60
LONGEST_TITLE = 200
NOT_IN_WORDS = " \"'`“”‘’"
MOST_DIGITS = 9  # of a number in a cell


def read_text(folder: Path, name: str) -> str:
    """The text of a file of the pack, line ends made alike."""
    text = toml.read_text(folder / name, PackError)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def content_hash(texts: Mapping[str, str]) -> str:
    """sha256 over names and texts of the files: the same wherever they lie and however lines end."""
    digest = hashlib.sha256()
    for name in sorted(texts):
        digest.update(name.encode() + b"\0" + texts[name].rstrip("\n").encode() + b"\0")
    return digest.hexdigest()


@dataclass(frozen=True)
class Row:
    """One line of a CSV file: cells by column; `where` names it in messages."""

    where: str
    cells: Mapping[str, str]

    def fail(self, reason: str) -> PackError:
        """The error that names this row."""
        return PackError(f"{self.where}: {reason}")

    def text(self, column: str) -> str:
        """A cell that can't be empty."""
        if not self.cells[column]:
            raise self.fail(f"column {shown(column)} is empty")
        return self.cells[column]

    def word(self, column: str, words: Iterable[str]) -> str:
        """A cell that is one of `words`."""
        value, allowed = self.text(column), tuple(words)
        if value not in allowed:
            raise self.fail(f"column {shown(column)} has {shown(value)}, not one of {', '.join(allowed)}")
        return value

    def number(self, column: str, low: int, high: int) -> int:
        """A cell that is a whole number within bounds."""
        return whole_number(self.text(column), low, high, f"{self.where}: column {shown(column)}")

    @property
    def id(self) -> str:
        """The word that names the row's component."""
        return check_word(self.text("id"), f'{self.where}: column "id"')

    @property
    def title(self) -> str:
        """What people read."""
        return check_title(self.text("title"), f'{self.where}: column "title"')

    @property
    def source(self) -> str:
        """Where the row's values come from: rulebook or assumed."""
        return self.word("source", SOURCES)

    def ranged(self, column: str, low: int, high: int) -> Ranged:
        """A number with its plausible range, which stands in the column of the same name + _range."""
        value = self.number(column, low, high)
        where, where_range = (f"{self.where}: column {shown(name)}" for name in (column, f"{column}_range"))
        return ranged(value, self.cells[f"{column}_range"], self.source, (where, where_range))


@dataclass(frozen=True)
class Ranged:
    """A number and the plausible range it was chosen from; a printed number is its own range."""

    value: int
    low: int
    high: int


def whole_number(text: str, low: int, high: int, where: str) -> int:
    """`text` as a whole number within bounds."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise PackError(f"{where} has {shown(text)}, which is not a whole number")
    if len(digits.lstrip("0")) > MOST_DIGITS or not low <= int(text) <= high:
        raise PackError(f"{where} has {plain(text, LONGEST_WORD)}, which is not between {low} and {high}")
    return int(text)


def check_word(word: str, where: str) -> str:
    """What names a thing in files, reports and messages is one word that can be printed."""
    if not 0 < len(word) <= LONGEST_WORD or not word.isprintable() or any(c in NOT_IN_WORDS for c in word):
        raise PackError(
            f"{where} is {shown(word)}, not a word of 1 to {LONGEST_WORD} signs without spaces and quotes"
        )
    return word


def check_title(title: str, where: str) -> str:
    """What people read is one line."""
    if not title.strip() or not title.isprintable() or len(title) > LONGEST_TITLE:
        raise PackError(f"{where} is {shown(title)}, not one line of 1 to {LONGEST_TITLE} printable signs")
    return title


def split_range(text: Any, where: str) -> tuple[int, int]:
    """'low..high' as two numbers."""
    parts = text.split("..") if isinstance(text, str) else ()
    if len(parts) != 2:
        raise PackError(f"{where} has the range {shown(text)}, which does not read low..high")
    low, high = (whole_number(part.strip(), -99, 999, where) for part in parts)
    if low > high:
        raise PackError(f"{where} has the range {shown(text)}, whose low end is above its high end")
    return low, high


def ranged(value: int, text: Any, source: str, places: tuple[str, str]) -> Ranged:
    """A value with its range: an assumed one needs a range around it, a printed one has none.

    `places` name the value and the range in messages.
    """
    where, where_range = places
    if source == RULEBOOK:
        if text != "":
            raise PackError(f"{where} is marked rulebook and has a range, which only assumed values have")
        return Ranged(value, value, value)
    if text == "":
        raise PackError(f"{where} is assumed and has no range")
    low, high = split_range(text, where_range)
    if not low <= value <= high:
        raise PackError(f"{where} has {value}, outside its own range {text}")
    return Ranged(value, low, high)


def read_rows(text: str, name: str, columns: tuple[str, ...], key: str) -> list[Row]:
    """The rows of a CSV text with exactly these columns; `key` is the column that names a row."""
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        lines = [(reader.line_num, [cell.strip() for cell in line]) for line in reader]
    except csv.Error as error:
        raise PackError(f"{name}, row {reader.line_num}: not valid CSV ({error})") from None
    lines = [(number, line) for number, line in lines if any(line)]
    if not lines:
        raise PackError(f"{name}: no row with the columns' names")
    _, header = lines[0]
    check_columns(name, header, columns)
    if len(lines) == 1:
        raise PackError(f"{name}: no rows below the header")
    rows = []
    for number, cells in lines[1:]:
        if len(cells) != len(header):
            raise PackError(f"{name}, row {number}: {len(cells)} cells under {len(header)} columns")
        values = dict(zip(header, cells, strict=True))
        rows.append(Row(f"{name}, row {number} ({plain(values[key], LONGEST_WORD) or 'no ' + key})", values))
    return rows


def check_columns(name: str, header: list[str], columns: tuple[str, ...]) -> None:
    """Each column once, none missing, none unknown; their order is free."""
    for column in header:
        if column not in columns:
            raise PackError(f"{name}: unknown column {shown(column)}{did_you_mean(column, columns)}")
        if header.count(column) > 1:
            raise PackError(f"{name}: column {shown(column)} stands there twice")
    for column in columns:
        if column not in header:
            raise PackError(f"{name}: column {shown(column)} is missing")


def read_toml(text: str, name: str) -> dict[str, Any]:
    """A TOML text as a table."""
    return toml.parse_toml(text, name, PackError)


def check_keys(table: Mapping[str, Any], known: Iterable[str], needed: Iterable[str], where: str) -> None:
    """No key that is unknown, none that is missing."""
    known = tuple(known)
    for key in table:
        if key not in known:
            raise PackError(f"{where}: unknown key {shown(key)}{did_you_mean(key, known)}")
    for key in needed:
        if key not in table:
            raise PackError(f"{where}: key {shown(key)} is missing")


def check_unique(names: Iterable[str], where: str, what: str) -> None:
    """No name twice."""
    seen = set()
    for name in names:
        if name in seen:
            raise PackError(f"{where}: {what} {shown(name)} stands there twice")
        seen.add(name)
