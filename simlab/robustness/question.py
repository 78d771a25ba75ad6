"""What is asked of unknown data: an experiment, how many packs, who plays; and the runs that it takes.

    runs/NAME-robust/
        packs/…                the sampled packs
        runs/own-1f0c…/        a run a pack and way of playing: "own", or the number of the sampled pack
        screen/…               what the screening played (screen.py)
        robust.json            all that was found
        robust.md, robust.html the same for people

Every run plays the same deals, for keys know neither pack nor strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simlab import catalog, knock_outs, mix, recorded
from simlab import plan as plans
from simlab.errors import ExperimentError, RunError, UsageError
from simlab.experiment import LADDER, Experiment, resolve
from simlab.until import UNTIL
from simlab.wording import place, shown

PACKS, RUNS, SCREEN = "packs", "runs", "screen"  # folders
BY = "--by"
OWN = "own"
FEWEST_PACKS, MOST_PACKS = 2, 10_000
_HASH_SHOWN = 16  # of a run's hash, in the name of its folder
_DIGITS = 4  # of a pack's number there


@dataclass(frozen=True)
class Asked:
    """The question, checked: `ways` of playing the same experiment, the experiment's own first."""

    ways: tuple[Experiment, ...]
    packs: int
    folder: Path

    @property
    def experiment(self) -> Experiment:
        """The experiment as it was asked."""
        return self.ways[0]

    @property
    def apart(self) -> tuple[int, ...]:
        """The ways that say how far play matters: all but a mix of strategies that play alone too."""
        alone = {way.strategies[0] for way in self.ways if len(way.strategies) == 1}
        mixed = [len(way.strategies) > 1 and alone >= set(way.strategies) for way in self.ways]
        return tuple(number for number, mix in enumerate(mixed) if not mix)


def asked(experiment: Experiment, packs: int, by: Sequence[str], out: Path | None) -> Asked:
    """Check that verdicts of an experiment can be looked at over packs; `by` are others that play it.

    Raises UsageError.
    """
    if experiment.ladder is not None:
        raise ExperimentError(
            f"[{LADDER}] has no effect here: simlab ladder holds an order over packs itself"
        )
    if experiment.until is not None:
        raise ExperimentError(f"{UNTIL} has no effect here: every pack plays as many games, which games says")
    if experiment.knock_outs:
        raise ExperimentError(f"[{knock_outs.KEY}] has no effect here: verdicts are on games as they are")
    if not experiment.settings.pack.share_assumed:
        raise ExperimentError(f"the pack {shown(experiment.pack)} assumes no value, so no other is plausible")
    own = with_pack(experiment, experiment.pack)
    ways = [own, *(with_pack(other, other.pack) for other in experiment.also_by)]
    for name in mix.strategies_of_the_command(by, experiment.game, BY) if by else ():
        way = _played_by(own, name)
        if any(way.strategies == other.strategies for other in ways):
            raise UsageError(f"{BY} {shown(name)} has no effect: it plays already")
        ways.append(way)
    return Asked(tuple(ways), packs, out or plans.RUNS / f"{experiment.name}-robust")


def with_pack(
    experiment: Experiment, pack: str, *, games: int | None = None, seed: int | None = None
) -> Experiment:
    """The same experiment with another pack, name or folder. Raises ExperimentError where it can't be."""
    written = {key: value for key, value in experiment.resolved().items() if key != "also_by"}
    written |= {"pack": pack}
    if len(experiment.game.tables) > len(recorded.ALWAYS):
        written[recorded.KEY] = list(recorded.ALWAYS)  # verdicts need no more, and packs are many
    written |= {key: value for key, value in (("games", games), ("seed", seed)) if value is not None}
    try:
        return resolve(written, Path())
    except UsageError as error:
        raise ExperimentError(f"with the pack {place(pack)}: {error}") from None


def _played_by(experiment: Experiment, name: str) -> Experiment:
    """The same experiment with one strategy in all seats."""
    written = experiment.resolved() | {"strategies": [name]}
    if catalog.compiled(name, experiment.game.name):
        written.pop("decision_timeout", None)
    return resolve(written, Path())


def planned(experiment: Experiment, folder: Path, name: str, like: plans.Plan | None) -> plans.Plan:
    """The plan of a run below `folder`, named and by its hash, so that it is found again."""
    plan = plans.plan(experiment, folder, like)
    return replace(plan, folder=folder / f"{name}-{plan.hash[:_HASH_SHOWN]}")


def games_of(plan: plans.Plan) -> int:
    """All games of a run."""
    return sum(part.games for part in plan.parts)


def folder_of(experiment: Experiment) -> Path:
    """The folder of its pack, a shipped one or any."""
    inside = experiment.game.packs / experiment.pack
    return inside if inside.is_dir() else Path(experiment.pack)


def numbered(index: int) -> str:
    """What the runs of a sampled pack are called."""
    return f"{index:0{_DIGITS}d}"


def refuse_run(folder: Path) -> None:
    """Nothing else is played into the folder of a run."""
    if (folder / "manifest.json").exists():
        raise RunError(f"{place(folder)} holds a run; choose another --out")
