"""`simlab replay`: one game of a run, played again from its seed and held against what was recorded of it.

A run replays only where it would be played the same way: with the engine and the strategies that it was
played with. Of an experiment without a run the game is first played as a run would play it, so that there
is a record in any case. A game that a strategy spoilt is played up to the decision at which it did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab import experiment as experiments
from simlab import match, results
from simlab import plan as plans
from simlab.chronicle import Chronicle, Step
from simlab.errors import ExperimentError, RunError, UsageError
from simlab.game import Settings
from simlab.manifest import differences
from simlab.match import Failure, Moment, Unanswered
from simlab.results import GAME, HASH, TURN, TURN_HASH
from simlab.story import Facts, Teller
from simlab.strategy import Strategy
from simlab.wording import did_you_mean, place, plain, shown
from simlab.workers import play_batches

if TYPE_CHECKING:
    import pyarrow as pa

_SPOILT = {  # how the tables say that a strategy ended its game
    "illegal choice": match.ILLEGAL_CHOICE,
    "strategy failed": match.STRATEGY_FAILED,
    "stalled": match.STALLED,
}
_LONGEST = 200  # of what DuckDB says


@dataclass(frozen=True)
class Record:
    """What result tables say of a game, as far as a replay is held against it."""

    ending: str
    ending_seat: int | None
    decisions: int
    game_hash: int
    turn_hashes: Mapping[int, int]  # by Turn


@dataclass(frozen=True)
class Played:
    """A game to be replayed: where it comes from, who plays, what is known of it."""

    source: Path
    plan: plans.Plan
    row: Any  # of the schedule
    record: Record

    @property
    def number(self) -> int:
        """Its number in the run."""
        return int(self.row["game"])

    @property
    def arm(self) -> str:
        """The name of its arm; empty where the experiment has none beside the base."""
        arms = self.plan.experiment.arms
        return arms.names[int(self.row["arm"])] if arms.others else ""

    @property
    def settings(self) -> Settings:
        """Its arm's."""
        return self.plan.experiment.settings_by_arm[int(self.row["arm"])]

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.row["players"])

    @property
    def strategies(self) -> list[Strategy]:
        """By seat."""
        return match.seated(self.plan.strategies, self.row)

    @property
    def spoilt(self) -> bool:
        """Whether a strategy ended it."""
        return self.record.ending in _SPOILT and self.record.ending_seat is not None


# --- which game ----------------------------------------------------------------------------------------


def find(source: Path, *, game: int | None, seed: int | None = None, where: str | None = None) -> Played:
    """Game number `game` of a run's folder or of an experiment file; the first one if None.

    `where` is SQL over the columns of the tables `games` and `seats`: the first game from `game` on of
    which a row of both together satisfies it.
    """
    if not source.is_dir():
        if where is not None:
            raise UsageError(f"--where searches the tables of a run, and {place(source)} is no run folder")
        return _of_experiment(experiments.load(source, seed=seed), source, game or 0)
    if seed is not None:
        raise UsageError(f"--seed has no effect: {place(source)} is a run, played with its own seed")
    return _of_run(results.open_run(source), game, where)


def _of_experiment(experiment: experiments.Experiment, source: Path, game: int) -> Played:
    plan = plans.plan(experiment)
    games = sum(part.games for part in plan.parts)
    if game >= games:
        raise UsageError(f"--game must be from 0 to {games - 1} (the games of {place(source)}), not {game}")
    schedule = plan.design.row_of(game)
    return Played(source, plan, schedule[0], _record(_play(plan, schedule), game))


def _play(plan: plans.Plan, schedule: Any) -> Mapping[str, pa.Table]:
    """The tables of games as a run would have them."""
    game, settings = plan.experiment.game, plan.experiment.settings_by_arm[int(schedule["arm"][0])]
    if all(strategy.compiled for strategy in plan.strategies):
        logs = game.play(settings, schedule, plan.strategies, lambda: None)
    else:
        with closing(play_batches([plan.batch(schedule, in_full=False)], 1)) as played:
            logs = next(played).logs
    return game.tables_of(settings, schedule, plan.strategies, logs)


def _of_run(stored: results.Run, game: int | None, where: str | None) -> Played:
    plan = _plan_of(stored)
    ((count, last),) = stored.sql("SELECT count(*), max(game) FROM games").fetchall()
    if game is not None and game > last:
        raise UsageError(
            f"--game must be from 0 to {last}, not {game}: {place(stored.path)} holds {count:,} games"
        )
    number = _first_where(stored, where, game or 0) if where is not None else game or 0
    tables = {
        table: stored.sql(f'SELECT * FROM "{table}" WHERE {GAME.name} = {number}').to_arrow_table()
        for table in stored.files
        if GAME.name in stored.sql(f'SELECT * FROM "{table}" LIMIT 0').columns  # some are of blocks
    }
    if not len(tables["games"]):
        raise RunError(f"game {number} isn't in {place(stored.path)} yet; run the experiment again")
    return Played(stored.path, plan, plan.design.row_of(number)[0], _record(tables, number))


def _plan_of(stored: results.Run) -> plans.Plan:
    """How the run would be played here and now; RunError where that isn't how it was."""
    manifest = stored.manifest
    try:
        plan = plans.plan(experiments.resolve(manifest["experiment"], Path()), stored.path)
    except UsageError as error:
        raise ExperimentError(f"{place(stored.path)} can't be played again: {error}") from None
    if manifest["hash"] != plan.hash:
        how = " and ".join(differences(manifest, plan))
        raise RunError(f"{place(stored.path)} would be played otherwise now: {how}")
    return plan


def _first_where(stored: results.Run, where: str, least: int) -> int:
    import duckdb

    games, seats = (stored.sql(f"SELECT * FROM {table} LIMIT 0").columns for table in ("games", "seats"))
    both = ", ".join(column for column in games if column in seats)
    rows = stored.sql(f"SELECT * FROM games JOIN seats USING ({both})")
    try:
        ((found,),) = rows.filter(where).filter(f"game >= {least}").aggregate("min(game)").fetchall()
    except duckdb.Error as error:
        reason = plain(str(error).strip().splitlines()[0], _LONGEST)
        for column in re.findall(r'^Binder Error: Referenced column "(\w+)"', reason):
            near = did_you_mean(column, [*games, *seats])
            known = near if "did you mean" in near else "; simlab list tables names them all"
            reason = f"there is no column {shown(column)}{known}"
        raise UsageError(f"--where {shown(where)} can't be asked: {reason}") from None
    if found is None:
        later = f" from {least} on" if least else ""
        raise UsageError(f"--where {shown(where)}: no game{later} of {place(stored.path)} is so")
    return int(found)


def _record(tables: Mapping[str, pa.Table], game: int) -> Record:
    (row,) = tables["games"].to_pylist()
    assert row[GAME.name] == game
    turns = [
        (each[TURN.name], each[TURN_HASH.name])
        for table in tables.values()
        if TURN_HASH.name in table.column_names
        for each in table.to_pylist()
    ]
    return Record(row["ending"], row["ending_seat"], row["decisions"], row[HASH.name], dict(turns))


# --- playing it ----------------------------------------------------------------------------------------


class Replay:
    """A game in progress that was played before; `play` goes through it, step by step."""

    def __init__(self, played: Played) -> None:
        experiment = played.plan.experiment
        self.played = played
        self._live = experiment.game.open(played.settings, played.row)
        self.teller: Teller = experiment.game.teller(self._live)
        self.start: Facts = self.teller.facts()

    def play(self, tell: Callable[[Step], None], *, with_others: bool = False) -> Failure | None:
        """Play it to its end; RunError as soon as it isn't what was recorded."""
        turn_hashes: dict[int, int] = {}

        def checked(step: Step) -> None:
            turn = step.moment.turn
            if turn - 1 in turn_hashes:
                self._check(turn_hashes.pop(turn - 1), turn - 1)
            turn_hashes[turn] = step.running_hash
            tell(step)

        chronicle = Chronicle(self._live, self.teller, checked, with_others=with_others)
        failure = match.play(self._live, self.played.strategies, chronicle.watch, self._ask, chronicle.after)
        for turn, found in turn_hashes.items():
            self._check(found, turn)
        if int(self._live.log["game_hash"][0]) != self.played.record.game_hash:
            raise RunError(f"{self._what()}: its result (game_hash) is another one")
        return failure

    def _check(self, found: int, turn: int) -> None:
        recorded = self.played.record.turn_hashes.get(
            turn, found
        )  # of a Turn that was broken off there is none
        if found != recorded:
            raise RunError(f"{self._what()}: its choices differ in Turn {turn}")

    def _what(self) -> str:
        return f"game {self.played.number} of {place(self.played.source)} doesn't come out as it was recorded"

    def _ask(self, moment: Moment) -> int:
        """Ask a strategy, but not where it was recorded to have failed: it may hang or end this process."""
        record = self.played.record
        if self.played.spoilt and moment.decision == record.decisions:
            raise Unanswered(_SPOILT[record.ending], record.ending)
        return match.answer(moment)


def seat_names(replay: Replay) -> Sequence[str]:
    """Who sits where, as the game's own words name them."""
    factions = replay.played.plan.experiment.game.factions
    return [factions[int(faction)] for faction in replay.played.row["faction"][: replay.played.seats]]


def seat_titles(replay: Replay) -> Sequence[str]:
    """The same as people call them."""
    titles = replay.played.plan.experiment.game.faction_titles
    return [titles[int(faction)] for faction in replay.played.row["faction"][: replay.played.seats]]
