"""A column of all seats of a game in one number, so that a database hands over a row a game, not a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reports.dei.seated import Ints


def packed(column: str, players: int, where: str = "") -> str:
    """SQL that makes one number of a column over the rows of a game, `where` being a FILTER's condition.

    Values are whole, from 0 and below 2^(62 // players): 32,768 for four players, 1,024 for six.
    """
    only = f" FILTER ({where})" if where else ""
    return f"bit_or(({column})::BIGINT << (seat * {_width(players)})){only}"


def unpacked(numbers: Ints, players: int) -> NDArray[np.int16]:
    """The values by game and seat (N, P)."""
    width = _width(players)
    found = np.empty((len(numbers), players), np.int16)
    for seat in range(players):
        found[:, seat] = numbers >> (seat * width) & ((1 << width) - 1)
    return found


def _width(players: int) -> int:
    return 62 // players
