"""Win shares that a choice model gives over a whole design: as if every table had been played equally often.

Alternatives fall into *cells* (a faction in a seat, played by a strategy). A cell's standardised share is its
mean over all tables of the design; levels (a faction, a seat) are means of cells. So levels are compared
beside the same others, whoever happened to sit there in the games that were played (g-computation).

An alternative that the model puts infinitely below another of its table has share 0 there, which is what the
likelihood tends to; where the games can't tell which of two is the stronger, a share is NaN.

Sources: Hernán and Robins 2020, "Causal Inference: What If", ch. 13, for standardisation; Oehlert 1992, "A
note on the delta method".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit, softmax

from simlab.stats.intervals import NO_SPREAD, Estimate, Floats, critical
from simlab.stats.simultaneous import sup_t

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from simlab.stats.choice_model import Fit
    from simlab.stats.separation import Recession

FIXED = 1e-9  # a standard error below this is rounding


@dataclass(frozen=True, eq=False)
class Cells:
    """Standardised shares of C cells: `values` (C,), NaN where unknown; `gradient` (C, K) by coefficient."""

    fitted: Fit
    values: Floats
    gradient: Floats

    def levels(self, a: ArrayLike) -> Levels:
        """Linear combinations a (L, C) of the cells, such as means; NaN with an unknown cell in them."""
        weight = np.asarray(a, np.float64)
        unknown = (np.abs(weight) > 0) @ np.isnan(self.values) > 0
        values = np.where(unknown, nan, weight @ np.nan_to_num(self.values))
        slopes = np.where(unknown[:, None], nan, weight @ self.gradient)
        return Levels(
            values, *(slopes @ v @ slopes.T for v in (self.fitted.covariance, self.fitted.cautious))
        )


@dataclass(frozen=True, eq=False)
class Levels:
    """Values (L,) with their `covariance` (L, L), and what it would be were each block one observation."""

    values: Floats
    covariance: Floats
    cautious: Floats

    @property
    def errors(self) -> Floats:
        """Standard errors (L,); where all blocks agree those of one observation a block."""
        measured, cautious = self.covariance.diagonal(), self.cautious.diagonal()
        return np.sqrt(np.where(measured <= NO_SPREAD * cautious, cautious, measured))

    def estimates(
        self, n: ArrayLike, clusters: int, level: float = 0.95, *, share: bool, together: bool
    ) -> tuple[Estimate, ...]:
        """Estimates (L) on n (L) rows; `together`: intervals that hold all at once (sup-t).

        Shares have their interval on the scale of log odds, which never leaves 0 … 1. No interval where there
        is no value, where a share is 0 or 1, with a single block, or where nothing spreads: what the design
        or a separation fixes is the same for any games.
        """
        quantile = critical(level, clusters)
        if together:
            known = ~np.isnan(self.values)
            largest = sup_t(self.covariance[np.ix_(known, known)], clusters, level)
            quantile = quantile if isnan(largest) else max(quantile, largest)
        errors = np.where(self.errors > FIXED, self.errors, nan)
        each = zip(self.values, errors, np.asarray(n, np.int64), strict=True)
        return tuple(
            Estimate(
                float(v),
                float(se),
                *_ends(float(v), float(se), quantile, share=share),
                int(k),
                clusters,
                level,
            )
            for v, se, k in each
        )


def gaps(
    one: Cells, other: Cells, moves: tuple[Floats, Floats], a: ArrayLike, level: float = 0.95
) -> tuple[Estimate, ...]:
    """What combinations a (L, C) of the cells of one fit have more than those of another of the same blocks.

    `moves` (G, K) of either: `influence`. Intervals hold all at once (sup-t); none where nothing spreads.
    """
    found = [cells.levels(a) for cells in (one, other)]
    slopes = [np.asarray(a, np.float64) @ cells.gradient for cells in (one, other)]
    by_block = moves[0] @ slopes[0].T - moves[1] @ slopes[1].T
    clusters = len(by_block)
    factor = clusters / (clusters - 1) if clusters > 1 else nan
    values = found[0].values - found[1].values
    known = ~np.isnan(values)
    covariance = np.where(known[:, None] & known, factor * by_block.T @ by_block, nan)
    between = Levels(values, covariance, np.zeros_like(covariance))
    return between.estimates(np.full(len(values), clusters), clusters, level, share=False, together=True)


def _ends(value: float, se: float, quantile: float, *, share: bool) -> tuple[float, float]:
    if not share:
        return value - quantile * se, value + quantile * se
    if not 0 < value < 1:
        return nan, nan
    reach = quantile * se / (value * (1 - value))
    middle = float(logit(value))
    return float(expit(middle - reach)), float(expit(middle + reach))


def standardised_cells(fitted: Fit, tables: Iterable[tuple[Floats, NDArray[np.int64]]], cells: int) -> Cells:
    """Shares of C `cells` over all tables: x (M, P, K) and the cell of each alternative (M, P), in pieces.

    Unit: a fraction; delta method. NaN for a cell in no table.
    """
    k = len(fitted.coefficients)
    rows, total, gradient = np.zeros(cells), np.zeros(cells), np.zeros((cells, k))
    for x, cell in tables:
        share, slope = _shares(fitted, x)
        flat = cell.ravel()
        rows += np.bincount(flat, minlength=cells)
        total += np.bincount(flat, share.ravel(), cells)
        np.add.at(gradient, flat, slope.reshape(-1, k))
    per = np.divide(1.0, rows, out=np.full(cells, nan), where=rows > 0)
    values = total * per
    return Cells(fitted, values, np.where(np.isnan(values)[:, None], 0.0, gradient * per[:, None]))


def _shares(fitted: Fit, x: Floats) -> tuple[Floats, Floats]:
    """The shares (M, P) of tables x (M, P, K) and their derivatives (M, P, K); NaN where nothing tells."""
    kept = settled = np.ones(x.shape[:2], bool)
    if fitted.recession is not None:
        height = x @ fitted.recession.direction
        kept = height > height.max(axis=1, keepdims=True) - 0.5
        settled = kept | _beaten(fitted.recession, x, kept)
    chance = softmax(np.where(kept, x @ fitted.coefficients, -np.inf), axis=1)
    away = x - np.einsum("mp,mpk->mk", chance, x)[:, None, :]
    settled = settled & (~kept | (np.abs(away - away @ fitted.span).max(axis=2) < 1e-6))
    whole = settled.all(axis=1, keepdims=True)
    return np.where(whole, chance, nan), chance[:, :, None] * away


def _beaten(found: Recession, x: Floats, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which alternatives (M, P) of tables x (M, P, K) were seen to lose against one that is `kept` (M, P)."""
    seen = {_code(row) for row in found.steeper}
    beaten = np.zeros_like(kept)
    for winner in range(x.shape[1]):
        rows = (x[:, winner : winner + 1] - x).reshape(-1, x.shape[2])
        distinct, which = np.unique(rows, axis=0, return_inverse=True)
        lost = np.array([_code(row) in seen for row in distinct])[which.ravel()].reshape(kept.shape)
        beaten |= lost & kept[:, winner : winner + 1]
    return beaten


def _code(row: Floats) -> bytes:
    """A row as bytes, −0 as 0."""
    return (row + 0.0).tobytes()
