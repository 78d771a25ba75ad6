"""Many levels at once: known truth, another program's answers, odd input."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from simlab.stats.intervals import Estimate, Moments, critical, share
from simlab.stats.joint import JointMoments, covariance, means
from simlab.stats.simultaneous import (
    false_discovery,
    holm,
    p_values,
    selected_intervals,
    simultaneous,
    simultaneous_shares,
    sup_t,
)

Wins = Callable[..., Any]
Misses = Callable[[int, float], float]
FAIR = np.full(4, 0.25)
UNEVEN = np.array([0.32, 0.27, 0.22, 0.19])


def normal(value: float, se: float = 1.0, clusters: int = 10_000) -> Estimate:
    return Estimate(value, se, value - 1.96 * se, value + 1.96 * se, clusters, clusters, 0.95)


def test_simultaneous_intervals_cover_together_and_single_ones_do_not(
    wins: Wins, allowed_misses: Misses
) -> None:
    rng = np.random.default_rng(13)
    together = single = 0
    counts = np.full((100, 4), 4)
    for _ in range(400):
        won = wins(rng, 100, FAIR)
        joint = simultaneous_shares(counts, won)
        alone = [share(Moments.of_blocks(counts[:, k], won[:, k])) for k in range(4)]
        together += any(not e.low <= 0.25 <= e.high for e in joint)
        single += any(not e.low <= 0.25 <= e.high for e in alone)
    assert together <= allowed_misses(400, 0.06)
    assert single > 400 * 0.10


def test_simultaneous_critical_value_lies_between_one_and_bonferroni(wins: Wins) -> None:
    won = wins(np.random.default_rng(3), 4_000, FAIR)
    joint = simultaneous_shares(np.full((4_000, 4), 4), won)[0]
    alone = share(Moments.of_blocks(np.full(4_000, 4), won[:, 0]))
    ratio = (joint.high - joint.low) / (alone.high - alone.low)
    assert 1.1 < ratio < critical(1 - 0.05 / 4, 4_000) / critical(0.95, 4_000)


def test_relabelled_levels_only_change_places(wins: Wins) -> None:
    won = wins(np.random.default_rng(7), 500, UNEVEN)
    counts = np.full((500, 4), 4)
    straight, turned = simultaneous_shares(counts, won), simultaneous_shares(counts, won[:, ::-1])
    for one, other in zip(straight, reversed(turned), strict=True):
        assert one.value == other.value
        assert one.low == pytest.approx(other.low, abs=3e-4)  # the critical value is drawn


def test_shares_of_one_winner_games_add_up_to_one(wins: Wins) -> None:
    won = wins(np.random.default_rng(8), 77, UNEVEN)
    assert sum(e.value for e in simultaneous_shares(np.full((77, 4), 4), won)) * 4 == pytest.approx(4)


def test_a_level_without_rows_leaves_the_others_alone(wins: Wins) -> None:
    won = wins(np.random.default_rng(9), 50, FAIR)
    counts = np.full((50, 4), 4)
    counts[:, 3] = won[:, 3] = 0
    joint = simultaneous_shares(counts, won)
    assert not joint[3].known
    assert joint[0].sure


def test_one_block_has_no_interval() -> None:
    one = simultaneous_shares([[4, 4]], [[1, 3]])[0]
    assert one.value == 0.25
    assert not one.sure


def test_shapes_that_do_not_match_are_refused() -> None:
    with pytest.raises(ValueError, match="one shape"):
        simultaneous_shares([[1]], [[1, 2]])
    with pytest.raises(ValueError, match="square"):
        sup_t([[1, 2]], 10)
    with pytest.raises(ValueError, match="fit"):
        simultaneous([normal(0)], np.eye(2))
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, 1.5])


@pytest.mark.parametrize("k", [1, 3, 10])
def test_critical_value_of_independent_levels_is_sidaks(k: int) -> None:
    each = 0.95 ** (1 / k)
    assert sup_t(np.eye(k), 10**6) == pytest.approx(critical(each, 10**6), abs=0.03)


def test_levels_that_agree_or_are_opposite_count_once() -> None:
    agree, opposite = np.ones((3, 3)), np.array([[4.0, -4], [-4, 4]])
    for matrix in (agree, opposite):
        assert sup_t(matrix, 21) == pytest.approx(critical(0.95, 21), abs=0.04)


def test_critical_value_of_dependent_levels_as_scipy_integrates_it() -> None:
    from scipy.stats import multivariate_normal

    matrix = np.full((3, 3), 0.6) + 0.4 * np.eye(3)
    q = sup_t(matrix, 10**6)
    inside = multivariate_normal(np.zeros(3), matrix).cdf(np.full(3, q), lower_limit=np.full(3, -q))
    assert inside == pytest.approx(0.95, abs=0.005)


def test_same_seed_same_value_and_levels_without_variance_do_not_count() -> None:
    matrix = np.diag([1.0, 4.0])
    assert sup_t(matrix, 50) == sup_t(matrix, 50)
    assert sup_t(matrix, 50) != sup_t(matrix, 50, seed=1)
    assert sup_t(np.diag([1.0, 4.0, 0.0, nan]), 50) == sup_t(matrix, 50)
    assert isnan(sup_t(np.zeros((2, 2)), 50))
    assert isnan(sup_t(matrix, 1))


def test_joint_means_are_the_single_ones_and_their_covariance_has_their_errors(wins: Wins) -> None:
    won = wins(np.random.default_rng(41), 300, UNEVEN, luck=0.4)
    counts = np.full((300, 4), 4)
    counts[:50, 3] = won[:50, 3] = 0  # a level that some blocks lack
    joint = JointMoments.of_blocks(counts, won)
    matrix, single = covariance(joint), means(joint)
    assert np.sqrt(matrix.diagonal()) == pytest.approx([e.se for e in single], rel=1e-9)
    residual = won - counts * np.array([e.value for e in single])
    rows, held = counts.sum(axis=0), (counts > 0).sum(axis=0)
    scale = np.sqrt(held / (held - 1)) / rows
    assert matrix == pytest.approx(residual.T @ residual * np.outer(scale, scale), rel=1e-9)


def test_shares_of_one_winner_games_have_a_covariance_that_cancels(wins: Wins) -> None:
    won = wins(np.random.default_rng(42), 300, UNEVEN)
    matrix = covariance(JointMoments.of_blocks(np.full((300, 4), 4), won))
    assert matrix.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-15)


def test_joint_sums_of_a_database_are_the_same_and_others_are_refused(wins: Wins) -> None:
    won = wins(np.random.default_rng(43), 60, UNEVEN)
    ours = JointMoments.of_blocks(np.full((60, 4), 4), won)
    theirs = JointMoments.of_sums(60, ours.levels, ours.nn, ours.nt, ours.tt)
    assert (covariance(theirs) == covariance(ours)).all()
    with pytest.raises(ValueError, match="diagonal of tt"):
        JointMoments.of_sums(60, ours.levels, ours.nn, ours.nt, ours.tt + np.eye(4))
    with pytest.raises(ValueError, match="4 by 4"):
        JointMoments.of_sums(60, ours.levels, ours.nn[:3], ours.nt, ours.tt)


def test_intervals_from_a_covariance_cover_together_and_widen_with_the_family(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(44)
    root = np.array([[1.0, 0, 0], [0.7, 0.6, 0], [-0.5, 0.3, 1.2]])
    missed = 0
    for _ in range(250):
        block = rng.normal(size=(60, 3)) @ root.T
        joint = JointMoments.of_blocks(np.ones((60, 3)), block)
        together = simultaneous(means(joint), covariance(joint))
        missed += any(not e.low <= 0 <= e.high for e in together)
    assert missed <= allowed_misses(250, 0.06)
    assert missed >= 250 * 0.01


def test_estimates_without_spread_or_interval_keep_what_they_have() -> None:
    exact, unknown = Estimate(0, 0, 0, 0, 9, 9, 0.95), Estimate(nan, nan, nan, nan, 0, 0, 0.95)
    kept = simultaneous([normal(1.0), exact, unknown], np.diag([1.0, 0.0, nan]))
    assert kept[1] == exact
    assert kept[2] is unknown
    assert kept[0].high == pytest.approx(1 + 1.96, abs=0.03)


def test_adjusted_p_as_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(45).random(30) ** 3
    for ours, method in (
        (holm(p), "holm"),
        (false_discovery(p), "fdr_bh"),
        (false_discovery(p, any_dependence=True), "fdr_by"),
    ):
        assert ours == pytest.approx(multitest.multipletests(p, method=method)[1], rel=1e-12)


def test_adjusted_p_leaves_out_what_is_not_known() -> None:
    p = np.array([0.01, nan, 0.04])
    for adjust in (holm, false_discovery):
        adjusted = adjust(p)
        assert isnan(adjusted[1])
        assert adjusted[[0, 2]] == pytest.approx(adjust(p[[0, 2]]))
        assert len(adjust([])) == 0
        assert np.isnan(adjust([nan, nan])).all()


def test_p_values_are_those_of_student_and_unknown_without_spread() -> None:
    from scipy import stats as scipy_stats

    x = np.random.default_rng(46).normal(0.3, 1, 40)
    estimate = means(JointMoments.of_blocks(np.ones((40, 1)), x[:, None]))[0]
    assert p_values([estimate], [0.0])[0] == pytest.approx(scipy_stats.ttest_1samp(x, 0).pvalue, rel=1e-9)
    exact = Estimate(0, 0, 0, 0, 9, 9, 0.95)
    few = share(Moments.of_blocks([4, 4], [4, 4]))
    assert p_values([exact], [0.0])[0] == 1
    assert np.isnan(p_values([exact, few, share(Moments.of_blocks([4], [1]))], [0.1, 0.25, 0.25])).all()


def test_without_any_effect_holm_and_benjamini_hochberg_claim_one_as_rarely_as_they_say(
    allowed_misses: Misses,
) -> None:
    rng = np.random.default_rng(47)
    claimed = plain = 0
    for _ in range(1_000):
        p = rng.random(20)
        claimed += bool((holm(p) <= 0.05).any()) or bool((false_discovery(p) <= 0.05).any())
        plain += bool((p <= 0.05).any())
    assert claimed <= allowed_misses(1_000, 0.05)
    assert plain > 500  # negative control


def test_share_of_wrong_claims_among_those_made(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(48)
    wrong, found, plain_wrong = [], 0, []
    truth = np.r_[np.full(8, 3.0), np.zeros(32)]
    for _ in range(500):
        p = p_values([normal(x) for x in truth + rng.normal(size=40)], [0.0] * 40)
        claims = false_discovery(p) <= 0.1
        wrong.append(claims[8:].sum() / max(1, claims.sum()))
        found += int(claims[:8].sum())
        plain_wrong.append((p[8:] <= 0.1).sum() / max(1, (p <= 0.1).sum()))
    assert np.mean(wrong) <= allowed_misses(500, 0.1) / 500
    assert found > 0.5 * 8 * 500
    assert np.mean(plain_wrong) > 0.2  # negative control


def test_of_the_intervals_shown_after_choosing_few_miss_and_plain_ones_miss_often(
    allowed_misses: Misses,
) -> None:
    rng = np.random.default_rng(49)
    shown = missed = plain = 0
    truth = np.zeros(30)
    for _ in range(600):
        estimates = [normal(x) for x in rng.normal(size=30)]
        best = [abs(e.value) > 1.5 for e in estimates]
        for e in selected_intervals(estimates, best):
            missed += not e.low <= truth[0] <= e.high
        plain += sum(take and not e.low <= 0 <= e.high for e, take in zip(estimates, best, strict=True))
        shown += sum(best)
    assert missed <= allowed_misses(shown, 0.05)
    assert plain > 0.3 * shown
    assert selected_intervals([], []) == ()
