"""What Feats do to each faction and in the hands of each strategy, and when these unlock them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import cells, tallies
from reports.dei.basis import LEVEL
from reports.dei.cells import Cells
from reports.document import Kind, Part, Table
from simlab.games.dei.vocabulary import COLOURS, FEATS, FEATS_PER_COLOUR
from simlab.stats.crossed import beyond, crossed
from simlab.stats.intervals import mean, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

    Array = np.ndarray[Any, Any]
    Sums = dict[str, Array]

OUTCOMES = (("wins", "win share", Kind.GAIN), ("supplies", "Supplies", Kind.CHANGE))
UNLOCKED = "Of the games in which the {level} was dealt the Feat."
BEYOND = "the Feat's mean effect over all factions, or over all strategies"
TURNS = "The mean Turn, where it was unlocked."


def sums(basis: Basis, players: int, level: str = "faction") -> tuple[Sums, Sums]:
    """Sums (G, Feats, levels) by faction or strategy, and those of all who were dealt another of its colour.

    `n` seats dealt it, their `wins` and `supplies`; of them `unlocked` it, in `turns` added up, and `won`.
    """
    return basis.once(("feat sums", players, level), lambda: _summed(basis, players, level))


def _summed(basis: Basis, players: int, level: str) -> tuple[Sums, Sums]:
    clusters = basis.clusters(players)
    levels = {"feat": FEATS, level: getattr(basis, cells.PLURALS[level])}
    found: Sums = {}
    for colour in COLOURS:
        query = (
            f"SELECT {basis.group} AS cluster, feat_{colour} AS feat, {level}, count(*) AS n, "
            f"sum(win_share)::DOUBLE AS wins, sum(supplies)::DOUBLE AS supplies, "
            f"count(feat_{colour}_turn) AS unlocked, sum(feat_{colour}_turn)::DOUBLE AS turns, "
            f"sum(win_share) FILTER (feat_{colour}_turn IS NOT NULL)::DOUBLE AS won FROM seats "
            f"WHERE players = {players} AND {tallies.counted('seats')} "
            f"AND feat_{colour} IS NOT NULL GROUP BY ALL"
        )
        for name, values in tallies.grid(basis.run, query, levels, clusters).sums.items():
            found[name] = found[name] + values if name in found else values
    rest = {}
    for name, values in found.items():
        of_colour = values.reshape(len(clusters), len(COLOURS), FEATS_PER_COLOUR, -1).sum(2)
        rest[name] = np.repeat(of_colour, FEATS_PER_COLOUR, axis=1) - values
    return found, rest


def effects(
    basis: Basis, players: int, feats: Sequence[str], labels: Sequence[str], name: str, kind: Kind
) -> tuple[Cells, Cells]:
    """What being dealt some Feats does to an outcome, by faction and strategy; and beyond their mean."""
    levels = cells.dimensions(basis, players, "faction", "strategy")
    at = [FEATS.index(feat) for feat in feats]

    def all_levels(which: int, name: str) -> Array:
        return np.concatenate([sums(basis, players, level)[which][name][:, at] for level in levels], axis=2)

    tables = [all_levels(which, key) for which in (0, 1) for key in ("n", name)]
    n, total, rest_n, rest_total = tables
    families = cells.families(levels)
    found, more = (of(n, total, rest_n, rest_total, families, LEVEL) for of in (crossed, beyond))
    return (
        Cells("Feat", tuple(labels), levels, kind, found),
        Cells("Feat", tuple(labels), levels, kind, more),
    )


def effect_parts(basis: Basis, players: int, feats: Sequence[str], labels: Sequence[str]) -> list[Part]:
    """Figures and tables of both effects, and whom a Feat suits better than others."""
    made: list[Part] = []
    at = basis.at(players)
    for name, outcome, kind in OUTCOMES:
        found, more = effects(basis, players, feats, labels, name, kind)
        for dimension in found.dimensions:
            heading = f"Effect of a Feat on {outcome} by {dimension}{at}"
            made += [cells.figure(found, dimension, heading)] if dimension == "faction" else []
            made += cells.tables(found, dimension, heading)
        made += cells.outstanding(more, f"Whom a Feat suits, by {outcome}{at}", BEYOND)
    return made


def unlock_parts(basis: Basis, players: int, feats: Sequence[str], labels: Sequence[str]) -> list[Table]:
    """How often each faction and strategy unlocks a Feat that it was dealt, and in which Turn."""
    made: list[Table] = []
    for level, names in cells.dimensions(basis, players, "faction", "strategy").items():
        grid = tallies.Grid(sums(basis, players, level)[0])
        at = [(FEATS.index(feat), range(len(names))) for feat in feats]
        often = [[share(grid.moments("unlocked", "n", k, f), LEVEL) for f in each] for k, each in at]
        turn = [[mean(grid.moments("turns", "unlocked", k, f), LEVEL) for f in each] for k, each in at]
        for says, kind, found, note in (
            (f"How often a {level} unlocks a Feat", Kind.SHARE, often, UNLOCKED.format(level=level)),
            (f"In which Turn a {level} unlocks a Feat", Kind.AMOUNT, turn, TURNS),
        ):
            rows = list(zip(labels, found, strict=True))
            made += cells.abreast("Feat", names, kind, rows, says + basis.at(players), note)
    return made
