"""Paired effects: known truth, sums of a database, placebo arms, odd input."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan, nan, sqrt
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats as scipy_stats

from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED, verdicts
from simlab.stats.intervals import Moments, mean, rows_for
from simlab.stats.joint import JointMoments, covariance, means
from simlab.stats.paired import Effect, PairedMoments, as_paired_moments, effect
from simlab.stats.simultaneous import simultaneous

Misses = Callable[[int, float], float]
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
BAND = 0.02


def twins(rng: np.random.Generator, blocks: int, gain: float = 0.0, flips: float = 0.1) -> Arrays:
    """Four games a block, twice: pairs, wins under the base, under the arm, pairs that diverged.

    A game takes another course with probability `flips`; then who wins is drawn anew, with `gain`/`flips`
    more for the arm: the effect is `gain`. Half of the blocks are luckier than the others.
    """
    luck = np.repeat(np.where(rng.random(blocks) < 0.5, 0.35, 0.15), 4).reshape(blocks, 4)
    base = rng.random((blocks, 4)) < luck
    other = rng.random((blocks, 4)) < flips
    arm = np.where(other, rng.random((blocks, 4)) < luck + gain / flips, base)
    return np.full(blocks, 4), base.sum(axis=1), arm.sum(axis=1), other.sum(axis=1)


def of(*arrays: Any, **more: float) -> Effect:
    return effect(PairedMoments.of_blocks(*arrays), **more)


def test_effect_is_the_paired_t_test_where_a_block_is_a_game() -> None:
    rng = np.random.default_rng(61)
    a = rng.normal(50, 10, 200)
    b = a + rng.normal(1, 3, 200)
    ours = of(np.ones(200), a, b, np.ones(200))
    theirs = scipy_stats.ttest_rel(b, a)
    interval = theirs.confidence_interval()
    assert ours.difference.value == pytest.approx((b - a).mean())
    assert (ours.difference.low, ours.difference.high) == pytest.approx((interval.low, interval.high))
    assert ours.correlation == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert ours.reduction == pytest.approx((a.var() + b.var()) / (b - a).var())
    assert (ours.base.value, ours.arm.value) == pytest.approx((a.mean(), b.mean()))
    assert ours.arm.se == pytest.approx(scipy_stats.sem(b))


def test_effect_as_clustered_least_squares() -> None:
    sm = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(62)
    n, a, b, v = twins(rng, 80, gain=0.02)
    n = n + 1  # one more pair a block, lost by both
    ours = of(n, a, b, v).difference
    block = np.repeat(np.arange(80), n)
    difference = np.repeat((b - a) / n, n)
    fit = sm.OLS(difference, np.ones(len(block))).fit(
        cov_type="cluster", cov_kwds={"groups": block, "use_correction": True}, use_t=True
    )
    assert ours.value == pytest.approx(fit.params[0])
    assert ours.se == pytest.approx(fit.bse[0], rel=1e-9)


def test_interval_covers_and_is_as_much_narrower_as_the_reduction_says(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(63)
    missed = 0
    values, unpaired, reductions = [], [], []
    for _ in range(1_000):
        n, a, b, v = twins(rng, 200, gain=0.03)
        found = of(n, a, b, v)
        missed += not found.difference.low <= 0.03 <= found.difference.high
        values.append(found.difference.value)
        reductions.append(found.reduction)
        unpaired.append(found.base.se**2 + found.arm.se**2)
    assert missed <= allowed_misses(1_000, 0.06)
    assert missed >= 1_000 * 0.03
    # How much the estimates really scatter; 4.5 % is the error of a variance from 1,000 values.
    assert np.mean(unpaired) / np.var(values) == pytest.approx(np.mean(reductions), rel=3.1 * 0.045 + 0.03)
    assert np.mean(reductions) > 4


def test_taking_pairs_for_independent_runs_wastes_what_pairing_gave() -> None:
    """Negative control: arms on other blocks have the error that the reduction promises to save."""
    rng = np.random.default_rng(64)
    n, a, b, v = twins(rng, 20_000, gain=0.03)
    found, mixed = of(n, a, b, v), of(n, a, np.roll(b, 1), n)
    assert mixed.difference.value == pytest.approx(found.difference.value)
    assert mixed.reduction == pytest.approx(1, abs=0.03)
    assert mixed.correlation == pytest.approx(0, abs=0.03)
    assert (mixed.difference.se / found.difference.se) ** 2 == pytest.approx(found.reduction, rel=0.05)


def test_flips_predict_the_reduction() -> None:
    """2p(1 − p) / (d − δ²) with d the share of games that another won, where every block is one game."""
    rng = np.random.default_rng(65)
    base = rng.random(40_000) < 0.25
    arm = np.where(rng.random(40_000) < 0.1, rng.random(40_000) < 0.3, base)
    found = of(np.ones(40_000), base, arm, base != arm)
    flipped, gain = found.diverged.value, found.difference.value
    assert flipped == pytest.approx((base != arm).mean())
    assert found.reduction == pytest.approx(2 * 0.25 * 0.75 / (flipped - gain**2), rel=0.05)


def test_placebo_changes_exactly_nothing_and_says_so() -> None:
    n, a, *_ = twins(np.random.default_rng(66), 300)
    found = of(n, a, a, np.zeros(300))
    assert found.identical
    assert (found.difference.value, found.difference.se) == (0, 0)
    assert (found.difference.low, found.difference.high) == (0, 0)
    assert (found.correlation, found.reduction) == (1, inf)
    assert found.diverged.value == 0
    assert 0.01 < found.diverged_blocks.high < 0.02  # 300 blocks can't exclude one in a hundred
    assert verdicts([found.difference], [0.0], BAND)[0].kind == BALANCED


def test_another_course_with_the_same_result_is_not_certain() -> None:
    n, a, *_ = twins(np.random.default_rng(67), 300)
    found = of(n, a, a, n)
    assert not found.identical
    assert found.difference.value == 0
    assert not found.difference.sure
    bounded = of(n, a, a, n, reach=1.0).difference
    assert -0.02 < bounded.low < 0 < bounded.high < 0.02
    few = of(n[:5], a[:5], a[:5], n[:5], reach=1.0).difference
    assert verdicts([few], [0.0], BAND)[0].kind == UNDECIDED
    assert verdicts([few], [0.0], BAND)[0].more > len(n)  # not "one more would settle it"


def test_the_same_gain_in_every_block_is_not_certain_either() -> None:
    won = np.full(50, 4)
    found = of(won, 0 * won, won, won)
    assert found.difference.value == 1
    assert not found.difference.sure
    bounded = of(won, 0 * won, won, won, reach=1.0).difference
    assert 0.8 < bounded.low < 1 <= bounded.high + 1e-12
    assert isnan(found.correlation)  # neither arm spreads
    assert isnan(found.reduction)


def test_few_changes_in_many_games_keep_their_error() -> None:
    """Sums of the difference, not a small remainder of large sums."""
    base = np.full(250_000, 1e9)
    arm = base.copy()
    arm[:50] += 1
    found = of(np.full(250_000, 4), base, arm, (arm != base) * 4)
    assert found.difference.value == pytest.approx(50 / 1e6)
    assert found.difference.se == pytest.approx(sqrt(50) / 1e6, rel=0.01)


def test_arm_and_base_change_places_with_the_sign() -> None:
    n, a, b, v = twins(np.random.default_rng(68), 400, gain=0.05)
    there, back = of(n, a, b, v), of(n, b, a, v)
    assert there.difference.value == -back.difference.value
    assert there.difference.low == pytest.approx(-back.difference.high)
    assert there.correlation == pytest.approx(back.correlation)
    assert there.base == back.arm


def test_order_of_blocks_does_not_matter_and_twice_the_blocks_halve_the_variance() -> None:
    rng = np.random.default_rng(69)
    arrays = twins(rng, 400, gain=0.05)
    order = rng.permutation(400)
    assert of(*(x[order] for x in arrays)) == of(*arrays)
    once, twice = of(*arrays), of(*(np.r_[x, x] for x in arrays))
    assert twice.difference.value == once.difference.value
    assert twice.difference.se**2 == pytest.approx(once.difference.se**2 / 2, rel=5e-3)
    assert twice.reduction == pytest.approx(once.reduction)


def test_sums_of_a_database_are_enough() -> None:
    n, a, b, v = twins(np.random.default_rng(70), 500, gain=0.05)
    pairs = {"n": n, "a": a, "d": b - a, "v": v}  # noqa: F841 – DuckDB reads it by its name
    (row,) = duckdb.sql("""
        select count(*), sum(n), sum(n * n), sum(a), sum(n * a), sum(a * a), sum(d), sum(n * d), sum(d * d),
               sum(v), sum(n * v), sum(v * v), sum(a * d), count_if(d <> 0), count_if(v > 0)
        from pairs
    """).fetchall()
    assert as_paired_moments(row) == PairedMoments.of_blocks(n, a, b, v)
    nothing = effect(as_paired_moments((0, *(None,) * 14)))
    assert isnan(nothing.difference.value)
    assert not nothing.identical


def test_levels_that_share_blocks_are_judged_together(allowed_misses: Misses) -> None:
    """Factions of one game: what one gains the others lose, so three intervals are nearly two."""
    rng = np.random.default_rng(71)
    missed = 0
    for _ in range(200):
        shift = rng.multinomial(4, [0.3, 0.4, 0.3], size=150) - rng.multinomial(4, [0.3, 0.4, 0.3], size=150)
        joint = JointMoments.of_blocks(np.full((150, 3), 4), shift)
        single = means(joint)
        together = simultaneous(single, covariance(joint))
        missed += any(not e.low <= 0 <= e.high for e in together)
    assert covariance(joint).sum() == pytest.approx(0, abs=1e-15)
    assert missed <= allowed_misses(200, 0.06)


def test_games_for_a_half_width_and_for_a_verdict() -> None:
    rng = np.random.default_rng(72)
    found = of(*twins(rng, 50, gain=0.005, flips=0.2)).difference
    verdict = verdicts([found], [0.0], BAND)[0]
    assert verdict.kind == UNDECIDED
    blocks = int((found.n + verdict.more) / 4)
    settled = [
        verdicts([of(*twins(rng, blocks, gain=found.value, flips=0.2)).difference], [0.0], BAND)[0].kind
        != UNDECIDED
        for _ in range(100)
    ]
    assert np.mean(settled) > 0.6  # promised: four in five, from an error that was itself estimated
    wanted = int(rows_for(found, 0.005) / 4)
    wide = of(*twins(rng, wanted, gain=0.005, flips=0.2)).difference
    assert (wide.high - wide.low) / 2 == pytest.approx(0.005, rel=0.2)


def test_a_large_effect_is_found_and_none_is_shown_to_be_none() -> None:
    rng = np.random.default_rng(73)
    large, none = (of(*twins(rng, 2_000, gain=g)).difference for g in (0.05, 0.0))
    assert [v.kind for v in verdicts([large, none], [0.0, 0.0], BAND)] == [UNBALANCED, BALANCED]


def test_one_block_and_no_block() -> None:
    one = of([4], [1], [2], [3])
    assert one.difference.value == 0.25
    assert not one.difference.sure
    assert isnan(one.reduction)
    assert not of([4], [1], [1], [0]).difference.sure  # one block alike is no proof
    none = of([], [], [], [])
    assert isnan(none.difference.value)
    assert isnan(none.diverged.value)
    assert not none.identical
    assert of([0, 4, 4], [0, 1, 2], [0, 3, 2], [0, 1, 0]) == of([4, 4], [1, 2], [3, 2], [1, 0])


@pytest.mark.parametrize("blocks", [2, 5, 29, 30, 500])
def test_an_arm_that_never_bites_is_exactly_nothing_however_few_the_blocks(blocks: int) -> None:
    same = list(range(blocks))
    for reach in (nan, 1.0):
        found = effect(PairedMoments.of_blocks([1_000] * blocks, same, same, [0] * blocks), reach=reach)
        assert found.identical
        assert (found.difference.value, found.difference.se) == (0, 0)
        assert (found.difference.low, found.difference.high) == (0, 0)


def test_few_blocks_that_differ_alike_have_an_interval_only_where_something_bounds_it() -> None:
    alike = PairedMoments.of_blocks([4] * 5, [1, 2, 0, 3, 1], [2, 3, 1, 4, 2], [1] * 5)
    assert not effect(alike).difference.sure
    bounded = effect(alike, reach=1.0).difference
    assert bounded.value == 0.25
    assert bounded.low < 0 < 0.25 < bounded.high


def test_arms_mean_is_that_of_its_own_rows() -> None:
    n, a, b, v = twins(np.random.default_rng(74), 90, gain=0.05)
    assert of(n, a, b, v).arm == mean(Moments.of_blocks(n, b))


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="took another course"):
        of([4, 4], [1, 1], [2, 1], [0, 0])
    with pytest.raises(ValueError, match="more pairs that diverged than pairs"):
        of([4], [1], [1], [5])
    with pytest.raises(ValueError, match="one length"):
        of([4, 4], [1], [1], [1])
