"""The legal choices at a decision: every one the rules allow, none that they forbid."""

from __future__ import annotations

from simlab.games.dei.agenda import active_seat, add, asked, frame_field
from simlab.games.dei.builds import list_build_icon
from simlab.games.dei.candy import list_candy, wild_outposts
from simlab.games.dei.choices import COMMIT, DECLARE, DEPLOY, END_CARD, END_PHASE, PLAY, SKIP, choice, with_d
from simlab.games.dei.collects import list_collects
from simlab.games.dei.copies import list_copies
from simlab.games.dei.drones import list_activations, list_drone, list_next_scrapper
from simlab.games.dei.enlists import list_enlists
from simlab.games.dei.feats import list_colours, list_feats
from simlab.games.dei.icons import icon_amount, icon_op, icon_per
from simlab.games.dei.kills import list_kills
from simlab.games.dei.majority import cubes_held
from simlab.games.dei.markets import list_bot_buys, list_buys
from simlab.games.dei.missions import list_missions
from simlab.games.dei.modifiers import has_feat
from simlab.games.dei.moves import list_moves
from simlab.games.dei.resources import list_discards, list_gains
from simlab.games.dei.vocabulary import (
    ANY_COLOUR,
    ASK_CARD,
    ASK_COLOUR,
    ASK_COMMIT,
    ASK_DEPLOY,
    ASK_DISCARD,
    ASK_DRONE,
    ASK_END,
    ASK_FEAT,
    ASK_FLY,
    ASK_ICON,
    ASK_MISSION,
    ASK_REPEAT,
    BUILD_ANY,
    BUILD_REFUGE,
    COLLECT,
    COPY,
    DRONE,
    ENLIST,
    EXTRA_MOVE,
    FLY,
    HAND,
    KILL,
    LOGISTIC_COLLECT,
    LOGISTIC_MOVE,
    MACHINERY_COLLECT,
    MACHINERY_ENLIST,
    MOVE,
    NONE,
    OUTNUMBER,
    TACTIC_ENLIST,
    TACTIC_MOVE,
)
from simlab.jit import inner


@inner
def list_legal(public, own, rules, pack, board, out):
    """Write the choices of the seat to act into `out` and return how many there are.

    More than `len(out)` are counted, not written: the caller ends such a game with its reason.
    """
    seat = active_seat(public)
    ask = asked(public)
    if ask == ASK_ICON:
        return list_icon_choices(public, own, rules, pack, board, seat, out, 0)
    if ask == ASK_CARD:
        return list_card_choices(public, own, rules, pack, board, seat, out, 0)
    if ask == ASK_REPEAT:
        op = frame_field(public, 2)
        n = list_action(public, rules, board, seat, op, 1, out, 0)
        return add(out, n, choice(SKIP, op, 0, 0, 0, 0, 0))
    if ask == ASK_DRONE:
        return list_drone(public, rules, board, seat, frame_field(public, 2), out, 0)
    if ask == ASK_FLY:
        return list_next_scrapper(public, board, out, 0, int(public.drone[FLY]))
    if ask == ASK_DISCARD:
        return list_discards(out, 0)
    if ask == ASK_END:
        return list_end_choices(public, own, rules, pack, board, seat, out, 0)
    return list_occasional(public, own, rules, board, seat, ask, out)


@inner
def list_occasional(public, own, rules, board, seat, ask, out):
    """The questions asked once a game or once a Turn."""
    if ask == ASK_MISSION:
        return list_missions(public, rules, seat, out, 0)
    if ask == ASK_DEPLOY:
        return list_deployments(public, rules, board, seat, out, 0)
    if ask == ASK_COMMIT:
        return list_commitments(public, rules, seat, out, 0)
    if ask == ASK_COLOUR:
        return list_colours(own, seat, out, 0)
    if ask == ASK_FEAT:
        return list_feats(own, seat, frame_field(public, 2), out, 0)
    return 0


@inner
def list_action(public, rules, board, seat, op, amount, out, n):
    """CORE-032, CORE-040 … CORE-062, CORE-110: what one plain icon of this operation may do."""
    if op == MOVE or op == TACTIC_MOVE or op == LOGISTIC_MOVE:
        return list_moves(public, rules, board, seat, op, out, n)
    if op == COLLECT or op == LOGISTIC_COLLECT or op == MACHINERY_COLLECT:
        return list_collects(public, rules, board, seat, op, out, n)
    if op == ENLIST or op == TACTIC_ENLIST or op == MACHINERY_ENLIST:
        n = list_enlists(public, rules, board, seat, op, out, n)
        if public.reserve[seat] == 0 and has_feat(public, seat, OUTNUMBER):
            n = list_moves(public, rules, board, seat, op, out, n)
            n = list_collects(public, rules, board, seat, op, out, n)
        return n
    if BUILD_REFUGE <= op <= BUILD_ANY:
        return list_build_icon(public, rules, board, seat, op, out, n)
    if op == KILL:
        return list_kills(public, rules, board, seat, op, out, n)
    return list_gains(public, rules, seat, op, amount, out, n)


@inner
def controlled(public, seat, per, wild):
    """CORE-063, CORE-080: Outposts that an action per Outpost counts, a laid wild one included."""
    colour = per - 1
    if colour == ANY_COLOUR:
        return cubes_held(public, seat) + wild
    return int(public.cubes[seat, colour]) + wild


@inner
def list_icon(public, rules, pack, board, seat, play, code, out, n):
    """CORE-032, CORE-060, CORE-063, CORE-070: what one pending icon may do."""
    op, per, amount = icon_op(code), icon_per(code), icon_amount(code)
    if per > 0:
        # an action per Outpost is declared; its times are done one after the other
        if controlled(public, seat, per, wild_outposts(public, seat, play)) > 0:
            possible = list_action(public, rules, board, seat, op, amount, out, n) > n
            if possible:
                return add(out, n, choice(DECLARE, op, per, amount, 0, 0, 0))
        return n
    if op == COPY:
        return list_copies(public, pack, seat, play, out, n)
    if op == DRONE:
        return list_activations(public, rules, board, seat, code, out, n)
    return list_action(public, rules, board, seat, op, amount, out, n)


@inner
def list_extra_moves(public, rules, board, seat, out, n):
    """CORE-055, CORE-106, CORE-107: extra Moves, while any is left in this phase."""
    if public.extra_moves > 0:
        n = list_moves(public, rules, board, seat, EXTRA_MOVE, out, n)
    return n


@inner
def list_icon_choices(public, own, rules, pack, board, seat, out, n):
    """CORE-032, CORE-055, CORE-082, CORE-114: pending icons in any order, Candy, extras, or end the card."""
    play = frame_field(public, 2)
    for i in range(int(public.n_bag)):
        code = int(public.bag[i])
        if i == 0 or int(public.bag[i - 1]) != code:  # the bag is sorted: equal icons lie together
            n = list_icon(public, rules, pack, board, seat, play, code, out, n)
    n = list_candy(public, own, rules, seat, play, out, n)
    n = list_extra_moves(public, rules, board, seat, out, n)
    n = list_bot_buys(public, own, rules, pack, seat, play, out, n)
    return add(out, n, choice(END_CARD, 0, 0, 0, 0, 0, 0))


@inner
def list_card_choices(public, own, rules, pack, board, seat, out, n):
    """CORE-030, CORE-031, CORE-132: a card face up, or face down to Buy; under Planning a committed one."""
    if rules.planning != 0:
        for i in range(int(own[seat].n_committed)):
            n = list_card(public, own, rules, pack, seat, int(own[seat].committed[i]), out, n)
    else:
        n = list_hand(public, own, rules, pack, seat, out, n)
    n = list_extra_moves(public, rules, board, seat, out, n)
    return list_bot_buys(public, own, rules, pack, seat, NONE, out, n)


@inner
def list_card(public, own, rules, pack, seat, card, out, n):
    """CORE-031, CORE-044: one card face up, or face down for the phase's Buy."""
    n = add(out, n, choice(PLAY, 0, card, 0, 0, 0, 0))
    if public.bought == 0:
        n = list_buys(public, own, rules, pack, seat, card, out, n)
    return n


@inner
def list_hand(public, own, rules, pack, seat, out, n):
    """CORE-031, CORE-044: every card of the hand. The first one's purchases serve all."""
    first = NONE
    buys = 0  # where the first card's purchases begin, and how many they are
    size = 0
    for card in range(int(pack.n_cards)):
        if not in_hand(public, seat, card):
            continue
        if first == NONE:
            first = card
            buys = n + 1
            n = list_card(public, own, rules, pack, seat, card, out, n)
            size = n - buys
            continue
        n = add(out, n, choice(PLAY, 0, card, 0, 0, 0, 0))
        for i in range(buys, buys + size):
            n = add(out, n, with_d(out[min(i, len(out) - 1)], card + 1))
    return n


@inner
def list_end_choices(public, own, rules, pack, board, seat, out, n):
    """CORE-054, CORE-055, CORE-114: after the last card: extra Moves, Delivery Bot, or end the phase."""
    n = list_extra_moves(public, rules, board, seat, out, n)
    n = list_bot_buys(public, own, rules, pack, seat, NONE, out, n)
    return add(out, n, choice(END_PHASE, 0, 0, 0, 0, 0, 0))


@inner
def list_deployments(public, rules, board, seat, out, n):
    """CORE-018: where the Leader goes, and of an odd number the odd Unit."""
    regions = int(board.n_refuge_regions)
    units = starting_units(public, rules, seat)
    for i in range(regions):
        leader_region = int(board.refuge_regions[i])
        if regions == 1 or units % 2 == 0:
            n = add(out, n, choice(DEPLOY, 0, leader_region, leader_region, 0, 0, 0))
            continue
        for j in range(regions):
            # a lone Unit is the Leader: the odd Unit can't be elsewhere
            if units > 1 or i == j:
                n = add(out, n, choice(DEPLOY, 0, leader_region, int(board.refuge_regions[j]), 0, 0, 0))
    return n


@inner
def starting_units(public, rules, seat):
    """CORE-018: Leader and Scrappers that a seat deploys."""
    scrappers = int(rules.starting_scrappers[seat]) + int(rules.grant_scrappers[seat])
    return 1 + min(scrappers, int(public.reserve[seat]))


@inner
def list_commitments(public, rules, seat, out, n):
    """CORE-132: every set of cards of the hand, as many as the phase asks for."""
    size = min(int(rules.cards_per_phase), hand_size(public, seat))
    for first in range(len(public.card_owner)):
        if not in_hand(public, seat, first):
            continue
        if size == 1:
            n = add(out, n, choice(COMMIT, 0, first + 1, 0, 0, 0, 0))
            continue
        for second in range(first + 1, len(public.card_owner)):
            if not in_hand(public, seat, second):
                continue
            if size == 2:
                n = add(out, n, choice(COMMIT, 0, first + 1, second + 1, 0, 0, 0))
                continue
            for third in range(second + 1, len(public.card_owner)):
                if in_hand(public, seat, third):
                    n = add(out, n, choice(COMMIT, 0, first + 1, second + 1, third + 1, 0, 0))
    return n


@inner
def in_hand(public, seat, card):
    """CORE-016: whether a card is in this seat's hand."""
    return public.card_owner[card] == seat and public.card_place[card] == HAND


@inner
def hand_size(public, seat):
    """CORE-016: cards in hand."""
    count = 0
    for card in range(len(public.card_owner)):
        if in_hand(public, seat, card):
            count += 1
    return count
