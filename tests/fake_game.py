"""A game of no rules, to test what stands around games: the winner is chance, a Supply is a bit of a hash."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simlab.design import draw
from simlab.game import Column, Game, Knob, Settings, Table
from simlab.games.dei.settings import resolve_rules
from simlab.results import BLOCK, COMMON, GAME, HASH, SEAT, WORD, arrow, words
from simlab.strategy import Strategy

FACTIONS = ("red", "green", "blue", "grey")
ENDINGS = ("playing", "finished", "stalled")
GAMES = Table("games", "one row a game", (*COMMON, Column("ending", WORD, "", "how it ended"), HASH))
SEATS = Table(
    "seats",
    "one row a seat",
    (GAME, BLOCK, SEAT, Column("faction", WORD, "", "who"), Column("strategy", WORD, "", "how")),
)


@dataclass(frozen=True)
class FakePack:
    name: str = "paper"
    hash: str = "0" * 64
    share_assumed: float = 0.5
    card_ids: tuple[str, ...] = ("t1", "t2", "b1")


def play(settings, schedule, strategies):
    n = len(schedule)
    hashes = draw(schedule["deal_key"], 99, schedule["strategy_key"], schedule["arm"])
    columns = {name: schedule[name] for name in ("game", "block", "arm", "rotation", "players")}
    columns["ending"] = words(np.where(hashes % 100 == 0, 2, 1), ENDINGS)
    columns["game_hash"] = hashes
    game, seat = np.nonzero(np.arange(6) < schedule["players"][:, None])
    seats = {
        "game": schedule["game"][game],
        "block": schedule["block"][game],
        "seat": seat.astype(np.int8),
        "faction": words(schedule["faction"][game, seat], FACTIONS),
        "strategy": words(schedule["strategy"][game, seat], [strategy.name for strategy in strategies]),
    }
    assert n
    return {"games": arrow(GAMES, columns), "seats": arrow(SEATS, seats)}


def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return 0


def strategy(name: str, games_per_part: int = 24_000) -> Strategy:
    return Strategy(name, "plays the first", choose, weights=(1, 2), games_per_part=games_per_part)


GAME_OF_CHANCE = Game(
    name="fake",
    title="Fake",
    rules_version="fake-1",
    players=(2, 3, 4),
    factions=FACTIONS,
    faction_titles=FACTIONS,
    knobs=(Knob("turns", 4, 1, 6, "-", "Turns"),),
    handicaps={},
    options={"layout": ("random", "quick")},
    tables=(GAMES, SEATS),
    packs=Path(__file__).parent / "no-packs",
    default_pack="paper",
    resolve_rules=resolve_rules,
    resolve_settings=lambda settings, players: Settings(
        settings.rules, settings.options, settings.handicaps, settings.pack
    ),
    load_pack=FakePack,
    check_pack=lambda pack, draws: ([], [f"{draws} layouts of {pack.name}"]),
    play=play,
    open=lambda settings, row: row,
    tables_of=lambda settings, schedule, strategies, played: play(settings, schedule, strategies),
    signature=lambda: "5" * 16,
    warm_up=lambda: None,
)
