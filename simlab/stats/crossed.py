"""What many things do to many levels, such as Missions to factions: each cell alone, all at once, and shrunk.

Of a hundred cells five are "significant" at 5 % by luck alone, and the largest is partly the luckiest. So
each has an interval that holds for all cells together, and a value drawn towards nothing by its noise.

Sources: those of `differences.py`, `simultaneous.py` and `shrinkage.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.differences import against_rest
from simlab.stats.intervals import Estimate
from simlab.stats.shrinkage import shrink
from simlab.stats.simultaneous import simultaneous

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Cells = tuple[tuple[Estimate, ...], ...]


@dataclass(frozen=True)
class Crossed:
    """Effects of things (R) on levels (L): (R, L) each.

    `alone`: with the interval of that cell alone; `together`: with one that holds for all cells at once;
    `shrunk`: drawn towards nothing, within its family of levels. `scatter`: by family, the standard deviation
    of the true effects, NaN if it can't be known.
    """

    alone: Cells
    together: Cells
    shrunk: Cells
    scatter: Mapping[Hashable, float]


def crossed(
    counts: ArrayLike,
    totals: ArrayLike,
    rest_counts: ArrayLike,
    rest_totals: ArrayLike,
    families: Sequence[Hashable],
    level: float = 0.95,
) -> Crossed:
    """Mean of the rows of each thing and level less the mean of its rest, for all cells (R, L).

    counts, totals: (G, R, L), rows and their total by block; rest_counts, rest_totals alike for what each
    cell is compared with. `families` (L): levels of one family have effects of one size, such as factions,
    and are shrunk together towards 0. Unit: that of the totals. Assumes independent blocks and things dealt
    at random. Levels that share one winner have errors that add up to nothing; the shrinkage takes them for
    independent, which its intervals bear (tests/stats/test_crossed.py).
    """
    sums = [np.asarray(values, np.float64) for values in (counts, totals, rest_counts, rest_totals)]
    shape = sums[0].shape
    if len(shape) != 3 or any(values.shape != shape for values in sums) or shape[2] != len(families):
        shapes = ", ".join(str(values.shape) for values in sums)
        raise ValueError(f"sums {shapes} must be four tables by block, thing and {len(families)} levels")
    n, total, rest_n, rest_total = (values.reshape(len(values), -1) for values in sums)
    alone, spread = against_rest(n, total, rest_n, rest_total, level)
    together = simultaneous(alone, spread, level)
    shrunk, scatter = list(alone), {}
    for family in dict.fromkeys(families):
        cells = [k for k in range(len(alone)) if families[k % len(families)] == family]
        drawn = shrink([alone[k] for k in cells], 0.0, level)
        scatter[family] = drawn.tau
        for k, estimate in zip(cells, drawn.estimates, strict=True):
            shrunk[k] = estimate
    width = len(families)
    return Crossed(_by_thing(alone, width), _by_thing(together, width), _by_thing(shrunk, width), scatter)


def _by_thing(row: Sequence[Estimate], width: int) -> Cells:
    return tuple(tuple(row[k : k + width]) for k in range(0, len(row), width))
