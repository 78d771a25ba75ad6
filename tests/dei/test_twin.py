"""The engine held to the slow twin: the same choices and the same facts at every decision of many games."""

from __future__ import annotations

import copy
import functools
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import reference as twin

from simlab.games.dei import engine
from simlab.games.dei.pack import load_pack
from simlab.games.dei.patches import patch_pack
from simlab.games.dei.rules import RULES, Rule
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ASK_CARD,
    BIN,
    CANDY_IN_RESERVE,
    FACE_UP,
    FORTRESS,
    FROM_DRACO,
    HAND,
    NONE,
)
from tests.dei import twin_games
from tests.dei.twin_adapter import twin_rules
from tests.dei.twin_games import Difference, Packs, Pair, RareChoices, new_pair, play, play_games
from tests.dei.wild_pack import write_wild_pack

SHIPPED: Packs = (load_pack("reconstructed"), twin.read_pack())


def wild(folder: Path, seed: int) -> Packs:
    """A pack of any icons, read by both sides."""
    path = write_wild_pack(folder / "wild", seed)
    return load_pack(str(path)), twin.read_pack(path)


def hold_equal(seed: int, games: int, folder: Path, record_property: Callable[[str, object], None]) -> None:
    """Play the games of a seed, with an odd one's own pack, and leave the numbers for the summary."""
    played = play_games(seed, games, wild(folder, seed) if seed % 2 else SHIPPED)
    assert (played.games, min(played.kinds.values())) >= (games, 1)
    record_property("twin games", played.games)
    record_property("twin decisions", played.decisions)
    record_property("twin kinds", ", ".join(sorted(played.kinds)))


@pytest.mark.compiled_only
@pytest.mark.parametrize("seed", range(8))
def test_engine_and_twin_play_the_same_games(seed: int, tmp_path: Path, record_property: Any) -> None:
    hold_equal(seed, 20, tmp_path, record_property)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("seed", range(100, 120))
def test_engine_and_twin_play_the_same_thousand_games(
    seed: int, tmp_path: Path, record_property: Any
) -> None:
    hold_equal(seed, 50, tmp_path, record_property)


@pytest.mark.compiled_only
def test_engine_and_twin_count_leaders_as_components_say(record_property: Any) -> None:
    values = {"farm_z": 2, "ravagers": 4, "auxilia": 0}
    patch = {"factions": {faction: {"leader_value": value} for faction, value in values.items()}}
    patched, _ = patch_pack(SHIPPED[0], patch)
    played = play_games(9, 6, (patched, replace(SHIPPED[1], leader_values=values)))
    record_property("twin games", played.games)
    record_property("twin decisions", played.decisions)
    with pytest.raises(Difference):
        play_games(9, 6, (patched, SHIPPED[1]))


# --- the comparison itself is held to noticing -------------------------------------------------------------


def midway(seed: int = 1) -> Pair:
    """A game in its second Turn, some cards played, one being chosen, where both sides agree."""
    return _played_midway(seed).copy()


@functools.cache
def _played_midway(seed: int) -> Pair:
    chance, policy = random.Random(seed), RareChoices()
    pair = new_pair(chance, "midway", SHIPPED, {}, players=3)
    public = pair.engine.public[0]
    while int(public.turn) * 10 + int(public.phase) < 22 or engine.question(pair.engine) != ASK_CARD:
        codes = pair.compare()
        words = policy.choose(chance, codes)
        pair.apply(words, codes[words])
    pair.stress(chance)
    pair.compare()
    return pair


def test_two_sides_that_agree_are_left_alone() -> None:
    assert len(midway().compare()) > 1


def test_a_choice_that_only_the_twin_allows_is_told() -> None:
    pair = midway()
    codes = pair.engine_sentences()
    dropped = min(codes)
    del codes[dropped]
    pair.engine_sentences = lambda: codes  # type: ignore[method-assign]
    with pytest.raises(Difference) as raised:
        pair.compare()
    told = str(raised.value).splitlines()
    assert told[0].startswith("midway, decision ")
    assert [line.strip() for line in told if "only" in line] == [f"only the twin allows: {dropped}"]
    assert told[-1].strip() == "(facts set by hand)"


def test_a_choice_that_only_the_engine_allows_is_told() -> None:
    pair = midway()
    codes = pair.engine_sentences() | {"play the fool face up": 0}
    pair.engine_sentences = lambda: codes  # type: ignore[method-assign]
    with pytest.raises(Difference, match="only the engine allows: play the fool face up"):
        pair.compare()


def test_both_sides_have_read_the_same_numbers_in_the_rulebook() -> None:
    ours = {rule.name: rule.default for rule in RULES}
    theirs = {
        name: list(value) if isinstance(value, tuple) else value for name, value in vars(twin.Rules()).items()
    }
    assert ours == theirs


# decision_cap is the engine's own guard; no_choices acts on the deal alone, which is the engine's
KNOBS = [rule for rule in RULES if rule.name not in {"decision_cap", "no_choices"}]


def _another(rule: Rule) -> Any:
    """A value of a knob that isn't its default."""
    if isinstance(rule.default, list):
        return tuple(rule.high if number == rule.low else rule.low for number in rule.default)
    if rule.is_switch:
        return not rule.default
    return rule.low if rule.default != rule.low else rule.high


def play_by_the_rulebook(games: int) -> None:
    """Stress games with all knobs of the engine at their defaults."""
    policy = RareChoices()
    for number in range(games):
        chance = random.Random(number)
        play(new_pair(chance, f"game {number}", SHIPPED, {}), chance, policy, stress=True)


@pytest.mark.compiled_only
@pytest.mark.parametrize("rule", KNOBS, ids=[rule.name for rule in KNOBS])
def test_a_twin_with_one_knob_turned_is_told(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """So each knob is met in the games, and matters to the comparison."""
    turned = {rule.name: _another(rule)}
    monkeypatch.setattr(twin_games, "twin_rules", lambda rules: replace(twin_rules(rules), **turned))
    with pytest.raises(Difference):
        play_by_the_rulebook(games=40)


def leaves(facts: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all facts of a tree; an empty part is one."""
    if isinstance(facts, dict) and facts:
        return [leaf for key, part in facts.items() for leaf in leaves(part, (*path, key))]
    return [path]


def test_each_fact_that_is_changed_is_told() -> None:
    pair = midway()
    facts = pair.engine_facts()
    paths = leaves(facts)
    assert len(paths) > 200
    for path in paths:
        changed = copy.deepcopy(facts)
        part: Any = changed
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = "changed"
        pair.engine_facts = lambda changed=changed: changed  # type: ignore[method-assign, misc]
        with pytest.raises(Difference) as raised:
            pair.compare()
        assert any(
            line.strip().startswith(".".join(map(str, path)) + ": engine 'changed'")
            for line in str(raised.value).splitlines()
        )


def _change_cards(position: Position, place: int, to: int) -> None:
    public = position.public[0]
    card = [int(it) for it in public.card_place].index(place)
    public.card_place[card] = to


def _swap_deck(position: Position) -> None:
    deck = position.hidden[0].deck
    deck[0, 0], deck[0, 1] = int(deck[0, 1]), int(deck[0, 0])


def _swap_priority(position: Position) -> None:
    order = position.public[0].priority
    order[0], order[1] = int(order[1]), int(order[0])


def _hand_a_candy_boost_over(position: Position) -> None:
    seat = next(seat for seat in range(3) if position.public[0].candy[seat])
    kind = next(kind for kind, number in enumerate(position.own[seat].candy) if number)
    position.own[seat].candy[kind] -= 1
    position.own[(seat + 1) % 3].candy[kind] += 1


def _add(name: str, *index: int, to: int = 1) -> Callable[[Position], None]:
    def change(position: Position) -> None:
        if index:
            position.public[0][name][index] += to
        else:
            position.public[0][name] += to

    return change


def _supplies_of_another_source(position: Position) -> None:
    position.log[0].supplies_from[0, FROM_DRACO] += 1


def _deal_a_feat(position: Position) -> None:
    position.own[0].feats ^= 1 << FORTRESS


def _move_a_drone(position: Position) -> None:
    drone = next(number for number, region in enumerate(position.public[0].drone) if region != NONE)
    position.public[0].drone[drone] = (int(position.public[0].drone[drone]) + 1) % 9


CHANGES: dict[str, tuple[Callable[[Position], None], str]] = {
    "Turn": (_add("turn"), "turn"),
    "phase": (_add("phase", to=-1), "phase"),
    "cards left": (_add("cards_left"), "cards_left"),
    "extra Moves": (_add("extra_moves"), "extra_moves"),
    "Buy done": (_add("bought"), "used"),
    "Abraham used": (_add("seeker_used"), "used"),
    "Priority": (_swap_priority, "priority"),
    "Scrappers": (_add("scrappers", 0, 0), "scrappers"),
    "reserve": (_add("reserve", 0), "reserve"),
    "Leader": (lambda position: position.public[0].leader.__setitem__(0, NONE), "leader"),
    "resources": (_add("resources", 3), "resources"),
    "Technology": (_add("technology", 0), "technology"),
    "Energy Cells": (_add("energy", 1), "energy"),
    "Supplies": (_add("supplies", 2), "supplies"),
    "source of Supplies": (_supplies_of_another_source, "supplies_by_source"),
    "Feat dealt": (_deal_a_feat, "feats"),
    "Feat unlocked": (_add("unlocked", 0, to=1 << FORTRESS), "unlocked"),
    "Candy Boost": (_hand_a_candy_boost_over, "candy"),
    "number of Candy Boosts": (_add("candy", 1), "candy_number"),
    "Candy Boosts in the reserve": (_add("candy_reserve"), "candy_reserve_number"),
    "deck": (_swap_deck, "deck"),
    "slot": (lambda position: position.public[0].market.__setitem__((3, 0), NONE), "market"),
    "hand": (lambda position: _change_cards(position, HAND, BIN), "hand"),
    "card laid": (lambda position: _change_cards(position, FACE_UP, HAND), "plays"),
    "Mission": (lambda position: position.public[0].mission.__setitem__((0, 0), NONE), "missions"),
    "token": (lambda position: position.public[0].token.__setitem__((0, 3), 0), "tokens"),
    "Majority": (_add("holder", 0), "majority"),
    "Majority value": (_add("value", 0, 0), "value"),
    "cubes on the Pad": (_add("cubes", 0, 0), "control"),
    "holder of a cube": (_add("cube", 0), "outposts"),
    "Drone": (_move_a_drone, "drones"),
    "construction": (lambda position: position.public[0].built.__setitem__((0, 0, 0), 5), "built"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_record_of_the_engine_that_is_changed_is_told(name: str) -> None:
    change, fact = CHANGES[name]
    pair = midway()
    change(pair.engine)
    with pytest.raises(Difference, match=rf"(?m)^  (pads\.\w+\.)?{fact}\b.*: engine "):
        pair.compare()


def test_a_candy_boost_that_only_the_engine_draws_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = midway()
    words, code = next((words, code) for words, code in pair.compare().items() if "face up" in words)
    told = iter([[("move", CANDY_IN_RESERVE)], [("move", 0)]])
    monkeypatch.setattr(twin_games, "candy_tokens", lambda *_: next(told))
    with pytest.raises(Difference, match="the engine draws Candy Boosts"):
        pair.apply(words, code)


def drawing() -> tuple[Pair, str, int]:
    """A game at a decision where a Candy Boost can be drawn, and the choice that draws it."""
    for seed in range(1, 50):
        pair, policy, chance = midway(seed), RareChoices(), random.Random(seed)
        while not pair.over:
            codes = pair.compare()
            for words, code in codes.items():
                if words.startswith(("kill ", "gain candy", "reap at ")):
                    return pair, words, code
            words = policy.choose(chance, codes)
            pair.apply(words, codes[words])
    raise AssertionError("no game draws a Candy Boost")


def test_a_candy_boost_that_only_the_twin_draws_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, words, code = drawing()
    monkeypatch.setattr(twin_games, "candy_tokens", lambda *_: [])
    with pytest.raises(Difference, match="the twin draws a Candy Boost"):
        pair.apply(words, code)
