"""Performing one choice: the icon is spent, the verb done, its questions pushed. What comes next: turn.py."""

from __future__ import annotations

from simlab.games.dei.agenda import add_icon, asked, empty_bag, frame_field, pop, push, remove_icon
from simlab.games.dei.builds import build
from simlab.games.dei.candy import gain_candy, lay_candy, wild_outposts
from simlab.games.dei.choices import (
    ACTIVATE,
    BUY,
    CONSTRUCT,
    DECLARE,
    DEPLOYMENT,
    EXCAVATE,
    GAIN,
    GATHER,
    HARVEST,
    KILLING,
    LAY_CANDY,
    MOVING,
    PLACE,
    PLAY,
    REAP,
    REPLICATE,
    SKIP,
    TELEPORT,
    a_of,
    b_of,
    c_of,
    d_of,
    e_of,
    kind_of,
    op_of,
)
from simlab.games.dei.collects import collect
from simlab.games.dei.copies import copy_card
from simlab.games.dei.drones import activate, harvest, place_scrapper, reap, teleport
from simlab.games.dei.enlists import enlist, put_resource
from simlab.games.dei.icons import icon
from simlab.games.dei.kills import kill
from simlab.games.dei.legal import controlled
from simlab.games.dei.markets import buy, lay_down
from simlab.games.dei.moves import move
from simlab.games.dei.resources import gain_resource, gain_supplies, gained_kind
from simlab.games.dei.vocabulary import (
    ASK_FLY,
    ASK_ICON,
    ASK_REPEAT,
    DRONE,
    EXTRA_MOVE,
    FACE_UP,
    FLY,
    FROM_ICONS,
    GAIN_CANDY,
    GAIN_SUPPLIES,
    NONE,
)
from simlab.jit import inner


@inner
def spend(public, code):
    """CORE-032, CORE-055, CORE-092: take away what is used up: an icon, an extra Move, a repetition."""
    op = op_of(code)
    if op == EXTRA_MOVE:
        public.extra_moves -= 1
        return
    if asked(public) == ASK_REPEAT:
        if frame_field(public, 4) == 1 and kind_of(code) != SKIP:
            public.seeker_used = 1
        left = frame_field(public, 3) - 1
        if left == 0:
            pop(public)
        else:
            public.frame[int(public.n_frames) - 1, 3] = left
        return
    remove_icon(public, spent_icon(code))


@inner
def spent_icon(code):
    """The icon in the bag that a choice spends."""
    kind, op = kind_of(code), op_of(code)
    if kind == GAIN:
        return icon(op, 0, 0, a_of(code))
    if kind == DECLARE:
        return icon(op, a_of(code), 0, b_of(code))
    if kind == ACTIVATE:
        return icon(DRONE, 0, c_of(code) >> 4, c_of(code) & 15)
    return icon(op, 0, 0, 0)


@inner
def perform_icon(public, own, hidden, log, rules, pack, board, seat, code):
    """CORE-040 … CORE-066, CORE-070, CORE-115: one icon resolved."""
    kind, op = kind_of(code), op_of(code)
    a, b, c = a_of(code), b_of(code), c_of(code)
    play = frame_field(public, 2) if asked(public) == ASK_ICON else NONE
    spend(public, code)
    if kind == MOVING:
        move(public, log, rules, seat, a, b, c, d_of(code), e_of(code))
    elif kind == GATHER:
        collect(public, log, rules, board, seat, op, a, b)
    elif kind == EXCAVATE:
        put_resource(public, log, board, a)
    elif kind == KILLING:
        kill(public, own, hidden, log, rules, pack, seat, b, a)
    elif kind == DEPLOYMENT:
        enlist(public, log, board, seat, a, b, c)
    elif kind == CONSTRUCT:
        build(public, log, rules, seat, a, b, c)
    elif kind == GAIN:
        gain(public, own, hidden, log, rules, pack, seat, op, a)
    elif kind == DECLARE:
        declare(public, own, hidden, log, rules, pack, seat, play, op, a, b)
    elif kind == REPLICATE:
        copy_card(public, pack, seat, play, a)
    elif kind == ACTIVATE:
        activate(public, log, rules, board, seat, a, b)


@inner
def gain(public, own, hidden, log, rules, pack, seat, op, amount):
    """CORE-061: Supplies, Technology, Energy Cells or a Candy Boost, at once."""
    if op == GAIN_SUPPLIES:
        gain_supplies(public, log, seat, amount, FROM_ICONS)
    elif op == GAIN_CANDY:
        gain_candy(public, own, hidden, log, pack, seat, max(amount, 1))
    else:
        gain_resource(public, log, rules, seat, gained_kind(op), amount)


@inner
def declare(public, own, hidden, log, rules, pack, seat, play, op, per, amount):
    """CORE-063, CORE-080: counted when declared; gains at once, other actions one after the other."""
    times = controlled(public, seat, per, wild_outposts(public, seat, play))
    if amount > 0:
        gain(public, own, hidden, log, rules, pack, seat, op, amount * times)
    elif op == GAIN_CANDY:
        gain_candy(public, own, hidden, log, pack, seat, times)
    else:
        push(public, ASK_REPEAT, seat, op, times, 0)


@inner
def perform_drone(public, own, hidden, log, rules, pack, board, seat, code):
    """CORE-071 … CORE-074: the action of the Drone that was activated."""
    kind = kind_of(code)
    drone = FLY if asked(public) == ASK_FLY else frame_field(public, 2)
    left = frame_field(public, 3)
    region = int(public.drone[drone])
    if kind == HARVEST:
        harvest(public, log, rules, board, seat, region, left)
    elif kind == PLACE:
        place_scrapper(public, seat, region, a_of(code), left)
    elif kind == TELEPORT:
        teleport(public, board, seat, region, a_of(code), left)
    elif kind == REAP:
        reap(public, own, hidden, log, rules, pack, seat, region)
    else:
        pop(public)


@inner
def play_face_up(public, own, log, rules, pack, seat, card):
    """CORE-030, CORE-031: a card face up: its icons become pending."""
    use_card(public, own, rules, seat, card)
    play = int(public.n_plays[seat])
    public.play[seat, play] = card
    public.n_plays[seat] = play + 1
    public.card_place[card] = FACE_UP
    log.plays[card] += 1
    empty_bag(public)
    for i in range(int(pack.n_icons[card])):
        add_icon(public, int(pack.icon[card, i]))
    push(public, ASK_ICON, seat, play, 0, 0)


@inner
def use_card(public, own, rules, seat, card):
    """CORE-030, CORE-132: one card less to play in this phase; a committed one is no longer hidden."""
    public.cards_left -= 1
    size = int(own[seat].n_committed)
    for i in range(size):
        if own[seat].committed[i] == card:
            for j in range(i, size - 1):
                own[seat].committed[j] = own[seat].committed[j + 1]
            own[seat].committed[size - 1] = NONE
            own[seat].n_committed = size - 1
            return


@inner
def perform_card(public, own, hidden, log, rules, pack, seat, code):
    """CORE-031, CORE-044, CORE-080, CORE-114: a card played, a purchase, a Candy Boost laid."""
    kind = kind_of(code)
    if kind == PLAY:
        play_face_up(public, own, log, rules, pack, seat, a_of(code))
    elif kind == LAY_CANDY:
        lay_candy(public, own, hidden, log, rules, pack, seat, frame_field(public, 2), a_of(code))
    elif kind == BUY:
        if d_of(code) > 0:
            use_card(public, own, rules, seat, d_of(code) - 1)
            lay_down(public, seat, d_of(code) - 1)
            empty_bag(public)
        buy(public, own, hidden, log, rules, pack, seat, code)
        if d_of(code) > 0:
            push(public, ASK_ICON, seat, int(public.n_plays[seat]) - 1, 0, 0)
