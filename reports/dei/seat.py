"""Does the first seat win? Win share by place in the starting Priority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, shares
from reports.dei.basis import ORDINALS
from reports.document import Part, Section

if TYPE_CHECKING:
    from reports.dei.basis import Basis


def build(basis: Basis) -> Section:
    """A figure and a table a player count."""
    parts: list[Part] = ["A seat is a place in the starting Priority: the 1st seat plays first in Turn 1."]
    findings = []
    for players in basis.players:
        found = shares.shares(basis, "seat", range(players), ORDINALS[:players], players)
        heading = "Win share by seat" + basis.at(players)
        parts += [shares.figure(found, players, heading), shares.table(found, "Seat", players, heading)]
        parts += examples.of_seats(basis, found, players)
        findings.append(shares.finding(found, lambda name: f"the {name} seat", "seats"))
    return Section("Seats", tuple(parts), basis.headline(findings))
