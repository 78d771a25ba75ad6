"""Arms: resolved as experiments are, played on the same deals, only where they can change anything."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from fake_game import GAME_OF_CHANCE, may_bite, strategy
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab import catalog, runs
from simlab.arm_play import SAMPLE
from simlab.design import design_of
from simlab.errors import ExperimentError, RunError
from simlab.experiment import Experiment, load
from simlab.results import open_run
from simlab.toml import dumps

BASE = """
name = "toy"
game = "fake"
seed = 1
games = 480
players = [2, 4]
strategies = ["fake/first", "fake/second"]
"""
ARMS = """
[arms.longer]
rules = { turns = 5 }

[arms.shorter]
rules = { turns = 2 }

[arms.paper]
pack = { share_assumed = 0.25 }
"""
AGAIN = """
[arms.again]
noise = 1

[arms.once_more]
noise = 2

[arms.longer_again]
rules = { turns = 5 }
noise = 1
"""
SWEEP = """
[arms.turns]
sweep = { key = "rules.turns", values = [5, 4, 2] }
"""


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    play_with(monkeypatch, GAME_OF_CHANCE)


def play_with(monkeypatch: pytest.MonkeyPatch, game: object, looks_in_play_only: bool = False) -> None:
    monkeypatch.setattr(catalog, "game", lambda name: game)
    monkeypatch.setattr(
        catalog,
        "strategy",
        lambda name, game: dataclasses.replace(
            strategy(name, games_per_part=200), looks_in_play_only=looks_in_play_only
        ),
    )


def experiment(text: str = BASE + ARMS, **overrides: int) -> Experiment:
    file = Path("toy.toml")
    file.write_text(text, encoding="utf-8")
    return load(file, **overrides)


def played(made: Experiment, out: str, workers: int = 1) -> Path:
    plan = runs.plan(made, Path(out))
    runs.play(plan, workers, quiet=True)
    return plan.folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def hashes(folder: Path) -> dict[int, list[tuple[int, int, int, int]]]:
    """By arm: block, rotation, players and hash of each game, in order."""
    rows = (
        open_run(folder)
        .sql("SELECT arm, block, rotation, players, game_hash FROM games ORDER BY arm, game")
        .fetchall()
    )
    found: dict[int, list[tuple[int, int, int, int]]] = {}
    for arm, *row in rows:
        found.setdefault(arm, []).append(tuple(row))
    return found


# --- what arms are ------------------------------------------------------------------------------------


def test_an_arm_is_the_base_with_what_it_says() -> None:
    made = experiment(BASE + "[rules]\nturns = 5\n" + "[arms.usual]\nrules = { turns = 4 }\n")
    base, usual = made.settings_by_arm
    assert base.rules["turns"] == 5
    assert GAME_OF_CHANCE.resolve_rules(usual.rules)["turns"] == 4
    assert made.arms.names == ("base", "usual")
    assert made.resolved()["arms"] == {"usual": {"rules": {"turns": 4}}}


def test_a_sweep_is_an_arm_a_value_but_the_bases() -> None:
    made = experiment(BASE + SWEEP)
    assert made.arms.names == ("base", "turns=5", "turns=2")
    assert [arm.value for arm in made.arms.others] == [5, 2]
    assert made.arms.sweeps[0].base == 4
    assert [settings.rules.get("turns", 4) for settings in made.settings_by_arm] == [4, 5, 2]


@pytest.mark.parametrize("text", [BASE + ARMS, BASE + SWEEP, BASE + AGAIN, 'base = "as_is"\n' + BASE + ARMS])
def test_the_resolved_form_is_a_file_that_means_the_same(text: str) -> None:
    made = experiment(text)
    again = experiment(dumps(made.resolved()))
    assert again.resolved() == made.resolved()
    assert again.settings_by_arm == made.settings_by_arm
    assert again.run_hash(["h"], "s") == made.run_hash(["h"], "s")


def test_arms_and_their_names_change_the_runs_hash() -> None:
    texts = [
        BASE,
        BASE + ARMS,
        BASE + SWEEP,
        BASE + ARMS.replace("longer", "long"),
        'base = "b"\n' + BASE + ARMS,
        BASE + AGAIN,
        BASE + AGAIN.replace("noise = 2", "noise = 3"),
    ]
    found = [experiment(text).run_hash(["h"], "s") for text in texts]
    assert len(set(found)) == len(texts)


def test_the_design_without_arms_is_the_base() -> None:
    one, three = (design_of(7, [2, 3], range(4), [600, 600], [0] * arms) for arms in (1, 3))
    (alone,) = (one.schedule(part) for part in one.parts(12)[:1])
    with_arms = np.concatenate([three.schedule(part) for part in three.parts(12)])
    assert three.games_in_cycle == 3 * one.games_in_cycle
    for arm in range(3):
        mine = with_arms[with_arms["arm"] == arm][: len(alone)]
        assert (mine["game"] == 3 * alone["game"] + arm).all()
        for name in alone.dtype.names:
            if name not in {"game", "arm"}:
                assert (mine[name] == alone[name]).all(), name
    rows = [three.row_of(int(game))[0] for game in with_arms["game"][::17]]
    assert all(row == with_arms[with_arms["game"] == row["game"]][0] for row in rows)


def test_an_arm_may_have_another_noise_and_nothing_else() -> None:
    made = experiment(BASE + AGAIN)
    assert made.arms.noise == (0, 1, 2, 1)
    assert made.resolved()["arms"]["again"] == {"noise": 1}
    base, again, once_more, longer_again = made.settings_by_arm
    assert again == once_more == base != longer_again


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("noise = 0", "noise must be from 1 to"),
        ("noise = true", "noise must be a whole number"),
        ("noise = 1\n[arms.same]\nnoise = 1", "mean the same games"),
        ('sweep = { key = "noise", values = [1, 2] }', "key must read such as rules.turns"),
    ],
)
def test_a_noise_without_effect_or_sense_is_refused(written: str, says: str) -> None:
    with pytest.raises(ExperimentError, match=says):
        experiment(BASE + f"[arms.x]\n{written}\n")


@given(
    noise=st.lists(st.integers(1, 2**31 - 1), min_size=1, max_size=4, unique=True),
    players=st.sampled_from([(2,), (2, 3), (4,)]),
)
@settings(max_examples=20)
def test_another_noise_changes_the_strategies_keys_alone(noise: list[int], players: tuple[int, ...]) -> None:
    made = design_of(7, players, range(4), [600, 600], [0, *noise])
    schedule = made.schedule(made.parts(24)[0])
    alone = design_of(7, players, range(4), [600, 600])
    by_arm = [schedule[schedule["arm"] == arm] for arm in range(made.arms)]
    plain = alone.schedule(alone.parts(24)[0])
    least = min(len(plain), len(by_arm[0]))
    assert (by_arm[0]["strategy_key"][:least] == plain["strategy_key"][:least]).all()
    keys = np.concatenate([rows["strategy_key"] for rows in by_arm])
    assert len(np.unique(keys)) == len(keys)
    for rows in by_arm[1:]:
        for name in set(rows.dtype.names) - {"game", "arm", "strategy_key"}:
            assert (rows[name] == by_arm[0][name]).all(), name
    assert made.row_of(int(by_arm[1]["game"][3])) == by_arm[1][3]


# --- how they are played ------------------------------------------------------------------------------


def test_every_arm_plays_the_bases_deals() -> None:
    alone, with_arms = hashes(played(experiment(BASE), "alone")), hashes(played(experiment(), "arms"))
    assert sorted(with_arms) == [0, 1, 2, 3]
    assert with_arms[0] == alone[0]
    same = [np.mean([a == b for a, b in zip(with_arms[0], with_arms[arm], strict=True)]) for arm in (1, 2, 3)]
    assert same[2] == 1  # what nobody looks at changes exactly nothing
    assert 0 < same[1] < same[0] < 1  # the rule changes every fourth deal, or every second
    assert [row[:3] for row in with_arms[1]] == [row[:3] for row in with_arms[0]]


def test_games_count_for_each_arm() -> None:
    folder = played(experiment(games=100), "run")
    counts = open_run(folder).manifest["counts"]
    assert counts["games"] == 4 * 2 * 100
    assert counts["players"] == {"2": 400, "4": 400}
    assert open_run(folder).manifest["experiment"]["games"] == 100
    assert [arm["name"] for arm in open_run(folder).manifest["arms"]] == [
        "base",
        "longer",
        "shorter",
        "paper",
    ]


@pytest.mark.parametrize("text", [BASE + ARMS, BASE + AGAIN])
def test_any_number_of_workers_and_a_run_that_was_extended_give_the_same_bytes(text: str) -> None:
    folders = [played(experiment(text), f"w{workers}", workers) for workers in (1, 2, 5)]
    played(experiment(text, games=300), "extended")
    folders.append(played(experiment(text), "extended"))
    assert len(open_run(folders[0]).manifest["parts"]) > 5
    assert all(contents(folder) == contents(folders[0]) for folder in folders)


def test_what_an_arm_cannot_change_is_not_played_and_comes_out_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    every = played(experiment(), "every")
    games = []

    def counting(settings: object, schedule: np.ndarray, *rest: object) -> object:
        games.append(len(schedule))
        return GAME_OF_CHANCE.play(settings, schedule, *rest)

    play_with(monkeypatch, dataclasses.replace(GAME_OF_CHANCE, play=counting, may_bite=may_bite), True)
    some = played(experiment(), "some")
    assert contents(some) == contents(every)
    total = open_run(some).manifest["counts"]["games"]
    bitten = (0.25, 0.5, 1 / SAMPLE)  # of the arms' games, about
    assert sum(games) == pytest.approx(total / 4 * (1 + sum(bitten)), rel=0.15)


def test_another_noise_is_played_everywhere_and_the_base_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    play_with(monkeypatch, dataclasses.replace(GAME_OF_CHANCE, may_bite=may_bite), True)
    alone, found = hashes(played(experiment(BASE), "alone")), hashes(played(experiment(BASE + AGAIN), "run"))
    assert found[0] == alone[0]
    for one, other in ((0, 1), (0, 2), (1, 2), (1, 3)):
        same = [a == b for a, b in zip(found[one], found[other], strict=True)]
        assert np.mean(same) == pytest.approx(0.75 if (one, other) == (1, 3) else 0.0, abs=0.1)
    arms = open_run(Path("run")).manifest["arms"]
    assert [arm.get("noise") for arm in arms] == [None, 1, 2, 1]


def test_who_looks_elsewhere_has_all_games_played(monkeypatch: pytest.MonkeyPatch) -> None:
    games = []

    def counting(settings: object, schedule: np.ndarray, *rest: object) -> object:
        games.append(len(schedule))
        return GAME_OF_CHANCE.play(settings, schedule, *rest)

    def nowhere(base: object, arm: object, schedule: np.ndarray, logs: object) -> np.ndarray:
        return np.zeros(len(schedule), bool)

    play_with(monkeypatch, dataclasses.replace(GAME_OF_CHANCE, play=counting, may_bite=nowhere), False)
    folder = played(experiment(), "run")
    assert sum(games) == open_run(folder).manifest["counts"]["games"]


def test_a_strategy_that_looks_elsewhere_and_denies_it_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(base: object, arm: object, schedule: np.ndarray, logs: object) -> np.ndarray:
        return np.zeros(len(schedule), bool)

    play_with(monkeypatch, dataclasses.replace(GAME_OF_CHANCE, may_bite=nowhere), True)
    with pytest.raises(RunError, match=r"arm 1 changes game \d+, .* \(looks_in_play_only\)"):
        played(experiment(), "run")


def test_a_band_is_not_moved_once_games_are_there() -> None:
    folder = played(experiment(games=8), "run")
    wider = experiment(BASE.replace("games = 480", "games = 8\nband = 3") + ARMS)
    with pytest.raises(RunError, match="was begun with band = 2, not 3"):
        played(wider, "run")
    assert open_run(folder).manifest["experiment"]["band"] == 2


def test_others_play_the_same_in_runs_of_their_own() -> None:
    made = experiment(BASE.replace("players", 'also_by = [["fake/second"]]\nplayers') + ARMS)
    (other,) = made.also_by
    assert other.strategies == ("fake/second",)
    assert other.arms.names == made.arms.names
    assert other.also_by == ()
    assert made.resolved()["also_by"] == [["fake/second"]]
    assert experiment(dumps(made.resolved())).resolved() == made.resolved()
    assert made.run_hash(["h"], "s") == experiment().run_hash(["h"], "s")
