"""Build: Refuges, Elevators and Bridges; with no token left one is relocated."""

from __future__ import annotations

from simlab.games.dei.agenda import add
from simlab.games.dei.choices import CONSTRUCT, choice
from simlab.games.dei.majority import units_at
from simlab.games.dei.modifiers import has_feat
from simlab.games.dei.vocabulary import (
    BUILD_ANY,
    BUILD_REFUGE,
    DROP_POD,
    ELEVATOR,
    FIELD_ENGINEER,
    N_CONSTRUCTIONS,
    NONE,
    REFUGE,
)
from simlab.jit import inner


@inner
def tokens_of(rules, construction):
    """CORE-014: tokens of a kind that a faction has."""
    if construction == REFUGE:
        return int(rules.refuges)
    if construction == ELEVATOR:
        return int(rules.elevators)
    return int(rules.bridges)


@inner
def free_token(public, rules, seat, construction):
    """CORE-051: a token of this kind in reserve, NONE when all are placed."""
    for token in range(tokens_of(rules, construction)):
        if public.built[seat, construction, token] == NONE:
            return token
    return NONE


@inner
def can_build(public, rules, board, seat, construction, site):
    """CORE-048, CORE-049, CORE-050, CORE-108: whether a construction may go to a Region or site."""
    if construction == REFUGE:
        return has_feat(public, seat, DROP_POD) or units_at(public, seat, site) > 0
    if construction == ELEVATOR:
        ground, roof = int(board.elevator_ground[site]), int(board.elevator_roof[site])
        return units_at(public, seat, ground) > 0 or units_at(public, seat, roof) > 0
    first, second = int(board.bridge_a[site]), int(board.bridge_b[site])
    return units_at(public, seat, first) > 0 or units_at(public, seat, second) > 0


@inner
def sites_of(board, construction):
    """CORE-048, CORE-049, CORE-050: how many places a construction has on this board."""
    if construction == REFUGE:
        return int(board.n_regions)
    if construction == ELEVATOR:
        return int(board.n_elevator_sites)
    return int(board.n_bridge_sites)


@inner
def moves_token(public, rules, seat, construction, token, site):
    """CORE-032, CORE-051: whether relocating this token is a choice of its own.

    Of tokens that stand together one is offered; where it stands a token isn't placed again (CORE-028).
    """
    stands = int(public.built[seat, construction, token])
    if stands == site:
        return False
    for earlier in range(token):
        if public.built[seat, construction, earlier] == stands:
            return False
    return True


@inner
def list_builds(public, rules, board, seat, op, construction, out, n):
    """CORE-048 … CORE-051: all places of one kind; without a free token, each token that may move there."""
    tokens = tokens_of(rules, construction)
    if tokens == 0:
        return n
    has_free = free_token(public, rules, seat, construction) != NONE
    for site in range(sites_of(board, construction)):
        if not can_build(public, rules, board, seat, construction, site):
            continue
        if has_free:
            n = add(out, n, choice(CONSTRUCT, op, construction, site, 0, 0, 0))
            continue
        for token in range(tokens):
            if moves_token(public, rules, seat, construction, token, site):
                n = add(out, n, choice(CONSTRUCT, op, construction, site, token + 1, 0, 0))
    return n


@inner
def list_build_icon(public, rules, board, seat, op, out, n):
    """CORE-048 … CORE-051: what a Build icon may place; `build:any` leaves the kind open."""
    if op != BUILD_ANY:
        return list_builds(public, rules, board, seat, op, op - BUILD_REFUGE, out, n)
    for construction in range(N_CONSTRUCTIONS):
        n = list_builds(public, rules, board, seat, op, construction, out, n)
    return n


@inner
def build(public, log, rules, seat, construction, site, moved):
    """CORE-048 … CORE-051, CORE-106: place a token; Field Engineer gives extra Moves for this phase."""
    token = moved - 1 if moved > 0 else free_token(public, rules, seat, construction)
    public.built[seat, construction, token] = site
    log.builds[seat, construction] += 1
    if construction == REFUGE or not has_feat(public, seat, FIELD_ENGINEER):
        return
    if rules.field_engineer_per_build != 0 or public.engineer_used == 0:
        public.extra_moves += int(rules.field_engineer_moves)
        public.engineer_used = 1


@inner
def constructions_in_play(public, seat):
    """CORE-123: placed Refuges, Elevators and Bridges."""
    count = 0
    for construction in range(N_CONSTRUCTIONS):
        for token in range(public.built.shape[2]):
            if public.built[seat, construction, token] != NONE:
                count += 1
    return count
