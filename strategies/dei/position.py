"""What a position is worth to a seat: things, then Regions; worked out once a card."""

from __future__ import annotations

from simlab.games.dei.feats import colour_mask, count_feats
from simlab.games.dei.majority import rival_knows
from simlab.games.dei.missions import is_on_time, things_counted
from simlab.games.dei.modifiers import has_feat, leader_worth
from simlab.games.dei.vocabulary import (
    BRIDGE,
    ELEVATOR,
    FIELD_KNOWLEDGE,
    MAX_SEATS,
    MISSION_CONSTRUCTIONS,
    MISSION_DRONE_CARDS,
    MISSION_ENERGY,
    MISSION_OUTPOSTS,
    MISSION_SCRAPPERS,
    MISSION_TACTIC,
    MISSION_TECHNOLOGIES,
    N_COLOURS,
    N_FEATS,
    N_MISSION_KINDS,
    NONE,
)
from simlab.jit import inner
from strategies.dei import memory as m
from strategies.dei import weights as w


@inner
def growth(weights, kind):
    """Thousandths that a counted thing grows in a Turn."""
    if kind == MISSION_DRONE_CARDS:
        return 300
    if kind in (MISSION_TECHNOLOGIES, MISSION_ENERGY):
        return int(weights[w.GROWTH_RESOURCES])
    if kind == MISSION_CONSTRUCTIONS:
        return int(weights[w.GROWTH_CONSTRUCTIONS])
    if kind == MISSION_SCRAPPERS:
        return int(weights[w.GROWTH_SCRAPPERS])
    if kind >= MISSION_TACTIC:
        return int(weights[w.GROWTH_OUTPOSTS]) // 2
    return int(weights[w.GROWTH_OUTPOSTS])


@inner
def later_worth(public, rules, pack, board, seat, weights, card, turns, on_time):
    """What a Mission would give after so many Turns more."""
    kind = int(pack.mission_kind[card])
    things = 1000 * things_counted(public, rules, pack, board, seat, kind) + turns * growth(weights, kind)
    if on_time:
        return things * int(pack.on_time_gain[card]) // int(pack.on_time_per[card])
    return things * int(pack.late_gain[card]) // int(pack.late_per[card])


@inner
def weigh_missions(public, rules, pack, board, seat, weights, scratch):
    """Columns still open: the better Mission counts most, those of later Turns a little less."""
    for kind in range(N_MISSION_KINDS):
        scratch[m.THING + kind] = 0
    for column in range(int(rules.turns)):
        if public.token[seat, column] != NONE:
            continue
        on_time = is_on_time(public, column)
        wait = max(0, column + 1 - int(public.turn))
        worth = 0
        best = 0
        for row in range(2):
            card = int(public.mission[column, row])
            if card != NONE:
                later = later_worth(public, rules, pack, board, seat, weights, card, wait, on_time)
                if later > worth:
                    worth, best = later, row
        for row in range(2):
            card = int(public.mission[column, row])
            if card == NONE:
                continue
            share = 1000 * int(weights[w.MISSION_BEST if row == best else w.MISSION_OTHER]) >> 10
            if wait > 0:
                share = share * int(weights[w.MISSION_LATER]) >> 10
            if on_time:
                share = share * int(pack.on_time_gain[card]) // int(pack.on_time_per[card])
            else:
                share = share * int(pack.late_gain[card]) // int(pack.late_per[card])
            scratch[m.THING + int(pack.mission_kind[card])] += share


@inner
def weigh_resources(public, rules, seat, weights, scratch):
    """A resource: Missions, the final count, and what it buys while there are Turns left."""
    left = 3 * (int(rules.turns) - int(public.turn)) + 3 - int(public.phase)
    share = 1024 * left // max(1, 3 * int(rules.turns))
    technology = scratch[m.THING + MISSION_TECHNOLOGIES] + 1000 // int(rules.technology_per_supply)
    energy = scratch[m.THING + MISSION_ENERGY] + 1000 // int(rules.energy_per_supply)
    full = public.technology[seat] + public.energy[seat] >= rules.resource_limit
    if full:
        # one more takes the place of the lesser kind
        low = min(technology, energy)
        scratch[m.TECHNOLOGY_PRICE] = technology // 2
        scratch[m.ENERGY_PRICE] = energy // 2
        technology -= low
        energy -= low
    else:
        scratch[m.TECHNOLOGY_PRICE] = technology
        scratch[m.ENERGY_PRICE] = energy
        if public.technology[seat] < 5:
            technology += int(weights[w.TECHNOLOGY_USE]) * share >> 10
        if public.energy[seat] < 4:
            energy += int(weights[w.ENERGY_USE]) * share >> 10
    scratch[m.TECHNOLOGY_WORTH] = technology
    scratch[m.ENERGY_WORTH] = energy


@inner
def unlock_worth(public, own, rules, seat, weights, colour, step, after):
    """What one more cube of a colour is worth for the own Feat that it brings nearer."""
    locked = int(own.feats) & ~int(public.unlocked[seat]) & colour_mask(colour)
    missing = int(rules.feat_unlock_cubes) - int(public.cubes[seat, colour])
    if locked == 0 or missing < 0 or (public.phase > 2 and after == 0):
        return 0
    gain = step + int(weights[w.UNLOCK])
    for feat in range(N_FEATS):
        if locked >> feat & 1 == 1:
            gain += int(weights[w.FEAT + feat]) * after // 3
    return gain // max(1, missing)


@inner
def weigh_colours(public, own, rules, seat, weights, scratch):
    """A cube: Missions, the final count, and the Feat that it may unlock."""
    after = scratch[m.TURNS_AFTER]
    held = 1000 * int(rules.outpost_supplies)
    for _ in range(after):
        held = held * int(weights[w.HELD_TO_END]) >> 10
    unlocked = count_feats(int(public.unlocked[seat]))
    step = 0
    if unlocked < N_COLOURS:
        step = 1000 * (int(rules.feat_supplies[unlocked + 1]) - int(rules.feat_supplies[unlocked]))
    for colour in range(N_COLOURS):
        worth = held + scratch[m.THING + MISSION_OUTPOSTS] + scratch[m.THING + MISSION_TACTIC + colour]
        worth += unlock_worth(public, own, rules, seat, weights, colour, step, after)
        if public.cubes[seat, colour] >= rules.cube_limit_per_color:
            worth = 0
        scratch[m.COLOUR_WORTH + colour] = worth


@inner
def standing(scratch, packed, value):
    """What a Region is worth to a seat whose value there is `value`."""
    lead = value - m.needed_of(packed)
    if lead >= 0:
        hold = m.hold_of(packed)
        if lead >= m.growth_of(packed):
            lead += scratch[m.SAFE]
        return hold - (hold * (scratch[m.AT_RISK] >> min(lead, 8)) >> 10)
    if m.is_theirs(packed, value):
        return -m.outposts_of(packed) * scratch[m.DENIED]
    return 0


@inner
def map_region(public, board, seat, weights, scratch, region, knows):
    """One Region, from what holding it is worth and its Outposts, which stand there already."""
    if scratch[m.REGION + region] == 0:
        return
    highest = 0
    alone = 0
    for other in range(MAX_SEATS):
        value = int(public.value[region, other])
        if other != seat and value >= highest and value > 0:
            alone = 1 if value > highest else 0
            highest = value
    tie = 1 if knows and highest > 0 and not rival_knows(public, seat, region, highest) else 0
    hold = scratch[m.REGION + region] & 0xFFFFFFFF
    packed = m.pack_region(hold, 0, 0, scratch[m.REGION + region] >> 32, highest, alone, tie)
    value = int(public.value[region, seat])
    deficit = max(1, m.needed_of(packed) - value)
    now = standing(scratch, packed, value)
    gain = max(0, standing(scratch, packed, value + deficit) - now)
    if deficit > 1:
        gain = gain // deficit
    scratch[m.REGION + region] = packed | min(gain, 0x7FFF) << 32


@inner
def map_regions(public, rules, board, seat, weights, scratch):
    """What each Region is worth to hold, and how it draws Units from further off."""
    n = int(board.n_regions)
    for region in range(n):
        hold = 0
        if public.resources[region] > 0:
            each = scratch[m.TECHNOLOGY_WORTH + int(board.level[region])] * scratch[m.ACCESS] >> 10
            hold = min(3, int(public.resources[region])) * each
        scratch[m.REGION + region] = hold
    for outpost in range(int(board.n_outposts)):
        worth = scratch[m.COLOUR_WORTH + int(board.outpost_colour[outpost])]
        if worth == 0 and public.cube[outpost] == seat:
            worth = 1000
        scratch[m.REGION + int(board.outpost_region[outpost])] += worth + (1 << 32)
    knows = has_feat(public, seat, FIELD_KNOWLEDGE)
    for region in range(n):
        map_region(public, board, seat, weights, scratch, region, knows)
    spread(public, rules, board, seat, weights, scratch)


@inner
def spread(public, rules, board, seat, weights, scratch):
    """What draws Units to a Region draws them to its neighbours too, a step weaker."""
    decay = int(weights[w.DECAY])
    n = int(board.n_regions)
    for region in range(n):
        pull = m.pull_of(scratch[m.REGION + region]) * decay >> 10
        if pull < 50:
            continue
        for j in range(int(board.n_linked[region])):
            m.raise_pull(scratch, int(board.linked[region, j]), pull)
    for token in range(int(rules.elevators)):
        site = int(public.built[seat, ELEVATOR, token])
        if site >= 0:
            join_pulls(scratch, decay, int(board.elevator_ground[site]), int(board.elevator_roof[site]))
    for token in range(int(rules.bridges)):
        site = int(public.built[seat, BRIDGE, token])
        if site >= 0:
            join_pulls(scratch, decay, int(board.bridge_a[site]), int(board.bridge_b[site]))


@inner
def join_pulls(scratch, decay, first, second):
    """Along an own construction, both ways."""
    m.raise_pull(scratch, first, m.pull_of(scratch[m.REGION + second]) * decay >> 10)
    m.raise_pull(scratch, second, m.pull_of(scratch[m.REGION + first]) * decay >> 10)


@inner
def weigh(public, own, rules, pack, board, seat, weights, scratch):
    """All of it: Missions once a phase, the rest once a card."""
    stamp = int(public.turn) * 8 + int(public.phase) + 1
    if scratch[m.STAMP] != stamp:
        scratch[m.STAMP] = stamp
        scratch[m.TURNS_AFTER] = int(rules.turns) - int(public.turn)
        scratch[m.LEADER] = leader_worth(public, rules, seat)
        risk = int(weights[w.RISK])
        if scratch[m.TURNS_AFTER] == 0 and public.phase >= 3:
            after = int(public.n_seats) - 1 - int(public.place)
            risk = risk * after // max(1, int(public.n_seats) - 1)
        scratch[m.AT_RISK] = risk
        scratch[m.DENIED] = int(weights[w.DENIED])
        scratch[m.ACCESS] = int(weights[w.ACCESS])
        scratch[m.DRONES] = 1024
        weigh_missions(public, rules, pack, board, seat, weights, scratch)
    weigh_resources(public, rules, seat, weights, scratch)
    weigh_colours(public, own, rules, seat, weights, scratch)
    map_regions(public, rules, board, seat, weights, scratch)
