"""How close are games? Supplies by faction, the winner's margin, ties at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, tallies
from reports.dei.basis import LEVEL, title
from reports.document import Boxes, Cell, Column, Figure, Kind, Part, Position, Section, Table
from reports.numbers import one
from simlab.stats.intervals import share
from simlab.stats.spread import QUANTILES, Spread, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

NOTE = (
    "In the row 25 %: a quarter of the games had at most so many; in brackets the 95 % interval, where it "
    "is wider than one value. Least and most are what was seen, so they grow with the games."
)


def build(basis: Basis) -> Section:
    """A figure and a table of scores a player count, then the margins of all of them."""
    parts: list[Part] = []
    for players in basis.players:
        parts += _scores(basis, players)
    margins = by_players(basis, "winning_margin")
    table = spread_table(margins, "Lead of the winner over the second", "Supplies")
    finding = basis.headline([_finding(margin) for _, margin in margins])
    games = [text for players in basis.players for text in examples.of_scores(basis, players)]
    return Section("Score spread", (*parts, NOTE, table, *_ties(basis), *games), finding)


def _finding(margin: Spread) -> str:
    found = margin.quantiles[QUANTILES.index(0.5)]
    return f"half of the games are won by {found.value:g} Supplies or less" if found.known else ""


def spread_table(columns: Sequence[tuple[str, Spread]], heading: str, unit: str) -> Table:
    """Spreads side by side: a column each, with its name."""
    spreads = [found for _, found in columns]
    rows: list[tuple[Cell, ...]] = [
        ("Mean", *(s.mean for s in spreads)),
        ("Std. deviation", *(s.sd for s in spreads)),
        ("Least", *(s.least for s in spreads)),
    ]
    for k, q in enumerate(QUANTILES):
        rows.append(
            ("Median" if q == 0.5 else f"{100 * q:g} %", *(Position(s.quantiles[k]) for s in spreads))
        )
    rows.append(("Most", *(s.most for s in spreads)))
    heads = (Column(unit, Kind.TEXT), *(Column(name, Kind.AMOUNT) for name, _ in columns))
    return Table(heads, tuple(rows), heading)


def spread_of(basis: Basis, table: str, value: str, where: str) -> Spread:
    """The spread of a value over the rows of a table."""
    values, blocks = tallies.scores(basis.run, table, value, where)
    return spread(values, blocks, level=LEVEL)


def by_players(basis: Basis, value: str) -> list[tuple[str, Spread]]:
    """The spread of a column of `games`, a player count each."""
    return [(f"{n} players", spread_of(basis, "games", value, f"players = {n}")) for n in basis.players]


def _scores(basis: Basis, players: int) -> list[Part]:
    found = [
        (title(f), spread_of(basis, "seats", "supplies", f"players = {players} AND faction = '{f}'"))
        for f in basis.factions
    ]
    heading = "Supplies at the end of a game" + basis.at(players)
    boxes = Boxes(tuple((name, one.quantiles) for name, one in found), "Supplies at the end of a game")
    note = "Point: the median; bar: the middle half of the games; line: nine games in ten."
    return [Figure(heading, boxes, note), spread_table(found, heading, "Supplies")]


def _ties(basis: Basis) -> list[str]:
    found = tallies.moments(basis.run, "games", ["players"], ["tied_top::INT"])
    return [
        f"Decided by the tie-break (CORE-039){basis.at(players)}: "
        f"{one(Kind.SHARE, share(tallies.cell(found, players), LEVEL))} of the games."
        for players in basis.players
    ]
