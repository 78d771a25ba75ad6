"""The final count, the winner, and the Priority of a next Turn."""

from .position import Position


def final_count(position: Position, number: int) -> None:
    """CORE-038 Outposts, Feats, Technology and Energy Cells of a seat."""
    seat, rules = position.seats[number], position.rules
    unlocked = min(len(seat.unlocked), len(rules.feat_supplies) - 1)
    seat.add_supplies("outposts", rules.outpost_supplies * position.cubes(number))
    seat.add_supplies("feats", rules.feat_supplies[unlocked])
    seat.add_supplies("technology", seat.technology // rules.technology_per_supply)
    seat.add_supplies("energy", seat.energy // rules.energy_per_supply)


def count_market_cards(position: Position, number: int) -> None:
    """CORE-038 The Supplies on all Market cards that a seat owns."""
    seat = position.seats[number]
    cards = [position.pack.cards[card] for card in seat.cards]
    seat.add_supplies("market_cards", sum(card.supplies for card in cards if card.is_market_card))


def ranking(position: Position) -> list[int]:
    """CORE-039 Most Supplies first; of tied seats the one with the higher Priority."""
    return sorted(position.priority, key=lambda number: -position.seats[number].total_supplies)


def next_priority(position: Position) -> list[int]:
    """CORE-036 Fewest Supplies first; of tied seats the one that played earlier plays later."""
    latest_first = reversed(position.priority)
    return sorted(latest_first, key=lambda number: position.seats[number].total_supplies)
