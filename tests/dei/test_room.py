"""Numbers at the far end of what packs and rules allow have room in the records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from simlab.games.dei import engine
from simlab.games.dei.board import make_board
from simlab.games.dei.choices import CONSTRUCT, MISSION, kind_of
from simlab.games.dei.icons import parse_icons
from simlab.games.dei.pack import Pack, build_pack
from simlab.games.dei.record import tables_of
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import ASK_MISSION, FIELD_ENGINEER, MISSION_ENERGY
from tests.dei.drawn_games import Components, Drawn
from tests.dei.randomly import PACK

MOST = 9  # the most that a pack's Mission can give for one thing


def with_missions(gain: int) -> Pack:
    """A pack whose Missions all give `gain` Supplies for an Energy Cell."""
    missions = tuple(
        replace(mission, kind=MISSION_ENERGY, values=(gain, 1, gain, 1), source="assumed")
        for mission in PACK.parts.missions
    )
    return build_pack(replace(PACK.parts, missions=missions), Path())


def test_a_mission_may_give_more_than_a_byte_holds() -> None:
    rules = {"resource_limit": 30, "starting_energy": 10, "turns": 1}
    drawn = Drawn((0, 1), rules, {}, Components(), "quick", "quick", 1, False, 1)
    live = drawn.deal(pack=with_missions(MOST))
    live.position.public[0].energy[:2] = 30
    while engine.question(live.position) != ASK_MISSION:
        live.apply(live.look()[0])
    seat = live.active
    held = int(live.position.public[0].energy[seat])
    assert held * MOST > 127
    code = next(code for code in live.look() if kind_of(code) == MISSION)
    live.apply(code)
    assert int(live.position.log[0].mission_supplies[seat].sum()) == held * MOST
    rows = tables_of(drawn.row(), live.log, live.pack, ["chance"])["missions"].to_pylist()
    assert [row["supplies"] for row in rows if row["seat"] == seat] == [held * MOST]


def test_extra_moves_may_be_more_than_a_byte_holds() -> None:
    """A card such as build:any/outpost, eight times, gives 5 Moves each of many times."""
    rules = rules_record(resolve_rules({"field_engineer_moves": 5}), {}, PACK)
    position = Position(rules, PACK.table, make_board(PACK, 2, 1, "quick", "quick"))
    engine.start(position, 1, [0, 1])
    while not position.public[0].leader[0] >= 0:
        engine.apply(position, engine.legal(position)[0])
    public = position.public[0]
    public.unlocked[0] = 1 << FIELD_ENGINEER
    position.own[0].feats |= 1 << FIELD_ENGINEER
    public.extra_moves = 125
    engine.grant(position, 0, parse_icons("build:elevator")[0])
    code = next(code for code in engine.legal(position) if kind_of(code) == CONSTRUCT)
    engine.apply(position, code)
    assert int(public.extra_moves) == 130
