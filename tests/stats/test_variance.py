"""Parts of variance: planted ones come back, unbiased, with intervals that hold; what isn't there is 0."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from simlab.stats.variance import (
    BEYOND,
    DEAL,
    DEAL_AND_NOISE,
    DEAL_BOTH,
    DEAL_PLACE,
    DEAL_PLAYER,
    DEALT,
    NOISE,
    PLACE,
    SYSTEMATIC,
    Rounds,
    components,
)

P = 4
ORDERS = np.array([(0, *rest) for rest in permutations(range(1, P))])
PLACES = np.array([-3.0, -1.0, 1.0, 3.0])
FACTIONS = np.array([2.0, -2.0, 1.0, -1.0])
MEETING = np.outer([1.0, -1.0, 1.0, -1.0], [1.0, -1.0, -1.0, 1.0])
DEALS = {DEAL: 2.0, DEAL_PLACE: 1.5, DEAL_PLAYER: 1.0, DEAL_BOTH: 2.5}  # standard deviations
TREMBLE = 3.0


def truth(replicates: int = 2) -> dict[str, float]:
    """The parts' expectations as fractions: rows and columns of a table are all there are of them."""
    d, c, r, x = (DEALS[name] ** 2 for name in (DEAL, DEAL_PLACE, DEAL_PLAYER, DEAL_BOTH))
    free = (P - 1) / P
    deals = {
        DEAL: d + (c + r) / P + x / P**2,
        DEAL_PLACE: free * (c + x / P),
        DEAL_PLAYER: free * (r + x / P),
        DEAL_BOTH: free**2 * x,
    }
    found = {PLACE: PLACES.var(), "faction": FACTIONS.var(), BEYOND: np.square(MEETING).mean()}
    if replicates == 1:
        found |= {DEAL_AND_NOISE: sum(deals.values()) + TREMBLE**2}
    else:
        found |= deals | {NOISE: TREMBLE**2}
    total = sum(found.values())
    return {name: part / total for name, part in found.items()}


def planted(rng: np.random.Generator, blocks: int, replicates: int = 2) -> Rounds:
    kind = np.arange(blocks) % len(ORDERS)
    factions = ORDERS[kind]
    y = 50 + FACTIONS[factions][:, :, None] + PLACES + MEETING[factions]
    for name, shape in ((DEAL, (1, 1)), (DEAL_PLACE, (1, P)), (DEAL_PLAYER, (P, 1)), (DEAL_BOTH, (P, P))):
        y = y + DEALS[name] * rng.standard_normal((blocks, *shape))
    noise = TREMBLE * rng.standard_normal((replicates, *y.shape))
    return Rounds(y + noise, kind, {"faction": ORDERS})


def winners(score: np.ndarray) -> np.ndarray:
    """Win shares (A, B, P, P) from scores: the game of rotation r has the cells with row − column = r."""
    row, column = np.indices((P, P))
    won = np.zeros(score.shape)
    for rotation in range(P):
        rows, columns = (axis[(row - column) % P == rotation] for axis in (row, column))
        best = score[:, :, rows, columns].argmax(axis=2)
        a, b = np.indices(best.shape)
        won[a, b, rows[best], columns[best]] = 1.0
    return won


@pytest.mark.parametrize("replicates", [1, 2, 3])
def test_planted_parts_come_back(replicates: int) -> None:
    found = components(planted(np.random.default_rng(1), 6_000, replicates))
    assert found is not None
    assert list(found.parts) == list(truth(replicates))
    for name, part in truth(replicates).items():
        assert found.parts[name].value == pytest.approx(part, abs=4 * found.parts[name].se), name
        assert found.parts[name].se < 0.01
    for parts in (found.parts, found.sums):
        assert sum(each.value for each in parts.values()) == pytest.approx(1)


def test_the_total_is_the_variance_of_all_outcomes() -> None:
    rounds = planted(np.random.default_rng(2), 600)
    found = components(rounds, draws=2)
    assert found is not None
    assert found.total.value == pytest.approx(rounds.y.var(), rel=1e-2)
    assert found.total.n == rounds.y.size


@pytest.mark.parametrize("kinds", [1, 6])
def test_parts_are_unbiased_in_small_runs_and_intervals_hold(kinds: int) -> None:
    """120 runs of 120 blocks, of 6 kinds or of 36, of which each comes three or four times.

    A plain mean of squares would put the rest of them into what is systematic.
    """
    rng = np.random.default_rng(3)
    each = [planted(rng, 120) for _ in range(120)]
    if kinds > 1:  # the same players once more, under other numbers
        number, factors = np.arange(120) // 6 % kinds, {"faction": np.tile(ORDERS, (kinds, 1))}
        each = [Rounds(one.y, one.kind + 6 * number, factors) for one in each]
    runs = [components(one, seed=k, draws=100) for k, one in enumerate(each)]
    known = [run for run in runs if run is not None]
    assert len(known) == 120
    for name, part in truth().items():
        values, errors = (
            np.array([getattr(run.parts[name], what) for run in known]) for what in ("value", "se")
        )
        assert values.mean() == pytest.approx(part, abs=4 * values.std() / np.sqrt(len(known)) + 0.003), name
        assert values.std() / errors.mean() == pytest.approx(1, abs=0.3), name
        covered = np.mean([run.parts[name].low <= part <= run.parts[name].high for run in known])
        assert covered > 0.85, name  # percentile intervals of 120 blocks are a little short


def test_means_of_squares_alone_would_call_noise_systematic() -> None:
    rng = np.random.default_rng(4)
    kind = np.arange(60) % len(ORDERS)
    rounds = Rounds(rng.standard_normal((2, 60, P, P)), kind, {"faction": ORDERS})
    naive = np.mean([np.square(rounds.y[:, kind == k].mean(axis=(0, 1))).mean() for k in range(6)])
    found = components(rounds)
    assert found is not None
    assert naive > 0.03
    assert abs(found.sums[SYSTEMATIC].value) < 0.02


def test_a_game_of_pure_noise() -> None:
    rng = np.random.default_rng(5)
    won = winners(rng.standard_normal((2, 3_000, P, P)))
    found = components(Rounds(won, np.arange(3_000) % 6, {"faction": ORDERS}))
    assert found is not None
    assert found.total.value == pytest.approx(3 / 16)
    assert found.parts[NOISE].value == pytest.approx(1, abs=0.03)
    for name in (PLACE, "faction", BEYOND, DEAL_PLACE, DEAL_PLAYER, DEAL_BOTH):
        part = found.parts[name]
        assert abs(part.value) < 4 * part.se, name
    assert found.parts[DEAL].value == pytest.approx(0, abs=1e-12)  # each game has one winner


def test_a_game_that_the_deal_decides() -> None:
    rng = np.random.default_rng(6)
    won = winners(np.repeat(rng.standard_normal((1, 3_000, P, P)), 2, axis=0))
    found = components(Rounds(won, np.arange(3_000) % 6, {"faction": ORDERS}))
    assert found is not None
    assert found.parts[NOISE].value == pytest.approx(0, abs=1e-12)
    assert found.sums[DEALT].value == pytest.approx(1, abs=0.02)


def test_a_game_that_the_better_player_wins() -> None:
    score = np.broadcast_to(
        np.array([3.0, 1.0, 2.0, 0.0])[ORDERS[np.arange(60) % 6]][None, :, :, None], (1, 60, P, P)
    )
    found = components(Rounds(winners(score), np.arange(60) % 6, {"faction": ORDERS}))
    assert found is not None
    assert found.parts["faction"].value == pytest.approx(1)
    assert found.parts[DEAL_AND_NOISE].value == pytest.approx(0, abs=1e-12)


def test_names_of_players_and_order_of_blocks_change_nothing() -> None:
    rounds = planted(np.random.default_rng(7), 600)
    named = Rounds(rounds.y, (rounds.kind + 2) % 6, {"faction": 3 - np.roll(ORDERS, 2, axis=0)})
    one, other = components(rounds, draws=20), components(named, draws=20)
    assert one is not None
    assert other is not None
    assert {k: e.value for k, e in one.parts.items()} == pytest.approx(
        {k: e.value for k, e in other.parts.items()}
    )


def test_kinds_that_came_once_tell_nothing() -> None:
    rounds = planted(np.random.default_rng(8), 6)
    assert components(rounds) is None
    assert components(Rounds(rounds.y[:, :0], rounds.kind[:0], rounds.factors)) is None


def test_where_nothing_varies_there_are_no_parts() -> None:
    found = components(Rounds(np.ones((1, 60, P, P)), np.arange(60) % 6, {"faction": ORDERS}), draws=3)
    assert found is not None
    assert found.total.value == 0
    assert not any(part.known for part in (*found.parts.values(), *found.sums.values()))
