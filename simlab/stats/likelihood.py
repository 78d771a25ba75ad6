"""The likelihood of a choice model: its greatest value, and how it curves there.

Sums over sets are sums over runs of rows, so nothing loops over sets. A row's height is x β.
"""

from __future__ import annotations

import numpy as np

from simlab.stats.choice_sets import Choices
from simlab.stats.intervals import NO_SPREAD, Floats

STEPS = 100  # of Newton's method; it takes 5 to 10
CONVERGED = 1e-9  # log likelihood that a step would gain
ROUNDING = 1e-14  # of a sum, relative to what is added up
RANK = 1e-11  # eigenvalues below this, relative to the largest, are none


def maximum(data: Choices, offset: Floats | None = None, start: Floats | None = None) -> Floats:
    """Coefficients (K,) of greatest likelihood, looked for from `start` on; `offset` (N,) is added to x β."""
    beta = np.zeros(data.x.shape[1]) if start is None else start
    if not len(data.start):
        return beta
    height = 0.0 if offset is None else offset
    best, size = log_likelihood(data, data.x @ beta + height), magnitude(data)
    for _ in range(STEPS):
        chance = shares(data, data.x @ beta + height)
        gradient = data.x.T @ (np.repeat(data.weight, data.sizes) * (data.won - chance))
        step = inverse(hessian_at(data, chance), size)[0] @ gradient
        if gradient @ step <= CONVERGED + ROUNDING * data.weight.sum():
            break
        while (new := log_likelihood(data, data.x @ (beta + step) + height)) < best:
            step = step / 2
            if np.abs(step).max() < NO_SPREAD:
                return beta
        beta, best = beta + step, new
    return beta


def shares(data: Choices, height: Floats) -> Floats:
    """Each row's chance of being chosen (N,)."""
    lowered = height - np.repeat(np.maximum.reduceat(height, data.start), data.sizes)
    odds = np.exp(lowered)
    chance: Floats = odds / np.repeat(np.add.reduceat(odds, data.start), data.sizes)
    return chance


def log_likelihood(data: Choices, height: Floats) -> float:
    """Of all choices, by the rows' heights (N,)."""
    top = np.maximum.reduceat(height, data.start)
    spread = np.log(np.add.reduceat(np.exp(height - np.repeat(top, data.sizes)), data.start))
    return float(data.weight @ (np.add.reduceat(data.won * height, data.start) - top - spread))


def hessian(data: Choices, beta: Floats) -> Floats:
    """Minus the second derivative of the log likelihood (K, K)."""
    if not len(data.start):
        return np.zeros((len(beta), len(beta)))
    return hessian_at(data, shares(data, data.x @ beta))


def hessian_at(data: Choices, chance: Floats) -> Floats:
    """The same by each row's chance of being chosen (N,)."""
    mean = np.add.reduceat(chance[:, None] * data.x, data.start, axis=0)
    away = data.x - np.repeat(mean, data.sizes, axis=0)
    curved: Floats = ((np.repeat(data.weight, data.sizes) * chance)[:, None] * away).T @ away
    return curved


def scores(data: Choices, beta: Floats) -> Floats:
    """The derivative of the log likelihood by block (G, K)."""
    if not len(data.start):
        return np.zeros((0, len(beta)))
    chance = shares(data, data.x @ beta)
    pull = (np.repeat(data.weight, data.sizes) * (data.won - chance))[:, None] * data.x
    block = np.repeat(data.block, data.sizes)
    return np.stack([np.bincount(block, weights=column) for column in pull.T], axis=1)


def magnitude(data: Choices) -> Floats:
    """What the second derivative by each coefficient is a difference of (K,)."""
    size: Floats = np.repeat(data.weight, data.sizes) @ data.x**2
    return size


def inverse(curvature: Floats, size: Floats) -> tuple[Floats, Floats]:
    """The pseudo-inverse, and the projection onto what has one; columns are brought to one scale first.

    A column that doesn't vary within sets, but for rounding relative to `size`, is none.
    """
    varies = curvature.diagonal() > ROUNDING * size
    scale = np.sqrt(np.where(varies, curvature.diagonal(), 1.0))
    scaled = np.where(np.outer(varies, varies), curvature, 0.0) / np.outer(scale, scale)
    value, vector = np.linalg.eigh(scaled)
    kept = value > RANK * max(1.0, float(value.max(initial=0.0)))
    inverted = (vector[:, kept] / value[kept]) @ vector[:, kept].T / np.outer(scale, scale)
    basis, _ = np.linalg.qr(vector[:, kept] * scale[:, None])
    return inverted, basis @ basis.T


def widest(data: Choices, beta: Floats) -> float:
    """The largest log odds between two alternatives of a set."""
    if not len(data.start):
        return 0.0
    height = data.x @ beta
    return float(
        (np.maximum.reduceat(height, data.start) - np.minimum.reduceat(height, data.start)).max(initial=0.0)
    )
