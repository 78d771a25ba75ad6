"""Whether it is certain which of two is ahead, and so whether an order is."""

from __future__ import annotations

from collections.abc import Iterable

from simlab.stats.intervals import Estimate

CERTAIN, OPEN, CONTRADICTED = "certain", "open", "contradicted"


def certainty(found: Estimate, even: float) -> str:
    """CERTAIN that a number is above `even` if its whole interval is, CONTRADICTED if it is below, else OPEN.

    The claims of a family hold together with the confidence that their intervals hold together with.
    """
    if found.low > even:
        return CERTAIN
    return CONTRADICTED if found.high < even else OPEN


def of_all(kinds: Iterable[str]) -> str:
    """What is to be said of an order by its steps: CONTRADICTED if one is, CERTAIN if all are, else OPEN."""
    there = set(kinds)
    return CONTRADICTED if CONTRADICTED in there else OPEN if OPEN in there else CERTAIN
