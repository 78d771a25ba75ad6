"""What a strategy that is a class sees: all that its seat may know, by name, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from simlab import jit, match
from simlab.errors import UsageError
from simlab.game import Settings
from simlab.games.dei import choices as ch
from simlab.games.dei.live import LiveGame
from simlab.games.dei.names import Names
from simlab.games.dei.position_facts import position_facts
from simlab.games.dei.text import words_of
from simlab.games.dei.view import View, view_of
from simlab.games.dei.vocabulary import FEATS, PLAYING
from simlab.readable import strategy_of
from tests.dei.randomly import PACK, RULE_SETS, add_stress
from tests.dei.test_contract import schedule_of

GAMES = 2 if jit.DISABLED else 27
USUAL = {"play", "buy", "move", "collect", "enlist", "build", "activate", "mission", "end card", "end phase"}


def live_game(number: int, *, stress: bool = True) -> LiveGame:
    """A game of one of the rule sets, with Feats of all kinds unlocked."""
    rules = RULE_SETS[number % len(RULE_SETS)]
    settings = Settings(rules, {"layout": "random", "outposts": "advanced"}, {}, PACK)
    live = LiveGame(settings, schedule_of(2 + number % 3, number + 1)[number])
    if stress and live.position.public[0].phase > 0:
        add_stress(random.Random(number), live.position)
    return live


def views(games: int, *, every: int = 1) -> Iterator[tuple[LiveGame, View, list[int]]]:
    """(game, view, codes) of decisions of random games."""
    rng, number = random.Random(5), 0
    for game in range(games):
        live = live_game(game)
        while live.ending == PLAYING:
            codes = live.look()
            if len(codes) > 1:
                number += 1
                if number % every == 0:
                    yield live, view_of(live, live.active), codes
            live.apply(rng.choice(codes))


def plain(value: Any) -> Any:
    """All that a thing holds, as lists and dicts."""
    if is_dataclass(value):
        parts = [each.name for each in fields(value) if each.repr]
        parts += [name for name in ("sentence", "linked", "adjacent") if hasattr(value, name)]
        return {name: plain(getattr(value, name)) for name in parts}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def told(view: View) -> Any:
    """Everything that a view says."""
    asked = {"chance", "random", "region"}
    names = [name for name in dir(View) if not name.startswith("_") and name not in asked]
    return {name: plain(getattr(view, name)) for name in names} | {
        "seat": view.seat,
        "luck": view.chance(999),
    }


def named(view: View, choice: Any) -> list[str]:
    """The words for all that a choice names."""
    names = [part.name for part in (choice.region, choice.start) if part]
    names += [card.id for card in (choice.card, choice.laid, *choice.cards) if card]
    names += [str(number) for number in (choice.scrappers, choice.amount) if number]
    names += [choice.drone, choice.resource, choice.colour, choice.feat, choice.candy]
    names += [choice.mission.id, f"column {choice.mission.column}"] if choice.mission else []
    for built in (choice.construction, choice.moved):
        names += [] if built is None else [built.kind, *built.regions]
    if choice.kind == "buy":
        names.append(f"{choice.slot.market} slot {choice.slot.number}")
        names.append(f"paying {choice.technology} Technology {choice.energy} Energy")
        assert choice.slot.card is choice.card
    if choice.seat is not None:
        names.append(view.players[choice.seat].faction)
    if choice.per:
        names.append(f"per {choice.per} Outpost")
    return names


def test_each_choice_names_what_its_sentence_does() -> None:
    kinds = set()
    for live, view, codes in views(GAMES, every=3):
        names = Names(live.position, PACK)
        assert len(view.choices) == len(codes)
        for choice, code in zip(view.choices, codes, strict=True):
            words = choice.sentence
            assert words == words_of(names, code)
            assert [name for name in named(view, choice) if name not in words] == [], words
            assert choice.leader == ("the Leader" in words and choice.kind == "move")
            assert (choice.refuges > 0) == ("Refuge" in words)
            assert choice.swap == ("swapping" in words)
            assert choice.with_resource == ("with a resource" in words)
            assert (choice.odd is not None) >= ("odd Scrapper" in words)
            kinds.add(choice.kind)
            assert choice.kind == ch.KINDS[ch.plain_kind(code)]
    assert kinds >= USUAL


def test_the_table_is_as_the_facts_have_it() -> None:
    for live, view, _ in views(GAMES, every=29):
        facts = position_facts(live.position, PACK)
        assert (view.turn, view.action_phase) == (facts["turn"], facts["phase"])
        assert list(view.priority) == facts["priority"]
        assert {"seat": view.seat, "what": view.asked} == facts["asked"]
        assert [outpost.holder for outpost in view.outposts] == facts["cubes"]
        assert {name: view.region(at).number for name, at in view.drones.items()} == facts["drones"]
        for name, market in facts["markets"].items():
            assert [slot.card and slot.card.id for slot in view.markets[name]] == market["slots"]
            assert view.decks[name] == market["deck"]
        for column, missions in enumerate(view.missions):
            for row, mission in enumerate(missions):
                done = [seat for seat, tokens in enumerate(facts["tokens"]) if tokens[column] == row]
                assert list(mission.done_by) == done


def test_the_players_are_as_the_facts_have_them() -> None:
    for live, view, _ in views(GAMES, every=31):
        facts = position_facts(live.position, PACK)
        for player, pad, built in zip(view.players, facts["pads"], facts["built"], strict=True):
            for name in ("supplies", "technology", "energy", "reserve"):
                assert getattr(player, name) == pad[name]
            for name in ("hand", "bin"):
                assert [card.id for card in getattr(player, name)] == pad[name]
            assert [card.id for card in player.played] == [play["card"] for play in pad["plays"]]
            assert list(player.feats) == pad["feats"]
            assert player.candy == sum(pad["candy"].values())
            assert player.scrappers == sum(facts["scrappers"][player.seat])
            standing = [
                (each.kind, [view.region(end).number for end in each.regions])
                for each in player.constructions
            ]
            assert standing == [(each["kind"], each["regions"]) for each in built]
        own = facts["pads"][view.seat]
        assert dict(view.candy) == own["candy"]
        assert [feat for feat, unlocked in view.feats.items() if unlocked] == own["feats"]
        assert [feat for feat, unlocked in view.feats.items() if not unlocked] == own["feats_face_down"]


def test_the_regions_are_as_the_facts_have_them() -> None:
    for live, view, _ in views(GAMES, every=37):
        facts = position_facts(live.position, PACK)
        for number, region in enumerate(view.regions):
            assert view.region(region.name) is region
            assert list(region.scrappers) == [row[number] for row in facts["scrappers"]]
            assert list(region.leaders) == [at == number for at in facts["leader"]]
            assert region.units[0] == region.scrappers[0] + region.leaders[0]
            assert (region.resources, region.holder) == (facts["resources"][number], facts["holder"][number])
            assert list(region.values) == facts["value"][number]
            own = [each for each in facts["built"][view.seat] if each["kind"] == "refuge"]
            assert region.refuges[view.seat] == sum(each["regions"] == [number] for each in own)
        beside = {(region.name, other) for region in view.regions for other in region.adjacent}
        linked = {(region.name, other) for region in view.regions for other in region.linked}
        assert beside == {(other, name) for name, other in beside}
        assert linked == {(other, name) for name, other in linked}
        assert linked & beside


def test_a_view_is_the_same_whatever_is_hidden() -> None:
    differed = 0
    for number, (live, view, _) in enumerate(views(GAMES, every=149)):
        twin = live.copy()
        twin.redraw(view.seat, number)
        differed += twin.position.hidden.tobytes() != live.position.hidden.tobytes()
        assert told(view_of(twin, view.seat)) == told(view)
    assert differed


def test_what_is_done_to_a_views_records_changes_no_game() -> None:
    for live, view, _ in views(1, every=11):
        before = live.records()
        for record in (view.names.public, view.names.board, view.names.rules):
            for name in record.dtype.names:
                record[name] = 1
        assert live.records() == before


def test_its_parts_go_by_name() -> None:
    _, view, _ = next(views(1))
    with pytest.raises(UsageError, match=r'there is no Region "9\.9\.z"'):
        view.region("9.9.z")
    assert view.rules["turns"] == view.turns
    assert set(view.feats) <= set(FEATS)
    assert view.faction == view.me.faction == view.players[view.seat].faction
    assert view.hand == view.me.hand
    assert [player.seat for player in view.opponents] == [1 - view.seat]


def test_a_price_is_what_is_paid_where_no_feat_changes_it() -> None:
    paid = [
        ((choice.technology, choice.energy), (choice.slot.technology, choice.slot.energy))
        for _, view, _ in views(GAMES, every=1 if jit.DISABLED else 9)
        for choice in view.choices
        if choice.slot and not {"alternative_energy", "low_energy_remote_control"} & set(view.me.feats)
    ]
    assert paid
    assert [pair for pair in paid if pair[0] != pair[1]] == []


class Remembering:
    """Counts its decisions in itself, which is another one at each, and in its memory."""

    counts: tuple[list[int], list[int]] = ([], [])

    def __init__(self) -> None:
        self.n = 0

    def choose(self, view: View) -> Any:
        self.n += 1
        view.memory[0] += 1
        self.counts[0].append(self.n)
        self.counts[1].append(int(view.memory[0]))
        return view.choices[view.chance(len(view.choices))]


def test_memory_is_all_that_a_strategy_keeps() -> None:
    strategy = strategy_of(Remembering, "mine/remembering", view_of)
    logs = []
    for _ in range(2):
        for counts in Remembering.counts:
            counts.clear()
        live = live_game(0, stress=False)
        assert match.play(live, [strategy, strategy]) is None
        assert set(Remembering.counts[0]) == {1}
        most = max(Remembering.counts[1])
        others = len(Remembering.counts[1]) - most
        assert sorted(Remembering.counts[1]) == sorted([*range(1, most + 1), *range(1, others + 1)])
        logs.append(live.log.tobytes())
    assert logs[0] == logs[1]
