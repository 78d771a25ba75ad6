"""Made-up runs with some columns set to what a test needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from simlab.games.dei.record import TABLES
from simlab.results import read_manifest, write_manifest, write_part

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import numpy as np

    Columns = Mapping[str, np.ndarray[Any, Any]]


def replaced(table: pa.Table, columns: Columns) -> pa.Table:
    """A table with other values in some of its columns."""
    for name, values in columns.items():
        place = table.schema.get_field_index(name)
        field = table.schema.field(name)
        table = table.set_column(place, field, pa.array(values).cast(field.type))
    return table


def edited(run: Path, folder: Path, name: str, change: Callable[[pa.Table], Columns]) -> Path:
    """The run once more, one of its tables with what `change` makes of its columns."""
    manifest = read_manifest(run)
    tables = {each: pq.read_table(next((run / each).glob("*.parquet"))) for each in manifest["tables"]}
    tables[name] = replaced(tables[name], change(tables[name]))
    folder.mkdir()
    declared = [table for table in TABLES if table.name in tables]
    write_manifest(folder, manifest | {"parts": {"000000": write_part(folder, "000000", declared, tables)}})
    return folder
