"""Feats: dealt face down, unlocked by cubes."""

from .position import Position, Seat
from .words import COLOURS


def has(seat: Seat, feat: str) -> bool:
    """CORE-033 Whether a Feat is in force: unlocked, for good."""
    return feat in seat.unlocked


def unlockable(position: Position, number: int) -> list[str]:
    """CORE-033 Feats still face down whose colour has cubes enough, colour by colour."""
    seat = position.seats[number]
    return [
        feat
        for colour in COLOURS
        for feat in sorted(seat.feats - seat.unlocked)
        if position.pack.feats[feat] == colour
        and position.cubes(number, colour) >= position.rules.feat_unlock_cubes
    ]


def unlock(seat: Seat, feat: str) -> None:
    """CORE-033 Turn a Feat face up."""
    seat.unlocked |= {feat}
