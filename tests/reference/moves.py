"""Where Units may go, and Moves."""

from . import feats, leaders, majority
from .choices import Move
from .icons import EXTRA_MOVE, Icon
from .position import Position
from .words import GROUND


def linked(position: Position, number: int, one: str, other: str) -> bool:
    """CORE-005, CORE-007, CORE-049, CORE-050 Whether two Regions are Linked for a seat's Units."""
    board, seat = position.board, position.seats[number]
    if board.adjacent(one, other) and board.level[one] == board.level[other]:
        return True
    if frozenset((one, other)) in board.neutral_bridges:
        return True
    if (one, other) in board.neutral_elevators or (other, one) in board.neutral_elevators:
        return True
    if (one, other) in seat.built["elevator"] or (other, one) in seat.built["elevator"]:
        return True
    if any({one, other} == {start, end} for start, end, _ in seat.built["bridge"]):
        return True
    return feats.has(seat, "underground_shortcut") and {one, other} <= elevator_grounds(position, number)


def elevator_grounds(position: Position, number: int) -> set[str]:
    """CORE-109, CORE-112 The Ground Regions with a Neutral or an own Elevator."""
    elevators = [*position.board.neutral_elevators, *position.seats[number].built["elevator"]]
    return {ground for ground, _ in elevators}


def linked_by_logistics(position: Position, one: str, other: str) -> bool:
    """CORE-065 A Logistic Move goes between an Adjacent Ground and Roof."""
    levels = {position.board.level[one], position.board.level[other]}
    return position.board.adjacent(one, other) and len(levels) == 2


def legal_moves(position: Position, number: int, icon: Icon) -> list[Move]:
    """CORE-041, CORE-064, CORE-065, CORE-091, CORE-093, CORE-105 All Moves with this icon."""
    moves = []
    for origin in position.board.regions:
        groups = _groups(position, number, origin)
        for destination in position.board.regions if groups else ():
            if destination != origin:
                moves += [
                    Move(icon, *group, origin, destination)
                    for group in groups
                    if may_move(position, number, icon, group, (origin, destination))
                ]
    return moves


def may_move(
    position: Position, number: int, icon: Icon, group: tuple[int, bool, int], way: tuple[str, str]
) -> bool:
    """CORE-041 A group may go where it is Linked to, and where Majority will hold once it is there."""
    seat = position.seats[number]
    open_way = linked(position, number, *way) or leaders.climbs(position, seat, group, way)
    if icon.action == "move" and icon.form == "logistic":
        open_way = open_way or linked_by_logistics(position, *way)
    if not open_way:
        return False
    if (icon.action == "move" and icon.form == "tactic") or leaders.sneaks(seat, group[1]):
        return True
    return majority.has_majority_with(position, number, way[1], group)


def _groups(position: Position, number: int, origin: str) -> list[tuple[int, bool, int]]:
    """CORE-041, CORE-105 All groups of Scrappers, Leader and, with Caravan, Refuges that may leave."""
    seat = position.seats[number]
    refuges = seat.built["refuge"].count((origin,)) if feats.has(seat, "caravan") else 0
    return [
        (scrappers, leader, moved)
        for scrappers in range(seat.scrappers.get(origin, 0) + 1)
        for leader in ((False, True) if seat.leader == origin else (False,))
        for moved in range(refuges + 1)
        if scrappers or leader or moved
    ]


def move(position: Position, number: int, choice: Move) -> None:
    """CORE-041, CORE-055 The group goes as one."""
    seat = position.seats[number]
    if choice.scrappers:
        seat.add_scrappers(choice.origin, -choice.scrappers)
        seat.add_scrappers(choice.destination, choice.scrappers)
    if choice.leader:
        seat.leader = choice.destination
    for _ in range(choice.refuges):
        seat.built["refuge"].remove((choice.origin,))
        seat.built["refuge"].append((choice.destination,))
    seat.built["refuge"].sort()
    if choice.icon == EXTRA_MOVE:
        position.extra_moves -= 1


def extra_moves(position: Position, number: int) -> list[Move]:
    """CORE-055 Plain Moves that Feats gave."""
    return legal_moves(position, number, EXTRA_MOVE) if position.extra_moves else []


def is_ground(position: Position, region: str) -> bool:
    """CORE-002 Whether a Region is a Ground."""
    return position.board.level[region] == GROUND
