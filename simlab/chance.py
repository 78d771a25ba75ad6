"""Chance addressed by event: value = hash(key, purpose, coordinates), never a stream.

Nothing here has state. A deck is its cards sorted by `draw(key, purpose, card)`; a token's priority is
`draw(key, purpose, turn, token)`. So two games share all luck that applies to both, and a game can be
replayed alone. Keys and values are non-negative int64, so that no unsigned number leaves this file.

The mixer is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
"""

from __future__ import annotations

from simlab import jit

MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB

# purposes: what a value is for
LAYOUT = 1
ROTATION = 2
OUTPOST_COLOUR = 3
DRONE_TILE = 4
DRONE_DECK = 5
MARKET_DECK = 6
MISSION_DRAW = 7
FEAT_DEAL = 8
CANDY = 9
STRATEGY = 10
NOISE = 11
REDRAW = 12
GAME = 13
STARTING_HAND = 14
LADDER_DEAL = 15
LADDER_STRATEGY = 16
LADDER_PACK = 17
KNOCK_OUT_SAMPLE = 18

if jit.DISABLED:

    def _mix(state: int, value: int) -> int:
        z = ((int(state) ^ (int(value) & MASK)) + _GOLDEN) & MASK
        z = ((z ^ (z >> 30)) * _MIX_1) & MASK
        z = ((z ^ (z >> 27)) * _MIX_2) & MASK
        return (z ^ (z >> 31)) & MASK

    def _positive(value: int) -> int:
        return value >> 1

    _START = 0

else:
    import numpy as np

    _G = np.uint64(_GOLDEN)
    _M1 = np.uint64(_MIX_1)
    _M2 = np.uint64(_MIX_2)
    _START = np.uint64(0)

    @jit.inner
    def _mix(state, value):  # type: ignore[no-untyped-def]
        z = (np.uint64(state) ^ np.uint64(value)) + _G
        z = (z ^ (z >> np.uint64(30))) * _M1
        z = (z ^ (z >> np.uint64(27))) * _M2
        return z ^ (z >> np.uint64(31))

    @jit.inner
    def _positive(value):  # type: ignore[no-untyped-def]
        return np.int64(np.uint64(value) >> np.uint64(1))  # it comes widened to int64


@jit.inner
def draw(key, purpose, a, b):
    """The value of one event: an int64 in [0, 2**63), a function of its arguments alone."""
    return _positive(_mix(_mix(_mix(_mix(_START, key), purpose), a), b))


@jit.inner
def below(value, n):
    """Reduce a drawn value to 0 … n - 1 (bias below 2**-50 for every n used here)."""
    return int(value % n)
