"""Components of variance: planted ones come back, intervals hold, shared luck tells no draws apart."""

from __future__ import annotations

import numpy as np
import pytest

from simlab.stats.components import Component, components, sides
from simlab.stats.shrinkage import paule_mandel


def drawn(
    rng: np.random.Generator,
    shape: tuple[int, int, int] = (50, 12, 1),
    *,
    data: float = 0.0,
    play: float = 0.0,
    both: float = 0.0,
    shared: float = 1.0,
    own: float = 1.0,
    mean: float = 0.0,
) -> np.ndarray:
    """Block means (G, K, W): true values of draws and ways, luck that a block's games share, own luck."""
    blocks, draws, ways = shape
    truth = mean + data * rng.standard_normal((draws, 1)) + play * rng.standard_normal((1, ways))
    truth = truth + both * rng.standard_normal((draws, ways))
    return truth + shared * rng.standard_normal((blocks, 1, 1)) + own * rng.standard_normal(shape)


def test_moments_are_those_of_the_analysis_of_variance() -> None:
    y = drawn(np.random.default_rng(1), data=0.4)
    found = components(y).data
    flat = y[:, :, 0]
    rest = flat - flat.mean(0) - flat.mean(1, keepdims=True) + flat.mean()
    square = (rest**2).sum() / (49 * 11)
    assert found.seen == pytest.approx(flat.mean(0).var(ddof=1))
    assert found.chance == pytest.approx(square / 50)
    assert (found.freedom, found.chance_freedom) == (11, 49 * 11)


def test_planted_deviations_come_back() -> None:
    rng = np.random.default_rng(2)
    made = [components(drawn(rng, (60, 15, 4), data=0.5, play=0.3, both=0.2)) for _ in range(400)]
    for name, truth in (("data", 0.5**2 + 0.2**2 / 4), ("play", 0.3**2), ("both", 0.2**2)):
        variances = [getattr(each, name).seen - getattr(each, name).chance for each in made]
        assert np.mean(variances) == pytest.approx(truth, abs=4 * np.std(variances) / 20), name


@pytest.mark.parametrize("truth", [0.0, 0.1, 0.5])
def test_intervals_of_deviations_and_means_hold(truth: float) -> None:
    rng = np.random.default_rng(3)
    made = [components(drawn(rng, data=truth, mean=2.0)) for _ in range(1000)]
    ends = [each.data.deviation() for each in made]
    held = np.mean([e.low <= truth <= e.high for e in ends])
    assert 0.93 <= held <= (1.0 if truth == 0 else 0.97)
    assert np.mean([each.mean.low <= 2.0 <= each.mean.high for each in made]) >= 0.93


def test_without_data_hardly_ever_is_there_said_to_be_some() -> None:
    rng = np.random.default_rng(4)
    found = [components(drawn(rng, shared=3.0)).data.deviation().low > 0 for _ in range(1000)]
    assert 0.01 <= np.mean(found) <= 0.045  # 2.5 %


def test_luck_that_draws_share_tells_none_apart() -> None:
    rng = np.random.default_rng(5)
    y = drawn(rng, (50, 12, 1), data=0.3, shared=0.0)
    lucky = y + 5 * rng.standard_normal((50, 1, 1))
    assert components(lucky).data.variance == pytest.approx(components(y).data.variance)
    assert components(lucky).simulation > 3 * components(y).simulation


def test_without_shared_luck_it_is_what_paule_and_mandel_find() -> None:
    y = drawn(np.random.default_rng(6), (400, 60, 1), data=0.3, shared=0.0)
    errors = y[:, :, 0].var(axis=0, ddof=1) / 400
    assert components(y).data.variance == pytest.approx(paule_mandel(y[:, :, 0].mean(0), errors), rel=0.01)


def test_one_way_of_playing_has_no_spread_of_play() -> None:
    found = components(drawn(np.random.default_rng(7)))
    assert found.play is None
    assert found.both is None


def test_identical_draws_have_none_at_all() -> None:
    y = np.repeat(np.random.default_rng(8).standard_normal((30, 1, 1)), 5, axis=1)
    found = components(y)
    assert found.data.variance == 0
    assert found.data.deviation().high == pytest.approx(0, abs=1e-12)
    assert found.mean.value == pytest.approx(y.mean())


@pytest.mark.parametrize("shape", [(1, 3, 1), (5, 1, 1), (5, 3)])
def test_too_little_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="must be"):
        components(np.zeros(shape))


def test_sides_are_those_of_the_true_values() -> None:
    rng = np.random.default_rng(9)
    truth = {"within": 0.6827, "above": 0.1587, "below": 0.1587}  # ±1 around 0, deviation 1
    made = [sides(components(drawn(rng, (40, 20, 1), data=1.0, own=2.0)), 0.0, 1.0) for _ in range(1000)]
    for name, share in truth.items():
        ends = [getattr(each, name) for each in made]
        assert np.mean([e.low <= share <= e.high for e in ends]) >= 0.92, name
        assert np.mean([e.value for e in ends]) == pytest.approx(share, abs=0.03), name
    assert all(each.within.value + each.above.value + each.below.value == pytest.approx(1) for each in made)


def test_sides_of_no_spread_are_one_side() -> None:
    rng = np.random.default_rng(10)
    found = sides(components(drawn(rng, (200, 20, 1), mean=5.0, own=0.1)), 0.0, 1.0)
    assert found.above.low > 0.999


def test_williams_lower_end_is_the_f_test() -> None:
    from scipy.stats import f

    at = float(f.ppf(0.975, 9, 441))
    assert Component(at * 1.01, 1.0, 9, 441).deviation().low > 0
    assert Component(at * 0.99, 1.0, 9, 441).deviation().low == 0
