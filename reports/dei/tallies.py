"""What the statistics need of a run, added up by DuckDB: sums a block and sums over blocks, never rows.

Values are whole numbers or halves, so the sums are exact and don't depend on the order of the rows. Only
finished games of the experiment's own rules (arm 0) are counted here; the head of the report says how many
others there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.errors import ResultsError
from simlab.stats.intervals import Moments, as_moments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from simlab.results import Run

Key = tuple[Any, ...]
NOTHING = Moments(0, 0, 0.0, 0.0, 0.0, 0.0)


def rows(run: Run, query: str) -> list[tuple[Any, ...]]:
    """All rows of an answer; a table or column that isn't there is one sentence."""
    import duckdb

    try:
        return run.sql(query).fetchall()
    except duckdb.Error as error:
        raise _unreadable(run, error) from None


def arrays(run: Run, query: str) -> dict[str, np.ndarray[Any, Any]]:
    """An answer as numpy arrays by column."""
    import duckdb

    try:
        return dict(run.sql(query).fetchnumpy())
    except duckdb.Error as error:
        raise _unreadable(run, error) from None


def _unreadable(run: Run, error: Exception) -> ResultsError:
    reason = str(error).splitlines()[0].removeprefix("Catalog Error: ").removeprefix("Binder Error: ")
    return ResultsError(f"{run.path} lacks something that the report needs: {reason.rstrip('!')}")


def moments(
    run: Run, table: str, keys: Sequence[str], values: Sequence[str], where: str = "true"
) -> dict[Key, tuple[Moments, ...]]:
    """Moments of each value (an SQL expression) by the keys: one pass over the table, a row a cell back."""
    by = "".join(f"{key}, " for key in keys)
    inner = ", ".join(f"sum({value})::DOUBLE AS t{k}" for k, value in enumerate(values))
    outer = ", ".join(f"sum(t{k}), sum(n * t{k}), sum(t{k} * t{k})" for k in range(len(values)))
    answer = rows(
        run,
        f"SELECT {by} count(*), sum(n), sum(n * n), {outer} FROM "
        f"(SELECT {by} block, count(*)::DOUBLE AS n, {inner} FROM {table} "
        f"WHERE {where} AND {_counted(run, table)} GROUP BY {by} block) "
        + (f"GROUP BY {', '.join(keys)}" if keys else ""),
    )
    return {tuple(row[: len(keys)]): _split(row[len(keys) :]) for row in answer}


def _split(row: Sequence[Any]) -> tuple[Moments, ...]:
    clusters, n, nn = row[:3]
    return tuple(as_moments((clusters, n, row[k], nn, row[k + 1], row[k + 2])) for k in range(3, len(row), 3))


@dataclass(frozen=True)
class Blocks:
    """Rows and totals by block and level, (G, K) both: what joint intervals need."""

    counts: np.ndarray[Any, Any]
    totals: np.ndarray[Any, Any]


def blocks(run: Run, level: str, levels: Sequence[Any], value: str, where: str = "true") -> Blocks:
    """Blocks of `value` over the rows of seats at each of the `levels` of a column."""
    parts = []
    for k, name in enumerate(levels):
        at = f"FILTER (WHERE {level} = {literal(name)})"
        parts.append(f"count(*) {at} AS n{k}, coalesce(sum({value}) {at}, 0)::DOUBLE AS t{k}")
    found = arrays(
        run,
        f"SELECT {', '.join(parts)} FROM seats WHERE {where} AND {_counted(run, 'seats')} "
        "GROUP BY block ORDER BY block",
    )
    shape = range(len(levels))
    return Blocks(
        np.stack([np.asarray(found[f"n{k}"], np.float64) for k in shape], axis=1),
        np.stack([np.asarray(found[f"t{k}"], np.float64) for k in shape], axis=1),
    )


def scores(run: Run, table: str, value: str, where: str = "true") -> tuple[np.ndarray[Any, Any], ...]:
    """The values and blocks of all rows, for quantiles: two short columns, not the table."""
    query = f"SELECT {value} AS value, block FROM {table} WHERE {where} AND {_counted(run, table)}"
    found = arrays(run, query)
    return np.asarray(found["value"], np.float64), np.asarray(found["block"], np.int64)


def literal(value: Any) -> str:
    """A value as SQL writes it."""
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"


def cell(found: Mapping[Key, tuple[Moments, ...]], *key: Any) -> Moments:
    """The first value's moments of a cell, of nothing where no row fell into it."""
    return found[key][0] if key in found else NOTHING


def _counted(run: Run, table: str) -> str:
    """The condition that keeps finished games of arm 0."""
    own = "" if run.manifest.get("arms", 1) == 1 else " AND arm = 0"
    if table == "games":
        return f"ending = 'finished'{own}"
    return "win_share IS NOT NULL" + (" AND game IN (SELECT game FROM games WHERE arm = 0)" if own else "")
