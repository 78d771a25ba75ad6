"""Resources and Supplies on a Pad: gaining, collecting, discarding. Gaining isn't collecting."""

from __future__ import annotations

from simlab.games.dei.agenda import add, push
from simlab.games.dei.choices import DISCARD, GAIN, choice
from simlab.games.dei.vocabulary import (
    ASK_DISCARD,
    ENERGY,
    GAIN_CANDY,
    GAIN_ENERGY,
    GAIN_SUPPLIES,
    GAIN_TECHNOLOGY,
    NONE,
    TECHNOLOGY,
)
from simlab.jit import inner


@inner
def resources_held(public, seat):
    """CORE-043: resources on a Pad."""
    return int(public.technology[seat]) + int(public.energy[seat])


@inner
def add_resource(public, seat, kind, amount):
    """Change one kind of resource on a Pad."""
    if kind == TECHNOLOGY:
        public.technology[seat] += amount
    else:
        public.energy[seat] += amount


@inner
def gain_resource(public, log, rules, seat, kind, amount):
    """CORE-028, CORE-043, CORE-061: gain up to the limit; the rest isn't gained."""
    room = int(rules.resource_limit) - resources_held(public, seat)
    gained = min(amount, room)
    if gained > 0:
        add_resource(public, seat, kind, gained)
        log.gained[seat, kind] += gained


@inner
def pay_resource(public, log, seat, kind, amount):
    """CORE-028, CORE-044: discard to the Common Reserve."""
    add_resource(public, seat, kind, -amount)
    log.paid[seat, kind] += amount


@inner
def collect_resource(public, log, rules, board, seat, region, swap):
    """CORE-042, CORE-043: take one token of a Region; an eleventh asks for a discard.

    With `swap` a Technology is exchanged for an Energy Cell (CORE-065, CORE-112). The discard is of
    what lay on the Pad before; it is asked only where both kinds did.
    """
    kind = int(board.level[region])
    public.resources[region] -= 1
    log.collected[seat, kind] += 1
    log.collected_from[region] += 1
    if swap != 0:
        kind = ENERGY
    add_resource(public, seat, kind, 1)
    if resources_held(public, seat) <= rules.resource_limit:
        return
    technology = int(public.technology[seat]) - (1 if kind == TECHNOLOGY else 0)
    energy = int(public.energy[seat]) - (1 if kind == ENERGY else 0)
    if technology > 0 and energy > 0:
        push(public, ASK_DISCARD, seat, kind, 0, 0)
    elif technology > 0:
        discard_resource(public, log, seat, TECHNOLOGY)
    else:
        discard_resource(public, log, seat, ENERGY)


@inner
def discard_resource(public, log, seat, kind):
    """CORE-028, CORE-043: one resource back to the Common Reserve."""
    add_resource(public, seat, kind, -1)
    log.discarded[seat, kind] += 1


@inner
def list_discards(out, n):
    """CORE-043: what may go when an eleventh resource came; both kinds lay on the Pad."""
    n = add(out, n, choice(DISCARD, 0, TECHNOLOGY, 0, 0, 0, 0))
    return add(out, n, choice(DISCARD, 0, ENERGY, 0, 0, 0, 0))


@inner
def gain_supplies(public, log, seat, amount, source):
    """CORE-028, CORE-061: Supplies, counted at once."""
    public.supplies[seat] += amount
    log.supplies_from[seat, source] += amount


@inner
def can_gain(public, rules, seat, op):
    """CORE-032, CORE-061: whether a gain would change anything."""
    if op == GAIN_SUPPLIES:
        return True
    if op == GAIN_CANDY:
        return public.candy_reserve > 0
    return resources_held(public, seat) < rules.resource_limit


@inner
def list_gains(public, rules, seat, op, amount, out, n):
    """CORE-032, CORE-061: a gain is one choice, offered where it changes something."""
    if can_gain(public, rules, seat, op):
        n = add(out, n, choice(GAIN, op, amount, 0, 0, 0, 0))
    return n


@inner
def gained_kind(op):
    """The resource that a gain icon gives, NONE for Supplies and Candy."""
    if op == GAIN_TECHNOLOGY:
        return TECHNOLOGY
    if op == GAIN_ENERGY:
        return ENERGY
    return NONE
