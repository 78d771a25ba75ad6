"""Why an estimate differs from one draw of unknown data to the next: simulation, data, play.

The same deals are played with K draws of the data (component packs, say) and W ways of playing, so an
estimate's error has a part that all draws share and a part of its own. The latter is measured within blocks,
never taken from the standard errors, which would count the shared part as if it told draws apart; what
estimates vary beyond it is data, play, or the two together.

Sources: Searle, Casella and McCulloch 1992, "Variance Components", ch. 4, for crossed random effects by
moments; Williams 1962, "A confidence interval for variance components"; Weerahandi 1993, "Generalized
confidence intervals", for shares of draws; Paule and Mandel 1982 where errors share nothing (`shrinkage.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtri, fdtri, ndtr, stdtrit

from simlab.stats.intervals import Estimate, Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

DRAWS = 4_000  # of mean and spread; an end of a share's interval is then right to about 0.01
SEED = 20_271


@dataclass(frozen=True)
class Component:
    """Variance that is more than chance: `seen` of the estimates, `chance` of it (mean square errors).

    `freedom` and `chance_freedom` are the degrees of freedom of the two.
    """

    seen: float
    chance: float
    freedom: int
    chance_freedom: int

    @property
    def variance(self) -> float:
        """What is left beside chance, by moments, 0 if it would be less."""
        return max(0.0, self.seen - self.chance)

    def deviation(self, level: float = 0.95) -> Estimate:
        """Its root, a standard deviation in the unit of the values, with Williams' interval.

        Assumes true values and errors near normal. The lower end is 0 exactly where an F test doesn't tell
        the component from nothing.
        """
        tail = (1 - level) / 2
        ends = [self._bound(1 - tail), self._bound(tail)]
        low, high = (sqrt(max(0.0, end)) for end in ends)
        count = self.freedom + 1
        return Estimate(sqrt(self.variance), nan, low, high, count, count, level)

    def _bound(self, p: float) -> float:
        """Williams 1962: (seen − F·chance) · f/χ² at one end."""
        f = float(fdtri(self.freedom, self.chance_freedom, p)) if self.chance_freedom else inf
        chi = float(chdtri(self.freedom, 1 - p))
        return (self.seen - f * self.chance) * self.freedom / chi


@dataclass(frozen=True)
class Components:
    """An estimate over K draws of the data and W ways of playing.

    `mean`: over all of them; its interval is for all draws that there could be, with these ways of playing.
    `simulation`: root mean square of the standard errors of single estimates. `data`: between draws, averaged
    over ways of playing; `play`: between ways of playing, averaged over draws; `both`: what a way of playing
    does with one draw and not with another. None of these can be had of one way of playing but `data`.
    """

    mean: Estimate
    simulation: float
    data: Component
    play: Component | None
    both: Component | None


def components(values: ArrayLike, level: float = 0.95) -> Components:
    """The components of block means (G, K, W), G blocks that all draws and ways of playing share.

    Unit: that of the values. Needs two blocks and two draws, else ValueError. Each component is what the
    variance of estimates exceeds the error variance by; that is the interaction with blocks, a mean square
    with (G − 1) times the degrees of freedom.
    """
    y = np.asarray(values, np.float64)
    if y.ndim != 3 or y.shape[0] < 2 or y.shape[1] < 2:
        raise ValueError(f"block means {y.shape} must be (blocks, draws, ways), two or more of the first two")
    blocks, draws, ways = y.shape
    data = _component(y.mean(axis=2))
    play = both = None
    if ways > 1:
        both = _component(_interaction(y), (draws - 1) * (ways - 1))
        plain = _component(y.mean(axis=1))
        chance = plain.chance + both.variance / draws  # of draws, which a way of playing may suit or not
        play = Component(plain.seen, chance, plain.freedom, plain.chance_freedom)
    simulation = sqrt(float(y.var(axis=0, ddof=1).mean()) / blocks)
    return Components(_mean(y, data, level), simulation, data, play, both)


def _component(y: Floats, freedom: int | None = None) -> Component:
    """Of values (G, C): the variance of C means, and what of it is chance."""
    blocks, cells = y.shape
    free = cells - 1 if freedom is None else freedom
    away = y - y.mean(axis=1, keepdims=True)
    means = away.mean(axis=0)
    rest = away - means
    chance = float((rest**2).sum()) / ((blocks - 1) * free) / blocks
    return Component(float((means**2).sum()) / free, chance, free, (blocks - 1) * free)


def _interaction(y: Floats) -> Floats:
    """(G, K·W): what is left of block means without their draw's and their way's averages."""
    left = y - y.mean(axis=2, keepdims=True)
    left -= left.mean(axis=1, keepdims=True)
    return np.asarray(left.reshape(len(y), -1))


def _mean(y: Floats, data: Component, level: float) -> Estimate:
    """Draws are a sample of all there could be, blocks one of all deals."""
    blocks, draws, _ = y.shape
    by_block = y.mean(axis=(1, 2))
    value = float(by_block.mean())
    se = sqrt(data.variance / draws + float(by_block.var(ddof=1)) / blocks)
    reach = float(stdtrit(draws - 1, 0.5 + level / 2)) * se
    return Estimate(value, se, value - reach, value + reach, draws, draws, level)


@dataclass(frozen=True)
class Sides:
    """Shares of all draws that there could be: true value `within` the band, `above` or `below` it."""

    within: Estimate
    above: Estimate
    below: Estimate


def sides(found: Components, target: float, band: float, level: float = 0.95) -> Sides:
    """On which side of target ± band the true values of all draws lie, as endless games would show.

    Fractions. True values are taken to scatter normally around the mean by the data component; mean and
    component are as uncertain as their intervals, so a share's interval is that of its generalised pivot,
    drawn under a fixed seed. With few draws it is wide; that values scatter normally is not checked.
    Source: Weerahandi 1993.
    """
    data, mean = found.data, found.mean
    rng = np.random.default_rng(SEED)
    spread = np.sqrt(
        np.maximum(0.0, data.seen * data.freedom / rng.chisquare(data.freedom, DRAWS) - data.chance)
    )
    centre = mean.value - target + mean.se * rng.standard_t(data.freedom, DRAWS)
    drawn = _sides(centre, spread, band)
    value = _sides(np.array([mean.value - target]), np.array([sqrt(data.variance)]), band)
    tail = (1 - level) / 2
    made = []
    for share, shares in zip(value, drawn, strict=True):
        low, high = np.quantile(shares, [tail, 1 - tail])
        at = float(share[0])
        count = mean.n
        made.append(Estimate(at, nan, min(float(low), at), max(float(high), at), count, count, level))
    return Sides(*made)


def _sides(centre: Floats, spread: Floats, band: float) -> tuple[Floats, Floats, Floats]:
    """Within, above and below ±band, of normal values."""
    scale = np.maximum(spread, 1e-12 * band)  # no spread at all is one side or the other
    above, below = ndtr((centre - band) / scale), ndtr((-band - centre) / scale)
    return 1 - above - below, above, below
