"""The strongest heuristic: weighs all by a plan of its Missions, by Action Phase and by who acts next."""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.agenda import active_seat, asked
from simlab.games.dei.choices import MISSION, PLAY, a_of, b_of, kind_of
from simlab.games.dei.modifiers import leader_worth
from simlab.games.dei.signatures import choose_signature
from simlab.games.dei.vocabulary import (
    ASK_CARD,
    ASK_MISSION,
    BUILD_ANY,
    BUILD_REFUGE,
    COLLECT,
    DRONE,
    ENLIST,
    EXTRA_MOVE,
    GAIN_CANDY,
    GAIN_ENERGY,
    GAIN_SUPPLIES,
    GAIN_TECHNOLOGY,
    LOGISTIC_COLLECT,
    LOGISTIC_MOVE,
    MACHINERY_COLLECT,
    MACHINERY_ENLIST,
    MOVE,
    N_OPS,
    TACTIC_ENLIST,
    TACTIC_MOVE,
)
from simlab.jit import entry, inner
from simlab.strategy import Strategy
from strategies.dei import memory as m
from strategies.dei import planner_weights as p
from strategies.dei import weights as w
from strategies.dei.cards import look_at_board, look_at_pad, play_worth
from strategies.dei.choosing import best_choice
from strategies.dei.plan import count_things, planned_mission, weigh_plan
from strategies.dei.position import map_regions, weigh_colours, weigh_resources


@inner
def risk_now(public, rules, weights):
    """What of a Region's worth is at risk with a lead of one: less as fewer opponents can still act."""
    if public.phase <= 1:
        return int(weights[w.RISK])
    if public.phase == 2:
        return int(weights[p.RISK_SECOND])
    risk = int(weights[p.RISK_THIRD])
    if public.turn == rules.turns:
        after = int(public.n_seats) - 1 - int(public.place)
        risk = risk * after // max(1, int(public.n_seats) - 1)
    return risk


@inner
def group_of(op):
    """The weights of an icon by Action Phase: where those of its kind begin."""
    if op in (MOVE, EXTRA_MOVE, TACTIC_MOVE, LOGISTIC_MOVE):
        return p.MOVES
    if op in (ENLIST, TACTIC_ENLIST, MACHINERY_ENLIST):
        return p.ENLISTS
    if op in (COLLECT, LOGISTIC_COLLECT, MACHINERY_COLLECT):
        return p.COLLECTS
    if BUILD_REFUGE <= op <= BUILD_ANY:
        return p.BUILDS
    if op in (GAIN_CANDY, GAIN_ENERGY, GAIN_SUPPLIES, GAIN_TECHNOLOGY):
        return p.GAINS
    return p.KILLS


@inner
def prefer_by_phase(public, weights, scratch):
    """Icons that are better played now than later in the Turn count more, the others less."""
    phase = min(max(int(public.phase), 1), 3) - 1
    for op in range(N_OPS):
        if op != DRONE:
            scratch[m.NOW + op] = scratch[m.NOW + op] * int(weights[group_of(op) + phase]) >> 10


@inner
def denied(public, weights):
    """What it is worth that an opponent loses an Outpost: less where others would gain by that too."""
    worth = int(weights[w.DENIED])
    for _ in range(int(public.n_seats) - 2):
        worth = worth * int(weights[p.DENIED_BY]) >> 10
    return worth


@inner
def look_around(public, board, weights, scratch, seat):
    """By how much an opponent's value in a Region can grow with one Move, for those worth holding."""
    for region in range(int(board.n_regions)):
        packed = scratch[m.REGION + region]
        if m.hold_of(packed) == 0:
            continue
        highest = 0
        for other in range(int(public.n_seats)):
            if other == seat:
                continue
            group = 0
            for i in range(int(board.n_linked[region])):
                near = int(board.linked[region, i])
                units = int(public.scrappers[other, near])
                if public.leader[other] == near:
                    units += 1
                group = max(group, units)
            value = int(public.value[region, other]) + (group * int(weights[p.REACH]) >> 10)
            highest = max(highest, value)
        m.bound_growth(scratch, region, max(0, highest - m.highest_of(packed)))


@inner
def look_at_hand(public, rules, pack, board, weights, scratch, seat, choices, n):
    """What a Buy costs in plays: not the best card's, which can be played next, but the last one's that is
    played in this Turn.
    """
    left = int(public.cards_left) + int(rules.cards_per_phase) * (3 - min(3, int(public.phase)))
    best = 0
    for j in range(left + 1):
        scratch[m.HAND + j] = 0
    for i in range(n):
        code = int(choices[i])
        if kind_of(code) == PLAY:
            worth = play_worth(public, rules, pack, board, weights, scratch, seat, a_of(code))
            best = max(best, worth)
            # the plays so far, in order, the highest first
            scratch[m.HAND + left] = worth
            j = left
            while j > 0 and scratch[m.HAND + j - 1] < worth:
                scratch[m.HAND + j] = scratch[m.HAND + j - 1]
                j -= 1
            scratch[m.HAND + j] = worth
    scratch[m.BUY_FIRST] = (best - scratch[m.HAND + left - 1]) * int(weights[p.PATIENCE]) >> 10


@inner
def prepare(public, own, rules, pack, board, seat, weights, scratch):
    """At every decision all is weighed anew; what cards are made of, before a card only."""
    stamp = int(public.turn) * 8 + int(public.phase) + 1
    within_a_card = asked(public) != ASK_CARD and scratch[m.STAMP] == stamp
    scratch[m.STAMP] = stamp
    scratch[m.TURNS_AFTER] = int(rules.turns) - int(public.turn)
    scratch[m.LEADER] = leader_worth(public, rules, seat)
    scratch[m.AT_RISK] = risk_now(public, rules, weights)
    scratch[m.DRONES] = int(weights[p.DRONE])
    scratch[m.SAFE] = int(weights[p.SAFE])
    scratch[m.DENIED] = denied(public, weights)
    left = 3 * (int(rules.turns) - int(public.turn)) + 4 - int(public.phase)
    scratch[m.ACCESS] = int(weights[w.ACCESS]) * left // max(1, 3 * int(rules.turns))
    weigh_plan(public, rules, pack, board, seat, weights, scratch)
    weigh_resources(public, rules, seat, weights, scratch)
    weigh_colours(public, own, rules, seat, weights, scratch)
    map_regions(public, rules, board, seat, weights, scratch)
    look_around(public, board, weights, scratch, seat)
    if public.turn == rules.turns:
        factor = int(weights[p.LAST + min(max(int(public.phase), 1), 3) - 1])
        for region in range(int(board.n_regions)):
            m.scale_pull(scratch, region, factor)
    if within_a_card:
        return
    look_at_board(public, rules, board, weights, scratch, seat)
    look_at_pad(public, weights, scratch, seat)
    prefer_by_phase(public, weights, scratch)


@inner
def best_mission(public, rules, pack, board, choices, n, weights, scratch, seat):
    """The Mission that, with the plan for those to come, gives most."""
    count_things(public, rules, pack, board, seat, scratch)
    best = 0
    best_score = -1
    for i in range(n):
        code = int(choices[i])
        if kind_of(code) == MISSION:
            score = planned_mission(
                public, rules, pack, board, seat, weights, scratch, a_of(code), b_of(code)
            )
            if score > best_score or (score == best_score and code < choices[best]):
                best, best_score = i, score
    return best


@inner
def any_choice(choices, n, key):
    """Any choice alike, by noise of its own: one legal choice more or less doesn't reshuffle the rest."""
    best = 0
    best_noise = -1
    for i in range(n):
        noise = chance.draw(key, chance.NOISE, choices[i], 2)
        if noise > best_noise:
            best, best_noise = i, noise
    return best


@entry(choose_signature)
def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    """The choice of the highest score; a Mission by the plan."""
    seat = active_seat(public[0])
    if weights[p.NOISE] > 0 and chance.below(chance.draw(key, chance.NOISE, 0, 1), 1000) < weights[p.NOISE]:
        return any_choice(choices, n, key)
    if asked(public[0]) == ASK_MISSION:
        return best_mission(public[0], rules[0], pack[0], board[0], choices, n, weights, scratch, seat)
    prepare(public[0], own[0], rules[0], pack[0], board[0], seat, weights, scratch)
    scratch[m.BUY_FIRST] = 0
    if asked(public[0]) == ASK_CARD and rules[0].planning == 0 and public[0].bought == 0:
        look_at_hand(public[0], rules[0], pack[0], board[0], weights, scratch, seat, choices, n)
    return best_choice(public[0], rules[0], pack[0], board[0], choices, n, weights, scratch, seat, key)


UNTUNED = Strategy(
    "dei/planner_untuned",
    "dei/planner before its weights were tuned",
    choose,
    p.WEIGHTS,
    weight_names=p.NAMES,
    looks_in_play_only=True,
    weighs_choices_alone=True,
)
