"""The win share model in a report: known truth, other names of seats, twice the games, extremes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planned_run import write_planned
from scipy.special import softmax

import reports
from reports.dei import contents, model, win_model
from reports.dei.basis import ORDINALS
from reports.dei.seated import seated
from reports.document import Section, Table
from reports.html import page
from reports.markdown import markdown
from reports.numbers import texts
from reports.structured import structured
from simlab.results import open_run
from simlab.stats.intervals import Estimate

TWO = ("dei/greedy", "dei/planner")
STRONG = np.array([0.5, 0.0, 0.0, -0.4])
BETTER = np.array([0.0, 0.5])


def heights(faction: Any, seat: Any, strategy: Any) -> Any:
    """Farm-Z is better by 1.2 in the hands of the planner; seats are even but for the last, for Ravagers."""
    return STRONG[faction] + BETTER[strategy] + 1.2 * ((faction == 1) & (strategy == 1))


def section(run: Path) -> Section:
    found = model.build(contents.basis(open_run(run)))
    assert found is not None
    return found


def table(found: Section, title: str) -> Table:
    return next(part for part in found.parts if isinstance(part, Table) and part.title == title)


def cells(found: Section, title: str, column: int) -> dict[str, Any]:
    return {str(row[0]): row[column] for row in table(found, title).rows}


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "planned"
    return write_planned(folder, 11_520, 4, TWO, heights, luck=0.3)


def test_known_truth(planned: Path) -> None:
    found = section(planned)
    shares = cells(found, "Standardised win share by faction", 2)
    verdicts = cells(found, "Standardised win share by faction", 4)
    assert shares["Farm-Z"].value > shares["Ravagers"].value > shares["Auxilia"].value
    assert verdicts["Auxilia"].kind == "unbalanced"
    seats = cells(found, "Standardised win share by seat", 2)
    assert all(abs(e.value - 0.25) < 3.5 * e.se for e in seats.values())
    beyond = table(found, "Faction and strategy: beyond the two")
    farm = [column.title for column in beyond.columns].index("Farm-Z")
    by_strategy = {str(row[0]): row[farm] for row in beyond.rows}
    assert by_strategy["dei/planner"].low > 0 > by_strategy["dei/greedy"].high
    said = [part for part in found.parts if isinstance(part, str)]
    assert any(re.search(r"depend on the strategy .*Farm-Z by dei/planner \(\+\d", text) for text in said)
    assert "No faction is shown to depend on the seat otherwise than the others do." in said


def test_a_balanced_run_has_the_raw_shares_with_their_errors(planned: Path) -> None:
    for family in ("faction", "seat", "strategy"):
        for row in table(section(planned), f"Standardised win share by {family}").rows:
            raw, standard = row[1], row[2]
            assert isinstance(raw, Estimate)
            assert isinstance(standard, Estimate)
            assert standard.value == pytest.approx(raw.value, abs=1e-6)
            assert 0.5 * raw.se < standard.se < 1.05 * raw.se
            assert (standard.n, standard.clusters) == (raw.n, 2_880)


def test_twice_the_games_shrink_intervals_by_the_root_of_two(tmp_path: Path) -> None:
    once, twice = (section(write_planned(tmp_path / str(k), 1_920, 4, TWO, heights, times=k)) for k in (1, 2))
    for title, columns in (
        ("Standardised win share by faction", (1, 2, 5)),
        ("Faction and seat: beyond the two", (1, 2)),
    ):
        for column in columns:
            one, two = (cells(found, title, column) for found in (once, twice))
            for name, estimate in one.items():
                assert two[name].value == pytest.approx(estimate.value)
                assert two[name].se == pytest.approx(estimate.se / np.sqrt(2), rel=0.01)


def test_seats_by_other_names_are_the_same_seats(tmp_path: Path) -> None:
    """Who sat in the 1st seat sits in the last one, and so on: the games are the same."""
    later = np.array([0.0, 0.2, 0.4, 0.6])
    run = write_planned(tmp_path / "run", 1_920, 4, TWO, lambda f, p, s: heights(f, p, s) + later[p % 4])
    basis = contents.basis(open_run(run))
    turned = contents.basis(open_run(run))
    games = seated(basis, 4)
    turned.kept["seated", 4] = type(games)(
        4,
        games.faction[:, ::-1],
        games.strategy[:, ::-1],
        games.kind,
        3 - games.winner,
        games.block,
        games.cluster,
        (games.places[:, None] // 5 ** np.arange(4) % 5)[:, ::-1] @ 5 ** np.arange(4),
    )
    one, other = (win_model.model(each, 4) for each in (basis, turned))
    assert one is not None
    assert other is not None
    all_places = [
        win_model.by_all_places(where, each, each.families) for where, each in ((basis, one), (turned, other))
    ]
    for k, order in enumerate((1, -1, 1)):  # factions, seats, strategies
        for pair in ((one, other), [ranked.model for ranked in all_places]):
            values = [[e.value for e in each.estimates(each.families[k], together=False)] for each in pair]
            assert values[1][::order] == pytest.approx(values[0], abs=1e-6)
        gaps = [[e.se for e in ranked.gaps[k]] for ranked in all_places]
        assert gaps[1][::order] == pytest.approx(gaps[0], rel=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("strategies", [("dei/greedy",), TWO])
def test_any_table(tmp_path: Path, players: int, strategies: tuple[str, ...]) -> None:
    run = write_planned(tmp_path / "run", 960, players, strategies, heights)
    found = section(run)
    assert (
        "Standardised win share by strategy" in [t.title for t in found.parts if isinstance(t, Table)]
    ) == (len(strategies) > 1)
    for part in found.parts:
        if isinstance(part, Table):
            estimates = [cell for row in part.rows for cell in row if isinstance(cell, Estimate)]
            assert estimates
            assert all(e.sure and e.n > 0 for e in estimates)
    shares = cells(found, "Standardised win share by faction", 2).values()
    assert np.mean([e.value for e in shares]) == pytest.approx(1 / players)


def test_a_strategy_that_never_wins_and_one_that_always_does(tmp_path: Path) -> None:
    def sure(faction: Any, seat: Any, strategy: Any) -> Any:
        return heights(faction, seat, strategy) - 1e6 * (strategy == 0)

    found = section(write_planned(tmp_path / "run", 1_920, 4, TWO, sure))
    shown = dict(zip(*texts(table(found, "Standardised win share by faction"))[::2][:2], strict=True))
    assert all(re.fullmatch(r"\d+\.\d % (± \d+\.\d|\(.*\))", text) for text in shown.values())
    never = cells(found, "Standardised win share by strategy", 2)["dei/greedy"]
    assert never.value == pytest.approx(1 / 16 / 2, abs=1e-6)  # where all four play it
    assert not never.sure  # whatever the games, it would be that


def test_a_faction_that_never_wins(tmp_path: Path) -> None:
    run = write_planned(tmp_path / "run", 960, 3, TWO[:1], lambda f, p, s: np.where(f == 3, -1e6, 0.0 * p))
    found = section(run)
    shares = cells(found, "Standardised win share by faction", 2)
    assert shares["Auxilia"].value == 0
    assert shares["Farm-Z"].sure
    text = markdown([found])
    assert "nan" not in text.lower()
    assert "inf" not in text.lower()


def test_too_few_blocks_and_no_game_at_all(written: Callable[..., Path], tmp_path: Path) -> None:
    few = section(written(tmp_path / "few", blocks=29))
    assert "Too few blocks for a model: 29, where it takes 30." in few.parts
    assert not few.finding
    assert "Too few blocks for a model: 0" in markdown(
        [section(written(tmp_path / "no", blocks=3, irregular=12))]
    )


def test_all_formats_show_the_same(planned: Path) -> None:
    found = reports.compose(planned, ["model", "presence", "strategy"])
    tables = [texts(part) for each in found for part in each.parts if isinstance(part, Table)]
    assert len(tables) >= 8
    as_json = json.loads(structured(found))
    in_json = [part["rows"] for each in as_json["sections"] for part in each["parts"] if "table" in part]
    text = markdown(found)
    html = page(found, {name: "" for each in found for name, _ in each.named()})
    for columns, rows in zip(tables, in_json, strict=True):
        assert [[cell["text"] for cell in row] for row in rows] == [
            list(row) for row in zip(*columns, strict=True)
        ]
        for cell in (cell for column in columns for cell in column):
            assert cell in text
            assert cell in html


def test_what_adds_up_by_arithmetic_is_no_finding(tmp_path: Path) -> None:
    """Two factions in two seats: what one wins more in a seat, the other loses there."""
    found = section(write_planned(tmp_path / "run", 300, 2, TWO[:1], heights, factions=(1, 2)))
    assert "Faction and seat: nothing can be told beyond the two." in found.parts
    assert not any("Shown to depend on the seat" in part for part in found.parts if isinstance(part, str))


def test_what_the_games_leave_open_is_said_rather_than_shown_as_dashes(tmp_path: Path) -> None:
    """Few games of a strategy that never wins: among themselves not all factions won either."""
    run = write_planned(tmp_path / "run", 120, 3, TWO, lambda f, p, s: -1e6 * (s == 0) - 1e5 * (s == 0) * f)
    found = section(run)
    said = [part for part in found.parts if isinstance(part, str)]
    assert any(part.startswith("Nothing can be standardised") for part in said)
    assert not any(isinstance(part, Table) for part in found.parts)
    assert not found.finding


def test_a_seat_that_suits_one_strategy_is_found(tmp_path: Path) -> None:
    """The planner is better in the last seat alone: seat by strategy, and neither of the other pairs."""

    def late(faction: Any, seat: Any, strategy: Any) -> Any:
        return 0.0 * faction + 0.9 * ((seat == 3) & (strategy == 1))

    found = section(write_planned(tmp_path / "run", 11_520, 4, TWO, late))
    beyond = table(found, "Seat and strategy: beyond the two")
    assert [column.title for column in beyond.columns] == ["Strategy", *(f"{k} seat" for k in ORDINALS[:4])]
    last = {str(row[0]): row[4] for row in beyond.rows}
    assert last["dei/planner"].low > 0.01
    assert last["dei/greedy"].value == pytest.approx(-last["dei/planner"].value, abs=1e-9)
    said = " ".join(part for part in found.parts if isinstance(part, str))
    assert re.search(r"depend on the strategy otherwise than the others: the \w+ seat by dei/\w+ \(", said)
    assert "No faction is shown to depend on the strategy otherwise than the others do." in said
    assert "No faction is shown to depend on the seat otherwise than the others do." in said


def test_seat_by_strategy_is_what_the_games_had(planned: Path) -> None:
    """In an even design the model's cells are the raw ones: it has a term for each pair of levels."""
    found, basis = section(planned), contents.basis(open_run(planned))
    beyond = table(found, "Seat and strategy: beyond the two")
    query = "SELECT strategy, seat, avg(win_share) FROM seats GROUP BY ALL"
    raw = {(who, seat): share for who, seat, share in basis.run.sql(query).fetchall()}
    for name, *row in beyond.rows:
        for seat, cell in enumerate(row):
            mine = sum(raw[name, other] for other in range(4)) / 4
            here = sum(raw[each, seat] for each in TWO) / 2
            assert cell.value == pytest.approx(raw[name, seat] - mine - here + 0.25, abs=1e-6)


def test_mirror_games_leave_strategies_alone_and_tell_the_rest(tmp_path: Path) -> None:
    def without_skill(faction: Any, seat: Any, strategy: Any) -> Any:
        return heights(faction, seat, strategy) + 99 * strategy  # nobody meets whom that would beat

    run = write_planned(tmp_path / "run", 11_520, 4, TWO, without_skill, mirrored=True)
    found = section(run)
    titles = [part.title for part in found.parts if isinstance(part, Table)]
    assert "Standardised win share by strategy" not in titles
    shares = cells(found, "Standardised win share by faction", 2)
    raw = cells(found, "Standardised win share by faction", 1)
    for name, each in shares.items():
        assert each.value == pytest.approx(raw[name].value, abs=1e-6)
        assert each.sure
    beyond = table(found, "Faction and strategy: beyond the two")
    farm = [column.title for column in beyond.columns].index("Farm-Z")
    by_strategy = {str(row[0]): row[farm] for row in beyond.rows}
    assert by_strategy["dei/planner"].low > 0.05
    assert by_strategy["dei/greedy"].high < -0.05
    assert "all seats played by each strategy" in str(found.parts[0])
    assert "nan" not in markdown([found]).lower()


# --- all places -------------------------------------------------------------------------------------------


def said_of_all_places(found: Section) -> str:
    return next(str(part) for part in found.parts if str(part).startswith("*By all places*"))


def test_all_places_say_the_same_with_less_spread_where_they_go_by_the_same_strengths(tmp_path: Path) -> None:
    found = section(write_planned(tmp_path / "run", 11_520, 4, TWO, heights))
    for family in ("faction", "seat", "strategy"):
        for row in table(found, f"Standardised win share by {family}").rows:
            standard, everybody = row[2], row[5]
            assert isinstance(standard, Estimate)
            assert isinstance(everybody, Estimate)
            assert abs(everybody.value - standard.value) < 4 * np.sqrt(standard.se**2 - everybody.se**2)
            assert everybody.se < 0.85 * standard.se
    assert "They do, as far as these games can tell." in said_of_all_places(found)


def test_who_wins_or_comes_last_is_found_out(tmp_path: Path) -> None:
    """Farm-Z first or last, never between: by all places it would look as even as it doesn't win."""
    run = write_planned(tmp_path / "run", 5_760, 4, TWO[:1], lambda f, p, s: 0.6 * (f == 1) + 0.0 * p)
    basis = contents.basis(open_run(run))
    games = seated(basis, 4)
    places = games.places[:, None] // 5 ** np.arange(4) % 5
    farm = games.faction[games.kind] == basis.factions.index("farm_z")
    below = (places > places[farm][:, None]) & (places[farm] > 1)[:, None]
    turned = np.where(farm & (places > 1), 4, places - below)
    basis.kept["seated", 4] = replace(games, places=turned @ 5 ** np.arange(4))
    found = model.build(basis)
    assert found is not None
    said = said_of_all_places(found)
    assert re.search(r"They don't: it differs from the standardised share at .*Farm-Z \(−\d", said)
    shares = table(found, "Standardised win share by faction").rows
    (farm_z,) = [row for row in shares if row[0] == "Farm-Z"]
    assert farm_z[2].low > farm_z[5].high
    assert farm_z[4].kind == "unbalanced"  # by who won


@pytest.mark.parametrize("players", [2, 3])
def test_two_players_have_no_other_places(tmp_path: Path, players: int) -> None:
    found = section(write_planned(tmp_path / "run", 960, players, TWO[:1], heights))
    heads = [column.title for column in table(found, "Standardised win share by faction").columns]
    assert ("By all places" in heads) == (players > 2)
    assert any(str(part).startswith("*By all places*") for part in found.parts) == (players > 2)


def test_the_model_is_that_of_statsmodels(tmp_path: Path) -> None:
    """Chances to win at every table, as they don't hang on which of the columns are taken for the rest."""
    models = pytest.importorskip("statsmodels.discrete.conditional_models")
    basis = contents.basis(open_run(write_planned(tmp_path / "run", 300, 3, TWO, heights)))
    games, found = seated(basis, 3), win_model.model(basis, 3)
    assert found is not None
    size = (4, 3, 2)
    x = win_model.columns_of(size, games.faction, games.strategy)
    rows, won = x[games.kind], games.winner[:, None] == np.arange(3)
    away = (rows - rows.mean(axis=1, keepdims=True)).reshape(-1, x.shape[2])
    free = [0]
    for k in range(1, x.shape[2]):
        if np.linalg.matrix_rank(away[:, [*free, k]]) > len(free):
            free.append(k)
    assert len(free) == (4 * 3 - 1) + (4 + 3 - 1)  # faction by seat, then both by strategy
    theirs = models.ConditionalLogit(
        won.ravel().astype(int),
        rows.reshape(-1, x.shape[2])[:, free],
        groups=np.repeat(np.arange(len(rows)), 3),
    ).fit(method="newton", disp=False)
    ours = softmax(x @ found.cells.fitted.coefficients, axis=1)
    assert ours == pytest.approx(softmax(x[:, :, free] @ theirs.params, axis=1), abs=1e-6)
