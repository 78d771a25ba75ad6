"""Knock-outs: truth planted in a market where the rich buy more, oracles, negative controls, odd input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from simlab.stats.discoveries import screen
from simlab.stats.intervals import Estimate
from simlab.stats.knock_outs import FEW, KnockOuts, Worth, p_of_nothing, worths
from simlab.stats.simultaneous import p_values

Misses = Callable[[int, float], float]
SEATS = 4
# What each card of the made-up market gives its buyer, in Supplies; the last one harms. Nobody buys the 5th.
GIVES = np.array([6.0, 3.0, 0.0, -3.0, 0.0])
EASE = np.array([0.0, -1.0, 0.0, -0.5, -np.inf])  # how readily it is bought


@dataclass(frozen=True)
class Market:
    """Games with and without each card: (games, seats, cards) but `supplies` and `won`, (games, seats)."""

    bought: np.ndarray
    supplies: np.ndarray
    won: np.ndarray
    supplies_gain: np.ndarray
    won_gain: np.ndarray


def market(rng: np.random.Generator, games: int) -> Market:
    """Games of four seats. Who is rich buys more, and is ahead anyway: 5 Supplies a unit of wealth.

    What a card gives scatters by 2 around its mean; another course costs or brings 3 more, at random.
    """
    wealth = rng.normal(size=(games, SEATS, 1))
    chance = 1 / (1 + np.exp(-(EASE + 1.5 * wealth)))
    bought = rng.random((games, SEATS, len(GIVES))) < chance
    gives = bought * (GIVES + 2 * rng.normal(size=bought.shape))
    supplies = 40 + 5 * wealth[..., 0] + gives.sum(2) + 3 * rng.normal(size=(games, SEATS))
    supplies_gain = bought * (gives + 3 * rng.normal(size=bought.shape))
    won = _won(supplies)
    without = supplies[..., None] - supplies_gain  # of that seat alone; the others keep theirs
    best = np.sort(supplies, axis=1)
    rival = np.where(won, best[:, -2:-1], best[:, -1:])[..., None]
    return Market(bought, supplies, won, supplies_gain, won[..., None].astype(float) - (without > rival))


def _won(supplies: np.ndarray) -> np.ndarray:
    return np.asarray(supplies == supplies.max(axis=1, keepdims=True))


def sums(made: Market, value: str, rotations: int = 4) -> KnockOuts:
    """By block of `rotations` games and card."""

    def by_block(rows: np.ndarray) -> np.ndarray:
        return rows.reshape(-1, rotations * SEATS, len(GIVES)).sum(1)

    had = np.broadcast_to(getattr(made, value)[..., None], made.bought.shape).astype(float)
    ones, used = np.ones(made.bought.shape), made.bought.astype(float)
    gain = getattr(made, f"{value}_gain")
    return KnockOuts(*map(by_block, (ones, had, used, had * used, gain, used)))


def of(made: Market, value: str) -> tuple[Worth, ...]:
    return worths(sums(made, value), reach=1.0 if value == "won" else np.inf)


@pytest.fixture(scope="module")
def large() -> Market:
    return market(np.random.default_rng(91), 40_000)


def test_the_knock_out_finds_what_was_planted_and_the_association_does_not(large: Market) -> None:
    found = of(large, "supplies")
    for each, gives in zip(found[:4], GIVES, strict=False):
        assert each.users.difference.low - 0.05 < gives < each.users.difference.high + 0.05
        assert each.association.low > gives + 2  # negative control: wealth
    assert found[3].association.value > 0 > found[3].users.difference.high  # the harmful card looks good


def test_the_order_of_cards_by_association_is_not_that_of_their_worth(large: Market) -> None:
    found = of(large, "won")[:4]
    by_worth = sorted(range(4), key=lambda k: -found[k].users.difference.value)
    assert by_worth == [0, 1, 2, 3]
    assert abs(found[2].users.difference.value) < 0.02
    assert found[2].association.value > 0.1
    assert found[2].association.value > found[1].users.difference.value  # a blank above a good card's worth


def test_the_effect_a_seat_is_that_among_users_times_their_share(large: Market) -> None:
    for each in of(large, "won")[:4]:
        product = each.users.difference.value * each.used.value
        assert each.seats.difference.value == pytest.approx(product, abs=1e-15)


def test_as_instrumental_variables() -> None:
    """Bloom's estimate is two-stage least squares with the knock-out as the instrument of use."""
    iv = pytest.importorskip("linearmodels.iv")
    made = market(np.random.default_rng(92), 1_200)
    card, games = 0, len(made.won)
    with_it, gain = made.won.astype(float), made.won_gain[..., card]
    used = made.bought[..., card].astype(float)
    outcome = np.concatenate([with_it.ravel(), (with_it - gain).ravel()])
    treated = np.concatenate([used.ravel(), np.zeros(used.size)])
    assigned = np.repeat([1.0, 0.0], used.size)
    block = np.tile(np.repeat(np.arange(games) // 4, SEATS), 2)
    fit = iv.IV2SLS(outcome, np.ones(len(outcome)), treated, assigned).fit(
        cov_type="clustered", clusters=block, debiased=False
    )
    ours = of(made, "won")[card].users.difference
    assert ours.value == pytest.approx(float(fit.params["endog"]), rel=1e-9)
    small = sqrt(ours.clusters / (ours.clusters - 1))  # we correct for few blocks
    assert ours.se == pytest.approx(small * float(fit.std_errors["endog"]), rel=1e-6)


def test_intervals_cover(allowed_misses: Misses) -> None:
    truth = of(market(np.random.default_rng(93), 100_000), "won")
    missed = {"users": 0, "seats": 0, "supplies": 0}
    for seed in range(400):
        made = market(np.random.default_rng(1_000 + seed), 400)
        won, supplies = of(made, "won")[1], of(made, "supplies")[1].users.difference
        for which in ("users", "seats"):
            interval = getattr(won, which).difference
            missed[which] += not interval.low <= getattr(truth[1], which).difference.value <= interval.high
        missed["supplies"] += not supplies.low <= GIVES[1] <= supplies.high
    assert max(missed.values()) <= allowed_misses(400, 0.06)
    assert min(missed.values()) >= 400 * 0.02


def test_a_thing_nobody_uses_is_worth_exactly_nothing_a_seat_and_unknown_to_users(large: Market) -> None:
    nobody = of(large, "won")[4]
    assert (nobody.seats.difference.value, nobody.seats.difference.high) == (0, 0)
    assert nobody.seats.identical
    assert not nobody.users.difference.known
    assert isnan(nobody.p)
    assert not nobody.association.known
    assert not nobody.enough


def test_a_thing_that_changes_no_game_is_exactly_nothing() -> None:
    made = sums(market(np.random.default_rng(94), 800), "won")
    none = np.zeros_like(made.gain)
    blank = worths(KnockOuts(made.seats, made.total, made.users, made.users_total, none, none), reach=1.0)
    for each in blank[:4]:
        assert (each.users.difference.low, each.users.difference.high, each.p) == (0, 0, 1)
        assert each.users.identical
        assert each.association.known  # which knows nothing of it


def test_duplicate_blocks_halve_the_variance_and_order_does_not_matter() -> None:
    made = sums(market(np.random.default_rng(95), 1_600), "won")
    tables = list(vars(made).values())[:6]
    order = np.random.default_rng(96).permutation(len(made.seats))
    once = worths(made, reach=1.0)
    twice = worths(KnockOuts(*(np.r_[t, t] for t in tables)), reach=1.0)
    shuffled = worths(KnockOuts(*(t[order] for t in tables)), reach=1.0)
    turned = worths(KnockOuts(*(t[:, ::-1] for t in tables)), reach=1.0)
    for k in range(4):
        for which in ("users", "seats"):
            one, two = (getattr(found[k], which).difference for found in (once, twice))
            assert two.value == pytest.approx(one.value)
            assert two.se == pytest.approx(one.se / sqrt(2), rel=5e-3)
        assert shuffled[k].users.difference.se == pytest.approx(once[k].users.difference.se)
        assert turned[4 - k].users == once[k].users
        assert twice[k].association.se == pytest.approx(once[k].association.se / sqrt(2), rel=5e-3)


def test_others_that_foresee_the_thing_count_a_seat_but_not_among_users() -> None:
    made = sums(market(np.random.default_rng(97), 1_600), "supplies")
    tables = list(vars(made).values())[:6]
    more = made.seats - made.users
    found = worths(KnockOuts(*tables, 0.5 * more, more))
    plain = worths(KnockOuts(*tables))
    for k in range(4):
        assert found[k].users == plain[k].users
        added = 0.5 * (1 - plain[k].used.value)
        assert found[k].seats.difference.value == pytest.approx(plain[k].seats.difference.value + added)


def rare(rng: np.random.Generator, things: int, flips: float, blocks: int = 200) -> KnockOuts:
    """Things that do nothing on average: of four users a block a few change sides, either way alike."""
    changed = rng.binomial(4, flips / (4 * blocks), (blocks, things)).astype(float)
    gain = changed * rng.choice([-1.0, 1.0], changed.shape)
    users = np.full(changed.shape, 4.0)
    return KnockOuts(4 * users, users, users, 1.0 + np.maximum(gain, 0), gain, changed)


def test_few_changed_games_are_no_finding(allowed_misses: Misses) -> None:
    """With four changed blocks of 200 Student's t claims something in one case of eight."""
    tried, ours, plain = 0, 0, 0
    for seed in range(60):
        made = rare(np.random.default_rng(2_000 + seed), 20, 4.0)
        for k, each in enumerate(worths(made, reach=1.0)):
            if made.among_users(k).changed == 4:
                tried += 1
                ours += each.p <= 0.05
                plain += not each.users.difference.low <= 0 <= each.users.difference.high
    assert tried > 150
    assert ours <= allowed_misses(tried, 0.05)
    assert plain > allowed_misses(tried, 0.05)  # negative control
    assert binom.pmf(4, 4, 0.5) * 2 == 0.125


@pytest.mark.parametrize("flips", [6.0, 60.0])
def test_where_nothing_does_anything_a_claim_is_rare(flips: float, allowed_misses: Misses) -> None:
    claimed = naive = 0
    for seed in range(150):
        found = worths(rare(np.random.default_rng(3_000 + seed), 30, flips), reach=1.0)
        looked = screen([each.users.difference for each in found], [each.p for each in found])
        claimed += any(one.stands_out for one in looked)
        naive += any(each.p <= 0.05 for each in found)
    assert claimed <= allowed_misses(150, 0.05)
    assert naive > 150 * 0.3  # negative control: each by itself


def signals(rng: np.random.Generator, things: int = 50, se: float = 0.01) -> tuple[Any, list[Estimate]]:
    """One thing in five does something; estimates with normal errors."""
    truth = np.where(np.arange(things) % 5 == 0, rng.choice([-0.05, 0.05], things), 0.0)
    value = truth + se * rng.normal(size=things)
    return truth, [Estimate(x, se, x - 1.96 * se, x + 1.96 * se, 4_000, 1_000, 0.95) for x in value.tolist()]


@pytest.mark.parametrize("any_dependence", [False, True])
def test_false_claims_are_few_among_claims_and_picked_intervals_cover(any_dependence: bool) -> None:
    false, missed, plain, found = [], [], [], []
    for seed in range(300):
        truth, estimates = signals(np.random.default_rng(4_000 + seed))
        looked = screen(estimates, p_values(estimates, [0.0] * 50).tolist(), any_dependence=any_dependence)
        out = [k for k, one in enumerate(looked) if one.stands_out]
        claims = max(1, len(out))
        false.append(sum(truth[k] == 0 for k in out) / claims)
        picked = {k: looked[k].picked or estimates[k] for k in out}
        missed.append(sum(not e.low <= truth[k] <= e.high for k, e in picked.items()) / claims)
        chosen = [k for k, e in enumerate(estimates) if not e.low <= 0 <= e.high]
        plain.append(sum(truth[k] == 0 for k in chosen) / len(chosen))
        found.append(sum(truth[k] != 0 for k in out))
    room = 3.1 / np.sqrt(300)
    assert np.mean(false) <= 0.05 + room * np.std(false)
    assert np.mean(missed) <= 0.05 + room * np.std(missed)
    assert np.mean(plain) > 0.1  # negative control
    assert np.mean(found) > 8  # of ten


def test_adjusted_p_as_statsmodels_and_what_was_not_tested_is_in_no_family() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    _, estimates = signals(np.random.default_rng(98), 30)
    p = np.random.default_rng(99).random(30) ** 3
    p[[4, 17]] = np.nan
    known = ~np.isnan(p)
    for any_dependence, method in ((False, "fdr_bh"), (True, "fdr_by")):
        looked = screen(estimates, p.tolist(), any_dependence=any_dependence)
        theirs = multitest.multipletests(p[known], 0.05, method)
        assert np.array([one.adjusted for one in looked])[known] == pytest.approx(theirs[1])
        assert [one.stands_out for one in looked] == [
            bool(k and t) for k, t in zip(known, np.insert(theirs[0], [4, 16], [False, False]), strict=True)
        ]
    assert isnan(looked[4].adjusted)
    assert looked[4].picked is None
    assert not looked[4].shrunk.known


def test_each_kind_is_drawn_to_its_own_middle() -> None:
    rng = np.random.default_rng(100)
    value = np.r_[0.1 + 0.01 * rng.normal(size=8), -0.1 + 0.01 * rng.normal(size=8), 0.5]
    estimates = [Estimate(x, 0.01, x - 0.02, x + 0.02, 400, 100, 0.95) for x in value.tolist()]
    looked = screen(estimates, [0.01] * 17, ["card"] * 8 + ["feat"] * 8 + ["leader"])
    assert all(0.07 < one.shrunk.value < 0.13 for one in looked[:8])
    assert all(-0.13 < one.shrunk.value < -0.07 for one in looked[8:16])
    assert not looked[16].shrunk.known  # one alone has no middle
    assert np.ptp([one.shrunk.value for one in looked[:8]]) < np.ptp(value[:8])


def test_too_few_blocks_are_no_finding_whatever_they_show() -> None:
    few = np.ones((FEW - 1, 1))
    assert isnan(worths(KnockOuts(4 * few, few, few, few, few, few), reach=1.0)[0].p)
    enough = np.ones((FEW, 1))
    always = worths(KnockOuts(4 * enough, enough, enough, enough, enough, enough), reach=1.0)[0]
    assert always.p == 2.0 ** (1 - FEW)  # all agree: no spread, but signs can be counted
    assert always.users.difference.value == 1
    assert p_of_nothing(always.users, 3) == 0.25


def test_impossible_sums_are_refused() -> None:
    one = np.ones((5, 2))
    with pytest.raises(ValueError, match="more users than seats"):
        KnockOuts(one, one, 2 * one, one, one, one)
    with pytest.raises(ValueError, match="by block and thing"):
        KnockOuts(one[:, 0], one[:, 0], one[:, 0], one[:, 0], one[:, 0], one[:, 0])
    with pytest.raises(ValueError, match="took another course"):
        worths(KnockOuts(one, one, one, one, one, 0 * one))
