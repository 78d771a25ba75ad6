"""Measures of drama on courses made by hand, and chances of games whose law is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlab.stats import drama
from simlab.stats.chances import cross_fitted

# Two seats, three Turns: a walk-over, one that turns round twice, one that stays even to the end.
CHANCES = np.array(
    [
        [[0.5, 0.5], [0.95, 0.05], [0.97, 0.03], [1.0, 0.0]],
        [[0.5, 0.5], [0.2, 0.8], [0.6, 0.4], [0.05, 0.95]],
        [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]],
    ],
    np.float32,
)
WINNER = np.array([0, 0, 1])


def test_what_moved() -> None:
    expected = [[0.45, 0.02, 0.03, 0.0], [0.3, 0.4, 0.55, 0.95], [0.0, 0.0, 0.0, 0.5]]
    assert drama.moved(CHANCES, WINNER) == pytest.approx(np.array(expected), abs=1e-6)


def test_uncertainty_is_1_if_even_and_0_if_over() -> None:
    found = drama.uncertainty(CHANCES)
    assert found[2] == pytest.approx(np.ones(4))
    assert found[0, 3] == 0
    assert 0 < found[0, 1] < 0.3
    four = drama.uncertainty(np.full((1, 2, 4), 0.25, np.float32))
    assert four == pytest.approx(np.ones((1, 2)))


def test_when_a_game_is_decided() -> None:
    assert drama.decided(CHANCES).tolist() == [1, 3, 4]
    another = np.array([[[0.5, 0.5], [0.95, 0.05], [0.05, 0.95], [0.01, 0.99]]], np.float32)
    assert drama.decided(another).tolist() == [2]  # sure of one, then of the other
    assert drama.dead_time(np.array([0, 1, 3, 4]), 3) == pytest.approx([1, 2 / 3, 0, 0])


def test_drama_is_how_far_a_winner_was_behind() -> None:
    assert drama.drama(CHANCES, WINNER) == pytest.approx([0, (0.6 + 0.9) / 2, 0])
    assert drama.behind(CHANCES, WINNER)[1] == pytest.approx([0.6, 0.0, 0.9])


def test_leads_and_deficits() -> None:
    scores = np.array([[[3, 1, 2], [3, 4, 9], [12, 9, 10]], [[0, 1, 2], [0, 1, 2], [0, 1, 3]]])
    who = drama.leaders(scores)
    assert who.tolist() == [[0, 2, 0], [2, 2, 2]]
    assert drama.changes(who).tolist() == [2, 0]
    assert drama.deficit(scores, np.array([0, 1])).tolist() == [6, 2]


@given(order=st.permutations(range(4)), seed=st.integers(0, 100))
def test_names_of_seats_change_nothing(order: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    chances = rng.dirichlet(np.ones(4), (5, 4)).astype(np.float32)
    winner = rng.integers(0, 4, 5)
    moved_on, renamed = chances[:, :, order], np.argsort(order)[winner]
    for measure in (drama.moved, drama.drama, drama.behind):
        assert measure(moved_on, renamed) == pytest.approx(measure(chances, winner), abs=1e-6)
    assert drama.uncertainty(moved_on) == pytest.approx(drama.uncertainty(chances), abs=1e-6)
    assert (drama.decided(moved_on) == drama.decided(chances)).all()


# --- chances ----------------------------------------------------------------------------------------------


def played(blocks: int, slope: float, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores (N, 4), winner and block of games of which four make a block, by a logit of that slope."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 2, (4 * blocks, 4))
    winner = (slope * scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    return scores, winner, np.repeat(np.arange(blocks), 4)


def test_chances_are_those_of_the_law() -> None:
    scores, winner, block = played(2_000, 0.7)
    found = cross_fitted(lambda games: scores[games][:, :, None], winner, block)
    odds = np.exp(0.7 * scores)
    assert found == pytest.approx(odds / odds.sum(axis=1, keepdims=True), abs=0.03)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(found)), abs=1e-6)


def test_no_game_is_judged_by_a_model_that_saw_it() -> None:
    """Winners drawn by lot, 30 columns of noise and few blocks: fitted to itself a model seems to know."""
    rng = np.random.default_rng(2)
    columns, winner, block = rng.normal(size=(160, 4, 30)), rng.integers(0, 4, 160), np.repeat(range(40), 4)
    found = cross_fitted(lambda games: columns[games], winner, block)
    won = found[np.arange(160), winner].mean()
    assert won < 0.25 + 4 * 0.35 / np.sqrt(160)
    again = winner.copy()
    again[block == 7] = (winner[block == 7] + 1) % 4
    other = cross_fitted(lambda games: columns[games], again, block)
    assert (other[block == 7] == found[block == 7]).all()


def test_a_sample_of_blocks_does_as_well_and_is_the_same_each_time() -> None:
    scores, winner, block = played(3_000, 0.7)
    describe = lambda games: scores[games][:, :, None]  # noqa: E731
    some, every = cross_fitted(describe, winner, block, fitted=400), cross_fitted(describe, winner, block)
    assert some == pytest.approx(every, abs=0.05)
    assert (some == cross_fitted(describe, winner, block, fitted=400)).all()


def test_what_decides_for_certain_gives_chances_near_0_and_1() -> None:
    scores, _, block = played(200, 0.7)
    found = cross_fitted(lambda games: scores[games][:, :, None], scores.argmax(axis=1), block)
    assert np.isfinite(found).all()
    assert found[np.arange(len(found)), scores.argmax(axis=1)].mean() > 0.98


def test_one_block_has_no_other() -> None:
    with pytest.raises(ValueError, match="two blocks or more, not 1"):
        cross_fitted(lambda games: np.zeros((len(games), 2, 1)), np.zeros(2, np.int64), np.zeros(2, np.int64))
