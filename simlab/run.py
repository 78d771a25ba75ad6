"""Playing a run: its parts over workers, written whole, resumed by what its manifest lists and is there.

What a part holds depends on the experiment and the part's number alone. So the same bytes and the same
digest come out of any number of workers, in one go or after interruptions. Compiled strategies run on
threads (the kernels let go of Python's lock), plain Python ones in worker processes (`workers.py`).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from simlab import catalog, results, strict
from simlab.design import PART_GAMES, Design, Part, design_of
from simlab.errors import ResultsError, RunError, UsageError
from simlab.experiment import Experiment
from simlab.failures import Failures, Spoilt, spoilt_in
from simlab.game import Game, Settings
from simlab.strategy import Strategy
from simlab.wording import place, shown
from simlab.worker_process import Batch
from simlab.workers import play_batches

RUNS = Path("runs")
_LIBRARIES = ("simlab", "numpy", "numba", "llvmlite", "pyarrow")
_HASH_SHOWN = 8  # of the run's hash, in the folder's name
_NOT_SETTINGS = ("name", "games", "pack", "strategies")  # keys of an experiment that the hash sees otherwise
_REST = 20  # times as long as writing the manifest takes, it isn't written again


class Stopped(RunError):
    """The user stopped a run."""

    exit_code = 130


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
    def tables(self) -> list[str]:
        """The names of the tables."""
        return [table.name for table in self.experiment.game.tables]

    def batch(self, schedule: Any, *, in_full: bool) -> Batch:
        """Games of the run as a worker process takes them; `in_full`: it stops at the first failure."""
        made = self.experiment
        return Batch(made.game.name, made.strategies, made.settings, schedule, made.timeout, in_full)


def strategy_hash(strategy: Strategy) -> str:
    """A hash of a strategy's name, source and weights: of everything in it that changes play."""
    return _hash_of([strategy.name, list(strategy.weights)], catalog.strategy_sources(strategy))


def engine_hash(game: Game) -> str:
    """A hash of all code that plays and records games: what is compiled and the plain Python around it."""
    from simlab import jit

    return _hash_of([jit.source_hash()], catalog.engine_sources(game))


def _hash_of(values: list[Any], files: list[Path]) -> str:
    digest = hashlib.sha256(json.dumps(values).encode())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def plan(experiment: Experiment, out: Path | None = None) -> Plan:
    """Load and compile what the run needs, name it; `out` is the run's folder (under runs/ by default)."""
    game = experiment.game
    strategies = _strategies(experiment)
    game.warm_up()  # compile here, once, before any worker could do it beside another
    hashes = tuple(map(strategy_hash, strategies))
    engine, signature = engine_hash(game), game.signature()
    run_hash = experiment.run_hash([*hashes, engine], signature)  # the engine counts as the strategies do
    return Plan(
        experiment=experiment,
        strategies=strategies,
        strategy_hashes=hashes,
        engine=engine,
        signature=signature,
        hash=run_hash,
        design=design_of(
            experiment.seed,
            experiment.players,
            [game.factions.index(name) for name in experiment.factions],
            [strategy.part_games for strategy in strategies],
        ),
        folder=out or RUNS / f"{experiment.name}-{run_hash[:_HASH_SHOWN]}",
    )


def _strategies(experiment: Experiment) -> tuple[Strategy, ...]:
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


@dataclass(frozen=True)
class _How:
    """What of a command doesn't change what is played."""

    workers: int
    quiet: bool
    strict: bool
    failures: Failures


def play(
    plan: Plan, workers: int, *, quiet: bool = False, strict: bool = False, failures: Failures | None = None
) -> dict[str, Any]:
    """Play what is missing of a run; returns its manifest. Raises RunError where the folder is another's.

    `failures` takes in the games that strategies spoil; with `strict` the first one raises StrategyFailed.
    """
    try:
        with _claimed(plan.folder):
            return _continued(plan, _How(workers, quiet, strict, failures or Failures()))
    except OSError as error:
        raise RunError(_in_words(plan.folder, error)) from error


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    """Make the folder and hold it: two commands that play into one would undo each other's work."""
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"{place(folder)} is being played into by another command: wait for it") from None
        yield
    finally:
        os.close(held)


def _in_words(folder: Path, error: OSError) -> str:
    """What keeps a run from being written."""
    path = Path(os.fsdecode(error.filename2 or error.filename or folder))
    path = path.parent if path.suffix == ".tmp" else path
    with suppress(OSError):  # such as a path too long to look at
        for step in (*reversed(path.parents), path):
            if os.path.lexists(step) and not step.is_dir():
                what = "a link that leads nowhere" if step.is_symlink() else "a file"
                return f"{place(step)} is in the way: it is {what}, not a folder"
    return f"{place(path)} can't be written: {error.strerror or error}"


def _continued(plan: Plan, how: _How) -> dict[str, Any]:
    """Play what isn't there as it was written, then say what is."""
    before = _manifest_there(plan)
    results.tidy(plan.folder, plan.tables, before["parts"] if before else ())
    if before and before["finished"] and before["experiment"]["games"] > plan.experiment.games:
        plan = replace(plan, experiment=replace(plan.experiment, games=before["experiment"]["games"]))
    listed = before["parts"] if before else {}
    broken = results.faults(plan.folder, listed)
    held = _Held({name: hashes for name, hashes in listed.items() if name not in broken})
    missing = [part for part in plan.parts if not held.has(part)]
    if how.strict:
        strict.refuse_held(plan, held.parts)
    if before and before["finished"] and not missing:
        return before
    if before:  # what is in the way of a table must not cost the manifest the parts that it lists
        _make_tables(plan)
    results.write_manifest(plan.folder, _manifest(plan, held.parts, finished=False))
    _make_tables(plan)
    if missing:
        _play_parts(plan, held, missing, how)
    whole = held.without_gaps()
    manifest = results.write_manifest(plan.folder, _manifest(plan, whole, finished=True))
    results.tidy(plan.folder, plan.tables, whole)
    return manifest


def _make_tables(plan: Plan) -> None:
    for table in plan.tables:
        (plan.folder / table).mkdir(exist_ok=True)


def _manifest_there(plan: Plan) -> dict[str, Any] | None:
    """The manifest of the run that is in the folder; refuses another's: games are never mixed."""
    folder = plan.folder
    if not any(folder.iterdir()):
        return None
    try:
        there = results.read_manifest(folder)
    except (ResultsError, UsageError) as error:
        raise RunError(f"{error}; choose another --out") from None
    if there["hash"] != plan.hash:
        raise RunError(
            f"{place(folder)} holds another run: {' and '.join(_differences(there, plan))};"
            " choose another --out"
        )
    return there


def _differences(there: Mapping[str, Any], plan: Plan) -> list[str]:
    """How the run in a folder differs from a plan, in words."""
    here = _manifest(plan, {}, finished=False)
    found = [
        f"{key} = {shown(old)}, not {shown(new)}"
        for key, new in here["experiment"].items()
        if key not in _NOT_SETTINGS and (old := there["experiment"].get(key)) != new
    ]
    if there["pack"]["hash"] != here["pack"]["hash"]:
        found.append(f"its pack {shown(there['pack']['name'])} has other content")
    old, new = ({entry["name"]: entry["hash"] for entry in each["strategies"]} for each in (there, here))
    if list(old) != list(new):
        found.append(f"strategies = {shown(list(old))}, not {shown(list(new))}")
    found += [
        f"strategy {shown(name)} has changed since" for name in old if new.get(name, old[name]) != old[name]
    ]
    if there["engine"] != plan.engine:
        found.append("the engine's code has changed since")
    if there["signature"] != plan.signature:
        found.append(f"games come out otherwise (signature {there['signature']}, not {plan.signature})")
    return found or ["what is recorded of a game has changed since"]


class _Held:
    """The parts of a run that are there as they were written, the longest of each number."""

    def __init__(self, parts: results.Parts) -> None:
        self._by_number: dict[int, tuple[str, Mapping[str, str]]] = {}
        for name, hashes in parts.items():
            self.add(name, hashes)

    def add(self, name: str, hashes: Mapping[str, str]) -> None:
        """Take a part in, instead of a shorter one of its number."""
        self._by_number[results.part_size(name)[0]] = name, hashes

    def has(self, part: Part) -> bool:
        """Whether the part is there, as long as is wanted."""
        name, _ = self._by_number.get(part.number, ("", {}))
        if not name:
            return False
        games = results.part_size(name)[1]
        return games is None or games >= part.games

    @property
    def parts(self) -> results.Parts:
        """All parts, in order."""
        return dict(self._by_number[number] for number in sorted(self._by_number))

    def without_gaps(self) -> results.Parts:
        """The parts up to the first that isn't there: a run is a prefix of its design."""
        return dict(entry for number, entry in sorted(self._by_number.items()) if self._all_before(number))

    def _all_before(self, number: int) -> bool:
        return all(other in self._by_number for other in range(number))


# --- workers --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Job:
    """One part, as what plays it gets it."""

    game: str
    strategies: tuple[str, ...]
    settings: Settings
    design: Design
    part: Part
    folder: Path


@dataclass(frozen=True)
class _Written:
    """A part that was played: the name of its files, their hashes, the games that strategies spoilt."""

    part: Part
    name: str
    hashes: dict[str, str]
    spoilt: Sequence[Spoilt]


def _play_part(job: _Job) -> _Written:
    """Play a part with compiled strategies, write its files."""
    game, strategies = _loaded(job)
    schedule = job.design.schedule(job.part)
    tables = game.tables_of(job.settings, schedule, strategies, game.play(job.settings, schedule, strategies))
    return _write_part(job, tables, spoilt_in(tables, schedule, job.strategies))


def _loaded(job: _Job) -> tuple[Game, list[Strategy]]:
    return catalog.game(job.game), [catalog.strategy(name, job.game) for name in job.strategies]


def _write_part(job: _Job, tables: Mapping[str, Any], spoilt: Sequence[Spoilt]) -> _Written:
    part, game = job.part, catalog.game(job.game)
    name = results.part_name(part.number, part.games, part.full)
    return _Written(part, name, results.write_part(job.folder, name, game.tables, tables), spoilt)


def _played_plain(plan: Plan, jobs: Sequence[_Job], workers: int, *, stop: bool) -> Iterator[_Written]:
    """Play parts with plain Python strategies, in processes of their own; write their files here."""
    batches = (plan.batch(job.design.schedule(job.part), in_full=stop) for job in jobs)
    with closing(play_batches(batches, workers)) as played:
        for done in played:
            if stop:
                strict.refuse(plan, done.spoilt)
            job = jobs[done.number]
            game, strategies = _loaded(job)
            tables = game.tables_of(job.settings, done.batch.schedule, strategies, done.logs)
            yield _write_part(job, tables, done.spoilt)


def _play_parts(plan: Plan, held: _Held, parts: list[Part], how: _How) -> None:
    from joblib import Parallel, delayed

    experiment = plan.experiment
    jobs = [
        _Job(experiment.game.name, experiment.strategies, experiment.settings, plan.design, part, plan.folder)
        for part in parts
    ]
    workers = min(how.workers, len(jobs))
    total = sum(part.games for part in plan.parts)
    with (
        _progress(total, total - sum(part.games for part in parts), how.quiet) as advance,
        _listing(plan, held) as add,
    ):
        if all(strategy.compiled for strategy in plan.strategies):
            pool = Parallel(n_jobs=workers, backend="threading", return_as="generator_unordered")
            played = pool(delayed(_play_part)(job) for job in jobs)
        else:
            played = _played_plain(plan, jobs, workers, stop=how.strict)
        try:
            for written in played:
                if how.strict:
                    strict.refuse(plan, written.spoilt)
                add(written.name, written.hashes)
                how.failures.add(written.part.games, written.spoilt)
                advance(written.part.games)
        except KeyboardInterrupt:
            raise Stopped(f"stopped; the same command goes on from what is in {place(plan.folder)}") from None
        finally:
            with warnings.catch_warnings(action="ignore"):  # joblib would say what it cancels
                played.close()


@contextmanager
def _listing(plan: Plan, held: _Held) -> Iterator[Callable[[str, Mapping[str, str]], None]]:
    """List parts in the manifest as they come, in little time; all of them whatever ends the run."""
    next_time = 0.0

    def write() -> None:
        results.write_manifest(plan.folder, _manifest(plan, held.parts, finished=False))

    def add(name: str, hashes: Mapping[str, str]) -> None:
        nonlocal next_time
        held.add(name, hashes)
        if (start := time.monotonic()) >= next_time:
            write()
            end = time.monotonic()
            next_time = end + _REST * (end - start)

    try:
        yield add
    finally:
        with suppress(OSError):  # what ended the run is to be told, not this
            write()


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


def _manifest(plan: Plan, parts: results.Parts, *, finished: bool) -> dict[str, Any]:
    """Everything a reader of the results must know; no clock in it, so equal runs give equal bytes."""
    experiment, game, pack = plan.experiment, plan.experiment.game, plan.experiment.settings.pack
    counted: dict[str, Any] = _counted(plan, parts) if finished else {"digest": None, "counts": None}
    resolved = experiment.resolved()
    if finished and counted["counts"]["games"] > sum(part.games for part in plan.parts):
        resolved["games"] = counted["counts"]["games"] // len(experiment.players)
    strategies = zip(plan.strategies, plan.strategy_hashes, strict=True)
    return {
        "format": results.FORMAT,
        "name": experiment.name,
        "hash": plan.hash,
        "finished": finished,
        **counted,
        "experiment": resolved,
        "rules": game.resolve_rules(experiment.settings.rules),
        "rules_version": game.rules_version,
        "engine": plan.engine,
        "signature": plan.signature,
        "pack": {"name": pack.name, "hash": pack.hash, "share_assumed": pack.share_assumed},
        "strategies": [{"name": s.name, "says": s.says, "hash": hashed} for s, hashed in strategies],
        "balanced_every": {str(players): plan.design.replicate(players) for players in experiment.players},
        "versions": _versions(),
        "tables": plan.tables,
        "parts": parts,
    }


def _counted(plan: Plan, parts: results.Parts) -> dict[str, Any]:
    """Digest and counts of all games of the parts: sums, so their order doesn't matter."""
    stored = results.Run(plan.folder, {}, results.files_of(plan.folder, plan.tables, parts))
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
