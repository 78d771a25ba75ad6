"""The whole of `simlab bench`: what is to be measured, and what was found."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simlab import catalog, runs
from simlab import experiment as experiments
from simlab.bench import machine, process, speed
from simlab.bench.measures import Measure, against, with_bars
from simlab.errors import RunError, UsageError
from simlab.experiment import Experiment
from simlab.game import Game
from simlab.results import read_manifest, write_whole
from simlab.wording import shown

FORMAT = 1  # of the JSON
_SEED = 1
BESIDE = "+"  # A+B: a seat of strategy A, the others B
_PART = 32  # number of a run's first part of full length


@dataclass(frozen=True)
class Question:
    """What is to be measured. Words are those of an experiment file."""

    game: Game
    strategies: tuple[str, ...]  # names, or A+B: a seat of A, the others B; empty = those with a bar
    players: int
    games: int | None  # of a slice; None = as many as a part of a run has
    rounds: int
    workers: tuple[int, ...]  # numbers of workers to compare with one
    cold: bool = False  # also how long a start takes where nothing is compiled

    def experiment(self, *strategies: str) -> Experiment:
        """Games by the rulebook with these strategies. Raises UsageError."""
        written = {"name": "bench", "game": self.game.name, "seed": _SEED, "games": self.games or 1}
        written |= {"players": self.players, "strategies": list(strategies)}
        return experiments.resolve(written, Path())


@dataclass(frozen=True)
class Answer:
    """All measures, with the machine they were taken on."""

    question: Question
    machine: dict[str, str | int]
    measures: tuple[Measure, ...]

    def plain(self) -> dict[str, Any]:
        """Everything for JSON."""
        asked = self.question
        return {
            "format": FORMAT,
            "game": asked.game.name,
            "players": asked.players,
            "rounds": asked.rounds,
            "machine": self.machine,
            "measures": [measure.plain() for measure in self.measures],
        }

    def json(self) -> str:
        """The text of the JSON file."""
        return json.dumps(self.plain(), indent=2, ensure_ascii=False) + "\n"

    def write(self, target: Path) -> None:
        """Write the JSON file, whole or not at all."""
        try:
            write_whole(target, self.json().encode())
        except OSError as error:
            raise RunError(f"{target} can't be written: {error.strerror}") from None


def check_target(target: Path) -> None:
    """Refuse a place for the JSON file before anything is measured. Raises UsageError."""
    if target.is_dir():
        raise UsageError(f"--out {target} is a folder, not a file")
    if not target.parent.is_dir():
        raise UsageError(f"--out {target}: there is no folder {target.parent}")


def answer(asked: Question, say: Callable[[str], None]) -> Answer:
    """Measure; `say` is told what is being done. Raises UsageError for words that are wrong."""
    game = asked.game
    names = asked.strategies or with_a_bar(game)
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"strategies names {shown(name)} twice")
    asked.experiment(*_single(names))  # all words, before all work
    question = replace(asked, strategies=_compiled(game, names, asked.strategies))
    found: list[Measure] = []
    for name in question.strategies:
        say(f"{name}: {question.rounds} rounds")
        found += _of_strategy(question, name)
    found += against(found, game.bars)
    say("fresh processes")
    with tempfile.TemporaryDirectory(prefix="simlab-bench-") as folder:
        started = question.experiment(*_single(question.strategies))
        found += process.starts(started, Path(folder), cold=question.cold)
        versions = read_manifest(process.first_run(Path(folder)))["versions"]
    return Answer(question, machine.facts(versions), tuple(with_bars(found, game.bars, question.players)))


def with_a_bar(game: Game) -> tuple[str, ...]:
    """The strategies that the game sets a bar for, all of its own if it sets none."""
    named = dict.fromkeys(bar.strategy for bar in game.bars if bar.strategy)
    return tuple(named) or tuple(catalog.strategies(game.name))


def _single(names: tuple[str, ...]) -> list[str]:
    """Each strategy once, also of mixes."""
    return list(dict.fromkeys(single for name in names for single in name.split(BESIDE)))


def _compiled(game: Game, names: tuple[str, ...], asked: tuple[str, ...]) -> tuple[str, ...]:
    """The names of which all strategies are compiled; plain Python has no speed worth telling."""
    plain = {name for name in _single(names) if not catalog.strategy(name, game.name).compiled}
    for name in _single(asked):
        if name in plain:
            raise UsageError(f"{name} is plain Python; bench measures compiled strategies")
    return tuple(name for name in names if not plain & set(name.split(BESIDE)))


def _of_strategy(question: Question, name: str) -> list[Measure]:
    experiment = question.experiment(*name.split(BESIDE))
    with tempfile.TemporaryDirectory(prefix="simlab-bench-") as place:
        folder = Path(place)
        plan = runs.plan(experiment, folder)
        games = question.games or speed.slice_of(plan, _PART)
        found = speed.summary(list(speed.rounds(plan, games, question.workers, question.rounds)), name)
        if speed.is_slow(plan):
            return found
        return [*found, process.memory(replace(experiment, games=games), folder)]
