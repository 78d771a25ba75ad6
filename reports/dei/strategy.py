"""Who plays better, beside whom, and whether it changes what is said of factions; where a run has several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, shares, who_plays
from reports.dei.playing import payoffs, playing
from reports.document import Cell, Column, Kind, Part, Section, Table
from reports.numbers import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

CAUTION = (
    "The win shares of factions and seats are averages over the strategies as this run mixed them. A "
    "strategy's own share says how it did among these opponents, no more."
)
MIRRORED = (
    "Every game is a mirror game: one strategy plays all seats, each of them as often as the others. So it "
    "is told what factions come to in the hands of each, and not which strategy is the stronger: no two met. "
    "All other sections average over the strategies."
)
AS_A_GAME = (
    "Choosing a strategy is a game of its own: what one wins depends on who else sits at the table, the "
    "*profile*. By design every profile is played, in all seats alike."
)
PAYOFF = (
    "*Payoff*: win share of one seat of the column's strategy, by how the other seats are played. Where all "
    "play alike it is the equal share."
)
HOLDS = (
    "*α-rank*: how much of the time a population that imitates whoever does better spends with each "
    "strategy. *Nash mix*: the mix that no strategy beats in pairs, as even as it can be. *Against the mix*: "
    "what one seat wins while all others draw their strategy from that mix. Intervals by weighing blocks "
    "anew; a wide one says that the games don't settle which strategy is the better."
)

BRIEF = 20  # rows on a terminal


def build(basis: Basis) -> Section | None:
    """One table a player count, then the strategies as a game; nothing with a single strategy.

    In mirror games no strategy met another, so what is left is what factions come to in the hands of each.
    """
    names = basis.strategies
    if len(names) < 2:
        return None
    if basis.mirrored:
        return _mirrored(basis)
    parts: list[Part] = [CAUTION]
    findings = []
    for players in basis.players:
        found = shares.shares(basis, "strategy", names, names, players)
        heading = "Win share by strategy" + basis.at(players)
        parts += [
            shares.figure(found, players, heading),
            shares.table(found, "Strategy", players, heading, "Seats"),
        ]
        parts += examples.of_strategies(basis, found, players)
        findings.append(shares.finding(found, lambda name: name, "strategies"))
    parts.append(AS_A_GAME)
    for players in basis.players:
        parts += [_payoffs(basis, players), _holding(basis, players)]
    for players in basis.players:
        parts += who_plays.parts(basis, players)
    depends = _depends(basis)
    if depends:
        findings[-1] += f"; {depends}"
    return Section("Strategies", tuple(parts), basis.headline(findings))


def _mirrored(basis: Basis) -> Section:
    parts = [part for players in basis.players for part in who_plays.parts(basis, players)]
    return Section("Strategies", (MIRRORED, *parts), _depends(basis))


def _depends(basis: Basis) -> str:
    """Of which factions what is said depends on play, with most players; nothing if of none."""
    dependent = who_plays.dependent(basis, basis.players[-1])
    whom = "every faction" if len(dependent) == len(basis.factions) else listed(dependent)
    return f"what is said of {whom} depends on play" if dependent else ""


def _payoffs(basis: Basis, players: int) -> Table:
    """The payoff table: a row a profile of the others, a column a strategy."""
    names = basis.strategies
    columns = (Column("The others", Kind.TEXT), *(Column(name, Kind.SHARE) for name in names))
    found = payoffs(playing(basis, players).games.rows)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (_profile(met.tolist(), names), *cells) for met, cells in found
    )
    return Table(
        columns, rows, f"Payoff beside others{basis.at(players)}", _once(basis, players, PAYOFF), BRIEF
    )


def _once(basis: Basis, players: int, note: str) -> str:
    """A note at the first number of players only."""
    return note if players == basis.players[0] else ""


def _profile(met: Sequence[int], names: Sequence[str]) -> str:
    """`2 dei/greedy, 1 dei/uniform`, or the name alone where there is one other seat."""
    if sum(met) == 1:
        return next(name for name, seats in zip(names, met, strict=True) if seats)
    return ", ".join(f"{seats} {name}" for name, seats in zip(names, met, strict=True) if seats)


def _holding(basis: Basis, players: int) -> Table:
    reading = playing(basis, players).reading
    columns = (
        Column("Strategy", Kind.TEXT),
        Column("α-rank", Kind.SHARE),
        Column("Nash mix", Kind.SHARE),
        Column("Against the mix", Kind.SHARE),
    )
    rows = tuple(
        (name, reading.mass[k], reading.mix[k], reading.against[k]) for k, name in enumerate(basis.strategies)
    )
    return Table(columns, rows, f"Which strategies hold{basis.at(players)}", _once(basis, players, HOLDS))
