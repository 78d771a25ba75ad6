"""Who plays better? Win share by strategy, where a run has several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import shares
from reports.document import Section, Table

if TYPE_CHECKING:
    from reports.dei.basis import Basis

CAUTION = (
    "The win shares of factions and seats are averages over the strategies as this run mixed them. A "
    "strategy's own share says how it did among these opponents, no more."
)


def build(basis: Basis) -> Section | None:
    """One table a player count; nothing with a single strategy."""
    names = basis.strategies
    if len(names) < 2:
        return None
    parts: list[str | Table] = [CAUTION]
    for players in basis.players:
        found = shares.shares(basis, "strategy", names, names, players)
        heading = "Win share by strategy" + basis.at(players)
        parts.append(shares.table(found, "Strategy", players, heading, "Seats"))
    return Section("Strategies", tuple(parts))
