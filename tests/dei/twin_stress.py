"""Facts of the engine's records set by hand, at random: what rare rules and their mixtures need."""

from __future__ import annotations

import random
from typing import Any

from simlab.games.dei import engine
from simlab.games.dei.builds import sites_of, tokens_of
from simlab.games.dei.names import Names
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    BIN,
    CANDY_IN_RESERVE,
    FROM_ICONS,
    HAND,
    N_DRONES,
    N_FEATS,
    N_MARKETS,
    NONE,
)


def scatter(position: Position, names: Names, chance: random.Random) -> None:
    """Feats, Candy Boosts, resources, Units, constructions and cards at random, within the game's limits."""
    public, seats = names.public, range(int(names.public.n_seats))
    n_regions = int(names.board.n_regions)
    for seat in seats:
        _scatter_feats(position, chance, seat)
        _scatter_resources(position, names, chance, seat)
        _scatter_units(public, chance, seat, n_regions)
        _scatter_constructions(names, chance, seat)
    _scatter_candy(position, names, chance)
    _scatter_cards(position, names, chance)
    for drone in range(N_DRONES):
        if int(public.drone[drone]) != NONE and chance.random() < 0.3:
            public.drone[drone] = chance.randrange(n_regions)
    for region in range(n_regions):
        if chance.random() < 0.2:
            public.resources[region] = chance.randint(0, 3)
    if chance.random() < 0.2:
        public.extra_moves = chance.randint(0, 3)
    engine.settle(position)


def _scatter_feats(position: Position, chance: random.Random, seat: int) -> None:
    extra = chance.getrandbits(N_FEATS) & chance.getrandbits(N_FEATS) & chance.getrandbits(N_FEATS)
    position.own[seat].feats |= extra
    position.public[0].unlocked[seat] |= extra


def _scatter_resources(position: Position, names: Names, chance: random.Random, seat: int) -> None:
    public, limit = names.public, int(names.rules.resource_limit)
    if chance.random() < 0.5:
        held = chance.randint(0, limit) if chance.random() < 0.5 else limit
        public.technology[seat] = chance.randint(0, held)
        public.energy[seat] = held - int(public.technology[seat])
    if chance.random() < 0.3:
        more = chance.randint(0, 5)
        public.supplies[seat] += more
        position.log[0].supplies_from[seat, FROM_ICONS] += more


def _scatter_units(public: Any, chance: random.Random, seat: int, n_regions: int) -> None:
    if int(public.leader[seat]) == NONE:
        return  # not deployed yet
    for _ in range(chance.randint(0, 6)):
        region = chance.randrange(n_regions)
        if int(public.reserve[seat]) and chance.random() < 0.7:
            public.reserve[seat] -= 1
            public.scrappers[seat, region] += 1
        elif int(public.scrappers[seat, region]):
            public.reserve[seat] += 1
            public.scrappers[seat, region] -= 1
    if chance.random() < 0.1:
        while int(public.reserve[seat]):
            public.reserve[seat] -= 1
            public.scrappers[seat, chance.randrange(n_regions)] += 1
    if chance.random() < 0.3:
        public.leader[seat] = chance.randrange(n_regions)


def _scatter_constructions(names: Names, chance: random.Random, seat: int) -> None:
    for construction in range(3):
        sites = int(sites_of(names.board, construction))
        for token in range(int(tokens_of(names.rules, construction))):
            if sites and chance.random() < 0.2:
                names.public.built[seat, construction, token] = chance.randrange(sites)


def _scatter_candy(position: Position, names: Names, chance: random.Random) -> None:
    table, public = names.pack.table[0], names.public
    for token in range(int(table.n_candy)):
        if int(position.hidden[0].token_at[token]) == CANDY_IN_RESERVE and chance.random() < 0.25:
            seat = chance.randrange(int(public.n_seats))
            position.hidden[0].token_at[token] = seat
            position.own[seat].candy[int(table.candy_kind[token])] += 1
            public.candy[seat] += 1
            public.candy_reserve -= 1


def _scatter_cards(position: Position, names: Names, chance: random.Random) -> None:
    """The next cards of the decks as if bought; under Planning into the bin, since hands count there."""
    public, deck = names.public, position.hidden[0].deck
    for market in range(N_MARKETS):
        left = int(public.deck_left[market])
        if left and chance.random() < 0.3:
            card = int(deck[market, left - 1])
            deck[market, left - 1] = NONE
            public.deck_left[market] = left - 1
            public.card_owner[card] = chance.randrange(int(public.n_seats))
            public.card_place[card] = BIN if int(names.rules.planning) else HAND
