"""Play by chance, side by side with other game engines: games and decisions a second of CPU time.

    pip install 'simlab[peers]'
    python benchmarks/peers.py [--rounds R] [--seconds S] [--json]

Each engine plays in a process of its own, one after the other in every round, so a machine that drifts
does so for all; ratios are taken within a round. All choose at random among what is legal. A decision has
more than one choice; decisions are counted after the clock has stopped, in the same games. Time is CPU
time, since waiting for another program's turn says nothing of an engine. What isn't installed says so.
"""

from __future__ import annotations

import json
import multiprocessing
import platform
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from simlab.bench.machine import facts
from simlab.bench.measures import Measure, of_rounds

COUNTED = 20  # games of a slice in which decisions are counted
SLICE = 600  # games of D.E.I. between two looks at the clock, about 0.1 s

Game = Callable[[int], Callable[[], tuple[int, int]]]
"""Plays the game of that number; what it gives back counts games and decisions of what was played."""


@dataclass(frozen=True)
class Peer:
    """An engine, the game it plays, and what makes its player in a process of its own."""

    name: str
    package: str  # on PyPI
    says: str
    make: Callable[[], Game]


@dataclass(frozen=True)
class Slice:
    """Games that were played one after the other, their CPU time, and decisions a game, where counted."""

    games: int
    seconds: float
    decisions: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def decisions_per_second(self) -> float:
        return self.games_per_second * self.decisions


# --- players --------------------------------------------------------------------------------------------


def simlab() -> Game:
    """D.E.I. by dei/uniform: the compiled loop, without result tables or files."""
    from simlab import runs
    from simlab.design import Part
    from simlab.experiment import resolve

    written = {"name": "peers", "game": "dei", "seed": 1, "games": SLICE, "players": 4}
    experiment = resolve({**written, "strategies": ["dei/uniform"]}, Path())
    with tempfile.TemporaryDirectory() as folder:
        plan = runs.plan(experiment, Path(folder) / "run")
    game, settings, cycles = experiment.game, experiment.settings, plan.design.cycles(SLICE)

    def play(number: int) -> Callable[[], tuple[int, int]]:
        part = Part(number, number * cycles, (number + 1) * cycles, SLICE, SLICE)
        schedule = plan.design.schedule(part)
        logs = game.play(settings, schedule, plan.strategies, lambda: None)

        def count() -> tuple[int, int]:
            games = game.tables_of(settings, schedule, plan.strategies, logs)["games"]
            return len(games), sum(games["decisions"].to_pylist())

        return count

    return play


def catanatron() -> Game:
    """Catan by four random players, as its own `Game.play` plays."""
    from catanatron import Color, RandomPlayer
    from catanatron import Game as Catan

    class Counting(RandomPlayer):  # type: ignore[misc]
        decisions = 0

        def decide(self, game: Any, playable_actions: Any) -> Any:
            self.decisions += len(playable_actions) > 1
            return super().decide(game, playable_actions)

    def players(kind: type) -> list[Any]:
        return [kind(colour) for colour in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]

    def play(number: int) -> Callable[[], tuple[int, int]]:
        Catan(players(RandomPlayer), seed=number + 1).play()

        def count() -> tuple[int, int]:
            again = players(Counting)
            Catan(again, seed=number + 1).play()
            return 1, sum(player.decisions for player in again)

        return count

    return play


def open_spiel(name: str) -> Game:
    """A game by OpenSpiel's own random bots: the loop in C++."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(number: int) -> Callable[[], tuple[int, int]]:
        bots = [pyspiel.make_uniform_random_bot(p, 8 * number + p) for p in range(game.num_players())]
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, number)
        return lambda: (1, _decisions(game.new_initial_state(), state.history()))

    return play


def open_spiel_in_python(name: str) -> Game:
    """The same with the loop in Python, as most of its users write it."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(number: int) -> Callable[[], tuple[int, int]]:
        chance, state = random.Random(number), game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
        return lambda: (1, _decisions(game.new_initial_state(), state.history()))

    return play


def _decisions(state: Any, history: Iterable[int]) -> int:
    found = 0
    for action in history:
        found += not state.is_chance_node() and len(state.legal_actions()) > 1
        state.apply_action(action)
    return found


PEERS = (
    Peer("simlab", "simlab", "D.E.I. for 4, compiled Python", simlab),
    Peer("Catanatron", "catanatron", "Catan for 4, Python", catanatron),
    Peer("OpenSpiel", "open_spiel", "backgammon for 2, C++", partial(open_spiel, "backgammon")),
    Peer(
        "OpenSpiel",
        "open_spiel",
        "backgammon for 2, C++ from Python",
        partial(open_spiel_in_python, "backgammon"),
    ),
    Peer("OpenSpiel", "open_spiel", "chess for 2, C++", partial(open_spiel, "chess")),
    Peer("OpenSpiel", "open_spiel", "hearts for 4, C++", partial(open_spiel, "hearts")),
)


# --- rounds ---------------------------------------------------------------------------------------------


def serve(make: Callable[[], Game], line: Connection) -> None:
    """Play so many seconds of CPU time whenever asked, in a process of its own, until nothing is asked."""
    play, number = make(), 0
    while (seconds := line.recv()) is not None:
        first, counts, started = number, [], time.process_time()
        while (taken := time.process_time() - started) < seconds or not counts:
            count = play(number)
            counts += [count] if len(counts) < COUNTED else []
            number += 1
        counted = [count() for count in counts]
        games = (number - first) * counted[0][0]
        line.send(Slice(games, taken, fmean(decisions / n for n, decisions in counted)))


def measure(peers: list[Peer], rounds: int, seconds: float) -> list[list[Slice]]:
    """The slices of each peer, one a round, after a slice that warms up."""
    context, ours, processes = multiprocessing.get_context("spawn"), [], []
    for peer in peers:
        mine, theirs = context.Pipe()
        process = context.Process(target=serve, args=(peer.make, theirs), daemon=True)
        process.start()
        theirs.close()
        ours.append(mine)
        processes.append(process)
    found: list[list[Slice]] = [[] for _ in peers]
    for number in range(rounds + 1):
        for line, slices in zip(ours, found, strict=True):
            line.send(seconds)
            played = line.recv()
            if number > 0:
                slices.append(played)
    for line, process in zip(ours, processes, strict=True):
        line.send(None)
        process.join()
    return found


def installed(package: str) -> str:
    """Its version, empty if it isn't there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


# --- what is told ---------------------------------------------------------------------------------------


def row(peer: Peer, slices: list[Slice], first: list[Slice]) -> dict[str, Any]:
    """A peer's figures; ratios say how many times as many simlab plays in the same round."""
    pairs = list(zip(first, slices, strict=True))
    figures: tuple[tuple[str, list[float]], ...] = (
        ("games_per_second", [each.games_per_second for each in slices]),
        ("decisions_a_game", [each.decisions for each in slices]),
        ("decisions_per_second", [each.decisions_per_second for each in slices]),
        ("games_ratio", [a.games_per_second / b.games_per_second for a, b in pairs]),
        ("decisions_ratio", [a.decisions_per_second / b.decisions_per_second for a, b in pairs]),
    )
    said = {"engine": peer.name, "version": installed(peer.package), "plays": peer.says}
    return {**said, **{name: of_rounds(name, name, "", values) for name, values in figures}}


def cells(found: dict[str, Any]) -> list[str]:
    """A row of the printed table; quartiles stand where two engines are compared."""

    def ratio(measure: Measure) -> str:
        digits = 0 if measure.value >= 20 else 2
        spread = "" if measure.low is None else f" ({measure.low:,.{digits}f}–{measure.high:,.{digits}f})"
        return f"{measure.value:,.{digits}f}{spread}"

    return [
        f"{found['engine']} {found['version']}\n {found['plays']}",
        f"{found['games_per_second'].value:,.0f}",
        f"{found['decisions_a_game'].value:,.0f}",
        f"{found['decisions_per_second'].value:,.0f}",
        ratio(found["games_ratio"]),
        ratio(found["decisions_ratio"]),
    ]


def main(
    rounds: Annotated[int, typer.Option(min=1, help="rounds to take medians of")] = 9,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds of a slice")] = 2.0,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of a table")] = False,
) -> None:
    """Play by chance, side by side with other engines, and say how fast each was."""
    there = [peer for peer in PEERS if installed(peer.package)]
    slices = measure(there, rounds, seconds)
    rows = [row(peer, mine, slices[0]) for peer, mine in zip(there, slices, strict=True)]
    missing = sorted({peer.name for peer in PEERS if peer not in there})
    machine = facts({"python": platform.python_version()})
    if as_json:
        plain = [
            {name: asdict(value) if isinstance(value, Measure) else value for name, value in each.items()}
            for each in rows
        ]
        print(
            json.dumps(
                {"machine": machine, "rounds": rounds, "engines": plain, "not_installed": missing}, indent=1
            )
        )
        return
    table = Table(title=f"play by chance: medians of {rounds} rounds (quartiles)", box=SIMPLE)
    for head in (
        "",
        "games/s",
        "decisions\na game",
        "decisions/s",
        "simlab: times as\nmany games",
        "decisions",
    ):
        table.add_column(head, justify="right" if head else "left")
    for each in rows:
        table.add_row(*cells(each))
    Console().print(table)
    for name in missing:
        print(f"{name} isn't installed: pip install 'simlab[peers]'")


if __name__ == "__main__":
    typer.run(main)
