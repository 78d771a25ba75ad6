"""Knock-outs on a game whose truth is known: what is played again, what must come out alike."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from fake_game import GAME_OF_CHANCE, LOG, outcome, strategy, tables_of

from simlab import catalog, runs
from simlab.design import draw
from simlab.errors import RunError, UsageError
from simlab.experiment import Experiment, load
from simlab.game import Column, KnockOuts, Settings, Table
from simlab.results import ARM, BLOCK, GAME, SEAT, arrow, open_run, texts

if TYPE_CHECKING:
    import pyarrow as pa

TEXT = """
name = "toy"
game = "fake"
seed = 1
games = 400
players = 4
strategies = ["fake/first"]

[knock_outs]
coins = true
"""
KNOCK_OUTS = Table(
    "knock_outs",
    "one row a game played again",
    (
        GAME,
        BLOCK,
        ARM,
        Column("thing", "string", "", "what"),
        SEAT,
        Column("used", "bool", "", "whether"),
        Column("gain", "int64", "", "difference of the hashes"),
    ),
)
COINS = tuple(f"coin-{number}" for number in range(200))  # more than a column of words may have


def used(settings, schedule, logs, kind, name):
    """A seat holds a coin in one game of eight, by a hash of the deal; it could in half of them."""
    chosen = draw(
        schedule["deal_key"][:, None], COINS.index(name), np.arange(6), schedule["rotation"][:, None]
    )
    return chosen % 8 == 0, chosen % 2 == 0


def play(settings, schedule, strategies, checkpoint=lambda: None):
    """A game's hash, less by 1 without a coin that a seat holds; a dishonest strategy does more."""
    logs = np.zeros(len(schedule), LOG)
    logs["ending"], logs["ending_seat"] = 1, -1
    logs["game_hash"] = draw(schedule["strategy_key"], 95, 0, 0) >> 1
    for name, seats in settings.handicaps.items():
        held, _ = used(settings, schedule, None, "coins", name)
        logs["game_hash"] -= held[:, seats]
        if strategies[0].name == "fake/dishonest":
            logs["game_hash"] += (schedule["deal_key"] % 2 == 0) & ~held[:, seats]
    return logs


def rows(settings, schedule, strategies, logs, wanted, taken):
    columns = {name: schedule[name][taken.base] for name in ("game", "block", "arm")}
    columns["thing"] = texts(taken.thing, wanted["coins"])
    columns |= {"seat": taken.seat.astype(np.int8), "used": taken.used}
    columns["gain"] = logs["game_hash"][taken.base] - taken.logs["game_hash"]
    return arrow(KNOCK_OUTS, columns)


def without(settings: Settings, kind: str, name: str, seat: int) -> Settings:
    return dataclasses.replace(settings, handicaps={name: seat})


CAN = KnockOuts(
    kinds={"coins": "a coin"},
    table=KNOCK_OUTS,
    names=lambda settings, players, factions, kind: COINS[: 3 if len(players) > 1 else None],
    without=without,
    used=used,
    only_where_used=lambda settings: settings.rules.get("turns", 4) == 4,
    same=lambda before, after: before["game_hash"] == after["game_hash"],
    rows=rows,
)
COINAGE = dataclasses.replace(GAME_OF_CHANCE, play=play, outcome=outcome, tables_of=tables_of, knock_outs=CAN)


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "game", lambda name: COINAGE)
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    monkeypatch.setattr(
        catalog,
        "strategy",
        lambda name, game: dataclasses.replace(strategy(name), weighs_choices_alone=name != "fake/list"),
    )


def experiment(text: str = TEXT, **overrides: int) -> Experiment:
    Path("toy.toml").write_text(text, encoding="utf-8")
    return load("toy.toml", **overrides)


def table(made: Experiment, out: str, workers: int = 1) -> pa.Table:
    plan = runs.plan(made, Path(out))
    runs.play(plan, workers, quiet=True)
    return open_run(plan.folder).table("knock_outs")


def test_each_thing_is_taken_from_each_seat_that_used_it() -> None:
    made = experiment()
    found = table(made, "run")
    schedule = runs.plan(made, Path("run")).design
    games = np.concatenate([schedule.schedule(part) for part in schedule.parts(400)])
    expected = sum(int(used(None, games, None, "coins", coin)[0][:, :4].sum()) for coin in COINS)
    assert len(found) == expected > 10_000
    assert found["gain"].unique().to_pylist() == [1]
    assert found["used"].unique().to_pylist() == [True]
    assert len(found["thing"].unique()) == len(COINS)
    keys = found.select(["game", "thing", "seat"]).to_pandas()
    assert not keys.duplicated().any()
    assert keys["game"].is_monotonic_increasing


def test_nothing_depends_on_workers_parts_or_being_stopped() -> None:
    whole = table(experiment(), "one")
    assert whole.equals(table(experiment(), "two", workers=2))
    table(experiment(games=120), "later")
    assert whole.equals(table(experiment(), "later"))


def test_a_thing_by_name_is_played_as_among_all() -> None:
    every = table(experiment(), "all").to_pandas()
    few = table(experiment(TEXT.replace("true", '["coin-7", "coin-3"]')), "few").to_pandas()
    wanted = every[every["thing"].isin(["coin-3", "coin-7"])].reset_index(drop=True)
    assert len(few)
    assert few.equals(wanted)


@pytest.mark.parametrize(
    "change", [("fake/first", "fake/list"), ("[knock_outs]", "[rules]\nturns = 5\n[knock_outs]")]
)
def test_where_more_may_differ_all_is_played_that_could_be_used(change: tuple[str, str]) -> None:
    found = table(experiment(TEXT.replace(*change).replace("true", '["coin-7"]')), "run").to_pandas()
    share = found["used"].mean()
    assert 0.2 < share < 0.3  # one in eight of one in two
    assert set(found.loc[found["used"], "gain"]) == {1}
    assert set(found.loc[~found["used"], "gain"]) == {0}


def test_a_strategy_that_claims_to_weigh_choices_alone_is_found_out() -> None:
    with pytest.raises(
        RunError, match=r'taking coin-\d+ of seat \d changes game \d+, .*"fake/dishonest" hangs on'
    ):
        table(experiment(TEXT.replace("fake/first", "fake/dishonest")), "run")


def test_plain_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        catalog, "strategy", lambda name, game: dataclasses.replace(strategy(name), compiled=False)
    )
    with pytest.raises(
        UsageError, match=r'\[knock_outs\] asks for compiled strategies, .*"fake/first" is plain'
    ):
        runs.plan(experiment())


def test_what_is_taken_is_part_of_the_run_and_of_its_resolved_form() -> None:
    plans = [
        runs.plan(experiment(text)).hash
        for text in (TEXT, TEXT.replace("true", '["coin-1"]'), TEXT.partition("[knock_outs]")[0])
    ]
    assert len(set(plans)) == 3
    listed = ", ".join(f'"{coin}"' for coin in reversed(COINS))
    assert runs.plan(experiment(TEXT.replace("true", f"[{listed}]"))).hash == plans[0]
    assert experiment().resolved()["knock_outs"] == {"coins": True}
    assert experiment(TEXT.replace("true", '["coin-1"]')).resolved()["knock_outs"] == {"coins": ["coin-1"]}


def test_a_game_without_knock_outs_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_CHANCE)
    with pytest.raises(UsageError, match=r"\[knock_outs\] has no effect: nothing can be taken"):
        experiment()
