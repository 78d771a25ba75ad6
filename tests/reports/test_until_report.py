"""Reports on runs that stopped when they knew enough: by which rule, and with intervals that allow it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reports.dei import contents, feat, header, market, mission, shares, tallies
from reports.dei.basis import ORDINALS, Basis, titles
from reports.document import Table
from simlab.goal import Cell, Family, goal_of
from simlab.results import open_run
from simlab.stats.intervals import Moments
from simlab.until import Until

MakeRun = Callable[..., Path]
EXPERIMENT: dict[str, Any] = {
    "name": "made_up",
    "seed": 1,
    "players": [4],
    "strategies": ["dei/greedy"],
    "factions": ["refuge_42", "farm_z", "ravagers", "auxilia"],
    "band": 3.0,
    "until": "decided",
    "rules": {},
    "handicaps": {},
}
ENDED: dict[str, Any] = {
    "met": True,
    "says": "stopped after 3,000 of at most 9,000 games: all is decided",
    "columns": ["faction", "seat"],
    "change": False,
    "level": 1 - 0.05 / 8,
    "half_width": 0.015,
}


@pytest.fixture(scope="module")
def stopped(written: MakeRun, tmp_path_factory: pytest.TempPathFactory) -> Basis:
    folder = tmp_path_factory.mktemp("stopped") / "made_up"
    return contents.basis(open_run(written(folder, blocks=750, experiment=EXPERIMENT, ended=ENDED)))


@pytest.fixture(scope="module")
def fixed(written: MakeRun, tmp_path_factory: pytest.TempPathFactory) -> Basis:
    folder = tmp_path_factory.mktemp("fixed") / "made_up"
    experiment = {key: value for key, value in EXPERIMENT.items() if key != "until"}
    return contents.basis(open_run(written(folder, blocks=750, experiment=experiment)))


def found(basis: Basis, column: str = "faction") -> tuple[shares.Share, ...]:
    if column == "seat":
        return shares.shares(basis, "seat", range(4), ORDINALS[:4], 4)
    return shares.shares(basis, "faction", basis.factions, titles(basis.factions), 4)


def rests_on(basis: Basis) -> dict[str, Any]:
    table = header.rests_on(basis)
    assert isinstance(table, Table)
    return dict(table.rows)


def test_it_says_by_which_rule_it_stopped(stopped: Basis, fixed: Basis) -> None:
    said = rests_on(stopped)["Stopped"]
    assert said.startswith(f"as soon as every faction and seat is decided; {ENDED['says']}. Win shares")
    assert "Stopped" not in rests_on(fixed)


@pytest.mark.parametrize("column", ["faction", "seat"])
def test_its_verdicts_are_those_that_it_stopped_by(stopped: Basis, column: str) -> None:
    """The run judges from its parts' sums, the report from all blocks at once."""
    asked = goal_of(
        Until(("faction", "seat"), change=False),
        EXPERIMENT,
        ["dei/greedy"],
        ["base"],
        {name: name for name in EXPERIMENT["factions"]},
    )

    def cells(family: Family) -> list[Cell]:
        blocks = tallies.blocks(stopped.run, family.column, family.levels, "win_share")
        return [
            Cell(Moments.of_blocks(blocks.counts[:, k], blocks.totals[:, k]))
            for k in range(len(family.levels))
        ]

    assert (asked.precision.level, asked.precision.half_width) == (ENDED["level"], ENDED["half_width"])
    items = asked.items(cells)
    kinds = [item.kind for item in (items[:4] if column == "faction" else items[4:])]
    reported = found(stopped, column)
    assert [each.verdict.kind for each in reported] == kinds
    halves = [(each.together.high - each.together.low) / 2 for each in reported]
    expected = items[:4] if column == "faction" else items[4:]
    assert halves == pytest.approx([item.half_width for item in expected])
    assert [each.verdict.more for each in reported] == pytest.approx([item.more for item in expected])


def test_its_intervals_are_wider_than_those_of_a_fixed_number_of_games(stopped: Basis, fixed: Basis) -> None:
    for one, other in zip(found(stopped), found(fixed), strict=True):
        assert one.alone.value == other.alone.value
        for wide, narrow in ((one.alone, other.alone), (one.together, other.together)):
            assert 1.2 < (wide.high - wide.low) / (narrow.high - narrow.low) < 2
            assert wide.low < narrow.low < narrow.high < wide.high


def test_a_column_that_was_not_asked_for_has_the_risk_of_its_own_levels(stopped: Basis) -> None:
    asked = stopped.precision("faction", 4)
    other = stopped.precision("strategy", 2)
    change = stopped.precision("faction", 4, change=True)
    assert asked is not None
    assert other is not None
    assert change is not None
    assert (asked.level, other.level, change.level) == (ENDED["level"], 0.975, 0.9875)


def test_one_that_was_interrupted_has_them_too(written: MakeRun, tmp_path: Path) -> None:
    until = {"metric": "faction.win_share", "half_width": 0.01}
    experiment = EXPERIMENT | {"until": until}
    basis = contents.basis(open_run(written(tmp_path / "made_up", experiment=experiment)))
    assert basis.precision("faction", 4) is not None
    said = rests_on(basis)["Stopped"]
    assert said.startswith("as soon as faction.win_share is known to ±1 points; it isn't finished. Win")


def test_no_game_finished(written: MakeRun, tmp_path: Path) -> None:
    run = written(tmp_path / "made_up", blocks=2, irregular=8, experiment=EXPERIMENT, ended=ENDED)
    assert all(not each.alone.known for each in found(contents.basis(open_run(run))))


# --- what else is claimed ---------------------------------------------------------------------------------


def test_feats_and_what_is_hardly_used_are_judged_by_sequences_too(written: MakeRun, tmp_path: Path) -> None:
    """Beside the same games as if their number had been fixed: what claims rest on is wider."""
    run = written(tmp_path / "made_up", blocks=400, experiment=EXPERIMENT, ended=ENDED, full=True)
    opened = open_run(run)
    experiment = {key: value for key, value in EXPERIMENT.items() if key != "until"}
    fixed_ = replace(open_run(run), manifest={**opened.manifest, "experiment": experiment})
    one, other = contents.basis(opened), contents.basis(fixed_)
    compared = [
        *zip(feat.worths(one, 4), feat.worths(other, 4), strict=True),
        *zip(market.taken(one, 4), market.taken(other, 4), strict=True),
        *zip(mission.completed(one, 4), mission.completed(other, 4), strict=True),
    ]
    told = 0
    for wide, narrow in compared:
        for name in ("win", "together") if isinstance(wide, feat.Worth) else ("taken",):
            found, fixed = getattr(wide, name), getattr(narrow, name)
            assert found.value == fixed.value
            if found.sure and fixed.sure and fixed.se > 0:
                assert found.high - found.low > fixed.high - fixed.low
                told += 1
    assert told > 30
    kinds = {each.verdict.kind for each in feat.worths(one, 4)}
    assert kinds <= {"balanced", "unbalanced", "undecided"}
