"""Choice models: known truth, another program's answers, closed forms, data without a finite answer."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit

from simlab.stats import simultaneous
from simlab.stats.choice_model import contrast, contrasts, fit, standardised
from simlab.stats.choice_sets import Choices, exploded

Misses = Callable[[int, float], float]
TRUTH = np.array([0.0, 0.4, 0.9, -0.5])
SEATS = np.array([0.0, 0.3, -0.2])


def ladder(
    rng: np.random.Generator, blocks: int, games: int = 4, players: int = 3, luck: float = 0.0
) -> dict[str, Any]:
    """Rankings of three of four strategies in three seats, by Gumbel draws; a block shares its luck.

    A block is one trio; `luck` is the standard deviation of what its deal adds to a strategy.
    """
    trio = np.array([rng.choice(4, players, replace=False) for _ in range(blocks)])
    item = np.repeat(trio, games, axis=0)
    seat = (np.arange(players) + np.arange(len(item))[:, None]) % players
    lucky = np.repeat(rng.normal(0, luck, (blocks, 4)), games, axis=0)
    strength = TRUTH[item] + SEATS[seat] + np.take_along_axis(lucky, item, axis=1)
    drawn = strength + rng.gumbel(size=item.shape)
    place = 1 + np.argsort(np.argsort(-drawn, axis=1), axis=1)
    x = np.concatenate([np.eye(4)[item.ravel()], np.eye(players)[seat.ravel()]], axis=1)
    sets = np.repeat(np.arange(len(item)), players)
    return {"x": x, "places": place.ravel(), "sets": sets, "blocks": sets // games}


def firsts(data: dict[str, Any]) -> Choices:
    return Choices.of_rows(data["x"], data["places"] == 1, data["sets"], data["blocks"])


def difference(i: int, j: int, k: int) -> np.ndarray:
    c = np.zeros(k)
    c[i], c[j] = 1, -1
    return c


def pairs(results: dict[tuple[int, int], tuple[int, int]], items: int) -> Choices:
    """Duels: (i, j) → wins of i, wins of j; each game a block of its own."""
    rows, won = [], []
    for (i, j), (wins, losses) in results.items():
        for first in [1] * wins + [0] * losses:
            rows += [i, j]
            won += [first, 1 - first]
    sets = np.repeat(np.arange(len(rows) // 2), 2)
    return Choices.of_rows(np.eye(items)[rows], won, sets, sets)


@pytest.mark.parametrize("model", [firsts, lambda data: exploded(**data)], ids=["firsts", "rankings"])
def test_planted_strengths_come_back(model: Callable[[dict[str, Any]], Choices]) -> None:
    fitted = fit(model(ladder(np.random.default_rng(1), 3_000)))
    for i in range(1, 4):
        found = contrast(fitted, difference(i, 0, 7))
        assert found.value == pytest.approx(TRUTH[i], abs=3.5 * found.se)
        assert 0 < found.se < 0.06
    for seat in (1, 2):
        found = contrast(fitted, difference(4 + seat, 4, 7))
        assert found.value == pytest.approx(SEATS[seat], abs=3.5 * found.se)


def test_rankings_say_more_than_firsts() -> None:
    data = ladder(np.random.default_rng(2), 500)
    c = difference(2, 3, 7)
    assert contrast(fit(exploded(**data)), c).se < 0.85 * contrast(fit(firsts(data)), c).se


def test_as_statsmodels() -> None:
    models = pytest.importorskip("statsmodels.discrete.conditional_models")
    data = ladder(np.random.default_rng(3), 60)
    theirs = models.ConditionalLogit(
        (data["places"] == 1).astype(int), np.delete(data["x"], [0, 4], axis=1), groups=data["sets"]
    ).fit(method="newton", disp=False)
    fitted = fit(firsts(data))
    ours = [contrast(fitted, difference(i, 0, 7)).value for i in (1, 2, 3)]
    ours += [contrast(fitted, difference(i, 4, 7)).value for i in (5, 6)]
    assert ours == pytest.approx(list(theirs.params), abs=1e-6)


def test_two_alternatives_by_hand() -> None:
    fitted = fit(pairs({(0, 1): (30, 70)}, 2))
    found = contrast(fitted, [1, -1])
    assert found.value == pytest.approx(logit(0.3))
    assert found.se == pytest.approx(np.sqrt(1 / (0.3 * 0.7 * 100)) * np.sqrt(100 / 99))
    assert standardised(fitted, [[[1, 0], [0, 1]]]).value == pytest.approx(0.3)
    assert (found.n, found.clusters) == (100, 100)


def test_paper_scissors_stone_are_equally_strong() -> None:
    fitted = fit(pairs({(0, 1): (9, 1), (1, 2): (9, 1), (2, 0): (9, 1)}, 3))
    assert [contrast(fitted, difference(i, 0, 3)).value for i in (1, 2)] == pytest.approx([0, 0], abs=1e-9)


def test_tied_alternatives_share_their_place() -> None:
    x, nothing = np.eye(3), np.zeros(3)
    tied = exploded(x, [1, 1, 3], nothing, nothing)
    assert (tied.won.tolist(), tied.weight.tolist()) == ([0.5, 0.5, 0], [2])
    second = exploded(x, [1, 2, 2], nothing, nothing)
    assert second.won.tolist() == [1, 0, 0, 0.5, 0.5]
    assert second.weight.tolist() == [1, 2]


def test_sets_of_the_same_alternatives_are_merged_whatever_the_order_of_their_rows() -> None:
    x = np.array([[1.0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [0, 1], [1, 1], [0, 1]])
    rows = Choices.of_rows(x, [1, 0, 0, 1, 0, 1, 1, 0], np.arange(8) // 2, np.arange(8) // 4)
    merged = rows.merged(by_block=False)
    assert sorted(merged.weight) == [1, 3]
    start = merged.start[np.argmax(merged.weight)]
    found = {tuple(merged.x[k]): merged.won[k] for k in (start, start + 1)}
    assert found == {(1, 0): pytest.approx(2 / 3), (0, 1): pytest.approx(1 / 3)}
    apart = rows.merged(by_block=True)
    assert sorted(zip(apart.weight, apart.block, strict=True)) == [(1, 1), (1, 1), (2, 0)]


# Fixed beforehand, as in test_intervals.py: 6 % misses are granted, and 3.1 standard deviations beyond.
REPETITIONS = 400


def test_intervals_cover_on_dependent_blocks_and_naive_ones_do_not(allowed_misses: Misses) -> None:
    rng = np.random.default_rng(4)
    c = difference(1, 0, 2)
    clustered = naive = 0
    for _ in range(REPETITIONS):
        won = np.repeat(rng.random(80) < 0.5, 4).astype(float)  # a block's four games go alike
        won = np.where(rng.random(320) < 0.1, rng.random(320) < 0.5, won)
        sets = np.repeat(np.arange(320), 2)
        x, both = np.tile(np.eye(2), (320, 1)), np.stack([1 - won, won], axis=1).ravel()
        good, bad = (fit(Choices.of_rows(x, both, sets, blocks)) for blocks in (sets // 4, sets))
        clustered += not contrast(good, c).low <= 0 <= contrast(good, c).high
        naive += not contrast(bad, c).low <= 0 <= contrast(bad, c).high
    assert REPETITIONS * 0.02 <= clustered <= allowed_misses(REPETITIONS, 0.06)
    assert naive > 2 * allowed_misses(REPETITIONS, 0.06)


def test_several_intervals_hold_together_and_single_ones_do_not(
    allowed_misses: Misses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simultaneous, "DRAWS", 4_000)  # enough here, and quicker
    rng = np.random.default_rng(5)
    c = np.stack([difference(i, j, 7) for i in range(4) for j in range(i)])
    truth = c[:, :4] @ TRUTH
    together = single = 0
    for _ in range(250):
        fitted = fit(exploded(**ladder(rng, 100, games=2)))
        together += any(not e.low <= t <= e.high for e, t in zip(contrasts(fitted, c), truth, strict=True))
        single += any(
            not e.low <= t <= e.high for e, t in zip((contrast(fitted, r) for r in c), truth, strict=True)
        )
    assert together <= allowed_misses(250, 0.06)
    assert single > allowed_misses(250, 0.10)


def test_order_and_names_change_nothing() -> None:
    data = ladder(np.random.default_rng(6), 100, luck=0.5)
    before = contrast(fit(exploded(**data)), difference(2, 1, 7))
    shuffled = np.random.default_rng(7).permutation(len(data["sets"]))
    moved = {name: column[shuffled] for name, column in data.items()}
    moved["x"] = moved["x"][:, [3, 2, 1, 0, 6, 4, 5]]
    moved["sets"], moved["blocks"] = 10_000 - moved["sets"], moved["blocks"] * 7 + 3
    after = contrast(fit(exploded(**moved)), difference(1, 2, 7))
    assert (after.value, after.se) == pytest.approx((before.value, before.se), rel=1e-6)


def test_data_twice_in_the_same_blocks_say_no_more_and_in_new_ones_do() -> None:
    data = ladder(np.random.default_rng(8), 100)
    c = difference(2, 1, 7)
    once = contrast(fit(exploded(**data)), c)

    def twice(blocks: int) -> Any:
        again = {name: np.concatenate([column, column]) for name, column in data.items()}
        half = len(data["sets"])
        again["sets"][half:] += 10_000
        again["blocks"][half:] += blocks
        return contrast(fit(exploded(**again)), c)

    assert (twice(0).value, twice(0).se) == pytest.approx((once.value, once.se), rel=1e-6)
    assert twice(10_000).se == pytest.approx(once.se / np.sqrt(2) * np.sqrt(200 / 199 * 99 / 100), rel=1e-6)
    weighted = firsts(data)
    doubled = Choices(weighted.x, weighted.won, weighted.start, 2 * weighted.weight, weighted.block)
    assert contrast(fit(doubled), c).se == pytest.approx(contrast(fit(weighted), c).se, rel=1e-6)


# --- no finite answer -------------------------------------------------------------------------------------


def test_who_always_wins_is_at_least_so_strong() -> None:
    fitted = fit(pairs({(0, 1): (50, 0)}, 2))
    found = contrast(fitted, [1, -1])
    assert (found.value, found.high) == (inf, inf)
    assert found.low == pytest.approx(logit(0.025 ** (1 / 50)), abs=1e-4)  # Clopper and Pearson's
    reverse = contrast(fitted, [-1, 1])
    assert (reverse.value, reverse.low, reverse.high) == (-inf, -inf, -found.low)


def test_a_bound_counts_the_games_of_a_block_between_the_same_two_once() -> None:
    data = pairs({(0, 1): (200, 0)}, 2)
    blocked = Choices(data.x, data.won, data.start, data.weight, data.block // 4)
    assert contrast(fit(blocked), [1, -1]).low == pytest.approx(logit(0.025 ** (1 / 50)), abs=1e-4)


def test_what_is_separated_leaves_the_rest_as_it_is() -> None:
    rest = pairs({(1, 2): (30, 70)}, 4)
    both = pairs({(0, 1): (40, 0), (0, 2): (40, 0), (1, 2): (30, 70)}, 4)
    alone, beside = contrast(fit(rest), difference(1, 2, 4)), contrast(fit(both), difference(1, 2, 4))
    assert beside.value == pytest.approx(alone.value, abs=1e-6)
    assert beside.se == pytest.approx(alone.se, rel=0.01)  # more blocks, so nearly
    top = contrast(fit(both), difference(0, 2, 4))
    assert (top.value, top.high) == (inf, inf)
    assert logit(0.025 ** (1 / 40)) < top.low < logit(0.025 ** (1 / 80))  # 40 wins say less, 80 more
    duel = standardised(fit(both), [np.eye(4)[[0, 2]]])
    assert (duel.value, duel.high) == pytest.approx((1, 1))
    assert duel.low == pytest.approx(expit(top.low))
    assert not standardised(fit(both), [np.eye(4)[[0, 1, 2]]]).sure


def test_a_chain_of_certain_wins_is_a_chain() -> None:
    fitted = fit(pairs({(0, 1): (20, 0), (1, 2): (20, 0)}, 3))
    for i, j in ((0, 1), (1, 2), (0, 2)):
        found = contrast(fitted, difference(i, j, 3))
        assert found.value == inf
        assert found.low > 0


def test_what_never_met_is_not_known() -> None:
    fitted = fit(pairs({(0, 1): (6, 4), (2, 3): (5, 5)}, 5))
    assert contrast(fitted, difference(2, 3, 5)).value == pytest.approx(0)
    for i, j in ((0, 2), (0, 4)):
        found = contrast(fitted, difference(i, j, 5))
        assert isnan(found.value)
        assert not found.sure
    assert not standardised(fitted, [np.eye(5)[[0, 4]]]).sure
    both_always_won = fit(pairs({(0, 2): (9, 0), (1, 2): (9, 0)}, 3))
    assert isnan(contrast(both_always_won, difference(0, 1, 3)).value)


def test_nothing_at_all() -> None:
    empty = fit(exploded(np.zeros((0, 3)), [], [], []))
    assert isnan(contrast(empty, [1, -1, 0]).value)
    alone = fit(Choices.of_rows(np.eye(3)[:1], [1], [0], [0]))
    assert isnan(contrast(alone, [1, -1, 0]).value)
    assert isnan(contrast(fit(pairs({(0, 1): (1, 0)}, 2)), [0, 1]).value)  # its level is free


def test_blocks_that_all_go_alike_have_no_spread_and_still_an_interval() -> None:
    won = np.tile([1.0, 0, 0, 1], 40)
    sets = np.repeat(np.arange(80), 2)
    fitted = fit(Choices.of_rows(np.tile(np.eye(2), (80, 1)), won, sets, sets // 2))
    found = contrast(fitted, [1, -1])
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.se == pytest.approx(np.sqrt(4 / 40))  # as if each block were one game


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"won": [1, 1]}, "add up to 1"),
        ({"blocks": [0, 1]}, "one block"),
        ({"won": [1]}, "a row each"),
    ],
)
def test_rows_that_make_no_sets_are_refused(change: dict[str, Any], reason: str) -> None:
    given = {"x": np.eye(2), "won": [1, 0], "sets": [0, 0], "blocks": [0, 0]} | change
    with pytest.raises(ValueError, match=reason):
        Choices.of_rows(**given)


def test_standardised_shares_are_means_over_the_tables() -> None:
    fitted = fit(exploded(**ladder(np.random.default_rng(9), 2_000, luck=0.3)))
    x = np.eye(7)
    tables = [[x[2] + x[4], x[1] + x[5]], [x[2] + x[5], x[1] + x[4]]]
    found = standardised(fitted, tables)
    b = fitted.coefficients
    by_hand = [1 / (1 + np.exp(b @ (t[1] - t[0]))) for t in tables]
    assert found.value == pytest.approx(np.mean(by_hand))
    nudged = 1e-5

    def mean_share(beta: np.ndarray) -> float:
        return float(np.mean([1 / (1 + np.exp(beta @ (t[1] - t[0]))) for t in tables]))

    slope = np.array([(mean_share(b + nudged * e) - mean_share(b - nudged * e)) / (2 * nudged) for e in x])
    assert found.se == pytest.approx(np.sqrt(slope @ fitted.covariance @ slope), rel=1e-4)
    assert found.low < found.value < found.high
