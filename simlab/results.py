"""Results on disk: tables of Parquet parts, written whole or not at all, read with DuckDB.

A run is a folder with `manifest.json` and a folder a table. A *part* of a run has one file in each table's
folder, of the same name; the file in `games` is renamed into place last, so what `games` lists is complete.

    000003.parquet        part 3, as long as parts of that number are
    000003-1200.parquet   the first 1,200 games of part 3: the end of a run; gives way to a longer one

What the columns mean is declared by each game (`record.py`); those all games share are here.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import ResultsError
from simlab.game import Column, Table

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

MANIFEST = "manifest.json"
FORMAT = 1  # of the folder; part of every manifest
INDEX = "games"  # the table every game has, a row a game: its parts are the run's parts
WORD = "dictionary"  # a column of few different texts

GAME = Column("game", "int64", "", "number of the game in the run, from 0")
BLOCK = Column(
    "block", "int64", "", "number of the block, one deal under all rotations: the unit of statistics"
)
SEAT = Column("seat", "int8", "seat", "place in the starting Priority, 0 first")
COMMON = (
    GAME,
    BLOCK,
    Column("arm", "int32", "", "rule variant, 0 = the experiment's own rules"),
    Column("rotation", "int8", "seats", "how far the line-up is turned round the seats"),
    Column("players", "int8", "", "number of players"),
)
HASH = Column("game_hash", "int64", "", "hash of all choices and the outcome; their sum is the run's digest")


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
            array = pa.array(array)
        arrays.append(array if array.type == field.type else array.cast(field.type))
    return pa.Table.from_arrays(arrays, schema=wanted)


def words(codes: np.ndarray[Any, Any], names: Sequence[str]) -> pa.DictionaryArray:
    """A column of words: `names[code]`, nothing where the code is below 0."""
    import numpy as np
    import pyarrow as pa

    codes = np.asarray(codes, np.int8)
    absent = codes < 0
    indices = pa.array(codes, mask=absent if absent.any() else None)
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(names), pa.string()))


def optional(values: np.ndarray[Any, Any], absent: np.ndarray[Any, Any]) -> pa.Array:
    """A column of numbers with nothing where `absent` is true."""
    import pyarrow as pa

    return pa.array(values, mask=absent)


def write_part(folder: Path, part: str, tables: Sequence[Table], data: Mapping[str, pa.Table]) -> None:
    """Write one part of a run, table by table, `games` last; an interrupted write leaves no part."""
    for table in sorted(tables, key=lambda table: table.name == INDEX):
        rows = data[table.name]
        assert rows.schema.equals(schema(table)), f"table {table.name} is not as declared"
        _write_file(folder / table.name / f"{part}.parquet", table, rows)


def _write_file(target: Path, table: Table, rows: pa.Table) -> None:
    import pyarrow.parquet as pq

    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        with temporary.open("wb") as file:
            pq.write_table(rows, file, **_encoding(table))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _encoding(table: Table) -> dict[str, Any]:
    """zstd; a dictionary only where values are few; the ascending numbers as differences."""
    dictionary = [
        column.name for column in table.columns if column.dtype in {WORD, "int8", "bool", "float32"}
    ]
    ascending = [column.name for column in table.columns if column in (GAME, BLOCK)]
    return {
        "compression": "zstd",
        "compression_level": 3,
        "use_dictionary": dictionary,
        "column_encoding": dict.fromkeys(ascending, "DELTA_BINARY_PACKED"),
    }


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest whole or not at all."""
    target = folder / MANIFEST
    temporary = target.with_name(f".{uuid.uuid4().hex}.tmp")
    temporary.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    temporary.replace(target)


# --- which parts are there --------------------------------------------------------------------------------


def part_name(number: int, games: int, full: int) -> str:
    """The name of part `number` with `games` games where such a part has `full`."""
    return f"{number:06d}" if games == full else f"{number:06d}-{games}"


def parts_of(folder: Path) -> dict[int, tuple[str, int | None]]:
    """The complete parts of a run: number → (name, its games, None = full); the longest of each number."""
    found: dict[int, tuple[str, int | None]] = {}
    for file in (folder / INDEX).glob("*.parquet"):
        number, dash, games = file.stem.partition("-")
        if file.name.startswith(".") or not number.isdigit() or (dash and not games.isdigit()):
            continue
        size = int(games) if dash else None
        known = found.get(int(number))
        if known is None or (known[1] is not None and (size is None or size > known[1])):
            found[int(number)] = (file.stem, size)
    return dict(sorted(found.items()))


def drop_shorter(folder: Path, tables: Sequence[Table], number: int, keep: str) -> None:
    """Remove files of part `number` that a longer one has replaced."""
    for table in tables:
        for file in (folder / table.name).glob(f"{number:06d}*.parquet"):
            if file.stem != keep:
                file.unlink(missing_ok=True)


# --- reading -----------------------------------------------------------------------------------------------


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run; raises ResultsError where the folder is no run."""
    path = folder / MANIFEST
    if not folder.is_dir():
        raise ResultsError(f"{folder}: there is no such run folder")
    if not path.is_file():
        raise ResultsError(f"{folder} is not a run folder: it has no {MANIFEST}")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResultsError(f"{path} can't be read as JSON: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or "tables" not in manifest:
        raise ResultsError(f"{path} is not the manifest of a run of this version (format {FORMAT})")
    return manifest


@dataclass(frozen=True)
class Run:
    """A run folder, opened for reading: views named as its tables over all complete parts."""

    path: Path
    manifest: Mapping[str, Any]
    files: Mapping[str, Sequence[Path]]  # by table, in part order

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection with one view a table."""
        import duckdb

        connection = duckdb.connect()
        for table, files in self.files.items():
            listed = ", ".join(_quoted(file) for file in files)
            try:
                connection.execute(f'CREATE VIEW "{table}" AS SELECT * FROM read_parquet([{listed}])')
            except duckdb.Error as error:
                raise ResultsError(
                    f"{self.path / table} can't be read: {str(error).splitlines()[0]}"
                ) from None
        return connection

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """The answer to a query over the tables: `.df()`, `.to_arrow_table()`, `.fetchall()`."""
        return self.connection.sql(query)


def _quoted(file: Path) -> str:
    """A file name for SQL; DuckDB takes `*`, `?` and `[` in it for patterns, so they go in brackets."""
    text = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(file))
    return "'" + text.replace("'", "''") + "'"


def open_run(path: str | Path) -> Run:
    """Open a run folder; raises ResultsError if it is none, holds no game or a file in it is broken."""
    folder = Path(path)
    manifest = read_manifest(folder)
    names = [name for name, _ in parts_of(folder).values()]
    if not names:
        raise ResultsError(f"{folder} holds no played game yet: run its experiment again")
    files = {table: [folder / table / f"{name}.parquet" for name in names] for table in manifest["tables"]}
    for table_files in files.values():
        for file in table_files:
            _check_file(file)
    return Run(folder, manifest, files)


def _check_file(file: Path) -> None:
    """A Parquet file begins and ends with PAR1; one cut short does not."""
    try:
        with file.open("rb") as opened:
            start = opened.read(4)
            opened.seek(-4, os.SEEK_END)
            end = opened.read(4)
    except FileNotFoundError:
        raise ResultsError(f"{file} is missing: remove its part from {INDEX}/ and run again") from None
    except OSError:
        start = end = b""
    if start != b"PAR1" or end != b"PAR1":
        raise ResultsError(f"{file} is broken (cut short?): remove it and run the experiment again")
