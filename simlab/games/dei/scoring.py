"""The final count and the winner."""

from __future__ import annotations

from simlab.games.dei.feats import count_feats
from simlab.games.dei.majority import cubes_held
from simlab.games.dei.resources import gain_supplies
from simlab.games.dei.vocabulary import (
    ABSENT,
    FINISHED,
    FROM_ENERGY,
    FROM_FEATS,
    FROM_MARKET_CARDS,
    FROM_OUTPOSTS,
    FROM_TECHNOLOGY,
    N_COLOURS,
)
from simlab.jit import inner


@inner
def final_count(public, log, rules, seat):
    """CORE-038: controlled Outposts, unlocked Feats, Technology and Energy Cells, once each."""
    feats = min(count_feats(int(public.unlocked[seat])), N_COLOURS)
    gain_supplies(public, log, seat, cubes_held(public, seat) * int(rules.outpost_supplies), FROM_OUTPOSTS)
    gain_supplies(public, log, seat, int(rules.feat_supplies[feats]), FROM_FEATS)
    technology = int(public.technology[seat]) // int(rules.technology_per_supply)
    gain_supplies(public, log, seat, technology, FROM_TECHNOLOGY)
    gain_supplies(public, log, seat, int(public.energy[seat]) // int(rules.energy_per_supply), FROM_ENERGY)


@inner
def market_card_supplies(public, pack, seat):
    """CORE-012, CORE-035, CORE-038: Supplies printed on all Market cards owned, binned ones included."""
    supplies = 0
    for card in range(int(pack.n_cards)):
        if public.card_owner[card] == seat and public.card_place[card] != ABSENT:
            supplies += int(pack.card_supplies[card])
    return supplies


@inner
def count_market_cards(public, log, pack):
    """CORE-038: the Market cards of all players, in Priority order."""
    for place in range(int(public.n_seats)):
        seat = int(public.priority[place])
        gain_supplies(public, log, seat, market_card_supplies(public, pack, seat), FROM_MARKET_CARDS)


@inner
def place_of(public, seat):
    """CORE-039: 1 for the winner: most Supplies, ties to the earlier player of the last Turn."""
    place = 1
    passed = False
    for i in range(int(public.n_seats)):
        other = int(public.priority[i])
        if other == seat:
            passed = True
            continue
        if public.supplies[other] > public.supplies[seat]:
            place += 1
        elif public.supplies[other] == public.supplies[seat] and not passed:
            place += 1
    return place


@inner
def end_game(public, log, pack):
    """CORE-038, CORE-039: Market cards, then the places."""
    count_market_cards(public, log, pack)
    public.ending = FINISHED
    for seat in range(int(public.n_seats)):
        log.place[seat] = place_of(public, seat)
