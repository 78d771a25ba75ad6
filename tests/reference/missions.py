"""Missions: what they count, and when."""

from .choices import Choice, PassMission, TakeMission
from .majority import garrisons
from .position import Position


def legal_missions(position: Position, number: int) -> list[Choice]:
    """CORE-034, CORE-134 A Mission of a column without an own token; none at all with Rebel."""
    missions: list[Choice] = [
        TakeMission(mission, column)
        for column, cards in enumerate(position.deal.missions, start=1)
        for mission in cards
        if column not in position.seats[number].tokens
    ]
    return [*missions, PassMission()] if missions and position.rules.rebel else missions


def complete(position: Position, number: int, choice: TakeMission) -> None:
    """CORE-034, CORE-120 Put the token down and gain Supplies: the upper value on time, else the lower."""
    seat = position.seats[number]
    mission = position.pack.missions[choice.mission]
    on_time = choice.column >= position.turn
    gain, per = mission.on_time if on_time else mission.late
    source = "missions_on_time" if on_time else "missions_late"
    seat.tokens |= {choice.column}
    seat.add_supplies(source, counted(position, number, mission.kind) // per * gain)


def counted(position: Position, number: int, kind: str) -> int:
    """CORE-120 … CORE-127 How many of the things that a Mission asks for a seat has."""
    seat = position.seats[number]
    if kind == "technologies":
        return seat.technology
    if kind == "energy_cells":
        return seat.energy
    if kind == "drone_cards":
        return sum(position.pack.cards[card].is_drone_card for card in seat.cards)
    if kind == "constructions":
        return sum(len(places) for places in seat.built.values())
    if kind == "scrappers":
        return seat.deployed
    if kind == "garrisons":
        return garrisons(position, number)
    if kind == "outposts":
        return position.cubes(number)
    return position.cubes(number, kind.removesuffix("_outposts"))
