"""Whether verdicts hold where components are unknown: with the experiment's pack and plausible others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from simlab import runs
from simlab.errors import RunError
from simlab.experiment import Experiment
from simlab.failures import Failures
from simlab.folder import claimed, in_words
from simlab.plan import Plan
from simlab.progress import Counted, progress
from simlab.robustness.drawing import drawn
from simlab.robustness.findings import Finding, findings
from simlab.robustness.outcomes import Outcomes, read
from simlab.robustness.question import (
    OWN,
    PACKS,
    RUNS,
    Asked,
    games_of,
    numbered,
    planned,
    refuse_run,
    with_pack,
)
from simlab.runs import Stopped
from simlab.wording import place


@dataclass(frozen=True, eq=False)
class Robustness:
    """What came out: outcomes by way of playing with the experiment's pack, then by sampled pack and way."""

    asked: Asked
    names: tuple[str, ...]  # of the sampled packs
    own: tuple[Outcomes, ...]
    packs: tuple[tuple[Outcomes, ...], ...]
    findings: tuple[Finding, ...]

    @property
    def band(self) -> float:
        """What counts as balanced, either side of even: a fraction of win share."""
        return self.asked.experiment.band / 100

    @property
    def everything(self) -> list[Outcomes]:
        """The outcomes of all runs."""
        return [*self.own, *(each for pack in self.packs for each in pack)]

    @property
    def digest(self) -> str:
        """A fingerprint of all games: the same question must have the same on any machine."""
        found = [outcomes.digest for outcomes in self.everything]
        return sha256(json.dumps(found).encode()).hexdigest()[:16]


@dataclass
class Playing:
    """What of a command doesn't change what is played: workers, the bar, games that strategies spoil."""

    workers: int
    quiet: bool = False
    failures: Failures = field(default_factory=Failures)
    stage: str = ""

    def outcomes(self, plans: Iterable[Plan], games: int, stage: Callable[[int], str]) -> list[Outcomes]:
        """Play what is missing of runs, one after the other, and read them.

        `games` of all together are for the bar; `stage` says in it which run it is, counted from 0.
        """
        found: list[Outcomes] = []
        with self.bar(games) as advance:
            for plan in plans:
                self.stage = stage(len(found))
                counted = Counted(advance)
                runs.play(plan, self.workers, failures=self.failures, advance=counted)
                advance(games_of(plan) - counted.games)  # those that were there
                found.append(read(plan))
        return found

    @contextmanager
    def bar(self, total: int) -> Iterator[Callable[[int], None]]:
        """A bar over so many games, with the stage before it."""
        with progress(total, 0, self.quiet, lambda: self.stage) as advance:
            yield advance


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """The folder of a question, held by one command; what keeps it from being written is a sentence."""
    try:
        refuse_run(folder)
        with claimed(folder):
            yield
    except OSError as error:
        raise RunError(in_words(folder, error)) from error
    except (KeyboardInterrupt, Stopped):
        raise Stopped(f"stopped; the same command goes on from what is in {place(folder)}") from None


def play(asked: Asked, playing: Playing, sampled: Sequence[Path]) -> Robustness:
    """Play what is missing with the experiment's pack and the sampled ones, and judge each subject in each.

    `sampled` are the folders that `sampled_packs` gave.

    Raises UsageError where the experiment can't be played with one of them.
    """
    plans = _plans(asked, sampled)
    ways = len(asked.ways)
    names = ["the experiment's pack", *(f"pack {k} of {len(sampled)}" for k in range(1, len(sampled) + 1))]
    found = playing.outcomes(plans, sum(map(games_of, plans)), lambda number: names[number // ways])
    by_pack = [tuple(found[k : k + ways]) for k in range(0, len(found), ways)]
    own, others = by_pack[0], by_pack[1:]
    judged = findings(own, others, asked.experiment.band / 100, asked.apart)
    return Robustness(asked, tuple(folder.name for folder in sampled), own, tuple(others), judged)


def sampled_packs(asked: Asked, playing: Playing, number: int) -> list[Path]:
    """The folders of so many sampled packs."""
    found: list[Path] = []
    with playing.bar(0):
        playing.stage = f"drawing pack 1 of {number}"
        for folder in drawn(asked.experiment, number, asked.folder / PACKS):
            found.append(folder)
            playing.stage = f"drawing pack {min(len(found) + 1, number)} of {number}"
    return found


def _plans(asked: Asked, sampled: Sequence[Path]) -> list[Plan]:
    """A run a pack and way of playing, the experiment's pack first."""
    folder, found = asked.folder / RUNS, []
    like: Plan | None = None
    for name, pack in [(OWN, None), *((numbered(k), path) for k, path in enumerate(sampled))]:
        for way in asked.ways:
            like = planned(_with(way, pack), folder, name, like)
            found.append(like)
    return found


def _with(way: Experiment, pack: Path | None) -> Experiment:
    return way if pack is None else with_pack(way, str(pack))
