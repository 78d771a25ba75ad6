"""Clustered means of several levels at once, with the covariance that comes from sharing blocks.

Factions of one game, or two arms played on the same deals, meet in the same blocks, so their means depend on
each other. What the blocks must add up to for that are sums of products of two levels, which a database
finds by joining the table of blocks with itself.

Source: Cochran, "Sampling Techniques" (1977), ch. 6, for the linearised ratio; Liang and Zeger 1986 for
the sandwich of cluster totals.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.intervals import NO_SPREAD, Estimate, Floats, Moments, critical, mean
from simlab.stats.simultaneous import sup_t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


@dataclass(frozen=True, eq=False)
class JointMoments:
    """What the blocks add up to for K levels: all that K clustered means and their covariance need.

    `levels`: the moments of each level (K). With n_bk rows and total t_bk of level k in block b: `nn`,
    `nt`, `tt` (K, K) hold Σ_b n_bk n_bl, Σ_b n_bk t_bl and Σ_b t_bk t_bl. `clusters`: blocks with a row
    of any level.
    """

    clusters: int
    levels: tuple[Moments, ...]
    nn: Floats
    nt: Floats
    tt: Floats

    @classmethod
    def of_blocks(cls, counts: ArrayLike, totals: ArrayLike) -> JointMoments:
        """From rows (G, K) and totals (G, K) by block and level; a block may lack a level."""
        n, t = np.asarray(counts, np.float64), np.asarray(totals, np.float64)
        if n.shape != t.shape or n.ndim != 2:
            raise ValueError(f"counts {n.shape} and totals {t.shape} must be two tables of one shape")
        levels = tuple(Moments.of_blocks(n[:, k], t[:, k]) for k in range(n.shape[1]))
        return cls(int((n.sum(axis=1) > 0).sum()), levels, n.T @ n, n.T @ t, t.T @ t)

    @classmethod
    def of_sums(
        cls, clusters: int, levels: Sequence[Moments], nn: ArrayLike, nt: ArrayLike, tt: ArrayLike
    ) -> JointMoments:
        """From sums that a database made; their diagonals must be those of `levels`."""
        k = len(levels)
        tables = [np.asarray(x, np.float64) for x in (nn, nt, tt)]
        for name, table in zip(("nn", "nt", "tt"), tables, strict=True):
            if table.shape != (k, k):
                raise ValueError(f"{name} {table.shape} must be a table of {k} by {k} levels")
            if not np.allclose(table.diagonal(), [getattr(m, name) for m in levels], rtol=1e-9, atol=1e-9):
                raise ValueError(f"the diagonal of {name} isn't what the levels' own moments say")
        return cls(clusters, tuple(levels), *tables)


def means(joint: JointMoments, level: float = 0.95) -> tuple[Estimate, ...]:
    """The mean of each level (K) with the interval of that level alone; unit: that of the totals."""
    return tuple(mean(moments, level) for moments in joint.levels)


def covariance(joint: JointMoments) -> Floats:
    """Covariance (K, K) of the levels' means, clustered on blocks; unit: that of the totals, squared.

    V_kl = c_k c_l Σ_b r_bk r_bl / (N_k N_l) with residuals r_bk = t_bk − mean_k n_bk and c_k² =
    G_k/(G_k−1), G_k the blocks that have the level: √V_kk is the standard error of `intervals.mean`. Levels
    that never share a block have covariance 0. NaN in the rows and columns of a level with fewer than two
    blocks. Assumes independent blocks.
    """
    rows = np.array([m.n for m in joint.levels], np.float64)
    total = np.array([m.total for m in joint.levels], np.float64)
    held = np.array([m.clusters for m in joint.levels], np.float64)
    value = np.divide(total, rows, out=np.zeros_like(rows), where=rows > 0)
    crossed = value[None, :] * joint.nt.T  # Σ t_k n_l · mean_l
    squares = joint.tt - crossed - crossed.T + np.outer(value, value) * joint.nn
    size = np.maximum(joint.tt.diagonal(), value**2 * joint.nn.diagonal())
    flat = squares.diagonal() <= NO_SPREAD * size
    squares[flat, :] = squares[:, flat] = 0.0
    few = np.where(held > 1, np.sqrt(held / np.maximum(held - 1, 1)), np.nan)
    scale = np.divide(few, rows, out=np.full_like(rows, np.nan), where=rows > 0)
    return np.asarray(squares * np.outer(scale, scale), np.float64)


def combined(
    joint: JointMoments, c: ArrayLike, level: float = 0.95, *, together: bool = False
) -> tuple[Estimate, ...]:
    """Linear combinations c (M, K) of the levels' means, such as differences; unit: that of the totals.

    value ± t·SE, with the degrees of freedom of the level that has the fewest blocks of those in it; with
    `together` the intervals hold all at once (sup-t). `n` and `clusters` are rows and fewest blocks of these
    levels. All NaN with a level without rows in it; no interval with one that has a single block, nor where
    no block differs from another, since there is then no spread to measure.
    """
    weight = np.asarray(c, np.float64)
    held = np.array([m.clusters for m in joint.levels], np.int64)
    rows = np.array([m.n for m in joint.levels], np.int64)
    value = np.array([m.total / m.n if m.n else np.nan for m in joint.levels])
    used = weight != 0
    variance = weight @ np.nan_to_num(covariance(joint)) @ weight.T
    known = ~(used & (held < 2)).any(axis=1)
    fewest = np.where(used, held, joint.clusters).min(axis=1, initial=joint.clusters)
    largest = sup_t(variance[np.ix_(known, known)], joint.clusters, level) if together else np.nan
    found = []
    for k, row in enumerate(used):
        clusters = int(fewest[k])
        if (rows[row] == 0).any():
            found.append(Estimate(np.nan, np.nan, np.nan, np.nan, 0, clusters, level))
            continue
        centre = float(weight[k, row] @ value[row])
        se = float(np.sqrt(variance[k, k])) if known[k] and variance[k, k] > 0 else np.nan
        quantile = critical(level, clusters)
        reach = se * (quantile if isnan(largest) else max(quantile, largest))
        found.append(
            Estimate(centre, se, centre - reach, centre + reach, int(rows[row].sum()), clusters, level)
        )
    return tuple(found)
