"""Playing a run: its parts over workers, written whole, resumed by what its manifest lists and is there.

What a part holds depends on the experiment and the part's number alone. So the same bytes and the same
digest come out of any number of workers, in one go or after interruptions. Compiled strategies run on
threads (the kernels let go of Python's lock), plain Python ones in worker processes (`workers.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from simlab import catalog, results, strict, threads
from simlab.arm_play import ArmPlayer, tables_by_arm
from simlab.design import Design, Part
from simlab.errors import RunError
from simlab.failures import Failures, Spoilt, spoilt_in
from simlab.folder import claimed, in_words
from simlab.game import Game, Settings, Table
from simlab.held import Held, listing
from simlab.knock_outs import Base, Wanted, played_again
from simlab.looks import Looks
from simlab.manifest import manifest_of, manifest_there
from simlab.plan import Plan, plan, rounded
from simlab.progress import progress
from simlab.strategy import Strategy
from simlab.threads import Checkpoint
from simlab.wording import place
from simlab.workers import Done, play_batches

__all__ = ["Plan", "Stopped", "plan", "play", "rounded"]


class Stopped(RunError):
    """The user stopped a run."""

    exit_code = 130


@dataclass(frozen=True)
class _How:
    """What of a command doesn't change what is played."""

    workers: int
    quiet: bool
    strict: bool
    failures: Failures
    advance: Callable[[int], None] | None  # of a bar that isn't the run's own


def play(
    plan: Plan,
    workers: int,
    *,
    quiet: bool = False,
    strict: bool = False,
    failures: Failures | None = None,
    advance: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Play what is missing of a run; returns its manifest. Raises RunError where the folder is another's.

    `failures` takes in the games that strategies spoil; with `strict` the first one raises StrategyFailed.
    `advance` is told of games as they are played; without it there is a bar, unless `quiet`.
    """
    try:
        with claimed(plan.folder) as still_there:
            return _continued(
                plan, _How(workers, quiet, strict, failures or Failures(), advance), still_there
            )
    except OSError as error:
        raise RunError(in_words(plan.folder, error)) from error
    except KeyboardInterrupt:
        raise Stopped(f"stopped; the same command goes on from what is in {place(plan.folder)}") from None


def _continued(plan: Plan, how: _How, still_there: Callable[[], None]) -> dict[str, Any]:
    """Play what isn't there as it was written, then say what is."""
    before = manifest_there(plan)
    results.tidy(plan.folder, plan.tables, before["parts"] if before else ())
    if before and before["finished"] and before["experiment"]["games"] > plan.experiment.games:
        plan = replace(plan, experiment=replace(plan.experiment, games=before["experiment"]["games"]))
    listed = before["parts"] if before else {}
    broken = results.faults(plan.folder, listed)
    held = Held({name: hashes for name, hashes in listed.items() if name not in broken})
    plan, looks = _looking(plan, held)
    missing = [] if looks and looks.met else [part for part in plan.parts if not held.has(part)]
    if how.strict:
        strict.refuse_held(plan, held.parts)
    if before and before["finished"] and not missing and not (looks and _asks_for_more(plan, before)):
        return before
    if before:  # what is in the way of a table must not cost the manifest the parts that it lists
        _make_tables(plan)
    results.write_manifest(plan.folder, manifest_of(plan, held.parts, finished=False))
    _make_tables(plan)
    if missing:
        _play_parts(plan, held, missing, how, still_there, looks)
    whole = looks.parts if looks else held.without_gaps()
    manifest = manifest_of(plan, whole, finished=True, ended=looks.ended() if looks else None)
    manifest = results.write_manifest(plan.folder, manifest)
    results.tidy(plan.folder, plan.tables, whole, nothing_else=looks is not None)
    return manifest


def _looking(plan: Plan, held: Held) -> tuple[Plan, Looks | None]:
    """What looks at a run that stops when it knows enough; its plan asks at least for what is there."""
    if plan.experiment.until is None:
        return plan, None
    design, sizes = plan.design, [results.part_size(name) for name in held.without_gaps()]
    there = sum(
        design.part_cycles(number) if games is None else games // design.games_in_cycle
        for number, games in sizes
    )
    if there > design.cycles(plan.experiment.games):
        plan = replace(plan, experiment=replace(plan.experiment, games=there * design.cycle_games))
    return plan, Looks(plan, held)


def _asks_for_more(plan: Plan, before: Mapping[str, Any]) -> bool:
    """Whether a run that stopped early may now be longer than it might before."""
    return plan.design.cycles(plan.experiment.games) > plan.design.cycles(before["experiment"]["games"])


def _make_tables(plan: Plan) -> None:
    for table in plan.tables:
        (plan.folder / table).mkdir(exist_ok=True)


@dataclass(frozen=True)
class _Job:
    """One part, as what plays it gets it."""

    game: str
    strategies: tuple[str, ...]
    settings: tuple[Settings, ...]  # by arm
    design: Design
    part: Part
    folder: Path
    tables: tuple[Table, ...]  # that are written
    knock_outs: Wanted


@dataclass(frozen=True)
class _Written:
    """A part that was played: the name of its files, their hashes, the games that strategies spoilt."""

    part: Part
    name: str
    hashes: dict[str, str]
    spoilt: Sequence[Spoilt]


def _play_part(job: _Job, checkpoint: Checkpoint) -> _Written:
    """Play a part with compiled strategies, write its files."""
    game, strategies = _loaded(job)
    schedule = job.design.schedule(job.part)
    player = ArmPlayer(game, job.settings, strategies, checkpoint)
    tables = tables_by_arm(game, job.settings, schedule, strategies, player.logs)
    if job.knock_outs:
        base = Base(game, job.settings[0], schedule, player.base_logs, strategies)
        tables["knock_outs"] = played_again(base, job.knock_outs, checkpoint)
    return _write_part(job, tables, spoilt_in(tables, schedule, job.strategies))


def _loaded(job: _Job) -> tuple[Game, list[Strategy]]:
    return catalog.game(job.game), [catalog.strategy(name, job.game) for name in job.strategies]


def _write_part(job: _Job, tables: Mapping[str, Any], spoilt: Sequence[Spoilt]) -> _Written:
    part = job.part
    name = results.part_name(part.number, part.games, part.full)
    return _Written(part, name, results.write_part(job.folder, name, job.tables, tables), spoilt)


def _played_plain(plan: Plan, jobs: Sequence[_Job], workers: int, *, stop: bool) -> Generator[list[_Written]]:
    """Play parts with plain Python strategies, in processes of their own; write their files here.

    A batch is one arm of a part; a part is written when all its arms are there.
    """
    arms = len(plan.experiment.settings_by_arm)
    batches = (
        plan.batch(schedule[schedule["arm"] == arm], in_full=stop)
        for job in jobs
        for schedule in [job.design.schedule(job.part)]
        for arm in range(arms)
    )
    waiting: dict[int, dict[int, Done]] = {}
    with closing(play_batches(batches, workers)) as played:
        for done in played:
            if stop:
                strict.refuse(plan, done.spoilt)
            number, arm = divmod(done.number, arms)
            there = waiting.setdefault(number, {})
            there[arm] = done
            if len(there) == arms:
                yield [_write_arms(jobs[number], waiting.pop(number))]


def _write_arms(job: _Job, played: Mapping[int, Done]) -> _Written:
    """Write a part of which each arm was played by itself."""
    game, strategies = _loaded(job)
    schedule = np.concatenate([played[arm].batch.schedule for arm in range(len(played))])
    tables = tables_by_arm(game, job.settings, schedule, strategies, lambda arm, _: played[arm].logs)
    return _write_part(job, tables, [one for arm in range(len(played)) for one in played[arm].spoilt])


def _bar(
    total: int, done: int, how: _How, looks: Looks | None
) -> AbstractContextManager[Callable[[int], None]]:
    if how.advance is not None:
        return nullcontext(how.advance)
    return progress(total, done, how.quiet, looks.progress if looks else lambda: "")


def _play_parts(
    plan: Plan,
    held: Held,
    parts: list[Part],
    how: _How,
    still_there: Callable[[], None],
    looks: Looks | None,
) -> None:
    experiment = plan.experiment
    jobs = [
        _Job(
            experiment.game.name,
            experiment.strategies,
            experiment.settings_by_arm,
            plan.design,
            part,
            plan.folder,
            experiment.recorded,
            experiment.knock_outs,
        )
        for part in parts
    ]
    workers = min(how.workers, len(jobs))
    total = sum(part.games for part in plan.parts)
    came: list[_Written] = []  # and not looked at yet
    if all(strategy.compiled for strategy in plan.strategies):
        played = threads.played(jobs, _play_part, workers, enough=lambda: looks is not None and looks.met)
    else:
        played = _played_plain(plan, jobs, workers, stop=how.strict)
    with (
        _bar(total, total - sum(part.games for part in parts), how, looks) as advance,
        listing(plan, held, still_there) as note,
        closing(played),
    ):
        for done in played:
            for written in done:
                if how.strict:
                    strict.refuse(plan, written.spoilt)
                if looks is None:
                    how.failures.add(written.part.games, written.spoilt)
                advance(written.part.games)
            still_there()
            note((written.name, written.hashes) for written in done)
            if looks:
                looks.look()
                came = _told(came + done, looks.taken, how.failures)
                if looks.met:
                    break


def _told(came: Sequence[_Written], taken: int, failures: Failures) -> list[_Written]:
    """Tell the failures of the parts that were taken in; the other ones, of which the run may do without."""
    for written in came:
        if written.part.number < taken:
            failures.add(written.part.games, written.spoilt)
    return [written for written in came if written.part.number >= taken]
