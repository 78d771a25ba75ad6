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
ENOUGH = 5  # games in which a mutant fired are counted so far
DEAL = -1
SEED = 5

# beside the rule sets of the tests: full Pads, crowded Regions, far-flying Drones, long games
RICH: dict[str, Any] = {
    "starting_technology": 5,
    "starting_energy": 5,
    "starting_scrappers": [12, 12, 12, 12, 12, 12],
    "turns": 6,
    "cards_per_phase": 3,
    "drone_movement": 3,
    "cube_limit_per_color": 1,
}
BOOSTED: dict[str, Any] = {
    "grant_candy": [4, 4, 4, 4],
    "grant_technology": [3, 3, 3, 3],
    "grant_energy": [3, 3, 3, 3],
}


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
    # file → line → what took it: DEAL, or of decision n: 2n its list, 2n + 1 its choice performed
    taken: dict[str, dict[int, list[int]]] = field(default_factory=dict)


def state_of(position: Any) -> tuple[bytes, bytes, bytes]:
    """All of a position; of its log the ranking."""
    hidden = position.hidden.tobytes() + position.log["place"].tobytes()
    return position.public.tobytes(), position.own.tobytes(), hidden


def deal(number: int) -> tuple[random.Random, Any]:
    """Game `number`, dealt: 2 to 4 players, each rule set in turn, every other one with handicaps."""
    from tests.dei.randomly import RULE_SETS, new_position

    sets = (*RULE_SETS[:5], RICH, *RULE_SETS[5:], RICH)
    key = SEED * 1000 + number
    players, handicaps = 2 + number % 3, BOOSTED if number % 4 > 1 else {}
    given = {name: values[:players] for name, values in handicaps.items()}
    rng = random.Random(key)
    return rng, new_position(rng, players, sets[number % len(sets)], key, given)


def record(number: int) -> Game:
    """Play a stress game by chance."""
    watch = coverage.Coverage(data_file=None, config_file=False, include=[f"{GAME}/*"])
    game = Game(number)
    watch.start()
    watch.switch_context(str(DEAL))
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
    from simlab.games.dei.choices import kind_of
    from tests.dei.randomly import add_stress

    stressed = False
    while not int(position.public[0].ending):
        if not stressed and position.public[0].phase > 0:  # a draft goes by the Feats in hand
            gather_drones(position)
            add_stress(rng, position)
            stressed = True
        before = state_of(position)
        watch.switch_context(str(2 * len(game.steps)))
        choices = engine.legal(position)
        watch.switch_context(str(2 * len(game.steps) + 1))
        kind = rng.choice(sorted({kind_of(code) for code in choices}))  # else most of them are Moves
        code = rng.choice([code for code in choices if kind_of(code) == kind])
        engine.apply(position, code)
        game.steps.append(Step(before, choices, code, state_of(position)))


def gather_drones(position: Any) -> None:
    """Put all Drones where Units are deployed: left to chance they rarely meet any."""
    drones = position.public[0].drone
    drones[drones >= 0] = position.board[0].refuge_regions[0]


def count_fired(mutation: Mutation, games: list[Game]) -> int:
    """In how many games the mutant, which is in place, differs; counted up to ENOUGH."""
    fired = 0
    for game in games:
        fired += differs(mutation, game)
        if fired == ENOUGH:
            break
    return fired


def differs(mutation: Mutation, game: Game) -> bool:
    """Whether the mutant differs anywhere in a game."""
    for event in candidates(mutation, game):
        if event == DEAL:
            if deals_otherwise(game):
                return True
        elif differs_at(game, game.steps[event // 2], performed=event % 2 == 1):
            return True
    return False


def candidates(mutation: Mutation, game: Game) -> Iterable[int]:
    """What took a mutated line."""
    if mutation.is_of_pack:  # read once for all games, so no line of code tells
        return range(DEAL, 2 * len(game.steps))
    taken = game.taken.get(str(mutation.file), {})
    return sorted({event for line in mutation.lines() for event in taken.get(line, ())})


def deals_otherwise(game: Game) -> bool:
    """Whether the mutant deals another game."""
    try:
        _, position = deal(game.number)
        same = state_of(position) == game.deal and position.board.tobytes() == game.board.tobytes()
        return not same or position.rules.tobytes() != game.rules.tobytes()
    except Exception:
        return True


def differs_at(game: Game, step: Step, *, performed: bool) -> bool:
    """Whether the mutant lists other choices at a decision, or (`performed`) comes to another position."""
    from simlab.games.dei import engine

    position = position_of(game, step.before)
    try:
        if not performed:
            return engine.legal(position) != step.choices
        engine.apply(position, step.code)
    except Exception:
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
        blank[:] = np.frombuffer(content, blank.dtype, len(blank))
    return position
