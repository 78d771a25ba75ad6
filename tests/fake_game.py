"""A game of no rules, to test what stands around games: the winner is chance, a Supply is a bit of a hash."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from simlab.design import draw
from simlab.errors import NoEffect, PackError
from simlab.game import Column, Game, Knob, Settings, Table
from simlab.games.dei.settings import resolve_rules
from simlab.results import ARM, BLOCK, COMMON, GAME, HASH, SEAT, WORD, arrow, optional, words
from simlab.story import Event, Moment, Words
from simlab.strategy import Strategy

FACTIONS = ("red", "green", "blue", "grey")
ENDINGS = (
    *("playing", "finished", "decision cap", "illegal choice", "list overflow", "strategy failed", "stalled"),
)
STALLED = 6
DECISIONS = 6  # of a game, each with three choices
GAMES = Table(
    "games",
    "one row a game",
    (
        *COMMON,
        Column("ending", WORD, "", "how it ended"),
        Column("ending_seat", "int8", "seat", "whose strategy ended it irregularly, else nothing"),
        Column("decisions", "int32", "", "decisions"),
        HASH,
    ),
)
LOG = np.dtype([("ending", "i1"), ("ending_seat", "i1"), ("decisions", "i4"), ("game_hash", "i8")])
SEATS = Table(
    "seats",
    "one row a seat",
    (GAME, BLOCK, ARM, SEAT, Column("faction", WORD, "", "who"), Column("strategy", WORD, "", "how")),
)


def outcome(schedule, logs):
    """The seats' scores are bits of the hash; the highest wins, the first of several."""
    seats = np.arange(6)
    present = seats < schedule["players"][:, None]
    score = np.where(present, draw(logs["game_hash"][:, None], 97, seats, 0) % 1000, 0).astype(float)
    won = (seats == np.where(present, score, -1).argmax(1)[:, None]).astype(float)
    won[logs["ending"] != 1] = np.nan
    return won, score


@dataclass(frozen=True)
class FakePack:
    name: str = "paper"
    version: int = 1
    hash: str = "0" * 64
    share_assumed: float = 0.5
    card_ids: tuple[str, ...] = ("t1", "t2", "b1")
    faction_card_ids: tuple[str, ...] = ()
    drone_decks: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=lambda: {"candy": 16})
    leader_values: tuple[int | None, ...] = (None,) * 4

    def outposts_of_a_colour(self, players: int) -> int:
        return players + 1


def bites(settings, deal_key):
    """Of 4 deals the rule `turns` changes as many as it differs from 4."""
    return deal_key % 4 < abs(settings.rules.get("turns", 4) - 4)


def results_of(settings, deal_key, strategy_key):
    """The hash of a game: rules change it on some deals, the strategies' noise on all."""
    turns = settings.rules.get("turns", 4)
    return draw(deal_key, 99, strategy_key, np.where(bites(settings, deal_key), turns, 0))


def may_bite(base, arm, schedule, logs):
    assert len(schedule) == len(logs)
    return bites(base, schedule["deal_key"]) | bites(arm, schedule["deal_key"])


def patch_pack(pack, patch):
    """Only the share of assumed values can be changed, which changes no game."""
    for key, value in patch.items():
        if key != "share_assumed":
            raise PackError(f"pack has no {key!r} to change")
        if value == pack.share_assumed:
            raise NoEffect(f"pack.{key} = {value} has no effect: so it is in the pack")
    return replace(pack, hash=str(sorted(patch.items())), **patch), dict(patch)


def play(settings, schedule, strategies, checkpoint=lambda: None):
    logs = np.zeros(len(schedule), LOG)
    logs["game_hash"] = results_of(settings, schedule["deal_key"], schedule["strategy_key"])
    logs["ending"] = np.where(logs["game_hash"] % 100 == 0, STALLED, 1)
    logs["ending_seat"] = -1
    return logs


def tables_of(settings, schedule, strategies, logs):
    assert len(schedule)
    if isinstance(logs, list):
        logs = np.concatenate(logs)
    columns = {name: schedule[name] for name in ("game", "block", "arm", "rotation", "players")}
    columns["ending"] = words(logs["ending"], ENDINGS)
    columns["ending_seat"] = optional(logs["ending_seat"], logs["ending_seat"] < 0)
    columns["decisions"] = logs["decisions"]
    columns["game_hash"] = logs["game_hash"]
    game, seat = np.nonzero(np.arange(6) < schedule["players"][:, None])
    seats = {
        "game": schedule["game"][game],
        "block": schedule["block"][game],
        "arm": schedule["arm"][game],
        "seat": seat.astype(np.int8),
        "faction": words(schedule["faction"][game, seat], FACTIONS),
        "strategy": words(schedule["strategy"][game, seat], [strategy.name for strategy in strategies]),
    }
    return {"games": arrow(GAMES, columns), "seats": arrow(SEATS, seats)}


class Live:
    """A game in progress: the seats are asked in turn, and all answers go into the hash."""

    def __init__(self, settings, row):
        self.log = np.zeros(1, LOG)
        self.log["game_hash"] = results_of(settings, row["deal_key"], row["strategy_key"])
        self.players, self.game = int(row["players"]), int(row["game"])
        self.ending, self.decisions = 0, 0
        self.hidden, self.table = 0, np.zeros(2, np.int8)  # what a fair strategy doesn't read, nor write into

    choices = (10, 20, 30)

    @property
    def active(self):
        return self.decisions % self.players

    def look(self):
        self.decisions += 1
        return [10, 20, 30]

    def ask(self, strategy, seat):
        public = SimpleNamespace(
            game=self.game, decision=self.decisions, hidden=self.hidden, table=self.table
        )
        return strategy.choose(public, None, None, None, None, [10, 20, 30], 3, strategy.weights, None, 7)

    def copy(self):
        twin = copy(self)
        twin.log, twin.table = self.log.copy(), self.table.copy()
        return twin

    def redraw(self, seat, key):
        self.hidden = key

    def records(self):
        return self.log.tobytes() + self.table.tobytes()

    def apply(self, code):
        self.log["game_hash"] = draw(self.log["game_hash"], 98, code, 0)
        self.ending = 1 if self.decisions == DECISIONS else 0

    def end(self, ending, seat):
        self.log["ending"], self.log["ending_seat"], self.log["decisions"] = ending, seat, self.decisions


class View:
    """What a class is shown."""

    def __init__(self, live, seat):
        self.seat, self.game, self.decision = seat, live.game, live.decisions
        self.choices = [SimpleNamespace(code=code) for code in live.choices]


class Teller:
    """Tells it: a Turn is two decisions long."""

    def __init__(self, live):
        self._live = live
        self.fixed = {}
        self.sections = {"table": "all of it"}

    def seen_by(self, seat):
        return self

    def groups(self):
        return ["low", "high", "high"]

    def question(self):
        return "which?"

    def section(self, name, width):
        return [[(name, "")]]

    def scene(self):
        return '<p data-part="count"></p>'

    def parts(self, facts):
        return {"count": f"<b>{facts['decisions']}</b>"}

    def scores(self, facts):
        return [facts["decisions"]] * self._live.players

    def facts(self):
        return {"decisions": self._live.decisions}

    def moment(self):
        turn = (self._live.decisions + 1) // 2
        return Moment(turn, 1, f"Turn {turn}")

    def words(self, code):
        return Words({10: "ten", 20: "twenty", 30: "thirty"}[code])

    def choices(self):
        return ["ten", "twenty", "thirty"]

    def position(self):
        return f"decision {self._live.decisions}"

    def running_hash(self):
        return int(self._live.log["game_hash"][0])

    def dealt(self):
        return ["nothing"] * self._live.players

    def changes(self, before, after, seat):
        return [Event("one more", under="" if after["decisions"] < DECISIONS else "Final count", seat=0)]

    def drawing(self, facts, width):
        return [[(f"after {facts['decisions']}", "strong")]]

    def key(self):
        return [[("a drawing", "")]]

    def result(self, facts):
        return [[("over", "seat1")]]


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
    resolve_settings=lambda settings, players, factions: Settings(
        settings.rules, settings.options, settings.handicaps, settings.pack
    ),
    load_pack=FakePack,
    patch_pack=patch_pack,
    check_pack=lambda pack, draws: ([], [f"{draws} layouts of {pack.name}"]),
    sample_pack=lambda pack, seed, index, keep: (pack.name, {"pack.toml": f"{seed} {index} {keep}\n"}),
    play=play,
    open=Live,
    tables_of=tables_of,
    outcome=outcome,
    teller=Teller,
    view="fake_game:View",
    signature=lambda: "5" * 16,
    warm_up=lambda: None,
)
