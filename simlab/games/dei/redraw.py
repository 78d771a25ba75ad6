"""What a seat can't know, drawn anew: for search, and for the test that a strategy doesn't peek."""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.feats import colour_mask
from simlab.games.dei.vocabulary import (
    CANDY_IN_RESERVE,
    HAND,
    N_COLOURS,
    N_MARKETS,
    NONE,
)
from simlab.jit import inner

# streams of one redraw
_DECKS, _FEATS, _CANDY, _COMMITTED, _LUCK = 0, 1, 2, 3, 4


@inner
def redraw(public, own, hidden, rules, pack, seat, key):
    """CORE-015, CORE-016: draw deck orders, other seats' face-down Feats, Candy and committed cards anew.

    What the seat knows stays: its own record, all that is public, the Feats it saw in a draft. The
    chance of later events is replaced too.
    """
    redraw_decks(public, hidden, pack, key)
    redraw_feats(public, own, seat, key)
    redraw_candy(public, own, hidden, pack, seat, key)
    redraw_committed(public, own, rules, pack, seat, key)
    hidden.deal_key = chance.draw(key, chance.REDRAW, _LUCK, 0)


@inner
def lowest(mask, key, stream):
    """The member of a set (bits, up to 62) with the lowest priority, NONE of an empty one."""
    best = NONE
    best_priority = 0
    for member in range(62):
        if mask >> member & 1 == 1:
            priority = chance.draw(key, chance.REDRAW, stream, member)
            if best == NONE or priority < best_priority:
                best, best_priority = member, priority
    return best


@inner
def redraw_decks(public, hidden, pack, key):
    """CORE-011, CORE-016: which card lies where in the decks.

    A coloured card lies in its market's deck; a Drone card in any of the three Outpost decks, so the
    Drone cards still hidden are dealt anew over the places that hold one.
    """
    for market in range(N_MARKETS):
        left = int(public.deck_left[market])
        for i in range(left):  # a Fisher-Yates shuffle, each step addressed by its place
            j = i + chance.below(chance.draw(key, chance.REDRAW, _DECKS * 1000 + market, i), left - i)
            hidden.deck[market, i], hidden.deck[market, j] = hidden.deck[market, j], hidden.deck[market, i]
    redraw_drone_cards(public, hidden, pack, key)


@inner
def redraw_drone_cards(public, hidden, pack, key):
    """CORE-011: exchange hidden Drone cards between the Outpost decks, each place with a drawn later one."""
    total = 0
    for market in range(N_MARKETS):
        for i in range(int(public.deck_left[market])):
            if pack.drone_deck[hidden.deck[market, i]] != NONE:
                total += 1
    for number in range(total):
        other = number + chance.below(chance.draw(key, chance.REDRAW, 500, number), total - number)
        swap_drone_cards(public, hidden, pack, number, other)


@inner
def swap_drone_cards(public, hidden, pack, number, other):
    """Exchange the `number`-th and the `other`-th hidden Drone card, counted over all decks."""
    first_market = first_place = second_market = second_place = NONE
    count = 0
    for market in range(N_MARKETS):
        for i in range(int(public.deck_left[market])):
            if pack.drone_deck[hidden.deck[market, i]] == NONE:
                continue
            if count == number:
                first_market, first_place = market, i
            if count == other:
                second_market, second_place = market, i
            count += 1
    card = int(hidden.deck[first_market, first_place])
    hidden.deck[first_market, first_place] = hidden.deck[second_market, second_place]
    hidden.deck[second_market, second_place] = card


@inner
def redraw_feats(public, own, seat, key):
    """CORE-015, CORE-131: other seats' face-down Feats among those the seat hasn't seen elsewhere.

    In a draft the seat saw what lay there when it picked a colour: who picked that colour before took
    one of the others, who picked it after took one of those.
    """
    for colour in range(N_COLOURS):
        free = colour_mask(colour) & ~int(own[seat].feats)
        for other in range(int(public.n_seats)):
            free &= ~int(public.unlocked[other])
        for other in range(int(public.n_seats)):
            held = int(own[other].feats) & colour_mask(colour)
            if other == seat or held == 0 or held & int(public.unlocked[other]) != 0:
                continue
            possible = free & seen_filter(public, own, seat, other, colour)
            feat = lowest(possible, key, _FEATS * 1000 + other)
            if feat == NONE:  # in positions set by hand more may be unlocked than a deal leaves
                continue
            own[other].feats = int(own[other].feats) & ~held | 1 << feat
            free &= ~(1 << feat)
    redraw_seen(public, own, seat)


@inner
def seen_filter(public, own, seat, other, colour):
    """CORE-131: the Feats that another seat may hold, as far as the draft showed this seat."""
    seen = int(own[seat].draft_seen[colour])
    if seen == 0:
        return colour_mask(colour)
    if public.draft_order[other, colour] < public.draft_order[seat, colour]:
        return colour_mask(colour) & ~seen
    return seen


@inner
def redraw_seen(public, own, seat):
    """CORE-131: what the others saw in the draft, from the Feats now dealt to those who picked before."""
    for other in range(int(public.n_seats)):
        if other == seat:
            continue
        for colour in range(N_COLOURS):
            if own[other].draft_seen[colour] == 0:
                continue
            taken = 0
            for earlier in range(int(public.n_seats)):
                before = int(public.draft_order[earlier, colour])
                if before != NONE and before < public.draft_order[other, colour]:
                    taken |= int(own[earlier].feats)
            own[other].draft_seen[colour] = colour_mask(colour) & ~taken


@inner
def redraw_candy(public, own, hidden, pack, seat, key):
    """CORE-016, CORE-080: which tokens lie in the reserve and which the other seats hold."""
    free = 0
    for token in range(int(pack.n_candy)):
        holder = int(hidden.token_at[token])
        if holder == CANDY_IN_RESERVE or (holder >= 0 and holder != seat):
            hidden.token_at[token] = CANDY_IN_RESERVE
            free |= 1 << token
    for other in range(int(public.n_seats)):
        if other == seat:
            continue
        for kind in range(len(own[other].candy)):
            own[other].candy[kind] = 0
        for i in range(int(public.candy[other])):
            token = lowest(free, key, _CANDY * 1000 + other * 32 + i)
            free &= ~(1 << token)
            hidden.token_at[token] = other
            own[other].candy[pack.candy_kind[token]] += 1


@inner
def redraw_committed(public, own, rules, pack, seat, key):
    """CORE-132: other seats' committed cards, any of their hand but those bought since."""
    if rules.planning == 0:
        return
    for other in range(int(public.n_seats)):
        if other == seat:
            continue
        last = -1
        for i in range(int(own[other].n_committed)):
            best = NONE
            best_priority = 0
            for card in range(int(pack.n_cards)):
                if public.card_owner[card] != other or public.card_place[card] != HAND:
                    continue
                if public.fresh[0] == card or public.fresh[1] == card:
                    continue
                priority = chance.draw(key, chance.REDRAW, _COMMITTED * 1000 + other, card)
                if priority > last and (best == NONE or priority < best_priority):
                    best, best_priority = card, priority
            own[other].committed[i] = best
            last = best_priority
