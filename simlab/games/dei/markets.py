"""Markets: requirement, price, Buy, refill; Alternative Energy, Delivery Bot and the discount."""

from __future__ import annotations

from simlab.games.dei.agenda import add
from simlab.games.dei.candy import can_lay, place_candy, wild_outposts
from simlab.games.dei.choices import BUY, a_of, b_of, c_of, choice, d_of, e_of
from simlab.games.dei.modifiers import has_feat
from simlab.games.dei.resources import (
    discard_resource,
    gain_resource,
    gain_supplies,
    pay_resource,
    resources_held,
)
from simlab.games.dei.vocabulary import (
    ALTERNATIVE_ENERGY,
    BLACK,
    CANDY_OUTPOST,
    CANDY_TECHNOLOGY,
    DELIVERY_BOT,
    ENERGY,
    FACE_DOWN,
    FROM_TRADING_POST,
    HAND,
    LOW_ENERGY_REMOTE_CONTROL,
    MARKET,
    N_MARKETS,
    N_SLOTS,
    NONE,
    TECHNOLOGY,
    TRADING_POST,
)
from simlab.jit import inner

# how a pair of resources relates to a price
NOT_A_PRICE, PLAIN_PRICE, SWAPPED_PRICE = 0, 1, 2


@inner
def is_discounted(technology, energy, discount, pay_technology, pay_energy):
    """CORE-116: whether paying this is the price less the whole discount, in either resource."""
    if pay_technology < 0 or pay_energy < 0 or pay_technology > technology or pay_energy > energy:
        return False
    return technology + energy - pay_technology - pay_energy == min(discount, technology + energy)


@inner
def price_kind(technology, energy, discount, may_swap, pay_technology, pay_energy):
    """CORE-113, CORE-116: whether a payment is the price, or the price with one resource exchanged."""
    if is_discounted(technology, energy, discount, pay_technology, pay_energy):
        return PLAIN_PRICE
    if may_swap and pay_technology >= 0 and pay_energy >= 0:
        if is_discounted(technology, energy, discount, pay_technology + 1, pay_energy - 1):
            return SWAPPED_PRICE
        if is_discounted(technology, energy, discount, pay_technology - 1, pay_energy + 1):
            return SWAPPED_PRICE
    return NOT_A_PRICE


@inner
def price_technology(pack, card, market, slot):
    """CORE-045, CORE-046: Technology asked, the Black Market's surcharge included."""
    return int(pack.card_technology[card]) + max(0, int(pack.slot_technology[market, slot]))


@inner
def discount_of(public, rules, pack, seat, card):
    """CORE-116: resources that this card costs less."""
    if pack.is_drone_card[card] != 0 and has_feat(public, seat, LOW_ENERGY_REMOTE_CONTROL):
        return int(rules.low_energy_discount)
    return 0


@inner
def may_swap(public, seat):
    """CORE-113: Alternative Energy, once a phase."""
    return public.swap_used == 0 and has_feat(public, seat, ALTERNATIVE_ENERGY)


@inner
def missing_cubes(public, pack, seat, market, slot, wild):
    """CORE-045, CORE-046, CORE-080: cubes of the market's colour that the slot asks for and are not there."""
    if market == BLACK:
        return 0
    return int(pack.slot_cubes[market, slot]) - int(public.cubes[seat, market]) - wild


@inner
def list_payments(public, own, rules, pack, seat, market, slot, laid, candy, may_lay, budget_energy, out, n):
    """CORE-031, CORE-044, CORE-113, CORE-116: every way to pay for one card with what is there.

    `candy` is a Candy Boost that the choice lays for its requirement (kind, NONE); where none is and one
    may be laid, a held Technology Boost is named in the payments that need it. `budget_energy` is what a
    Delivery Bot leaves.
    """
    card = int(public.market[market, slot])
    technology = price_technology(pack, card, market, slot)
    energy = int(pack.card_energy[card])
    discount = discount_of(public, rules, pack, seat, card)
    swap = may_swap(public, seat)
    margin = discount + 1 if swap else discount  # how far a payment may lie from the price
    for pay_technology in range(max(0, technology - margin), technology + 1 + int(swap)):
        for pay_energy in range(max(0, energy - margin), energy + 1 + int(swap)):
            if pay_energy > budget_energy:
                continue
            if price_kind(technology, energy, discount, swap, pay_technology, pay_energy) == NOT_A_PRICE:
                continue
            named = candy
            if pay_technology > public.technology[seat]:
                spent = int(public.energy[seat]) - budget_energy
                if not may_lay or candy != NONE:
                    continue
                if not completes_payment(public, own, rules, seat, spent, pay_technology):
                    continue
                named = CANDY_TECHNOLOGY
            paid = pay_technology * 32 + pay_energy
            n = add(out, n, choice(BUY, 0, card, market * 4 + slot, paid, laid + 1, named + 1))
    return n


@inner
def completes_payment(public, own, rules, seat, spent, pay_technology):
    """CORE-031, CORE-081: whether a Technology Boost on the card just played makes up the price.

    `spent` Energy Cells are discarded before it (Delivery Bot), so a full Pad has room for it then.
    """
    if not can_lay(own, rules, seat, CANDY_TECHNOLOGY):
        return False
    room = int(rules.resource_limit) - resources_held(public, seat) + spent
    return pay_technology <= int(public.technology[seat]) + min(int(rules.candy_technology), room)


@inner
def list_buys_with(public, own, rules, pack, seat, laid, wild, may_lay, budget_energy, out, n):
    """CORE-044, CORE-045: all purchases with one card laid down (NONE: by Delivery Bot).

    `wild` counts a wild Outpost that already lies on the card being resolved; `may_lay` says whether
    one may be laid for this purchase.
    """
    for market in range(N_MARKETS):
        for slot in range(N_SLOTS):
            card = int(public.market[market, slot])
            if card == NONE or rules.banned_cards[seat, card] != 0:
                continue
            missing = missing_cubes(public, pack, seat, market, slot, wild)
            candy = NONE
            if missing == 1 and may_lay and can_lay(own, rules, seat, CANDY_OUTPOST):
                candy = CANDY_OUTPOST
            elif missing > 0:
                continue
            n = list_payments(
                public, own, rules, pack, seat, market, slot, laid, candy, may_lay, budget_energy, out, n
            )
    return n


@inner
def list_buys(public, own, rules, pack, seat, laid, out, n):
    """CORE-031, CORE-044: the phase's Buy with one card laid face down."""
    return list_buys_with(public, own, rules, pack, seat, laid, 0, True, int(public.energy[seat]), out, n)


@inner
def list_bot_buys(public, own, rules, pack, seat, play, out, n):
    """CORE-114: a Buy without a card, for an Energy Cell discarded; once a phase."""
    if not has_feat(public, seat, DELIVERY_BOT) or public.bot_used != 0:
        return n
    if rules.delivery_bot_extra_buy == 0 and public.bought != 0:
        return n
    budget = int(public.energy[seat]) - int(rules.delivery_bot_energy)
    if budget < 0:
        return n
    wild = wild_outposts(public, seat, play)
    may_lay = play != NONE and public.play_candy[seat, max(play, 0)] == NONE
    return list_buys_with(public, own, rules, pack, seat, NONE, wild, may_lay, budget, out, n)


@inner
def take_candy_for_purchase(public, own, hidden, log, rules, pack, seat, kind):
    """CORE-031, CORE-080: the named Candy Boost goes onto the card just played, before the price is paid."""
    place_candy(public, own, hidden, log, pack, seat, int(public.n_plays[seat]) - 1, kind)
    if kind == CANDY_TECHNOLOGY:
        gain_resource(public, log, rules, seat, TECHNOLOGY, int(rules.candy_technology))


@inner
def pay_price(public, log, rules, pack, seat, code):
    """CORE-028, CORE-044, CORE-113: pay; an exchanged resource uses up Alternative Energy."""
    card, market, slot = a_of(code), b_of(code) >> 2, b_of(code) & 3
    technology, energy = c_of(code) >> 5, c_of(code) & 31
    asked_technology = price_technology(pack, card, market, slot)
    discount = discount_of(public, rules, pack, seat, card)
    asked_energy = int(pack.card_energy[card])
    swap = may_swap(public, seat)
    if price_kind(asked_technology, asked_energy, discount, swap, technology, energy) == SWAPPED_PRICE:
        public.swap_used = 1
    pay_resource(public, log, seat, TECHNOLOGY, technology)
    pay_resource(public, log, seat, ENERGY, energy)


@inner
def slide(public, hidden, log, market, slot):
    """CORE-044, CORE-047: cards slide right over the gap, a new one enters on the left while there is one."""
    for i in range(slot, 0, -1):
        public.market[market, i] = public.market[market, i - 1]
    public.market[market, 0] = NONE
    reveal(public, hidden, log, market, 0)


@inner
def reveal(public, hidden, log, market, slot):
    """CORE-011, CORE-047: the next card of a deck into a slot; an empty deck leaves it empty."""
    left = int(public.deck_left[market])
    if left == 0:
        return
    card = int(hidden.deck[market, left - 1])
    hidden.deck[market, left - 1] = NONE
    public.deck_left[market] = left - 1
    public.market[market, slot] = card
    public.card_place[card] = MARKET
    log.revealed_turn[card] = public.turn


@inner
def buy(public, own, hidden, log, rules, pack, seat, code):
    """CORE-044, CORE-045, CORE-046, CORE-114, CORE-117: pay, take the card into hand, refill the market.

    A Candy Boost named in the choice lies on the card just played; the Black Market's last slot gives
    its Technology after the purchase.
    """
    card, market, slot = a_of(code), b_of(code) >> 2, b_of(code) & 3
    if d_of(code) == 0:
        public.bot_used = 1
        for _ in range(int(rules.delivery_bot_energy)):
            discard_resource(public, log, seat, ENERGY)
        if rules.delivery_bot_extra_buy == 0:
            public.bought = 1
    else:
        public.bought = 1
    if e_of(code) > 0:
        take_candy_for_purchase(public, own, hidden, log, rules, pack, seat, e_of(code) - 1)
    pay_price(public, log, rules, pack, seat, code)
    public.card_place[card] = HAND
    public.card_owner[card] = seat
    public.fresh[0 if d_of(code) > 0 else 1] = card
    note_purchase(public, log, seat, card, code)
    if pack.slot_technology[market, slot] < 0:
        gain_resource(public, log, rules, seat, TECHNOLOGY, -int(pack.slot_technology[market, slot]))
    slide(public, hidden, log, market, slot)
    if has_feat(public, seat, TRADING_POST):
        gain_supplies(public, log, seat, int(rules.trading_post_supplies), FROM_TRADING_POST)


@inner
def note_purchase(public, log, seat, card, code):
    """Remember a card's purchase for the market table."""
    log.bought_by[card] = seat
    log.bought_turn[card] = public.turn
    log.bought_phase[card] = public.phase
    log.bought_market[card] = b_of(code) >> 2
    log.bought_slot[card] = b_of(code) & 3
    log.paid_technology[card] = c_of(code) >> 5
    log.paid_energy[card] = c_of(code) & 31
    log.buys[seat] += 1


@inner
def lay_down(public, seat, card):
    """CORE-031, CORE-035: a card goes face down onto the Pad."""
    play = int(public.n_plays[seat])
    public.play[seat, play] = card
    public.n_plays[seat] = play + 1
    public.card_place[card] = FACE_DOWN
