"""Verdicts against a band: known truth at, inside and outside its edge."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf, isnan
from typing import Any

import numpy as np
import pytest

from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED, verdicts
from simlab.stats.intervals import Estimate, Moments, share

Wins = Callable[..., Any]
Misses = Callable[[int, float], float]
BAND = 0.02
REPETITIONS = 2_000


def estimate(value: float, se: float, n: int = 8_000, clusters: int = 2_000) -> Estimate:
    return Estimate(value, se, value - 1.96 * se, value + 1.96 * se, n, clusters, 0.95)


def one(value: float, se: float, **more: int) -> str:
    return verdicts([estimate(value, se, **more)], [0.25], BAND)[0].kind


def test_three_verdicts() -> None:
    assert one(0.253, 0.004) == BALANCED
    assert one(0.310, 0.004) == UNBALANCED
    assert one(0.190, 0.004) == UNBALANCED
    assert one(0.268, 0.004) == UNDECIDED
    assert one(0.250, 0.050) == UNDECIDED


def test_not_significant_is_not_balanced() -> None:
    """The very mistake this file is there to prevent: little data near parity."""
    assert one(0.251, 0.03, n=200, clusters=50) == UNDECIDED


def test_balanced_is_the_ninety_percent_interval_inside_the_band() -> None:
    assert one(0.250, 0.02 / 1.65, clusters=100_000) == BALANCED
    assert one(0.250, 0.02 / 1.64, clusters=100_000) == UNDECIDED


@pytest.mark.parametrize(("truth", "wrong"), [(0.27, BALANCED), (0.27, UNBALANCED), (0.23, BALANCED)])
def test_at_the_edge_of_the_band_a_claim_is_made_once_in_twenty(
    wins: Wins, allowed_misses: Misses, truth: float, wrong: str
) -> None:
    rng = np.random.default_rng(21)
    strengths = np.array([truth, *np.full(3, (1 - truth) / 3)])
    made = 0
    for _ in range(REPETITIONS):
        won = wins(rng, 2_000, strengths)[:, 0]
        made += verdicts([share(Moments.of_blocks(np.full(2_000, 4), won))], [0.25], BAND)[0].kind == wrong
    # Fixed beforehand: 3.1 sigmas, a false alarm once in a thousand seeds.
    assert made <= allowed_misses(REPETITIONS, 0.05)
    assert made >= REPETITIONS * 0.025  # and the test isn't idle


def test_parity_is_recognised_with_enough_games(wins: Wins) -> None:
    rng = np.random.default_rng(22)
    found = 0
    for _ in range(300):
        won = wins(rng, 2_000, np.full(4, 0.25))[:, 0]
        found += (
            verdicts([share(Moments.of_blocks(np.full(2_000, 4), won))], [0.25], BAND)[0].kind == BALANCED
        )
    assert found > 0.96 * 300  # power .99 at 8,000 games


def test_a_family_is_corrected_for_its_size_only_where_it_claims_imbalance() -> None:
    borderline, even = estimate(0.2785, 0.005), estimate(0.25, 0.005)
    assert verdicts([borderline], [0.25], BAND)[0].kind == UNBALANCED
    family = verdicts([borderline, even, even, even], [0.25] * 4, BAND)
    assert [v.kind for v in family] == [UNDECIDED, BALANCED, BALANCED, BALANCED]


@pytest.mark.parametrize(("errors", "tells"), [(0.5, True), (0.2, False), (0.0, False)])
def test_how_many_games_more_is_told_unless_the_edge_is_too_near(errors: float, tells: bool) -> None:
    """Rows go with the square of the distance: a fifth of an error would mean a hundred times the games."""
    more = verdicts([estimate(0.27 + errors * 0.004, 0.004)], [0.25], BAND)[0].more
    assert isinf(more) != tells


def test_more_games_settle_it() -> None:
    verdict = verdicts([estimate(0.255, 0.015)], [0.25], BAND)[0]
    assert verdict.kind == UNDECIDED
    # With as many games more the error shrinks, and the same estimate is settled in four cases of five.
    n = 8_000 + verdict.more
    assert 8_000 < n < 80_000
    assert one(0.255, 0.015 * (8_000 / n) ** 0.5) == BALANCED


def test_on_the_edge_no_number_of_games_will_do() -> None:
    assert isinf(verdicts([estimate(0.27, 0.004)], [0.25], BAND)[0].more)


def test_without_interval_nothing_is_claimed() -> None:
    for counts in ([], [4]):
        verdict = verdicts([share(Moments.of_blocks(counts, [0.0] * len(counts)))], [0.25], BAND)[0]
        assert verdict.kind == UNDECIDED
        assert isnan(verdict.more)


def test_all_won_in_every_block_is_unbalanced_and_few_blocks_are_undecided() -> None:
    many = share(Moments.of_blocks(np.full(200, 4), np.full(200, 4)))
    few = share(Moments.of_blocks(np.full(2, 4), np.full(2, 1)))
    assert verdicts([many], [0.25], BAND)[0].kind == UNBALANCED
    undecided = verdicts([few], [0.25], BAND)[0]
    assert undecided.kind == UNDECIDED


def test_a_band_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        verdicts([], [], 0.0)
