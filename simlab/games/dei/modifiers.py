"""Every number that a Feat or a Leader adds to a rule value; reads state and tables only."""

from __future__ import annotations

from simlab.games.dei.vocabulary import (
    BOMBING,
    BRIDGE,
    CARAVAN,
    FARM_Z,
    FORTRESS,
    N_DRONES,
    NONE,
    REFUGE,
    REMOTE_DRIVE,
    TROJAN_HORSES,
)
from simlab.jit import inner

# Feats that change a Majority value; a seat without any needs no second look
_VALUE_FEATS = 1 << BOMBING | 1 << FORTRESS | 1 << TROJAN_HORSES | 1 << CARAVAN


@inner
def has_feat(public, seat, feat):
    """CORE-033: whether the seat has unlocked this Feat."""
    return int(public.unlocked[seat]) >> feat & 1 == 1


@inner
def changes_values(public, seat):
    """CORE-100, CORE-101, CORE-103, CORE-105: whether the seat has a Feat that changes a Majority value."""
    return int(public.unlocked[seat]) & _VALUE_FEATS != 0


@inner
def has_skill(public, rules, seat, faction):
    """CORE-027, CORE-091 … CORE-094: whether this faction's Leader skill is the seat's and is on."""
    return public.faction[seat] == faction and rules.leader_off[seat] == 0


@inner
def leader_worth(public, rules, seat):
    """CORE-090, CORE-094: what the Leader counts for Majority; what a component says precedes the rules."""
    own = int(rules.leader_values[public.faction[seat]])
    if own != NONE:
        return own
    if has_skill(public, rules, seat, FARM_Z):
        return int(rules.bully_value)
    return int(rules.leader_value)


@inner
def refuge_worth(public, rules, seat):
    """CORE-101, CORE-105: what one own Refuge counts in its Region."""
    worth = 0
    if has_feat(public, seat, FORTRESS):
        worth += int(rules.fortress_value)
    if has_feat(public, seat, CARAVAN):
        worth += int(rules.caravan_value)
    return worth


@inner
def refuges_at(public, rules, seat, region):
    """CORE-048: own Refuges in a Region."""
    count = 0
    for token in range(int(rules.refuges)):
        if public.built[seat, REFUGE, token] == region:
            count += 1
    return count


@inner
def drones_at(public, region):
    """CORE-070: Drones in a Region."""
    count = 0
    for drone in range(N_DRONES):
        if public.drone[drone] == region:
            count += 1
    return count


@inner
def trojan_worth(public, rules, seat, region):
    """CORE-103: what the Drones in a Region count for a seat that has a Unit there."""
    if not has_feat(public, seat, TROJAN_HORSES):
        return 0
    return int(rules.trojan_value) * drones_at(public, region)


@inner
def standing_worth(public, rules, board, seat, region):
    """CORE-100, CORE-101, CORE-105: what constructions count, Units or not."""
    if not changes_values(public, seat):
        return 0
    worth = refuge_worth(public, rules, seat) * refuges_at(public, rules, seat, region)
    if has_feat(public, seat, BOMBING):
        for token in range(int(rules.bridges)):
            site = int(public.built[seat, BRIDGE, token])
            if site >= 0 and board.bridge_ground[site] == region:
                worth += int(rules.bombing_value)
    return worth


@inner
def drone_reach(public, rules, seat, extra):
    """CORE-070, CORE-111: how many Regions a Drone may move when this seat activates it."""
    reach = int(rules.drone_movement) + extra
    if has_feat(public, seat, REMOTE_DRIVE):
        reach += int(rules.remote_drive_movement)
    return reach
