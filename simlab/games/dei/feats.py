"""Feats: dealing them by draft, unlocking them. What each changes stands where it applies.

Modifiers: Bombing, Fortress, Trojan Horses, Caravan, Remote Drive. Majority: Field Knowledge. Collect:
Extreme Remedies, Exploitation Camp, Deep Excavation. Build: Field Engineer, Drop Pod. Move: Caravan,
Underground Shortcut, and Sky Boots below. Enlist: Outnumber (legal.py). Markets: Alternative Energy,
Delivery Bot, Low Energy Remote Control, Trading Post.
"""

from __future__ import annotations

from simlab.games.dei.agenda import add
from simlab.games.dei.choices import COLOUR, FEAT, choice
from simlab.games.dei.copies import bears
from simlab.games.dei.majority import renew_all, settle_cubes
from simlab.games.dei.modifiers import has_feat
from simlab.games.dei.vocabulary import (
    CANDY_MOVE,
    FACE_UP,
    FEATS_PER_COLOUR,
    N_COLOURS,
    N_FEATS,
    SKY_BOOTS,
)
from simlab.jit import inner


@inner
def colour_mask(colour):
    """A bit for each Feat of a colour."""
    return ((1 << FEATS_PER_COLOUR) - 1) << (colour * FEATS_PER_COLOUR)


@inner
def count_feats(mask):
    """How many Feats a set holds."""
    count = 0
    for feat in range(N_FEATS):
        count += mask >> feat & 1
    return count


@inner
def unlock_feats(public, own, log, rules, board, seat):
    """CORE-033: every dealt Feat whose colour has enough cubes, checked again until nothing changes.

    An unlocked Feat may change a Majority and so bring the cubes that unlock another one.
    """
    changed = True
    while changed:
        changed = False
        for colour in range(N_COLOURS):
            if public.cubes[seat, colour] < rules.feat_unlock_cubes:
                continue
            dealt = int(own[seat].feats) & colour_mask(colour) & ~int(rules.void_feats[seat])
            if dealt & ~int(public.unlocked[seat]) == 0:
                continue
            public.unlocked[seat] = int(public.unlocked[seat]) | dealt
            log.feat_turn[seat, colour] = public.turn
            changed = True
        if changed:
            renew_all(public, rules, board)
            settle_cubes(public, rules, board)


@inner
def bears_move(public, pack, seat, play):
    """CORE-060, CORE-082, CORE-107: a Move icon, printed, copied or of a Candy Boost."""
    if public.play_candy[seat, play] == CANDY_MOVE:
        return True
    if public.card_place[int(public.play[seat, play])] != FACE_UP:
        return False
    return bears(public, pack, seat, play, 1) > 0


@inner
def sky_boots(public, rules, pack, seat, play):
    """CORE-055, CORE-107: after a card that bears a Move icon, an extra Move in this phase."""
    if not has_feat(public, seat, SKY_BOOTS) or not bears_move(public, pack, seat, play):
        return
    if rules.sky_boots_per_card != 0 or public.boots_used == 0:
        public.extra_moves += int(rules.sky_boots_moves)
        public.boots_used = 1


@inner
def draft_seat(public, step):
    """CORE-131: whose pick it is: 1 … n, n … 1, 1 … n."""
    n_seats = int(public.n_seats)
    turn, place = step // n_seats, step % n_seats
    return place if turn % 2 == 0 else n_seats - 1 - place


@inner
def list_colours(own, seat, out, n):
    """CORE-131: the colours of which the picker has no Feat."""
    for colour in range(N_COLOURS):
        if int(own[seat].feats) & colour_mask(colour) == 0:
            n = add(out, n, choice(COLOUR, 0, colour, 0, 0, 0, 0))
    return n


@inner
def name_colour(public, own, seat, colour):
    """CORE-131: the picker sees what is left of the colour; the others see the colour."""
    taken = 0
    earlier = 0
    for other in range(int(public.n_seats)):
        taken |= int(own[other].feats)
        for i in range(N_COLOURS):
            if public.draft_colour[other, i] == colour:
                earlier += 1
    own[seat].draft_seen[colour] = colour_mask(colour) & ~taken
    public.draft_colour[seat, int(public.draft_step) // int(public.n_seats)] = colour
    public.draft_order[seat, colour] = earlier


@inner
def list_feats(own, seat, colour, out, n):
    """CORE-131: the Feats left of the colour named."""
    for feat in range(colour * FEATS_PER_COLOUR, (colour + 1) * FEATS_PER_COLOUR):
        if int(own[seat].draft_seen[colour]) >> feat & 1 == 1:
            n = add(out, n, choice(FEAT, 0, feat, 0, 0, 0, 0))
    return n


@inner
def take_feat(own, log, seat, feat):
    """CORE-015, CORE-131: face down onto the Pad."""
    own[seat].feats = int(own[seat].feats) | 1 << feat
    log.feats_dealt[seat] = int(log.feats_dealt[seat]) | 1 << feat


@inner
def draft_is_over(public, rules):
    """CORE-131: whether the draft has been done (or isn't played)."""
    return rules.feats_draft == 0 or public.draft_step >= N_COLOURS * int(public.n_seats)
