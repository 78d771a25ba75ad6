"""What it does to one level that another is present: a faction's win share with another one at its table.

Sets (line-ups) hold some of the levels, all sets by design. A level's mean where another is present, less
that where it isn't, each set counting alike: the sets were assigned, so this is an effect, that of meeting
it instead of somebody else.

Source: Rubin 1974 for the effect of what was assigned; Cochran 1977, ch. 6, for the means.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.joint import JointMoments, combined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from simlab.stats.intervals import Estimate


@dataclass(frozen=True)
class Presence:
    """Effects of `other` on `level`, by their numbers, with the interval of each and that of all at once."""

    level: int
    other: int
    alone: Estimate
    together: Estimate


def presences(
    sets: Sequence[Sequence[int]], counts: ArrayLike, totals: ArrayLike, level: float = 0.95
) -> tuple[Presence, ...]:
    """The effect of each level on each other one, those without an answer left out.

    `sets` (L): the levels of each set; counts (G, L): rows of a set by block, one for each of its levels;
    totals (G, L, F): what each level adds up to in them. Unit: that of the totals. No answer where no set
    has the one without the other: two that always meet. Assumes independent blocks.
    """
    n, t = np.asarray(counts, np.float64), np.asarray(totals, np.float64)
    if n.shape != t.shape[:2] or n.shape[1] != len(sets):
        raise ValueError(f"counts {n.shape} and totals {t.shape} don't fit {len(sets)} sets")
    columns = [(s, member) for s, members in enumerate(sets) for member in members]
    joint = JointMoments.of_blocks(
        np.stack([n[:, s] for s, _ in columns], axis=1), np.stack([t[:, s, m] for s, m in columns], axis=1)
    )
    pairs, rows = [], []
    for one, other in product(range(t.shape[2]), repeat=2):
        having = np.array([member == one for _, member in columns])
        beside = having & [other in sets[s] for s, _ in columns]
        without = having & ~beside
        if one != other and beside.any() and without.any():
            pairs.append((one, other))
            rows.append(beside / beside.sum() - without / without.sum())
    if not pairs:
        return ()
    alone, together = (combined(joint, rows, level, together=all_of) for all_of in (False, True))
    return tuple(Presence(*pair, *found) for pair, *found in zip(pairs, alone, together, strict=True))
