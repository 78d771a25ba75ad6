"""Who meets whom on a ladder, and the contest that comes of it: a run, found again by its hash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path

from simlab import catalog
from simlab import plan as plans
from simlab.errors import ExperimentError, RunError, UsageError
from simlab.experiment import LADDER, PURPOSE, Experiment, resolve
from simlab.ladder.keys import ALL, LadderKeys, defaults
from simlab.strategy import Strategy
from simlab.wording import place

CONTESTS, PACKS = "contests", "packs"  # folders of a ladder's
_HASH_SHOWN = 16  # of a contest's hash, in the name of its folder


@dataclass(frozen=True)
class Asked:
    """A ladder's experiment, checked: `strategies` as loaded, in the file's order; all else counts in it."""

    experiment: Experiment
    keys: LadderKeys
    strategies: tuple[Strategy, ...]
    folder: Path

    @property
    def names(self) -> tuple[str, ...]:
        """The strategies' names, as results have them."""
        return tuple(strategy.name for strategy in self.strategies)

    @property
    def anchor(self) -> int:
        """The number of the strategy whose rating is 0."""
        return self.experiment.strategies.index(self.keys.anchor)


@dataclass(frozen=True)
class Meeting:
    """Strategies (by number, ascending) that meet, one a seat, in games of a pack."""

    members: tuple[int, ...]
    pack: str  # name or folder

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.members)


def asked(experiment: Experiment, out: Path | None) -> Asked:
    """Check that an experiment can be a ladder; `out` is its folder (under runs/ by default)."""
    names, players = experiment.strategies, experiment.players
    if len(names) < 2:
        raise ExperimentError("a ladder needs two strategies or more")
    if players[0] != 2:
        raise ExperimentError("players must have 2 in it: a ladder compares strategies in pairs")
    if players[-1] > len(names):
        raise ExperimentError(
            f"players: {players[-1]} strategies meet at a table for {players[-1]}, but there are only"
            f" {len(names)}"
        )
    return Asked(
        experiment,
        experiment.ladder or defaults(names),
        plans.strategies_of(experiment),
        out or plans.RUNS / experiment.name,
    )


# --- who meets whom ---------------------------------------------------------------------------------------


def pairs(strategies: int, order: Sequence[int], how: str) -> list[tuple[int, ...]]:
    """The pairs that play: all of them, or those beside each other in an order of the strategies."""
    if how == ALL:
        return list(combinations(range(strategies), 2))
    return [tuple(sorted(both)) for both in pairwise(order)]


def tables(strategies: int, players: int, how: str) -> list[tuple[int, ...]]:
    """Tables for more than two: so many that every two strategies meet, or neighbours only.

    Each table begins with the first pair that hasn't met; who joins is who meets most for the first time, of
    those whoever played least.
    """
    if how != ALL:
        return [tuple(range(k, k + players)) for k in range(strategies - players + 1)]
    left, played, found = set(combinations(range(strategies), 2)), [0] * strategies, []
    while left:
        table = list(min(left))
        while len(table) < players:
            table.append(_best(table, left, played))
        left -= set(combinations(sorted(table), 2))
        for member in table:
            played[member] += 1
        found.append(tuple(sorted(table)))
    return found


def _best(table: Sequence[int], left: Iterable[tuple[int, int]], played: Sequence[int]) -> int:
    def gain(member: int) -> tuple[int, int, int]:
        new = sum((min(member, other), max(member, other)) in left for other in table)
        return new, -played[member], -member

    return max((member for member in range(len(played)) if member not in table), key=gain)


# --- their contests -----------------------------------------------------------------------------------------


def contest(asked: Asked, meeting: Meeting, like: plans.Plan | None) -> plans.Plan:
    """The plan of a meeting's games: the ladder's experiment with these strategies and this pack.

    `like` is the plan of another meeting, if there is one.
    """
    experiment = asked.experiment
    members = sorted(meeting.members, key=lambda member: asked.names[member])
    names = [experiment.strategies[member] for member in members]
    written = {key: value for key, value in experiment.resolved().items() if key != LADDER}
    written |= {
        "name": f"ladder_{meeting.players}p",
        "games": games_of(asked, meeting),
        "players": [meeting.players],
        "pack": meeting.pack,
        "strategies": names,
        PURPOSE: LADDER,
    }
    if all(catalog.compiled(name, experiment.game.name) for name in names):
        written.pop("decision_timeout", None)
    try:
        plan = plans.plan(resolve(written, Path()), asked.folder, like)
    except UsageError as error:
        raise ExperimentError(
            f"with {meeting.players} players and the pack {meeting.pack}: {error}"
        ) from None
    folder = asked.folder / CONTESTS / f"{meeting.players}p-{plan.hash[:_HASH_SHOWN]}"
    return replace(plan, folder=folder)


def games_of(asked: Asked, meeting: Meeting) -> int:
    """Games of a meeting: those asked for, but no more than so many parts of its slowest strategy hold."""
    least = min(asked.strategies[member].part_games for member in meeting.members)
    block = meeting.players**2
    wanted = min(asked.experiment.games, asked.keys.parts * least)
    return -(-wanted // block) * block  # whole blocks


def refuse_run(folder: Path) -> None:
    """A ladder isn't played into the folder of a run."""
    if (folder / "manifest.json").exists():
        raise RunError(f"{place(folder)} holds a run; choose another --out")
