"""Candy Boosts: gaining from the Candy Reserve, laying on a card, going back."""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.agenda import add, add_icon
from simlab.games.dei.choices import LAY_CANDY, choice
from simlab.games.dei.icons import icon
from simlab.games.dei.resources import gain_resource
from simlab.games.dei.vocabulary import (
    BUILD_REFUGE,
    CANDY_COLLECT,
    CANDY_ENLIST,
    CANDY_IN_RESERVE,
    CANDY_MOVE,
    CANDY_ON_CARD,
    CANDY_OUTPOST,
    CANDY_REFUGE,
    CANDY_TECHNOLOGY,
    COLLECT,
    ENLIST,
    MAX_PLAYS,
    MOVE,
    N_CANDIES,
    NONE,
    TECHNOLOGY,
)
from simlab.jit import inner


@inner
def gain_candy(public, own, hidden, log, pack, seat, amount):
    """CORE-028, CORE-080, CORE-081: draw blind; with an empty reserve none is gained.

    A token's priority depends on the Turn and the token only, so a game that draws one more elsewhere
    still draws the same tokens in the same order.
    """
    for _ in range(amount):
        best = NONE
        best_priority = 0
        for token in range(int(pack.n_candy)):
            if hidden.token_at[token] != CANDY_IN_RESERVE:
                continue
            priority = chance.draw(hidden.deal_key, chance.CANDY, public.turn, token)
            if best == NONE or priority < best_priority:
                best = token
                best_priority = priority
        if best == NONE:
            return
        hidden.token_at[best] = seat
        own[seat].candy[pack.candy_kind[best]] += 1
        public.candy[seat] += 1
        public.candy_reserve -= 1
        log.candy_gained[seat] += 1


@inner
def place_candy(public, own, hidden, log, pack, seat, play, kind):
    """CORE-080, CORE-082: move one held Candy Boost of a kind onto a card on the Pad."""
    for token in range(int(pack.n_candy)):
        if hidden.token_at[token] == seat and pack.candy_kind[token] == kind:
            hidden.token_at[token] = CANDY_ON_CARD
            break
    own[seat].candy[kind] -= 1
    public.candy[seat] -= 1
    public.play_candy[seat, play] = kind
    log.candy_laid[seat, kind] += 1


@inner
def lay_candy(public, own, hidden, log, rules, pack, seat, play, kind):
    """CORE-080, CORE-081, CORE-082: lay a Candy Boost on the card being resolved.

    Its action is an icon of that card; Technology is taken at once; the wild Outpost counts as long as
    it lies on the card.
    """
    place_candy(public, own, hidden, log, pack, seat, play, kind)
    if kind == CANDY_ENLIST:
        add_icon(public, icon(ENLIST, 0, 0, 0))
    elif kind == CANDY_MOVE:
        add_icon(public, icon(MOVE, 0, 0, 0))
    elif kind == CANDY_COLLECT:
        add_icon(public, icon(COLLECT, 0, 0, 0))
    elif kind == CANDY_TECHNOLOGY:
        gain_resource(public, log, rules, seat, TECHNOLOGY, int(rules.candy_technology))
    elif kind != CANDY_OUTPOST:
        add_icon(public, icon(BUILD_REFUGE + kind - CANDY_REFUGE, 0, 0, 0))


@inner
def can_lay(own, rules, seat, kind):
    """CORE-080: whether a seat holds a Candy Boost of a kind that it may lay."""
    return own[seat].candy[kind] > 0 and int(rules.banned_candy[seat]) >> kind & 1 == 0


@inner
def list_candy(public, own, rules, seat, play, out, n):
    """CORE-080, CORE-082: every kind held, while the card being resolved bears none."""
    if play == NONE or public.play_candy[seat, play] != NONE:
        return n
    for kind in range(N_CANDIES):
        if can_lay(own, rules, seat, kind):
            n = add(out, n, choice(LAY_CANDY, 0, kind, 0, 0, 0, 0))
    return n


@inner
def wild_outposts(public, seat, play):
    """CORE-080: 1 while a wild Outpost lies on the card being resolved."""
    if play != NONE and public.play_candy[seat, play] == CANDY_OUTPOST:
        return 1
    return 0


@inner
def return_candy(public, hidden, pack):
    """CORE-035: Candy Boosts on cards go back; the reserve counts as shuffled (the Turn is its key)."""
    for token in range(int(pack.n_candy)):
        if hidden.token_at[token] == CANDY_ON_CARD:
            hidden.token_at[token] = CANDY_IN_RESERVE
            public.candy_reserve += 1
    for seat in range(int(public.n_seats)):
        for play in range(MAX_PLAYS):
            public.play_candy[seat, play] = NONE
