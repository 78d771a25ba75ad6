"""A ladder: strategies rated by playing each other, in the experiment's pack and in sampled ones.

    runs/NAME/
        contests/2p-1f0c…/     a contest each, a run's folder (`contest.py` says what is played)
        packs/…/               the sampled packs
        ladder.json            all that was found
        ladder.md              the same for people

Contests are found again by their hashes. So a ladder that was stopped goes on, more games extend it, and a
new strategy plays only its own contests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from simlab import packs, results, runs
from simlab.contest import pack_seed
from simlab.errors import RunError
from simlab.experiment import Experiment
from simlab.failures import Failures
from simlab.folder import claimed, in_words
from simlab.ladder.as_json import as_json
from simlab.ladder.games import Games, games
from simlab.ladder.meetings import (
    PACKS,
    Asked,
    Meeting,
    asked,
    contest,
    games_of,
    pairs,
    refuse_run,
    tables,
)
from simlab.ladder.rating import Fits, Order, judged
from simlab.progress import Counted, progress
from simlab.runs import Stopped
from simlab.wording import place

JSON = "ladder.json"


@dataclass(frozen=True, eq=False)
class Ladder:
    """What came out: `orders` holds the experiment's pack first, then each sampled one."""

    asked: Asked
    games: tuple[Games, ...]
    orders: tuple[Order, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The strategies' names."""
        return self.asked.names

    @property
    def digest(self) -> str:
        """A fingerprint of all games: the same ladder must have the same on any machine."""
        found = [
            [each.pack, *sorted(self.names[k] for k in each.meeting.members), each.digest]
            for each in self.games
        ]
        return sha256(json.dumps(sorted(found)).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class _How:
    """What of a command doesn't change what is played."""

    workers: int
    quiet: bool
    failures: Failures


def play(
    experiment: Experiment,
    workers: int,
    out: Path | None = None,
    *,
    quiet: bool = False,
    failures: Failures | None = None,
) -> Ladder:
    """Play what is missing of a ladder, rate it and write `ladder.json` into its folder.

    Raises ExperimentError where the experiment is no ladder, RunError where the folder is another's.
    """
    ladder = asked(experiment, out)
    try:
        refuse_run(ladder.folder)
        with claimed(ladder.folder):
            found = _played(ladder, _How(workers, quiet, failures or Failures()))
            results.write_whole(ladder.folder / JSON, as_json(found).encode())
    except OSError as error:
        raise RunError(in_words(ladder.folder, error)) from error
    except (KeyboardInterrupt, Stopped):
        raise Stopped(f"stopped; the same command goes on from what is in {place(ladder.folder)}") from None
    return found


def _played(ladder: Asked, how: _How) -> Ladder:
    experiment, count = ladder.experiment, len(ladder.strategies)
    own: list[Games] = []
    missing = _first(ladder)
    while missing:
        own += _contests(ladder, experiment.pack, missing, how, own)
        order = Fits.of(own, count).order
        missing = _not_yet(pairs(count, order, ladder.keys.pairs), own)
    orders, found = [judged(own, count, ladder.anchor, experiment.settings.pack.name)], own
    for folder in _sampled(ladder):
        there = _contests(ladder, str(folder), pairs(count, order, ladder.keys.pairs), how, own)
        orders.append(judged(there, count, ladder.anchor, folder.name, order))
        found = found + there
    return Ladder(ladder, tuple(found), tuple(orders))


def _first(ladder: Asked) -> list[tuple[int, ...]]:
    """Who meets before anything is known of the order."""
    count, how = len(ladder.strategies), ladder.keys.pairs
    found = pairs(count, range(count), how)
    for players in ladder.experiment.players[1:]:
        found += tables(count, players, how)
    return found


def _not_yet(wanted: Iterable[tuple[int, ...]], found: Sequence[Games]) -> list[tuple[int, ...]]:
    met = {each.meeting.members for each in found}
    return [members for members in wanted if members not in met]


def _sampled(ladder: Asked) -> list[Path]:
    """The folders of the sampled packs, drawn where they aren't there yet."""
    experiment = ladder.experiment
    seed, folder = pack_seed(experiment.seed), ladder.folder / PACKS
    drawn = packs.sample(experiment.game, experiment.settings.pack, seed, ladder.keys.packs, folder)
    return list(drawn)


def _contests(
    ladder: Asked, pack: str, members: Iterable[tuple[int, ...]], how: _How, before: Sequence[Games]
) -> list[Games]:
    """Play contests of a pack, one after the other, each with all workers; `before` are some that were."""
    meetings = [Meeting(each, pack) for each in members]
    total = sum(games_of(ladder, meeting) for meeting in meetings)
    found: list[Games] = []
    with progress(total, 0, how.quiet) as advance:
        for meeting in meetings:
            told = Counted(advance)
            plan = contest(ladder, meeting, next((each.plan for each in (*before, *found)), None))
            runs.play(plan, how.workers, failures=how.failures, advance=told)
            advance(games_of(ladder, meeting) - told.games)  # those that were there
            found.append(games(meeting, plan, ladder.names))
    return found
