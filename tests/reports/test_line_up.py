"""Places, line-ups and strategies of a made-up run, against a count by hand of its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from told import estimate, table

import reports
from reports.dei import contents, examples
from reports.document import Section
from simlab.games.dei.vocabulary import FACTION_TITLES, FACTIONS
from simlab.results import Run, open_run

WrittenRun = Callable[..., Path]
LINE_UPS = "Win share by line-up and faction"
STRATEGIES = ("dei/greedy", "dei/uniform")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, written: WrittenRun) -> Run:
    folder = tmp_path_factory.mktemp("runs") / "seated"
    return open_run(written(folder, blocks=120, irregular=5, players=(4,), strategies=STRATEGIES, full=True))


@pytest.fixture(scope="module")
def section(run: Run) -> Section:
    return reports.compose(run.path, ["faction"])[0]


def test_line_ups_are_circles_and_count_every_finished_game(run: Run, section: Section) -> None:
    seats = run.sql("SELECT game, faction, win_share FROM seats ORDER BY game, seat").fetchall()
    circles: Counter[tuple[str, str]] = Counter()
    wins: Counter[tuple[str, str]] = Counter()
    for k in range(0, len(seats), 4):
        if seats[k][2] is None:
            continue
        seated = [FACTION_TITLES[FACTIONS.index(row[1])] for row in seats[k : k + 4]]
        first = seated.index("Refuge 42")
        name = " ".join(each[:2] for each in [*seated[first:], *seated[:first]])
        for title, row in zip(seated, seats[k : k + 4], strict=True):
            circles[name, title] += 1
            wins[name, title] += int(row[2])
    rows = table(section, LINE_UPS).rows
    cells = {(row[0], title): won for row in rows for title, won in zip(FACTION_TITLES, row[1:], strict=True)}
    assert {key: won.n for key, won in cells.items()} == circles
    assert len(cells) == 6 * 4
    for key, won in cells.items():
        assert won.value == pytest.approx(wins[key] / circles[key])


def test_two_players_have_a_line_up_each_pair(written: WrittenRun, tmp_path: Path) -> None:
    (found,) = reports.compose(written(tmp_path / "two", blocks=90, players=(2,), full=True), ["faction"])
    names = {str(row[0]) for row in table(found, LINE_UPS).rows}
    short = [title[:2] for title in FACTION_TITLES]
    assert names == {f"{a} {b}" for k, a in enumerate(short) for b in short[k + 1 :]}
    assert len(set(short)) == len(FACTION_TITLES)
    for name, *cells in table(found, LINE_UPS).rows:
        known = [title for title, won in zip(short, cells, strict=True) if won.known]
        assert known == str(name).split()


def test_places_add_up(section: Section) -> None:
    """All but the winner come second in the made-up games."""
    for title in FACTION_TITLES:
        first, second, third, mid = (
            estimate(section, "Places by faction", title, head)
            for head in ("1st", "2nd", "3rd", "Mean place")
        )
        assert first.value == estimate(section, "Win share by faction", title, "Win share").value
        assert (first.value + second.value, third.value) == (pytest.approx(1), 0)
        assert mid.value == pytest.approx(2 - first.value)


def test_factions_by_strategy(run: Run, section: Section) -> None:
    for title, faction in zip(FACTION_TITLES, FACTIONS, strict=True):
        for strategy in STRATEGIES:
            ((share, n),) = run.sql(
                "SELECT avg(win_share), count(win_share) FROM seats "
                f"WHERE faction = '{faction}' AND strategy = '{strategy}'"
            ).fetchall()
            found = estimate(section, "Win share by faction and strategy", title, strategy)
            assert (found.value, found.n) == (pytest.approx(share), n)


def test_examples_are_the_extremes(run: Run) -> None:
    basis = contents.basis(run)
    ((best,),) = run.sql(
        "SELECT min(game) FROM seats WHERE win_share IS NOT NULL AND supplies = "
        "(SELECT max(supplies) FROM seats WHERE win_share IS NOT NULL)"
    ).fetchall()
    assert f"--game {best}` (most Supplies" in examples.of_scores(basis, 4)[0]
    ((behind,),) = run.sql(
        "SELECT min(game) FROM games WHERE ending = 'finished' AND winner_seat <> 0"
    ).fetchall()  # seat 0 leads after Turn 2 by 3 over all the others
    assert examples.of_courses(basis, 4, 2) == [
        f"Games to look at: `simlab replay RUN --game {behind}` (won from furthest behind after Turn 2)."
    ]
    assert examples.of_courses(basis, 4, 1) == []  # the winner leads then
