"""`simlab strategy check`: whether a strategy plays as strategies must, on games that are the same each time.

For each number of players half of the games have it in all seats, the others mix it with the game's own
compiled ones. Each game is played as a run plays it, then once more in the plain loop, where each decision
of the strategy is watched (`watched.py`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simlab import catalog, experiment, match, strict
from simlab import plan as plans
from simlab.errors import RunError, UnknownName
from simlab.failures import Spoilt, StrategyFailed, spoilt_in
from simlab.game import Game
from simlab.strategy import PART_GAMES
from simlab.watched import LEGAL, QUESTIONS, SAME_AGAIN, Fault, Watch
from simlab.workers import play_batches


@dataclass
class Checked:
    """What was found with one number of players."""

    players: int
    games: int = 0
    decisions: int = 0  # of the strategy, of those with more than one choice
    timed: int = 0  # of these, those that took so many seconds
    seconds: float = 0.0
    fault: Fault | None = None  # the first
    account: str = ""  # of a choice that isn't legal: all that is known

    @property
    def per_second(self) -> float:
        """Decisions a second; of a compiled strategy the engine's time is in it."""
        return self.timed / self.seconds if self.seconds else 0.0

    @property
    def answers(self) -> list[str]:
        """Yes or no to each of QUESTIONS, - to those that are open since another one is answered no."""
        if self.fault is None:
            return ["yes"] * len(QUESTIONS)
        return ["no" if question == self.fault.question else "-" for question in QUESTIONS]


def check(name: str, game: Game, games: int, seed: int, workers: int) -> Iterator[Checked]:
    """Check a strategy with each number of players of its game in turn, `games` games each.

    Ends after the first number of players with a fault. Raises UsageError where the name is none.
    """
    mix = [name, *_others(game, catalog.strategy(name, game.name).name)]
    return _checked(game, mix, games, seed, workers)


def _checked(game: Game, mix: Sequence[str], games: int, seed: int, workers: int) -> Iterator[Checked]:
    for players in game.players:
        found = Checked(players)
        for names, number in ((mix[:1], (games + 1) // 2), (mix, games // 2)):
            if number and found.fault is None:
                _Games(game, names, players, number, seed).check(found, workers)
        yield found
        if found.fault is not None:
            return


def _others(game: Game, name: str) -> list[str]:
    """The game's compiled strategies that don't say that they are slow; what can't be imported is none."""
    found = []
    for other in catalog.strategies(game.name):
        with suppress(UnknownName):
            strategy = catalog.strategy(other, game.name)
            if strategy.name != name and strategy.compiled and strategy.games_per_part >= PART_GAMES:
                found.append(other)
    return found


class _Games:
    """Games with one number of players and one mix of strategies, the first of which is checked."""

    def __init__(self, game: Game, names: Sequence[str], players: int, games: int, seed: int) -> None:
        written = {"name": "check", "game": game.name, "seed": seed, "games": games, "players": players}
        self.game = game
        self.plan = plans.plan(experiment.resolve(written | {"strategies": list(names)}, Path()))
        self.settings = self.plan.experiment.settings
        parts = [self.plan.design.schedule(part) for part in self.plan.parts]
        self.schedule = np.concatenate(parts)[:games]
        self.mine = self.plan.strategies[0]
        self.compiled = all(strategy.compiled for strategy in self.plan.strategies)
        self.seconds = 0.0  # that the compiled loop took

    def check(self, found: Checked, workers: int) -> None:
        """Play them twice; what is found goes into `found`."""
        found.games += len(self.schedule)
        watch = Watch(self.mine)
        try:
            self._check(watch, workers)
        except StrategyFailed as failed:
            found.fault, found.account = Fault(LEGAL, str(failed)), failed.account
        except RunError as failed:
            found.fault = Fault(SAME_AGAIN, str(failed))
        except Fault as fault:
            found.fault = Fault(fault.question, f"{self.plan.experiment.strategies[0]} {fault}")
        found.decisions += watch.decisions
        if not self.mine.compiled:
            found.timed, found.seconds = found.decisions, found.seconds + watch.seconds
        elif len(self.plan.strategies) == 1:  # nobody else's time
            found.timed, found.seconds = watch.decisions, self.seconds

    def _check(self, watch: Watch, workers: int) -> None:
        """Raise what is found; what may hang goes first to processes that are watched."""
        if self.compiled:
            again = self._watched(watch)
            logs, spoilt = self._played_compiled()
            self._refuse(spoilt)
        else:
            logs, spoilt = self._played_plain(workers)
            self._refuse(spoilt)
            again = self._watched(watch)
        for row, log, other in zip(self.schedule, logs, again, strict=True):
            if log != other:
                watch.begin(None, self._named(row))
                raise watch.fault(SAME_AGAIN, "plays otherwise when the same game is played again")

    def _played_compiled(self) -> tuple[list[bytes], list[Spoilt]]:
        """Each game's log as a run of compiled strategies leaves it, and the games that one spoilt."""
        strategies, names = self.plan.strategies, self.plan.experiment.strategies
        started = time.perf_counter()
        logs = self.game.play(self.settings, self.schedule, strategies, _no_stop)
        self.seconds = time.perf_counter() - started
        tables = self.game.tables_of(self.settings, self.schedule, strategies, logs)
        return [log.tobytes() for log in logs], spoilt_in(tables, self.schedule, names)

    def _played_plain(self, workers: int) -> tuple[list[bytes], list[Spoilt]]:
        """The same of a run with one in plain Python."""
        pieces = np.array_split(self.schedule, min(workers, len(self.schedule)))
        batches = (self.plan.batch(piece, in_full=False) for piece in pieces)
        with closing(play_batches(batches, workers)) as played:
            done = sorted(played, key=lambda each: each.number)
        logs = [log.tobytes() for each in done for log in each.logs]
        return logs, [one for each in done for one in each.spoilt]

    def _refuse(self, spoilt: Sequence[Spoilt]) -> None:
        """Raise for the first game that the strategy spoilt."""
        own = self.plan.experiment.strategies[0]
        strict.refuse(self.plan, [one for one in spoilt if one.strategy == own])

    def _watched(self, watch: Watch) -> list[bytes]:
        """Each game's log from the plain loop; raises the first Fault that the watch sees."""
        logs = []
        with redirect_stdout(sys.stderr):  # what a strategy prints is no part of what the command prints
            for row in self.schedule:
                live = self.game.open(self.settings, row)
                watch.begin(self.game.teller(live), self._named(row))
                match.play(live, match.seated(self.plan.strategies, row), ask=watch.ask)
                logs.append(live.log.tobytes())
        return logs

    def _named(self, row: Any) -> str:
        made, players = self.plan.experiment, int(row["players"])
        mix = f", mixed with {', '.join(made.strategies[1:])}" if made.strategies[1:] else ""
        return f"seed {made.seed}, {players} players{mix}: game {int(row['game'])}"


def _no_stop() -> None:
    """Nothing ends the games before they are played."""


HEADS = ("players", "games", "decisions", "decisions/s", *QUESTIONS)


def row(found: Checked) -> tuple[str, ...]:
    """What was found, by HEADS."""
    counts = (found.games, found.decisions, round(found.per_second, -2 if found.per_second >= 1000 else 0))
    return (str(found.players), *(f"{count:,.0f}" for count in counts), *found.answers)
