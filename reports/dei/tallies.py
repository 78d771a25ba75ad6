"""What the statistics need of a run, added up by DuckDB: sums a block and sums over blocks, never rows.

Values are whole numbers or halves, so the sums are exact and don't depend on the order of the rows. Only
finished games are counted here; the head of the report says how many others there are.
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


def kept(run: Run, name: str, query: str) -> None:
    """An answer that several queries need, as a table of that name."""
    import duckdb

    try:
        run.connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")
    except duckdb.Error as error:
        raise _unreadable(run, error) from None


def _unreadable(run: Run, error: Exception) -> ResultsError:
    reason = str(error).splitlines()[0].removeprefix("Catalog Error: ").removeprefix("Binder Error: ")
    return ResultsError(f"{run.path} lacks something that the report needs: {reason.rstrip('!')}")


def moments(
    run: Run,
    table: str,
    keys: Sequence[str],
    values: Sequence[str],
    where: str = "true",
    group: str = "block",
) -> dict[Key, tuple[Moments, ...]]:
    """Moments of each value (an SQL expression) by the keys: one pass over the table, a row a cell back.

    `group`: SQL for the cluster of a row, its block or a group of blocks.
    """
    by = "".join(f"{key}, " for key in keys)
    inner = ", ".join(f"sum({value})::DOUBLE AS t{k}" for k, value in enumerate(values))
    outer = ", ".join(f"sum(t{k}), sum(n * t{k}), sum(t{k} * t{k})" for k in range(len(values)))
    answer = rows(
        run,
        f"SELECT {by} count(*), sum(n), sum(n * n), {outer} FROM "
        f"(SELECT {by} {group} AS cluster, count(*)::DOUBLE AS n, {inner} FROM {table} "
        f"WHERE {where} AND {counted(table)} GROUP BY {by} cluster) "
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
        f"SELECT {', '.join(parts)} FROM seats WHERE {where} AND {counted('seats')} "
        "GROUP BY block ORDER BY block",
    )
    shape = range(len(levels))
    return Blocks(
        np.stack([np.asarray(found[f"n{k}"], np.float64) for k in shape], axis=1),
        np.stack([np.asarray(found[f"t{k}"], np.float64) for k in shape], axis=1),
    )


@dataclass(frozen=True)
class Grid:
    """Sums by cluster and some levels: each an array (G, levels …), 0 where no row fell into it."""

    sums: Mapping[str, np.ndarray[Any, Any]]

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return self.sums[name]

    def moments(self, total: str, rows: str, *at: Any) -> Moments:
        """Moments of `total` over `rows` at some levels: `at` indexes what follows the clusters."""
        where = (slice(None), *at)
        return Moments.of_blocks(self.sums[rows][where], self.sums[total][where])


def grid(run: Run, query: str, levels: Mapping[str, Sequence[Any]], clusters: Sequence[int]) -> Grid:
    """The answer to a query with the columns `cluster`, one for each of the `levels`, and sums.

    Rows with another value of a level are left out.
    """
    found = arrays(run, query)
    places = [np.searchsorted(np.asarray(clusters), _plain(found.pop("cluster")))]
    kept = np.ones(len(places[0]), bool)
    for name, known in levels.items():
        number = {value: k for k, value in enumerate(known)}
        place = np.array([number.get(value, -1) for value in _listed(found.pop(name))], np.int64)
        kept &= place >= 0
        places.append(place)
    shape = (len(clusters), *(len(known) for known in levels.values()))
    sums = {}
    for name, values in found.items():
        sums[name] = np.zeros(shape)
        sums[name][tuple(place[kept] for place in places)] = _plain(values)[kept]
    return Grid(sums)


def _plain(values: Any) -> np.ndarray[Any, Any]:
    """Numbers with 0 for what isn't there."""
    return np.ma.filled(np.ma.asarray(values).astype(np.float64), 0.0)


def _listed(values: Any) -> list[Any]:
    return list(np.ma.asarray(values).tolist())


def scores(run: Run, table: str, value: str, where: str = "true") -> tuple[np.ndarray[Any, Any], ...]:
    """The values and blocks of all rows, for quantiles: two short columns, not the table."""
    query = f"SELECT {value} AS value, block FROM {table} WHERE {where} AND {counted(table)}"
    found = arrays(run, query)
    return np.asarray(found["value"], np.float64), np.asarray(found["block"], np.int64)


def literal(value: Any) -> str:
    """A value as SQL writes it."""
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"


def cell(found: Mapping[Key, tuple[Moments, ...]], *key: Any) -> Moments:
    """The first value's moments of a cell, of nothing where no row fell into it."""
    return found[key][0] if key in found else NOTHING


def counted(table: str, players: int | None = None) -> str:
    """The SQL condition that keeps finished games, and with so many players."""
    many = "" if players is None else f" AND players = {players}"
    if table == "games":
        return f"ending = 'finished'{many}"
    if table != "seats":
        return f"game IN (SELECT game FROM games WHERE ending = 'finished'{many})"
    return f"win_share IS NOT NULL{many}"
