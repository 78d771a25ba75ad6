"""Results on disk: tables of Parquet parts, written whole or not at all, read with DuckDB.

A run is a folder with `manifest.json` and a folder a table. A *part* of a run has one file in each table's
folder, of the same name. The manifest lists the parts that are complete, with the sha256 of each file; what
it doesn't list doesn't count. Its seal is a hash of itself, so a change to it doesn't go unnoticed either.

    000003.parquet        part 3, as long as parts of that number are
    000003-1200.parquet   the first 1,200 games of part 3: the end of a run; gives way to a longer one

What the columns mean is declared by each game (`record.py`); those all games share are here.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import ResultsError, UsageError
from simlab.game import Column, Table
from simlab.wording import did_you_mean, place, shown

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

MANIFEST = "manifest.json"
FORMAT = 1  # of the folder; part of every manifest
WORD = "dictionary"  # a column of few different texts, 127 at most
TEXT = "string"  # of more

GAME = Column("game", "int64", "", "number of the game in the run, from 0")
BLOCK = Column(
    "block", "int64", "", "number of the block, one deal under all rotations: the unit of statistics"
)
ARM = Column("arm", "int32", "", "variant of the rules, 0 = the experiment's own, the base")
SEAT = Column("seat", "int8", "seat", "place in the starting Priority, 0 first")
COMMON = (
    GAME,
    BLOCK,
    ARM,
    Column("rotation", "int8", "seats", "how far the line-up is turned round the seats"),
    Column("players", "int8", "", "number of players"),
)
HASH = Column("game_hash", "int64", "", "hash of all choices and the outcome; their sum is the run's digest")
TURN = Column("turn", "int8", "Turn", "from 1")
TURN_HASH = Column("choices_hash", "int64", "", "running hash of all the game's choices so far")

Parts = Mapping[str, Mapping[str, str]]  # name of a part → table → sha256 of its file

_PART = re.compile(r"([0-9]{6,})(?:-([0-9]+))?")
_TEMPORARY = re.compile(r"\.[0-9a-f]{32}\.tmp")
AGAIN = "run the experiment again: it plays what is broken anew"


# --- writing ------------------------------------------------------------------------------------------


def _arrow_type(dtype: str) -> pa.DataType:
    import pyarrow as pa

    return pa.dictionary(pa.int8(), pa.string()) if dtype == WORD else pa.type_for_alias(dtype)


@cache
def schema(table: Table) -> pa.Schema:
    """The Arrow schema of a table, unit and meaning of each column in its metadata."""
    import pyarrow as pa

    fields = [
        pa.field(
            column.name, _arrow_type(column.dtype), metadata={"unit": column.unit, "meaning": column.meaning}
        )
        for column in table.columns
    ]
    return pa.schema(fields, metadata={"simlab.table": table.name, "simlab.format": str(FORMAT)})


def arrow(table: Table, columns: Mapping[str, Any]) -> pa.Table:
    """An Arrow table of the declared columns, in order; arrays are cast to the declared type, safely."""
    import pyarrow as pa

    missing = {column.name for column in table.columns} ^ set(columns)
    assert not missing, f"table {table.name}: columns {sorted(missing)} are declared or given, not both"
    wanted = schema(table)
    arrays = []
    for field in wanted:
        array = columns[field.name]
        if not isinstance(array, pa.Array):
            array = _numbers(array)
        arrays.append(array if array.type == field.type else array.cast(field.type))
    return pa.Table.from_arrays(arrays, schema=wanted)


def words(codes: np.ndarray[Any, Any], names: Sequence[str]) -> pa.DictionaryArray:
    """A column of words: `names[code]`, nothing where the code is below 0."""
    import numpy as np
    import pyarrow as pa

    codes = np.asarray(codes, np.int8)
    return pa.DictionaryArray.from_arrays(_numbers(codes, codes < 0), _texts(names))


def texts(codes: np.ndarray[Any, Any], names: Sequence[str]) -> pa.Array:
    """A column of texts, `names[code]`, of which there may be more than of words."""
    import numpy as np

    return _texts(names).take(_numbers(np.asarray(codes, np.int32)))


def _texts(names: Sequence[str]) -> pa.StringArray:
    import numpy as np
    import pyarrow as pa

    encoded = [name.encode() for name in names]
    ends = pa.py_buffer(np.cumsum([0, *map(len, encoded)], dtype=np.int32))
    return pa.StringArray.from_buffers(len(encoded), ends, pa.py_buffer(b"".join(encoded)))


def optional(values: np.ndarray[Any, Any], absent: np.ndarray[Any, Any]) -> pa.Array:
    """A column of numbers with nothing where `absent` is true."""
    return _numbers(values, absent)


def _numbers(values: np.ndarray[Any, Any], absent: np.ndarray[Any, Any] | None = None) -> pa.Array:
    """Numbers or truth values for Arrow.

    Made of buffers, because `pa.array` imports pandas first: a fifth of a second, and 40 MB in every run.
    """
    import numpy as np
    import pyarrow as pa

    values = np.asarray(values)

    def bits(truths: np.ndarray[Any, Any]) -> pa.Buffer:
        return pa.py_buffer(np.packbits(truths, bitorder="little"))

    data = bits(values) if values.dtype == bool else pa.py_buffer(np.ascontiguousarray(values))
    there = None if absent is None or not absent.any() else bits(~absent)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [there, data])


def write_part(
    folder: Path, part: str, tables: Sequence[Table], data: Mapping[str, pa.Table]
) -> dict[str, str]:
    """Write one part of a run, table by table; the sha256 of each file, for the manifest."""
    return {
        table.name: _write_table(_file(folder, table.name, part), table, data[table.name]) for table in tables
    }


def _write_table(target: Path, table: Table, rows: pa.Table) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    assert rows.schema.equals(schema(table)), f"table {table.name} is not as declared"
    sink = pa.BufferOutputStream()
    pq.write_table(rows, sink, **_encoding(table))
    content = sink.getvalue()
    target.parent.mkdir(exist_ok=True)  # a run's folder that was removed stays so
    write_whole(target, content)
    return hashlib.sha256(content).hexdigest()


def write_whole(target: Path, content: bytes | pa.Buffer) -> None:
    """Write a file whole or not at all, whenever the machine stops."""
    temporary = target.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _encoding(table: Table) -> dict[str, Any]:
    """zstd; a dictionary only where values are few; the ascending numbers as differences."""
    dictionary = [
        column.name for column in table.columns if column.dtype in {WORD, TEXT, "int8", "bool", "float32"}
    ]
    ascending = [column.name for column in table.columns if column in (GAME, BLOCK)]
    return {
        "compression": "zstd",
        "compression_level": 3,
        "use_dictionary": dictionary,
        "column_encoding": dict.fromkeys(ascending, "DELTA_BINARY_PACKED"),
    }


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Seal the manifest and write it whole or not at all; the sealed one."""
    sealed = {**manifest, "seal": seal(manifest)}
    write_whole(folder / MANIFEST, (json.dumps(sealed, indent=2, ensure_ascii=False) + "\n").encode())
    return sealed


def seal(manifest: Mapping[str, Any]) -> str:
    """A hash of all that a file says, such as a manifest, but for its seal."""
    said = {key: value for key, value in manifest.items() if key != "seal"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


# --- parts --------------------------------------------------------------------------------------------


def part_name(number: int, games: int, full: int) -> str:
    """The name of part `number` with `games` games where such a part has `full`."""
    return f"{number:06d}" if games == full else f"{number:06d}-{games}"


def part_size(name: str) -> tuple[int, int | None]:
    """A part's number and its games, None = as many as a part of that number has."""
    match = _PART.fullmatch(name)
    assert match, f"{name} names no part"
    number, games = match.groups()
    return int(number), None if games is None else int(games)


def _file(folder: Path, table: str, part: str) -> Path:
    return folder / table / f"{part}.parquet"


def faults(folder: Path, parts: Parts) -> dict[str, str]:
    """What is wrong with the files of those parts that aren't as they were written: name → in words."""
    files = [
        (name, _file(folder, table, name), digest)
        for name, tables in parts.items()
        for table, digest in tables.items()
    ]
    with ThreadPoolExecutor() as pool:
        reasons = list(pool.map(lambda file: _fault(file[1], file[2]), files))
    found: dict[str, str] = {}
    for (name, _, _), reason in zip(files, reasons, strict=True):
        if reason:
            found.setdefault(name, reason)
    return found


def _fault(file: Path, digest: str) -> str:
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return f"{place(file)} is no file"
        with file.open("rb") as opened:
            same = hashlib.file_digest(opened, "sha256").hexdigest() == digest
    except FileNotFoundError:
        return f"{place(file)} is missing"
    except OSError as error:
        return f"{place(file)} can't be read: {error.strerror}"
    return "" if same else f"{place(file)} is broken: it isn't as it was written"


def is_empty(folder: Path) -> bool:
    """Whether nothing is in a folder but what a run left that was killed."""
    return all(_TEMPORARY.fullmatch(path.name) for path in folder.iterdir())


def tidy(
    folder: Path, tables: Iterable[str], parts: Iterable[str] = (), *, nothing_else: bool = False
) -> None:
    """Remove what a run left that was killed, and the files that longer ones of `parts` have replaced.

    With `nothing_else` those of all other parts go too: the run ended before them.
    """
    kept = {part_size(name)[0]: name for name in parts}
    for file in [*folder.glob(".*.tmp"), *(file for table in tables for file in (folder / table).glob("*"))]:
        match = _PART.fullmatch(file.stem) if file.suffix == ".parquet" else None
        instead = "" if nothing_else else file.stem
        replaced = match is not None and kept.get(int(match[1]), instead) != file.stem
        if (replaced or _TEMPORARY.fullmatch(file.name)) and not file.is_dir():
            file.unlink(missing_ok=True)


# --- reading -----------------------------------------------------------------------------------------------


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run; UsageError where the folder is none, ResultsError where it is damaged."""
    path = folder / MANIFEST
    if not folder.is_dir():
        raise UsageError(
            f"{place(folder)} is a file, not a run folder"
            if folder.exists()
            else f"{place(folder)}: there is no such run folder"
        )
    if not path.is_file():
        raise UsageError(f"{place(folder)} is not a run folder: it has no {MANIFEST}")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(manifest, dict) or not {"format", "seal"} <= set(manifest):
            raise ResultsError(f"{place(path)} is not the manifest of a run")
        unchanged = manifest["seal"] == seal(manifest)
    except OSError as error:
        raise ResultsError(f"{place(path)} can't be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{place(path)} can't be read as JSON: {_json_clause(error)}") from None
    if manifest["format"] != FORMAT:
        raise ResultsError(
            f"{place(path)} has the format {shown(manifest['format'])},"
            f" but this version of simlab reads {FORMAT}"
        )
    if not unchanged:
        raise ResultsError(f"{place(path)} was changed after it was written, so it vouches for no game")
    return manifest


def _json_clause(error: ValueError | RecursionError) -> str:
    """Why a text isn't JSON, without Python in it."""
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg.removesuffix(" starting at")
        return f"{reason[:1].lower()}{reason[1:]} (line {error.lineno})"
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    return "it is nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"


@dataclass(frozen=True)
class Run:
    """A run folder, opened for reading: views named as its tables over all parts that the manifest lists."""

    path: Path
    manifest: Mapping[str, Any]
    files: Mapping[str, Sequence[Path]]  # by table, in part order
    arm: int | None = None  # only the games of that one, of all if None

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection with one view a table."""
        import duckdb

        connection = duckdb.connect()
        only = "" if self.arm is None else f" WHERE {ARM.name} = {self.arm}"
        for table, files in self.files.items():
            listed = ", ".join(_quoted(file) for file in files)
            try:
                connection.execute(f'CREATE VIEW "{table}" AS SELECT * FROM read_parquet([{listed}]){only}')
            except duckdb.Error as error:
                raise ResultsError(
                    f"{place(self.path / table)} can't be read: {str(error).splitlines()[0]}"
                ) from None
        return connection

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """The answer to a query over the tables: `.df()`, `.to_arrow_table()`, `.fetchall()`."""
        return self.connection.sql(query)

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows of a table, in part order, and those columns, as declared: units, meanings, words.

        Raises UsageError for a column that it hasn't.
        """
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        files = [pq.ParquetFile(file) for file in self.files[name]]
        known = files[0].schema_arrow.names
        for column in columns or ():
            if column not in known:
                near = did_you_mean(column, known)
                raise UsageError(f"the table {shown(name)} has no column {shown(column)}{near}")
        wanted = None if columns is None else list(columns)
        read = [ARM.name, *(column for column in wanted or known if column != ARM.name)]
        found = pa.concat_tables([file.read(columns=read) for file in files]).unify_dictionaries()
        if self.arm is not None:
            found = found.filter(pc.equal(found[ARM.name], self.arm))
        return found.select(known if wanted is None else wanted)

    def of_arm(self, arm: int) -> Run:
        """The same run with the games of one arm alone."""
        return replace(self, arm=arm)

    def pieces(self, parts: int) -> Iterator[Run]:
        """The run in pieces of so many parts, whole blocks each: what fits into memory piece by piece."""
        most = max(map(len, self.files.values()), default=0)
        for first in range(0, most, parts):
            yield replace(
                self, files={table: files[first : first + parts] for table, files in self.files.items()}
            )


def _quoted(file: Path) -> str:
    """A file name for SQL; DuckDB takes `*`, `?` and `[` in it for patterns, so they go in brackets."""
    text = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(file))
    return "'" + text.replace("'", "''") + "'"


def files_of(folder: Path, tables: Iterable[str], parts: Iterable[str]) -> dict[str, list[Path]]:
    """The files of parts, by table."""
    names = list(parts)
    return {table: [_file(folder, table, name) for name in names] for table in tables}


def open_run(path: str | Path) -> Run:
    """Open a run folder. Raises an error if it is none, holds no game or a file isn't as it was written."""
    folder = Path(path)
    manifest = read_manifest(folder)
    parts = manifest["parts"]
    if not parts:
        raise ResultsError(f"{place(folder)} holds no played game yet: run its experiment again")
    for fault in faults(folder, parts).values():
        raise ResultsError(f"{fault}; {AGAIN}")
    return Run(folder, manifest, files_of(folder, manifest["tables"], parts))
