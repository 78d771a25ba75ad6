"""What each choice other than a Move is worth to a strategy that looks one step ahead: milli-Supplies.

What the position makes of things (Missions still open, Regions, icons) is worked out once a card and kept
in `scratch`; each choice is then weighed by its own words. Nothing is tried out on a copy.
"""

from __future__ import annotations

from simlab.games.dei.agenda import asked, frame_field
from simlab.games.dei.choices import (
    ACTIVATE,
    BUY,
    COLOUR,
    COMMIT,
    CONSTRUCT,
    DECLARE,
    DEPLOY,
    DEPLOYMENT,
    DISCARD,
    EXCAVATE,
    FEAT,
    GAIN,
    GATHER,
    HARVEST,
    KILLING,
    LAY_CANDY,
    MISSION,
    PLACE,
    PLAY,
    REAP,
    REPLICATE,
    TELEPORT,
    a_of,
    b_of,
    c_of,
    kind_of,
    op_of,
)
from simlab.games.dei.icons import icon_op, icon_per
from simlab.games.dei.missions import is_on_time, mission_value
from simlab.games.dei.vocabulary import (
    ASK_CARD,
    ASK_FLY,
    BUILD_REFUGE,
    CANDY_OUTPOST,
    CANDY_REFUGE,
    CANDY_TECHNOLOGY,
    COLLECT,
    ENLIST,
    FLY,
    MOVE,
    N_COLOURS,
    NONE,
    SIMON,
)
from simlab.jit import inner
from strategies.dei import memory as m
from strategies.dei import weights as w
from strategies.dei.actions import (
    collect_worth,
    drone_worth,
    flight_worth,
    kill_worth,
    places_worth,
    resource_laid,
    score_build,
    score_enlist,
)
from strategies.dei.cards import candy_kept, card_now, look_at_board, look_at_pad, play_worth, score_buy
from strategies.dei.position import later_worth, weigh

NEVER = -(1 << 62)  # less than any score


@inner
def prepare(public, own, rules, pack, board, seat, weights, scratch):
    """Before a card, in a new phase and after a Kill all is weighed anew."""
    stamp = int(public.turn) * 8 + int(public.phase) + 1
    if asked(public) == ASK_CARD or scratch[m.STAMP] != stamp:
        weigh(public, own, rules, pack, board, seat, weights, scratch)
        look_at_board(public, rules, board, weights, scratch, seat)
        look_at_pad(public, weights, scratch, seat)


@inner
def score_mission(public, rules, pack, board, seat, weights, code):
    """Supplies now, less what the column could bring in a later Turn."""
    column, row = a_of(code), b_of(code)
    card = int(public.mission[column, row])
    on_time = is_on_time(public, column)
    now = 1000 * mission_value(public, rules, pack, board, seat, card, on_time)
    later = 0
    if public.turn < rules.turns:
        for other in range(2):
            card = int(public.mission[column, other])
            if card != NONE:
                in_time = column + 1 > public.turn
                then = later_worth(public, rules, pack, board, seat, weights, card, 1, in_time)
                later = max(later, then)
    return now - (later * int(weights[w.KEEP_COLUMN]) >> 10)


@inner
def score_candy(public, rules, board, weights, scratch, seat, kind):
    """A Candy Boost on the card: after the card's own icons, if it is worth more than kept."""
    kept = candy_kept(weights, scratch)
    if kind == CANDY_OUTPOST:
        for i in range(int(public.n_bag)):
            if icon_per(int(public.bag[i])) > 0:
                return scratch[m.NOW + icon_op(int(public.bag[i]))] - kept
        return -1
    if public.n_bag > 0:
        return -1
    if scratch[m.LOOK] != public.decisions + 1:
        look_at_board(public, rules, board, weights, scratch, seat)
    if kind == CANDY_TECHNOLOGY:
        return scratch[m.TECHNOLOGY_WORTH] - kept
    op = BUILD_REFUGE + kind - CANDY_REFUGE
    if kind < CANDY_REFUGE:
        op = (ENLIST, MOVE, COLLECT)[kind]
    return scratch[m.NOW + op] - kept


@inner
def score_colour(public, colour):
    """The colour of which most Feats are left."""
    taken = 0
    for other in range(int(public.n_seats)):
        for i in range(N_COLOURS):
            if public.draft_colour[other, i] == colour:
                taken += 1
    return -taken


@inner
def score_commit(public, rules, pack, board, weights, scratch, seat, code):
    """Cards to commit: what they are worth played."""
    worth = 0
    for number in (a_of(code), b_of(code), c_of(code)):
        if number > 0:
            worth += play_worth(public, rules, pack, board, weights, scratch, seat, number - 1)
    return worth


@inner
def score_occasional(public, rules, pack, board, weights, scratch, seat, kind, code):
    """What is asked once a game, a Turn or a collection."""
    if kind == MISSION:
        return score_mission(public, rules, pack, board, seat, weights, code) + 100_000
    if kind == DISCARD:
        return -scratch[m.TECHNOLOGY_WORTH + a_of(code)]
    if kind == DEPLOY:
        return 2 * m.pull_of(scratch[m.REGION + a_of(code)]) + m.pull_of(scratch[m.REGION + b_of(code)])
    if kind == COLOUR:
        return score_colour(public, a_of(code))
    if kind == FEAT:
        return int(weights[w.FEAT + a_of(code)])
    if kind == COMMIT:
        return score_commit(public, rules, pack, board, weights, scratch, seat, code)
    return 0


@inner
def score_drone(public, rules, board, weights, scratch, seat, kind, code):
    """What an activated Drone does, and where it goes before."""
    if kind == ACTIVATE:
        return drone_worth(public, rules, board, weights, scratch, seat, a_of(code), b_of(code))
    if kind == PLACE:
        if a_of(code) > 0:
            return -1
        return places_worth(public, weights, scratch, seat, int(public.drone[SIMON]), 1)
    if kind == TELEPORT:
        already = 0
        if asked(public) == ASK_FLY and frame_field(public, 2) == a_of(code):
            already = 1
        start = int(public.drone[FLY])
        return flight_worth(public, board, weights, scratch, seat, start, a_of(code), already)
    return 1000  # a resource, Supplies and a Candy Boost


@inner
def score_gain(weights, scratch, kind, code):
    """A gain, or an action per Outpost."""
    op = op_of(code)
    if kind == GAIN:
        return scratch[m.NOW + op] * max(1, a_of(code))
    return max(scratch[m.NOW + op], 100)


@inner
def ordered(score, bonus):
    """A choice worth making, moved up in the order of icons."""
    return score + bonus if score > 0 else score


@inner
def score_choice(public, rules, pack, board, weights, scratch, seat, code):
    """What a choice other than a Move is worth; ending a card, a phase or an action is worth nothing."""
    kind = kind_of(code)
    if kind == DEPLOYMENT:
        score = score_enlist(public, board, weights, scratch, seat, code)
        return ordered(score, int(weights[w.ORDER_ENLIST]))
    if kind == GATHER:
        return collect_worth(public, rules, board, scratch, seat, code)
    if kind == CONSTRUCT:
        score = score_build(public, rules, board, weights, scratch, seat, code)
        return ordered(score, int(weights[w.ORDER_BUILD]))
    if kind == PLAY:
        return play_worth(public, rules, pack, board, weights, scratch, seat, a_of(code))
    if kind == BUY:
        return score_buy(public, rules, pack, weights, scratch, seat, code)
    if kind in (ACTIVATE, PLACE, TELEPORT, HARVEST, REAP):
        return score_drone(public, rules, board, weights, scratch, seat, kind, code)
    if kind == KILLING:
        return kill_worth(public, weights, scratch, seat, a_of(code), b_of(code))
    if kind == LAY_CANDY:
        return score_candy(public, rules, board, weights, scratch, seat, a_of(code))
    if kind in (GAIN, DECLARE):
        return score_gain(weights, scratch, kind, code)
    if kind == REPLICATE:
        earlier = int(public.play[seat, a_of(code)])
        return 1 + card_now(public, rules, pack, board, weights, scratch, seat, earlier)
    if kind == EXCAVATE:
        return resource_laid(public, board, weights, scratch, seat, a_of(code))
    return score_occasional(public, rules, pack, board, weights, scratch, seat, kind, code)
