"""Morris screening: planted effects come out in order, chance alone is named as seldom as promised."""

from __future__ import annotations

import numpy as np
import pytest

from simlab.stats.screening import screened


def noisy(rng: np.random.Generator, truth: np.ndarray, error: float, outputs: int = 1) -> tuple:
    """Effects (K, R, V) with errors: truth is (K, R)."""
    true = np.repeat(truth[:, :, None], outputs, axis=2)
    return true + error * rng.standard_normal(true.shape), np.full(true.shape, error)


def test_size_mean_and_spread_are_those_of_the_effects() -> None:
    effects = np.array([[[1.0], [-3.0], [2.0]], [[0.5], [0.5], [0.5]]])
    first, second = screened(effects, np.full_like(effects, 0.1))
    assert first.size[0] == pytest.approx(2)
    assert first.mean[0] == pytest.approx(0)
    assert first.spread[0] == pytest.approx(np.std([1, -3, 2], ddof=1))
    assert (second.size[0], second.spread[0]) == (0.5, 0)


def test_the_floor_is_the_size_that_chance_has() -> None:
    rng = np.random.default_rng(1)
    effects, errors = noisy(rng, np.zeros((2000, 5)), 0.7)
    found = screened(effects, errors)
    assert np.mean([each.size[0] for each in found]) == pytest.approx(found[0].floor[0], rel=0.02)


def test_nothing_is_named_where_nothing_matters() -> None:
    rng = np.random.default_rng(2)
    named = [
        any(each.adjusted <= 0.05 for each in screened(*noisy(rng, np.zeros((20, 6)), 1.0, 4)))
        for _ in range(400)
    ]
    assert np.mean(named) <= 0.08


def test_what_matters_is_named_and_first() -> None:
    rng = np.random.default_rng(3)
    truth = np.zeros((30, 8))
    truth[4], truth[17] = 4.0, np.resize([3.0, -3.0], 8)
    found = screened(*noisy(rng, truth, 1.0))
    order = sorted(range(30), key=lambda k: -found[k].beyond)
    assert order[:2] == [4, 17]
    assert all(found[k].adjusted <= 0.05 for k in (4, 17))
    assert found[17].spread[0] > 2 * found[4].spread[0]  # its sign hangs on the others
    assert found[4].mean[0] == pytest.approx(4.0, abs=1.5)


def test_an_effect_without_error_is_real_and_none_without_error_is_none() -> None:
    effects = np.array([[[0.0], [0.0]], [[0.1], [0.0]]])
    nothing, real = screened(effects, np.zeros_like(effects))
    assert nothing.p == 1
    assert real.p == 0


def test_the_output_it_moves_most_is_told() -> None:
    effects = np.zeros((1, 4, 3))
    effects[0, :, 2] = 1.0
    (found,) = screened(effects, np.full_like(effects, 0.2))
    assert found.most == 2
    assert found.beyond == pytest.approx(1 - found.floor[2])


@pytest.mark.parametrize("shape", [(2, 1, 1), (2, 3)])
def test_too_little_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="must be"):
        screened(np.zeros(shape), np.zeros(shape))


def test_a_negative_error_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        screened(np.zeros((1, 2, 1)), np.full((1, 2, 1), -1.0))
