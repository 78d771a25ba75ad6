"""Win shares of the levels of one column (faction, seat, strategy), each against parity and the band."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import tallies
from reports.dei.basis import LEVEL
from reports.document import Column, Dot, Dots, Figure, Kind, Table
from reports.numbers import signed
from simlab.stats.equivalence import BALANCED, UNBALANCED, Verdict, verdicts
from simlab.stats.intervals import Estimate, Moments, share
from simlab.stats.simultaneous import simultaneous_shares

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reports.dei.basis import Basis
    from simlab.stats.precision import Precision


WHENEVER = (
    "±: half of the 95 % confidence sequence of that row alone, clustered on blocks: it holds at every look, "
    "so wherever the run stopped. All at once: the one that holds with all that the run was to know. "
    "Balanced: that one lies within ±{band:g} points of an equal share. Too strong, too weak: it lies "
    "outside, with a risk of 5 % over all looks and rows. Undecided: neither; in brackets, about how many "
    "more games would settle it."
)
HOW_TO_READ = (
    "Thick line: the 95 % interval of that row alone; thin: the one that holds for all rows together. Grey: "
    "the band, ±{points:g} points around the equal share. In colour: shown to be outside."
)
MOST_NAMED = 2  # in a headline
PLURAL = ("Ravagers",)  # names that take a plural verb


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
    return basis.once(("shares", column, players), lambda: _shares(basis, column, levels, labels, players))


def _shares(
    basis: Basis, column: str, levels: Sequence[Any], labels: Sequence[str], players: int
) -> tuple[Share, ...]:
    found = tallies.blocks(basis.run, column, levels, "win_share", f"players = {players}")
    moments = [Moments.of_blocks(found.counts[:, k], found.totals[:, k]) for k in range(len(levels))]
    precision = basis.precision(column, len(levels))
    if precision is not None:
        return _looked_at(basis, labels, moments, players, precision)
    alone = tuple(share(each, LEVEL) for each in moments)
    together = simultaneous_shares(found.counts, found.totals, LEVEL)
    judged = verdicts(alone, [1 / players] * len(levels), basis.band)
    scaled = as_games(basis, players, alone, judged)
    return tuple(Share(*row) for row in zip(labels, alone, together, scaled, strict=True))


def _looked_at(
    basis: Basis, labels: Sequence[str], moments: Sequence[Moments], players: int, precision: Precision
) -> tuple[Share, ...]:
    """The same of a run that may have stopped at any look."""
    one = replace(precision, level=LEVEL)
    alone = [one.share(each, players) for each in moments]
    together = [precision.share(each, players) for each in moments]
    judged = [precision.verdict(each, players, 1 / players, basis.band) for each in together]
    scaled = as_games(basis, players, alone, judged)
    return tuple(Share(*row) for row in zip(labels, alone, together, scaled, strict=True))


def as_games(
    basis: Basis, players: int, estimates: Sequence[Estimate], judged: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """Verdicts whose `more` counts games instead of rows; NaN where more would be lost like many others."""
    games = basis.games[players][1]
    return tuple(
        replace(verdict, more=nan if basis.lost_many(players) else verdict.more * games / estimate.n)
        if estimate.n
        else verdict
        for verdict, estimate in zip(judged, estimates, strict=True)
    )


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


def figure(found: Sequence[Share], players: int, title: str) -> Figure:
    """The family as dots with intervals against the band."""
    rows = tuple(Dot(one.label, one.alone, one.together, one.verdict.kind == UNBALANCED) for one in found)
    band = found[0].verdict.band
    read = HOW_TO_READ.format(points=100 * band)
    return Figure(title, Dots(rows, Kind.SHARE, "Win share, %", 1 / players, band), read)


def finding(found: Sequence[Share], whom: Callable[[str], str], all_of: str) -> str:
    """What the family shows, in one line; `whom` turns a label into words, `all_of` names the family."""
    known = [one for one in found if one.alone.known]
    out = sorted(
        (one for one in known if one.verdict.kind == UNBALANCED), key=lambda one: -abs(one.verdict.gap)
    )
    if out:
        said = [_said(one, whom(one.label), first=k == 0) for k, one in enumerate(out[:MOST_NAMED])]
        more = len(out) - MOST_NAMED
        return ", ".join(said) + (
            f"; {more} more {'is' if more == 1 else 'are'} out of the band" if more > 0 else ""
        )
    if known and all(one.verdict.kind == BALANCED for one in known):
        return f"all {all_of} win their equal share"
    return f"none of the {all_of} is shown to be out of the band" if known else ""


def _said(one: Share, who: str, *, first: bool) -> str:
    """`Ravagers win 6.1 points too often`."""
    often = "too often" if one.verdict.gap > 0 else "too seldom"
    points = signed(100 * abs(one.verdict.gap)).lstrip("+")
    verb = "win" if who.startswith(PLURAL) else "wins"
    return f"{who} {verb} {points} points {often}" if first else f"{who} {points} {often}"


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
