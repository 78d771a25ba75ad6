"""The skills of the Leaders; Z-13's is a matter of Majority."""

from .position import Position, Seat


def sneaks(seat: Seat, leader: bool) -> bool:
    """CORE-091 Neena: a Move with her in it ignores Majority."""
    return leader and seat.faction == "auxilia"


def climbs(position: Position, seat: Seat, group: tuple[int, bool, int], way: tuple[str, str]) -> bool:
    """CORE-093 Aria: in her own Move, alone, Adjacent Ground and Roof count as Linked."""
    return seat.faction == "refuge_42" and group == (0, True, 0) and position.board.adjacent(*way)


def seeks(position: Position, number: int, region: str) -> bool:
    """CORE-092 Abraham: whether a Collect in this Region gives more of them."""
    seat = position.seats[number]
    in_his_region = seat.faction == "ravagers" and seat.leader == region
    return in_his_region and "abraham" not in position.used and position.rules.seeker_collects > 0
