"""Which Regions are Linked for a seat: borders, Neutral and own constructions, Feats."""

from __future__ import annotations

from simlab.games.dei.modifiers import has_feat
from simlab.games.dei.tables import ADJACENT, LINKED
from simlab.games.dei.vocabulary import BRIDGE, ELEVATOR, UNDERGROUND_SHORTCUT
from simlab.jit import inner


@inner
def has_own_elevator(public, rules, board, seat, region):
    """CORE-050, CORE-109: whether an own Elevator stands in this Ground."""
    for token in range(int(rules.elevators)):
        site = int(public.built[seat, ELEVATOR, token])
        if site >= 0 and board.elevator_ground[site] == region:
            return True
    return False


@inner
def has_lift(public, rules, board, seat, region):
    """CORE-109, CORE-112: whether a Neutral or own Elevator stands in this Ground."""
    if board.neutral_elevator[region] != 0:
        return True
    return has_own_elevator(public, rules, board, seat, region)


@inner
def own_link(public, rules, board, seat, a, b):
    """CORE-049, CORE-050, CORE-052: whether an own Bridge or Elevator links two Regions."""
    for token in range(int(rules.elevators)):
        site = int(public.built[seat, ELEVATOR, token])
        if site >= 0:
            ground, roof = int(board.elevator_ground[site]), int(board.elevator_roof[site])
            if (ground == a and roof == b) or (ground == b and roof == a):
                return True
    for token in range(int(rules.bridges)):
        site = int(public.built[seat, BRIDGE, token])
        if site >= 0:
            first, second = int(board.bridge_a[site]), int(board.bridge_b[site])
            if (first == a and second == b) or (first == b and second == a):
                return True
    return False


@inner
def touches_own_link(public, rules, board, seat, region):
    """CORE-049, CORE-050: whether an own Bridge or Elevator ends in a Region."""
    for token in range(int(rules.elevators)):
        site = int(public.built[seat, ELEVATOR, token])
        if site >= 0 and (board.elevator_ground[site] == region or board.elevator_roof[site] == region):
            return True
    for token in range(int(rules.bridges)):
        site = int(public.built[seat, BRIDGE, token])
        if site >= 0 and (board.bridge_a[site] == region or board.bridge_b[site] == region):
            return True
    return False


@inner
def shortcut_link(public, rules, board, seat, a, b):
    """CORE-109: Regions with a Neutral or own Elevator are Linked with one another."""
    if not has_feat(public, seat, UNDERGROUND_SHORTCUT):
        return False
    return has_lift(public, rules, board, seat, a) and has_lift(public, rules, board, seat, b)


@inner
def is_linked(public, rules, board, seat, a, b):
    """CORE-005, CORE-006, CORE-007, CORE-052: whether this seat's Units can move from a to b."""
    if int(board.relation[a, b]) & LINKED != 0:
        return True
    if own_link(public, rules, board, seat, a, b):
        return True
    return shortcut_link(public, rules, board, seat, a, b)


@inner
def is_step(board, a, b):
    """CORE-065, CORE-093: Adjacent Regions of different levels."""
    return int(board.relation[a, b]) & ADJACENT != 0 and board.level[a] != board.level[b]
