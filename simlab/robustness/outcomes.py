"""What the games of a run say of each subject: a faction or seat, or what an arm changes for it.

Of A arms, game number g is arm g % A of pair g // A, so results are put side by side by their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab import results
from simlab.errors import ResultsError
from simlab.failures import ORDINALS
from simlab.plan import Plan
from simlab.stats.equivalence import Verdict, verdicts
from simlab.stats.intervals import Estimate, Moments, share
from simlab.stats.paired import PairedMoments, effect
from simlab.wording import place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

LEVEL = 0.95
FACTION, SEAT = "faction", "seat"


@dataclass(frozen=True)
class Subject:
    """What a verdict is on: a level with so many players, its win share or what an arm changes of it."""

    players: int
    kind: str  # FACTION or SEAT
    level: str  # the faction's title, or the seat as 1st, 2nd …
    arm: str = ""  # "" for the win share itself

    @property
    def target(self) -> float:
        """What it is where nothing is unbalanced."""
        return 0.0 if self.arm else 1 / self.players


@dataclass(frozen=True)
class Judged:
    """The estimate of a subject from one run, and what it comes to against the band."""

    estimate: Estimate
    verdict: Verdict


@dataclass(frozen=True, eq=False)
class Family:
    """Subjects that are judged together, K of them, and what the G blocks of a run say of them.

    `counts`: rows (of pairs, for an arm) by block and subject, (G, K); `totals` of the win, `base` of that in
    the base's games where `totals` are an arm's, `differ`: rows that an arm made another.
    """

    subjects: tuple[Subject, ...]
    counts: Array
    totals: Array
    base: Array | None = None
    differ: Array | None = None

    @property
    def means(self) -> Array:
        """(G, K): block means, NaN where a game of the block is lost or the level isn't in it."""
        change = self.totals if self.base is None else self.totals - self.base
        whole = (self.counts == self.counts.max(axis=0)) & (self.counts > 0)
        blank = np.full(self.counts.shape, nan)
        return np.asarray(np.divide(change, self.counts, out=blank, where=whole))

    def judged(self, band: float) -> tuple[Judged, ...]:
        """Each subject against target ± band (a fraction); `more` of a verdict counts rows."""
        found = [self._estimate(k) for k in range(len(self.subjects))]
        judged = verdicts(found, [subject.target for subject in self.subjects], band)
        return tuple(map(Judged, found, judged))

    def _estimate(self, k: int) -> Estimate:
        counts, totals = self.counts[:, k], self.totals[:, k]
        if self.base is None or self.differ is None:
            return share(Moments.of_blocks(counts, totals), LEVEL)
        moments = PairedMoments.of_blocks(counts, self.base[:, k], totals, self.differ[:, k])
        return effect(moments, LEVEL, 1.0).difference


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The families of a run, its games, those of them that ended irregularly, and their digest."""

    families: tuple[Family, ...]
    played: int
    lost: int
    digest: str

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """All of them, in order."""
        return tuple(subject for family in self.families for subject in family.subjects)

    @property
    def means(self) -> list[Array]:
        """The block means of all subjects, in order, as `Family.means` has them."""
        return [column for family in self.families for column in family.means.T]

    def judged(self, band: float) -> tuple[Judged, ...]:
        """All subjects, in order."""
        return tuple(one for family in self.families for one in family.judged(band))


def read(plan: Plan) -> Outcomes:
    """The outcomes of a run that was played: of as many games as were asked for, even if it holds more."""
    wanted = sum(part.games for part in plan.parts)
    rows = _Rows(results.open_run(plan.folder), plan, wanted)
    experiment = plan.experiment
    arms = range(1, rows.arms) if rows.arms > 1 else (0,)
    families = tuple(
        rows.family(players, arm, kind)
        for players in experiment.players
        for arm in arms
        for kind in (FACTION, SEAT)
    )
    return Outcomes(families, rows.games, rows.lost, rows.digest)


class _Rows:
    """The games and seats of a run as arrays by arm and pair of games."""

    def __init__(self, run: results.Run, plan: Plan, wanted: int) -> None:
        experiment = plan.experiment
        self._experiment, self._titles = experiment, experiment.game.faction_titles
        self.arms = len(experiment.settings_by_arm)
        games = _query(
            run,
            "SELECT block, players, game_hash, ending = 'finished' AS finished FROM games"
            f" WHERE game < {wanted} ORDER BY game",
        )
        seats = _query(
            run,
            "SELECT game, seat, list_position(?, faction::VARCHAR) - 1 AS faction,"
            f" coalesce(win_share, 0) AS won FROM seats WHERE game < {wanted} ORDER BY game, seat",
            [list(experiment.factions)],
        )
        self.games, self.lost = len(games["block"]), int((~games["finished"]).sum())
        self.digest = f"{int(games['game_hash'].astype(object).sum()) % 2**64:016x}"
        # (arm, row): the same row of seats under each arm
        order = np.argsort(seats["game"] % self.arms, kind="stable")
        game = seats["game"][order].reshape(self.arms, -1)
        self._won = seats["won"][order].reshape(self.arms, -1).astype(np.float64)
        self._hash, self._finished = games["game_hash"][game], games["finished"][game]
        first = game[0]
        self._block, self._players = games["block"][first], games["players"][first]
        base = order[: len(first)]
        self._level = {FACTION: seats["faction"][base], SEAT: seats["seat"][base]}

    def family(self, players: int, arm: int, kind: str) -> Family:
        mine = self._players == players
        block = np.unique(self._block[mine], return_inverse=True)[1]
        labels = self._labels(players, kind)
        place = block * len(labels) + self._level[kind][mine].astype(np.int64)
        shape = (int(block.max(initial=-1)) + 1, len(labels))
        ended = self._finished[0, mine] & self._finished[arm, mine]

        def added(values: Array) -> Array:
            found = np.bincount(place, values * ended, shape[0] * shape[1])
            return np.asarray(found, np.float64).reshape(shape)

        name = self._experiment.arms.names[arm] if self.arms > 1 else ""
        subjects = tuple(Subject(players, kind, label, name) for label in labels)
        counts, totals = added(np.ones(len(place))), added(self._won[arm, mine])
        if not name:
            return Family(subjects, counts, totals)
        other = self._hash[0, mine] != self._hash[arm, mine]
        other |= self._won[0, mine] != self._won[arm, mine]
        return Family(subjects, counts, totals, added(self._won[0, mine]), added(other))

    def _labels(self, players: int, kind: str) -> tuple[str, ...]:
        if kind == SEAT:
            return ORDINALS[:players]
        game = self._experiment.game
        return tuple(self._titles[game.factions.index(name)] for name in self._experiment.factions)


def _query(run: results.Run, query: str, values: Sequence[Any] = ()) -> dict[str, Array]:
    import duckdb

    try:
        found = run.connection.execute(query, list(values)).fetchnumpy()
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise ResultsError(f"{place(run.path)} lacks something that its verdicts need: {reason}") from None
    return {name: np.ma.getdata(column) for name, column in found.items()}
