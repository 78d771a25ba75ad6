"""Knock-outs in D.E.I.: a row is what an arm with that handicap plays, and nothing else differs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simlab import catalog, runs
from simlab.design import design_of
from simlab.experiment import of_mapping
from simlab.game import MAX_SEATS, Settings
from simlab.games.dei import knock_outs
from simlab.games.dei.block import play_logs
from simlab.games.dei.pack import load_pack
from simlab.games.dei.vocabulary import CANDIES, DRONES, FACTIONS, FEATS, N_FACTIONS
from simlab.knock_outs import Base, played_again
from simlab.results import open_run

PACK = load_pack("reconstructed")
OPTIONS = {"layout": "random", "outposts": "advanced"}
SETTINGS = Settings({}, OPTIONS, {}, PACK)
EVERYTHING = (4,), FACTIONS
QUESTION: dict[str, Any] = {
    "name": "knocked",
    "game": "dei",
    "seed": 11,
    "games": 24,
    "players": 4,
    "strategies": ["dei/greedy"],
    "knock_outs": dict.fromkeys(knock_outs.KINDS, True),
}


def schedule(games: int) -> Any:
    design = design_of(11, [4], range(N_FACTIONS), [6000])
    return np.concatenate([design.schedule(part) for part in design.parts(games)])


def wanted() -> dict[str, tuple[str, ...]]:
    return {kind: knock_outs.names(SETTINGS, *EVERYTHING, kind) for kind in knock_outs.KINDS}


def played(rows: Any, settings: Settings = SETTINGS, name: str = "dei/greedy") -> Any:
    return np.asarray(play_logs(settings, rows, [catalog.strategy(name, "dei")]))


def test_all_that_can_be_used_can_be_taken() -> None:
    found = wanted()
    assert (found["drones"], found["leaders"]) == (DRONES, FACTIONS)
    assert (found["candy"], found["feats"]) == (CANDIES, FEATS)
    assert set(found["cards"]) == set(PACK.card_ids) - set(PACK.faction_card_ids)
    three = knock_outs.names(SETTINGS, (3,), FACTIONS[1:], "cards")
    assert {PACK.drone_decks[card] for card in set(found["cards"]) - set(three)} == {DRONES[0]}


@pytest.mark.parametrize(
    ("kind", "name", "handicaps"),
    [
        ("cards", "tactic-01", {"banned_cards": [["tactic-01"]]}),
        ("feats", "bombing", {"void_feats": [["bombing"]]}),
        ("drones", "fly", {"banned_drones": [["fly"]]}),
        ("candy", "move", {"banned_candy": [["move"]]}),
        ("leaders", "farm_z", {"leader_off": [True]}),
    ],
)
def test_what_a_seat_may_not_use_it_could_not_have_used(
    kind: str, name: str, handicaps: dict[str, Any]
) -> None:
    """And what no seat of the largest table may use isn't there to be taken."""
    rows = schedule(24)
    logs = played(rows[:1])[np.zeros(len(rows), int)]
    logs["feats_dealt"] = -1
    by_seat = next(iter(handicaps.values()))
    one, three, four = (
        Settings({}, OPTIONS, dict.fromkeys(handicaps, by_seat * seats), PACK) for seats in (1, 3, 4)
    )
    _, anybody = knock_outs.used(SETTINGS, rows, logs, kind, name)
    used, could = knock_outs.used(one, rows, logs, kind, name)
    assert anybody[:, 0].any()
    assert not could[:, 0].any()
    assert not used[:, 0].any()
    np.testing.assert_array_equal(could[:, 1:], anybody[:, 1:])
    assert name in knock_outs.names(three, *EVERYTHING, kind)
    assert name not in knock_outs.names(three, (2, 3), FACTIONS, kind)
    assert name not in knock_outs.names(four, *EVERYTHING, kind)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["dei/uniform", "dei/greedy", "dei/planner", "dei/trader"])
def test_what_a_seat_never_used_can_be_taken_without_a_difference(name: str) -> None:
    rows, seat = schedule(24), 2
    base = played(rows, name=name)
    differing = 0
    for kind, names in wanted().items():
        for thing in names[:: 4 if kind == "cards" else 1]:
            used, could = (each[:, seat] for each in knock_outs.used(SETTINGS, rows, base, kind, thing))
            again = played(rows, knock_outs.without(SETTINGS, kind, thing, seat), name)
            differs = again["game_hash"] != base["game_hash"]
            assert not (differs & could & ~used).any(), thing
            assert not (used & ~could).any()
            differing += int((differs & used).sum())
    assert differing > 50


@pytest.mark.compiled_only
def test_a_row_is_what_the_handicap_plays(tmp_path: Path) -> None:
    plan = runs.plan(of_mapping(QUESTION), tmp_path / "run")
    runs.play(plan, 1, quiet=True)
    run = open_run(plan.folder)
    found = run.table("knock_outs").to_pandas()
    kinds = {"cards": "card", "feats": "feat", "drones": "drone", "candy": "candy", "leaders": "leader"}
    assert set(found["kind"]) == set(kinds.values())
    assert found["used"].all()
    rows = np.concatenate([plan.design.schedule(part) for part in plan.parts])
    base = played(rows)
    for kind, one in kinds.items():
        for row in found[found["kind"] == one].iloc[::9].itertuples():
            (place,) = np.flatnonzero(rows["game"] == row.game)
            settings = knock_outs.without(SETTINGS, kind, row.thing, row.seat)
            (again,) = played(rows[place : place + 1], settings)
            assert row.faction == FACTIONS[rows["faction"][place, row.seat]]
            assert row.supplies == base["final_supplies"][place, row.seat]
            assert row.supplies_without == again["final_supplies"][row.seat]
            assert row.win_share == (base["place"][place, row.seat] == 1)
            assert row.win_share_without == (again["place"][row.seat] == 1)
            assert row.differs == (again["game_hash"] != base["game_hash"][place])
            differ = np.flatnonzero(again["turn_hash"] != base["turn_hash"][place])
            assert (row.turn == differ[0] + 1) if len(differ) else np.isnan(row.turn)


@pytest.mark.compiled_only
def test_with_other_rules_or_search_all_is_played_that_could_be_used() -> None:
    rows = schedule(4)
    for rules in ({"planning": True}, {"cards_per_phase": 3, "turns": 2}):
        settings = Settings(rules, OPTIONS, {}, PACK)
        assert not knock_outs.only_where_used(settings)
        strategies = [catalog.strategy("dei/greedy", "dei")]
        base = Base(catalog.game("dei"), settings, rows, play_logs(settings, rows, strategies), strategies)
        found = played_again(base, {"candy": ("move",)}, lambda: None).to_pandas()
        assert len(found) == 4 * len(rows)
        assert 0 < found["used"].sum() < len(found)
    assert knock_outs.only_where_used(SETTINGS)
    assert not catalog.strategy("dei/search:2", "dei").weighs_choices_alone


def test_a_handicap_that_is_there_stays() -> None:
    given = Settings({}, OPTIONS, {"banned_cards": [["tactic-01"], [], [], []], "leader_off": [True]}, PACK)
    banned = knock_outs.without(given, "cards", "tactic-02", 0).handicaps["banned_cards"]
    assert banned[0] == ["tactic-01", "tactic-02"]
    assert len(banned) == MAX_SEATS
    off = knock_outs.without(given, "leaders", FACTIONS[0], 2).handicaps["leader_off"]
    assert off == [True, False, True, False, False, False]
    rows = schedule(4)
    used, _ = knock_outs.used(given, rows, played(rows), "leaders", FACTIONS[0])
    assert not used[:, 0].any()
    assert used.sum() == 3
