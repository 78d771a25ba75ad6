"""What each arm does to each level: paired effects, their intervals alone and all at once, the verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from reports.dei import tallies
from reports.dei.basis import LEVEL, Basis
from reports.dei.comparison.families import FACTIONS, RESTS_ON, SEATS, STRATEGIES, families
from reports.dei.comparison.pieces import Piece
from reports.dei.comparison.tally import Tally, beside, cells_of
from simlab.stats.dose import response, slope
from simlab.stats.equivalence import Verdict, verdicts
from simlab.stats.intervals import share
from simlab.stats.joint import covariance
from simlab.stats.paired import effect
from simlab.stats.simultaneous import simultaneous

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.dei.comparison.families import Family
    from reports.dei.comparison.tally import Cells
    from simlab.results import Run
    from simlab.stats.dose import Response
    from simlab.stats.intervals import Estimate
    from simlab.stats.paired import Effect, PairedMoments
    from simlab.stats.precision import Precision

PARTS = 16  # of a run that are looked at together
JUDGED = {FACTIONS: "faction", SEATS: "seat"}  # families that are held against the band, with their column
_COLUMNS = JUDGED | {STRATEGIES: "strategy"}  # those that `until` may ask for


@dataclass(frozen=True)
class Level:
    """What an arm does to one level; `together`: the difference, with an interval for all levels at once."""

    label: str
    effect: Effect
    together: Estimate


@dataclass(frozen=True)
class Compared:
    """One arm against the base with one number of players: levels by family, verdicts of those JUDGED."""

    arm: str
    players: int
    pairs: int  # of games, both ended regularly
    lost: int  # pairs of which one game didn't
    families: Mapping[str, tuple[Level, ...]]
    verdicts: Mapping[str, tuple[Verdict, ...]]
    noise_alone: bool = False  # the base's game again, with other chances: nothing to judge

    @property
    def identical(self) -> bool:
        """Whether not one game came out otherwise."""
        return self.pairs > 0 and all(level.effect.identical for level in self.families[FACTIONS])


@dataclass(frozen=True)
class Swept:
    """How the factions' win shares go with a knob, with one number of players."""

    name: str
    key: str
    players: int
    factions: tuple[str, ...]
    responses: tuple[Response, ...]
    slopes: tuple[Estimate, ...]


@dataclass(frozen=True)
class Comparison:
    """All arms of a run against its base."""

    basis: Basis  # of the base's games
    families: Mapping[int, tuple[Family, ...]]  # by number of players
    compared: tuple[Compared, ...]
    swept: tuple[Swept, ...]


@dataclass(frozen=True)
class _Knob:
    """The arms of a sweep, by number, with the values of the knob, and the base's value."""

    name: str
    key: str
    arms: tuple[int, ...]
    values: tuple[int, ...]
    base: int


def compare(run: Run) -> Comparison:
    """Compare all arms of a run, opened with all its games, with its base."""
    basis = Basis(run.of_arm(0))
    return _Sums(run, basis).comparison()


class _Sums:
    """The tallies of everything, filled piece by piece."""

    def __init__(self, run: Run, basis: Basis) -> None:
        self._basis, self._arms = basis, len(basis.arms)
        cards, turns = self._levels_there(run)
        who = basis.strategies if len(basis.strategies) > 1 else ()
        self._families = {
            players: tuple(
                family
                for family in families(basis.factions, players, cards, turns, who, mirrored=basis.mirrored)
                if basis.has(RESTS_ON.get(family.name, "games"))
            )
            for players in basis.players
        }
        self._tallies = {
            (players, arm, family.name): Tally(len(family.labels))
            for players, those in self._families.items()
            for arm in range(1, self._arms)
            for family in those
        }
        self._knobs = _knobs(basis)
        size = len(basis.factions)
        self._swept = {
            (players, knob.name): Tally(size * len(knob.arms))
            for players in self._families
            for knob in self._knobs
        }
        self._counts = {(players, arm): (0, 0) for players in self._families for arm in range(1, self._arms)}
        for part in run.pieces(PARTS):
            self._add(Piece(part, self._arms, basis.factions, cards, turns, who))

    def _levels_there(self, run: Run) -> tuple[tuple[str, ...], int]:
        """The cards that lay in a market and the most Turns, none where that isn't written."""
        cards, turns = "SELECT DISTINCT card FROM market ORDER BY card", "SELECT max(turn) FROM turns"
        there = tallies.rows(run, cards) if self._basis.has("market") else []
        most = tallies.rows(run, turns)[0][0] if self._basis.has("turns") else None
        return tuple(row[0] for row in there), most or 0

    def _add(self, piece: Piece) -> None:
        for players, those in self._families.items():
            kept: dict[int, Cells] = {}
            for arm in range(1, self._arms):
                mine = piece.players == players
                both = mine & piece.finished[0] & piece.finished[arm]
                pairs = np.flatnonzero(both)
                done, lost = self._counts[players, arm]
                self._counts[players, arm] = done + len(pairs), lost + int(mine.sum()) - len(pairs)
                for family in those:
                    rows = family.rows(piece, arm, pairs)
                    levels = len(family.labels)
                    cells = cells_of(rows, levels, piece.block, piece.blocks, piece.differs[arm])
                    self._tallies[players, arm, family.name].add(cells)
                    if family.name == FACTIONS:
                        kept[arm] = cells
            for knob in self._knobs:
                self._swept[players, knob.name].add(beside([kept[arm] for arm in knob.arms]))

    def comparison(self) -> Comparison:
        """What comes out of the sums."""
        compared = tuple(
            self._compared(players, arm) for arm in range(1, self._arms) for players in self._families
        )
        swept = tuple(self._response(players, knob) for knob in self._knobs for players in self._families)
        return Comparison(self._basis, self._families, compared, swept)

    def _compared(self, players: int, arm: int) -> Compared:
        found = {
            family.name: self._levels(family, self._tallies[players, arm, family.name], players)
            for family in self._families[players]
        }
        pairs, lost = self._counts[players, arm]
        judged = {name: self._judged(name, found[name], pairs, players) for name in JUDGED}
        name = self._basis.arms[arm]
        return Compared(name, players, pairs, lost, found, judged, self._basis.noise_alone(name))

    def _levels(self, family: Family, tally: Tally, players: int) -> tuple[Level, ...]:
        """With sequences where a run may have stopped at any look."""
        found = _levels(family, tally)
        precision = self._precision(family.name, len(found))
        if precision is None:
            return found
        return tuple(
            _looked_at(family, level, moments, precision, players)
            for level, moments in zip(found, tally.moments(), strict=True)
        )

    def _precision(self, name: str, levels: int) -> Precision | None:
        return self._basis.precision(_COLUMNS.get(name, name), levels, change=True)

    def _judged(self, name: str, levels: Sequence[Level], pairs: int, players: int) -> tuple[Verdict, ...]:
        """Verdicts on effects; `more` counts games of each arm."""
        effects, band = [level.effect.difference for level in levels], self._basis.band
        precision = self._precision(name, len(levels))
        found = (
            verdicts(effects, [0.0] * len(effects), band)
            if precision is None
            else tuple(precision.verdict(level.together, players, 0.0, band) for level in levels)
        )
        return tuple(
            replace(verdict, more=verdict.more * pairs / each.n if each.n else nan)
            for verdict, each in zip(found, effects, strict=True)
        )

    def _response(self, players: int, knob: _Knob) -> Swept:
        tally, size = self._swept[players, knob.name], len(self._basis.factions)
        moments, matrix = tally.moments(), covariance(tally.joint())
        responses, slopes = [], []
        for faction in range(size):
            mine = [size * k + faction for k in range(len(knob.arms))]
            effects = [effect(moments[k], LEVEL, 1.0).difference for k in mine]
            own = matrix[np.ix_(mine, mine)]
            responses.append(response(knob.values, effects, own, knob.base, LEVEL))
            slopes.append(slope(knob.values, effects, own, knob.base, LEVEL))
        return Swept(knob.name, knob.key, players, self._basis.factions, tuple(responses), tuple(slopes))


def _levels(family: Family, tally: Tally) -> tuple[Level, ...]:
    effects = [_effect(family, moments) for moments in tally.moments()]
    alone = [found.difference for found in effects]
    together = simultaneous(alone, covariance(tally.joint()), LEVEL)
    return tuple(Level(*row) for row in zip(family.labels, effects, together, strict=True))


def _looked_at(
    family: Family, level: Level, moments: PairedMoments, precision: Precision, players: int
) -> Level:
    """A level whose intervals are sequences: its own, and the one that holds with the family's others.

    Where no game took another course the change stays exactly 0, but for what the run was to know.
    """
    one, found = replace(precision, level=LEVEL), level.effect
    mean = one.share if family.is_share else one.amount
    base, arm = (mean(each, players) for each in (moments.base, moments.arm))
    alone, together = found.difference, level.together
    if family.name in _COLUMNS or not found.identical:
        alone, together = (
            each.change(moments.difference, moments.changed, players, family.reach)
            for each in (one, precision)
        )
    return replace(level, effect=replace(found, base=base, arm=arm, difference=alone), together=together)


def _effect(family: Family, moments: PairedMoments) -> Effect:
    found = effect(moments, LEVEL, family.reach)
    if not family.is_share:
        return found
    return replace(found, base=share(moments.base, LEVEL), arm=share(moments.arm, LEVEL))


def _knobs(basis: Basis) -> tuple[_Knob, ...]:
    """The sweeps of the experiment, from the manifest's list of arms."""
    arms = basis.manifest.get("arms", ())
    written = basis.experiment.get("arms", {})
    found = []
    for name, table in written.items():
        if "sweep" not in table:
            continue
        mine = [k for k, arm in enumerate(arms) if arm.get("sweep") == name]
        values = [arms[k]["value"] for k in mine]
        (base,) = set(table["sweep"]["values"]) - set(values)
        found.append(_Knob(name, table["sweep"]["key"], tuple(mine), tuple(values), base))
    return tuple(found)
