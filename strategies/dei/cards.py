"""What cards are worth: an icon here and now, a card in hand, a card on a market, a purchase."""

from __future__ import annotations

from simlab.games.dei.choices import b_of, c_of, d_of, e_of
from simlab.games.dei.enlists import can_enlist_at
from simlab.games.dei.icons import icon_amount, icon_argument, icon_op, icon_per
from simlab.games.dei.legal import controlled
from simlab.games.dei.majority import units_at
from simlab.games.dei.modifiers import drone_reach, has_feat
from simlab.games.dei.vocabulary import (
    ANY_DRONE,
    BUILD_ANY,
    BUILD_REFUGE,
    COLLECT,
    COPY,
    DRONE,
    ENLIST,
    EXTRA_MOVE,
    FACE_UP,
    GAIN_CANDY,
    GAIN_ENERGY,
    GAIN_SUPPLIES,
    GAIN_TECHNOLOGY,
    KILL,
    LOGISTIC_COLLECT,
    LOGISTIC_MOVE,
    MACHINERY_COLLECT,
    MACHINERY_ENLIST,
    MISSION_CONSTRUCTIONS,
    MISSION_DRONE_CARDS,
    MISSION_SCRAPPERS,
    MOVE,
    N_DRONES,
    N_MARKETS,
    N_OPS,
    NONE,
    TACTIC_ENLIST,
    TACTIC_MOVE,
    TRADING_POST,
)
from simlab.jit import inner
from strategies.dei import memory as m
from strategies.dei import weights as w
from strategies.dei.actions import drone_worth, join, kill_worth, leave


@inner
def candy_kept(weights, scratch):
    """What a Candy Boost kept for later is worth: less from Turn to Turn."""
    return int(weights[w.CANDY_KEPT]) * scratch[m.TURNS_AFTER]


@inner
def best_move(public, board, weights, scratch, seat):
    """The best that a Move can do, roughly: all Units that aren't needed, over a Link for everybody."""
    best = 0
    for start in range(int(board.n_regions)):
        units = units_at(public, seat, start)
        if units == 0:
            continue
        stay = 0
        if units > 1 and public.holder[start] == seat:
            stay = 1
        value = units - stay
        if public.leader[seat] == start:
            value += scratch[m.LEADER] - 1
        cost = leave(public, weights, scratch, seat, start, units - stay, value)
        for i in range(int(board.n_linked[start])):
            end = int(board.linked[start, i])
            there = scratch[m.REGION + end]
            if m.hold_of(there) + 3 * m.pull_of(there) - cost > best:
                gain = join(public, weights, scratch, seat, end, units - stay, value) - cost
                best = max(best, gain)
    return best


@inner
def look_at_board(public, rules, board, weights, scratch, seat):
    """Icons here and now: the best Collect, Enlist, Move, Kill."""
    scratch[m.LOOK] = int(public.decisions) + 1
    collect = 0
    enlist = 0
    flight = 0
    tactic = 0
    kill = 0
    for region in range(int(board.n_regions)):
        if public.holder[region] == seat and public.resources[region] > 0:
            collect = max(collect, scratch[m.TECHNOLOGY_WORTH + int(board.level[region])])
        pull = m.pull_of(scratch[m.REGION + region])
        flight = max(flight, pull)
        if pull > enlist and can_enlist_at(public, rules, board, seat, ENLIST, region):
            enlist = pull
        if units_at(public, seat, region) > 0:
            tactic = max(tactic, pull)
            for victim in range(int(public.n_seats)):
                if victim != seat and public.scrappers[victim, region] > 0:
                    kill = max(kill, kill_worth(public, weights, scratch, seat, region, victim))
    base = 0
    if public.reserve[seat] > 0:
        base = scratch[m.THING + MISSION_SCRAPPERS] + int(weights[w.UNIT_BASE])
    move = best_move(public, board, weights, scratch, seat)
    scratch[m.NOW + MOVE] = move
    scratch[m.NOW + EXTRA_MOVE] = move
    scratch[m.NOW + TACTIC_MOVE] = move + int(weights[w.CLIMB])
    scratch[m.NOW + LOGISTIC_MOVE] = move + int(weights[w.CLIMB])
    scratch[m.NOW + COLLECT] = collect
    scratch[m.NOW + LOGISTIC_COLLECT] = max(collect, scratch[m.ENERGY_WORTH]) if collect > 0 else 0
    scratch[m.NOW + MACHINERY_COLLECT] = collect + scratch[m.TECHNOLOGY_WORTH] if collect > 0 else 0
    scratch[m.NOW + ENLIST] = base + enlist * int(weights[w.UNIT]) >> 10
    scratch[m.NOW + TACTIC_ENLIST] = base + max(enlist, tactic) * int(weights[w.UNIT]) >> 10
    scratch[m.NOW + MACHINERY_ENLIST] = scratch[m.NOW + ENLIST] + 200
    scratch[m.NOW + KILL] = kill
    scratch[m.FLIGHT] = flight


@inner
def look_at_pad(public, weights, scratch, seat):
    """Icons here and now: builds and gains."""
    for op in range(BUILD_REFUGE, BUILD_ANY + 1):
        free = op == BUILD_ANY
        if op != BUILD_ANY:
            for token in range(public.built.shape[2]):
                free = free or public.built[seat, op - BUILD_REFUGE, token] == NONE
        worth = scratch[m.THING + MISSION_CONSTRUCTIONS] + 2 * int(weights[w.BUILD_BASE])
        scratch[m.NOW + op] = worth if free else 0
    scratch[m.NOW + GAIN_TECHNOLOGY] = scratch[m.TECHNOLOGY_WORTH]
    scratch[m.NOW + GAIN_ENERGY] = scratch[m.ENERGY_WORTH]
    scratch[m.NOW + GAIN_SUPPLIES] = 1000
    scratch[m.NOW + GAIN_CANDY] = int(weights[w.CANDY])
    scratch[m.NOW + COPY] = 0
    scratch[m.NOW + DRONE] = 0


@inner
def best_drone(public, rules, board, weights, scratch, seat, code):
    """The best that a Drone icon can do now."""
    reach = drone_reach(public, rules, seat, icon_amount(code))
    which = icon_argument(code)
    best = 0
    for drone in range(N_DRONES):
        start = int(public.drone[drone])
        if start == NONE or which not in (ANY_DRONE, drone):
            continue
        for end in range(int(board.n_regions)):
            if board.distance[start, end] <= reach:
                best = max(best, drone_worth(public, rules, board, weights, scratch, seat, drone, end))
    return best


@inner
def times_of(public, weights, seat, per):
    """How often an icon is done, in 1024ths: once, or once per controlled Outpost."""
    if per == 0:
        return 1024
    return controlled(public, seat, per, 0) * int(weights[w.PER_OUTPOST])


@inner
def card_now(public, rules, pack, board, weights, scratch, seat, card):
    """What a card of the hand is worth here and now; Copy icons apart."""
    worth = 0
    before = NONE
    repeat = 1024
    for i in range(int(pack.n_icons[card])):
        code = int(pack.icon[card, i])
        op = icon_op(code)
        if op == DRONE:
            worth += best_drone(public, rules, board, weights, scratch, seat, code) * scratch[m.DRONES] >> 10
            continue
        if op == COPY:
            continue
        repeat = repeat * int(weights[w.AGAIN]) >> 10 if op == before else 1024
        before = op
        each = scratch[m.NOW + op] * max(1, icon_amount(code)) * repeat >> 10
        worth += each * times_of(public, weights, seat, icon_per(code)) >> 10
    return worth


@inner
def play_worth(public, rules, pack, board, weights, scratch, seat, card):
    """A card played face up: its icons, and for Copy icons the best card of this Turn."""
    worth = card_now(public, rules, pack, board, weights, scratch, seat, card)
    for i in range(int(pack.n_icons[card])):
        if icon_op(int(pack.icon[card, i])) == COPY:
            best = 0
            for play in range(int(public.n_plays[seat])):
                earlier = int(public.play[seat, play])
                if public.card_place[earlier] == FACE_UP:
                    best = max(best, card_now(public, rules, pack, board, weights, scratch, seat, earlier))
            worth += best * int(weights[w.COPIED]) >> 10
    return worth


@inner
def typical_icon(weights, scratch, op):
    """What an icon is worth on average."""
    if op in (COLLECT, LOGISTIC_COLLECT):
        return int(weights[w.TYPICAL_COLLECT])
    if op == MACHINERY_COLLECT:
        return int(weights[w.TYPICAL_COLLECT]) + scratch[m.TECHNOLOGY_PRICE]
    if op in (ENLIST, TACTIC_ENLIST, MACHINERY_ENLIST):
        return int(weights[w.TYPICAL_ENLIST]) + scratch[m.THING + MISSION_SCRAPPERS]
    if BUILD_REFUGE <= op <= BUILD_ANY:
        return int(weights[w.TYPICAL_BUILD]) + scratch[m.THING + MISSION_CONSTRUCTIONS]
    if op in (DRONE, COPY):
        return int(weights[w.TYPICAL_DRONE])
    if op == GAIN_SUPPLIES:
        return 1000
    if op in (GAIN_CANDY, KILL):
        return int(weights[w.CANDY])
    if op in (GAIN_TECHNOLOGY, GAIN_ENERGY):
        return scratch[m.TECHNOLOGY_PRICE + op - GAIN_TECHNOLOGY]
    return int(weights[w.TYPICAL_MOVE])


@inner
def typical_worth(public, pack, weights, scratch, seat, card):
    """What a card is worth each time it is played."""
    worth = 0
    for i in range(int(pack.n_icons[card])):
        code = int(pack.icon[card, i])
        each = scratch[m.TYPICAL + icon_op(code)]
        if icon_amount(code) > 1 and icon_op(code) != DRONE:
            each *= icon_amount(code)
        if icon_per(code) > 0:
            each = each * times_of(public, weights, seat, icon_per(code)) >> 10
        worth += each
    return worth


@inner
def look_at_market(public, weights, scratch):
    """At a decision's first purchase: icons on average; no card is worked out yet."""
    scratch[m.SHOP] = public.decisions + 1
    scratch[m.LAID] = 0
    for op in range(N_OPS):
        scratch[m.TYPICAL + op] = typical_icon(weights, scratch, op)
    for slot in range(N_MARKETS * 4):
        scratch[m.SLOT + slot] = m.UNKNOWN


@inner
def slot_worth(public, rules, pack, weights, scratch, seat, market, slot):
    """A face-up Market card: printed Supplies, Missions, the better hand; the price apart."""
    card = int(public.market[market, slot])
    worth = int(weights[w.PRINTED]) * int(pack.card_supplies[card])
    if pack.is_drone_card[card] != 0:
        worth += scratch[m.THING + MISSION_DRONE_CARDS]
    better = typical_worth(public, pack, weights, scratch, seat, card) - int(weights[w.CARD_BASE])
    if better > 0:
        plays = int(weights[w.CARD_FUTURE]) * scratch[m.TURNS_AFTER]
        if rules.planning == 0 and public.cards_left > 1:
            plays += int(weights[w.CARD_FRESH])
        worth += better * plays >> 10
    if pack.slot_technology[market, slot] < 0:
        worth -= int(pack.slot_technology[market, slot]) * scratch[m.TECHNOLOGY_PRICE]
    return worth


@inner
def loss_of(public, pack, weights, scratch, seat, laid):
    """What laying a card down for good costs, beside not playing it now; kept for the next choice."""
    if scratch[m.LAID] != laid + 1:
        typical = typical_worth(public, pack, weights, scratch, seat, laid)
        plays = int(weights[w.CARD_FUTURE]) * scratch[m.TURNS_AFTER]
        scratch[m.LAID] = laid + 1
        scratch[m.LOSS] = (max(0, typical - int(weights[w.CARD_BASE])) * plays >> 10) + (typical >> 3)
    return scratch[m.LOSS]


@inner
def score_buy(public, rules, pack, weights, scratch, seat, code):
    """A purchase: the card, less the price and the card laid down."""
    if scratch[m.SHOP] != public.decisions + 1:
        look_at_market(public, weights, scratch)
    place = m.SLOT + b_of(code)
    if scratch[place] == m.UNKNOWN:
        market, slot = b_of(code) >> 2, b_of(code) & 3
        scratch[place] = slot_worth(public, rules, pack, weights, scratch, seat, market, slot)
    paid = c_of(code)
    worth = scratch[place] + scratch[m.BUY_FIRST]
    worth -= (paid >> 5) * scratch[m.TECHNOLOGY_PRICE] + (paid & 31) * scratch[m.ENERGY_PRICE]
    if has_feat(public, seat, TRADING_POST):
        worth += 1000 * int(rules.trading_post_supplies)
    if d_of(code) > 0:
        worth += int(weights[w.BUY_BASE]) - loss_of(public, pack, weights, scratch, seat, d_of(code) - 1)
    else:
        worth -= int(rules.delivery_bot_energy) * scratch[m.ENERGY_PRICE]
    if e_of(code) > 0:
        worth -= candy_kept(weights, scratch)
    return worth
