"""A look through many things: which stand out, with what interval after being picked, how large really.

Of a hundred things that do nothing five are "significant" at 5 %, and the best of a hundred is also the
luckiest. So the share of false claims among those made is held (Benjamini and Hochberg 1995), those picked
get intervals that make up for the picking (Benjamini and Yekutieli 2005), and what is shown of all is drawn
to their middle by as much as luck scatters them (`shrinkage`).

Sources: there and in `simultaneous`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.shrinkage import shrink
from simlab.stats.simultaneous import false_discovery, selected_intervals

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from simlab.stats.intervals import Estimate

RATE = 0.05  # of the claims made, how many may be false on average


@dataclass(frozen=True)
class Screened:
    """One thing after the look through all of them.

    `adjusted`: p adjusted for the family, NaN for what was not tested; `stands_out`: it is at most the rate;
    `picked`: the estimate with its interval made wider for having been picked, None unless it stands out;
    `shrunk`: the estimate drawn to the middle of its kind, NaN where there are too few for that.
    """

    adjusted: float
    stands_out: bool
    picked: Estimate | None
    shrunk: Estimate


def screen(
    estimates: Sequence[Estimate],
    p: Sequence[float],
    kinds: Sequence[Hashable] | None = None,
    rate: float = RATE,
    *,
    any_dependence: bool = False,
) -> tuple[Screened, ...]:
    """Look through the estimates (K) of effects, with their p-values (K) of "nothing".

    All that have a p are one family, for which the false discovery `rate` is held; `any_dependence` holds it
    however they hang together, at the price of `simultaneous.false_discovery`. Shrinkage is within each of
    the `kinds` (K), towards its own middle, of those that were tested. p = NaN: not tested and not shrunk.
    """
    adjusted = false_discovery(p, any_dependence)
    out = [bool(q <= rate) for q in adjusted]  # NaN isn't
    tested = [k for k, q in enumerate(adjusted) if not isnan(q)]
    intervals = iter(selected_intervals([estimates[k] for k in tested], [out[k] for k in tested], 1 - rate))
    shrunk = _shrunk(estimates, tested, kinds or [None] * len(estimates))
    return tuple(
        Screened(float(adjusted[k]), out[k], next(intervals) if out[k] else None, shrunk[k])
        for k in range(len(estimates))
    )


def _shrunk(
    estimates: Sequence[Estimate], tested: Sequence[int], kinds: Sequence[Hashable]
) -> list[Estimate]:
    found = [replace(e, value=nan, se=nan, low=nan, high=nan, n=0) for e in estimates]
    for kind in dict.fromkeys(kinds):
        mine = [k for k in tested if kinds[k] == kind]
        for k, drawn in zip(mine, shrink([estimates[k] for k in mine]).estimates, strict=True):
            if not np.isnan(drawn.value):
                found[k] = drawn
    return found
