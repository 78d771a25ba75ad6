"""Stress games, recorded decision by decision, and how often a mutant of the engine differs in them.

Recorded are, for each decision, the position, the legal choices, the choice made and the lines of the
engine that this took. A mutant *fires* in a game if from one of its positions it lists other choices or
comes to another position (or if it deals another game); only decisions that took a mutated line are tried.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import coverage

from tests.mutations.catalogue import GAME, Mutation

GAMES = 24
SEED = 1

# beside the rule sets of the tests: Pads full enough to empty the markets, games long enough for late Missions
RICH: dict[str, Any] = {"starting_technology": 5, "starting_energy": 5, "turns": 6, "cards_per_phase": 3}


@dataclass
class Step:
    """One decision: the records as bytes, what was listed, what was chosen."""

    before: tuple[bytes, bytes, bytes]
    choices: list[int]
    code: int
    after: tuple[bytes, bytes, bytes]


@dataclass
class Game:
    """One recorded game: the tables it is played on, the deal, and its decisions."""

    number: int
    rules: Any = None
    board: Any = None
    deal: tuple[bytes, bytes, bytes] = (b"", b"", b"")
    steps: list[Step] = field(default_factory=list)
    # file → line → decisions that took it, -1 for the deal
    taken: dict[str, dict[int, list[int]]] = field(default_factory=dict)


def state_of(position: Any) -> tuple[bytes, bytes, bytes]:
    """All of a position but its log."""
    return position.public.tobytes(), position.own.tobytes(), position.hidden.tobytes()


def deal(number: int) -> tuple[random.Random, Any]:
    """Game `number`, dealt: 2 to 4 players under each rule set in turn."""
    from tests.dei.randomly import RULE_SETS, new_position

    sets = (*RULE_SETS, RICH)
    rng = random.Random(SEED * 1000 + number)
    return rng, new_position(rng, 2 + number % 3, sets[number % len(sets)], SEED * 1000 + number)


def record(number: int) -> Game:
    """Play a stress game by chance."""
    watch = coverage.Coverage(data_file=None, config_file=False, include=[f"{GAME}/*"])
    game = Game(number)
    watch.start()
    watch.switch_context("-1")
    rng, position = deal(number)
    game.rules, game.board, game.deal = position.rules, position.board, state_of(position)
    _play(game, rng, position, watch)
    watch.stop()
    data = watch.get_data()
    for path in data.measured_files():
        contexts = data.contexts_by_lineno(path)
        game.taken[path] = {
            line: sorted(int(context) for context in found if context) for line, found in contexts.items()
        }
    return game


def _play(game: Game, rng: random.Random, position: Any, watch: coverage.Coverage) -> None:
    from simlab.games.dei import engine
    from tests.dei.randomly import add_stress

    stressed = False
    while not int(position.public[0].ending):
        if not stressed and position.public[0].phase > 0:  # a draft goes by the Feats in hand
            add_stress(rng, position)
            stressed = True
        watch.switch_context(str(len(game.steps)))
        before = state_of(position)
        choices = engine.legal(position)
        code = rng.choice(choices)
        engine.apply(position, code)
        game.steps.append(Step(before, choices, code, state_of(position)))


def count_fired(mutation: Mutation, games: list[Game]) -> int:
    """In how many games the mutant, which is in place, differs."""
    return sum(differs(mutation, game) for game in games)


def differs(mutation: Mutation, game: Game) -> bool:
    """Whether the mutant differs anywhere in a game."""
    decisions = candidates(mutation, game)
    if -1 in decisions and deals_otherwise(game):
        return True
    return any(differs_at(game, game.steps[number]) for number in decisions if number >= 0)


def candidates(mutation: Mutation, game: Game) -> Iterable[int]:
    """The decisions that took a mutated line."""
    if not mutation.module:  # a pack: no line of code tells
        return range(-1, len(game.steps))
    taken = game.taken.get(str(mutation.file), {})
    return sorted({number for line in mutation.lines() for number in taken.get(line, ())})


def deals_otherwise(game: Game) -> bool:
    """Whether the mutant deals another game."""
    try:
        _, position = deal(game.number)
        same = state_of(position) == game.deal and position.board.tobytes() == game.board.tobytes()
        return not same or position.rules.tobytes() != game.rules.tobytes()
    except Exception:  # noqa: BLE001  a mutant may break anywhere
        return True


def differs_at(game: Game, step: Step) -> bool:
    """Whether the mutant lists other choices at a decision, or comes to another position."""
    from simlab.games.dei import engine

    position = position_of(game, step.before)
    try:
        if engine.legal(position) != step.choices:
            return True
        engine.apply(position, step.code)
    except Exception:  # noqa: BLE001  a mutant may break anywhere
        return True
    return state_of(position) != step.after


def position_of(game: Game, state: tuple[bytes, bytes, bytes]) -> Any:
    """A recorded position."""
    import numpy as np

    from simlab.games.dei.state import Position
    from tests.dei.randomly import PACK

    position = Position(game.rules, PACK.table, game.board)
    for name, content in zip(("public", "own", "hidden"), state, strict=True):
        blank = getattr(position, name)
        blank[:] = np.frombuffer(content, blank.dtype)
    return position
