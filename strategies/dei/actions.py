"""What each choice on the board is worth: milli-Supplies from the choice's own words and the kept worths."""

from __future__ import annotations

from simlab.games.dei.choices import a_of, b_of, c_of, d_of, e_of, op_of
from simlab.games.dei.links import is_linked
from simlab.games.dei.majority import units_at
from simlab.games.dei.modifiers import has_feat, has_skill, refuge_worth, refuges_at
from simlab.games.dei.vocabulary import (
    BOMBING,
    DRACO,
    ELEVATOR,
    ENERGY,
    FIELD_ENGINEER,
    GROUND,
    MACHINERY_COLLECT,
    MASAMUNE,
    MISSION_CONSTRUCTIONS,
    MISSION_GARRISONS,
    MISSION_SCRAPPERS,
    NONE,
    RAVAGERS,
    REFUGE,
    SIMON,
)
from simlab.jit import inner
from strategies.dei import memory as m
from strategies.dei import weights as w
from strategies.dei.position import standing


@inner
def join(public, weights, scratch, seat, region, units, value):
    """What it is worth that `units` of one's own with this Majority value come to a Region."""
    packed = scratch[m.REGION + region]
    before = int(public.value[region, seat])
    gain = standing(scratch, packed, before + value) - standing(scratch, packed, before)
    # those who are needed here don't go on at once
    each = m.beyond_of(packed) if gain > 0 else m.pull_of(packed)
    gain += each * min(units, 3) * int(weights[w.UNIT]) >> 10
    if before == 0 and m.outposts_of(packed) > 0 and units_at(public, seat, region) == 0:
        gain += scratch[m.THING + MISSION_GARRISONS] * m.outposts_of(packed)
    return gain


@inner
def leave(public, weights, scratch, seat, region, units, value):
    """What it costs that they leave a Region."""
    packed = scratch[m.REGION + region]
    before = int(public.value[region, seat])
    now = standing(scratch, packed, before)
    each = m.beyond_of(packed) if now > 0 else m.pull_of(packed)
    cost = now - standing(scratch, packed, before - value)
    cost += each * min(units, 3) * int(weights[w.UNIT]) >> 10
    if m.outposts_of(packed) > 0 and units_at(public, seat, region) == units:
        cost += scratch[m.THING + MISSION_GARRISONS] * m.outposts_of(packed)
    return cost


@inner
def look_at_step(public, weights, scratch, seat, code):
    """What all groups that go from one Region to another have in common; the list has them in a row."""
    start, end = a_of(code), b_of(code)
    there, here = scratch[m.REGION + end], scratch[m.REGION + start]
    scratch[m.STEP] = (code >> 10 & 0xFFFFF) + 1
    value = int(public.value[end, seat])
    scratch[m.VALUE_THERE] = value
    scratch[m.NOW_THERE] = standing(scratch, there, value)
    scratch[m.PULL_THERE] = m.pull_of(there) * int(weights[w.UNIT]) >> 10
    scratch[m.BEYOND_THERE] = m.beyond_of(there) * int(weights[w.UNIT]) >> 10
    gain = -int(weights[w.MOVE_BASE])
    if m.outposts_of(there) > 0 and units_at(public, seat, end) == 0:
        gain += scratch[m.THING + MISSION_GARRISONS] * m.outposts_of(there)
    value = int(public.value[start, seat])
    now = standing(scratch, here, value)
    scratch[m.VALUE_HERE] = value
    scratch[m.PULL_HERE] = (m.beyond_of(here) if now > 0 else m.pull_of(here)) * int(weights[w.UNIT]) >> 10
    scratch[m.UNITS_HERE] = units_at(public, seat, start)
    scratch[m.STEP_GAIN] = gain - now - scratch[m.NOW_THERE]
    most = scratch[m.STEP_GAIN] + m.hold_of(there) + max(now, 0)
    scratch[m.MOST] = most + 3 * max(0, scratch[m.PULL_THERE] - scratch[m.PULL_HERE])


@inner
def score_move(public, rules, weights, scratch, seat, code):
    """A group goes from one Region to another; `look_at_step` was there before."""
    units = c_of(code) + d_of(code)
    value = c_of(code) + d_of(code) * scratch[m.LEADER]
    if e_of(code) > 0:
        value += e_of(code) * refuge_worth(public, rules, seat)
    then = standing(scratch, scratch[m.REGION + b_of(code)], scratch[m.VALUE_THERE] + value)
    each = scratch[m.BEYOND_THERE] if then > scratch[m.NOW_THERE] else scratch[m.PULL_THERE]
    here = scratch[m.REGION + a_of(code)]
    gain = scratch[m.STEP_GAIN] + then + standing(scratch, here, scratch[m.VALUE_HERE] - value)
    if units == scratch[m.UNITS_HERE]:
        gain -= scratch[m.THING + MISSION_GARRISONS] * m.outposts_of(here)
    return gain + (each - scratch[m.PULL_HERE]) * min(units, 3)


@inner
def collect_worth(public, rules, board, scratch, seat, code):
    """A resource of a Region, what the icon's colour and Abraham add."""
    op, region = op_of(code), a_of(code)
    kind = ENERGY if b_of(code) != 0 else int(board.level[region])
    worth = scratch[m.TECHNOLOGY_WORTH + kind]
    if op == MACHINERY_COLLECT:
        worth += scratch[m.TECHNOLOGY_WORTH]
    if public.leader[seat] == region and public.seeker_used == 0 and has_skill(public, rules, seat, RAVAGERS):
        worth += scratch[m.TECHNOLOGY_WORTH]
    return worth + 1


@inner
def resource_laid(public, board, weights, scratch, seat, region):
    """A resource put into a Region: for whoever holds it."""
    worth = scratch[m.TECHNOLOGY_WORTH + int(board.level[region])] * int(weights[w.SEED]) >> 10
    holder = int(public.holder[region])
    if holder == seat:
        return worth
    return 0 if holder == NONE else -worth


@inner
def score_enlist(public, board, weights, scratch, seat, code):
    """A Scrapper comes, from the reserve or from another Region, perhaps with a resource."""
    region, source = a_of(code), b_of(code)
    gain = join(public, weights, scratch, seat, region, 1, 1)
    if source == 0:
        gain += scratch[m.THING + MISSION_SCRAPPERS] + int(weights[w.UNIT_BASE])
    else:
        gain -= leave(public, weights, scratch, seat, source - 1, 1, 1)
    if c_of(code) != 0:
        gain += resource_laid(public, board, weights, scratch, seat, region) + 1
    return gain


@inner
def value_gained(public, weights, scratch, seat, region, value):
    """Majority value from something that stands in a Region, no Unit."""
    before = int(public.value[region, seat])
    packed = scratch[m.REGION + region]
    return standing(scratch, packed, before + value) - standing(scratch, packed, before)


@inner
def link_worth(public, rules, board, weights, scratch, seat, first, second):
    """A Link between two Regions: what is beyond it for the Units on its weaker side."""
    if m.pull_of(scratch[m.REGION + first]) > m.pull_of(scratch[m.REGION + second]):
        first, second = second, first
    units = units_at(public, seat, first)
    step = m.pull_of(scratch[m.REGION + second]) * int(weights[w.DECAY]) >> 10
    step -= m.pull_of(scratch[m.REGION + first])
    if units == 0 or step <= 0 or is_linked(public, rules, board, seat, first, second):
        return 0
    return step * min(units, 3) * int(weights[w.LINK]) >> 10


@inner
def score_build(public, rules, board, weights, scratch, seat, code):
    """A construction: the Mission, then what it is for."""
    construction, site, moved = a_of(code), b_of(code), c_of(code)
    worth = scratch[m.THING + MISSION_CONSTRUCTIONS] + int(weights[w.BUILD_BASE])
    if moved > 0:
        worth = -int(weights[w.RELOCATE])
    each = refuge_worth(public, rules, seat)
    if construction == REFUGE:
        if each > 0:
            worth += value_gained(public, weights, scratch, seat, site, each)
            if moved > 0:
                worth += value_gained(
                    public, weights, scratch, seat, int(public.built[seat, REFUGE, moved - 1]), -each
                )
        if board.neutral_refuges[site] == 0 and refuges_at(public, rules, seat, site) == 0:
            worth += m.pull_of(scratch[m.REGION + site]) * int(weights[w.SHELTER]) >> 10
        return worth
    if has_feat(public, seat, FIELD_ENGINEER):
        worth += int(weights[w.MORE_MOVES])
    if construction == ELEVATOR:
        ground, roof = int(board.elevator_ground[site]), int(board.elevator_roof[site])
        return worth + link_worth(public, rules, board, weights, scratch, seat, ground, roof)
    if has_feat(public, seat, BOMBING):
        under = int(board.bridge_ground[site])
        worth += value_gained(public, weights, scratch, seat, under, int(rules.bombing_value))
    first, second = int(board.bridge_a[site]), int(board.bridge_b[site])
    return worth + link_worth(public, rules, board, weights, scratch, seat, first, second)


@inner
def kill_worth(public, weights, scratch, seat, region, victim):
    """An opponent's Scrapper goes: what that changes in the Region, less the Candy Boost it brings."""
    packed = scratch[m.REGION + region]
    value = int(public.value[region, seat])
    # for the seat itself one Unit less of the strongest opponent is like one more of its own
    gain = int(weights[w.KILLED]) - int(weights[w.CANDY_GIVEN])
    if public.value[region, victim] == m.highest_of(packed):
        gain += standing(scratch, packed, value + 1) - standing(scratch, packed, value)
    return gain


@inner
def places_worth(public, weights, scratch, seat, region, number):
    """Scrappers from the reserve into a Region."""
    count = min(number, int(public.reserve[seat]))
    if count == 0:
        return 0
    each = scratch[m.THING + MISSION_SCRAPPERS] + int(weights[w.UNIT_BASE])
    return count * each + join(public, weights, scratch, seat, region, count, count)


@inner
def flight_worth(public, board, weights, scratch, seat, start, end, already):
    """Fly takes one Scrapper to a Region; `already` have gone there in this action."""
    packed = scratch[m.REGION + end]
    before = int(public.value[end, seat]) + already
    now = standing(scratch, packed, before)
    gain = standing(scratch, packed, before + 1) - now
    if gain <= 0 and board.level[end] == GROUND and already == 0 and public.scrappers[seat, start] > 1:
        gain = (standing(scratch, packed, before + 2) - now) * 2 // 3
    gain += m.pull_of(scratch[m.REGION + end]) * int(weights[w.UNIT]) >> 10
    if units_at(public, seat, end) == 0:
        gain += scratch[m.THING + MISSION_GARRISONS] * m.outposts_of(scratch[m.REGION + end])
    return gain - leave(public, weights, scratch, seat, start, 1, 1)


@inner
def drone_worth(public, rules, board, weights, scratch, seat, drone, region):
    """What a Drone's action in a Region is worth."""
    if drone == MASAMUNE:
        count = min(int(rules.masamune_resources), int(public.resources[region]))
        return count * scratch[m.TECHNOLOGY_WORTH + int(board.level[region])]
    if drone == SIMON:
        return places_worth(public, weights, scratch, seat, region, int(rules.simon_scrappers))
    if drone == DRACO:
        worth = 1000 * int(rules.draco_supplies) + int(weights[w.CANDY]) * int(rules.draco_candy)
        for victim in range(int(public.n_seats)):
            if victim != seat and public.scrappers[victim, region] > 0:
                worth += kill_worth(public, weights, scratch, seat, region, victim)
        return worth
    if public.scrappers[seat, region] == 0:
        return 0
    gain = scratch[m.FLIGHT] - leave(public, weights, scratch, seat, region, 1, 1)
    return min(2, int(public.scrappers[seat, region])) * max(0, gain)
