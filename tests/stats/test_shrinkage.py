"""Shrinkage: known truth, published data, another program's answers, odd input."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from scipy.integrate import quad

from simlab.stats.intervals import Estimate
from simlab.stats.shrinkage import paule_mandel, shrink

# Eight schools: Rubin 1981; the between-school variance is estimated as 0 (Gelman et al., "Bayesian Data
# Analysis", ch. 5), the pooled mean as 7.7 with standard error 4.1.
SCHOOLS = ([28, 8, -3, 7, -1, 1, 18, 12], [15, 10, 16, 11, 9, 11, 10, 18])


def estimates(values: object, errors: object) -> list[Estimate]:
    pairs = zip(np.asarray(values).tolist(), np.asarray(errors).tolist(), strict=True)
    return [Estimate(x, s, x - 1.96 * s, x + 1.96 * s, 100, 25, 0.95) for x, s in pairs]


def test_eight_schools() -> None:
    found = shrink(estimates(*SCHOOLS))
    assert found.tau == 0
    assert found.centre == pytest.approx(7.69, abs=0.01)
    assert [e.value for e in found.estimates] == pytest.approx([found.centre] * 8)
    # Drawn together entirely, yet no school is as sure as the pooled mean: τ may well not be 0.
    assert all(4.1 < e.se < s for e, s in zip(found.estimates, SCHOOLS[1], strict=True))


@pytest.mark.parametrize("tau", [0.0, 0.01, 0.05])
def test_variance_between_as_statsmodels(tau: float) -> None:
    meta = pytest.importorskip("statsmodels.stats.meta_analysis")
    rng = np.random.default_rng(51)
    variance = rng.uniform(0.01, 0.03, 15) ** 2
    x = rng.normal(0.02, np.sqrt(variance + tau**2))
    theirs = meta.combine_effects(x, variance, method_re="iterated")
    assert paule_mandel(x, variance) == pytest.approx(theirs.tau2, rel=1e-4, abs=1e-9)


def test_with_equal_errors_everything_is_known_in_closed_form() -> None:
    x, s = np.array([-3.0, -1, 1, 3, 5]), 1.0
    found = shrink(estimates(x, np.full(5, s)))
    tau2 = x.var(ddof=1) - s**2
    assert found.centre == pytest.approx(1)
    assert found.tau**2 == pytest.approx(tau2)
    assert found.kept == pytest.approx([tau2 / (tau2 + s**2)] * 5)
    assert [e.value for e in found.estimates] == pytest.approx(1 + (x - 1) * found.kept[0])
    around = shrink(estimates(x, np.full(5, s)), centre=0.0)
    assert around.tau**2 == pytest.approx((x**2).mean() - s**2)


def test_error_is_the_integral_over_all_that_the_spread_may_be() -> None:
    """Around a known centre, by scipy's integration over τ² instead of ours over τ."""
    x, s = np.array([0.5, -1.0, 2.0, 0.1, 1.2, -0.4]), np.array([0.8, 1.0, 0.6, 1.1, 0.9, 0.7])
    found = shrink(estimates(x, s), centre=0.0).estimates

    def likelihood(tau2: float) -> float:
        total = s**2 + tau2
        return float(np.exp(-0.5 * (np.log(total) + x**2 / total).sum()))

    def wrong(tau2: float) -> float:
        kept = tau2 / (tau2 + s[2] ** 2)
        return likelihood(tau2) * float(s[2] ** 2 * kept + (kept * x[2] - found[2].value) ** 2)

    expected = quad(wrong, 0, np.inf)[0] / quad(likelihood, 0, np.inf)[0]
    assert found[2].se == pytest.approx(np.sqrt(expected), rel=1e-3)


@pytest.mark.parametrize(("levels", "tau"), [(6, 0.02), (30, 0.0), (60, 0.01)])
def test_shrunken_intervals_cover_and_their_values_are_nearer(levels: int, tau: float) -> None:
    rng = np.random.default_rng(52)
    missed, naive = [], []
    better = worse = 0.0
    for _ in range(200):
        se = rng.uniform(0.01, 0.03, levels)
        truth = rng.normal(0.01, tau, levels)
        raw = truth + se * rng.normal(size=levels)
        found = shrink(estimates(raw, se))
        off = np.abs([e.value - t for e, t in zip(found.estimates, truth, strict=True)])
        missed.append(np.mean(off > 1.96 * np.array([e.se for e in found.estimates])))
        naive.append(np.mean(off > 1.96 * se * np.sqrt(found.kept)))
        better += float((off**2).sum())
        worse += float(((raw - truth) ** 2).sum())
    # Levels of one repetition share τ, so repetitions are what is independent.
    assert np.mean(missed) <= 0.06 + 3.1 * np.std(missed) / np.sqrt(200)
    assert np.mean(naive) > 0.09  # negative control: τ taken as if it were known
    assert better < 0.8 * worse


def test_the_best_of_many_is_no_longer_overstated() -> None:
    rng = np.random.default_rng(53)
    raw_bias, bias = [], []
    for _ in range(200):
        truth = rng.normal(0, 0.01, 60)
        raw = truth + 0.02 * rng.normal(size=60)
        best = int(raw.argmax())
        raw_bias.append(raw[best] - truth[best])
        bias.append(shrink(estimates(raw, np.full(60, 0.02)), 0.0).estimates[best].value - truth[best])
    error = 3.1 * np.std(bias) / np.sqrt(200)
    assert abs(np.mean(bias)) < 0.002 + error
    assert np.mean(raw_bias) > 0.03


def test_relabelled_levels_only_change_places_and_a_shift_moves_everything() -> None:
    straight = shrink(estimates(*SCHOOLS))
    turned = shrink(estimates(SCHOOLS[0][::-1], SCHOOLS[1][::-1]))
    moved = shrink(estimates(np.array(SCHOOLS[0]) + 100, SCHOOLS[1]))
    for one, other, further in zip(
        straight.estimates, reversed(turned.estimates), moved.estimates, strict=True
    ):
        assert (one.value, one.se) == pytest.approx((other.value, other.se))
        assert (one.value + 100, one.se) == pytest.approx((further.value, further.se))


def test_too_few_levels_say_nothing_and_levels_without_an_error_stand_aside() -> None:
    few = shrink(estimates([1, 2, 3], [1, 1, 1]))
    assert isnan(few.tau)
    assert all(isnan(e.value) for e in few.estimates)
    assert not isnan(shrink(estimates([1, 2, 3], [1, 1, 1]), centre=0.0).tau)
    unknown = Estimate(nan, nan, nan, nan, 0, 0, 0.95)
    exact = Estimate(0.5, 0, 0.5, 0.5, 9, 9, 0.95)
    some = shrink([*estimates(*SCHOOLS), unknown, exact])
    assert some.estimates[:8] == shrink(estimates(*SCHOOLS)).estimates
    assert isnan(some.estimates[8].value)
    assert (some.estimates[9].value, some.estimates[9].se) == (0.5, 0)
    assert shrink([]).estimates == ()
