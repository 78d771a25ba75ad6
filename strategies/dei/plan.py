"""A plan of the Missions still to come: in which Turn which column, by what the seat will then have.

A Turn's own column or a later one counts on time, an earlier one late; each column is used once, so taking
a later one now leaves an earlier one for later, at its late value.
"""

from __future__ import annotations

from simlab.games.dei.missions import mission_value, things_counted
from simlab.games.dei.vocabulary import (
    MISSION_CONSTRUCTIONS,
    MISSION_DRONE_CARDS,
    MISSION_ENERGY,
    MISSION_GARRISONS,
    MISSION_SCRAPPERS,
    MISSION_TECHNOLOGIES,
    N_MISSION_KINDS,
    NONE,
)
from simlab.jit import inner
from strategies.dei import memory as m
from strategies.dei import planner_weights as p
from strategies.dei import weights as w
from strategies.dei.position import growth


@inner
def keeps(weights, kind):
    """The factor a Turn by which things counted now still count."""
    if kind in (MISSION_TECHNOLOGIES, MISSION_ENERGY):
        return int(weights[p.KEEP_RESOURCES])
    if kind == MISSION_DRONE_CARDS:
        return int(weights[p.KEEP_DRONE_CARDS])
    if kind == MISSION_CONSTRUCTIONS:
        return int(weights[p.KEEP_CONSTRUCTIONS])
    if kind == MISSION_SCRAPPERS:
        return int(weights[p.KEEP_SCRAPPERS])
    if kind == MISSION_GARRISONS:
        return int(weights[p.KEEP_GARRISONS])
    return int(weights[p.KEEP_OUTPOSTS])


@inner
def count_things(public, rules, pack, board, seat, scratch):
    """What each kind of Mission counts, in thousandths."""
    for kind in range(N_MISSION_KINDS):
        scratch[m.COUNT + kind] = 1000 * things_counted(public, rules, pack, board, seat, kind)


@inner
def expected(weights, pack, scratch, card, wait, on_time):
    """The Supplies, in thousandths, that a Mission would give after so many Turns more."""
    if card == NONE:
        return 0
    kind = int(pack.mission_kind[card])
    things = scratch[m.COUNT + kind] + wait * growth(weights, kind)
    if on_time:
        return things * int(pack.on_time_gain[card]) // int(pack.on_time_per[card])
    return things * int(pack.late_gain[card]) // int(pack.late_per[card])


@inner
def best_of_column(public, weights, pack, scratch, column, turn):
    """What a column would give in a Turn: the better of its Missions."""
    wait = turn - int(public.turn)
    upper = expected(weights, pack, scratch, int(public.mission[column, 0]), wait, column + 1 >= turn)
    lower = expected(weights, pack, scratch, int(public.mission[column, 1]), wait, column + 1 >= turn)
    return max(upper, lower)


@inner
def make_plan(public, rules, pack, weights, scratch, seat, turn, without):
    """Give each open column (but `without`) a Turn from `turn` on; returns what all of them would give.

    Columns and Turns in order, then two exchanged as long as that gives more.
    """
    for column in range(int(rules.turns)):
        scratch[m.PLAN + column] = 0
        if public.token[seat, column] == NONE and column != without:
            scratch[m.PLAN + column] = turn
            turn += 1
    changed = True
    while changed:
        changed = False
        for a in range(int(rules.turns)):
            for b in range(a + 1, int(rules.turns)):
                if scratch[m.PLAN + a] != 0 and scratch[m.PLAN + b] != 0:
                    changed = exchange(public, weights, pack, scratch, a, b) or changed
    worth = 0
    for column in range(int(rules.turns)):
        if scratch[m.PLAN + column] != 0:
            turn = min(int(scratch[m.PLAN + column]), int(rules.turns))
            worth += best_of_column(public, weights, pack, scratch, column, turn)
    return worth


@inner
def exchange(public, weights, pack, scratch, a, b):
    """Exchange the Turns of two columns if that gives more; whether it was done."""
    turn_a, turn_b = scratch[m.PLAN + a], scratch[m.PLAN + b]
    now = best_of_column(public, weights, pack, scratch, a, turn_a)
    now += best_of_column(public, weights, pack, scratch, b, turn_b)
    then = best_of_column(public, weights, pack, scratch, a, turn_b)
    then += best_of_column(public, weights, pack, scratch, b, turn_a)
    if then <= now:
        return False
    scratch[m.PLAN + a], scratch[m.PLAN + b] = turn_b, turn_a
    return True


@inner
def next_turn(public, rules, seat):
    """The Turn of this seat's next Mission."""
    done = 0
    for column in range(int(rules.turns)):
        if public.token[seat, column] != NONE:
            done += 1
    return max(int(public.turn), done + 1)


@inner
def weigh_plan(public, rules, pack, board, seat, weights, scratch):
    """What one more of each counted thing gives, by the plan."""
    count_things(public, rules, pack, board, seat, scratch)
    make_plan(public, rules, pack, weights, scratch, seat, next_turn(public, rules, seat), NONE)
    for kind in range(N_MISSION_KINDS):
        scratch[m.THING + kind] = 0
    for column in range(int(rules.turns)):
        if scratch[m.PLAN + column] == 0:
            continue
        turn = int(scratch[m.PLAN + column])
        best = best_of_column(public, weights, pack, scratch, column, turn)
        for row in range(2):
            weigh_mission(public, pack, weights, scratch, column, row, turn, best)


@inner
def weigh_mission(public, pack, weights, scratch, column, row, turn, best):
    """One Mission of a planned column: how likely it is the one, what a thing gives, what is kept."""
    card = int(public.mission[column, row])
    if card == NONE:
        return
    kind = int(pack.mission_kind[card])
    wait = turn - int(public.turn)
    on_time = column + 1 >= turn
    worth = expected(weights, pack, scratch, card, wait, on_time)
    if worth >= best:
        share = int(weights[w.MISSION_BEST])
    else:
        share = int(weights[w.MISSION_OTHER])
        share = share * max(0, 1024 - (best - worth) * int(weights[p.CLOSE]) // (best + 1)) >> 10
    for _ in range(wait):
        share = share * keeps(weights, kind) >> 10
    if on_time:
        each = 1000 * int(pack.on_time_gain[card]) // int(pack.on_time_per[card])
    else:
        each = 1000 * int(pack.late_gain[card]) // int(pack.late_per[card])
    scratch[m.THING + kind] += each * share >> 10


@inner
def planned_mission(public, rules, pack, board, seat, weights, scratch, column, row):
    """A Mission completed now: its Supplies, and what the plan for the columns left would give."""
    card = int(public.mission[column, row])
    on_time = column + 1 >= public.turn
    now = 1000 * mission_value(public, rules, pack, board, seat, card, on_time)
    if public.turn >= rules.turns:
        return now
    after = make_plan(public, rules, pack, weights, scratch, seat, int(public.turn) + 1, column)
    return now + (after * int(weights[w.KEEP_COLUMN]) >> 10)
