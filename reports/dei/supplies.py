"""Where do the Supplies come from? Mean by source and faction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import tallies
from reports.dei.basis import LEVEL, title
from reports.document import Cell, Column, Kind, Section, Table
from simlab.games.dei.vocabulary import SOURCES
from simlab.stats.intervals import mean

if TYPE_CHECKING:
    from reports.dei.basis import Basis

LABELS = {
    "missions_on_time": "Missions on time",
    "missions_late": "Missions late",
    "card_icons": "Card icons",
    "draco": "Draco",
    "trading_post": "Trading Post",
    "outposts": "Outposts",
    "feats": "Feats",
    "technology": "Technology",
    "energy": "Energy Cells",
    "market_cards": "Market cards",
    "grant": "Granted (handicap)",
}
NOTE = "± is half of the 95 % interval, clustered on blocks."


def build(basis: Basis) -> Section:
    """One table a player count; sources that never gave anything are left out and named."""
    return Section("Supplies by source", (*(_table(basis, players) for players in basis.players), NOTE))


def _table(basis: Basis, players: int) -> Table:
    values = ["supplies", *(f"supplies_{source}" for source in SOURCES)]
    found = tallies.moments(basis.run, "seats", ["faction"], values, f"players = {players}")
    columns = (Column("Source", Kind.TEXT), *(Column(title(f), Kind.AMOUNT) for f in basis.factions))
    rows: list[tuple[Cell, ...]] = []
    unused = []
    for k, label in enumerate(["All", *(LABELS[source] for source in SOURCES)]):
        cells = [found[(f,)][k] if (f,) in found else tallies.NOTHING for f in basis.factions]
        if k and not any(cell.total for cell in cells):
            unused += [label] if label != LABELS["grant"] else []
        else:
            rows.append((label, *(mean(cell, LEVEL) for cell in cells)))
    note = f"Nothing came from: {', '.join(unused)}." if unused else ""
    return Table(columns, tuple(rows[1:] + rows[:1]), "Mean Supplies of a game" + basis.at(players), note)
