"""Whether the verdicts on arms depend on who plays: the same comparison by several strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei.comparison.answer import CHANGED, out_of_band, verdict
from reports.dei.who_plays import DEPENDS, HOLDS, OPEN
from reports.document import Column, Kind, Section, Table
from reports.numbers import listed
from simlab.stats.equivalence import UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.comparison.effects import Compared, Comparison


def by_play(made: Sequence[Comparison]) -> Section:
    """A row an arm and number of players, a column for each who plays."""
    who = [each.basis.who for each in made]
    several = len(made[0].basis.players) > 1
    rows = [
        (_named(row[0], several), *(verdict(found) for found in row), judged(row))
        for row in zip(*(each.compared for each in made), strict=True)
    ]
    dependent = [row[0] for row in rows if row[-1] == DEPENDS]
    said = (
        f"**Depends on play**: {listed(dependent)}."
        if dependent
        else "No verdict is shown to depend on who plays."
    )
    columns = (
        Column("Arm", Kind.TEXT),
        *(Column(names, Kind.TEXT) for names in who),
        Column("Altogether", Kind.TEXT),
    )
    return Section("By who plays", (said, Table(columns, tuple(rows), "Verdicts")))


def _named(found: Compared, several: bool) -> str:
    return found.arm + (f", {found.players} players" if several else "")


def judged(row: Sequence[Compared]) -> str:
    """One arm by all who play: DEPENDS if verdicts differ, or one makes stronger what another weakens."""
    kinds = {verdict(found) for found in row}
    decided = kinds - {UNDECIDED}
    changes = [out_of_band(found) for found in row]
    opposed = any(
        one[level] * other[level] < 0 for one in changes for other in changes for level in one.keys() & other
    )
    if opposed or (CHANGED in decided and len(decided) > 1):
        return DEPENDS
    return OPEN if UNDECIDED in kinds else HOLDS
