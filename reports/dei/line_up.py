"""Who sits with whom: the factions' win shares by line-up and by strategy, and which places they come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.dei import shares, tallies
from reports.dei.basis import LEVEL, ORDINALS, title, titles
from reports.document import Cell, Column, Figure, Heat, Kind, Part, Table
from simlab.games.dei.vocabulary import FACTIONS
from simlab.stats.intervals import Moments, mean, share

if TYPE_CHECKING:
    from reports.dei.basis import Basis

LINE_UPS = (
    "A line-up is who sits in a game, in the order round the table; where it begins is turned round the "
    "seats, so each faction has had each seat. Factions go by the first two letters."
)


def parts(basis: Basis, players: int) -> list[Part]:
    """Places, line-ups and, of several strategies, who plays whom."""
    return [*_places(basis, players), *_by_strategy(basis, players), *_by_line_up(basis, players)]


# --- places -----------------------------------------------------------------------------------------------


def _places(basis: Basis, players: int) -> list[Part]:
    """How often each faction comes first, second …, and the mean of its places."""
    heading = "Places by faction" + basis.at(players)
    places = range(1, players + 1)
    where = f"players = {players} AND place IS NOT NULL"
    values = [*(f"(place = {place})::INT" for place in places), "place"]
    found = tallies.moments(basis.run, "seats", ["faction"], values, where, basis.group)
    if not found:
        return []
    nothing = (tallies.NOTHING,) * len(values)
    columns = (
        Column("Faction", Kind.TEXT),
        *(Column(ORDINALS[place - 1], Kind.SHARE) for place in places),
        Column("Mean place", Kind.AMOUNT),
    )
    sums = [found.get((faction,), nothing) for faction in basis.factions]
    cells = tuple(tuple(share(moments, LEVEL) for moments in each[:-1]) for each in sums)
    names = titles(basis.factions)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *own, mean(each[-1], LEVEL)) for name, own, each in zip(names, cells, sums, strict=True)
    )
    heads = tuple(ORDINALS[place - 1] for place in places)
    heat = Heat(tuple(names), heads, cells, Kind.SHARE, 1 / players)
    note = f"Orange: above an equal share of {100 / players:.3g} %, blue: below."
    return [Figure(heading, heat, note), Table(columns, rows, heading)]


# --- strategies -------------------------------------------------------------------------------------------


def _by_strategy(basis: Basis, players: int) -> list[Part]:
    names = basis.strategies
    if len(names) < 2:
        return []
    heading = "Win share by faction and strategy" + basis.at(players)
    cells = shares.crossed(basis, [("faction", basis.factions), ("strategy", names)], players)
    columns = (Column("Faction", Kind.TEXT), *(Column(name, Kind.SHARE) for name in names))
    rows = tuple((title(faction), *cells[i]) for i, faction in enumerate(basis.factions))
    heat = Heat(tuple(titles(basis.factions)), names, tuple(map(tuple, cells)), Kind.SHARE, 1 / players)
    note = (
        "Where all seats are played by that strategy."
        if basis.mirrored
        else "Against the opponents that this run mixed, whoever they were."
    )
    return [Figure(heading, heat, note), Table(columns, rows, heading)]


# --- line-ups ---------------------------------------------------------------------------------------------


def _by_line_up(basis: Basis, players: int) -> list[Part]:
    found = _line_ups(basis, players)
    if len(found) < 2:
        return []
    names = tuple(titles(basis.factions))
    columns = (Column("Line-up", Kind.TEXT), *(Column(name, Kind.SHARE) for name in names))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            " ".join(name[:2] for name in titles(line_up)),
            *(share(found[line_up].get(faction, tallies.NOTHING), LEVEL) for faction in basis.factions),
        )
        for line_up in sorted(found, key=lambda seated: [*map(FACTIONS.index, seated)])
    )
    heading = "Win share by line-up and faction" + basis.at(players)
    return [Table(columns, rows, heading, LINE_UPS)]


def _line_ups(basis: Basis, players: int) -> dict[tuple[str, ...], dict[str, Moments]]:
    """Moments of the win share by line-up and faction; a block has one line-up, whatever its rotation."""
    order = (
        "SELECT block, string_agg(faction, ' ' ORDER BY seat) AS line_up FROM seats WHERE game IN "
        f"(SELECT min(game) FROM games WHERE players = {players} GROUP BY block) GROUP BY block"
    )
    table = f"(SELECT * FROM {basis.by_block} WHERE players = {players})"
    query = (
        "SELECT line_up, faction, count(*), sum(n), sum(wins), sum(n * n), sum(n * wins), sum(wins * wins) "
        f"FROM {table} JOIN ({order}) USING (block) GROUP BY line_up, faction"
    )
    found: dict[tuple[str, ...], dict[str, Moments]] = {}
    for seated, faction, *sums in sorted(tallies.rows(basis.run, query)):
        cells = found.setdefault(_turned(seated.split()), {})
        cells[faction] = _added(cells.get(faction, tallies.NOTHING), *sums)
    return found


def _turned(seated: list[str]) -> tuple[str, ...]:
    """The same circle, begun with the first faction in the rulebook's order."""
    first = seated.index(min(seated, key=FACTIONS.index))
    return (*seated[first:], *seated[:first])


def _added(one: Moments, *sums: Any) -> Moments:
    """Moments of the blocks of both: no block is in two of them."""
    clusters, n, total, nn, nt, tt = sums
    return Moments(
        one.clusters + int(clusters), one.n + int(n), one.total + float(total), one.nn + float(nn),
        one.nt + float(nt), one.tt + float(tt),
    )  # fmt: skip
