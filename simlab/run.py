"""Playing a run: its parts over workers, written whole, resumed by listing what is there.

What a part holds depends on the experiment and the part's number alone. So the same bytes and the same
digest come out of any number of workers, in one go or after interruptions. Compiled strategies run on
threads (the kernels let go of Python's lock), plain Python ones in worker processes.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from simlab import catalog, match, results
from simlab.design import PART_GAMES, Design, Part, design_of
from simlab.errors import ResultsError, RunError
from simlab.experiment import Experiment
from simlab.game import Settings
from simlab.strategy import Strategy

RUNS = Path("runs")
_LIBRARIES = ("simlab", "numpy", "numba", "llvmlite", "pyarrow")
_HASH_SHOWN = 8  # of the run's hash, in the folder's name


@dataclass(frozen=True)
class Plan:
    """A run that can be played: what, in which order, where to."""

    experiment: Experiment
    strategies: tuple[Strategy, ...]
    strategy_hashes: tuple[str, ...]
    signature: str
    hash: str
    design: Design
    folder: Path

    @property
    def parts(self) -> list[Part]:
        """All parts of the run, played already or not."""
        return self.design.parts(self.experiment.games)

    def to_play(self) -> list[Part]:
        """The parts that are missing or shorter than wanted."""
        there = results.parts_of(self.folder)
        return [part for part in self.parts if not _is_there(part, there.get(part.number))]


def _is_there(part: Part, found: tuple[str, int | None] | None) -> bool:
    return found is not None and (found[1] is None or found[1] >= part.games)


def strategy_hash(strategy: Strategy) -> str:
    """A hash of a strategy's name, source and weights: of everything in it that changes play."""
    digest = hashlib.sha256(json.dumps([strategy.name, list(strategy.weights)]).encode())
    for file in catalog.strategy_sources(strategy):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def plan(experiment: Experiment, out: Path | None = None) -> Plan:
    """Load and compile what the run needs, name it; `out` is the run's folder (under runs/ by default)."""
    game = experiment.game
    strategies = tuple(catalog.strategy(name, game.name) for name in experiment.strategies)
    game.warm_up()  # compile here, once, before any worker could do it beside another
    hashes = tuple(map(strategy_hash, strategies))
    signature = game.signature()
    run_hash = experiment.run_hash(hashes, signature)
    return Plan(
        experiment=experiment,
        strategies=strategies,
        strategy_hashes=hashes,
        signature=signature,
        hash=run_hash,
        design=design_of(
            experiment.seed,
            experiment.players,
            [game.factions.index(name) for name in experiment.factions],
            [strategy.games_per_part for strategy in strategies],
        ),
        folder=out or RUNS / f"{experiment.name}-{run_hash[:_HASH_SHOWN]}",
    )


def play(plan: Plan, workers: int, *, quiet: bool = False) -> dict[str, Any]:
    """Play what is missing of a run; returns its manifest. Raises RunError where the folder is another's."""
    _claim(plan)
    try:
        _play_parts(plan, workers, quiet)
        manifest = _manifest(plan, finished=True)
        results.write_manifest(plan.folder, manifest)
    except OSError as error:
        raise RunError(f"{plan.folder} can't be written: {error.strerror or error}") from error
    return manifest


def _claim(plan: Plan) -> None:
    """Make the folder this run's, or refuse: never mix games of different settings."""
    folder = plan.folder
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file, not a run folder")
    if folder.is_dir() and any(folder.iterdir()):
        try:
            there = results.read_manifest(folder)
        except ResultsError as error:
            raise RunError(f"{error}; choose another --out") from None
        if there.get("hash") != plan.hash:
            raise RunError(
                f"{folder} holds a run of other settings ({str(there.get('hash'))[:_HASH_SHOWN]}, not"
                f" {plan.hash[:_HASH_SHOWN]}); choose another --out"
            )
        if not plan.to_play():
            return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        results.write_manifest(folder, _manifest(plan, finished=False))
    except OSError as error:
        raise RunError(f"{folder} can't be written: {error.strerror or error}") from None


# --- workers --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Job:
    """One part, as a worker gets it: names rather than code, so that it can go to another process."""

    game: str
    strategies: tuple[str, ...]
    settings: Settings
    design: Design
    part: Part
    folder: Path


def _play_part(job: _Job) -> Part:
    game = catalog.game(job.game)
    strategies = [catalog.strategy(name, job.game) for name in job.strategies]
    part: Part = job.part
    schedule = job.design.schedule(part)
    if all(strategy.compiled for strategy in strategies):
        tables = game.play(job.settings, schedule, strategies)
    else:
        played = match.play_part(lambda row: game.open(job.settings, row), schedule, strategies)
        tables = game.tables_of(job.settings, schedule, strategies, played)
    name = results.part_name(part.number, part.games, part.full)
    results.write_part(job.folder, name, game.tables, tables)
    results.drop_shorter(job.folder, game.tables, part.number, name)
    return part


def _play_parts(plan: Plan, workers: int, quiet: bool) -> None:
    from joblib import Parallel, delayed

    experiment, parts = plan.experiment, plan.to_play()
    jobs = [
        _Job(experiment.game.name, experiment.strategies, experiment.settings, plan.design, part, plan.folder)
        for part in parts
    ]
    backend = "threading" if all(strategy.compiled for strategy in plan.strategies) else "loky"
    total = sum(part.games for part in plan.parts)
    with _progress(total, total - sum(part.games for part in parts), quiet) as advance:
        pool = Parallel(n_jobs=min(workers, len(jobs) or 1), backend=backend, return_as="generator")
        try:
            for part in pool(delayed(_play_part)(job) for job in jobs):
                advance(part.games)
        except KeyboardInterrupt:
            raise RunError(f"stopped; the same command goes on from what is in {plan.folder}") from None


@contextmanager
def _progress(total: int, done: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar with games/s and time left on a terminal's stderr, nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Speed(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f} games/s")

    console = Console(stderr=True)
    columns = (TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"), BarColumn(), Speed())
    hidden = quiet or not console.is_terminal
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=hidden) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda games: bar.advance(task, games)


# --- manifest -------------------------------------------------------------------------------------


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            versions[library] = "not installed"
    return versions


def _manifest(plan: Plan, *, finished: bool) -> dict[str, Any]:
    """Everything a reader of the results must know; no clock in it, so equal runs give equal bytes."""
    experiment, game, pack = plan.experiment, plan.experiment.game, plan.experiment.settings.pack
    resolved = experiment.resolved()
    resolved["games"] = max(experiment.games, _asked_before(plan.folder))
    strategies = zip(plan.strategies, plan.strategy_hashes, strict=True)
    return {
        "format": results.FORMAT,
        "name": experiment.name,
        "hash": plan.hash,
        "finished": finished,
        **(_counted(plan) if finished else {"digest": None, "counts": None}),
        "experiment": resolved,
        "rules": game.resolve_rules(experiment.settings.rules),
        "rules_version": game.rules_version,
        "signature": plan.signature,
        "pack": {"name": pack.name, "hash": pack.hash, "share_assumed": pack.share_assumed},
        "strategies": [{"name": s.name, "says": s.says, "hash": hashed} for s, hashed in strategies],
        "balanced_every": {str(players): plan.design.replicate(players) for players in experiment.players},
        "tables": [table.name for table in game.tables],
        "versions": _versions(),
    }


def _asked_before(folder: Path) -> int:
    try:
        return int(results.read_manifest(folder)["experiment"]["games"])
    except (ResultsError, KeyError, TypeError, ValueError):
        return 0


def _counted(plan: Plan) -> dict[str, Any]:
    """Digest and counts of all games in the folder: sums, so their order doesn't matter."""
    tables = [table.name for table in plan.experiment.game.tables]
    names = [name for name, _ in results.parts_of(plan.folder).values()]
    files = {table: [plan.folder / table / f"{name}.parquet" for name in names] for table in tables}
    stored = results.Run(plan.folder, {}, files)
    games, blocks, digest = stored.sql(
        "SELECT count(*), count(DISTINCT block), sum(game_hash::HUGEINT) FROM games"
    ).fetchall()[0]
    endings = stored.sql("SELECT ending, count(*) FROM games GROUP BY ending ORDER BY ending").fetchall()
    players = stored.sql("SELECT players, count(*) FROM games GROUP BY players ORDER BY players").fetchall()
    return {
        "digest": f"{int(digest) % 2**64:016x}",
        "counts": {
            "games": games,
            "blocks": blocks,
            "players": {str(number): count for number, count in players},
            "endings": dict(endings),
        },
    }


def rounded(experiment: Experiment) -> int:
    """Games for each number of players after rounding up to whole blocks."""
    factions = range(len(experiment.factions))
    whole = design_of(experiment.seed, experiment.players, factions, [PART_GAMES])
    return whole.cycles(experiment.games) * whole.cycle_games
