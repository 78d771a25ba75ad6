"""How fast games are played and recorded, beside the reference loop.

A machine drifts: it warms up, others use it. So a *round* is short and has everything in it: the reference
loop, a slice of games on one worker, the reference loop again, then as many slices side by side as there are
workers, and the reference loop once more. Ratios are taken within a round; what is told is the median of the
rounds. A slice is played and written just as a part of a run is, into a folder that is thrown away.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab import results
from simlab.bench.measures import Measure, of_rounds
from simlab.design import Part
from simlab.runs import Plan

if TYPE_CHECKING:
    import pyarrow as pa

FINISHED = "finished"
_SLOW = 1_000  # games of a part: a strategy that declares fewer takes too long for slices of whole parts
_UNIT = 1e9  # steps of the reference loop that figures are told for
# columns of a game's table `games`, where it has them: work that can't be left out to look fast
_WORK = (
    ("decisions", "decisions a game"),
    ("choices", "choices a game"),
    ("longest_list", "longest list a game"),
)


@dataclass(frozen=True)
class Slice:
    """Some games of a run, and where they are written."""

    plan: Plan
    part: Part
    folder: Path


@dataclass(frozen=True)
class Played:
    """What a slice took, in seconds, and what it was."""

    playing: float
    tables: float
    writing: float
    cpu: float  # of it all, without waiting for the disk or for other programs
    size: int  # bytes on disk
    irregular: int  # games that ended in no regular way
    work: dict[str, float]  # of _WORK: the mean over its games

    @property
    def seconds(self) -> float:
        """From start to end."""
        return self.playing + self.tables + self.writing

    @property
    def recording(self) -> float:
        """The share of its time that isn't playing."""
        return 1 - self.playing / self.seconds


@dataclass(frozen=True)
class Round:
    """One round: a slice alone, then slices side by side."""

    games: int  # of one slice
    alone: Played
    reference: float  # seconds of 10⁹ steps, around `alone`
    reference_cpu: float
    together: dict[int, float]  # workers → how many times as fast as one

    @property
    def games_per_second(self) -> float:
        """On one worker."""
        return self.games / self.alone.seconds

    @property
    def games_per_unit(self) -> float:
        """Games in the time of 10⁹ steps."""
        return self.games_per_second * self.reference

    @property
    def games_per_unit_cpu(self) -> float:
        """Games in the CPU time of 10⁹ steps."""
        return self.games / self.alone.cpu * self.reference_cpu


def play_slice(work: Slice) -> Played:
    """Play and record a slice of games."""
    game, settings = work.plan.experiment.game, work.plan.experiment.settings
    strategies, schedule = work.plan.strategies, schedule_of(work)
    name = results.part_name(work.part.number, work.part.games, work.part.full)
    work.folder.mkdir(exist_ok=True)
    times, cpu = [time.perf_counter()], time.process_time()
    played = game.play(settings, schedule, strategies, lambda: None)
    times.append(time.perf_counter())
    tables = game.tables_of(settings, schedule, strategies, played)
    times.append(time.perf_counter())
    results.write_part(work.folder, name, game.tables, tables)
    times.append(time.perf_counter())
    cpu = time.process_time() - cpu
    playing, making, writing = (end - start for start, end in pairwise(times))
    size = sum(file.stat().st_size for file in work.folder.glob(f"*/{name}.parquet"))
    return Played(playing, making, writing, cpu, size, _irregular(tables["games"]), _work(tables["games"]))


def schedule_of(work: Slice) -> Any:
    """The games of a slice; of two strategies the first has one seat, another in each rotation."""
    schedule = work.plan.design.schedule(work.part)
    if len(work.plan.strategies) > 1:
        schedule["strategy"] = 1
        seats = np.arange(schedule["strategy"].shape[1])
        schedule["strategy"][schedule["rotation"][:, None] == seats] = 0
    return schedule


def is_slow(plan: Plan) -> bool:
    """Whether a part of the run is too long for a slice."""
    return min(strategy.part_games for strategy in plan.strategies) < _SLOW


def slice_of(plan: Plan, part: int) -> int:
    """How many games a slice has if nobody says: a part's, of slow strategies the fewest that can be."""
    cycles = 1 if is_slow(plan) else plan.design.part_cycles(part)
    return cycles * plan.design.cycle_games


def _irregular(games: pa.Table) -> int:
    return sum(word != FINISHED for word in games["ending"].to_pylist())


def _work(games: pa.Table) -> dict[str, float]:
    import pyarrow.compute as pc

    names = [name for name, _ in _WORK if name in games.column_names]
    return {name: float(pc.mean(games[name]).as_py()) for name in names}


def rounds(plan: Plan, games: int, workers: Sequence[int], count: int) -> Iterator[Round]:
    """Play `count` rounds, after a slice to warm up; a slice has `games` games, rounded up to whole blocks.

    `workers` are the numbers of workers to compare with one.
    """
    play_slice(_slice(plan, games, count, "warm"))
    for number in range(count):
        yield _round(plan, games, workers, number)


def _slice(plan: Plan, games: int, number: int, folder: str) -> Slice:
    cycles = plan.design.cycles(games)
    size = cycles * plan.design.games_in_cycle
    part = Part(number, number * cycles, (number + 1) * cycles, size, size)
    return Slice(plan, part, plan.folder / folder)


def _round(plan: Plan, games: int, workers: Sequence[int], number: int) -> Round:
    before, before_cpu = _reference()
    alone = play_slice(_slice(plan, games, number, "alone"))
    after, after_cpu = _reference()
    played = plan.design.cycles(games) * plan.design.games_in_cycle
    around, around_cpu = (before + after) / 2, (before_cpu + after_cpu) / 2
    pace = played / alone.seconds * around
    together = {}
    for count in workers:
        seconds = _side_by_side([_slice(plan, games, number, f"{count}-{k}") for k in range(count)])
        before, (after, _) = after, _reference()
        together[count] = count * played / seconds * (before + after) / 2 / pace
    return Round(played, alone, around, around_cpu, together)


def _reference() -> tuple[float, float]:
    """Seconds that 10⁹ steps would take now, and CPU seconds."""
    from simlab.bench import reference

    cpu = time.process_time()
    seconds = reference.seconds(reference.STEPS)
    cpu = time.process_time() - cpu
    return seconds * _UNIT / reference.STEPS, cpu * _UNIT / reference.STEPS


def _side_by_side(slices: list[Slice]) -> float:
    """Seconds that slices take, each on a worker of its own: a thread, as compiled strategies have it."""
    from joblib import Parallel, delayed

    with Parallel(n_jobs=len(slices), backend="threading") as pool:
        start = time.perf_counter()
        pool(delayed(play_slice)(work) for work in slices)
        return time.perf_counter() - start


def summary(found: Sequence[Round], strategy: str) -> list[Measure]:
    """What rounds of a strategy come to."""
    alone = [each.alone for each in found]

    def over(name: str, says: str, unit: str, values: Sequence[float]) -> Measure:
        return of_rounds(name, says, unit, values, strategy)

    def one(name: str, says: str, unit: str, value: float) -> Measure:
        return Measure(name, says, unit, value, strategy=strategy)

    return [
        over("games_per_second", "games/s", "", [each.games_per_second for each in found]),
        over("games_per_1e9_steps", "games per 10⁹ steps", "", [each.games_per_unit for each in found]),
        over("games_per_1e9_steps_cpu", "– in CPU time", "", [each.games_per_unit_cpu for each in found]),
        *(
            one(f"{name}_per_game", says, "", fmean(each.work[name] for each in alone))
            for name, says in _WORK
            if name in alone[0].work
        ),
        one("irregular_games", "irregular games", "", sum(each.irregular for each in alone)),
        over("recording_share", "recording", "share", [each.recording for each in alone]),
        over("tables_share", "– making tables", "share", [each.tables / each.seconds for each in alone]),
        over("writing_share", "– writing files", "share", [each.writing / each.seconds for each in alone]),
        *(
            over(
                f"workers_{count}", f"{count} workers against 1", "", [each.together[count] for each in found]
            )
            for count in found[0].together
        ),
        one("bytes_per_game", "disk a game", "bytes", fmean(each.alone.size / each.games for each in found)),
    ]
