"""Majority, Supremacy and the control of Outposts."""

from dataclasses import dataclass, replace

from . import feats
from .position import Position


@dataclass(frozen=True)
class Presence:
    """What of a seat bears on the Majority of one Region."""

    scrappers: int
    leader: bool
    refuges: int  # own Refuges in the Region
    bridges: int  # own Bridges over it
    drones: int  # all Drones in it


def presence(position: Position, number: int, region: str) -> Presence:
    """CORE-020 What a seat has in a Region."""
    seat = position.seats[number]
    return Presence(
        scrappers=seat.scrappers.get(region, 0),
        leader=seat.leader == region,
        refuges=seat.built["refuge"].count((region,)),
        bridges=sum(below == region for _, _, below in seat.built["bridge"]),
        drones=sum(place == region for place in position.drones.values()),
    )


def worth(position: Position, number: int, here: Presence) -> int:
    """CORE-020, CORE-021, CORE-090, CORE-094, CORE-100, CORE-101, CORE-103, CORE-105 A Majority value."""
    rules, seat = position.rules, position.seats[number]
    units = here.scrappers + here.leader
    if rules.majority_needs_unit and not units:
        return 0
    by_rule = rules.bully_value if seat.faction == "farm_z" else rules.leader_value
    leader_value = position.pack.leader_values.get(seat.faction, by_rule)
    value = here.scrappers + (leader_value if here.leader else 0)
    if feats.has(seat, "bombing"):
        value += rules.bombing_value * here.bridges
    if feats.has(seat, "fortress"):
        value += rules.fortress_value * here.refuges
    if feats.has(seat, "caravan"):
        value += rules.caravan_value * here.refuges
    if feats.has(seat, "trojan_horses") and units:
        value += rules.trojan_value * here.drones
    return value


def value_in(position: Position, number: int, region: str) -> int:
    """CORE-020 A seat's Majority value in a Region."""
    return worth(position, number, presence(position, number, region))


def values_in(position: Position, region: str) -> dict[int, int]:
    """CORE-020 All seats' Majority values in a Region."""
    return {number: value_in(position, number, region) for number in range(len(position.seats))}


def winner(position: Position, values: dict[int, int]) -> int | None:
    """CORE-020, CORE-102 Who has Majority with these values; nobody in a Tie that Field Knowledge leaves."""
    highest = max(values.values())
    if highest <= 0:
        return None
    leading = [number for number, value in values.items() if value == highest]
    if len(leading) > 1:
        leading = [number for number in leading if feats.has(position.seats[number], "field_knowledge")]
    return leading[0] if len(leading) == 1 else None


def tied(position: Position, region: str) -> bool:
    """CORE-020 Whether the Region is a Tie: a shared highest value, and nobody with Majority."""
    values = values_in(position, region)
    return max(values.values()) > 0 and winner(position, values) is None


def has_majority_with(position: Position, number: int, region: str, joining: tuple[int, bool, int]) -> bool:
    """CORE-041 Whether a seat will have Majority once Scrappers, the Leader and Refuges have joined."""
    scrappers, leader, refuges = joining
    here = presence(position, number, region)
    there = replace(
        here,
        scrappers=here.scrappers + scrappers,
        leader=here.leader or leader,
        refuges=here.refuges + refuges,
    )
    values = values_in(position, region) | {number: worth(position, number, there)}
    return winner(position, values) == number


def renew(position: Position) -> None:
    """CORE-023, CORE-024, CORE-026 Renew Majority; lost cubes return first, then free ones are taken."""
    for region in position.board.regions:
        position.majority[region] = winner(position, values_in(position, region))
    for outpost in position.outposts:
        if outpost.holder != position.majority[outpost.region]:
            outpost.holder = None
    for outpost in position.outposts:
        holder = position.majority[outpost.region]
        if outpost.holder is None and holder is not None and has_room(position, holder, outpost.colour):
            outpost.holder = holder


def has_room(position: Position, number: int, colour: str) -> bool:
    """CORE-024 Whether a seat can hold one more cube of a colour."""
    return position.cubes(number, colour) < position.rules.cube_limit_per_color


def supremacies(position: Position, number: int) -> list[str]:
    """CORE-022 The Regions where a seat has Majority among opposing Units."""
    return [
        region
        for region in position.board.regions
        if position.majority[region] == number
        and any(position.seats[other].units(region) for other in position.opponents(number))
    ]


def garrisons(position: Position, number: int) -> int:
    """CORE-025 Outposts in Regions with an own Unit."""
    return sum(position.seats[number].units(outpost.region) > 0 for outpost in position.outposts)
