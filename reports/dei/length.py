"""How long is a game? Decisions with a real choice, and how many choices they offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, tallies
from reports.dei.spread import by_players, spread_table
from reports.document import Section
from reports.numbers import count

if TYPE_CHECKING:
    from reports.dei.basis import Basis
    from simlab.stats.spread import Spread

WHAT = "A decision counts where there was more than one choice; those of all players are added up."


def build(basis: Basis) -> Section:
    """A column a player count, and the choices."""
    spreads = by_players(basis, "decisions")
    table = spread_table(spreads, "Decisions in a game", "Decisions")
    finding = basis.headline([_finding(spread) for spread in spreads])
    longest, choices = tallies.rows(
        basis.run,
        "SELECT max(longest_list), sum(choices) / nullif(sum(decisions), 0) FROM games "
        "WHERE ending = 'finished'",
    )[0]
    if choices is None:
        return Section("Length of a game", (WHAT, table), finding)
    told = f"A decision offered {choices:.1f} choices on average; the longest list had {longest:,}."
    games = [text for players in basis.players for text in examples.of_lengths(basis, players)]
    return Section("Length of a game", (WHAT, table, told, *games), finding)


def _finding(spread: tuple[str, Spread]) -> str:
    mean = spread[1].mean
    return f"{count(mean.value)} decisions on average" if mean.known else ""
