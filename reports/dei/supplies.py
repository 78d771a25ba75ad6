"""Where do the Supplies come from? Mean by source and faction."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING

from reports.dei import tallies
from reports.dei.basis import LEVEL, title, titles
from reports.document import Bars, Cell, Column, Figure, Kind, Part, Section, Table
from reports.numbers import listed
from simlab.games.dei.vocabulary import SOURCES
from simlab.stats.intervals import EMPTY, Estimate, mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
ALL = "all"
COLOURS = 7  # told apart in one figure; the eighth is for the others
NOTE = "± is half of the 95 % interval, clustered on blocks."


def build(basis: Basis) -> Section:
    """A figure and a table a player count; sources that never gave anything are left out and named."""
    parts: list[Part] = []
    findings = []
    for players in basis.players:
        found = _means(basis, players)
        findings.append(_finding(found))
        figure = [_figure(basis, found, players)] if any(map(_gave, found.values())) else []
        parts += [*figure, _table(basis, found, players)]
    return Section("Supplies by source", (*parts, NOTE), basis.headline(findings))


def _means(basis: Basis, players: int) -> dict[str, tuple[Estimate, ...]]:
    """Mean Supplies by source, ALL of them first, and faction."""
    values = ["supplies", *(f"supplies_{source}" for source in SOURCES)]
    found = tallies.moments(basis.run, "seats", ["faction"], values, f"players = {players}")
    cells = [found.get((f,), (tallies.NOTHING,) * len(values)) for f in basis.factions]
    return {name: tuple(mean(cell[k], LEVEL) for cell in cells) for k, name in enumerate([ALL, *SOURCES])}


def _gave(estimates: Sequence[Estimate]) -> bool:
    return any(e.known and e.value for e in estimates)


def _figure(basis: Basis, found: Mapping[str, tuple[Estimate, ...]], players: int) -> Figure:
    """The largest sources each in a colour, the rest of them together."""
    size = {source: sum(e.value for e in found[source] if e.known) for source in SOURCES}
    largest = sorted((s for s in SOURCES if _gave(found[s])), key=lambda s: -size[s])
    shown, others = largest[:COLOURS], largest[COLOURS:]
    columns = [found[source] for source in shown]
    names = [LABELS[source] for source in shown]
    if others:
        columns.append(
            tuple(_sum([found[source][f] for source in others]) for f in range(len(basis.factions)))
        )
        names.append("Other")
    plot = Bars(
        tuple(titles(basis.factions)),
        tuple(names),
        tuple(zip(*columns, strict=True)),
        "Supplies, mean of a game",
    )
    note = f"Other: {listed(LABELS[s] for s in others)}." if others else ""
    return Figure("Mean Supplies of a game by source" + basis.at(players), plot, note)


def _sum(estimates: Sequence[Estimate]) -> Estimate:
    """Means of the same rows added up; how sure the sum is isn't known, since they depend on each other."""
    known = [e for e in estimates if e.known]
    if not known:
        return EMPTY
    return replace(known[0], value=sum(e.value for e in known), se=nan, low=nan, high=nan)


def _table(basis: Basis, found: Mapping[str, tuple[Estimate, ...]], players: int) -> Table:
    columns = (Column("Source", Kind.TEXT), *(Column(title(f), Kind.AMOUNT) for f in basis.factions))
    shown = [source for source in SOURCES if _gave(found[source])]
    rows: list[tuple[Cell, ...]] = [(LABELS[source], *found[source]) for source in shown]
    unused = [LABELS[s] for s in SOURCES if s not in shown and s != "grant"]
    note = f"Nothing came from: {', '.join(unused)}." if unused else ""
    return Table(columns, (*rows, ("All", *found[ALL])), "Mean Supplies of a game" + basis.at(players), note)


def _finding(found: Mapping[str, tuple[Estimate, ...]]) -> str:
    """The largest source and its part of all Supplies, the factions' means averaged."""
    size = {name: sum(e.value for e in estimates if e.known) for name, estimates in found.items()}
    if not size[ALL]:
        return ""
    most = max(SOURCES, key=lambda source: size[source])
    verb = "give" if LABELS[most].split()[0].endswith("s") else "gives"
    return f"{LABELS[most]} {verb} most, {100 * size[most] / size[ALL]:.0f} % of all"
