"""Move: own Units of one Region to one Linked Region, and what bends it."""

from __future__ import annotations

from simlab.games.dei.agenda import add
from simlab.games.dei.choices import MOVING, choice
from simlab.games.dei.links import has_lift, is_linked, is_step, own_link, touches_own_link
from simlab.games.dei.majority import units_at, value_needed
from simlab.games.dei.modifiers import (
    changes_values,
    has_feat,
    has_skill,
    leader_worth,
    refuge_worth,
    refuges_at,
    standing_worth,
    trojan_worth,
)
from simlab.games.dei.vocabulary import (
    AUXILIA,
    BRIDGE,
    CARAVAN,
    LOGISTIC_MOVE,
    REFUGE,
    REFUGE_42,
    TACTIC_MOVE,
    UNDERGROUND_SHORTCUT,
)
from simlab.jit import inner

# who may go from one Region to another
NOBODY, LEADER_ALONE, EVERYBODY = 0, 1, 2


@inner
def passage(public, rules, board, seat, op, start, end):
    """CORE-006, CORE-041, CORE-065, CORE-093: who of this seat may go from one Region to another."""
    if is_linked(public, rules, board, seat, start, end):
        return EVERYBODY
    if is_step(board, start, end):
        if op == LOGISTIC_MOVE:
            return EVERYBODY
        if public.leader[seat] == start and has_skill(public, rules, seat, REFUGE_42):
            return LEADER_ALONE
    return NOBODY


@inner
def least_group(public, rules, board, seat, end, needed, leader, refuges):
    """CORE-020, CORE-041, CORE-103, CORE-105: the fewest Scrappers with which Majority holds at the end.

    What is there already counts, the Leader and Refuges of the group do; Drones once any own Unit is there.
    """
    lead = leader_worth(public, rules, seat) if leader == 1 else 0
    if not changes_values(public, seat):
        return max(needed - int(public.value[end, seat]) - lead, 0)
    standing = int(public.scrappers[seat, end]) + standing_worth(public, rules, board, seat, end)
    standing += lead + refuges * refuge_worth(public, rules, seat)
    if public.leader[seat] == end:
        standing += leader_worth(public, rules, seat)
    has_unit = leader == 1 or units_at(public, seat, end) > 0
    missing = needed - standing - trojan_worth(public, rules, seat, end)
    if has_unit or missing > 0:
        return max(missing, 0)
    # Refuges alone: no Unit, so Drones don't count, nor anything where a value needs a Unit
    return 0 if standing >= needed and rules.majority_needs_unit == 0 else 1


@inner
def list_groups(public, rules, board, seat, op, start, end, who, out, n):
    """CORE-041, CORE-064, CORE-091, CORE-105: every group that may make this step.

    Majority must hold at the destination once the group is there; a Tactic Move and a Move with Neena
    ignore that.
    """
    with_leader = 1 if public.leader[seat] == start else 0
    scrappers = int(public.scrappers[seat, start])
    refuges = 0
    if has_feat(public, seat, CARAVAN):
        refuges = refuges_at(public, rules, seat, start)
    needed = 0 if op == TACTIC_MOVE else value_needed(public, seat, end)
    first_leader = 0
    if who == LEADER_ALONE:
        first_leader, scrappers, refuges = 1, 0, 0
    for leader in range(first_leader, with_leader + 1):
        free = op == TACTIC_MOVE or (leader == 1 and has_skill(public, rules, seat, AUXILIA))
        for group_refuges in range(refuges + 1):
            least = 0
            if not free:
                least = least_group(public, rules, board, seat, end, needed, leader, group_refuges)
            if leader + group_refuges == 0:
                least = max(least, 1)
            for group in range(least, scrappers + 1):
                n = add(out, n, choice(MOVING, op, start, end, group, leader, group_refuges))
    return n


@inner
def list_far_groups(public, rules, board, seat, op, start, out, n):
    """CORE-049, CORE-109: steps to Regions that don't touch: over own Bridges, by Underground Shortcut."""
    for token in range(int(rules.bridges)):
        site = int(public.built[seat, BRIDGE, token])
        if site < 0:
            continue
        first, second = int(board.bridge_a[site]), int(board.bridge_b[site])
        if first != start and second != start:
            continue
        end = second if first == start else first
        if board.relation[start, end] == 0 and not listed_before(public, board, seat, token, start, end):
            n = list_groups(public, rules, board, seat, op, start, end, EVERYBODY, out, n)
    if not has_feat(public, seat, UNDERGROUND_SHORTCUT) or not has_lift(public, rules, board, seat, start):
        return n
    for end in range(int(board.n_regions)):
        if (
            end == start
            or board.relation[start, end] != 0
            or own_link(public, rules, board, seat, start, end)
        ):
            continue
        if has_lift(public, rules, board, seat, end):
            n = list_groups(public, rules, board, seat, op, start, end, EVERYBODY, out, n)
    return n


@inner
def listed_before(public, board, seat, token, start, end):
    """Whether an earlier own Bridge already led from one Roof to the other."""
    for earlier in range(token):
        site = int(public.built[seat, BRIDGE, earlier])
        if site < 0:
            continue
        first, second = int(board.bridge_a[site]), int(board.bridge_b[site])
        if (first == start and second == end) or (first == end and second == start):
            return True
    return False


@inner
def list_moves(public, rules, board, seat, op, out, n):
    """CORE-006, CORE-041: all Moves of one icon (`op` says which, EXTRA_MOVE for a Feat's)."""
    caravan = has_feat(public, seat, CARAVAN)
    for start in range(int(board.n_regions)):
        if units_at(public, seat, start) == 0 and not (
            caravan and refuges_at(public, rules, seat, start) > 0
        ):
            continue
        n = list_moves_from(public, rules, board, seat, op, start, out, n)
    return n


@inner
def list_moves_from(public, rules, board, seat, op, start, out, n):
    """CORE-006, CORE-065, CORE-093: all Moves out of one Region, to those near it first."""
    bound = touches_own_link(public, rules, board, seat, start)
    bound = bound or has_feat(public, seat, UNDERGROUND_SHORTCUT)
    climbs = public.leader[seat] == start and has_skill(public, rules, seat, REFUGE_42)
    if not bound and not climbs and op != LOGISTIC_MOVE:
        for i in range(int(board.n_linked[start])):
            end = int(board.linked[start, i])
            n = list_groups(public, rules, board, seat, op, start, end, EVERYBODY, out, n)
        return n
    for i in range(int(board.n_near[start])):
        end = int(board.near[start, i])
        who = passage(public, rules, board, seat, op, start, end)
        if who != NOBODY:
            n = list_groups(public, rules, board, seat, op, start, end, who, out, n)
    return list_far_groups(public, rules, board, seat, op, start, out, n)


@inner
def move(public, log, rules, seat, start, end, scrappers, leader, refuges):
    """CORE-041, CORE-105: the group goes over; nothing is asked of the Region it leaves."""
    public.scrappers[seat, start] -= scrappers
    public.scrappers[seat, end] += scrappers
    if leader == 1:
        public.leader[seat] = end
    left = refuges
    for token in range(int(rules.refuges)):
        if left > 0 and public.built[seat, REFUGE, token] == start:
            public.built[seat, REFUGE, token] = end
            left -= 1
    log.moves[seat] += 1
    log.moves_out[start] += 1
    log.moves_into[end] += 1
