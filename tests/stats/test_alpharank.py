"""α-rank: closed forms, published values, another program's answers, odd input."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
import pytest

from simlab.stats.alpharank import alpha_rank, log_fixation, log_fixation_of_constant, log_stationary
from simlab.stats.profiles import PayoffTable, profiles

CYCLE = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def random_table(rng: np.random.Generator, strategies: int) -> tuple[PayoffTable, np.ndarray]:
    """A table for two seats and the matrix that it is."""
    earns, counts = rng.normal(size=(strategies, strategies)), profiles(strategies, 2)
    payoff = np.full(counts.shape, np.nan)
    for k, row in enumerate(counts):
        i, j = np.repeat(np.arange(strategies), row)
        payoff[k, i], payoff[k, j] = earns[i, j], earns[j, i]
    return PayoffTable(2, counts, payoff), earns


@pytest.mark.parametrize("alpha", [0.1, 3.0, inf])
def test_rock_paper_scissors_is_even(alpha: float) -> None:
    """As published: Omidshafiei et al. 2019."""
    assert alpha_rank(CYCLE, alpha=alpha).mass == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("gap", [0.3, -0.02, 0.0])
def test_fixation_in_closed_form(gap: float) -> None:
    for m, alpha in ((2, 1.0), (50, 0.7), (10, 20.0)):
        u = alpha * gap
        expected = (1 - exp(-u)) / (1 - exp(-m * u)) if u else 1 / m
        assert exp(float(log_fixation(np.full(m - 1, gap), alpha))) == pytest.approx(expected)
        assert exp(float(log_fixation_of_constant(gap, alpha, m))) == pytest.approx(expected)


def test_a_hopeless_mutant_has_a_logarithm_all_the_same() -> None:
    for gap in (-1e6, -1e-13, 1e-13, 1e6):
        constant = log_fixation_of_constant(gap, 1.0, 20)
        assert constant == pytest.approx(log_fixation(np.full(19, gap), 1.0), rel=1e-9, abs=1e-12)


def test_two_strategies_in_closed_form() -> None:
    """Odds e^((m − 1)·α·gap): of each pair of steps one is the other's inverse."""
    for alpha in (0.01, 0.5, 4.0):
        mass = alpha_rank([[0, 0.1], [-0.1, 0]], population=20, alpha=alpha).mass
        assert log(mass[0] / mass[1]) == pytest.approx(19 * alpha * 0.1)


def test_who_beats_everybody_has_everything_in_the_limit_however_little_it_wins_by() -> None:
    for gap in (0.5, 1e-3, 1e-7):
        found = alpha_rank([[0, gap, gap], [-gap, 0, 0.5], [-gap, -0.5, 0]])
        assert found.mass == pytest.approx([1, 0, 0])
        assert found.settled


def test_the_limit_tells_large_from_small_gaps_in_a_cycle_of_cycles() -> None:
    # Strategies 0, 1, 2 beat each other in a circle and all beat 3.
    table = np.pad(CYCLE * [[1e-3]], ((0, 1), (0, 1)))
    table[:3, 3], table[3, :3] = 0.2, -0.2
    found = alpha_rank(table)
    assert found.settled
    assert found.mass == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_the_limit_is_followed_beyond_the_smallest_gap() -> None:
    """Each does better among its like, so the sum of all gaps decides, which is far less than any of them."""
    gaps = np.linspace(-1, 1, 10) + 1e-5
    found = alpha_rank(np.array([[0 * gaps, gaps], [-gaps[::-1], 0 * gaps]]), population=11)
    assert found.settled
    assert found.mass == pytest.approx([1, 0])
    assert found.alpha > 64 / np.abs(gaps).min()


def test_no_selection_and_equal_strategies_are_even() -> None:
    assert alpha_rank(np.zeros((4, 4))).mass == pytest.approx([0.25] * 4)
    assert alpha_rank(CYCLE * 7, alpha=0.0).mass == pytest.approx([1 / 3] * 3)
    assert alpha_rank([[0.0]]).mass == (1.0,)


def test_rounding_is_no_advantage() -> None:
    assert alpha_rank([[0, 1e-17, 1], [-1e-17, 0, 1], [-1, -1, 0]]).mass == pytest.approx([0.5, 0.5, 0])


@pytest.mark.parametrize("alpha", [0.1, 1.0, 3.0])
def test_masses_as_openspiel(alpha: float) -> None:
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank")
    rng = np.random.default_rng(91)
    for size in (2, 4, 7):
        table, earns = random_table(rng, size)
        local = theirs.compute([earns], m=20, alpha=alpha, use_local_selection_model=True)[2]
        assert alpha_rank(table.advantage(), 20, alpha).mass == pytest.approx(local, abs=1e-12)
        mixed = theirs.compute([earns], m=20, alpha=alpha, use_local_selection_model=False)[2]
        assert alpha_rank(table.invasion(20), 20, alpha).mass == pytest.approx(mixed, abs=1e-12)


def test_limit_as_openspiel_where_one_circle_remains() -> None:
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank")
    table = np.array([[0, -1, 1, 2.0], [1, 0, -1, 1], [-1, 1, 0, 1], [-2, -1, -1, 0]])
    limit = theirs.compute([table / 2], use_inf_alpha=True, inf_alpha_eps=1e-8)[2]
    assert alpha_rank(table).mass == pytest.approx(limit, abs=1e-6)


def test_stationary_distribution_as_by_linear_algebra() -> None:
    rng = np.random.default_rng(92)
    rates = rng.exponential(size=(6, 6)) / 40
    chain = rates.copy()
    np.fill_diagonal(chain, 0)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    ours = np.exp(log_stationary(np.log(rates)))
    assert ours @ chain == pytest.approx(ours)
    assert ours.sum() == pytest.approx(1)


def test_rates_too_small_for_a_float_are_still_told_apart() -> None:
    mass = log_stationary([[0.0, -50_000.0], [-49_000.0, 0.0]])
    assert mass == pytest.approx([0.0, -1_000.0])


def test_relabelled_strategies_only_change_places_and_units_do_not_matter() -> None:
    rng = np.random.default_rng(93)
    a = rng.normal(size=(5, 5))
    a, order = a - a.T, rng.permutation(5)
    one, other = alpha_rank(a, alpha=2.0), alpha_rank(a[np.ix_(order, order)], alpha=2.0)
    assert np.array(one.mass)[order] == pytest.approx(other.mass)
    assert alpha_rank(a * 10, alpha=0.2).mass == pytest.approx(one.mass)
    assert alpha_rank(a * 1e-6).mass == pytest.approx(alpha_rank(a).mass)


def test_what_was_not_played_makes_no_rank() -> None:
    found = alpha_rank([[0, np.nan], [np.nan, 0]])
    assert np.isnan(found.mass).all()
    assert not found.settled


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="population of 1"):
        alpha_rank(CYCLE, population=1)
    with pytest.raises(ValueError, match="don't fit"):
        alpha_rank(np.zeros((2, 2, 3)), population=3)
    with pytest.raises(ValueError, match="don't fit"):
        alpha_rank(np.zeros((2, 3)))
