"""Variety: whether winners all do the same. Which cards they buy, where their Supplies come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reports.dei import market, tallies, usage
from reports.dei.basis import LEVEL
from reports.document import Cell, Column, Kind, Part, Section, Table
from reports.numbers import listed
from simlab.games.dei.vocabulary import SOURCES
from simlab.stats.diversity import hill, partition

if TYPE_CHECKING:
    from reports.dei.basis import Basis

WHAT = (
    "*As varied as* so many kinds, each equally common: of 40 cards, 40 if all are bought equally often, 1 "
    "if everybody buys the same."
)
CARDS = (
    "Common ones: the same, rare cards counting less. (Hill numbers: of order 1, corrected by Miller and "
    "Madow, and of order 2, by pairs of purchases.)"
)
WAYS = (
    "Together: as many sources as all of them live on; each: as one player lives on; the former is the "
    "latter times the ways. One way: all have the same mix (the section Supplies by source has it)."
)
UNIT = 1_000_000  # shares and entropies are added up as whole numbers, so that their order doesn't matter
WHO = (("All players", "true"), ("Winners", "win_share > 0"), ("The others", "win_share = 0"))


def build(basis: Basis) -> Section:
    """Cards bought and sources of Supplies, a player count each, of winners beside all."""
    parts: list[Part] = [WHAT]
    findings = []
    for players in basis.players:
        table, said = _sources(basis, players)
        parts += [*_cards(basis, players), table]
        findings.append(said)
    return Section("Variety", tuple(parts), basis.headline(findings))


def _cards(basis: Basis, players: int) -> list[Part]:
    """The cards bought, by whom, and those that hardly anybody buys."""
    if not basis.has("market"):
        return []
    cards = market.cards_of(basis)
    found = market.sums_of(basis, players, cards)
    columns = (
        Column("Bought by", Kind.TEXT),
        Column("Cards", Kind.COUNT),
        Column("As varied as", Kind.AMOUNT),
        Column("Common ones", Kind.AMOUNT),
    )
    every, won = found["bought"], found["wins"]
    rows: list[tuple[Cell, ...]] = []
    for (who, _), counts in zip(WHO, (every, won, every - won), strict=True):
        kinds = int((counts.sum(axis=0) > 0).sum())
        rows.append((who, kinds, hill(counts, 1, LEVEL), hill(counts, 2, LEVEL)))
    table = Table(columns, tuple(rows), "Cards that are bought" + basis.at(players), CARDS)
    dead = [use.label for use in usage.of(market.taken(basis, players), usage.DEAD)]
    if not dead:
        return [table, f"No card of {len(cards)} is shown to be dead{basis.at(players)}."]
    return [table, f"Hardly ever bought where they could be{basis.at(players)}: {listed(dead)}."]


def _sources(basis: Basis, players: int) -> tuple[Table, str]:
    columns = (
        Column("Supplies of", Kind.TEXT),
        Column("Together", Kind.AMOUNT),
        Column("Each", Kind.AMOUNT),
        Column("Ways", Kind.AMOUNT),
    )
    shares = {f"s{k}": f"supplies_{source} / supplies" for k, source in enumerate(SOURCES)}
    entropy = " + ".join(f"CASE WHEN {p} > 0 THEN -({p}) * ln({p}) ELSE 0 END" for p in shares.values())
    each = {**shares, "own": entropy}
    sums = ", ".join(
        f"sum(round({UNIT} * ({value}))::BIGINT)::DOUBLE AS {name}" for name, value in each.items()
    )
    rows: list[tuple[Cell, ...]] = []
    said = ""
    for who, where in WHO:
        found = tallies.arrays(
            basis.run,
            f"SELECT {basis.group} AS cluster, count(*)::DOUBLE AS n, {sums} FROM seats WHERE supplies > 0 "
            f"AND {where} AND {tallies.counted('seats', players)} GROUP BY ALL ORDER BY cluster",
        )
        varied = partition(
            np.stack([found[name] / UNIT for name in shares], axis=1), found["own"] / UNIT, found["n"], LEVEL
        )
        rows.append((who, *varied))
        if who == "Winners" and varied.ways.known:
            said = f"winners live on {varied.alone.value:.1f} sources each, in {varied.ways.value:.2f} ways"
    return Table(columns, tuple(rows), "Where Supplies come from" + basis.at(players), WAYS), said
