"""What a card costs beside what it is worth: its price in resources, its users' gain in Supplies."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from reports.dei import tallies
from reports.dei.basis import LEVEL
from reports.document import Cell, Column, Figure, Kind, Part, Scatter, Spot, Table
from simlab.stats.intervals import EMPTY, Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.dei.basis import Basis
    from reports.dei.knock_outs.worth import Row

BRIEF = 12
NAMED = 3  # of the best cards, beside the worst
OFTEN = 0.05  # of a card's purchases: a slot with fewer says nothing of its price
NOTE = (
    "Price: Technology and Energy Cells that most of its buyers paid, in the slot where that is least. "
    "Supplies: of its buyers, with the card less without it. Without it they had its price to spend on "
    "something else, so this is net of that. A resource: Supplies divided by the price."
)


def parts(basis: Basis, found: Sequence[Row], players: int) -> list[Part]:
    """A figure and a table of the cards whose worth is known."""
    price = prices(basis, players)
    cards = [row for row in found if row.thing.kind == "card" and row.thing.name in price]
    cards = [row for row in cards if row.supplies_among_users.known]
    if not cards:
        return []
    cards.sort(key=lambda row: -row.supplies_among_users.value)
    heading = "Cost against worth of cards" + basis.at(players)
    return [_figure(cards, price, heading), _table(cards, price, heading)]


def prices(basis: Basis, players: int) -> dict[str, int]:
    """By card the price that most of its buyers paid: the least over the slots where it was bought often.

    A slot may ask for more (CORE-046) and a Feat for less (CORE-116), but no slot asks for less than the
    card, and few buyers have the Feat.
    """
    if not basis.has("market"):
        return {}
    found = tallies.rows(
        basis.run,
        "SELECT card, market, slot, paid_technology + paid_energy AS price, count(*) FROM market "
        f"WHERE bought_by IS NOT NULL AND {tallies.counted('market', players)} GROUP BY ALL ORDER BY ALL",
    )
    paid: dict[str, dict[tuple[str, int], Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
    for card, market, slot, price, times in found:
        paid[card][market, slot][int(price)] += times
    return {card: _price(list(by_slot.values())) for card, by_slot in paid.items()}


def _price(by_slot: Sequence[Counter[int]]) -> int:
    often = OFTEN * sum(one.total() for one in by_slot)
    usual = [min(one, key=lambda price: (-one[price], price)) for one in by_slot if one.total() >= often]
    return min(usual)


def _figure(cards: Sequence[Row], price: Mapping[str, int], heading: str) -> Figure:
    named = {row.label for row in (*cards[:NAMED], cards[-1])}
    spots = tuple(
        Spot(
            row.label,
            _exactly(float(price[row.thing.name]), row),
            row.supplies_among_users,
            row.label in named,
        )
        for row in cards
    )
    plot = Scatter(spots, "price", "Supplies of its buyers", 0.0, Kind.AMOUNT, Kind.CHANGE)
    return Figure(
        heading, plot, "Each point is a card, the line is one that gives nothing, net of its price."
    )


def _exactly(value: float, row: Row) -> Estimate:
    """A number that nothing is uncertain about."""
    return replace(row.supplies_among_users, value=value, se=0.0, low=value, high=value)


def _table(cards: Sequence[Row], price: Mapping[str, int], heading: str) -> Table:
    columns = (
        Column("Card", Kind.TEXT),
        Column("Bought", Kind.COUNT),
        Column("Price", Kind.COUNT),
        Column("Supplies", Kind.CHANGE),
        Column("A resource", Kind.CHANGE),
    )
    made: list[tuple[Cell, ...]] = []
    for row in cards:
        cost, gain = price[row.thing.name], row.supplies_among_users
        made.append((row.label, row.users, cost, gain, _divided(gain, cost) if cost else EMPTY))
    return Table(columns, tuple(made), heading, NOTE, BRIEF)


def _divided(estimate: Estimate, by: int) -> Estimate:
    value, se, low, high = (x / by for x in (estimate.value, estimate.se, estimate.low, estimate.high))
    return Estimate(value, se, low, high, estimate.n, estimate.clusters, LEVEL)
