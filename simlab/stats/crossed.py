"""What many things do to many levels, such as Missions to factions: each cell alone, all at once, and shrunk.

Of a hundred cells five are "significant" at 5 % by luck alone, and the largest is partly the luckiest. So
each has an interval that holds for all cells together, and a value drawn towards nothing by its noise.

Sources: those of `differences.py`, `simultaneous.py` and `shrinkage.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.differences import against_rest
from simlab.stats.intervals import Estimate, Floats, critical
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
    alone, spread = _against_rest((counts, totals, rest_counts, rest_totals), families, level)
    return _judged(alone, spread, families, level)


def beyond(
    counts: ArrayLike,
    totals: ArrayLike,
    rest_counts: ArrayLike,
    rest_totals: ArrayLike,
    families: Sequence[Hashable],
    level: float = 0.95,
) -> Crossed:
    """By how much each effect of `crossed` differs from the thing's mean effect over the family's levels.

    Where a thing does the same to all, all of these are nothing, however strong it is. Arguments, unit and
    assumptions are those of `crossed`; NaN where the thing has an effect on fewer than two of the levels.
    """
    alone, spread = _against_rest((counts, totals, rest_counts, rest_totals), families, level)
    cells = len(alone)
    width = len(families)
    known = np.array([e.sure for e in alone])
    thing, family = np.arange(cells) // width, np.array([*families] * (cells // width), object)
    alike = (thing[:, None] == thing) & (family[:, None] == family) & known & known[:, None]
    size = alike.sum(1, keepdims=True)
    weights = np.where(size > 1, np.eye(cells) - alike / np.maximum(size, 1), 0.0)
    value = weights @ np.array([e.value if e.sure else 0.0 for e in alone])
    spread = weights @ np.nan_to_num(spread) @ weights.T
    rows = zip(alone, value.tolist(), spread.diagonal().tolist(), size[:, 0].tolist(), strict=True)
    some = [_of_level(effect, at, variance, of, level) for effect, at, variance, of in rows]
    return _judged(some, spread, families, level)


def _of_level(effect: Estimate, value: float, variance: float, size: int, level: float) -> Estimate:
    """An effect beyond the mean of `size` of them; unknown without others."""
    if size < 2:
        return replace(effect, value=nan, se=nan, low=nan, high=nan, n=0)
    se = sqrt(max(variance, 0.0))  # rounding may leave a little less than nothing
    reach = critical(level, effect.clusters) * se
    return replace(effect, value=value, se=se, low=value - reach, high=value + reach)


def _against_rest(
    tables: Sequence[ArrayLike], families: Sequence[Hashable], level: float
) -> tuple[tuple[Estimate, ...], Floats]:
    """Effects of all cells in a row (R · L) and their covariance."""
    sums = [np.asarray(values, np.float64) for values in tables]
    shape = sums[0].shape
    if len(shape) != 3 or any(values.shape != shape for values in sums) or shape[2] != len(families):
        shapes = ", ".join(str(values.shape) for values in sums)
        raise ValueError(f"sums {shapes} must be four tables by block, thing and {len(families)} levels")
    n, total, rest_n, rest_total = (values.reshape(len(values), -1) for values in sums)
    return against_rest(n, total, rest_n, rest_total, level)


def _judged(alone: Sequence[Estimate], spread: Floats, families: Sequence[Hashable], level: float) -> Crossed:
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
