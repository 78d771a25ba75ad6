"""What a run will be: its experiment with all that changes play loaded, hashed and named."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab import catalog
from simlab.contest import contest_of
from simlab.design import Design, Part, design_of
from simlab.errors import UsageError
from simlab.experiment import LADDER, Experiment
from simlab.knock_outs import KEY, PART_SHARE
from simlab.mirrored import mirrored_of
from simlab.mix import MIRRORED
from simlab.strategy import PART_GAMES, Strategy
from simlab.wording import shown
from simlab.worker_process import Batch

RUNS = Path("runs")
_HASH_SHOWN = 8  # of the run's hash, in the folder's name


@dataclass(frozen=True)
class Plan:
    """A run that can be played: what, in which order, where to."""

    experiment: Experiment
    strategies: tuple[Strategy, ...]
    strategy_hashes: tuple[str, ...]
    engine: str
    signature: str
    hash: str
    design: Design
    folder: Path

    @property
    def parts(self) -> list[Part]:
        """All parts of the run, played already or not."""
        return self.design.parts(self.experiment.games)

    @property
    def engine_of(self) -> tuple[str, str]:
        """The engine's hash and signature."""
        return self.engine, self.signature

    @property
    def tables(self) -> list[str]:
        """The names of the tables."""
        return [table.name for table in self.experiment.recorded]

    def batch(self, schedule: Any, *, in_full: bool) -> Batch:
        """Games of one arm as a worker process takes them; `in_full`: it stops at the first failure."""
        made = self.experiment
        (arm,) = set(schedule["arm"].tolist())
        return Batch(
            made.game.name,
            made.strategies,
            made.settings_by_arm[arm],
            schedule,
            made.timeout,
            in_full=in_full,
            strategy_hashes=self.strategy_hashes,
        )


def plan(experiment: Experiment, out: Path | None = None, like: Plan | None = None) -> Plan:
    """Load and compile what the run needs, name it; `out` is the run's folder (under runs/ by default).

    `like` is another run of the game that this process planned: its engine is this one's.
    """
    if experiment.ladder is not None:
        raise UsageError(
            f"experiment {shown(experiment.name)} has a table [ladder], which has no effect on a run: simlab"
            " ladder plays it"
        )
    game = experiment.game
    strategies = strategies_of(experiment)
    for strategy in strategies:
        if experiment.knock_outs and not strategy.compiled:
            raise UsageError(
                f"[{KEY}] asks for compiled strategies, as each game is played some sixty times, but"
                f" {shown(strategy.name)} is plain Python"
            )
    game.warm_up()  # compile here, once, before any worker could do it beside another
    hashes = tuple(map(catalog.strategy_hash, strategies))
    engine, signature = (catalog.engine_hash(game), game.signature()) if like is None else like.engine_of
    # the engine counts as the strategies do, and so does an order of games that only some runs have
    orders = [catalog.source_hash(mirrored_of)] if experiment.mixing == MIRRORED else []
    run_hash = experiment.run_hash([*hashes, engine, *orders], signature)
    return Plan(
        experiment=experiment,
        strategies=strategies,
        strategy_hashes=hashes,
        engine=engine,
        signature=signature,
        hash=run_hash,
        design=_design(experiment, strategies),
        folder=out or RUNS / f"{experiment.name}-{run_hash[:_HASH_SHOWN]}",
    )


def _design(experiment: Experiment, strategies: tuple[Strategy, ...]) -> Design:
    """In which order what is played: mixed by design, in mirror games, or as a contest of the ladder."""
    factions = [experiment.game.factions.index(name) for name in experiment.factions]
    games_per_part = [strategy.part_games for strategy in strategies]
    if experiment.purpose == LADDER:
        return contest_of(experiment.seed, experiment.players, factions, games_per_part)
    if experiment.knock_outs:
        games_per_part = [max(1, games // PART_SHARE) for games in games_per_part]
    made = mirrored_of if experiment.mixing == MIRRORED else design_of
    return made(experiment.seed, experiment.players, factions, games_per_part, experiment.arms.noise)


def strategies_of(experiment: Experiment) -> tuple[Strategy, ...]:
    """The strategies, loaded; two of one name (a copy of one, say) would be one in the results."""
    found: dict[str, tuple[str, Strategy]] = {}
    for written in experiment.strategies:
        strategy = catalog.strategy(written, experiment.game.name)
        if strategy.name in found:
            other = found[strategy.name][0]
            raise UsageError(
                f"strategies {shown(other)} and {shown(written)} both have the name {shown(strategy.name)},"
                " by which results tell them apart: rename one"
            )
        found[strategy.name] = written, strategy
    return tuple(strategy for _, strategy in found.values())


def rounded(experiment: Experiment) -> int:
    """Games for each number of players after rounding up to whole blocks."""
    factions = range(len(experiment.factions))
    whole = design_of(experiment.seed, experiment.players, factions, [PART_GAMES])
    return whole.cycles(experiment.games) * whole.cycle_games
