"""Purchases."""

from dataclasses import dataclass

from . import candy, feats, resources
from .choices import Buy
from .pack import Card, Slot
from .position import Play, Position
from .words import MARKETS

Payment = tuple[int, int]  # Technology, Energy Cells


def legal_purchases(position: Position, number: int, layable: list[str]) -> list[Buy]:
    """CORE-044, CORE-031 The phase's Buy, laying down one of these cards."""
    if "buy" in position.used:
        return []
    return [
        Buy(*offer.sale, *offer.payment, offer.candy, card)
        for offer in _offers(position, number, by_bot=False)
        for card in layable
    ]


def legal_bot_purchases(position: Position, number: int) -> list[Buy]:
    """CORE-114 A Buy without a card, for an Energy Cell, once per Action Phase."""
    seat, rules = position.seats[number], position.rules
    if not feats.has(seat, "delivery_bot") or "delivery_bot" in position.used:
        return []
    if not rules.delivery_bot_extra_buy and "buy" in position.used:
        return []
    return [Buy(*offer.sale, *offer.payment, offer.candy) for offer in _offers(position, number, by_bot=True)]


@dataclass(frozen=True)
class Offer:
    """A card that the seat can buy with a payment, perhaps with the help of a Candy Boost."""

    sale: tuple[str, str, int]  # card, market, slot
    payment: Payment
    candy: str | None


def _offers(position: Position, number: int, by_bot: bool) -> list[Offer]:
    """CORE-031, CORE-045, CORE-114 Sales whose requirement and price are met."""
    offers = []
    for market in MARKETS:
        for place, card in enumerate(position.slots[market], start=1):
            if card is None:
                continue
            for payment in sorted(payments(position, number, card, position.slot(market, place))):
                met, help_needed = _met(position, number, (market, place), payment, by_bot)
                if met and (help_needed is None or not by_bot or candy.layable(position, number)):
                    offers.append(Offer((card, market, place), payment, help_needed))
    return offers


def _met(
    position: Position, number: int, where: tuple[str, int], payment: Payment, by_bot: bool
) -> tuple[bool, str | None]:
    """CORE-031, CORE-080 Whether a purchase can be made, and the one Candy Boost that it needs, if any.

    A wild Outpost that lies on the card being resolved helps Delivery Bot's purchase; where none does, a
    Candy Boost may be laid there for it.
    """
    seat, rules = position.seats[number], position.rules
    market, place = where
    technology, energy = payment
    cells = seat.energy - (rules.delivery_bot_energy if by_bot else 0)
    cubes_short = 0
    if market != "black":
        cubes_short = max(0, position.slot(market, place).cubes - position.outposts_counted(number, market))
    technology_short = max(0, technology - seat.technology)
    if cells < energy or cells < 0:
        return False, None
    if not cubes_short and not technology_short:
        return True, None
    if cubes_short == 1 and not technology_short and "outpost" in seat.candy:
        return True, "outpost"
    room = rules.resource_limit - seat.technology - cells  # Delivery Bot's cells are gone by then
    sweet = max(0, min(rules.candy_technology, room))
    if not cubes_short and technology_short <= sweet and "technology" in seat.candy:
        return True, "technology"
    return False, None


def payments(position: Position, number: int, card: str, slot: Slot) -> set[Payment]:
    """CORE-044, CORE-113, CORE-116 All that a seat may pay for a card in a slot."""
    plain = plain_payments(position, number, position.pack.cards[card], slot)
    if not feats.has(position.seats[number], "alternative_energy") or "alternative_energy" in position.used:
        return plain
    more_technology = {(technology + 1, energy - 1) for technology, energy in plain if energy}
    more_energy = {(technology - 1, energy + 1) for technology, energy in plain if technology}
    return plain | more_technology | more_energy


def plain_payments(position: Position, number: int, card: Card, slot: Slot) -> set[Payment]:
    """CORE-045, CORE-116 The price with what the slot adds; a Drone card is cheaper with Low Energy."""
    technology, energy = card.technology + max(0, slot.technology), card.energy
    less = 0
    if card.is_drone_card and feats.has(position.seats[number], "low_energy_remote_control"):
        less = min(position.rules.low_energy_discount, technology + energy)
    return {
        (technology - part, energy - (less - part))
        for part in range(less + 1)
        if part <= technology and less - part <= energy
    }


def buy(position: Position, number: int, choice: Buy) -> None:
    """CORE-044, CORE-045, CORE-113, CORE-114, CORE-117 Lay down, pay, take the card, slide the slots."""
    seat, rules, pack = position.seats[number], position.rules, position.pack
    slot = position.slot(choice.market, choice.slot)
    payment = choice.technology, choice.energy
    if payment not in plain_payments(position, number, pack.cards[choice.card], slot):
        position.used |= {"alternative_energy"}
    if choice.laying_down:
        lay_down(position, number, choice.laying_down)
        position.used |= {"buy"}
    else:
        resources.add(seat, "energy", -rules.delivery_bot_energy)
        position.used |= {"delivery_bot"} if rules.delivery_bot_extra_buy else {"delivery_bot", "buy"}
    if choice.candy:
        candy.lay(position, number, choice.candy)
    resources.add(seat, "technology", -choice.technology)
    resources.add(seat, "energy", -choice.energy)
    slide(position, choice.market, choice.slot)
    seat.hand = pack.in_order([*seat.hand, choice.card])
    resources.gain(position, seat, "technology", max(0, -slot.technology))
    if feats.has(seat, "trading_post"):
        seat.add_supplies("trading_post", rules.trading_post_supplies)


def lay_down(position: Position, number: int, card: str) -> None:
    """CORE-031 A card of the hand goes face down on the Pad."""
    take_from_hand(position, number, card)
    position.seats[number].plays.append(Play(card, face_up=False))


def take_from_hand(position: Position, number: int, card: str) -> None:
    """CORE-030, CORE-132 A card leaves the hand, and is committed no longer."""
    seat = position.seats[number]
    seat.hand.remove(card)
    if card in seat.committed:
        seat.committed.remove(card)


def slide(position: Position, market: str, slot: int) -> None:
    """CORE-044, CORE-047 What lies left of the gap slides right; a new card enters on the left."""
    deck = position.decks[market]
    fresh = deck.pop(0) if deck else None
    slots = position.slots[market]
    position.slots[market] = [fresh, *slots[: slot - 1], *slots[slot:]]
