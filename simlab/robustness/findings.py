"""What runs over packs and ways of playing come to: whether verdicts hold, what estimates vary by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.robustness.outcomes import LEVEL, Judged, Outcomes, Subject
from simlab.stats.components import Components, Sides, components, sides
from simlab.stats.equivalence import ABOVE, BALANCED, BELOW, UNDECIDED, side
from simlab.stats.intervals import Estimate, wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Finding:
    """One subject: `own` with the experiment's pack, by way of playing; `packs` by way and sampled pack.

    `parts` is None with fewer than two blocks that ended regularly everywhere.
    """

    subject: Subject
    own: tuple[Judged, ...]
    packs: tuple[tuple[Judged, ...], ...]
    parts: Components | None
    sides: Sides | None

    @property
    def answer(self) -> str:
        """With the experiment's pack and way of playing, one of SIDES."""
        return side(self.own[0].verdict)

    def share(self, wanted: str, way: int = 0) -> Estimate:
        """The share of sampled packs with that answer, Wilson's interval."""
        found = [side(judged.verdict) == wanted for judged in self.packs[way]]
        return wilson(sum(found), len(found), LEVEL)

    @property
    def holds(self) -> Estimate | None:
        """The share of sampled packs with the same answer as the experiment's; None where that is open."""
        return None if self.answer == UNDECIDED else self.share(self.answer)

    @property
    def contradicted(self) -> int:
        """In how many of them another answer is certain."""
        others = {BALANCED, ABOVE, BELOW} - {self.answer}
        return sum(side(judged.verdict) in others for judged in self.packs[0])


def findings(
    own: Sequence[Outcomes], packs: Sequence[Sequence[Outcomes]], band: float, apart: Sequence[int]
) -> tuple[Finding, ...]:
    """A finding a subject; `own` by way of playing, `packs` by sampled pack and way; band is a fraction.

    `apart` are the ways, by number, that estimates are said to vary by.
    """
    mine = [outcomes.judged(band) for outcomes in own]
    others = [[outcomes.judged(band) for outcomes in each] for each in packs]
    means = [[each[way].means for way in apart] for each in packs]
    found = []
    for k, subject in enumerate(own[0].subjects):
        parts = _components([[by_way[k] for by_way in each] for each in means])
        found.append(
            Finding(
                subject,
                tuple(judged[k] for judged in mine),
                tuple(tuple(each[way][k] for each in others) for way in range(len(own))),
                parts,
                None if parts is None else sides(parts, subject.target, band, LEVEL),
            )
        )
    return tuple(found)


def _components(means: Sequence[Sequence[NDArray[Any]]]) -> Components | None:
    """Of block means by pack and way, those blocks that are whole everywhere."""
    values = np.stack([np.stack(each, axis=-1) for each in means], axis=1)
    whole = values[~np.isnan(values).any(axis=(1, 2))]
    return components(whole, LEVEL) if len(whole) > 1 and len(means) > 1 else None
