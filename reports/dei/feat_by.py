"""What Feats do to each faction and in the hands of each strategy, and when these unlock them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import cells, tallies
from reports.dei.basis import LEVEL
from reports.dei.cells import Cells
from reports.document import Kind, Part, Table
from simlab.games.dei.vocabulary import COLOURS, FEATS, FEATS_PER_COLOUR
from simlab.stats.crossed import crossed
from simlab.stats.intervals import mean, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

    Array = np.ndarray[Any, Any]
    Sums = dict[str, Array]

OUTCOMES = (("wins", "win share", Kind.GAIN), ("supplies", "Supplies", Kind.CHANGE))
UNLOCKED = "Of the games in which the {level} was dealt the Feat."
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


def effects(basis: Basis, players: int, feats: Sequence[str], labels: Sequence[str]) -> tuple[Cells, Cells]:
    """What being dealt each of some Feats does to win share and to Supplies, by faction and strategy."""
    levels = cells.dimensions(basis, players, "faction", "strategy")
    at = [FEATS.index(feat) for feat in feats]

    def all_levels(name: str, which: int) -> Array:
        return np.concatenate([sums(basis, players, level)[which][name][:, at] for level in levels], axis=2)

    made = []
    for name, _, kind in OUTCOMES:
        n, total, rest_n, rest_total = (all_levels(key, which) for which in (0, 1) for key in ("n", name))
        found = crossed(n, total, rest_n, rest_total, cells.families(levels), LEVEL)
        made.append(Cells("Feat", tuple(labels), levels, kind, found))
    return made[0], made[1]


def effect_parts(basis: Basis, players: int, feats: Sequence[str], labels: Sequence[str]) -> list[Part]:
    """Figures and tables of both effects, and what stands out."""
    made: list[Part] = []
    at = basis.at(players)
    found = effects(basis, players, feats, labels)
    for effect, (_, outcome, _) in zip(found, OUTCOMES, strict=True):
        for dimension in effect.dimensions:
            heading = f"Effect of a Feat on {outcome} by {dimension}{at}"
            made += [cells.figure(effect, dimension, heading)] if dimension == "faction" else []
            made += cells.tables(effect, dimension, heading)
        made += cells.outstanding(effect, f"Where Feats matter for {outcome}{at}")
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
