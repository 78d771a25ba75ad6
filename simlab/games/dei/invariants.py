"""Conservation laws and derived fields, recomputed: one bit a broken law, 0 means sound."""

from __future__ import annotations

from simlab.games.dei.builds import sites_of, tokens_of
from simlab.games.dei.majority import majority_holder, majority_value
from simlab.games.dei.vocabulary import (
    ABSENT,
    CANDY_IN_RESERVE,
    CANDY_ON_CARD,
    DECK,
    ENERGY,
    MARKET,
    MAX_PLAYS,
    N_CANDIES,
    N_COLOURS,
    N_CONSTRUCTIONS,
    N_MARKETS,
    N_SLOTS,
    NONE,
    TECHNOLOGY,
)
from simlab.jit import inner

SCRAPPERS, CONSTRUCTIONS, CARDS, RESOURCES, VALUES, CUBES, CANDY, LIMITS, SUPPLIES = (
    1 << bit for bit in range(9)
)
LAWS = (
    "Scrappers of a faction aren't conserved",
    "a construction stands nowhere or twice",
    "a card is in no place or in two",
    "resources on board and Pads aren't setup + taken − returned",
    "a Majority value or holder isn't what a recount gives",
    "a cube isn't where Majority and the limit put it",
    "Candy Boosts aren't conserved",
    "a limit is exceeded",
    "Supplies aren't the sum of their sources",
)


@inner
def broken_laws(public, own, hidden, log, rules, pack, board, settled):
    """A bit for each law of LAWS that doesn't hold; `settled` is 0 inside a Drone's action."""
    laws = 0
    for seat in range(int(public.n_seats)):
        if not scrappers_conserved(public, rules, board, seat):
            laws |= SCRAPPERS
        if not constructions_sound(public, rules, board, seat):
            laws |= CONSTRUCTIONS
        if not within_limits(public, rules, seat):
            laws |= LIMITS
        if not supplies_add_up(public, log, seat):
            laws |= SUPPLIES
    if not cards_sound(public, hidden, pack):
        laws |= CARDS
    if not resources_conserved(public, log, rules, board):
        laws |= RESOURCES
    if settled != 0 and not values_sound(public, rules, board):
        laws |= VALUES
    if settled != 0 and not cubes_sound(public, rules, board):
        laws |= CUBES
    if not candy_conserved(public, own, hidden, pack):
        laws |= CANDY
    return laws


@inner
def scrappers_conserved(public, rules, board, seat):
    """CORE-014, CORE-028: reserve + board = all Scrappers of the faction, nowhere fewer than none."""
    total = int(public.reserve[seat])
    for region in range(public.scrappers.shape[1]):
        here = int(public.scrappers[seat, region])
        if here < 0 or (here > 0 and region >= board.n_regions):
            return False
        total += here
    return total == rules.scrappers and public.reserve[seat] >= 0


@inner
def constructions_sound(public, rules, board, seat):
    """CORE-014, CORE-051: every token in reserve or at a place that exists; none beyond the faction's."""
    for construction in range(N_CONSTRUCTIONS):
        for token in range(public.built.shape[2]):
            site = int(public.built[seat, construction, token])
            if site < NONE or site >= sites_of(board, construction):
                return False
            if token >= tokens_of(rules, construction) and site != NONE:
                return False
    return True


@inner
def within_limits(public, rules, seat):
    """CORE-024, CORE-043: resources (one more while a discard is asked) and cubes."""
    held = int(public.technology[seat]) + int(public.energy[seat])
    if held > rules.resource_limit + 1 or public.technology[seat] < 0 or public.energy[seat] < 0:
        return False
    for colour in range(N_COLOURS):
        if public.cubes[seat, colour] > rules.cube_limit_per_color:
            return False
    return True


@inner
def supplies_add_up(public, log, seat):
    """CORE-034, CORE-038: all Supplies have a source."""
    total = 0
    for source in range(log.supplies_from.shape[1]):
        total += int(log.supplies_from[seat, source])
    return total == public.supplies[seat]


@inner
def times_found(public, hidden, card):
    """How often a card lies in a deck or a market slot."""
    found = 0
    for market in range(N_MARKETS):
        for i in range(int(public.deck_left[market])):
            if hidden.deck[market, i] == card:
                found += 1
        for slot in range(N_SLOTS):
            if public.market[market, slot] == card:
                found += 1
    return found


@inner
def cards_sound(public, hidden, pack):
    """CORE-011, CORE-044: each card in one place: in a deck or slot exactly once, or owned, or absent."""
    for card in range(int(pack.n_cards)):
        place = int(public.card_place[card])
        on_table = 1 if place == DECK or place == MARKET else 0
        if times_found(public, hidden, card) != on_table:
            return False
        owned = 1 if public.card_owner[card] != NONE else 0
        if on_table + owned != (0 if place == ABSENT else 1):
            return False
    return plays_sound(public)


@inner
def plays_sound(public):
    """CORE-030, CORE-035: cards on a Pad are its owner's, and no more than were laid."""
    for seat in range(int(public.n_seats)):
        for play in range(MAX_PLAYS):
            card = int(public.play[seat, play])
            if (card == NONE) != (play >= public.n_plays[seat]):
                return False
            if card != NONE and public.card_owner[card] != seat:
                return False
    return True


@inner
def resources_conserved(public, log, rules, board):
    """CORE-009, CORE-028: each kind on board and Pads = setup + taken from − returned to the Reserve.

    An exchange (CORE-065, CORE-112) turns one kind into the other, so both kinds are added up.
    """
    total = 0
    for region in range(int(board.n_regions)):
        if public.resources[region] < 0:
            return False
        total += int(public.resources[region]) - int(board.starting_resources[region])
    for seat in range(int(public.n_seats)):
        total += int(public.technology[seat]) + int(public.energy[seat])
        total -= int(rules.starting_technology) + int(rules.starting_energy)
        for kind in (TECHNOLOGY, ENERGY):
            total -= int(log.gained[seat, kind])
            total += int(log.paid[seat, kind]) + int(log.discarded[seat, kind])
    for kind in (TECHNOLOGY, ENERGY):
        total -= int(log.placed_from_reserve[kind])
    return total == 0


@inner
def values_sound(public, rules, board):
    """CORE-020, CORE-026: derived values and holders are what a recount gives."""
    for region in range(int(board.n_regions)):
        for seat in range(int(public.n_seats)):
            if public.value[region, seat] != majority_value(public, rules, board, seat, region):
                return False
        if public.holder[region] != majority_holder(public, region):
            return False
    return True


@inner
def cubes_sound(public, rules, board):
    """CORE-023, CORE-024: a cube is with the Majority faction, or on its Outpost because nobody has it or
    that faction is at the limit; the counts agree.
    """
    for seat in range(int(public.n_seats)):
        for colour in range(N_COLOURS):
            count = 0
            for outpost in range(int(board.n_outposts)):
                if public.cube[outpost] == seat and board.outpost_colour[outpost] == colour:
                    count += 1
            if count != public.cubes[seat, colour]:
                return False
    for outpost in range(int(board.n_outposts)):
        owner = int(public.cube[outpost])
        holder = int(public.holder[int(board.outpost_region[outpost])])
        if owner != NONE and owner != holder:
            return False
        if owner == NONE and holder != NONE:
            if public.cubes[holder, int(board.outpost_colour[outpost])] < rules.cube_limit_per_color:
                return False
    return True


@inner
def candy_conserved(public, own, hidden, pack):
    """CORE-080: each token in the reserve, with a seat or on a card; the counts agree."""
    reserve = 0
    for token in range(int(pack.n_candy)):
        holder = int(hidden.token_at[token])
        if holder == CANDY_IN_RESERVE:
            reserve += 1
        elif holder != CANDY_ON_CARD and not (0 <= holder < public.n_seats):
            return False
    if reserve != public.candy_reserve:
        return False
    for seat in range(int(public.n_seats)):
        held = 0
        for kind in range(N_CANDIES):
            count = 0
            for token in range(int(pack.n_candy)):
                if hidden.token_at[token] == seat and pack.candy_kind[token] == kind:
                    count += 1
            if count != own[seat].candy[kind]:
                return False
            held += count
        if held != public.candy[seat]:
            return False
    return True
