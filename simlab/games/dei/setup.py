"""Setup: everything that chance fixes before play, the same for all rotations of a block."""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.candy import gain_candy
from simlab.games.dei.feats import take_feat
from simlab.games.dei.majority import renew_all, settle_cubes
from simlab.games.dei.markets import reveal
from simlab.games.dei.resources import add_resource, gain_supplies
from simlab.games.dei.turn import advance
from simlab.games.dei.vocabulary import (
    BLACK,
    CANDY_IN_RESERVE,
    DECK,
    ENERGY,
    FEATS_PER_COLOUR,
    FROM_GRANT,
    HAND,
    N_COLOURS,
    N_DRONES,
    N_MARKETS,
    N_SLOTS,
    NONE,
    TECHNOLOGY,
)
from simlab.jit import inner


@inner
def set_up(public, own, hidden, log, rules, pack, board, deal_key, n_seats, factions):
    """CORE-008 … CORE-017: a game ready for its first decision.

    `factions[seat]`; the seats are the starting Priority (CORE-017, CORE-019: the experiment rotates
    the factions over the seats). `board` is laid out already; the four records come blank.
    """
    hidden.deal_key = deal_key
    public.turn = 1
    public.n_seats = n_seats
    log.game_hash = chance.draw(deal_key, chance.GAME, n_seats, 0)
    log.layout_draws = board.layout_draws
    note_board(log, board)
    for seat in range(n_seats):
        public.faction[seat] = factions[seat]
        public.seat_of[factions[seat]] = seat
        public.priority[seat] = seat
        give_start(public, rules, seat)
    for region in range(int(board.n_regions)):
        public.resources[region] = board.starting_resources[region]
    deal_drones(public, pack, board, deal_key)
    deal_cards(public, hidden, log, pack, deal_key)
    deal_missions(public, log, rules, pack, deal_key)
    for token in range(int(pack.n_candy)):
        hidden.token_at[token] = CANDY_IN_RESERVE
    public.candy_reserve = pack.n_candy
    if rules.feats_draft == 0:
        deal_feats(public, own, log, deal_key)
    for seat in range(n_seats):
        give_grants(public, own, hidden, log, rules, pack, seat)
    renew_all(public, rules, board)
    settle_cubes(public, rules, board)
    advance(public, own, hidden, log, rules, pack, board)


@inner
def note_board(log, board):
    """Which tile lies where, and the Region of each of its patches: what the log's Regions are of."""
    log.board_columns = board.columns
    for place in range(int(board.n_tiles)):
        tile = int(board.tile_at[place])
        log.tile_place[tile] = place
        log.tile_turned[tile] = board.rotation[place]
        for patch in range(board.region_of.shape[1]):
            log.region_of[tile, patch] = board.region_of[tile, patch]


@inner
def give_start(public, rules, seat):
    """CORE-014: what a player starts with."""
    public.technology[seat] = rules.starting_technology
    public.energy[seat] = rules.starting_energy
    public.reserve[seat] = rules.scrappers


@inner
def give_grants(public, own, hidden, log, rules, pack, seat):
    """Handicaps: what this seat has beside the usual start; the resource limit holds."""
    room = int(rules.resource_limit) - int(public.technology[seat]) - int(public.energy[seat])
    technology = min(int(rules.grant_technology[seat]), max(room, 0))
    energy = min(int(rules.grant_energy[seat]), max(room - technology, 0))
    add_resource(public, seat, TECHNOLOGY, technology)
    add_resource(public, seat, ENERGY, energy)
    log.gained[seat, TECHNOLOGY] += technology
    log.gained[seat, ENERGY] += energy
    gain_supplies(public, log, seat, int(rules.grant_supplies[seat]), FROM_GRANT)
    gain_candy(public, own, hidden, log, pack, seat, int(rules.grant_candy[seat]))


@inner
def deal_drones(public, pack, board, deal_key):
    """CORE-008: the starter Drones of the factions in play over the tiles with a Drone symbol.

    The k-th place of the board gets the Drone with the k-th lowest priority, so that a faction more
    or less doesn't reshuffle the others.
    """
    done = 0
    for i in range(len(board.drone_tiles)):
        place = int(board.drone_tiles[i])
        if place == NONE:
            break
        best = NONE
        best_priority = 0
        for drone in range(N_DRONES):
            if public.seat_of[drone] == NONE or done >> drone & 1 == 1:
                continue
            priority = chance.draw(deal_key, chance.DRONE_TILE, drone, 0)
            if best == NONE or priority < best_priority:
                best, best_priority = drone, priority
        if best == NONE:
            break
        done |= 1 << best
        tile = int(board.tile_at[place])
        public.drone[best] = board.region_of[tile, int(pack.drone_patch[tile])]


@inner
def deal_cards(public, hidden, log, pack, deal_key):
    """CORE-011, CORE-012, CORE-014: starting hands, market decks with their share of Drone cards."""
    for card in range(int(pack.n_cards)):
        faction = int(pack.card_faction[card])
        if faction != NONE and public.seat_of[faction] != NONE:
            public.card_owner[card] = public.seat_of[faction]
            public.card_place[card] = HAND
    for market in range(N_MARKETS):
        for card in range(int(pack.n_cards)):
            if pack.card_market[card] == market:
                put_in_deck(public, hidden, market, card, deal_key)
    share_drone_cards(public, hidden, pack, deal_key)
    public.turn = 0  # cards revealed at setup count as Turn 0
    for market in range(N_MARKETS):
        for slot in range(N_SLOTS - 1, -1, -1):
            reveal(public, hidden, log, market, slot)
    public.turn = 1


@inner
def put_in_deck(public, hidden, market, card, deal_key):
    """CORE-011: into a deck by the card's own priority, the next card to be drawn last."""
    priority = chance.draw(deal_key, chance.MARKET_DECK, card, 0)
    size = int(public.deck_left[market])
    i = size
    while i > 0 and chance.draw(deal_key, chance.MARKET_DECK, hidden.deck[market, i - 1], 0) < priority:
        hidden.deck[market, i] = hidden.deck[market, i - 1]
        i -= 1
    hidden.deck[market, i] = card
    public.deck_left[market] = size + 1
    public.card_place[card] = DECK


@inner
def share_drone_cards(public, hidden, pack, deal_key):
    """CORE-011: the Drone cards of the Drones in play, an equal random share to each Outpost market.

    Dealt in the order of a priority a card, market after market in turn.
    """
    dealt = 0
    last = -1
    while True:
        best = NONE
        best_priority = 0
        for card in range(int(pack.n_cards)):
            drone = int(pack.drone_deck[card])
            if drone == NONE or public.seat_of[drone] == NONE:
                continue
            priority = chance.draw(deal_key, chance.DRONE_DECK, card, 0)
            if priority > last and (best == NONE or priority < best_priority):
                best, best_priority = card, priority
        if best == NONE:
            return
        put_in_deck(public, hidden, dealt % BLACK, best, deal_key)
        dealt += 1
        last = best_priority


@inner
def deal_missions(public, log, rules, pack, deal_key):
    """CORE-013, CORE-130: Mission cards in the order of a priority a card onto columns and rows.

    The upper row comes first, so that No Choices leaves the same Missions in it.
    """
    rows = 1 if rules.no_choices != 0 else 2
    last = -1
    for row in range(rows):
        for column in range(int(rules.turns)):
            best = NONE
            best_priority = 0
            for card in range(int(pack.n_missions)):
                priority = chance.draw(deal_key, chance.MISSION_DRAW, card, 0)
                if priority > last and (best == NONE or priority < best_priority):
                    best, best_priority = card, priority
            public.mission[column, row] = best
            log.mission[column, row] = best
            if best == NONE:
                return
            last = best_priority


@inner
def deal_feats(public, own, log, deal_key):
    """CORE-015: one Feat of each colour a player, without repetition, by a priority a Feat."""
    for colour in range(N_COLOURS):
        last = -1
        for seat in range(int(public.n_seats)):
            best = NONE
            best_priority = 0
            for feat in range(colour * FEATS_PER_COLOUR, (colour + 1) * FEATS_PER_COLOUR):
                priority = chance.draw(deal_key, chance.FEAT_DEAL, feat, 0)
                if priority > last and (best == NONE or priority < best_priority):
                    best, best_priority = feat, priority
            take_feat(own, log, seat, best)
            last = best_priority
