"""Majority: values, who has it, and the cubes that follow it."""

from __future__ import annotations

from simlab.games.dei.modifiers import (
    changes_values,
    has_feat,
    leader_worth,
    refuge_worth,
    standing_worth,
    trojan_worth,
)
from simlab.games.dei.vocabulary import (
    BOMBING,
    BRIDGE,
    FIELD_KNOWLEDGE,
    MAX_SEATS,
    N_COLOURS,
    N_DRONES,
    NONE,
    REFUGE,
    TROJAN_HORSES,
)
from simlab.jit import inner


@inner
def units_at(public, seat, region):
    """CORE-020, CORE-090: own Units in a Region, Scrappers and the Leader."""
    units = int(public.scrappers[seat, region])
    if public.leader[seat] == region:
        units += 1
    return units


@inner
def majority_value(public, rules, board, seat, region):
    """CORE-020, CORE-021, CORE-027: Units and modifiers; a value may stand without a Unit."""
    if not changes_values(public, seat):
        value = int(public.scrappers[seat, region])
        return value + leader_worth(public, rules, seat) if public.leader[seat] == region else value
    units = units_at(public, seat, region)
    if units == 0 and rules.majority_needs_unit != 0:
        return 0
    value = int(public.scrappers[seat, region]) + standing_worth(public, rules, board, seat, region)
    if public.leader[seat] == region:
        value += leader_worth(public, rules, seat)
    if units > 0:
        value += trojan_worth(public, rules, seat, region)
    return value


@inner
def value_needed(public, seat, region):
    """CORE-020, CORE-102: the least value with which this seat would have Majority in a Region.

    One more than the highest other value; with Field Knowledge that value itself, unless another
    holder of the Feat is tied there too. A value of 0 never has Majority.
    """
    highest = 0
    for other in range(MAX_SEATS):  # of empty seats it is 0
        if other != seat:
            highest = max(highest, int(public.value[region, other]))
    if highest > 0 and has_feat(public, seat, FIELD_KNOWLEDGE):
        return highest if not rival_knows(public, seat, region, highest) else highest + 1
    return highest + 1


@inner
def rival_knows(public, seat, region, highest):
    """CORE-102: whether another holder of Field Knowledge has this value in a Region."""
    for other in range(int(public.n_seats)):
        if other != seat and public.value[region, other] == highest:
            if has_feat(public, other, FIELD_KNOWLEDGE):
                return True
    return False


@inner
def strictly_highest(public, region):
    """CORE-020: the seat with the highest value in a Region, NONE if tied or empty."""
    highest = 0
    holder = NONE
    for seat in range(MAX_SEATS):  # of empty seats it is 0
        value = int(public.value[region, seat])
        if value > highest:
            highest = value
            holder = seat
        elif value == highest:
            holder = NONE
    return holder


@inner
def majority_holder(public, region):
    """CORE-020, CORE-102: the seat with Majority in a Region, NONE if tied or empty."""
    highest = 0
    holder = NONE
    knowing = NONE
    n_knowing = 0
    for seat in range(int(public.n_seats)):
        value = int(public.value[region, seat])
        if value > highest:
            highest = value
            holder = seat
            n_knowing = 0
        elif value == highest and value > 0:
            holder = NONE
        if value == highest and value > 0 and has_feat(public, seat, FIELD_KNOWLEDGE):
            knowing = seat
            n_knowing += 1
    if holder == NONE and n_knowing == 1:
        return knowing
    return holder


@inner
def renew_region(public, rules, board, region):
    """CORE-026: recompute the values and the Majority of one Region; whether another seat has it now."""
    before = int(public.holder[region])
    for seat in range(int(public.n_seats)):
        public.value[region, seat] = majority_value(public, rules, board, seat, region)
    public.holder[region] = majority_holder(public, region)
    return int(public.holder[region]) != before


@inner
def renew_all(public, rules, board):
    """CORE-026: recompute the values and the Majority of every Region."""
    n = int(board.n_regions)
    anybody_knows = False
    for seat in range(int(public.n_seats)):
        renew_values(public, rules, board, seat, n)
        anybody_knows = anybody_knows or has_feat(public, seat, FIELD_KNOWLEDGE)
    for region in range(n):
        if anybody_knows:
            public.holder[region] = majority_holder(public, region)
        else:
            public.holder[region] = strictly_highest(public, region)


@inner
def renew_values(public, rules, board, seat, n):
    """CORE-020, CORE-021: one seat's Majority value in every Region, as `majority_value` gives it."""
    if rules.majority_needs_unit != 0 and changes_values(public, seat):
        for region in range(n):
            public.value[region, seat] = majority_value(public, rules, board, seat, region)
        return
    for region in range(n):
        public.value[region, seat] = public.scrappers[seat, region]
    leader = int(public.leader[seat])
    if leader != NONE:
        public.value[leader, seat] += leader_worth(public, rules, seat)
    if changes_values(public, seat):
        add_feats_worth(public, rules, board, seat)


@inner
def add_feats_worth(public, rules, board, seat):
    """CORE-100, CORE-101, CORE-103, CORE-105: what Refuges, Bridges and Drones add where they are."""
    each = refuge_worth(public, rules, seat)
    for token in range(int(rules.refuges)):
        region = int(public.built[seat, REFUGE, token])
        if region != NONE:
            public.value[region, seat] += each
    if has_feat(public, seat, BOMBING):
        for token in range(int(rules.bridges)):
            site = int(public.built[seat, BRIDGE, token])
            if site != NONE:
                public.value[int(board.bridge_ground[site]), seat] += int(rules.bombing_value)
    if has_feat(public, seat, TROJAN_HORSES):
        for drone in range(N_DRONES):
            region = int(public.drone[drone])
            if region != NONE and units_at(public, seat, region) > 0:
                public.value[region, seat] += int(rules.trojan_value)


@inner
def settle_cubes(public, rules, board):
    """CORE-023, CORE-024, CORE-026: cubes go back where control is lost, then are taken.

    All lost cubes return first; then, by Outpost number, each is taken by the faction with Majority
    unless it holds the limit of that colour.
    """
    for outpost in range(int(board.n_outposts)):
        owner = int(public.cube[outpost])
        if owner != NONE and public.holder[board.outpost_region[outpost]] != owner:
            public.cube[outpost] = NONE
            public.cubes[owner, board.outpost_colour[outpost]] -= 1
    for outpost in range(int(board.n_outposts)):
        if public.cube[outpost] != NONE:
            continue
        holder = int(public.holder[board.outpost_region[outpost]])
        colour = int(board.outpost_colour[outpost])
        if holder != NONE and public.cubes[holder, colour] < rules.cube_limit_per_color:
            public.cube[outpost] = holder
            public.cubes[holder, colour] += 1


@inner
def has_supremacy(public, seat, region):
    """CORE-022: Majority in a Region with at least one opposing Unit."""
    if public.holder[region] != seat:
        return False
    for other in range(int(public.n_seats)):
        if other != seat and units_at(public, other, region) > 0:
            return True
    return False


@inner
def has_garrison(public, board, seat, outpost):
    """CORE-025: at least one own Unit where an Outpost is, Majority or not."""
    return units_at(public, seat, int(board.outpost_region[outpost])) > 0


@inner
def cubes_held(public, seat):
    """CORE-023: cubes of any colour on a Pad."""
    total = 0
    for colour in range(N_COLOURS):
        total += int(public.cubes[seat, colour])
    return total
