"""How many Candy Boosts are gained, by whom, and who wins with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, tallies
from reports.dei.basis import LEVEL, title
from reports.document import Cell, Column, Kind, Part, Section, Table
from simlab.stats.intervals import Moments, mean, share

if TYPE_CHECKING:
    from reports.dei.basis import Basis

STEPS = ((0, 0), (1, 2), (3, 4), (5, 6), (7, 8), (9, None))
ASSOCIATION = "An **association**: whoever plays more cards and kills more gains more of them too."


def build(basis: Basis) -> Section | None:
    """Two tables a player count; nothing where none was gained."""
    parts: list[Part] = []
    findings = []
    for players in basis.players:
        where = f"players = {players} AND candy_gained IS NOT NULL"
        keys = ["candy_gained"]
        gained = tallies.moments(basis.run, "seats", ["faction"], keys, where, basis.group)
        if not any(found[0].total for found in gained.values()):
            continue
        everybody = mean(
            tallies.cell(tallies.moments(basis.run, "seats", [], keys, where, basis.group)), LEVEL
        )
        rows: list[tuple[Cell, ...]] = [
            (title(f), tallies.cell(gained, f).n, mean(tallies.cell(gained, f), LEVEL))
            for f in basis.factions
        ]
        columns = (Column("Faction", Kind.TEXT), Column("Games", Kind.COUNT), Column("Gained", Kind.AMOUNT))
        parts += [Table(columns, tuple(rows), "Candy Boosts gained in a game" + basis.at(players))]
        parts += [_winning(basis, players)]
        parts += examples.of_counts(basis, players, {"candy_gained": "most Candy Boosts"})
        findings.append(f"a player gains {everybody.value:.1f} in a game")
    return Section("Candy Boosts", tuple(parts), basis.headline(findings)) if parts else None


def _winning(basis: Basis, players: int) -> Table:
    step = "CASE " + " ".join(
        f"WHEN candy_gained <= {high} THEN {k}" for k, (_, high) in enumerate(STEPS) if high is not None
    )
    step += f" ELSE {len(STEPS) - 1} END"
    found = tallies.grid(
        basis.run,
        f"SELECT {basis.group} AS cluster, {step} AS step, count(*) AS n, sum(win_share)::DOUBLE AS wins "
        "FROM seats WHERE candy_gained IS NOT NULL "
        f"AND {tallies.counted('seats', players)} GROUP BY ALL",
        {"step": range(len(STEPS))},
        basis.clusters(players),
    )
    columns = (
        Column("Gained", Kind.TEXT),
        Column("Seats", Kind.COUNT),
        Column("Win share", Kind.SHARE),
        Column(f"vs {100 / players:.3g} %", Kind.POINTS),
    )
    rows: list[tuple[Cell, ...]] = []
    for k, (low, high) in enumerate(STEPS):
        moments: Moments = found.moments("wins", "n", k)
        won = share(moments, LEVEL)
        name = f"{low} or more" if high is None else str(low) if low == high else f"{low} or {high}"
        rows.append((name, moments.n, won, won.value - 1 / players if won.known else None))
    return Table(columns, tuple(rows), "Win share by Candy Boosts gained" + basis.at(players), ASSOCIATION)
