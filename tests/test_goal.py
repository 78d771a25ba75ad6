"""What a run with `until` asks for: its intervals, all together and looked at often, and verdicts on arms."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan

import numpy as np
import pytest

from simlab.experiment import of_mapping
from simlab.goal import KNOWN, LEAST_BLOCKS, Cell, Family, Goal, goal_of
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED
from simlab.stats.intervals import Moments
from simlab.until import Until

NAMES = ("red", "green", "blue", "grey")
LOOKS = np.unique(np.geomspace(LEAST_BLOCKS, 6_000, 25).astype(int)).tolist()
REPETITIONS = 200


@pytest.fixture
def allowed_misses() -> Callable[[int, float], float]:
    """3.1 standard deviations above what is expected, as in tests/stats."""
    return lambda repetitions, rate: (
        repetitions * rate + 3.1 * float(np.sqrt(repetitions * rate * (1 - rate)))
    )


def goal(until: Until, players: tuple[int, ...] = (4,), arms: tuple[str, ...] = ("base",)) -> Goal:
    experiment = {"players": list(players), "factions": list(NAMES), "band": 2.0}
    return goal_of(until, experiment, ["one", "other"], arms, dict(zip(NAMES, NAMES, strict=True)))


def looks(totals: np.ndarray) -> list[list[Moments]]:
    """The moments of each level, (blocks, K), of four rows a block, at each look."""
    first, second = np.cumsum(totals, axis=0), np.cumsum(totals**2, axis=0)
    return [
        [
            Moments(k, 4 * k, a, 16.0 * k, 4 * a, b)
            for a, b in zip(first[k - 1].tolist(), second[k - 1].tolist(), strict=True)
        ]
        for k in LOOKS
    ]


def test_stopped_when_known_the_intervals_of_all_factions_hold_together(
    allowed_misses: Callable[[int, float], float],
) -> None:
    rng = np.random.default_rng(151)
    truth = np.array([0.31, 0.24, 0.24, 0.21])
    asked = goal(Until(("faction",), change=False, half_width=0.015))
    missed = stopped = 0
    for _ in range(REPETITIONS):
        for moments in looks(rng.multinomial(4, truth, 6_000).astype(float)):
            if all(item.kind == KNOWN for item in asked.items(lambda _, m=moments: [Cell(x) for x in m])):
                found = [asked.precision.share(m, 4) for m in moments]
                stopped += 1
                missed += any(not e.low <= t <= e.high for e, t in zip(found, truth.tolist(), strict=True))
                break
    assert stopped == REPETITIONS
    assert missed <= allowed_misses(REPETITIONS, 0.05)


def test_on_the_edge_of_the_band_a_decision_is_seldom_made_however_often_one_looks(
    allowed_misses: Callable[[int, float], float],
) -> None:
    rng = np.random.default_rng(152)
    asked = goal(Until(("faction",), change=False))
    wrong = 0
    for _ in range(REPETITIONS):
        blocks = rng.multinomial(4, [0.27, 0.27, 0.23, 0.23], 6_000).astype(float)
        wrong += any(
            item.kind != UNDECIDED
            for moments in looks(blocks)
            for item in asked.items(lambda _, m=moments: [Cell(x) for x in m])
        )
    assert wrong <= allowed_misses(REPETITIONS, 0.05)


def test_the_horizon_depends_on_what_is_declared_alone() -> None:
    wide, narrow = (goal(Until(("faction",), change=False, half_width=h)) for h in (0.02, 0.01))
    assert narrow.precision.horizon(4) == pytest.approx(4 * wide.precision.horizon(4), rel=0.01)
    assert goal(Until(("faction", "seat"), change=False)).precision.half_width == 0.01  # half of the band


def test_everything_that_is_asked_for_has_its_part_of_the_risk() -> None:
    def parts(until: Until, *arguments: tuple) -> float:
        return 0.05 / (1 - goal(until, *arguments).precision.level)

    assert parts(Until(("faction",), change=False, half_width=0.01)) == pytest.approx(4)
    assert parts(Until(("faction", "seat"), change=False), (2, 4)) == pytest.approx(8 + 6)
    assert parts(Until(("faction", "seat"), change=True), (4,), ("base", "a", "b")) == pytest.approx(16)
    assert parts(Until(("strategy",), change=False, half_width=0.01), (4,), ("base", "a")) == pytest.approx(4)


def cells(means: dict[str, float], blocks: int = 4_000) -> Callable[[Family], list[Cell]]:
    """Changes of each level: means by name, 0 for the others."""

    def of(family: Family) -> list[Cell]:
        found = []
        for name in family.names:
            mean = means.get(name.partition(": ")[2], 0.0)
            totals = np.tile([4 * mean + 1, 4 * mean - 1], blocks // 2)
            found.append(Cell(Moments.of_blocks(np.full(blocks, 4), totals), blocks))
        return found

    return of


def test_an_arm_changes_the_balance_if_one_level_does_and_does_no_harm_if_none_does() -> None:
    asked = goal(Until(("faction", "seat"), change=True), arms=("base", "longer"))

    def verdict(means: dict[str, float], blocks: int = 4_000) -> tuple[str, str]:
        (item,) = asked.items(cells(means, blocks))
        return item.name, item.kind

    assert verdict({}) == ("longer", BALANCED)
    assert verdict({"red": 0.06, "the 2nd seat": 0.02}) == ("longer", UNBALANCED)
    assert verdict({"red": 0.02}) == ("longer", UNDECIDED)
    assert verdict({}, 100) == ("longer", UNDECIDED)


def test_what_is_missing_is_told_in_games_of_each_arm() -> None:
    asked = goal(Until(("faction", "seat"), change=True), arms=("base", "longer"))
    few, more = (asked.items(cells({}, blocks))[0] for blocks in (400, 4_000))
    assert (few.kind, more.more) == (UNDECIDED, 0)
    needed = 400 + few.more / 4
    assert asked.items(cells({}, 2 * round(needed / 2)))[0].kind == BALANCED
    assert isnan(asked.items(cells({}, LEAST_BLOCKS - 2))[0].more)
    (out,) = asked.items(cells({"red": 0.06, "blue": 0.0199}, 200))
    assert out.kind == UNDECIDED  # blue is on the edge, but red will settle it
    assert 0 < out.more < 10_000


def test_an_arm_of_another_noise_alone_is_no_question() -> None:
    names = ("base", "again", "short", "cubes=1")
    experiment = {"players": [4], "factions": list(NAMES), "band": 2.0}
    experiment["arms"] = {"again": {"noise": 1}, "short": {"noise": 1, "rules": {"turns": 3}}, "cubes": {}}

    def followed(until: Until) -> list[int]:
        asked = goal_of(until, experiment, ["one"], names, dict(zip(NAMES, NAMES, strict=True)))
        return [family.arm for family in asked.families]

    assert followed(Until(("faction",), change=True)) == [2, 3]
    assert followed(Until(("faction",), change=True, half_width=0.01)) == [1, 2, 3]
    assert followed(Until(("faction",), change=False)) == [0, 1, 2, 3]


def test_with_nothing_but_another_noise_the_base_is_decided() -> None:
    written = {"name": "x", "game": "dei", "seed": 1, "games": 8, "players": 4, "strategies": ["dei/greedy"]}
    arms = {"again": {"noise": 1}}
    for more, change in ({}, False), ({"short": {"rules": {"turns": 3}}}, True):
        until = of_mapping({**written, "until": "decided", "arms": {**arms, **more}}).until
        assert until is not None
        assert until.change == change
