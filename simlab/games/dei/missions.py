"""Missions: what they give on time and late, and completing one."""

from __future__ import annotations

from simlab.games.dei.agenda import add
from simlab.games.dei.builds import constructions_in_play
from simlab.games.dei.choices import MISSION, PASS, choice
from simlab.games.dei.majority import cubes_held, has_garrison
from simlab.games.dei.resources import gain_supplies
from simlab.games.dei.vocabulary import (
    ABSENT,
    FROM_MISSION_LATE,
    FROM_MISSION_ON_TIME,
    MISSION_CONSTRUCTIONS,
    MISSION_DRONE_CARDS,
    MISSION_ENERGY,
    MISSION_GARRISONS,
    MISSION_OUTPOSTS,
    MISSION_SCRAPPERS,
    MISSION_TACTIC,
    MISSION_TECHNOLOGIES,
    NONE,
)
from simlab.jit import inner


@inner
def drone_cards_owned(public, pack, seat):
    """CORE-012, CORE-035, CORE-122: Drone cards owned, the faction's own and binned ones included."""
    count = 0
    for card in range(int(pack.n_cards)):
        if (
            pack.is_drone_card[card] != 0
            and public.card_owner[card] == seat
            and public.card_place[card] != ABSENT
        ):
            count += 1
    return count


@inner
def garrisons(public, board, seat):
    """CORE-025, CORE-127: Outposts with at least one own Unit in their Region."""
    count = 0
    for outpost in range(int(board.n_outposts)):
        if has_garrison(public, board, seat, outpost):
            count += 1
    return count


@inner
def scrappers_in_play(public, board, seat):
    """CORE-124: own Scrappers on the board."""
    count = 0
    for region in range(int(board.n_regions)):
        count += int(public.scrappers[seat, region])
    return count


@inner
def things_counted(public, rules, pack, board, seat, kind):
    """How many of what a Mission counts a seat has; nothing is spent.

    CORE-120 Technologies, CORE-121 Energy Cells, CORE-122 Drone cards, CORE-123 constructions, CORE-124
    Scrappers, CORE-125 Outposts, CORE-127 garrisoned ones, CORE-126 Outposts of one colour.
    """
    if kind == MISSION_TECHNOLOGIES:
        return int(public.technology[seat])
    if kind == MISSION_ENERGY:
        return int(public.energy[seat])
    if kind == MISSION_DRONE_CARDS:
        return drone_cards_owned(public, pack, seat)
    if kind == MISSION_CONSTRUCTIONS:
        return constructions_in_play(public, seat)
    if kind == MISSION_SCRAPPERS:
        return scrappers_in_play(public, board, seat)
    if kind == MISSION_OUTPOSTS:
        return cubes_held(public, seat)
    if kind == MISSION_GARRISONS:
        return garrisons(public, board, seat)
    return int(public.cubes[seat, kind - MISSION_TACTIC])


@inner
def is_on_time(public, column):
    """CORE-034: the column of this Turn or a later one."""
    return column + 1 >= public.turn


@inner
def mission_value(public, rules, pack, board, seat, card, on_time):
    """CORE-120, CORE-128: the Supplies that a Mission card gives a seat now; division rounds down."""
    things = things_counted(public, rules, pack, board, seat, int(pack.mission_kind[card]))
    if on_time:
        return things // int(pack.on_time_per[card]) * int(pack.on_time_gain[card])
    return things // int(pack.late_per[card]) * int(pack.late_gain[card])


@inner
def list_missions(public, rules, seat, out, n):
    """CORE-034, CORE-134: a Mission of a column without an own token; with Rebel also none."""
    for column in range(int(rules.turns)):
        if public.token[seat, column] != NONE:
            continue
        for row in range(2):
            if public.mission[column, row] != NONE:
                n = add(out, n, choice(MISSION, 0, column, row, 0, 0, 0))
    if rules.rebel != 0:
        n = add(out, n, choice(PASS, 0, 0, 0, 0, 0, 0))
    return n


@inner
def note_missions(public, log, rules, pack, board, seat):
    """For the tables: what the better Mission of each column would give now, own token or not."""
    turn = int(public.turn) - 1
    for column in range(int(rules.turns)):
        best = 0
        for row in range(2):
            card = int(public.mission[column, row])
            if card != NONE:
                on_time = is_on_time(public, column)
                best = max(best, mission_value(public, rules, pack, board, seat, card, on_time))
        log.mission_worth[seat, turn, column] = best


@inner
def has_mission_left(public, rules, seat):
    """CORE-034: whether any column is still without an own token."""
    for column in range(int(rules.turns)):
        if public.token[seat, column] == NONE and public.mission[column, 0] != NONE:
            return True
    return False


@inner
def complete_mission(public, log, rules, pack, board, seat, column, row):
    """CORE-034: the token onto the Mission, its Supplies at once."""
    on_time = is_on_time(public, column)
    card = int(public.mission[column, row])
    supplies = mission_value(public, rules, pack, board, seat, card, on_time)
    public.token[seat, column] = row
    gain_supplies(public, log, seat, supplies, FROM_MISSION_ON_TIME if on_time else FROM_MISSION_LATE)
    log.mission_row[seat, column] = row
    log.mission_turn[seat, column] = public.turn
    log.mission_supplies[seat, column] = supplies
