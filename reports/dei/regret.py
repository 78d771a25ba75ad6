"""What was given up by completing one Mission and not another: at once, and in hindsight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import tallies
from reports.dei.basis import LEVEL, titles
from reports.dei.mission_done import done, knows_regret
from reports.document import Cell, Column, Kind, Part, Table
from simlab.stats.intervals import mean, share

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from reports.dei.basis import Basis

REGRET = (
    "*Regret at once*: what the best Mission open to the player would have given at that moment, less what "
    "the one completed gave, in Supplies. It isn't regret in the end, since a Mission left may give more in "
    "a later Turn. *Regret in hindsight* counts that: the most that one Mission a Turn, each of another "
    "column, could have given, less what they gave. It takes the positions as they were, though who means to "
    "complete another Mission plays for it too."
)
AT_ONCE = (
    "Of those that were completed. Best: as much as any that was open then. On time, late: the regret of "
    "these."
)
BY_TURN = "In Turn 1 every column is open to everybody, in the last a single one."
HINDSIGHT = (
    "A game: what all Missions of a player gave together, and could have given. Best order: the share of "
    "players whom no other order would have given more."
)


def parts(basis: Basis, players: int, kinds: Sequence[str], labels: Sequence[str]) -> list[Part]:
    """Regret by Mission, Turn, faction and strategy; nothing where the tables don't know it."""
    if not knows_regret(basis):
        return []
    who: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        "faction": (basis.factions, titles(basis.factions))
    }
    if len(basis.strategies) > 1:
        who["strategy"] = basis.strategies, basis.strategies
    made: list[Part] = [REGRET, _by_mission(basis, players, kinds, labels), _by_turn(basis, players)]
    made += [_by(basis, players, *levels, name) for name, levels in who.items()]
    made += [_in_hindsight(basis, players, *levels, name) for name, levels in who.items()]
    return made


def in_hindsight(basis: Basis, players: int, level: str, names: Sequence[Any]) -> tallies.Grid:
    """By cluster and level: seats `n`, what Missions gave (`had`), at `most`; `regret`, `best` where 0."""
    had = "supplies_missions_on_time + supplies_missions_late"
    query = (
        f"SELECT {basis.group} AS cluster, {level}, count(*) AS n, sum({had}) AS had, "
        f"sum(missions_best) AS most, sum(missions_best - ({had})) AS regret, "
        f"count(*) FILTER (missions_best = {had}) AS best FROM seats "
        f"WHERE {tallies.counted('seats', players)} GROUP BY ALL"
    )
    return tallies.grid(basis.run, query, {level: names}, basis.clusters(players))


def _by_mission(basis: Basis, players: int, kinds: Sequence[str], labels: Sequence[str]) -> Table:
    found = done(basis, players, {"mission": kinds})
    columns = (
        Column("Mission", Kind.TEXT),
        Column("Completed", Kind.COUNT),
        Column("Best", Kind.SHARE),
        Column("Regret", Kind.AMOUNT),
        Column("On time", Kind.AMOUNT),
        Column("Late", Kind.AMOUNT),
    )
    rows: list[tuple[Cell, ...]] = []
    for k, name in enumerate(labels):
        best, regret = (
            share(found.moments("best", "done", k), LEVEL),
            mean(found.moments("regret", "done", k), LEVEL),
        )
        when = (mean(found.moments(f"{one}_regret", one, k), LEVEL) for one in ("early", "late"))
        rows.append((name, int(found["done"][:, k].sum()), best, regret, *when))
    return Table(columns, tuple(rows), "Regret at once by Mission" + basis.at(players), AT_ONCE)


def _by_turn(basis: Basis, players: int) -> Table:
    query = "SELECT DISTINCT turn FROM missions WHERE turn IS NOT NULL ORDER BY turn"
    played = [row[0] for row in tallies.rows(basis.run, query)]
    table = _completed(basis, players, "turn", played, [str(turn) for turn in played])
    return Table(*table, "Regret at once by Turn" + basis.at(players), BY_TURN)


def _by(basis: Basis, players: int, names: Sequence[str], labels: Sequence[str], level: str) -> Table:
    table = _completed(basis, players, level, names, labels)
    return Table(*table, f"Regret at once by {level}" + basis.at(players))


def _completed(
    basis: Basis, players: int, level: str, names: Sequence[Any], labels: Sequence[str]
) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    found = done(basis, players, {level: names})
    columns = (
        Column(level.capitalize(), Kind.TEXT),
        Column("Completed", Kind.COUNT),
        Column("On time", Kind.SHARE),
        Column("Best", Kind.SHARE),
        Column("Regret", Kind.AMOUNT),
    )
    rows: list[tuple[Cell, ...]] = []
    for k, label in enumerate(labels):
        shares = (share(found.moments(name, "done", k), LEVEL) for name in ("early", "best"))
        regret = mean(found.moments("regret", "done", k), LEVEL)
        rows.append((label, int(found["done"][:, k].sum()), *shares, regret))
    return columns, tuple(rows)


def _in_hindsight(
    basis: Basis, players: int, names: Sequence[str], labels: Sequence[str], level: str
) -> Table:
    found = in_hindsight(basis, players, level, names)
    columns = (
        Column(level.capitalize(), Kind.TEXT),
        Column("Games", Kind.COUNT),
        Column("Gave", Kind.AMOUNT),
        Column("At most", Kind.AMOUNT),
        Column("Regret", Kind.AMOUNT),
        Column("Best order", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    for k, label in enumerate(labels):
        amounts = (mean(found.moments(name, "n", k), LEVEL) for name in ("had", "most", "regret"))
        best = share(found.moments("best", "n", k), LEVEL)
        rows.append((label, int(found["n"][:, k].sum()), *amounts, best))
    note = HINDSIGHT if level == "faction" else ""  # said once
    return Table(columns, tuple(rows), f"Regret in hindsight by {level}" + basis.at(players), note)
