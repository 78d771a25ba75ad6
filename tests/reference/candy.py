"""Candy Boosts."""

from dataclasses import replace

from . import resources
from .choices import LayCandy
from .icons import Icon
from .luck import Luck
from .position import Position
from .words import CONSTRUCTIONS


def gain(position: Position, number: int, count: int, luck: Luck) -> None:
    """CORE-080, CORE-081 Draw blind from the reserve; from an empty one nothing is gained."""
    seat = position.seats[number]
    for _ in range(count):
        if any(position.candy_reserve.values()):
            kind = luck.draw_candy(seat.faction, dict(position.candy_reserve))
            position.candy_reserve[kind] -= 1
            seat.candy = sorted([*seat.candy, kind])


def layable(position: Position, number: int) -> list[LayCandy]:
    """CORE-080, CORE-082 One Candy Boost at most on the card being resolved."""
    seat = position.seats[number]
    if position.card_resolved is None or seat.plays[-1].candy:
        return []
    return [LayCandy(kind) for kind in sorted(set(seat.candy))]


def lay(position: Position, number: int, kind: str) -> None:
    """CORE-080, CORE-081 Lay a Candy Boost: an Action becomes an icon, the Technology comes at once."""
    seat = position.seats[number]
    seat.candy.remove(kind)
    seat.plays[-1] = replace(seat.plays[-1], candy=kind)
    if kind == "technology":
        resources.gain(position, seat, "technology", position.rules.candy_technology)


def icon_of(kind: str) -> tuple[Icon, ...]:
    """CORE-082 The icon that a Candy Boost adds to its card; Technology and the wild Outpost add none."""
    if kind in CONSTRUCTIONS:
        return (Icon("build", construction=kind),)
    return (Icon(kind),) if kind in {"enlist", "move", "collect"} else ()


def give_back(position: Position, kind: str) -> None:
    """CORE-035 A Candy Boost on a card returns to the reserve."""
    position.candy_reserve[kind] += 1
