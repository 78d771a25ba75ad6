"""The result tables of D.E.I., made of logs written by hand."""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
import pytest

from simlab.design import Part, design_of
from simlab.games.dei.record import TABLES, outcome, tables_of
from simlab.games.dei.state import LOG
from simlab.games.dei.tables import PACK_RECORD
from simlab.games.dei.vocabulary import (
    BLACK,
    BOMBING,
    DECISION_CAP,
    DEEP_EXCAVATION,
    FINISHED,
    FROM_OUTPOSTS,
    LOGISTIC,
    MISSION_ENERGY,
    MISSION_OUTPOSTS,
    MISSION_TECHNOLOGIES,
    NONE,
    RAVAGERS,
    REFUGE,
    SIMON,
    SKY_BOOTS,
)
from simlab.results import schema

NAMES = ["dei/greedy", "dei/uniform"]


@pytest.fixture
def pack() -> SimpleNamespace:
    """Three cards (a Faction card, a Logistic one, a Drone card), three Missions, two tiles of 2 × 2."""
    table = np.zeros(1, PACK_RECORD)
    table["n_cards"] = 3
    table["card_market"][0, :3] = [NONE, LOGISTIC, NONE]
    table["mission_kind"][0, :3] = [MISSION_TECHNOLOGIES, MISSION_ENERGY, MISSION_OUTPOSTS]
    table["n_tiles"], table["tile_size"] = 2, 2
    table["patch_at"][0, 0, :2, :2] = [[1, 0], [1, 1]]
    table["patch_resources"][0, 0, 1] = 2
    table["patch_outposts"][0, 0, 0] = [0, 2, 1]
    table["refuge_patch"][0, :2], table["drone_patch"][0, :2] = [1, NONE], [NONE, 0]
    return SimpleNamespace(
        table=table,
        card_ids=("own", "l1", "fly+0"),
        tile_ids=("x", "y"),
        patch_letters=(("B", "a"), ("c",)),
    )


def blank(n: int) -> np.ndarray:
    """Logs of games in which nothing happened, all finished, seat 0 the winner."""
    logs = np.zeros(n, LOG)
    for name in (
        "revealed_turn",
        "bought_by",
        "bought_market",
        "bought_slot",
        "mission",
        "mission_row",
        "ending_seat",
        "tile_place",
        "region_of",
    ):
        logs[name] = NONE
    logs["ending"] = FINISHED
    logs["place"] = np.arange(1, 7)
    return logs


@pytest.fixture
def played(pack: SimpleNamespace) -> dict[str, list[dict]]:
    """A block of two-player games, the first with a story, the second broken off."""
    schedule = design_of(1, [2], range(4), [24_000, 24_000]).schedule(Part(0, 0, 1, 2, 2))
    logs = blank(2)
    game = logs[0]
    game["game_hash"], game["n_choices"], game["n_decisions"], game["longest_list"] = 77, 500, 40, 90
    game["turn_hash"][:3] = [5, 6, 7]
    game["place"][:2] = [2, 1]
    game["final_supplies"][:2] = [30, 41]
    game["supplies_from"][1, FROM_OUTPOSTS] = 6
    game["feats_dealt"][0] = 1 << BOMBING | 1 << SKY_BOOTS | 1 << DEEP_EXCAVATION
    game["feats_unlocked"][0] = 1 << SKY_BOOTS
    game["feat_turn"][0] = [0, 3, 0]
    game["collected"][1] = [4, 5]
    game["builds"][1, REFUGE] = 2
    game["activations"][0, SIMON] = 3
    game["turn_supplies"][1, :2] = [8, 9]
    game["turn_place"][1, :2] = [1, 0]
    game["turn_resources"][1] = 48
    game["turn_outposts"][1, :2] = [2, 3]
    game["revealed_turn"][:3] = [NONE, 0, 2]
    game["offered"][:3], game["affordable"][:3], game["plays"][:3] = [0, 3, 1], [0, 2, 0], [4, 2, 0]
    for name, value in (("by", 1), ("turn", 2), ("phase", 3), ("market", LOGISTIC), ("slot", 2)):
        game[f"bought_{name}"][1] = value
    game["paid_technology"][1], game["paid_energy"][1] = 2, 1
    game["mission"][0], game["mission"][1] = [0, 1], [2, NONE]
    game["mission_row"][0, 0], game["mission_turn"][0, 0], game["mission_supplies"][0, 0] = 1, 1, 6
    game["mission_row"][1, 0], game["mission_turn"][1, 0], game["mission_supplies"][1, 0] = 1, 2, 3
    game["mission_worth"][0, :2, :2] = [[6, 8], [5, 7]]  # the better order: 8 + 5
    game["mission_worth"][1, :2, :2] = [[4, 2], [9, 2]]  # 2 + 9; in Turn 2 it took 3 of 9
    logs[1]["ending"], logs[1]["ending_seat"] = DECISION_CAP, 1
    tables = tables_of(schedule, logs, pack, NAMES)
    assert {table.name for table in TABLES} == set(tables)
    for table in TABLES:
        assert tables[table.name].schema.equals(schema(table))
    return {name: table.to_pylist() for name, table in tables.items()}


def test_games(played: dict[str, list[dict]]) -> None:
    finished, stopped = played["games"]
    assert (finished["game"], finished["block"], finished["players"], finished["ending"]) == (
        0,
        0,
        2,
        "finished",
    )
    assert (finished["winner_seat"], finished["winner_faction"]) == (1, played["seats"][1]["faction"])
    assert (finished["winning_margin"], finished["tied_top"]) == (11, False)
    assert (finished["turns"], finished["choices"], finished["decisions"], finished["longest_list"]) == (
        3,
        500,
        40,
        90,
    )
    assert finished["game_hash"] == 77
    assert finished["ending_seat"] is None
    assert (stopped["ending"], stopped["ending_seat"]) == ("decision cap", 1)
    assert stopped["winner_seat"] is stopped["winner_faction"] is stopped["winning_margin"] is None


def test_seats(played: dict[str, list[dict]]) -> None:
    first, second, *stopped = played["seats"]
    assert (first["seat"], first["place"], first["win_share"], first["supplies"]) == (0, 2, 0.0, 30)
    assert (second["place"], second["win_share"], second["supplies"], second["supplies_outposts"]) == (
        1,
        1.0,
        41,
        6,
    )
    assert first["feat_tactic"] == "bombing"
    assert (first["feat_logistic"], first["feat_logistic_turn"]) == ("sky_boots", 3)
    assert (first["feat_machinery"], first["feat_machinery_turn"]) == ("deep_excavation", None)
    assert (first["feats_unlocked"], second["feats_unlocked"]) == (1, 0)
    assert second["feat_tactic"] is None
    assert (second["collected_technology"], second["collected_energy"], second["built_refuge"]) == (4, 5, 2)
    assert first["used_simon"] == 3
    assert {first["strategy"], second["strategy"]} <= set(NAMES)
    assert len(stopped) == 2
    assert all(row["win_share"] is row["place"] is None for row in stopped)


def test_the_market_has_the_cards_that_lay_face_up(played: dict[str, list[dict]]) -> None:
    bought, left = played["market"]
    assert (bought["card"], bought["colour"], bought["revealed_turn"]) == ("l1", "logistic", 0)
    assert (bought["offered_to"], bought["affordable_to"], bought["plays"]) == (3, 2, 2)
    assert (bought["bought_by"], bought["bought_by_faction"]) == (1, played["seats"][1]["faction"])
    assert (bought["bought_turn"], bought["bought_phase"]) == (2, 3)
    assert (bought["market"], bought["slot"]) == ("logistic", 2)
    assert (bought["paid_technology"], bought["paid_energy"]) == (2, 1)
    assert (left["card"], left["colour"], left["revealed_turn"], left["offered_to"]) == ("fly+0", None, 2, 1)
    nothing = (
        "bought_by",
        "bought_by_faction",
        "bought_turn",
        "bought_phase",
        "market",
        "slot",
        "paid_energy",
    )
    assert all(left[name] is None for name in nothing)


def test_missions_are_rows_by_player_and_those_nobody_took(played: dict[str, list[dict]]) -> None:
    rows = [row for row in played["missions"] if row["game"] == 0]
    told = [
        (row["column_turn"], row["mission"], row["seat"], row["turn"], row["on_time"], row["supplies"])
        for row in rows
    ]
    assert told == [
        (1, "energy_cells", 0, 1, True, 6),
        (1, "energy_cells", 1, 2, False, 3),
        (1, "technologies", None, None, None, None),
        (2, "outposts", None, None, None, None),
    ]
    assert rows[0]["faction"] == played["seats"][0]["faction"]
    assert rows[2]["faction"] is None


def test_missions_have_what_was_given_up(played: dict[str, list[dict]]) -> None:
    """Seat 0 takes 6 where 8 lay open; of seat 1 nothing is known before Turn 2, its only Mission."""
    rows = [row for row in played["missions"] if row["game"] == 0]
    assert [row["best_now"] for row in rows] == [8, 9, None, None]
    assert [row["missions_best"] for row in played["seats"]] == [13, 11, None, None]


def test_turns_are_those_played_to_their_end(played: dict[str, list[dict]]) -> None:
    rows = played["turns"]
    assert [(row["turn"], row["seat"]) for row in rows] == [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]
    assert [row["choices_hash"] for row in rows] == [5, 5, 6, 6, 7, 7]
    second = rows[3]
    assert (second["supplies"], second["outposts"], second["priority"]) == (9, 3, 0)
    assert [row["resources_left"] for row in rows] == [0, 0, 48, 48, 0, 0]


def test_regions_are_sums_over_the_finished_games_of_a_block(pack: SimpleNamespace) -> None:
    """Three games of a block, the last broken off; in the second block tile y alone is in play."""
    schedule = design_of(1, [3], range(3), [24_000]).schedule(Part(0, 0, 2, 6, 6))
    logs = blank(6)
    logs["turn_hash"][:, :4] = 1
    logs["board_columns"] = 2
    logs["tile_place"][:3, :2], logs["tile_turned"][:3, :2] = [2, 1], [3, 0]
    logs["region_of"][:3, 0, :2], logs["region_of"][:3, 1, 0] = [7, 4], 4  # y.c is joined to x.a
    logs["region_of"][3:, 1, 0] = 0
    logs["moves_into"][:3, 4], logs["moves_out"][:3, 7] = [5, 6, 100], [1, 2, 100]
    logs["collected_from"][:3, 4] = [3, 0, 100]
    ravagers = np.argmax(schedule["faction"] == RAVAGERS, axis=1)
    logs["held"][np.arange(6), ravagers, 4] = [1, 3, 100, 0, 0, 0]
    logs["ending"][2] = DECISION_CAP
    first, second, third, other = tables_of(schedule, logs, pack, NAMES)["regions"].to_pylist()
    assert [(row["tile"], row["letter"], row["region"]) for row in (first, second, third, other)] == [
        ("x", "B", 7),
        ("x", "a", 4),
        ("y", "c", 4),
        ("y", "c", 0),
    ]
    assert (first["block"], first["arm"], first["players"], other["block"]) == (0, 0, 3, 1)
    assert [row["spaces"] for row in (first, second)] == [0b10, 0b110001]
    assert (second["resources"], first["outposts"], second["refuge"], third["drone"]) == (2, 3, True, True)
    assert not any((first["refuge"], second["drone"], first["drone"]))
    assert (first["tile_row"], first["tile_column"], first["turned"]) == (1, 0, 3)
    assert (third["tile_row"], third["tile_column"], third["turned"]) == (0, 1, 0)
    assert [(row["games"], row["turns"]) for row in (first, third, other)] == [(2, 8), (2, 8), (3, 12)]
    assert [row["moves_into"] for row in (first, second, third, other)] == [0, 11, 11, 0]
    assert (first["moves_out"], second["collected"]) == (3, 3)
    assert (second["held_ravagers"], third["held_ravagers"], second["held_farm_z"]) == (4, 4, 0)


def test_a_tie_at_the_top_is_marked(pack: SimpleNamespace) -> None:
    schedule = design_of(1, [2], range(4), [24_000]).schedule(Part(0, 0, 1, 2, 2))
    logs = blank(2)
    logs["final_supplies"][:, :3] = [20, 20, 99]  # the third seat isn't there
    row = tables_of(schedule, logs, pack, NAMES)["games"].to_pylist()[0]
    assert (row["tied_top"], row["winning_margin"], row["winner_seat"]) == (True, 0, 0)


def test_the_outcome_in_short_is_what_the_seats_table_has(pack: SimpleNamespace) -> None:
    schedule = design_of(1, [2, 3], range(4), [24_000]).schedule(Part(0, 0, 1, 12, 12))
    logs = blank(len(schedule))
    logs["place"] = np.roll(logs["place"], 1, axis=1)
    logs["final_supplies"] = np.arange(logs["final_supplies"].size).reshape(len(schedule), -1)
    logs["ending"][3] = DECISION_CAP
    rows = tables_of(schedule, logs, pack, NAMES)["seats"].to_pylist()
    won, supplies = outcome(schedule, logs)
    game, seat = np.nonzero(np.arange(6) < schedule["players"][:, None])
    assert [row["supplies"] for row in rows] == supplies[game, seat].tolist()
    shares = [None if np.isnan(share) else share for share in won[game, seat]]
    assert [row["win_share"] for row in rows] == shares
    assert np.isnan(won[3]).all()
    finished = np.arange(len(schedule)) != 3
    assert won[finished].sum(axis=1).tolist() == [1.0] * finished.sum()
    assert supplies.sum() == supplies[game, seat].sum()  # nothing where nobody sits


def test_many_games_cost_few_microseconds_each(pack: SimpleNamespace) -> None:
    n = 4_000
    schedule = design_of(1, [4], range(4), [24_000]).schedule(Part(0, 0, n // 4, n, n))
    logs = blank(n)
    logs["turn_hash"][:, :4] = 1
    logs["revealed_turn"][:, :40] = 0
    pack.table["n_cards"] = 100
    pack.table["card_market"][0, :100] = BLACK
    pack.card_ids = tuple(f"c{i}" for i in range(100))
    logs["mission"][:, :4] = [0, 1]
    logs["mission_row"][:, :4, :4] = 0
    tables_of(schedule, logs, pack, NAMES)
    started = time.perf_counter()
    tables_of(schedule, logs, pack, NAMES)
    assert (time.perf_counter() - started) / n < 200e-6  # about 10 µs; machines may be busy
