"""Collect: a resource of a Region where one has Majority, and what Feats make of it."""

from __future__ import annotations

from simlab.games.dei.agenda import add, push
from simlab.games.dei.choices import EXCAVATE, GATHER, choice
from simlab.games.dei.kills import list_kills_at
from simlab.games.dei.links import has_lift
from simlab.games.dei.majority import units_at
from simlab.games.dei.modifiers import has_feat, has_skill
from simlab.games.dei.resources import collect_resource, gain_resource
from simlab.games.dei.vocabulary import (
    ASK_REPEAT,
    COLLECT,
    DEEP_EXCAVATION,
    EXPLOITATION_CAMP,
    EXTREME_REMEDIES,
    GROUND,
    LOGISTIC_COLLECT,
    MACHINERY_COLLECT,
    RAVAGERS,
    TECHNOLOGY,
)
from simlab.jit import inner


@inner
def can_swap(public, rules, board, seat, op, region):
    """CORE-065, CORE-112: whether a Technology collected here may be exchanged for an Energy Cell."""
    if board.level[region] != GROUND:
        return False
    if op == LOGISTIC_COLLECT:
        return True
    return has_feat(public, seat, EXPLOITATION_CAMP) and has_lift(public, rules, board, seat, region)


@inner
def list_collects(public, rules, board, seat, op, out, n):
    """CORE-042, CORE-104, CORE-115: all that one Collect icon (or an Enlist used as one) may do."""
    excavates = has_feat(public, seat, DEEP_EXCAVATION)
    kills = has_feat(public, seat, EXTREME_REMEDIES)
    for region in range(int(board.n_regions)):
        if public.holder[region] == seat:
            if public.resources[region] > 0:
                n = add(out, n, choice(GATHER, op, region, 0, 0, 0, 0))
                if can_swap(public, rules, board, seat, op, region):
                    n = add(out, n, choice(GATHER, op, region, 1, 0, 0, 0))
        elif kills:
            n = list_kills_at(public, rules, seat, op, region, out, n)
        if excavates and units_at(public, seat, region) > 0:
            n = add(out, n, choice(EXCAVATE, op, region, 0, 0, 0, 0))
    return n


@inner
def collect(public, log, rules, board, seat, op, region, swap):
    """CORE-042, CORE-066, CORE-092: collect; a Machinery Collect gains a Technology; Abraham's second one.

    The discard of an eleventh resource is asked before Abraham's Collect, so its frame lies on top.
    """
    again = int(rules.seeker_collects)
    is_there = public.leader[seat] == region and has_skill(public, rules, seat, RAVAGERS)
    if is_there and public.seeker_used == 0 and again > 0:
        push(public, ASK_REPEAT, seat, COLLECT, again, 1)
    collect_resource(public, log, rules, board, seat, region, swap)
    if op == MACHINERY_COLLECT:
        gain_resource(public, log, rules, seat, TECHNOLOGY, int(rules.machinery_collect_technology))
