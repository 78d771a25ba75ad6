"""Effects of many things on many levels: few false claims where nothing is so, else the truth."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pytest

from simlab.stats.crossed import Crossed, beyond, crossed
from simlab.stats.differences import against_rest

BLOCKS, THINGS, LEVELS, GAMES, REPEATS = 160, 6, 4, 4, 60
FACTIONS = ["faction"] * LEVELS


def found(rng: np.random.Generator, effects: np.ndarray, families: list[str] = FACTIONS) -> Crossed:
    """Each thing lies in half of the blocks; one level of 4 wins each of its games, more likely if a thing
    that lies there helps it: effects (R, L), in win share, nothing in sum over the levels."""
    there = rng.integers(0, 2, (BLOCKS, THINGS)).astype(float)
    chance = 0.25 + (there - 0.5) @ effects
    assert (chance > 0).all()
    wins = rng.multinomial(GAMES, chance / chance.sum(1, keepdims=True)).astype(float)
    n = np.full((BLOCKS, THINGS, LEVELS), float(GAMES))
    own = there[:, :, None]
    return crossed(own * n, own * wins[:, None], (1 - own) * n, (1 - own) * wins[:, None], families)


def table(cells: tuple, name: str) -> np.ndarray:
    return np.array([[getattr(cell, name) for cell in row] for row in cells])


@pytest.fixture(scope="module")
def null() -> list[Crossed]:
    rng = np.random.default_rng(1)
    return [found(rng, np.zeros((THINGS, LEVELS))) for _ in range(REPEATS)]


def claims(cells: tuple) -> int:
    return int((table(cells, "low") * table(cells, "high") > 0).sum())


def test_where_nothing_is_so_few_tables_claim_anything(null: list[Crossed]) -> None:
    """At most 5 % of the tables, and three standard errors; cells taken alone would claim in most tables."""
    wrong = [claims(each.together) > 0 for each in null]
    assert np.mean(wrong) <= 0.05 + 3 * sqrt(0.05 * 0.95 / REPEATS)
    tempted = [claims(each.alone) > 0 for each in null]
    assert np.mean(tempted) > 0.4
    assert np.mean([claims(each.alone) for each in null]) / (THINGS * LEVELS) < 0.07


def test_where_nothing_is_so_shrinking_leaves_little(null: list[Crossed]) -> None:
    left = sqrt(np.mean([table(each.shrunk, "value") ** 2 for each in null]))
    raw = sqrt(np.mean([table(each.alone, "value") ** 2 for each in null]))
    assert left < 0.4 * raw
    assert np.mean([each.scatter["faction"] for each in null]) < 0.5 * raw


def test_shrunk_effects_are_nearer_to_the_truth_and_their_intervals_hold() -> None:
    rng = np.random.default_rng(2)
    missed, kept, held, scatters = [], [], [], []
    for _ in range(REPEATS):
        truth = rng.normal(0, 0.025, (THINGS, LEVELS))
        truth -= truth.mean(1, keepdims=True)
        each = found(rng, truth)
        missed.append((table(each.alone, "value") - truth) ** 2)
        kept.append((table(each.shrunk, "value") - truth) ** 2)
        low, high = (table(each.shrunk, end) for end in ("low", "high"))
        held.append((low <= truth) & (truth <= high))
        scatters.append(each.scatter["faction"] / truth.std())
    assert np.mean(kept) < 0.8 * np.mean(missed)
    assert 0.90 <= np.mean(held) <= 0.99
    assert 0.7 < np.mean(scatters) < 1.3


def test_a_planted_effect_is_called_out_and_no_other() -> None:
    effects = np.zeros((THINGS, LEVELS))
    effects[2] = [0.15, -0.05, -0.05, -0.05]
    each = found(np.random.default_rng(3), effects)
    strongest = each.together[2][0]
    assert strongest.low > 0
    assert strongest.low <= 0.15 <= strongest.high
    rows = [r for r in range(THINGS) if claims((each.together[r],))]
    assert rows == [2]
    assert 0 < each.shrunk[2][0].value < strongest.value


def test_each_cell_alone_is_the_difference_against_the_rest() -> None:
    rng = np.random.default_rng(4)
    n, rest_n = (rng.integers(1, 4, (50, 3, 2)).astype(float) for _ in range(2))
    t, rest_t = rng.random((50, 3, 2)) * n, rng.random((50, 3, 2)) * rest_n
    each = crossed(n, t, rest_n, rest_t, ["a", "b"])
    for r in range(3):
        for k in range(2):
            sums = (values[:, r, k][:, None] for values in (n, t, rest_n, rest_t))
            assert each.alone[r][k] == against_rest(*sums)[0][0]
            assert each.together[r][k].low < each.alone[r][k].low


def test_families_are_shrunk_apart() -> None:
    """Two levels vary much, two nothing: shrunk together the noise of the one keeps what the other varies."""
    rng = np.random.default_rng(5)
    effects = np.zeros((THINGS, LEVELS))
    effects[:, 0] = [0.08, -0.08, 0.07, -0.07, 0.06, -0.06]
    effects[:, 1] = -effects[:, 0]
    apart = found(rng, effects, ["varies", "varies", "doesn't", "doesn't"])
    assert apart.scatter["varies"] > 3 * apart.scatter["doesn't"]


def helped(rng: np.random.Generator, gains: np.ndarray) -> tuple[np.ndarray, ...]:
    """Rows and totals of things and levels, and of the rest: things raise the score by gains (R, L)."""
    n = np.full((BLOCKS, *gains.shape), 2.0)
    own, rest = (rng.normal(0, 1, n.shape) for _ in range(2))
    return n, own + n * gains, n, rest


def test_a_thing_that_helps_all_alike_suits_nobody() -> None:
    rng = np.random.default_rng(8)
    gains = np.zeros((THINGS, LEVELS))
    gains[1] = 0.6
    gains[3] = [0.6, 0, 0, 0]
    sums = helped(rng, gains)
    assert {r for r in range(THINGS) if claims((crossed(*sums, FACTIONS).together[r],))} == {1, 3}
    suits = beyond(*sums, FACTIONS)
    assert [r for r in range(THINGS) if claims((suits.together[r],))] == [3]
    first = suits.together[3][0]
    assert first.low <= 0.6 * (1 - 1 / LEVELS) <= first.high
    assert table(suits.alone, "value").sum(1) == pytest.approx(0)


def test_what_is_beyond_the_mean_is_claimed_no_more_often_than_promised() -> None:
    rng = np.random.default_rng(9)
    gains = np.repeat(rng.normal(0, 0.5, (THINGS, 1)), LEVELS, axis=1)
    wrong = [claims(beyond(*helped(rng, gains), FACTIONS).together) > 0 for _ in range(REPEATS)]
    assert np.mean(wrong) <= 0.05 + 3 * sqrt(0.05 * 0.95 / REPEATS)


def test_nothing_is_beyond_the_mean_of_one() -> None:
    sums = helped(np.random.default_rng(10), np.ones((THINGS, LEVELS)))
    found = beyond(*sums, ["a", "b", "b", "b"])
    assert np.isnan(table(found.alone, "value")[:, 0]).all()
    assert np.isfinite(table(found.together, "low")[:, 1:]).all()
    sums = tuple(values.copy() for values in sums)
    sums[2][:, 0, :3] = sums[3][:, 0, :3] = 0  # the first thing is known of the last level alone
    found = beyond(*sums, FACTIONS)
    assert not any(cell.known for cell in found.alone[0])
    assert all(cell.known for cell in found.alone[1])


def test_a_thing_that_lies_everywhere_has_no_effect_and_spoils_nobody_elses() -> None:
    rng = np.random.default_rng(6)
    n, wins = np.ones((40, 5, 1)), rng.random((40, 5, 1))
    own = rng.integers(0, 2, (40, 5, 1)).astype(float)
    own[:, 0] = 1
    each = crossed(own * n, own * wins, (1 - own) * n, (1 - own) * wins, ["faction"])
    assert not each.alone[0][0].known
    assert all(isnan(cells[0][0].value) for cells in (each.together, each.shrunk))
    assert all(row[0].sure for row in each.together[1:])


@pytest.mark.parametrize("families", [["a"], ["a", "b", "c"]])
def test_levels_without_a_family_are_refused(families: list[str]) -> None:
    values = np.ones((5, 3, 2))
    with pytest.raises(ValueError, match="levels"):
        crossed(values, values, values, values, families)


@pytest.mark.parametrize("seed", range(20))
def test_levels_that_differ_by_the_same_in_every_block_do_so_for_sure(seed: int) -> None:
    """Rounding leaves a variance a little below or above 0."""
    rng = np.random.default_rng(seed)
    n, rest_n, won, rest_won = (
        np.repeat(rng.integers(least, 3, (8, 3, 1)), 2, axis=2).astype(float) for least in (1, 1, 0, 0)
    )
    won[:, :, 1] += 0.1 * n[:, :, 1]
    for first, second in beyond(n, won, rest_n, rest_won, ["faction"] * 2).alone:
        assert second.value - first.value == pytest.approx(0.1)
        assert max(first.se, second.se) < 1e-7
