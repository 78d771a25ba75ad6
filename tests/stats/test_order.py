"""Orders: certain by whole intervals, and as certain as the least certain step."""

from __future__ import annotations

from math import nan

import pytest

from simlab.stats.intervals import Estimate
from simlab.stats.order import CERTAIN, CONTRADICTED, OPEN, certainty, of_all


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [(0.51, 0.6, CERTAIN), (0.5, 0.6, OPEN), (0.4, 0.5, OPEN), (0.4, 0.49, CONTRADICTED), (nan, nan, OPEN)],
)
def test_certainty(low: float, high: float, kind: str) -> None:
    assert certainty(Estimate((low + high) / 2, 0.01, low, high, 100, 25, 0.95), 0.5) == kind


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([CERTAIN, CERTAIN], CERTAIN),
        ([CERTAIN, OPEN], OPEN),
        ([OPEN, CONTRADICTED, CERTAIN], CONTRADICTED),
    ],
)
def test_an_order_is_as_certain_as_its_steps(steps: list[str], kind: str) -> None:
    assert of_all(steps) == kind
