"""Random games for the engine's tests: every optional rule, 2 to 4 seats, ordinary and stress positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from simlab.games.dei import engine
from simlab.games.dei.board import make_board
from simlab.games.dei.pack import load_pack
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import N_FACTIONS, N_FEATS, PLAYING

PACK = load_pack("reconstructed")

# Every optional rule and every ruling's knob, alone or together
RULE_SETS: tuple[dict[str, Any], ...] = (
    {},
    {"planning": True},
    {"feats_draft": True},
    {"confrontation": True, "rebel": True},
    {"no_choices": True, "resource_limit": 4},
    {"turns": 6, "cards_per_phase": 3},
    {"planning": True, "cards_per_phase": 3, "feats_draft": True, "confrontation": True},
    {
        "majority_needs_unit": True,
        "kill_needs_unit": False,
        "place_from_board": True,
        "drone_collect_needs_majority": True,
        "delivery_bot_extra_buy": False,
        "field_engineer_per_build": False,
        "sky_boots_per_card": False,
        "cube_limit_per_color": 1,
    },
    {"turns": 1, "cards_per_phase": 1, "scrappers": 6, "refuges": 1, "elevators": 0, "bridges": 1},
)


def new_position(
    rng: random.Random,
    players: int,
    rules: dict[str, Any],
    key: int,
    handicaps: dict[str, list[Any]] | None = None,
) -> Position:
    """A dealt game: random factions on a random board."""
    record = rules_record(resolve_rules(rules), handicaps or {}, PACK)
    layout = rng.choice(("random", "quick"))
    position = Position(record, PACK.table, make_board(PACK, players, key, layout))
    engine.start(position, key, rng.sample(range(N_FACTIONS), players))
    return position


def add_stress(rng: random.Random, position: Position) -> None:
    """Unlock random Feats, beside the seat's own, so that rare rules and their mixtures are met."""
    for seat in range(int(position.public[0].n_seats)):
        extra = rng.getrandbits(N_FEATS) & rng.getrandbits(N_FEATS)
        position.own[seat].feats |= extra
        position.public[0].unlocked[seat] |= extra
    engine.settle(position)


def decisions(
    seed: int, games: int, *, stress: bool = False, rule_sets: tuple[dict[str, Any], ...] = RULE_SETS
) -> Iterator[tuple[Position, list[int], int]]:
    """(position, choices, the choice that is performed next) of every decision of random games."""
    rng = random.Random(seed)
    for number in range(games):
        rules = rule_sets[number % len(rule_sets)]
        position = new_position(rng, 2 + number % 3, rules, seed * 1000 + number)
        stressed = not stress
        while position.public[0].ending == PLAYING:
            if not stressed and position.public[0].phase > 0:  # a draft goes by the Feats in hand
                add_stress(rng, position)
                stressed = True
            choices = engine.legal(position)
            code = rng.choice(choices)
            yield position, choices, code
            engine.apply(position, code)
