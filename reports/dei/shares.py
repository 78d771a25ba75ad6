"""Win shares of the levels of one column (faction, seat, strategy), each against parity and the band."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import tallies
from reports.dei.basis import BAND, LEVEL
from reports.document import Column, Kind, Table
from simlab.stats.equivalence import Verdict, verdicts
from simlab.stats.intervals import Estimate, Moments, share
from simlab.stats.simultaneous import simultaneous_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis


@dataclass(frozen=True)
class Share:
    """One level's win share: alone, together with the family's others, and against the band."""

    label: str
    alone: Estimate
    together: Estimate
    verdict: Verdict


def shares(
    basis: Basis, column: str, levels: Sequence[Any], labels: Sequence[str], players: int
) -> tuple[Share, ...]:
    """The win share of each level at one player count; `more` of a verdict counts games of the run.

    Where many games ended irregularly it is NaN: more games would be lost alike.
    """
    found = tallies.blocks(basis.run, column, levels, "win_share", f"players = {players}")
    alone = tuple(
        share(Moments.of_blocks(found.counts[:, k], found.totals[:, k]), LEVEL) for k in range(len(levels))
    )
    together = simultaneous_shares(found.counts, found.totals, LEVEL)
    judged = verdicts(alone, [1 / players] * len(levels), BAND)
    games = basis.games[players][1]
    scaled = (
        replace(verdict, more=nan if basis.lost_many(players) else verdict.more * games / estimate.n)
        if estimate.n
        else verdict
        for verdict, estimate in zip(judged, alone, strict=True)
    )
    return tuple(Share(*row) for row in zip(labels, alone, together, scaled, strict=True))


def table(found: Sequence[Share], head: str, players: int, title: str, rows: str = "Games") -> Table:
    """The family as a table; `rows` says what its rows of the run are."""
    columns = (
        Column(head, Kind.TEXT),
        Column(rows, Kind.COUNT),
        Column("Win share", Kind.SHARE),
        Column(f"vs {100 / players:.3g} %", Kind.POINTS),
        Column("All at once", Kind.RANGE),
        Column("Verdict", Kind.VERDICT),
    )
    return Table(columns, tuple(_row(one) for one in found), title)


def _row(one: Share) -> tuple[Any, ...]:
    gap = one.verdict.gap if one.alone.known else None
    return one.label, one.alone.n, one.alone, gap, one.together, one.verdict if one.alone.known else None


def crossed(basis: Basis, columns: Sequence[tuple[str, Sequence[Any]]], players: int) -> np.ndarray[Any, Any]:
    """Win shares of every pair of levels of two columns, an array of Estimates (rows, columns)."""
    (row, row_levels), (column, column_levels) = columns
    found = tallies.moments(basis.run, "seats", [row, column], ["win_share"], f"players = {players}")
    cells = np.empty((len(row_levels), len(column_levels)), object)
    for i, one in enumerate(row_levels):
        for j, other in enumerate(column_levels):
            cells[i, j] = share(tallies.cell(found, one, other), LEVEL)
    return cells
