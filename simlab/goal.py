"""What a run with `until` has to know: whose win shares are looked at, how sure each must be, what is open.

Each is followed by a confidence sequence (`stats/sequential.py`), and all of a run hold together: each has
its part of the risk of 5 %. So it may be looked at as often as one likes, and end at whichever look.
A sequence is narrowest at its horizon, which is set by what was declared, never by `games` or by results:
where it would be as narrow as it must be, or half as wide as the band.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any

from simlab.arms import noise_alone
from simlab.failures import ORDINALS
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED
from simlab.stats.precision import Precision

if TYPE_CHECKING:
    from simlab.stats.intervals import Estimate, Moments
    from simlab.until import Until

RISK = 0.05  # of a wrong interval, over all levels and looks of a run
LEAST_BLOCKS = 100  # before anything is said of a level
KNOWN = "known"


@dataclass(frozen=True)
class Cell:
    """What the blocks of one level add up to: win shares, or paired changes with the blocks that differ."""

    moments: Moments
    changed: int = 0


@dataclass(frozen=True)
class Family:
    """The levels of a column in the games of one arm with one number of players."""

    column: str
    players: int
    arm: int
    levels: tuple[Any, ...]  # as the table has them
    names: tuple[str, ...]


Cells = Callable[[Family], Sequence[Cell]]


@dataclass(frozen=True)
class Item:
    """One thing that is asked for: a level's win share, or the verdict on an arm.

    `kind`: KNOWN, BALANCED, UNBALANCED or UNDECIDED. `half_width`: of its interval, a fraction. `more`: games
    of each arm with each number of players that would about settle it; NaN where nothing can be said yet.
    """

    name: str
    kind: str
    half_width: float
    more: float
    beyond: bool = False  # the band, if what was seen so far is the truth


@dataclass(frozen=True)
class Goal:
    """All that is asked for."""

    until: Until
    band: float  # a fraction
    families: tuple[Family, ...]
    arms: tuple[str, ...]

    @property
    def precision(self) -> Precision:
        """Of each sequence."""
        half_width = self.band / 2 if self.until.decides else self.until.half_width
        return Precision(1 - RISK / sum(len(family.levels) for family in self.families), half_width)

    def items(self, cells: Cells) -> list[Item]:
        """How it stands with each thing that is asked for."""
        found = {family: self._levels(family, cells(family)) for family in self.families}
        if not (self.until.decides and self.until.change):
            return [item for items in found.values() for item in items]
        groups: dict[tuple[int, int], list[Item]] = {}
        for family, items in found.items():
            groups.setdefault((family.arm, family.players), []).extend(items)
        several = len({players for _, players in groups}) > 1
        return [
            _verdict(self.arms[arm] + (f", {players} players" if several else ""), items)
            for (arm, players), items in groups.items()
        ]

    def _levels(self, family: Family, cells: Sequence[Cell]) -> list[Item]:
        games = sum(cell.moments.n for cell in cells) / family.players
        return [
            self._item(name, self._estimate(family, cell), family.players, games)
            for name, cell in zip(family.names, cells, strict=True)
        ]

    def _estimate(self, family: Family, cell: Cell) -> Estimate:
        if self.until.change:
            return self.precision.change(cell.moments, cell.changed, family.players)
        return self.precision.share(cell.moments, family.players)

    def _item(self, name: str, found: Estimate, players: int, games: float) -> Item:
        if not found.sure or found.clusters < LEAST_BLOCKS:
            return Item(name, UNDECIDED, inf, nan)
        half_width = (found.high - found.low) / 2
        if self.until.decides:
            target = 0.0 if self.until.change else 1 / players
            said = self.precision.verdict(found, players, target, self.band)
            beyond = abs(said.gap) > self.band
            return Item(name, said.kind, half_width, said.more * games / found.n, beyond)
        kind = KNOWN if half_width <= self.until.half_width else UNDECIDED
        return Item(name, kind, half_width, self.precision.further_rows(found, players) * games / found.n)


def _verdict(arm: str, items: Sequence[Item]) -> Item:
    """An arm changes the balance if one level is out of the band, does no harm if all are in it."""
    kinds = {item.kind for item in items}
    half_width = max(item.half_width for item in items)
    if UNBALANCED in kinds or kinds == {BALANCED}:
        return Item(arm, UNBALANCED if UNBALANCED in kinds else BALANCED, half_width, 0.0)
    still = [item for item in items if item.kind == UNDECIDED]
    out = [item.more for item in still if item.beyond]  # the first of them settles it
    more = min(out) if out else max((item.more for item in still), key=lambda games: (isnan(games), games))
    return Item(arm, UNDECIDED, half_width, more)


def goal_of(
    until: Until,
    experiment: Mapping[str, Any],
    strategies: Sequence[str],
    arms: Sequence[str],
    titles: Mapping[str, str],
) -> Goal:
    """The goal of a resolved experiment; `strategies` and `arms` are names, `titles` those of factions."""
    players = experiment["players"]
    followed = [arm for arm in range(len(arms)) if _is_followed(arm, until, experiment, arms)]
    families = []
    for arm in followed:
        for count in players:
            for column in until.columns:
                levels, words = _named(column, experiment, strategies, titles, count)
                before = f"{arms[arm]}: " if len(arms) > 1 else ""
                after = f", {count} players" if len(players) > 1 else ""
                names = tuple(f"{before}{word}{after}" for word in words)
                families.append(Family(column, count, arm, levels, names))
    return Goal(until, experiment["band"] / 100, tuple(families), tuple(arms))


def _is_followed(arm: int, until: Until, experiment: Mapping[str, Any], arms: Sequence[str]) -> bool:
    """Of changes no base; of verdicts on them no arm that is the base with another noise."""
    if not until.change or arm == 0:
        return not until.change
    return not (until.decides and noise_alone(experiment.get("arms", {}).get(arms[arm], {})))


def _named(
    column: str,
    experiment: Mapping[str, Any],
    strategies: Sequence[str],
    titles: Mapping[str, str],
    players: int,
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """The levels of a column, and what they are called."""
    if column == "faction":
        factions = tuple(experiment["factions"])
        return factions, tuple(titles[name] for name in factions)
    if column == "seat":
        return tuple(range(players)), tuple(f"the {ORDINALS[seat]} seat" for seat in range(players))
    return tuple(strategies), tuple(strategies)
