"""Confidence sequences: closed forms, misses under peeking, stopping, odd input."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, log, nan, sqrt

import numpy as np
import pytest

from simlab.stats.differences import against_rest
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED
from simlab.stats.intervals import Estimate, Moments, mean, wilson
from simlab.stats.sequential import (
    decided,
    difference_sequence,
    effect_sequence,
    further_rows,
    horizon_for,
    mean_sequence,
    proportion_sequence,
    share_sequence,
)

Misses = Callable[[int, float], float]
STREAMS = 300
LOOKS = np.unique(np.geomspace(60, 3_000, 40).astype(int))


def running(values: np.ndarray) -> list[Moments]:
    """The moments of blocks of four rows at each look."""
    first, second = np.cumsum(values), np.cumsum(values**2)
    return [
        Moments(k, 4 * k, float(first[k - 1]), 16.0 * k, 4 * float(first[k - 1]), float(second[k - 1]))
        for k in LOOKS.tolist()
    ]


def missed(estimate: Estimate, truth: float) -> bool:
    return not estimate.low <= truth <= estimate.high


@pytest.mark.parametrize("expected", [0.25, 0.5])
def test_one_row_in_closed_form(expected: float) -> None:
    """The mixture gives a success `expected`: p is excluded where expected / p ≥ 1/α."""
    won, lost = (proportion_sequence(s, 1, horizon=1_000, expected=expected) for s in (1, 0))
    assert (won.low, won.high) == pytest.approx((0.05 * expected, 1))
    assert (lost.low, lost.high) == pytest.approx((0, 1 - 0.05 * (1 - expected)))


def test_mean_sequence_by_hand() -> None:
    found = mean_sequence(Moments.of_blocks([1, 1, 1, 1], [1, 2, 3, 4]), horizon=8)
    rho2 = (-2 * log(0.05) + log(1 - 2 * log(0.05))) / 8
    sd = np.std([1, 2, 3, 4], ddof=1)
    room = sd * sqrt(2 * (4 * rho2 + 1) / (16 * rho2) * log(sqrt(4 * rho2 + 1) / 0.05))
    assert (found.low, found.high) == pytest.approx((2.5 - room, 2.5 + room))


def test_looked_at_often_a_plain_interval_of_block_means_misses_and_a_sequence_does_not(
    allowed_misses: Misses,
) -> None:
    rng = np.random.default_rng(141)
    sequence = plain = 0
    for _ in range(STREAMS):
        luck = np.where(rng.random(3_000) < 0.5, 0.4, 0.1)  # rows of a block depend on each other
        looks = running(rng.binomial(4, luck).astype(float))
        sequence += any(missed(mean_sequence(m, 3_000), 0.25) for m in looks)
        plain += any(missed(mean(m), 0.25) for m in looks)
    assert sequence <= allowed_misses(STREAMS, 0.05)
    assert plain > 0.2 * STREAMS  # negative control


def test_looked_at_often_paired_differences_hold(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(142)
    sequence = plain = 0
    for _ in range(STREAMS):
        looks = running(rng.choice([-1.0, 0, 0, 0, 0, 0, 0, 0, 0, 1.0], 3_000))
        sequence += any(missed(mean_sequence(m, 3_000), 0.0) for m in looks)
        plain += any(missed(mean(m), 0.0) for m in looks)
    assert sequence <= allowed_misses(STREAMS, 0.05)
    assert plain > 0.2 * STREAMS


def test_looked_at_after_every_row_a_proportion_holds_from_the_first_on(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(143)
    looks = np.unique(np.geomspace(1, 2_000, 30).astype(int)).tolist()
    sequence = plain = 0
    for _ in range(100):
        won = np.cumsum(rng.random(2_000) < 0.25)
        counts = [(int(won[k - 1]), k) for k in looks]
        sequence += any(missed(proportion_sequence(s, k, 2_000, 0.25), 0.25) for s, k in counts)
        plain += any(missed(wilson(s, k), 0.25) for s, k in counts)
    assert sequence <= allowed_misses(100, 0.05)
    assert plain > 0.2 * 100


def test_price_of_peeking_is_about_half_as_much_width_again() -> None:
    """At the planned end; measured widths for a share of 1/4: 1.4 to 1.6 times the plain interval's."""
    plain = wilson(5_000, 20_000)
    exact = proportion_sequence(5_000, 20_000, 20_000, 0.25)
    blocks = np.tile([1.0, 0, 0, 0], 5_000)
    asymptotic = mean_sequence(Moments.of_blocks(np.ones(20_000), blocks), 20_000)
    for found in (exact, asymptotic):
        assert 1.4 < (found.high - found.low) / (plain.high - plain.low) < 1.65


def test_narrowest_near_the_horizon() -> None:
    blocks = Moments.of_blocks(np.ones(10_000), np.tile([1.0, 0, 0, 0], 2_500))
    found = {h: mean_sequence(blocks, h) for h in (100, 10_000, 1_000_000)}
    # A share that is some points off what was expected, as one that matters is.
    exact = {h: proportion_sequence(2_900, 10_000, h, 0.25) for h in found}
    for held in (found, exact):
        width = {h: e.high - e.low for h, e in held.items()}
        assert width[10_000] < min(width[100], width[1_000_000])


def test_stopping_at_the_first_look_that_decides_is_seldom_wrong(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(144)
    wrong = stopped = 0
    for _ in range(200):
        looks = running(rng.binomial(4, 0.27, 3_000).astype(float))  # on the edge of the band
        answers = [decided(mean_sequence(m, 1_000), 0.25, 0.02) for m in looks]
        wrong += any(a != UNDECIDED for a in answers)
        far = running(rng.binomial(4, 0.35, 3_000).astype(float))
        stopped += UNBALANCED in [decided(mean_sequence(m, 1_000), 0.25, 0.02) for m in far]
    assert wrong <= allowed_misses(200, 0.05)
    assert stopped == 200


@pytest.mark.parametrize("truth", [0.25, 0.03, 0.01, 0.0])
def test_looked_at_often_a_share_holds_be_it_ever_so_small(truth: float, allowed_misses: Misses) -> None:
    """Three deals in ten are won by the same level from every seat, so that there are few events early on."""
    rng = np.random.default_rng(145)
    share = plain = 0
    for _ in range(STREAMS):
        decided_by_deal = rng.random(3_000) < 0.3
        won = (
            np.where(decided_by_deal, 4 * rng.binomial(1, truth, 3_000), rng.binomial(4, truth, 3_000)) * 1.0
        )
        looks = running(won)
        share += any(missed(share_sequence(m, 300, 0.99), truth) for m in looks)
        plain += any(missed(mean_sequence(m, 300, 0.99), truth) for m in looks)
    assert share <= allowed_misses(STREAMS, 0.01)
    if truth == 0.03:
        assert plain > allowed_misses(STREAMS, 0.01)  # negative control: by the measured spread alone


def test_looked_at_often_a_difference_holds_though_few_blocks_differ(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(146)
    for often in (0.3, 0.02, 0.002):  # blocks that differ: two thirds of them by +1, the others by -1
        missed_ = 0
        for _ in range(STREAMS):
            values = rng.choice([0, 1.0, -1.0], 3_000, p=[1 - often, often * 2 / 3, often / 3])
            changed = np.cumsum(values != 0)[LOOKS - 1].tolist()
            looks = zip(running(values), changed, strict=True)
            missed_ += any(missed(difference_sequence(m, c, 1_000), often / 12) for m, c in looks)
        assert missed_ <= allowed_misses(STREAMS, 0.05), often


def test_looked_at_often_a_difference_that_nothing_bounds_holds(allowed_misses: Misses) -> None:
    """Amounts, such as Supplies: no interval at all while few blocks differ, so a rare one can't mislead."""
    rng = np.random.default_rng(147)
    for often in (0.5, 0.02):
        missed_ = told = 0
        for _ in range(STREAMS):
            values = rng.poisson(3, 3_000) * (rng.random(3_000) < often)
            changed = np.cumsum(values != 0)[LOOKS - 1].tolist()
            looks = [
                difference_sequence(m, c, 1_000, reach=nan)
                for m, c in zip(running(values), changed, strict=True)
            ]
            missed_ += any(missed(each, 3 * often / 4) for each in looks if each.sure)
            told += looks[-1].sure
        assert missed_ <= allowed_misses(STREAMS, 0.05), often
        assert told > 0.9 * STREAMS
    few = difference_sequence(Moments.of_blocks(np.ones(400), np.arange(400) < 29), 29, 1_000, reach=nan)
    assert not few.sure
    alike = difference_sequence(Moments.of_blocks(np.ones(400), np.ones(400)), 400, 1_000, reach=nan)
    assert not alike.sure


def test_looked_at_often_a_difference_of_two_means_holds_and_an_interval_for_one_look_does_not(
    allowed_misses: Misses,
) -> None:
    """Two groups of seats that share deals, as those do who were dealt a Feat and those who weren't."""
    rng, fixed, missed_ = np.random.default_rng(148), 0, 0
    for _ in range(STREAMS):
        deal = rng.normal(0, 1, 3_000)
        own, rest = (deal + rng.normal(gain, 1, 3_000) for gain in (0.3, 0.0))
        some = (rng.random(3_000) < 0.3).astype(float)
        looks = []
        for end in LOOKS[::3]:
            counts = some[:end, None], np.ones((end, 1))
            totals = (some * own)[:end, None], rest[:end, None]
            looks.append(against_rest(counts[0], totals[0], counts[1], totals[1])[0][0])
        fixed += any(missed(each, 0.3) for each in looks)
        held = [effect_sequence(each, 500) for each in looks]
        assert held[-1].sure
        missed_ += any(missed(each, 0.3) for each in held if each.sure)  # from 30 blocks on
    assert missed_ <= allowed_misses(STREAMS, 0.05)
    assert fixed > allowed_misses(STREAMS, 0.05)  # negative control
    few = against_rest(np.ones((29, 1)), own[:29, None], np.ones((29, 1)), rest[:29, None])[0][0]
    assert few.sure
    assert not effect_sequence(few, 500).sure


def test_few_blocks_that_differ_bound_a_difference() -> None:
    nothing = Moments.of_blocks(np.full(400, 4), np.zeros(400))
    none = difference_sequence(nothing, 0, 1_000)
    bound = proportion_sequence(0, 400, 1, level=0.995).high
    assert (none.value, none.low, none.high, none.level) == (0, -bound, bound, 0.95)
    assert bound < 0.025
    wider = difference_sequence(nothing, 0, 1_000, reach=2.0)
    assert wider.high == pytest.approx(2 * bound)
    always = difference_sequence(Moments.of_blocks(np.full(400, 4), np.full(400, 4.0)), 400, 1_000)
    assert always.high == 1
    assert 0.95 < always.low < 1
    with pytest.raises(ValueError, match="5 of 4 blocks"):
        difference_sequence(Moments.of_blocks(np.ones(4), np.zeros(4)), 5, 10)


def test_a_share_without_spread_has_an_interval_and_stays_within_its_bounds() -> None:
    lost = share_sequence(Moments.of_blocks(np.full(400, 4), np.zeros(400)), 1_000)
    assert lost.low == 0
    assert 0 < lost.high < 0.03
    halves = share_sequence(Moments.of_blocks(np.full(400, 4), np.full(400, 2.0)), 1_000)
    assert 0.35 < halves.low < 0.5 < halves.high < 0.65
    assert not share_sequence(Moments.of_blocks([4], [0]), 1_000).sure
    rare = share_sequence(Moments.of_blocks(np.full(60, 4), [1] + 59 * [0]), 1_000)
    assert 0 < rare.low < rare.value < rare.high < 0.2
    often = share_sequence(Moments.of_blocks(np.full(900, 4), 300 * [4, 0, 0]), 1_000)
    assert 0 < often.low < often.value < often.high < 1


def test_blocks_that_were_won_or_lost_wholly_are_rows_of_their_own() -> None:
    blocks = Moments.of_blocks(np.full(60, 4), [4.0] * 3 + [0.0] * 57)
    found, exact = share_sequence(blocks, 1_000), proportion_sequence(3, 60, 1, level=0.995)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))


def test_at_its_horizon_it_is_as_narrow_as_was_planned() -> None:
    blocks = horizon_for(0.01, 0.25, 0.99)
    values = np.tile([0.75, 0.25], blocks // 2 + 1)[:blocks]  # a deviation of 0.25
    found = mean_sequence(Moments.of_blocks(np.ones(blocks), values), blocks, 0.99)
    assert (found.high - found.low) / 2 == pytest.approx(0.01, rel=1e-3)
    with pytest.raises(ValueError, match="must be positive"):
        horizon_for(0.0, 0.25)


def test_rows_that_are_still_needed_are_those_after_which_it_is_so() -> None:
    def at(times: int) -> Estimate:
        return mean_sequence(
            Moments.of_blocks(np.ones(400 * times), np.tile([1.0, 0, 0, 0], 100 * times)), 5_000
        )

    half = {times: (at(times).high - at(times).low) / 2 for times in (1, 9)}
    assert further_rows(at(1), 5_000, half[9], power=0.5) == pytest.approx(8 * 400, rel=0.05)
    assert further_rows(at(1), 5_000, half[9]) > 8 * 400  # to be likely as well
    assert further_rows(at(1), 5_000, half[1], power=0.5) == 0
    assert further_rows(at(1), 5_000, half[1] / 1e4) == np.inf
    assert isnan(further_rows(mean_sequence(Moments.of_blocks([4], [1]), 100), 100, 0.01))


def test_decisions() -> None:
    def found(low: float, high: float) -> str:
        return decided(Estimate((low + high) / 2, 0.01, low, high, 9, 9, 0.95), 0.25, 0.02)

    assert found(0.24, 0.26) == BALANCED
    assert found(0.28, 0.30) == found(0.1, 0.22) == UNBALANCED
    assert found(0.24, 0.28) == found(0.1, 0.9) == UNDECIDED
    assert found(np.nan, np.nan) == UNDECIDED


def test_no_rows_one_block_and_no_spread_are_not_certain() -> None:
    assert isnan(proportion_sequence(0, 0, 100).value)
    for moments in (
        Moments.of_blocks([], []),
        Moments.of_blocks([4], [1]),
        Moments.of_blocks([4] * 9, [4] * 9),
    ):
        assert not mean_sequence(moments, 100).sure
    lost = proportion_sequence(0, 50, 100, 0.25)
    assert lost.low == 0
    assert 0.05 < lost.high < 0.2
    won = proportion_sequence(50, 50, 100, 0.75)
    assert (won.low, won.high) == pytest.approx((1 - lost.high, 1))


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="one block at least"):
        mean_sequence(Moments.of_blocks([1], [1]), 0)
    with pytest.raises(ValueError, match="confidence level"):
        proportion_sequence(1, 2, 10, level=1.0)
    with pytest.raises(ValueError, match="expected share"):
        proportion_sequence(1, 2, 10, expected=1.0)
    with pytest.raises(ValueError, match="3 of 2"):
        proportion_sequence(3, 2, 10)
    with pytest.raises(ValueError, match="positive"):
        decided(wilson(1, 2), 0.5, 0)


@pytest.mark.parametrize("blocks", [2, 3, 29])
@pytest.mark.parametrize("won", [0, 4])
def test_a_few_blocks_that_all_agree_say_how_many_more(blocks: int, won: int) -> None:
    """They have bounds, but no error to measure."""
    found = share_sequence(Moments.of_blocks(np.full(blocks, 4), np.full(blocks, won)), 400)
    assert np.isnan(found.se)
    assert found.sure
    assert further_rows(found, 400, 0.3) >= 0
    assert further_rows(found, 400, 0.02) > further_rows(found, 400, 0.1) > 4
    assert further_rows(found, 400, 1e-9) == np.inf


def test_few_blocks_near_an_end_exclude_nothing_there() -> None:
    """Blocks of many rows of which hardly any was lost, or won."""
    near = [share_sequence(Moments.of_blocks([1000, 1000], won), 400) for won in ([999, 1000], [1, 0])]
    assert [near[0].high, near[1].low] == [1.0, 0.0]
    assert near[0].low == pytest.approx(1 - near[1].high)
    assert 0 < near[0].low < 0.999
