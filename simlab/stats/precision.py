"""How sure one of several win shares is to be, whenever it is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import TYPE_CHECKING

from simlab.stats.equivalence import POWER, UNDECIDED, Verdict
from simlab.stats.sequential import (
    decided,
    difference_sequence,
    effect_sequence,
    further_rows,
    horizon_for,
    mean_sequence,
    share_sequence,
)

if TYPE_CHECKING:
    from simlab.stats.intervals import Estimate, Moments

EVEN = 0.5  # power at which a width alone is asked for


@dataclass(frozen=True)
class Precision:
    """Confidence sequences at `level` that are narrowest where they are ± `half_width`, a fraction.

    Win shares are expected to be about 1/P with P players, and the P rows of a block about independent; a
    change is expected to spread as a win share does, which is what half of a paired game's luck leaves.
    `blocks`: how many of them are one cluster of the sums, where neighbours were put together.
    """

    level: float
    half_width: float
    blocks: float = 1.0

    def share(self, moments: Moments, players: int) -> Estimate:
        """A win share."""
        return share_sequence(moments, self.horizon(players), self.level)

    def amount(self, moments: Moments, players: int) -> Estimate:
        """A mean of rows that nothing bounds."""
        return mean_sequence(moments, self.horizon(players), self.level)

    def change(self, moments: Moments, changed: int, players: int, reach: float = 1.0) -> Estimate:
        """What an arm does, from paired blocks of which `changed` differ; no row by more than `reach`."""
        return difference_sequence(moments, changed, self.horizon(players), self.level, reach)

    def effect(self, found: Estimate, players: int) -> Estimate:
        """What two groups of seats of the same games differ by."""
        return effect_sequence(found, self.horizon(players), self.level)

    def horizon(self, players: int) -> int:
        """Clusters after which it is narrowest."""
        blocks = horizon_for(self.half_width, sqrt((1 - 1 / players) / players / players), self.level)
        return max(1, round(blocks / self.blocks))

    def further_rows(self, estimate: Estimate, players: int) -> float:
        """Further rows until it is ± `half_width`."""
        return further_rows(estimate, self.horizon(players), self.half_width, EVEN)

    def verdict(self, estimate: Estimate, players: int, target: float, band: float) -> Verdict:
        """What a sequence says of target ± band at this look; a sequence has no p-value (NaN)."""
        gap = estimate.value - target
        kind = decided(estimate, target, band)
        if kind != UNDECIDED:
            return Verdict(kind, gap, band, nan, 0)
        room = abs(band - abs(gap))
        return Verdict(kind, gap, band, nan, further_rows(estimate, self.horizon(players), room, POWER))
