"""Which assumed values verdicts hang on: Morris screening, first of families of values, then of single ones.

In a trajectory values move one after the other, those that moved stay where they are, and all its games are
on the same deals; each trajectory has deals of its own. An inert factor, *other deals*, moves no value but
the deals: its size is what chance alone does to games that share nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.robustness.mixtures import Mixtures, mixtures
from simlab.robustness.morris import Trajectories, trajectories
from simlab.robustness.outcomes import Outcomes, Subject
from simlab.robustness.question import (
    PACKS,
    RUNS,
    SCREEN,
    Asked,
    folder_of,
    games_of,
    numbered,
    planned,
    with_pack,
)
from simlab.robustness.robustness import Playing
from simlab.robustness.values import Value
from simlab.stats.screening import Moved, screened
from simlab.tuning.deals import seed_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from simlab.plan import Plan

OTHER_DEALS = "other deals"
FAMILIES, VALUES = "families", "values"
SURE = 0.05  # share of false names among those named
TRAJECTORIES = 2, 1_000  # at least and at most


@dataclass(frozen=True)
class Input:
    """What moves as one: a value, or all of a family; `numbers` are those of its values."""

    label: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Screened:
    """An input and what it does; `value` if it is a single one."""

    input: Input
    moved: Moved
    value: Value | None = None

    @property
    def size(self) -> float:
        """How much it moves what it moves most."""
        return float(self.moved.size[self.moved.most])

    @property
    def matters(self) -> bool:
        """Whether it is shown to move something."""
        return self.moved.adjusted <= SURE


@dataclass(frozen=True)
class Stage:
    """One screening: inputs, those that matter first and larger ones before smaller; what other deals do."""

    name: str  # FAMILIES or VALUES
    inputs: tuple[Screened, ...]
    other_deals: Moved
    packs: int
    games: int

    @property
    def mattering(self) -> tuple[Screened, ...]:
        """Those shown to move something, most first."""
        return tuple(each for each in self.inputs if each.matters)


@dataclass(frozen=True)
class Screen:
    """What came out: `stages` are the families and, if one matters, the values of those that do."""

    trajectories: int
    subjects: tuple[Subject, ...]
    values: int  # that the pack assumes
    stages: tuple[Stage, ...]

    @property
    def named(self) -> tuple[Screened, ...]:
        """The single values to look up first."""
        return self.stages[-1].mattering if self.stages[-1].name == VALUES else ()


@dataclass
class Screening:
    """A screening that is going on; `say` hears beforehand what a stage costs."""

    asked: Asked
    playing: Playing
    number: int
    say: Callable[[str], None]
    games: int = 0  # of a point

    def run(self, sampled: Sequence[Path]) -> Screen:
        """Screen what the sampled packs have otherwise; RunError without SALib, or if nothing differs."""
        experiment = self.asked.experiment
        mixed = mixtures(experiment.game, folder_of(experiment), sampled)
        numbers = range(len(mixed.values))
        families: dict[str, list[int]] = {}
        for number in numbers:
            families.setdefault(mixed.values[number].family, []).append(number)
        inputs = [Input(family, tuple(those)) for family, those in families.items()]
        self.games = games_of(planned(experiment, self.asked.folder, "", None))
        most = self.number * (len(mixed.values) + 2) * self.games
        self.say(f"families of values first; their single values after that take {most:,} games at most")
        first, subjects = self._stage(FAMILIES, mixed, inputs)
        stages = [first]
        if single := [number for each in first.mattering for number in sorted(each.input.numbers)]:
            second, _ = self._stage(VALUES, mixed, [Input(mixed.values[k].label, (k,)) for k in single])
            stages.append(second)
        return Screen(self.number, subjects, len(mixed.values), tuple(stages))

    def _stage(
        self, name: str, mixed: Mixtures, inputs: Sequence[Input]
    ) -> tuple[Stage, tuple[Subject, ...]]:
        seed = seed_of(f"screen {name}", self.asked.experiment.seed)
        walks = trajectories([*(len(each.numbers) for each in inputs), 1], self.number, seed)
        numbers = [number for each in inputs for number in each.numbers]
        packs = self.number * (len(inputs) + 2)
        games = packs * self.games
        self.say(f"screening {len(inputs)} {name}: {packs:,} packs, {games:,} games")
        with self.playing.bar(0):
            self.playing.stage = f"mixing {packs:,} packs"
            plans = list(self._plans(name, mixed, numbers, walks))  # before any is played: each can be read
        found = self.playing.outcomes(plans, games, lambda k: f"{name}, pack {k + 1:,} of {packs:,}")
        moved = screened(*_effects(found, walks, len(inputs)))
        *those, deals = moved
        made = [
            Screened(each, what, mixed.values[each.numbers[0]] if len(each.numbers) == 1 else None)
            for each, what in zip(inputs, those, strict=True)
        ]
        made.sort(key=lambda each: (not each.matters, -each.size, each.input.label))
        return Stage(name, tuple(made), deals, packs, games), found[0].subjects

    def _plans(
        self, name: str, mixed: Mixtures, numbers: Sequence[int], walks: Trajectories
    ) -> Iterator[Plan]:
        """A run a point of every walk; the last factor says on which of the walk's two sets of deals."""
        folder, experiment = self.asked.folder / SCREEN, self.asked.experiment
        plan: Plan | None = None
        for walk, points in enumerate(walks.points):
            for point in points:
                pack = mixed.write(dict(zip(numbers, point[:-1], strict=True)), folder / PACKS)
                seed = seed_of(f"screen {name} deals", experiment.seed, walk, int(point[-1] != points[0, -1]))
                made = with_pack(experiment, str(pack), seed=seed)
                plan = planned(made, folder / RUNS, numbered(walk), plan)
                yield plan


def _effects(
    found: Sequence[Outcomes], walks: Trajectories, inputs: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Effects and errors (inputs + 1, walks, subjects), the last input being other deals.

    Of single values, whose variants are in order, an effect is that of going up.
    """
    count, steps = walks.moved.shape
    effects, errors = np.zeros((2, inputs + 1, count, len(found[0].subjects)))
    for walk in range(count):
        here = found[walk * (steps + 1) : (walk + 1) * (steps + 1)]
        for step, moved in enumerate(walks.moved[walk]):
            before, after = here[step].means, here[step + 1].means
            alike = moved < inputs
            effect, error = _paired(before, after) if alike else _unpaired(before, after)
            direction = walks.points[walk, step + 1] - walks.points[walk, step]
            effects[moved, walk] = effect * np.sign(direction.sum() or 1.0)
            errors[moved, walk] = error
    return effects, errors


def _paired(before: Sequence[NDArray[Any]], after: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """Differences on the same blocks, and their standard errors."""
    found = np.array([_mean(b - a) for a, b in zip(before, after, strict=True)])
    return found[:, 0], found[:, 1]


def _unpaired(before: Sequence[NDArray[Any]], after: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """Differences on other blocks, and their standard errors."""
    here, there = (np.array([_mean(values) for values in side]) for side in (before, after))
    return there[:, 0] - here[:, 0], np.hypot(here[:, 1], there[:, 1])


def _mean(values: NDArray[Any]) -> tuple[float, float]:
    whole = values[~np.isnan(values)]
    if len(whole) < 2:
        return 0.0, 0.0
    return float(whole.mean()), float(whole.std(ddof=1) / np.sqrt(len(whole)))
