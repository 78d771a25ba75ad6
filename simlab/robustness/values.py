"""The assumed values of a pack, found by what sampled packs have otherwise, and packs mixed of these.

A pack is a folder of CSV files and of TOML files with `[[tables]]` or keys alone. A *value* is a cell of a
CSV row, a table or a key that a sampled pack may have otherwise. Cells that can't be had one without the
other (tokens of which there are 16 in all) are one value: their row, or else the whole file.
Nothing here knows a game: what can be, its own reader says.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from simlab.toml import value as as_toml

IDENTITY = ("name", "title", "notes", "drawn")  # of a pack: what it is called, no value of it
CELL, ROW, FILE = "cell", "row", "file"  # how finely a file's values can be taken apart
Texts = Mapping[str, str]  # file → its text
Place = tuple[str, str]  # row and column in a file
Cells = dict[Place, str]  # what a file says, by place, in order
_TABLE = re.compile(r"(?m)^[ \t]*\[\[[^\[\]]+\]\]")
_NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True)
class Value:
    """One assumed value: its place, and what it may be, `variants`: what each of its cells says then.

    `row` and `column` are "" where all of a file or row goes together. Numbers are in ascending order; else
    the pack's own variant is the first.
    """

    file: str
    row: str
    column: str
    variants: tuple[Cells, ...]

    @property
    def label(self) -> str:
        """Where to look: `cards.csv tactic-03 technology`."""
        return " ".join(word for word in (self.file, self.row, self.column) if word)

    @property
    def family(self) -> str:
        """The values of its kind: those of its column, or of its file where rows have no columns."""
        return " ".join(word for word in (self.file, self.column) if word)

    def at(self, level: float) -> Cells:
        """The variant at a level from 0 to 1: the first at 0, the last at 1."""
        return self.variants[int(level * (len(self.variants) - 1) + 0.5)]


@dataclass(frozen=True)
class File:
    """A file of a pack, taken apart into what it says place by place."""

    name: str
    text: str

    @property
    def is_table(self) -> bool:
        """Whether it has rows and columns."""
        return self.name.endswith(".csv")

    @cached_property
    def cells(self) -> Cells:
        """What it says."""
        return self._of_csv() if self.is_table else self._of_toml()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a table, its key first."""
        return tuple(dict.fromkeys(column for _, column in self.cells))

    def _of_csv(self) -> Cells:
        rows = list(csv.DictReader(io.StringIO(self.text)))
        keys = _keys(rows)
        return {
            (key, column): cell or ""
            for key, row in zip(keys, rows, strict=True)
            for column, cell in row.items()
        }

    def _of_toml(self) -> Cells:
        """Each of its tables whole; where it has none, each key."""
        starts = [*(found.start() for found in _TABLE.finditer(self.text)), len(self.text)]
        if len(starts) > 1:
            tables = [self.text[a:b] for a, b in pairwise(starts)]
            return {
                (key, ""): text for key, text in zip(_keys(list(map(_entry, tables))), tables, strict=True)
            }
        return {("", key): as_toml(content) for key, content in tomllib.loads(self.text).items()}

    def with_cells(self, changed: Cells) -> str:
        """Its text with other cells in it."""
        cells = {**self.cells, **changed}
        if not self.is_table:
            if _TABLE.search(self.text):
                return "".join(text if text.endswith("\n") else text + "\n" for text in cells.values())
            return "".join(f"{key} = {content}\n" for (_, key), content in cells.items())
        rows: dict[str, dict[str, str]] = {}
        for (key, column), cell in cells.items():
            rows.setdefault(key, {})[column] = cell
        out = io.StringIO()
        writer = csv.DictWriter(out, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())
        return out.getvalue()


def _entry(table: str) -> dict[str, str]:
    """The keys of a [[table]]."""
    ((entry,),) = tomllib.loads(table).values()
    return {key: str(content) for key, content in entry.items()}


def _keys(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """What rows are called: by their first value, with the second where that isn't enough, else by number."""
    for words in (1, 2):
        names = [" ".join(list(row.values())[:words]) for row in rows]
        if len(set(names)) == len(rows):
            return names
    return [str(number + 1) for number in range(len(rows))]


def values_of(own: File, others: Iterable[File], grain: str) -> list[Value]:
    """The values of a file, taken apart to a grain: CELL, ROW, FILE; `others`: the file in sampled packs."""
    drawn = [_by_place(own, other) for other in others]
    places = [place for place in own.cells if any(each[place] != own.cells[place] for each in drawn)]
    others_there = {row for row, column in places if own.is_table and column == own.columns[0]}
    groups: dict[Place, list[Place]] = {}
    for row, column in places:
        if not own.is_table and column in IDENTITY:
            continue
        whole = grain == ROW or row in others_there  # a row that may be called otherwise is another thing
        key = ("", "") if grain == FILE else (row, "" if whole else column)
        groups.setdefault(key, []).append((row, column))
    return [Value(own.name, *key, _variants([own.cells, *drawn], cells)) for key, cells in groups.items()]


def _by_place(own: File, other: File) -> Cells:
    """What a sampled file says at the places of the own one; rows that are called otherwise go by order."""
    if set(own.cells) <= set(other.cells):
        return other.cells
    return dict(zip(own.cells, other.cells.values(), strict=True))


def _variants(packs: Sequence[Cells], places: Sequence[Place]) -> tuple[Cells, ...]:
    """What these cells say together in any of the packs, each once."""
    found: dict[tuple[str, ...], Cells] = {}
    for pack in packs:
        said = {place: pack[place] for place in places}
        found.setdefault(tuple(said.values()), said)
    if len(places) == 1 and all(_NUMBER.fullmatch(text) for (text,) in found):
        return tuple(found[text] for text in sorted(found, key=lambda said: int(said[0])))
    return tuple(found.values())
