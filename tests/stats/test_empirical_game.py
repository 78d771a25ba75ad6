"""A game of strategies read at once: the same as its parts, known truth for levels, few blocks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from simlab.stats.alpharank import alpha_rank
from simlab.stats.empirical_game import Reading, read
from simlab.stats.equilibrium import nash
from simlab.stats.profiles import PayoffTable, ProfileRows, payoff_table
from simlab.stats.resampling import resampled

Misses = Callable[[int, float], float]


def played(
    rng: np.random.Generator, blocks: int, edge: float, luck: float = 0.0
) -> tuple[ProfileRows, np.ndarray]:
    """Duels of two strategies as two levels: strategy 1 wins with chance edge, level 0 is better by a third.

    A block is two games of one way to give the strategies to the levels; `luck`: of the same result.
    """
    profile, strategy, block, won, level = [], [], [], [], []
    for b in range(blocks):
        of_zero, of_one = b % 2, b // 2 % 2
        chance = 0.5 + (of_zero - of_one) * (edge - 0.5) + (1 / 6 if of_zero == of_one == 1 else 0)
        first = rng.random() < chance
        second = first if rng.random() < luck else rng.random() < chance
        for which, mine, wins in ((0, of_zero, first + second), (1, of_one, 2 - first - second)):
            profile.append(of_zero + of_one)
            strategy.append(mine)
            level.append(which)
            block.append(b)
            won.append(wins)
    columns = (np.array(x) for x in (profile, strategy, block))
    rows = ProfileRows(2, 2, *columns, np.full(len(won), 2.0), np.array(won, float))
    return rows, np.array(level)


def test_strategies_are_read_as_by_their_own_estimators() -> None:
    rows, level = played(np.random.default_rng(1), 400, 0.53)
    found = read(rows, level, 2, seed=5, draws=60)
    table = payoff_table(rows)
    assert [e.value for e in found.mass] == pytest.approx(alpha_rank(table.advantage()).mass)
    mix = nash(table.advantage()).mix
    assert [e.value for e in found.mix] == pytest.approx(mix)
    assert [e.value for e in found.against] == pytest.approx(table.against(mix))

    def mixed(each: PayoffTable) -> tuple[float, ...]:
        return nash(each.advantage()).mix

    theirs = resampled(rows, mixed, seed=5, draws=60)
    assert [(e.low, e.high, e.n, e.clusters) for e in found.mix] == [
        pytest.approx((e.low, e.high, e.n, e.clusters)) for e in theirs
    ]


def test_levels_are_those_of_the_mix() -> None:
    """Strategy 1 is the better, and where both play it level 0 wins two in three; in all games it's less."""
    rows, level = played(np.random.default_rng(2), 8_000, 0.6)
    found = read(rows, level, 2, draws=100)
    assert found.mix[1].low == 1
    assert found.levels[0].value == pytest.approx(2 / 3, abs=3.5 * found.levels[0].se)
    assert found.levels[0].value + found.levels[1].value == pytest.approx(1)
    assert (found.levels[0].n, found.levels[0].clusters) == (16_000, 8_000)
    overall = rows.won[level == 0].sum() / rows.seats[level == 0].sum()
    assert overall < found.levels[0].low


def test_an_uncertain_mix_widens_the_levels() -> None:
    sure, unsure = (
        read(*played(np.random.default_rng(3), 400, edge), 2, draws=100).levels[0] for edge in (0.8, 0.5)
    )
    assert unsure.high - unsure.low > 1.2 * (sure.high - sure.low)


def test_intervals_of_levels_cover_with_luck_in_blocks(allowed_misses: Misses) -> None:
    rng, rounds, missed = np.random.default_rng(4), 80, 0
    for r in range(rounds):
        found = read(*played(rng, 240, 0.9, luck=0.4), 2, seed=r, draws=80).levels[0]
        missed += not found.low <= 2 / 3 <= found.high
    assert missed <= allowed_misses(rounds, 0.07)


def test_a_handful_of_blocks_that_went_one_way_is_not_certain() -> None:
    rows, level = played(np.random.default_rng(5), 12, 1.0)
    mine = (rows.profile == 2) & (level == 0)
    won = np.where(mine, rows.seats, np.where((rows.profile == 2) & (level == 1), 0.0, rows.won))
    found = read(
        ProfileRows(2, 2, rows.profile, rows.strategy, rows.block, rows.seats, won), level, 2, draws=200
    )
    assert found.levels[0].value == 1
    assert found.levels[0].low < 0.9


def test_same_seed_same_reading_and_unplayed_profiles_are_unknown() -> None:
    rows, level = played(np.random.default_rng(6), 80, 0.6)
    assert read(rows, level, 2, draws=20) == read(rows, level, 2, draws=20)
    kept = rows.profile != 1
    partly = ProfileRows(
        2, 2, *(x[kept] for x in (rows.profile, rows.strategy, rows.block, rows.seats, rows.won))
    )
    found = read(partly, level[kept], 2, draws=20)
    assert isinstance(found, Reading)
    assert all(np.isnan(e.value) and not e.sure for e in (*found.mass, *found.mix, *found.levels))
