"""How much do the Drones work? Activations by Drone and faction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, tallies
from reports.dei.basis import LEVEL, title, titles
from reports.document import Cell, Column, Figure, Heat, Kind, Part, Section, Table
from simlab.games.dei.vocabulary import DRONES
from simlab.stats.intervals import Estimate, mean

if TYPE_CHECKING:
    from reports.dei.basis import Basis

NOTE = "A game and player. A Drone works where a card with its icon is played; its cards are in Market."


def build(basis: Basis) -> Section | None:
    """A figure and a table a player count; nothing where no Drone ever worked."""
    parts: list[Part] = []
    findings = []
    for players in basis.players:
        found = _means(basis, players)
        if not found:
            continue
        heading = "Activations of Drones by faction" + basis.at(players)
        everybody = sum(e.value for cells in found.values() for e in cells[:1])
        heat = Heat(
            tuple(map(str.capitalize, found)),
            ("All", *titles(basis.factions)),
            tuple(found.values()),
            Kind.AMOUNT,
            everybody / len(found),
        )
        columns = (
            Column("Drone", Kind.TEXT),
            *(Column(name, Kind.AMOUNT) for name in ("All", *(title(f) for f in basis.factions))),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name.capitalize(), *cells) for name, cells in found.items()
        )
        parts += [Figure(heading, heat, "Orange: above the mean of all Drones, blue: below.")]
        parts += [Table(columns, rows, heading, NOTE)]
        most_used = {f"used_{name}": f"{name.capitalize()} works most" for name in found}
        parts += examples.of_counts(basis, players, most_used)
        most = max(found, key=lambda name: found[name][0].value)
        findings.append(f"{most.capitalize()} works most, {found[most][0].value:.1f} times a game and player")
    return Section("Drones", tuple(parts), basis.headline(findings)) if parts else None


def _means(basis: Basis, players: int) -> dict[str, tuple[Estimate, ...]]:
    """Of each Drone that worked: the mean of all, then by faction."""
    values = [f"used_{drone}" for drone in DRONES]
    where = f"players = {players} AND used_{DRONES[0]} IS NOT NULL"
    nothing = (tallies.NOTHING,) * len(values)
    by_faction = tallies.moments(basis.run, "seats", ["faction"], values, where, basis.group)
    everybody = tallies.moments(basis.run, "seats", [], values, where, basis.group).get((), nothing)
    columns = [everybody, *(by_faction.get((f,), nothing) for f in basis.factions)]
    return {
        drone: tuple(mean(column[k], LEVEL) for column in columns)
        for k, drone in enumerate(DRONES)
        if everybody[k].total
    }
