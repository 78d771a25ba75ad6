"""Tables of profiles: counted by hand, closed forms, odd input."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from simlab.stats.profiles import PayoffTable, ProfileRows, payoff_table, profile_numbers, profiles


def shares_game(strengths: np.ndarray, players: int) -> PayoffTable:
    """Who wins follows the strengths of those who sit at the table."""
    counts = profiles(len(strengths), players)
    payoff = np.where(counts > 0, strengths / (counts @ strengths)[:, None], np.nan)
    return PayoffTable(players, counts, payoff)


@pytest.mark.parametrize(("strategies", "players"), [(2, 2), (3, 4), (6, 4), (1, 3)])
def test_profiles_are_all_of_them_once(strategies: int, players: int) -> None:
    counts = profiles(strategies, players)
    assert len(counts) == comb(strategies + players - 1, players)
    assert (counts.sum(axis=1) == players).all()
    assert len(np.unique(counts, axis=0)) == len(counts)
    assert (profile_numbers(counts) == np.arange(len(counts))).all()


def test_rows_and_table_by_hand() -> None:
    # Block 7: two games of strategies 0, 0, 1; block 9: one of 0, 1, 1.
    rows = ProfileRows.of_games(
        [[0, 1, 0], [0, 0, 1], [1, 0, 1]], [[1, 0, 0], [0, 0, 1], [0.5, 0, 0.5]], [7, 7, 9], 2
    )
    table = payoff_table(rows)
    found = {tuple(c): p for c, p in zip(table.counts.tolist(), table.payoff.tolist(), strict=True)}
    assert found[2, 1] == [1 / 4, 1 / 2]
    assert found[1, 2] == [0, 1 / 2]
    assert found[3, 0][0] == 1 / 3  # not played, and known all the same
    assert np.isnan(found[3, 0][1])
    assert table.advantage()[0, 1] == pytest.approx((-1 / 4 - 1 / 2) / 2)


def test_advantage_weighs_each_way_of_seating_alike() -> None:
    """Four seats: 4, 6 and 4 ways to seat one, two and three of the first strategy."""
    counts = profiles(2, 4)
    gaps = {1: 0.3, 2: 0.0, 3: -0.1}
    payoff = np.full(counts.shape, 0.25)
    for k, row in enumerate(counts.tolist()):
        payoff[k, 0] += gaps.get(row[0], 0.0)
    expected = (4 * 0.3 + 6 * 0.0 + 4 * -0.1) / 14
    assert PayoffTable(4, counts, payoff).advantage()[0, 1] == pytest.approx(expected)


def test_order_of_games_and_seats_does_not_matter() -> None:
    rng = np.random.default_rng(81)
    played, block = rng.integers(0, 3, (60, 4)), rng.integers(0, 9, 60)
    shares = np.eye(4)[rng.integers(0, 4, 60)]
    one = payoff_table(ProfileRows.of_games(played, shares, block, 3))
    order, seat = rng.permutation(60), rng.permutation(4)
    other = payoff_table(
        ProfileRows.of_games(played[order][:, seat], shares[order][:, seat], block[order], 3)
    )
    assert one.payoff == pytest.approx(other.payoff, nan_ok=True)


def test_two_seats_are_a_matrix_game() -> None:
    rng = np.random.default_rng(82)
    earns = rng.random((4, 4))
    counts = profiles(4, 2)
    payoff = np.full(counts.shape, np.nan)
    for k, row in enumerate(counts):
        i, j = np.repeat(np.arange(4), row)
        payoff[k, i], payoff[k, j] = earns[i, j], earns[j, i]
    table = PayoffTable(2, counts, payoff)
    assert table.advantage() == pytest.approx(earns - earns.T)
    mix = np.array([0.1, 0.2, 0.3, 0.4])
    assert table.against(mix) == pytest.approx(earns @ mix)


def test_against_a_mix_is_the_sum_over_all_opponents() -> None:
    table = shares_game(np.array([3.0, 2.0, 1.0]), 4)
    found = {tuple(c): p for c, p in zip(table.counts.tolist(), table.payoff.tolist(), strict=True)}
    mix = np.array([0.5, 0.2, 0.3])
    for s in range(3):
        expected = 0.0
        for others in product(range(3), repeat=3):
            seated = np.bincount([s, *others], minlength=3)
            expected += float(np.prod(mix[list(others)])) * found[tuple(seated.tolist())][s]
        assert table.against(mix)[s] == pytest.approx(expected)


def test_invasion_is_the_average_over_tables_drawn_from_the_population() -> None:
    table, m = shares_game(np.array([2.0, 1.0]), 3), 5
    duels, gaps = table.duels(), table.invasion(m)
    # Two of five play i: beside one of them sit two of (1 i, 3 j); beside a j two of (2 i, 2 j).
    mine = (3 * duels[0, 1, 1] + 3 * duels[0, 1, 0]) / 6
    theirs = (1 * duels[1, 0, 0] + 4 * duels[1, 0, 1] + 1 * duels[1, 0, 2]) / 6
    assert gaps[0, 1, 1] == pytest.approx(mine - theirs)
    assert (gaps[0, 1] > 0).all()
    assert gaps[1, 0, ::-1] == pytest.approx(-gaps[0, 1])  # k of m play i: m − k play j
    assert (gaps[0, 0] == 0).all()


def test_a_strategy_that_is_another_by_name_has_no_advantage_over_it() -> None:
    table = shares_game(np.array([2.0, 1.0, 2.0]), 4)
    assert table.advantage()[0, 2] == pytest.approx(0)
    assert table.advantage()[0, 1] == pytest.approx(table.advantage()[2, 1])
    assert table.advantage() == pytest.approx(-table.advantage().T)
    assert table.against([1 / 3] * 3)[0] == pytest.approx(table.against([1 / 3] * 3)[2])


def test_what_was_not_played_is_not_known() -> None:
    rows = ProfileRows.of_games([[0, 1], [0, 1]], [[1, 0], [0, 1]], [0, 1], 3)
    table = payoff_table(rows)
    assert table.advantage()[0, 1] == 0
    assert np.isnan(table.advantage()[0, 2])
    assert np.isnan(table.against([0.5, 0, 0.5])[0])
    assert table.against([0.5, 0.5, 0])[0] == 0.5  # needs only what was played
    assert np.isnan(table.invasion(4)[0, 2]).all()
    assert (table.invasion(4)[0, 1] == 0).all()


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        ProfileRows.of_games([[0, 1]], [[1, 1]], [0], 2)
    with pytest.raises(ValueError, match="numbered from 0 to 1"):
        ProfileRows.of_games([[0, 2]], [[1, 0]], [0], 2)
    with pytest.raises(ValueError, match="don't fit"):
        ProfileRows.of_games([[0, 1]], [[1, 0]], [0, 1], 2)
    with pytest.raises(ValueError, match="no game"):
        profiles(3, 1)
    with pytest.raises(ValueError, match="adding up to 1"):
        shares_game(np.ones(2), 2).against([0.5, 0.6])
    with pytest.raises(ValueError, match="fills no table"):
        shares_game(np.ones(2), 4).invasion(3)
