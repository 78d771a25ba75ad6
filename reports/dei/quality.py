"""Is a game open for long? Who leads after each Turn, how far, and whether that decides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reports.dei import examples, tallies
from reports.dei.basis import LEVEL, title
from reports.document import Cell, Column, Figure, Kind, Lines, Part, Section, Table
from simlab.stats.intervals import Moments, mean, share

if TYPE_CHECKING:
    from reports.dei.basis import Basis

WHAT = (
    "Who leads after a Turn has the most Supplies then; Priority breaks ties, as at the end. The final count "
    "comes after the last Turn, so even then the lead can change."
)
READING = (
    "Lead: of the first over the second. Leader wins: the game, in the end. Changed: another leads than "
    "after the Turn before. Won from behind: the winner was last after that Turn."
)


def build(basis: Basis) -> Section | None:
    """A table of leads and a figure of Supplies a player count; nothing without the table of Turns."""
    if not basis.has("turns"):
        return None
    turns = [row[0] for row in tallies.rows(basis.run, "SELECT DISTINCT turn FROM turns ORDER BY turn")]
    parts: list[Part] = [WHAT]
    findings = []
    for players in basis.players:
        found = _sums(basis, players, turns)
        parts += [_figure(basis, found, players, turns), _table(basis, found, players, turns)]
        parts += [_supplies(basis, players, turns), *examples.of_courses(basis, players, _middle(turns))]
        findings.append(_finding(found, turns))
    return Section("Course of a game", tuple(parts), basis.headline(findings))


def _sums(basis: Basis, players: int, turns: list[int]) -> tallies.Grid:
    """By cluster, for each Turn: games, leads, leaders who win, changes of the lead, last who win."""
    order = (
        "(supplies::INT * 16 - priority) * 8 + seat"  # by Supplies, then Priority; who it is in the last bits
    )
    each = ", ".join(
        f"max({order}, 2) FILTER (turn = {t}) AS top{t}, min({order}) FILTER (turn = {t}) AS low{t}"
        for t in turns
    )
    told = ", ".join(
        f"top{t}[1] & 7 AS first{t}, low{t} & 7 AS last{t}, "
        f"((top{t}[1] >> 3) + 15) // 16 - ((top{t}[2] >> 3) + 15) // 16 AS ahead{t}"
        for t in turns
    )
    sums = []
    for before, t in zip([None, *turns], turns, strict=False):
        sums += [
            f"sum(ahead{t})::DOUBLE AS lead{t}",
            f"count(*) FILTER (first{t} = winner_seat) AS wins{t}",
            f"count(*) FILTER (last{t} = winner_seat) AS behind{t}",
            f"count(first{t}) AS n{t}",
        ]
        if before is not None:
            sums.append(f"count(*) FILTER (first{t} <> first{before}) AS changed{t}")
    query = (
        f"WITH each AS (SELECT game, {each} FROM turns GROUP BY game), "
        f"told AS (SELECT game, {told} FROM each) "
        f"SELECT {basis.group} AS cluster, {', '.join(sums)} FROM told JOIN games USING (game) "
        f"WHERE {tallies.counted('games', players)} GROUP BY ALL"
    )
    return tallies.grid(basis.run, query, {}, basis.clusters(players))


def _table(basis: Basis, found: tallies.Grid, players: int, turns: list[int]) -> Table:
    columns = (
        Column("After Turn", Kind.TEXT),
        Column("Games", Kind.COUNT),
        Column("Lead", Kind.AMOUNT),
        Column("Leader wins", Kind.SHARE),
        Column("Changed", Kind.SHARE),
        Column("Won from behind", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    for t in turns:
        n = found[f"n{t}"]
        changed = f"changed{t}" in found.sums
        rows.append(
            (
                str(t),
                int(n.sum()),
                mean(Moments.of_blocks(n, found[f"lead{t}"]), LEVEL),
                share(Moments.of_blocks(n, found[f"wins{t}"]), LEVEL),
                share(Moments.of_blocks(n, found[f"changed{t}"]), LEVEL) if changed else None,
                share(Moments.of_blocks(n, found[f"behind{t}"]), LEVEL),
            )
        )
    return Table(columns, tuple(rows), "The lead after each Turn" + basis.at(players), READING)


def _figure(basis: Basis, found: tallies.Grid, players: int, turns: list[int]) -> Figure:
    series = tuple(
        (name, tuple(share(Moments.of_blocks(found[f"n{t}"], found[f"{key}{t}"]), LEVEL) for t in turns))
        for name, key in (("First wins", "wins"), ("Last wins", "behind"))
    )
    plot = Lines(tuple(turns), series, Kind.SHARE, "wins in the end, %", "After Turn")
    note = f"Whoever is first or last after a Turn; an equal share is {100 / players:.3g} %."
    return Figure("Whether the lead decides a game" + basis.at(players), plot, note)


def _supplies(basis: Basis, players: int, turns: list[int]) -> Table:
    found = tallies.grid(
        basis.run,
        f"SELECT {basis.group} AS cluster, turn, faction, count(*) AS n, sum(supplies)::DOUBLE AS supplies "
        f"FROM turns WHERE {tallies.counted('turns', players)} GROUP BY ALL",
        {"turn": turns, "faction": basis.factions},
        basis.clusters(players),
    )
    columns = (Column("After Turn", Kind.TEXT), *(Column(title(f), Kind.AMOUNT) for f in basis.factions))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(t), *(mean(found.moments("supplies", "n", k, f), LEVEL) for f in range(len(basis.factions))))
        for k, t in enumerate(turns)
    )
    return Table(columns, rows, "Mean Supplies after each Turn" + basis.at(players))


def _middle(turns: list[int]) -> int:
    return turns[(len(turns) - 1) // 2] if turns else 0


def _finding(found: tallies.Grid, turns: list[int]) -> str:
    middle = _middle(turns)
    if not turns or not found[f"n{middle}"].any():
        return ""
    won = np.sum(found[f"wins{middle}"]) / np.sum(found[f"n{middle}"])
    return f"who leads after Turn {middle} wins {100 * won:.0f} % of the games"
