"""A slope within cells: what was planted, whatever cells add; an ordinary regression as an oracle."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from simlab.stats.within import slope


def rows(seed: int, sets: int = 800, true: float = 0.4) -> tuple[np.ndarray, ...]:
    """Four rows a set, four sets a block; cells move x and y by much, a block's luck moves its rows."""
    rng = np.random.default_rng(seed)
    cell = rng.permuted(np.tile(np.arange(4), (sets, 1)), axis=1)
    block = np.repeat(np.arange(sets // 4), 4)
    x = 3.0 * cell + rng.poisson(2, cell.shape)
    luck = np.repeat(rng.normal(0, 1, sets // 4), 4)[:, None]
    return x, true * x - 5.0 * cell + luck * x / 4 + rng.normal(0, 1, cell.shape), cell, block


def test_it_is_the_slope_of_a_regression_with_a_constant_a_cell() -> None:
    x, y, cell, block = rows(1)
    design = np.column_stack([x.ravel(), np.eye(4)[cell.ravel()]])
    groups = np.repeat(block, 4)
    options = {"groups": groups, "use_correction": False}
    oracle = OLS(y.ravel(), design).fit(cov_type="cluster", cov_kwds=options)
    found = slope(x, y, cell, block)
    assert found.value == pytest.approx(oracle.params[0], rel=1e-9)
    clusters = len(np.unique(block))
    assert found.se == pytest.approx(oracle.bse[0] * np.sqrt(clusters / (clusters - 1)), rel=1e-9)
    assert (found.n, found.clusters) == (3_200, 200)


def test_intervals_hold_and_cells_are_not_taken_for_a_slope() -> None:
    found = [slope(*rows(seed)) for seed in range(200)]
    covered = np.mean([one.low <= 0.4 <= one.high for one in found])
    assert covered == pytest.approx(0.95, abs=0.05)
    x, y, _, _ = rows(0)
    assert np.polyfit(x.ravel(), y.ravel(), 1)[0] < 0  # without cells: the wrong sign


def test_what_never_varies_has_no_slope() -> None:
    x, y, cell, block = rows(2, 16)
    assert not slope(cell.astype(float), y, cell, block).known
    with pytest.raises(ValueError, match="one shape"):
        slope(x, y[:, :2], cell, block)
