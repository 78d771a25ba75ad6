"""`simlab strategy check`: whether a strategy plays as strategies must, on games that are the same each time.

For each number of players half of the games have it in all seats, the others mix it with the game's own
compiled ones. Each game is played as a run plays it, then once more in the plain loop, where each decision
of the strategy is watched (`watched.py`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simlab import catalog, experiment, match, strict
from simlab import plan as plans
from simlab.errors import RunError
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
    for players in game.players:
        found = Checked(players)
        for names, number in (([name], (games + 1) // 2), (mix, games // 2)):
            if number and found.fault is None:
                _Games(game, names, players, number, seed).check(found, workers)
        yield found
        if found.fault is not None:
            return


def _others(game: Game, name: str) -> list[str]:
    """The game's compiled strategies that don't say that they are slow."""
    loaded = [catalog.strategy(other, game.name) for other in catalog.strategies(game.name) if other != name]
    return [other.name for other in loaded if other.compiled and other.games_per_part >= PART_GAMES]


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

    def check(self, found: Checked, workers: int) -> None:
        """Play them twice; what is found goes into `found`."""
        found.games += len(self.schedule)
        if all(strategy.compiled for strategy in self.plan.strategies):  # the first call of all loads
            self.game.play(self.settings, self.schedule[:1], self.plan.strategies, _no_stop)
        started = time.perf_counter()
        logs, spoilt = self._as_a_run(workers)
        seconds = time.perf_counter() - started
        watch = Watch(self.mine)
        try:
            self._refuse(spoilt)
            self._again(logs, watch)
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
            found.timed, found.seconds = watch.decisions, seconds

    def _as_a_run(self, workers: int) -> tuple[list[Any], list[Spoilt]]:
        """Each game's log, and the games that a strategy spoilt."""
        strategies, names = self.plan.strategies, self.plan.experiment.strategies
        if all(strategy.compiled for strategy in strategies):
            logs = self.game.play(self.settings, self.schedule, strategies, _no_stop)
            tables = self.game.tables_of(self.settings, self.schedule, strategies, logs)
            spoilt = spoilt_in(tables, self.schedule, names)
            return [logs[number : number + 1] for number in range(len(logs))], spoilt
        pieces = np.array_split(self.schedule, min(workers, len(self.schedule)))
        batches = (self.plan.batch(piece, in_full=False) for piece in pieces)
        with closing(play_batches(batches, workers)) as played:
            done = sorted(played, key=lambda each: each.number)
        return [log for each in done for log in each.logs], [one for each in done for one in each.spoilt]

    def _refuse(self, spoilt: Sequence[Spoilt]) -> None:
        """Raise for the first game that the strategy spoilt."""
        own = self.plan.experiment.strategies[0]
        strict.refuse(self.plan, [one for one in spoilt if one.strategy == own])

    def _again(self, logs: Sequence[Any], watch: Watch) -> None:
        """Play them in the plain loop; raises the first Fault."""
        with redirect_stdout(sys.stderr):  # what a strategy prints is no part of what the command prints
            for row, log in zip(self.schedule, logs, strict=True):
                live = self.game.open(self.settings, row)
                watch.begin(self.game.teller(live), self._named(row))
                match.play(live, match.seated(self.plan.strategies, row), ask=watch.ask)
                if live.log.tobytes() != log.tobytes():
                    raise watch.fault(SAME_AGAIN, "plays otherwise when the same game is played again")

    def _named(self, row: Any) -> str:
        made, players = self.plan.experiment, int(row["players"])
        mix = f", mixed with {', '.join(made.strategies[1:])}" if made.strategies[1:] else ""
        return f"seed {made.seed}, {players} players{mix}: game {int(row['game'])}"


def _no_stop() -> None:
    """Nothing ends the games before they are played."""


def rows(found: Sequence[Checked]) -> list[tuple[str, ...]]:
    """What was found as a table, with a heading."""
    heads = ("players", "games", "decisions", "decisions/s", *QUESTIONS)
    return [heads, *(_row(each) for each in found)]


def _row(found: Checked) -> tuple[str, ...]:
    counts = (found.games, found.decisions, round(found.per_second, -2 if found.per_second >= 1000 else 0))
    return (str(found.players), *(f"{count:,.0f}" for count in counts), *found.answers)
