"""Made-up results whose truth is known: one winner a game, blocks of rotations, planted strengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

Ints = NDArray[np.int64]


@pytest.fixture
def wins() -> Callable[..., Ints]:
    return planted_wins


@pytest.fixture
def allowed_misses() -> Callable[[int, float], float]:
    return misses


def planted_wins(
    rng: np.random.Generator, blocks: int, strengths: NDArray[Any], luck: float = 0.0, rotations: int = 4
) -> Ints:
    """Wins by block and faction, (blocks, P): one winner a game, `rotations` games a block.

    `strengths` (P,) add up to 1. With probability `luck` a block's deal favours one faction so much that
    it wins every rotation; who it is follows the strengths too, so the win shares stay the strengths.
    """
    free = rng.multinomial(rotations, strengths, size=blocks)
    favoured = rng.multinomial(1, strengths, size=blocks) * rotations
    return np.where(rng.random(blocks)[:, None] < luck, favoured, free)


def misses(repetitions: int, rate: float) -> float:
    """How often something of probability `rate` may happen before a test calls it wrong.

    3.1 standard deviations above what is expected: with another seed, a correct method would be called
    wrong once in a thousand.
    """
    return repetitions * rate + 3.1 * float(np.sqrt(repetitions * rate * (1 - rate)))
