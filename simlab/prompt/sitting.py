"""Who sits at the table when a person plays: which deal, which seat is theirs, what plays the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab import catalog, design, mix
from simlab import experiment as experiments
from simlab.errors import ExperimentError, UsageError
from simlab.strategy import Strategy
from simlab.toml import read_toml
from simlab.wording import did_you_mean, place, shown

AGAINST = "--against"
OPPONENT = "dei/planner"  # where nothing names another
YOU = "you"


@dataclass(frozen=True)
class Asked:
    """What a command asks for; None is what the experiment says, or the first game that fits."""

    file: Path | None = None
    faction: str | None = None
    seat: int | None = None  # from 0
    against: tuple[str, ...] = ()  # one for all other seats, or one a seat in their order
    players: int | None = None
    seed: int | None = None
    pack: str | None = None


@dataclass(frozen=True)
class Sitting:
    """A game to be played by a person."""

    experiment: experiments.Experiment
    row: Any  # of a schedule
    seat: int  # the person's
    strategies: tuple[Strategy | None, ...]  # by seat; None for the person's

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.row["players"])

    @property
    def factions(self) -> list[str]:
        """By seat."""
        return [self.experiment.game.factions[int(number)] for number in self.row["faction"][: self.seats]]

    @property
    def titles(self) -> list[str]:
        """By seat, as people call them."""
        titles = self.experiment.game.faction_titles
        return [titles[int(number)] for number in self.row["faction"][: self.seats]]

    @property
    def players(self) -> list[str]:
        """By seat, what plays."""
        return [YOU if strategy is None else strategy.name for strategy in self.strategies]

    @property
    def opponent(self) -> Strategy:
        """The strategy of the first other seat."""
        return next(strategy for strategy in self.strategies if strategy is not None)


def sitting(asked: Asked) -> Sitting:
    """The first game of the experiment that fits, with its strategies loaded; raises UsageError."""
    written, folder = _written(asked)
    try:
        experiment = experiments.resolve(written, folder)
    except UsageError as error:
        raise ExperimentError(f"{place(asked.file)}: {error}" if asked.file else str(error)) from None
    players = _players(asked, experiment)
    row, seat = _row(asked, experiment, players)
    names = _opponents(asked.against, experiment, players - 1)
    experiment.game.warm_up()
    loaded: list[Strategy | None] = [catalog.strategy(name, experiment.game.name) for name in names]
    loaded.insert(seat, None)
    return Sitting(experiment, row, seat, tuple(loaded))


def _written(asked: Asked) -> tuple[dict[str, Any], Path]:
    """An experiment file's content, or what stands for one, with what the command changes."""
    if asked.file is None:
        written: dict[str, Any] = {"name": "play", "game": "dei", "seed": 1, "games": 1, "players": 2}
        written["strategies"], folder = [OPPONENT], Path()
    else:
        file = experiments.find(asked.file)
        written, folder = read_toml(file, ExperimentError), file.parent
    given = {"players": asked.players, "seed": asked.seed, "pack": asked.pack}
    written |= {key: value for key, value in given.items() if value is not None}
    return written, folder


def _players(asked: Asked, experiment: experiments.Experiment) -> int:
    """How many play: as asked, as many as there are opponents for, or the experiment's least number."""
    if asked.players is None and len(asked.against) > 1:
        wanted = len(asked.against) + 1
        if wanted not in experiment.players:
            raise UsageError(
                f"{AGAINST} names {len(asked.against)} opponents, and the game has"
                f" {' or '.join(map(str, experiment.players))} players; --players says how many"
            )
        return wanted
    return experiment.players[0]


def _opponents(against: Sequence[str], experiment: experiments.Experiment, others: int) -> list[str]:
    if not against:
        named = experiment.strategies
        return [named[number % len(named)] for number in range(others)]
    if len(against) not in {1, others}:
        raise UsageError(
            f"{AGAINST} names {len(against)} opponents, and there are {others}: name one for all of them,"
            f" or one each"
        )
    found = {name: mix.strategies_of(AGAINST, [name], experiment.game, Path())[0] for name in against}
    return [found[name] for name in (against if len(against) == others else list(against) * others)]


def _row(asked: Asked, experiment: experiments.Experiment, players: int) -> tuple[Any, int]:
    """The first game of the experiment with that many players in which the seat has the faction."""
    faction = asked.faction
    if faction is not None and faction not in experiment.factions:
        near = did_you_mean(faction, experiment.factions)
        raise UsageError(f"--faction: there is no faction {shown(faction)}{near}")
    if asked.seat is not None and asked.seat >= players:
        raise UsageError(f"--seat must be from 1 to {players}, as many as play, not {asked.seat + 1}")
    factions = [experiment.game.factions.index(name) for name in experiment.factions]
    games = design.design_of(experiment.seed, [players], factions, [1])
    for game in range(games.replicate(players)):
        row = games.row_of(game)[0]
        seated = [experiment.game.factions[int(number)] for number in row["faction"][:players]]
        if faction is None:
            return row, asked.seat or 0
        if faction in seated and asked.seat in {None, seated.index(faction)}:
            return row, seated.index(faction)
    raise AssertionError("every faction comes to every seat")
