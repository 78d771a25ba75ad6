"""Nash mixes: published values, brute force, metamorphic, odd input."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from scipy.optimize import minimize

from simlab.stats.equilibrium import nash

CYCLE = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def antisymmetric(rng: np.random.Generator, size: int) -> np.ndarray:
    a = rng.normal(size=(size, size))
    return np.asarray(a - a.T)


def test_rock_paper_scissors_is_even_and_the_only_one() -> None:
    found = nash(CYCLE)
    assert found.mix == pytest.approx([1 / 3] * 3, abs=1e-12)
    assert found.rating == pytest.approx([0] * 3, abs=1e-12)
    assert found.viable == pytest.approx(3)
    assert found.only


def test_a_doubled_strategy_shares_its_part() -> None:
    """As published: Balduzzi et al. 2018, invariance to redundant agents."""
    doubled = CYCLE[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    found = nash(doubled)
    assert found.mix == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-9)
    assert not found.only


def test_weighted_cycle_by_hand() -> None:
    # i's share is what the other two earn from each other.
    assert nash([[0, -3, 2], [3, 0, -1], [-2, 1, 0]]).mix == pytest.approx([1 / 6, 2 / 6, 3 / 6])


def test_who_beats_everybody_is_alone_and_the_others_are_rated_by_it() -> None:
    found = nash([[0, 0.2, 0.4], [-0.2, 0, 0.1], [-0.4, -0.1, 0]])
    assert found.mix == (1, 0, 0)
    assert found.rating == pytest.approx([0, -0.2, -0.4])
    assert found.viable == 1
    assert found.only


def test_equal_strategies_share_alike() -> None:
    assert nash(np.zeros((4, 4))).mix == pytest.approx([0.25] * 4)
    assert not nash(np.zeros((4, 4))).only
    assert nash([[0.0]]).mix == (1.0,)


def test_nobody_has_an_advantage_over_the_mix() -> None:
    rng = np.random.default_rng(101)
    for _ in range(60):
        a = antisymmetric(rng, int(rng.integers(2, 10)))
        found = nash(a)
        mix, rating = np.array(found.mix), np.array(found.rating)
        assert mix.sum() == pytest.approx(1)
        assert (mix >= 0).all()
        assert rating.max() <= 1e-9
        assert ((mix < 1e-12) == (rating < -1e-9)).all()  # strictly complementary
        assert found.only


def test_nearly_doubled_strategies_are_told_apart() -> None:
    kinds = [0, 1, 2, 0, 1]
    noise = 1e-3 * np.random.default_rng(11).normal(size=(5, 5))
    found = nash(CYCLE[np.ix_(kinds, kinds)] + noise - noise.T)
    assert found.only
    assert min(found.mix) > 0.02
    assert np.abs(found.rating).max() < 1e-12
    assert abs(found.mix[0] - found.mix[3]) > 0.1  # two alike would share


def test_entropy_is_highest_as_a_general_solver_finds_it() -> None:
    rng = np.random.default_rng(102)
    for _ in range(3):
        kinds = rng.integers(0, 3, 6)
        kinds[:3] = np.arange(3)
        a = CYCLE[np.ix_(kinds, kinds)]
        a[0, 5], a[5, 0] = a[0, 5] - 0.3, a[5, 0] + 0.3  # a doublet that isn't quite one
        ours = np.array(nash(a).mix)
        theirs = minimize(
            lambda p: float(p @ np.log(p)),
            np.full(6, 1 / 6),
            jac=lambda p: np.log(p) + 1,
            bounds=[(1e-12, 1)] * 6,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "ineq", "fun": lambda p, a=a: -(a @ p)},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        held = ours[ours > 0]
        assert float(held @ np.log(held)) <= theirs.fun + 1e-6
        assert (a @ ours).max() <= 1e-9


def test_a_constraint_from_outside_the_mix_can_bind() -> None:
    # 0 and 1 are even, as are all their mixes, but 2 beats 1 by as much as 0 beats 2 thrice.
    a = np.array([[0, 0, 0.1], [0, 0, -0.3], [-0.1, 0.3, 0]])
    found = nash(a)
    assert found.mix == pytest.approx([0.75, 0.25, 0], abs=1e-8)
    assert found.rating == pytest.approx([0, 0, 0], abs=1e-8)
    assert found.viable == pytest.approx(np.exp(-0.75 * log(0.75) - 0.25 * log(0.25)))


def test_relabelled_strategies_only_change_places_and_units_do_not_matter() -> None:
    rng = np.random.default_rng(103)
    a, order = antisymmetric(rng, 6), rng.permutation(6)
    one = np.array(nash(a).mix)
    assert one[order] == pytest.approx(nash(a[np.ix_(order, order)]).mix)
    assert nash(a * 1e-5).mix == pytest.approx(one)


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-8])
def test_small_advantages_count(gap: float) -> None:
    assert nash([[0, gap, 1], [-gap, 0, 1], [-1, -1, 0]]).mix == pytest.approx([1, 0, 0])
    # The cycle loses a little to the fourth strategy, however little that is.
    beaten = np.pad(CYCLE, ((0, 1), (0, 1)))
    beaten[:3, 3], beaten[3, :3] = -gap, gap
    assert nash(beaten).mix == pytest.approx([0, 0, 0, 1])


def test_what_was_not_played_makes_no_mix() -> None:
    found = nash([[0, np.nan], [np.nan, 0]])
    assert np.isnan(found.mix).all()
    assert np.isnan(found.viable)
    assert not found.only


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="earns less"):
        nash([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="square"):
        nash(np.zeros((2, 3)))
