"""Are the factions even? Win share by faction, and whether a faction's seat matters to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, line_up, shares
from reports.dei.basis import ORDINALS, title, titles
from reports.document import Column, Figure, Heat, Kind, Part, Section, Table

if TYPE_CHECKING:
    from reports.dei.basis import Basis

READING = (
    "±: half of the 95 % interval of that row alone, clustered on blocks. All at once: the 95 % interval "
    "that holds for all rows together. Balanced: the 90 % interval lies within "
    "±{band:g} points of an equal share (two one-sided tests at 5 %). Too strong, too weak: it is "
    "outside, with a risk of 5 % over all rows. Undecided: neither; in brackets, about how many more games "
    "would settle it."
)


def build(basis: Basis) -> Section:
    """A figure and a table a player count, then factions by seat, place, strategy and line-up."""
    parts: list[Part] = []
    findings = []
    for players in basis.players:
        found = shares.shares(basis, "faction", basis.factions, titles(basis.factions), players)
        heading = "Win share by faction" + basis.at(players)
        parts += [shares.figure(found, players, heading), shares.table(found, "Faction", players, heading)]
        findings.append(shares.finding(found, lambda name: name, "factions"))
        parts += examples.of_factions(basis, found, players)
    reading = READING if basis.until is None else shares.WHENEVER
    parts.append(reading.format(band=100 * basis.band))
    for players in basis.players:
        parts += [*_by_seat(basis, players), *line_up.parts(basis, players)]
    return Section("Factions", tuple(parts), basis.headline(findings))


def _by_seat(basis: Basis, players: int) -> list[Part]:
    heading = "Win share by faction and seat" + basis.at(players)
    cells = shares.crossed(basis, [("faction", basis.factions), ("seat", range(players))], players)
    seats = tuple(f"{ORDINALS[s]} seat" for s in range(players))
    columns = (Column("Faction", Kind.TEXT), *(Column(seat, Kind.SHARE) for seat in seats))
    rows = tuple((title(faction), *cells[i]) for i, faction in enumerate(basis.factions))
    heat = Heat(tuple(titles(basis.factions)), seats, tuple(map(tuple, cells)), Kind.SHARE, 1 / players)
    note = f"Orange: above an equal share of {100 / players:.3g} %, blue: below."
    return [Figure(heading, heat, note), Table(columns, rows, heading)]
