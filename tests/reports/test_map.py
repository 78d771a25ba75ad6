"""The map of a made-up run: planted numbers stand where they belong, on tiles and on a board."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from told import cell, estimate, table

import reports
from reports.document import Area, Figure, Map, Section
from reports.figures.plots import svg
from simlab.errors import UsageError

MakeRun = Callable[..., Path]
MOVES, MAJORITY = "Moves and resources by part of a tile", "Majority by part of a tile"


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory, written: Callable[..., Path]) -> Section:
    run = written(tmp_path_factory.mktemp("runs") / "tiles", blocks=40, irregular=2, full=True)
    (section,) = reports.compose(run, ["map"])
    return section


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory, written: Callable[..., Path]) -> Section:
    experiment = {"layout": "quick", "rules": {}}
    run = written(tmp_path_factory.mktemp("runs") / "board", blocks=5, full=True, experiment=experiment)
    (section,) = reports.compose(run, ["map"])
    return section


def figure(section: Section, title: str) -> Figure:
    return next(part for part in section.parts if isinstance(part, Figure) and part.title == title)


def areas(section: Section, title: str) -> dict[str, Area]:
    plot = figure(section, title).plot
    assert isinstance(plot, Map)
    return {area.name: area for sheet in plot.sheets for area in sheet.areas}


def test_moves_and_majority_are_means_of_finished_games(tiles: Section) -> None:
    into = estimate(tiles, MOVES, "x.a", "Moves into")
    assert (into.value, into.n, into.clusters) == (4, 158, 40)
    assert estimate(tiles, MOVES, "x.a", "Moves out").value == 1
    held = estimate(tiles, MAJORITY, "x.a", "Farm-Z")
    assert (held.value, held.n) == (0.5, 4 * 158)
    assert estimate(tiles, MAJORITY, "x.a", "Auxilia").value == 0
    assert estimate(tiles, MAJORITY, "x.B", "Anybody").value == 0
    assert tiles.finding == "most Moves end in the Region that shows x.a, 4.0 a game, fewest at x.B, 0.0"


def test_what_is_printed_is_said_and_grouped(tiles: Section) -> None:
    assert cell(tiles, MOVES, "x.a", "Printed") == "Ground, 2 Technology"
    assert cell(tiles, MOVES, "x.B", "Printed") == "Roof, Outpost"
    assert estimate(tiles, "Moves and resources by tile", "x", "Moves into").value == 2
    assert estimate(tiles, "Moves and resources by tile", "y", "Moves into").value == 4
    kinds = [row[0] for row in table(tiles, "Majority by what is printed").rows]
    assert kinds == ["Ground with Neutral Refuge", "Ground with resources", "Roof with Outpost"]


def test_random_layouts_are_drawn_tile_by_tile(tiles: Section) -> None:
    plot = figure(tiles, "Moves into a Region").plot
    assert isinstance(plot, Map)
    assert [(sheet.title, sheet.spaces) for sheet in plot.sheets] == [
        ("x", ((1, 0), (1, 1))),
        ("y", ((0, 0), (0, 0))),
    ]
    assert areas(tiles, "Moves into a Region")["x.a"].at.value == 4


def test_a_quick_layout_is_drawn_as_the_board_with_its_tiles_turned(board: Section) -> None:
    plot = figure(board, "Who has Majority in a Region").plot
    assert isinstance(plot, Map)
    (sheet,) = plot.sheets
    # the corner at the top right of the tile lies at the bottom right after a quarter turn clockwise
    assert sheet.spaces == ((0, 0, 0, 0), (0, 1, 0, 0))
    assert [area.name for area in sheet.areas] == ["x.a", "x.B"]
    assert [area.signs for area in sheet.areas] == ["•2⌂", "◇"]
    assert [part.value for part in sheet.areas[0].parts] == [0, 0.5, 0, 0]
    assert board.parts[0] == "All games have this board."


def test_the_picture_says_what_the_table_says(tiles: Section) -> None:
    drawn = svg(figure(tiles, "Who has Majority in a Region"), "held")
    assert re.search(
        r"<title>x\.a: 50\.0 %, .* n = 632 in 40 blocks, Refuge 42 0\.0 %, Farm-Z 50\.0 %", drawn
    )
    assert ">50.0</text>" in drawn
    assert 'width="14" height="7" style="fill:var(--s1)"' in drawn  # half of the bar, the second faction's
    assert re.search(r'aria-label="Who has Majority in a Region\. x\.B 0\.0 % ', drawn)


def test_a_game_to_look_at_is_named(tiles: Section) -> None:
    assert any("`simlab replay RUN --game" in part for part in tiles.parts if isinstance(part, str))


def test_without_finished_games_or_the_table_there_is_no_map(make_run: MakeRun) -> None:
    assert reports.compose(make_run("none", blocks=2, irregular=8, full=True), ["map"]) == []
    bare = make_run("bare", blocks=2)
    assert "map" not in [found.title.lower() for found in reports.compose(bare)]
    with pytest.raises(UsageError, match='the section "map" rests on the table "regions"'):
        reports.compose(bare, ["map"])
