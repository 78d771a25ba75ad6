"""Drones: activation, movement and the four actions."""

from __future__ import annotations

from simlab.games.dei.agenda import add, asked, pop, push
from simlab.games.dei.candy import gain_candy
from simlab.games.dei.choices import ACTIVATE, HARVEST, PLACE, REAP, SKIP, TELEPORT, choice
from simlab.games.dei.enlists import bring_scrapper
from simlab.games.dei.icons import icon_amount, icon_argument
from simlab.games.dei.kills import remove_scrapper
from simlab.games.dei.modifiers import drone_reach
from simlab.games.dei.resources import collect_resource, gain_supplies
from simlab.games.dei.vocabulary import (
    ANY_DRONE,
    ASK_DISCARD,
    ASK_DRONE,
    ASK_FLY,
    DRACO,
    DRONE,
    FLY,
    FROM_DRACO,
    GROUND,
    MASAMUNE,
    N_DRONES,
    NONE,
    SIMON,
)
from simlab.jit import inner


@inner
def can_harvest(public, rules, seat, region):
    """CORE-071: a resource lies there; Majority only where the knob asks for it."""
    if public.resources[region] == 0:
        return False
    return rules.drone_collect_needs_majority == 0 or public.holder[region] == seat


@inner
def can_place(public, rules, board, seat, region):
    """CORE-072: a Scrapper in reserve, else one deployed elsewhere."""
    if public.reserve[seat] > 0:
        return True
    for source in range(int(board.n_regions)):
        if source != region and public.scrappers[seat, source] > 0:
            return True
    return False


@inner
def can_reap(public, rules, seat, region):
    """CORE-074: somebody to kill, or something to gain."""
    if rules.draco_supplies > 0 or (rules.draco_candy > 0 and public.candy_reserve > 0):
        return True
    for victim in range(int(public.n_seats)):
        if victim != seat and public.scrappers[victim, region] > 0:
            return True
    return False


@inner
def can_act(public, rules, board, seat, drone, region):
    """CORE-032, CORE-071 … CORE-074: whether the Drone's action would change something in a Region."""
    if drone == MASAMUNE:
        return rules.masamune_resources > 0 and can_harvest(public, rules, seat, region)
    if drone == SIMON:
        return rules.simon_scrappers > 0 and can_place(public, rules, board, seat, region)
    if drone == DRACO:
        return can_reap(public, rules, seat, region)
    return public.scrappers[seat, region] > 0


@inner
def list_activations(public, rules, board, seat, code, out, n):
    """CORE-070: each Drone of the icon, to each Region it reaches; staying needs an action worth it."""
    reach = drone_reach(public, rules, seat, icon_amount(code))
    which = icon_argument(code)
    for drone in range(N_DRONES):
        region = int(public.drone[drone])
        if region == NONE or (which != ANY_DRONE and which != drone):
            continue
        if int(rules.banned_drones[seat]) >> drone & 1 == 1:
            continue
        for end in range(int(board.n_regions)):
            if board.distance[region, end] > reach:
                continue
            if end != region or can_act(public, rules, board, seat, drone, region):
                n = add(out, n, choice(ACTIVATE, DRONE, drone, end, which * 16 + icon_amount(code), 0, 0))
    return n


@inner
def activate(public, log, rules, board, seat, drone, end):
    """CORE-006, CORE-070: the Drone moves, then its action is asked."""
    public.drone[drone] = end
    log.activations[seat, drone] += 1
    if not can_act(public, rules, board, seat, drone, end):
        return
    times = 1
    if drone == MASAMUNE:
        times = int(rules.masamune_resources)
    elif drone == SIMON:
        times = int(rules.simon_scrappers)
    elif drone == FLY:
        times = int(rules.fly_scrappers)
    push(public, ASK_DRONE, seat, drone, times, 0)


@inner
def list_drone(public, rules, board, seat, drone, out, n):
    """CORE-071 … CORE-074: what the activated Drone may do next, or nothing."""
    region = int(public.drone[drone])
    if drone == MASAMUNE:
        if can_harvest(public, rules, seat, region):
            n = add(out, n, choice(HARVEST, DRONE, 0, 0, 0, 0, 0))
    elif drone == SIMON:
        n = list_places(public, rules, board, seat, region, out, n)
    elif drone == DRACO:
        n = add(out, n, choice(REAP, DRONE, 0, 0, 0, 0, 0))
    else:
        for end in range(int(board.n_regions)):
            if end != region and public.scrappers[seat, region] > 0:
                n = add(out, n, choice(TELEPORT, DRONE, end, 0, 0, 0, 0))
    return add(out, n, choice(SKIP, DRONE, 0, 0, 0, 0, 0))


@inner
def list_places(public, rules, board, seat, region, out, n):
    """CORE-072: from the reserve; from the board only when that is empty, or where the knob allows it."""
    if public.reserve[seat] > 0:
        n = add(out, n, choice(PLACE, DRONE, 0, 0, 0, 0, 0))
        if rules.place_from_board == 0:
            return n
    for source in range(int(board.n_regions)):
        if source != region and public.scrappers[seat, source] > 0:
            n = add(out, n, choice(PLACE, DRONE, source + 1, 0, 0, 0, 0))
    return n


@inner
def list_next_scrapper(public, board, out, n, drone_region):
    """CORE-073: a further Scrapper goes to a Ground too, the same or another, or stays."""
    for end in range(int(board.n_regions)):
        if end != drone_region and board.level[end] == GROUND:
            n = add(out, n, choice(TELEPORT, DRONE, end, 0, 0, 0, 0))
    return add(out, n, choice(SKIP, DRONE, 0, 0, 0, 0, 0))


@inner
def use_once(public, left):
    """One use of the Drone's action is spent."""
    if left <= 1:
        pop(public)
    else:
        public.frame[int(public.n_frames) - 1, 3] = left - 1


@inner
def harvest(public, log, rules, board, seat, region, left):
    """CORE-026, CORE-043, CORE-071: Masamune collects one resource of its Region; up to 2 in all.

    A discard that it brings about is marked as part of the Drone's action.
    """
    use_once(public, left)
    collect_resource(public, log, rules, board, seat, region, 0)
    if asked(public) == ASK_DISCARD:
        public.frame[int(public.n_frames) - 1, 3] = 1


@inner
def place_scrapper(public, seat, region, source, left):
    """CORE-028, CORE-072: Simon places one Scrapper in its Region; up to 2 in all."""
    use_once(public, left)
    bring_scrapper(public, seat, region, source)


@inner
def teleport(public, board, seat, region, end, left):
    """CORE-073: Fly takes a Scrapper away; after one to a Ground another may follow, `left` in all."""
    pop(public)
    public.scrappers[seat, region] -= 1
    public.scrappers[seat, end] += 1
    if left > 1 and board.level[end] == GROUND and public.scrappers[seat, region] > 0:
        push(public, ASK_FLY, seat, end, left - 1, 0)


@inner
def reap(public, own, hidden, log, rules, pack, seat, region):
    """CORE-074: a Kill on each opposing faction; victims gain first, in Priority order, then the actor."""
    pop(public)
    for place in range(int(public.n_seats)):
        victim = int(public.priority[place])
        if victim != seat and public.scrappers[victim, region] > 0:
            remove_scrapper(public, log, seat, victim, region)
            gain_candy(public, own, hidden, log, pack, victim, int(rules.kill_candy))
    gain_supplies(public, log, seat, int(rules.draco_supplies), FROM_DRACO)
    gain_candy(public, own, hidden, log, pack, seat, int(rules.draco_candy))
