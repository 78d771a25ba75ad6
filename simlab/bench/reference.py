"""The fixed loop that speed is compared with: what a machine can do while the games are played.

One step is SplitMix64 (Steele, Lea and Flood 2014), and each output is the next input, so steps can't
overlap: one waits for three shifts, two multiplications and what joins them. It needs no memory and asks
nothing of a compiler. It is written out here, apart from `chance.py`, so that nothing else ever changes it:
figures are compared over years.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from simlab.jit import entry, int64

STEPS = 25_000_000  # of one slice, about a tenth of a second

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)


@entry(lambda: int64()(int64(), int64()))
def chain(steps: int, value: int) -> Any:
    """`value` after so many steps, as int64."""
    z = np.uint64(value)
    for _ in range(steps):
        z = z + _GOLDEN
        z = (z ^ (z >> _30)) * _MIX_1
        z = (z ^ (z >> _27)) * _MIX_2
        z = z ^ (z >> _31)
    return np.int64(z)


def quiet() -> np.errstate:
    """Where the loop runs uncompiled, NumPy doesn't warn of what is meant: that 64 bits are full."""
    return np.errstate(over="ignore")


def seconds(steps: int = STEPS) -> float:
    """How long so many steps take now."""
    with quiet():
        start = time.perf_counter()
        chain(steps, steps)
        return time.perf_counter() - start
