"""Games that the engine and the slow twin play side by side, compared at every decision."""

from __future__ import annotations

import copy
import random
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import Any

import reference as twin

from simlab.games.dei import engine
from simlab.games.dei.board import make_board
from simlab.games.dei.choices import KINDS, kind_of, op_of
from simlab.games.dei.names import Names
from simlab.games.dei.pack import Pack
from simlab.games.dei.rules import RULES, Rule
from simlab.games.dei.sentences import read_choice
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.state import Position
from simlab.games.dei.text import words_of
from simlab.games.dei.vocabulary import (
    ASK_CARD,
    CANDY_IN_RESERVE,
    N_FACTIONS,
    PLAYING,
)
from tests.dei.twin_adapter import adopt, twin_deal, twin_rules
from tests.dei.twin_facts import Facts, candy_tokens, engine_facts, in_a_drone_action, twin_facts
from tests.dei.twin_stress import scatter

Packs = tuple[Pack, twin.Pack]  # one pack as each side has read it
LAST_CHOICES = 10


class Difference(AssertionError):
    """Engine and twin don't agree; says where and in what, in words."""


class FedLuck(twin.Luck):
    """The Candy Boosts that the engine drew, faction by faction."""

    def __init__(self, drawn: dict[str, list[str]]) -> None:
        self.drawn = drawn

    def draw_candy(self, faction: str, reserve: dict[str, int]) -> str:
        if not self.drawn[faction]:
            raise Difference(f"the twin draws a Candy Boost for {faction}, the engine doesn't")
        return self.drawn[faction].pop()


class Pair:
    """One game on both sides, at the same decision. `title` is how to play it again."""

    def __init__(self, title: str, position: Position, rules: dict[str, Any], packs: Packs) -> None:
        self.title = title
        self.engine = position
        self.names = Names(position, packs[0])
        self.decisions = 0
        self.last: deque[str] = deque(maxlen=LAST_CHOICES)
        deal = twin_deal(self.names, position, packs[1])
        if faults := twin.faults(packs[1], twin_rules(rules), deal):
            raise self._difference(faults)
        self.twin = twin.start(packs[1], twin_rules(rules), deal)

    def copy(self) -> Pair:
        """The same decision once more, sharing nothing that changes."""
        other = copy.copy(self)
        other.engine, other.twin = self.engine.copy(), self.twin.copy()
        other.names = Names(other.engine, self.names.pack)
        other.last = self.last.copy()
        return other

    # what each side says; tests of the harness falsify these
    def engine_sentences(self) -> dict[str, int]:
        """The engine's legal choices by their sentences."""
        codes = engine.legal(self.engine)
        sentences = {words_of(self.names, code): code for code in codes}
        if len(sentences) != len(codes):
            twice = Counter(words_of(self.names, code) for code in codes).most_common(1)[0][0]
            raise self._difference([f"the engine lists twice: {twice}"])
        return sentences

    def engine_facts(self) -> Facts:
        """The engine's facts."""
        return engine_facts(self.names, self.engine)

    @property
    def over(self) -> bool:
        """Whether the engine's game has ended."""
        return int(self.engine.public[0].ending) != PLAYING

    def compare(self) -> dict[str, int]:
        """The legal choices, after both sides said the same of position and choices."""
        found = list(self._facts_that_differ())
        codes = {} if self.over else self.engine_sentences()
        choices = twin.legal(self.twin)
        self.choices = {choice.words(): choice for choice in choices}
        if len(self.choices) != len(choices):
            found.append("the twin lists a choice twice")
        found += [f"only the engine allows: {words}" for words in codes.keys() - self.choices.keys()]
        found += [f"only the twin allows: {words}" for words in self.choices.keys() - codes.keys()]
        if found:
            raise self._difference(found)
        return codes

    def _facts_that_differ(self) -> list[str]:
        ours, theirs = self.engine_facts(), twin_facts(self.twin)
        if in_a_drone_action(self.twin):
            # the engine keeps values as of the last renewal, the twin counts them anew
            del ours["value"], theirs["value"]
        return sorted(differences(ours, theirs))

    def apply(self, words: str, code: int) -> None:
        """Perform one choice on both sides; the twin is fed the Candy Boosts that the engine drew."""
        if read_choice(self.names, words) != code:
            raise self._difference([f"the engine's choice says more than its sentence: {words}"])
        before = candy_tokens(self.names, self.engine)
        acting = self.names.seat_name(engine.active(self.engine))
        self.last.append(f"{acting}: {words}")
        self.decisions += 1
        engine.apply(self.engine, code)
        drawn: dict[str, list[str]] = defaultdict(list)
        for (kind, place), (_, place_now) in zip(before, candy_tokens(self.names, self.engine), strict=True):
            if place == CANDY_IN_RESERVE and place_now >= 0:
                drawn[self.names.seat_name(place_now)].append(kind)
        luck = FedLuck(drawn)
        try:
            self.twin = twin.apply(self.twin, self.choices[words], luck, check=False)
        except Difference as difference:
            raise self._difference([str(difference)]) from None
        if any(drawn.values()):
            raise self._difference([f"the engine draws Candy Boosts, the twin doesn't: {dict(drawn)}"])

    def stress(self, chance: random.Random) -> None:
        """Set many facts by hand, on both sides alike."""
        scatter(self.engine, self.names, chance)
        self.last.append("(facts set by hand)")
        self.twin = adopt(self.names, self.engine, self.twin)

    def _difference(self, found: list[str]) -> Difference:
        lines = [f"{self.title}, decision {self.decisions}:", *found, "the last choices:", *self.last]
        return Difference("\n  ".join(lines))


def differences(ours: Any, theirs: Any, where: str = "") -> list[str]:
    """What differs between two trees of facts, a line a leaf."""
    if ours == theirs:
        return []
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [
            line
            for key in ours.keys() | theirs.keys()
            for line in differences(ours.get(key), theirs.get(key), f"{where}.{key}" if where else str(key))
        ]
    return [f"{where}: engine {ours!r}, twin {theirs!r}"]


# --- who plays what --------------------------------------------------------------------------------------


class RareChoices:
    """A policy that favours the kinds of choices that it has made least often."""

    def __init__(self) -> None:
        self.made: Counter[tuple[int, int]] = Counter()

    def choose(self, chance: random.Random, codes: dict[str, int]) -> str:
        """A kind by 1 / (1 + times made), then any choice of it; one time in three any choice."""
        sentences = sorted(codes)
        if chance.random() < 1 / 3:
            words = chance.choice(sentences)
        else:
            kinds: dict[tuple[int, int], list[str]] = defaultdict(list)
            for words in sentences:
                kinds[kind_of(codes[words]), op_of(codes[words])].append(words)
            weights = [1 / (1 + self.made[kind]) for kind in kinds]
            words = chance.choice(kinds[chance.choices(list(kinds), weights)[0]])
        self.made[kind_of(codes[words]), op_of(codes[words])] += 1
        return words


def random_rules(chance: random.Random) -> dict[str, Any]:
    """Most often the rulebook's, with optional rules; else any knob within its range."""
    switches = [rule.name for rule in RULES if rule.is_switch]
    rules: dict[str, Any] = {name: chance.random() < 0.3 for name in switches}
    for rule in RULES:
        if rule.name not in switches and rule.name != "decision_cap" and chance.random() < 0.15:
            rules[rule.name] = _random_value(chance, rule)
    if chance.random() < 0.2:
        rules = {}
    resolved = resolve_rules(rules)
    # what an experiment refuses: more at the start than there is
    resolved["starting_scrappers"] = [min(n, resolved["scrappers"]) for n in resolved["starting_scrappers"]]
    for kind in ("starting_technology", "starting_energy"):
        resolved[kind] = min(resolved[kind], resolved["resource_limit"] // 2)
    return resolved


def _random_value(chance: random.Random, rule: Rule) -> Any:
    if rule.length:
        return [chance.randint(rule.low, rule.high) for _ in range(rule.length)]
    return chance.randint(rule.low, rule.high)


def new_pair(
    chance: random.Random,
    title: str,
    packs: Packs,
    written: dict[str, Any] | None = None,
    players: int | None = None,
) -> Pair:
    """A game of random factions on a random board; rules and players are drawn where they aren't given."""
    pack = packs[0]
    rules = random_rules(chance) if written is None else resolve_rules(written)
    players, key = players or chance.randint(2, 4), chance.getrandbits(40)
    layout, outposts = chance.choice(("random", "quick")), chance.choice(("advanced", "quick"))
    board = make_board(pack, players, key, layout, outposts)
    position = Position(rules_record(rules, {}, pack), pack.table, board)
    engine.start(position, key, chance.sample(range(N_FACTIONS), players))
    return Pair(title, position, rules, packs)


def play(pair: Pair, chance: random.Random, policy: RareChoices, *, stress: bool) -> int:
    """Play one game to its end and return its decisions; `Difference` where the two first don't agree."""
    while not pair.over:
        if stress and engine.question(pair.engine) == ASK_CARD and chance.random() < 0.15:
            pair.stress(chance)
        codes = pair.compare()
        words = policy.choose(chance, codes)
        pair.apply(words, codes[words])
    pair.compare()
    return pair.decisions


@dataclass
class Played:
    """What was compared: games, decisions, and the kinds of choices that were made."""

    games: int = 0
    decisions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def play_games(seed: int, games: int, packs: Packs) -> Played:
    """Games of one seed, every second one with facts set by hand; `Difference` at the first."""
    policy, played = RareChoices(), Played()
    for number in range(games):
        chance = random.Random(f"{seed} {number}")
        pair = new_pair(chance, f"seed {seed}, game {number}", packs)
        played.decisions += play(pair, chance, policy, stress=number % 2 == 1)
        played.games += 1
    for (kind, _), times in policy.made.items():
        played.kinds[KINDS[kind]] += times
    return played
