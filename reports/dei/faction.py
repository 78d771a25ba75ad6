"""Are the factions even? Win share by faction, and whether a faction's seat matters to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import shares
from reports.dei.basis import BAND, ORDINALS, title, titles
from reports.document import Column, Kind, Section, Table

if TYPE_CHECKING:
    from reports.dei.basis import Basis

READING = (
    "±: half of the 95 % interval of that row alone, clustered on blocks. All at once: the 95 % interval "
    "that holds for all rows together. Balanced: the 90 % interval lies within "
    f"±{100 * BAND:g} points of an equal share (two one-sided tests at 5 %). Too strong, too weak: it is "
    "outside, with a risk of 5 % over all rows. Undecided: neither; in brackets, about how many more games "
    "would settle it."
)


def build(basis: Basis) -> Section:
    """One table a player count, then factions by seats."""
    parts: list[str | Table] = []
    for players in basis.players:
        found = shares.shares(basis, "faction", basis.factions, titles(basis.factions), players)
        parts.append(shares.table(found, "Faction", players, "Win share by faction" + basis.at(players)))
    parts.append(READING)
    parts += [_by_seat(basis, players) for players in basis.players]
    return Section("Factions", tuple(parts))


def _by_seat(basis: Basis, players: int) -> Table:
    cells = shares.crossed(basis, [("faction", basis.factions), ("seat", range(players))], players)
    columns = (
        Column("Faction", Kind.TEXT),
        *(Column(f"{ORDINALS[s]} seat", Kind.SHARE) for s in range(players)),
    )
    rows = tuple((title(faction), *cells[i]) for i, faction in enumerate(basis.factions))
    return Table(columns, rows, "Win share by faction and seat" + basis.at(players))
