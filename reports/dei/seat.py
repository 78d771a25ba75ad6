"""Does the first seat win? Win share by place in the starting Priority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import shares
from reports.dei.basis import ORDINALS
from reports.document import Section, Table

if TYPE_CHECKING:
    from reports.dei.basis import Basis


def build(basis: Basis) -> Section:
    """One table a player count."""
    parts: list[str | Table] = [
        "A seat is a place in the starting Priority: the 1st seat plays first in Turn 1."
    ]
    for players in basis.players:
        found = shares.shares(basis, "seat", range(players), ORDINALS[:players], players)
        parts.append(shares.table(found, "Seat", players, "Win share by seat" + basis.at(players)))
    return Section("Seats", tuple(parts))
