"""The lines of a map of areas: which box-drawing sign stands where areas meet.

`signs` has one for each way that four arms (up, right, down, left) can be absent, light or heavy, read off
the names that Unicode gives them.
"""

from __future__ import annotations

import unicodedata

NO_LINE, LIGHT, HEAVY = 0, 1, 2
Arms = tuple[int, int, int, int]  # up, right, down, left
_WEIGHTS = {"LIGHT": LIGHT, "HEAVY": HEAVY}
_ARMS = {"UP": (0,), "RIGHT": (1,), "DOWN": (2,), "LEFT": (3,), "VERTICAL": (0, 2), "HORIZONTAL": (1, 3)}
_PREFIX = "BOX DRAWINGS "


def _arms(name: str) -> Arms | None:
    """The arms of `LIGHT UP AND RIGHT`, `DOWN HEAVY AND LEFT UP LIGHT`; None for dashes and the like."""
    words = name.removeprefix(_PREFIX).split()
    if not set(words) <= {*_WEIGHTS, *_ARMS, "AND"}:
        return None
    arms = [NO_LINE] * 4
    weight = NO_LINE
    for chunk in " ".join(words).split(" AND "):
        weight = next((_WEIGHTS[word] for word in chunk.split() if word in _WEIGHTS), weight)
        for word in chunk.split():
            for arm in _ARMS.get(word, ()):
                arms[arm] = weight
    up, right, down, left = arms
    return up, right, down, left


def _all_signs() -> dict[Arms, str]:
    found = {(0, 0, 0, 0): " "}
    for code in range(0x2500, 0x2580):
        arms = _arms(unicodedata.name(chr(code)))
        if arms is not None:
            found[arms] = chr(code)
    return found


SIGNS = _all_signs()
