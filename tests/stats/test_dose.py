"""Responses to a knob: known truth, negative controls, odd input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

import numpy as np
import pytest
from scipy import stats as scipy_stats
from scipy.optimize import isotonic_regression

from simlab.stats import simultaneous
from simlab.stats.dose import FALLING, RISING, TURNING, UNSHOWN, Response, _covariance_of, response, slope
from simlab.stats.intervals import Estimate
from simlab.stats.joint import JointMoments, covariance, means

Misses = Callable[[int, float], float]
DOSES = (1.0, 2.0, 3.0, 4.0)
FLAT = (0.0, 0.0, 0.0, 0.0)
Swept = tuple[Sequence[Estimate], np.ndarray]


def sweep(rng: np.random.Generator, curve: Sequence[float], blocks: int = 200, noise: float = 1.0) -> Swept:
    """Paired effects of settings on the same blocks: neighbours share a block's luck."""
    steps = rng.normal(0, noise, (blocks, len(curve)))
    shared = 0.7 * steps.cumsum(axis=1) + rng.normal(0, noise, (blocks, len(curve)))
    joint = JointMoments.of_blocks(np.ones((blocks, len(curve))), shared + np.array(curve))
    return means(joint), covariance(joint)


@pytest.fixture
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the draws, for tests that need many critical values but none of them exactly."""
    monkeypatch.setattr(simultaneous, "DRAWS", 2_000)


def shape(swept: Swept, doses: Sequence[float] = DOSES, base: float = 0.0) -> Response:
    return response(doses, *swept, base)


def test_slope_by_hand() -> None:
    effects = [Estimate(v, 0.1, v - 0.2, v + 0.2, 40, 10, 0.95) for v in (1.0, 3.0)]
    found = slope([11, 12], effects, np.diag([0.01, 0.01]), base=10)
    assert found.value == pytest.approx((1 * 1 + 2 * 3) / 5)
    assert found.se == pytest.approx(0.1 * np.sqrt(1 + 4) / 5)
    assert found.high - found.value == pytest.approx(scipy_stats.t.ppf(0.975, 9) * found.se)
    assert (found.n, found.clusters) == (40, 10)


def test_slope_covers_and_errors_taken_for_independent_do_not(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(121)
    missed = naive = 0
    for _ in range(800):
        effects, matrix = sweep(rng, [0.1 * d for d in DOSES], blocks=80)
        good, bad = (slope(DOSES, effects, m, 0.0) for m in (matrix, np.diag(matrix.diagonal())))
        missed += not good.low <= 0.1 <= good.high
        naive += not bad.low <= 0.1 <= bad.high
    assert missed <= allowed_misses(800, 0.06)
    assert missed >= 800 * 0.03
    assert naive > allowed_misses(800, 0.06)


def test_a_straight_line_has_its_slope_whatever_the_base_and_unit() -> None:
    effects, matrix = sweep(np.random.default_rng(122), [2 * d for d in DOSES], noise=1e-9)
    assert slope(DOSES, effects, matrix, 0.0).value == pytest.approx(2)
    assert slope([d + 7 for d in DOSES], effects, matrix, 7.0).value == pytest.approx(2)
    assert slope([100 * d for d in DOSES], effects, matrix, 0.0).value == pytest.approx(0.02)
    assert slope([-d for d in DOSES], effects, matrix, 0.0).value == pytest.approx(-2)


@pytest.mark.parametrize(
    ("curve", "kind"),
    [
        ((0.5, 1.0, 1.5, 2.0), RISING),
        ((-0.5, -1.0, -1.5, -2.0), FALLING),
        ((1.0, 2.0, 2.0, 0.5), TURNING),
        ((1.0, 2.0, 2.0, 1.9), RISING),  # a dent that proves nothing
    ],
)
def test_shapes(curve: Sequence[float], kind: str) -> None:
    assert shape(sweep(np.random.default_rng(123), curve)).shape == kind


@pytest.mark.usefixtures("fewer_draws")
@pytest.mark.parametrize("curve", [FLAT, (0.0, 0.6, 0.6, 0.6)])
def test_a_monotone_curve_is_called_turning_rarely_and_a_flat_one_anything(
    allowed_misses: Misses, curve: Sequence[float]
) -> None:
    """The plateau is the hard case: the rise is certain, and six falls could be found by luck."""
    rng = np.random.default_rng(124)
    turning = anything = wrong = naive = 0
    for _ in range(150):
        swept = sweep(rng, curve, blocks=120)
        found = shape(swept)
        turning += found.shape == TURNING
        anything += found.shape != UNSHOWN
        wrong += any(not e.low <= t <= e.high for e, t in zip(found.effects, (0.0, *curve), strict=True))
        steps = np.array([1.0, -1.0, 0, 0]), np.array([0, 1.0, -1, 0]), np.array([0, 0, 1.0, -1])
        values = np.array([e.value for e in swept[0]])
        naive += any(s @ values > 1.645 * np.sqrt(s @ swept[1] @ s) for s in steps)
    assert turning <= allowed_misses(150, 0.05)
    assert wrong <= allowed_misses(150, 0.06)
    if curve == FLAT:
        assert anything <= allowed_misses(150, 0.06)
    assert naive > allowed_misses(150, 0.06)  # negative control: any fall between neighbours at 5 %


@pytest.mark.usefixtures("fewer_draws")
def test_a_curve_that_turns_is_found() -> None:
    rng = np.random.default_rng(125)
    found = [shape(sweep(rng, (0.4, 0.8, 0.4, 0.0))) for _ in range(40)]
    assert sum(f.shape == TURNING for f in found) > 36
    assert all((f.p_turn <= 0.05) == (f.shape == TURNING) for f in found)


@pytest.mark.usefixtures("fewer_draws")
def test_band_of_a_monotone_curve_covers_and_is_narrower(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(126)
    curve, missed, narrower, shown = (0.6, 0.6, 0.7, 0.7), 0, [], 0
    for _ in range(150):
        found = shape(sweep(rng, curve, blocks=100))
        if found.shape != RISING:
            continue
        shown += 1
        truth = (0.0, *curve)
        missed += any(not lo <= t <= hi for (lo, hi), t in zip(found.band, truth, strict=True))
        widths = [
            (hi - lo) / (e.high - e.low)
            for (lo, hi), e in zip(found.band[1:], found.effects[1:], strict=True)
            if hi >= lo
        ]
        narrower.append(np.mean(widths))
    assert shown > 140
    assert missed <= allowed_misses(shown, 0.06)
    assert max(narrower) <= 1
    assert np.mean(narrower) < 0.95


def test_fit_is_isotonic_and_passes_through_the_base() -> None:
    values = np.array([-0.3, 0.2, 1.5, 1.0, 2.5])
    matrix = np.diag([0.01, 0.04, 0.09, 0.08, 0.01])
    effects = [
        Estimate(v, s, v - 2 * s, v + 2 * s, 99, 99, 0.95)
        for v, s in zip(values, np.sqrt(matrix.diagonal()), strict=True)
    ]
    found = response([1, 2, 3, 4, 5], effects, matrix, base=2.5)
    assert found.doses == (1, 2, 2.5, 3, 4, 5)
    assert found.shape == RISING
    free = isotonic_regression(values[2:], weights=1 / matrix.diagonal()[2:]).x
    assert found.fit == pytest.approx([-0.3, 0, 0, *free])  # the second would be above the base
    assert found.effects[2] == Estimate(0, 0, 0, 0, 0, 0, 0.95)
    lows, highs = ([getattr(e, end) for e in found.effects] for end in ("low", "high"))
    for k, (low, high) in enumerate(found.band):
        assert (low, high) == (max(lows[: k + 1]), min(highs[k:]))
    falling = response(
        [1, 2, 3, 4, 5],
        [Estimate(-e.value, e.se, -e.high, -e.low, 99, 99, 0.95) for e in effects],
        matrix,
        base=2.5,
    )
    assert falling.shape == FALLING
    assert falling.fit == pytest.approx([-x for x in found.fit])
    assert [lo for lo, _ in falling.band] == pytest.approx([-hi for _, hi in found.band])


def test_order_of_settings_does_not_matter() -> None:
    effects, matrix = sweep(np.random.default_rng(127), (0.5, 1.0, 1.5, 2.0))
    order = [2, 0, 3, 1]
    one = response(DOSES, effects, matrix, 0.0)
    other = response(
        [DOSES[k] for k in order], [effects[k] for k in order], matrix[np.ix_(order, order)], 0.0
    )
    assert one == other


def test_one_setting_is_its_own_effect() -> None:
    effects, matrix = sweep(np.random.default_rng(128), (0.8,))
    found = response([3.0], effects, matrix, base=1.0)
    assert found.shape == RISING
    assert (found.effects[1].low, found.effects[1].high) == pytest.approx(
        (effects[0].low, effects[0].high), abs=0.01
    )
    assert slope([3.0], effects, matrix, 1.0).value == pytest.approx(effects[0].value / 2)


def test_settings_that_play_alike_or_like_the_base_count_once() -> None:
    rng = np.random.default_rng(130)
    block = rng.normal(0.3, 1, (300, 1))
    joint = JointMoments.of_blocks(np.ones((300, 4)), block * [0, 1, 1, 1])
    found = response([1, 2, 3, 4], means(joint), covariance(joint), 0.0)
    alone = response([2], means(joint)[1:2], covariance(joint)[1:2, 1:2], 0.0)
    assert found.shape == RISING
    assert found.p_rise == pytest.approx(alone.p_rise, abs=0.002)
    # All go up and down together, so it is one question, whatever the number of settings.
    assert found.effects[2].high == pytest.approx(alone.effects[1].high, abs=0.005)
    assert found.fit[:2] == (0, 0)
    assert found.fit[2:] == pytest.approx([found.fit[2]] * 3)


def test_settings_that_play_alike_differ_by_nothing_and_not_by_rounding() -> None:
    together = np.nextafter(1 / 3, 0)  # sums of products are equal to the last bit but one
    matrix = np.array([[1 / 3, together], [together, 1 / 3]])
    contrast = np.array([[-1.0, 1.0]])
    assert (contrast @ matrix @ contrast.T)[0, 0] > 0
    assert _covariance_of(contrast, matrix)[0, 0] == 0
    assert _covariance_of(contrast, np.eye(2))[0, 0] == 2


def test_an_effect_without_spread_keeps_its_doubt() -> None:
    effects, matrix = sweep(np.random.default_rng(131), (0.5, 1.0, 1.5))
    doubtful = Estimate(0.4, 0.0, 0.3, 0.45, 200, 200, 0.95)
    spread = np.pad(matrix, ((1, 0), (1, 0)))
    found = response([0.5, 1, 2, 3], [doubtful, *effects], spread, 0.0)
    assert found.shape == RISING
    assert found.effects[1] == doubtful
    assert found.band[1] == (0.3, pytest.approx(min(0.45, found.effects[2].high)))
    assert not slope([0.5, 1, 2, 3], [doubtful, *effects], spread, 0.0).sure


def test_without_error_or_value_nothing_is_claimed() -> None:
    nothing = [Estimate(0.0, 0.0, 0.0, 0.0, 40, 10, 0.95)] * 2
    flat = response([1, 2], nothing, np.zeros((2, 2)), 0.0)
    assert flat.shape == UNSHOWN
    assert isnan(flat.p_turn)
    assert slope([1, 2], nothing, np.zeros((2, 2)), 0.0) == Estimate(0.0, 0.0, 0.0, 0.0, 40, 10, 0.95)
    single = means(JointMoments.of_blocks(np.ones((1, 2)), [[1.0, 5.0]]))
    unknown = response([1, 2], single, np.full((2, 2), np.nan), 0.0)
    assert unknown.shape == UNSHOWN
    assert unknown.effects[2].value == 5
    assert not unknown.effects[2].sure
    assert not slope([1, 2], single, np.full((2, 2), np.nan), 0.0).sure


def test_impossible_input_is_refused() -> None:
    effects, matrix = sweep(np.random.default_rng(129), FLAT)
    for doses, base in (((1, 2, 2, 3), 0.0), (DOSES, 3.0)):
        with pytest.raises(ValueError, match="differ"):
            response(doses, effects, matrix, base)
    with pytest.raises(ValueError, match="fit"):
        slope((1, 2), effects, matrix, 0.0)
    with pytest.raises(ValueError, match="fit"):
        slope([], [], np.zeros((0, 0)), 0.0)
