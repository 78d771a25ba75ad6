"""Technology and Energy Cells on a Pad."""

from .agenda import AskDiscard
from .position import Position, Seat
from .words import GROUND

KINDS = ("technology", "energy")


def kind_in(position: Position, region: str) -> str:
    """CORE-042 Grounds hold Technology, Roofs Energy Cells."""
    return "technology" if position.board.level[region] == GROUND else "energy"


def room(position: Position, seat: Seat) -> int:
    """CORE-043 How many resources a Pad still takes."""
    return max(0, position.rules.resource_limit - seat.technology - seat.energy)


def add(seat: Seat, kind: str, number: int) -> None:
    """Change the number of resources of a kind on the Pad."""
    setattr(seat, kind, getattr(seat, kind) + number)


def gain(position: Position, seat: Seat, kind: str, number: int) -> None:
    """CORE-043, CORE-061 Gain from the Common Reserve; what finds no room isn't gained."""
    add(seat, kind, min(number, room(position, seat)))


def store(position: Position, number: int, kind: str) -> None:
    """CORE-043 Put a collected resource on the Pad; for an eleventh, one that was there has to go.

    Which is asked only if both kinds were there.
    """
    seat = position.seats[number]
    full = not room(position, seat)
    before = tuple(old for old in KINDS if getattr(seat, old))
    add(seat, kind, 1)
    if full and len(before) == 1:
        add(seat, before[0], -1)
    elif full:
        position.agenda.append(AskDiscard(number, before))
