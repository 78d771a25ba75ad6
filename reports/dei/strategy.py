"""Who plays better? Win share by strategy, where a run has several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import shares
from reports.document import Part, Section

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
    parts: list[Part] = [CAUTION]
    findings = []
    for players in basis.players:
        found = shares.shares(basis, "strategy", names, names, players)
        heading = "Win share by strategy" + basis.at(players)
        parts += [
            shares.figure(found, players, heading),
            shares.table(found, "Strategy", players, heading, "Seats"),
        ]
        findings.append(shares.finding(found, lambda name: name, "strategies"))
    return Section("Strategies", tuple(parts), basis.headline(findings))
