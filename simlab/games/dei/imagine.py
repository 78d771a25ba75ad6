"""A whole game made of what one seat may know: for search, which is never given the hidden record."""

from __future__ import annotations

from simlab.games.dei.feats import colour_mask
from simlab.games.dei.legal import hand_size
from simlab.games.dei.redraw import redraw
from simlab.games.dei.turn import N_PHASES
from simlab.games.dei.vocabulary import (
    ASK_COMMIT,
    BLACK,
    CANDY_IN_RESERVE,
    CANDY_ON_CARD,
    DECK,
    MAX_PLAYS,
    N_CANDIES,
    N_COLOURS,
    N_MARKETS,
    NONE,
)
from simlab.jit import inner


@inner
def imagine(public, known, own, hidden, rules, pack, seat, key):
    """CORE-015, CORE-016: a game that `seat`, which knows `public` and its own record `known`, may be in.

    `own` (one a seat) and `hidden` are overwritten: first with anything that fits what is known, then
    drawn by `redraw`, so that every game that may be is as likely as the rules make it. Nothing is read
    of them.
    """
    for other in range(int(public.n_seats)):
        if other == seat:
            own[other] = known
        else:
            suppose_feats(public, own, rules, other)
            own[other].n_committed = committed_by(public, rules, other)
    suppose_decks(public, hidden, pack)
    suppose_candy(public, own, hidden, pack, seat)
    redraw(public, own, hidden, rules, pack, seat, key)


@inner
def suppose_feats(public, own, rules, other):
    """CORE-015, CORE-131: another seat's Feats: those unlocked, and for each other colour it has, any."""
    own[other].feats = public.unlocked[other]
    for colour in range(N_COLOURS):
        picked = rules.feats_draft == 0 or public.draft_order[other, colour] != NONE
        own[other].draft_seen[colour] = 1 if picked and rules.feats_draft != 0 else 0
        if picked and int(public.unlocked[other]) & colour_mask(colour) == 0:
            own[other].feats = int(own[other].feats) | (colour_mask(colour) & -colour_mask(colour))


@inner
def committed_by(public, rules, other):
    """CORE-132: how many committed cards another seat has in hand: all that are due, until it plays."""
    if rules.planning == 0 or public.phase < 1 or public.phase > N_PHASES:
        return 0
    for i in range(int(public.n_frames)):
        if public.frame[i, 0] == ASK_COMMIT and public.frame[i, 1] == other:
            return 0
    for place in range(int(public.place), int(public.n_seats)):
        if public.priority[place] == other:
            return min(int(rules.cards_per_phase), hand_size(public, other))
    return 0


@inner
def suppose_decks(public, hidden, pack):
    """CORE-011: the cards still in decks: coloured ones in their own, Drone cards where there is room."""
    for market in range(N_MARKETS):
        size = 0
        for card in range(int(pack.n_cards)):
            if public.card_place[card] == DECK and pack.card_market[card] == market:
                hidden.deck[market, size] = card
                size += 1
        for place in range(size, hidden.deck.shape[1]):
            hidden.deck[market, place] = NONE
    market = 0
    size = deck_size(hidden, market)
    for card in range(int(pack.n_cards)):
        if public.card_place[card] == DECK and pack.drone_deck[card] != NONE:
            while market < BLACK and size == public.deck_left[market]:
                market += 1
                size = deck_size(hidden, market)
            hidden.deck[market, size] = card
            size += 1


@inner
def deck_size(hidden, market):
    """The cards that lie in a deck so far."""
    size = 0
    while size < hidden.deck.shape[1] and hidden.deck[market, size] != NONE:
        size += 1
    return size


@inner
def suppose_candy(public, own, hidden, pack, seat):
    """CORE-016, CORE-080: the own tokens and those on cards by kind; all others in the reserve."""
    for token in range(int(pack.n_candy)):
        hidden.token_at[token] = CANDY_IN_RESERVE
    for kind in range(N_CANDIES):
        take_tokens(hidden, pack, kind, seat, int(own[seat].candy[kind]))
    for other in range(int(public.n_seats)):
        for play in range(MAX_PLAYS):
            if public.play_candy[other, play] != NONE:
                take_tokens(hidden, pack, int(public.play_candy[other, play]), CANDY_ON_CARD, 1)


@inner
def take_tokens(hidden, pack, kind, place, number):
    """Tokens of a kind from the reserve to another place."""
    for token in range(int(pack.n_candy)):
        if number > 0 and hidden.token_at[token] == CANDY_IN_RESERVE and pack.candy_kind[token] == kind:
            hidden.token_at[token] = place
            number -= 1
