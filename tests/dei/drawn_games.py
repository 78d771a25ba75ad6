"""Games that hypothesis draws: any pack, any rules, any handicaps, any line-up, any choices."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from simlab import jit
from simlab.game import SCHEDULE, Settings
from simlab.games.dei.definition import GAME
from simlab.games.dei.live import LiveGame
from simlab.games.dei.pack import PACKS, Pack, load_pack
from simlab.games.dei.rules import HANDICAPS, RULES, Rule
from simlab.games.dei.settings import resolve_rules
from simlab.games.dei.vocabulary import CANDIES, DRONES, FEATS, N_FACTIONS, NONE, PLAYING
from simlab.packs import write
from tests.dei.randomly import PACK, add_stress
from tests.dei.wild_pack import write_wild_pack

SAMPLED = 3  # packs drawn from the shipped one's ranges: each asks for thousands of layouts
CAP = "decision_cap"
KEYS = st.integers(0, 2**63 - 1)


def examples(compiled: int, plain: int) -> settings:
    """So many examples, the same ones each time: for the tiers that run always."""
    return settings(_QUIET, max_examples=plain if jit.DISABLED else compiled)


def other_examples(number: int) -> settings:
    """So many examples, others each time, told so that they can be run again: for the long tier."""
    return settings(_QUIET, max_examples=number, derandomize=False, print_blob=True)


_QUIET = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
)


@dataclass(frozen=True)
class Components:
    """Which pack: the shipped one or the `sampled`-th drawn from its ranges, perhaps made wild by a seed."""

    sampled: int = 0
    wild: int | None = None

    def load(self) -> Pack:
        """The pack; each is made once a process."""
        return _pack(self.sampled, self.wild)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="simlab-packs-")


@cache
def _pack(sampled: int, wild: int | None) -> Pack:
    folder = Path(_folder().name) / f"{sampled}-{wild}"
    base = PACKS / "reconstructed"
    if sampled:
        base = folder.with_name(f"{sampled}")
        if not base.exists():
            write(base, GAME.sample_pack(PACK, 1, sampled, 0)[1])
    elif wild is None:
        return PACK
    return load_pack(str(base if wild is None else write_wild_pack(folder, wild, base)))


@dataclass(frozen=True)
class Drawn:
    """A game to be played; the same one each time it is dealt."""

    factions: tuple[int, ...]  # by seat
    rules: Mapping[str, Any]
    handicaps: Mapping[str, list[Any]]  # by seat
    components: Components
    layout: str
    outposts: str
    deal_key: int
    stress: bool  # more Feats than anybody gets, unlocked from the start
    luck: int  # of the choices

    def settings(self, **changed: Any) -> Settings:
        """What an experiment would say, with `rules`, `handicaps` or `pack` replaced."""
        options = {"layout": self.layout, "outposts": self.outposts}
        words = {"rules": self.rules, "handicaps": self.handicaps, "pack": self.components.load()} | changed
        return Settings(options=options, **words)

    def row(self, factions: tuple[int, ...] | None = None) -> Any:
        """The game's line in a schedule."""
        row = np.zeros(1, SCHEDULE)
        row["deal_key"], row["strategy_key"] = self.deal_key, self.luck
        row["players"] = len(self.factions)
        row["faction"] = NONE
        row["faction"][0, : len(self.factions)] = factions or self.factions
        return row

    def deal(self, factions: tuple[int, ...] | None = None, **changed: Any) -> LiveGame:
        """The game before its first choice, perhaps with other factions at the seats or other settings."""
        live = LiveGame(self.settings(**changed), self.row(factions)[0])
        if self.stress and not self.rules.get("feats_draft", False):  # a draft goes by the Feats in hand
            add_stress(random.Random(self.deal_key), live.position)
        return live


def decisions(drawn: Drawn, live: LiveGame) -> Iterator[tuple[int, list[int], int]]:
    """(number, choices, the choice made next) of each decision, made by chance, until the game is over."""
    luck = random.Random(drawn.luck)
    number = 0
    while live.ending == PLAYING:
        choices = live.look()
        if live.ending != PLAYING:
            return
        assert choices, "nobody has a choice, and the game isn't over"
        code = luck.choice(choices)
        yield number, choices, code
        live.apply(code)
        number += 1
    live.end(live.ending, NONE)


def played(drawn: Drawn, live: LiveGame) -> list[int]:
    """Play to the end; the choices made."""
    return [code for _, _, code in decisions(drawn, live)]


def value_of(rule: Rule, players: int) -> st.SearchStrategy[Any]:
    """Any value that a rule can have."""
    if rule.is_switch:
        return st.booleans()
    numbers = st.integers(rule.low, rule.high)
    if not rule.length:
        return numbers
    length = rule.length if rule.name == "feat_supplies" else players
    return st.lists(numbers, min_size=length, max_size=length)


def some_rules(players: int) -> st.SearchStrategy[dict[str, Any]]:
    """From none to all rules, each with any value, and seldom a cap that ends the game early."""
    by_name = {rule.name: value_of(rule, players) for rule in RULES if rule.name != CAP}
    cap = st.just({}) | st.just({}) | st.just({}) | st.fixed_dictionaries({CAP: st.integers(100, 400)})
    few = st.sets(st.sampled_from(sorted(by_name)), max_size=6).flatmap(
        lambda names: st.fixed_dictionaries({name: by_name[name] for name in sorted(names)})
    )
    many = st.fixed_dictionaries({}, optional=by_name)
    return st.builds(lambda rules, cap: rules | cap, few | many, cap)


def some_handicaps(players: int, pack: Pack) -> st.SearchStrategy[dict[str, list[Any]]]:
    """From none to all handicaps, by seat."""

    def by_seat(value: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
        return st.lists(value, min_size=players, max_size=players)

    amounts = {
        handicap.name: by_seat(st.booleans() if handicap.high == 1 else st.integers(0, handicap.high))
        for handicap in HANDICAPS
    }
    names = {"void_feats": FEATS, "banned_cards": pack.card_ids, "banned_drones": DRONES}
    names["banned_candy"] = CANDIES
    sets = {
        name: by_seat(st.lists(st.sampled_from(words), unique=True, max_size=6))
        for name, words in names.items()
    }
    return st.just({}) | st.fixed_dictionaries({}, optional=amounts | sets)


def fit(rules: dict[str, Any], handicaps: dict[str, list[Any]], players: int) -> None:
    """Lower what would be refused as impossible: nobody starts with more than there is."""
    resolved = resolve_rules(rules)
    scrappers, room = resolved["scrappers"], resolved["resource_limit"]
    deployed = [min(number, scrappers) for number in resolved["starting_scrappers"][:players]]
    if deployed != resolved["starting_scrappers"][:players]:
        rules["starting_scrappers"] = deployed
    for name in ("starting_technology", "starting_energy"):
        if resolved[name] > room:
            rules[name] = room
        room -= min(room, resolved[name])
    left = [scrappers - number for number in deployed]
    _lower(handicaps, "grant_scrappers", left)
    rooms = [room] * players
    for name in ("grant_technology", "grant_energy"):
        given = _lower(handicaps, name, rooms)
        rooms = [now - less for now, less in zip(rooms, given, strict=True)]
    _lower(handicaps, "grant_candy", [PACK.counts["candy"] // players] * players)


def _lower(handicaps: dict[str, list[Any]], name: str, most: list[int]) -> list[int]:
    """A handicap within its bounds by seat; what it gives then."""
    if name not in handicaps:
        return [0] * len(most)
    handicaps[name] = [min(number, bound) for number, bound in zip(handicaps[name], most, strict=True)]
    return handicaps[name]


@st.composite
def games(draw: Callable[..., Any], *, skills: bool = True, shipped: bool = False) -> Drawn:
    """Any game; without `skills` every Leader's is off, `shipped` is with the shipped pack."""
    players = draw(st.integers(2, 4))
    sampled = st.just(0) if jit.DISABLED else st.integers(0, SAMPLED)
    packs = st.builds(Components, sampled, st.none() | st.integers(0, 10**6))
    components = draw(st.just(Components()) if shipped else packs)
    rules = draw(some_rules(players))
    handicaps = draw(some_handicaps(players, components.load()))
    if not skills:
        handicaps["leader_off"] = [True] * players
    fit(rules, handicaps, players)
    return Drawn(
        factions=tuple(draw(st.permutations(range(N_FACTIONS)))[:players]),
        rules=rules,
        handicaps=handicaps,
        components=components,
        layout=draw(st.sampled_from(("random", "quick"))),
        outposts=draw(st.sampled_from(("advanced", "quick"))),
        deal_key=draw(KEYS),
        stress=draw(st.booleans()),
        luck=draw(KEYS),
    )
