"""Refuges, Elevators and Bridges: where they may be built, and relocated."""

from . import feats
from .choices import Build, Place
from .icons import Icon
from .position import Position
from .words import CONSTRUCTIONS


def legal_builds(position: Position, number: int, icon: Icon) -> list[Build]:
    """CORE-048 … CORE-051 All builds with this icon."""
    kinds = CONSTRUCTIONS if icon.construction == "any" else (icon.construction,)
    return [build for kind in kinds for build in _builds_of(position, number, icon, kind)]


def _builds_of(position: Position, number: int, icon: Icon, kind: str) -> list[Build]:
    """CORE-051 A new token while one is left, else a placed one that goes to another place."""
    places = SITES[kind](position, number)
    placed = position.seats[number].built[kind]
    if len(placed) < tokens(position, kind):
        return [Build(icon, kind, place) for place in places]
    return [
        Build(icon, kind, place, moving)
        for moving in sorted(set(placed))
        for place in places
        if place != moving
    ]


def tokens(position: Position, kind: str) -> int:
    """CORE-014 How many tokens of a kind a faction has."""
    rules = position.rules
    return {"refuge": rules.refuges, "elevator": rules.elevators, "bridge": rules.bridges}[kind]


def refuge_sites(position: Position, number: int) -> list[Place]:
    """CORE-048, CORE-108 A Region with an own Unit; any Region with Drop Pod."""
    seat = position.seats[number]
    anywhere = feats.has(seat, "drop_pod")
    return [(region,) for region in position.board.regions if anywhere or seat.units(region)]


def elevator_sites(position: Position, number: int) -> list[Place]:
    """CORE-050 An own Unit in the Ground or in the Roof."""
    seat = position.seats[number]
    sites = sorted(position.board.elevator_sites)
    return [(ground, roof) for ground, roof in sites if seat.units(ground) or seat.units(roof)]


def bridge_sites(position: Position, number: int) -> list[Place]:
    """CORE-049 An own Unit on either Roof."""
    seat = position.seats[number]
    sites = sorted(position.board.bridge_sites)
    return [(one, other, below) for one, other, below in sites if seat.units(one) or seat.units(other)]


SITES = {"refuge": refuge_sites, "elevator": elevator_sites, "bridge": bridge_sites}


def build(position: Position, number: int, choice: Build) -> None:
    """CORE-048 … CORE-051, CORE-106 Build, and gain Field Engineer's extra Moves."""
    seat, rules = position.seats[number], position.rules
    placed = seat.built[choice.construction]
    if choice.moving:
        placed.remove(choice.moving)
    placed.append(choice.place)
    placed.sort()
    if choice.construction != "refuge" and feats.has(seat, "field_engineer"):
        if rules.field_engineer_per_build:
            position.extra_moves += rules.field_engineer_moves
        elif "field_engineer" not in position.used:
            position.extra_moves += rules.field_engineer_moves
            position.used |= {"field_engineer"}
