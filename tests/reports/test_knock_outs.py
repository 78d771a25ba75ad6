"""Knock-outs of a made-up run: the worth that was planted is found, whatever the association says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from told import cell, estimate, table

import reports
from reports.dei.basis import Basis
from reports.dei.knock_outs.cost import prices
from reports.dei.knock_outs.section import build
from reports.dei.knock_outs.worth import rows
from reports.document import Figure, Scatter, Section, Table
from simlab.errors import UsageError
from simlab.results import open_run

MakeRun = Callable[..., Path]
EVEN = (0.25,) * 4
STANDS_OUT = "Stands out"
WISHES = {"strengths": EVEN, "full": True, "knocked_out": True}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, written: MakeRun) -> Path:
    return written(tmp_path_factory.mktemp("runs") / "knocked_out", blocks=400, **WISHES)


@pytest.fixture(scope="module")
def section(run: Path) -> Section:
    (found,) = reports.compose(run, ["knock_outs"])
    return found


def test_a_card_that_winners_buy_is_worth_nothing_to_them(section: Section) -> None:
    """Negative control: by association it is the best card there is."""
    fair = estimate(section, "Worth of Cards", "card-fair", "Association")
    assert fair.value > 0.8  # all buyers agree, so there is no spread to tell an interval by
    worth = estimate(section, "Worth of Cards", "card-fair", "Worth")
    assert worth.value == 0
    assert -0.02 < worth.low < 0 < worth.high < 0.02  # games took another course, so not exactly nothing
    assert cell(section, "Worth of Cards", "card-fair", STANDS_OUT) == ""


def test_what_was_planted_is_found_and_stands_out(section: Section) -> None:
    won = 0.25
    for title, row, gives in (
        ("Worth of Cards", "card-sure", 0.3),
        ("Worth of Drones", "Fly", 0.5 * won / 4),
        ("Worth of Leaders", "Aria (Refuge 42)", 0.5 * won),
    ):
        found = estimate(section, title, row, "Worth")
        assert abs(found.value - gives) < 3.1 * found.se
        assert cell(section, title, row, STANDS_OUT) == ("both" if row == "card-sure" else "win share")
        named = estimate(section, "What stands out in win share", row, "Worth")
        assert named.value == found.value
        assert named.high - named.low > found.high - found.low  # picked out of many
    assert cell(section, "Worth of Feats", "Bombing", STANDS_OUT) == "win share"
    assert estimate(section, "Worth of Cards", "card-sure", "Supplies").value == pytest.approx(4, abs=0.1)
    assert len(table(section, "What stands out in win share").rows) == 4
    assert (
        section.finding == f"{'card-sure'} is worth {_points(section)} points of win share to its users; "
        "4 of 12 things stand out"
    )


def _points(section: Section) -> str:
    value = estimate(section, "Worth of Cards", "card-sure", "Worth").value
    return f"+{100 * value:.1f}"


def test_what_does_nothing_does_not_stand_out(section: Section) -> None:
    for row in ("Fortress", "Caravan"):
        assert cell(section, "Worth of Feats", row, STANDS_OUT) == ""
    for row in ("Z-13 (Farm-Z)", "Abraham (Ravagers)", "Neena (Auxilia)"):
        assert estimate(section, "Worth of Leaders", row, "Worth").value == 0
    same = estimate(section, "Worth of Candy Boosts", "Move Boost", "Worth")
    assert (same.low, same.high) == (0, 0)  # no game took another course


def test_a_result_may_change_though_no_choice_does(section: Section) -> None:
    given = estimate(section, "Worth of Candy Boosts", "Outpost Boost", "Supplies")
    assert abs(given.value - 2) < 3.1 * given.se
    assert cell(section, "Worth of Candy Boosts", "Outpost Boost", STANDS_OUT) == "Supplies"
    assert estimate(section, "Worth of Candy Boosts a seat", "Outpost Boost", "Other course").value == 0
    won = estimate(section, "Worth of Candy Boosts", "Outpost Boost", "Worth")
    assert won.low < won.value == 0 < won.high  # alike in what was seen, not for certain


def test_a_seat_is_the_users_share_of_it(section: Section) -> None:
    used = estimate(section, "Worth of Cards a seat", "card-sure", "Used")
    assert (used.value, used.n) == (0.25, 6_400)
    users = estimate(section, "Worth of Cards", "card-sure", "Worth")
    seat = estimate(section, "Worth of Cards a seat", "card-sure", "Worth")
    assert seat.value == pytest.approx(users.value / 4)
    dealt = cell(section, "Worth of Feats a seat", "Bombing", "Seats")
    unlocked = estimate(section, "Worth of Feats a seat", "Bombing", "Used")
    assert isinstance(dealt, int)
    assert dealt < 6_400 / 3
    assert unlocked.low < 0.5 < unlocked.high
    assert cell(section, "Worth of Leaders a seat", "Aria (Refuge 42)", "Seats") == 1_600
    assert estimate(section, "Worth of Leaders a seat", "Aria (Refuge 42)", "Used").value == 1
    assert not estimate(section, "Worth of Leaders", "Aria (Refuge 42)", "Association").known  # nobody else


def test_worth_by_faction(section: Section) -> None:
    title = "Worth of Drones by faction"
    farm_z = estimate(section, title, "Fly", "Farm-Z")
    assert abs(farm_z.value - 0.125) < 3.1 * farm_z.se
    for other in ("Refuge 42", "Ravagers", "Auxilia"):
        assert estimate(section, title, "Fly", other).value == 0
    assert "Worth of Leaders by faction" not in {p.title for p in section.parts if not isinstance(p, str)}


def test_when_games_part(section: Section) -> None:
    title = "When games take another course"
    assert [column.title for column in table(section, title).columns[3:]] == ["Turn 1", "Turn 2", "Turn 3"]
    assert cell(section, title, "Candy Boosts", "Played again") == 9_600
    assert estimate(section, title, "Candy Boosts", "Other course").value == 0
    assert not estimate(section, title, "Candy Boosts", "Turn 2").known
    drones = [estimate(section, title, "Drones", f"Turn {turn}").value for turn in (1, 2, 3)]
    assert drones == [0, 0.5, 0.5]
    assert estimate(section, "Worth of Drones a seat", "Fly", "In Turn").value == 2.5


def test_cost_beside_worth(run: Path, section: Section) -> None:
    title = "Cost against worth of cards"
    assert cell(section, title, "card-sure", "Price") == 2
    whole, each = (estimate(section, title, "card-sure", head) for head in ("Supplies", "A resource"))
    assert each.value == pytest.approx(whole.value / 2)
    assert each.se == pytest.approx(whole.se / 2)
    assert prices(Basis(open_run(run)), 4) == {"card-fair": 2, "card-sure": 2}


def test_figures_show_what_the_tables_say(section: Section) -> None:
    plots = {part.title: part.plot for part in section.parts if isinstance(part, Figure)}
    both = plots["Association and worth"]
    assert isinstance(both, Scatter)
    assert both.diagonal
    spots = {spot.label: spot for spot in both.spots}
    assert "Aria (Refuge 42)" not in spots  # no association
    assert spots["card-fair"].named
    assert spots["card-sure"].y == estimate(section, "Worth of Cards", "card-sure", "Worth")


def test_a_game_to_look_at_was_won_only_with_the_thing(run: Path, section: Section) -> None:
    told = [part for part in section.parts if isinstance(part, str) and "simlab replay" in part]
    assert "card-sure: won only with it" in told[0]
    number = int(told[0].split("--game ")[1].split("`")[0])
    found = open_run(run).sql(
        f"SELECT win_share, win_share_without FROM knock_outs WHERE game = {number} AND thing = 'card-sure'"
    )
    assert found.fetchall() == [(1, 0)]


def test_few_blocks_say_nothing_and_lost_games_are_counted(make_run: MakeRun) -> None:
    few = reports.compose(make_run(blocks=20, **WISHES), ["knock_outs"])[0]
    assert few.finding == "too few games were played again to tell"
    assert not estimate(few, "Worth of Cards", "card-sure", "Worth").known
    assert cell(few, "Worth of Cards", "card-sure", "Used") == 80
    lost = reports.compose(make_run("lost", blocks=40, irregular=8, **WISHES), ["knock_outs"])[0]
    assert any("ended irregularly" in part for part in lost.parts if isinstance(part, str))
    assert cell(lost, "Worth of Cards a seat", "card-sure", "Seats") == 4 * (160 - 8)


def test_seats_that_were_lost_in_the_second_game_alone_leave_the_first_too(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(blocks=60, **WISHES)
    opened = open_run(run)
    connection = opened.connection
    connection.execute("CREATE TEMP TABLE kept AS SELECT * FROM knock_outs")
    connection.execute(
        "UPDATE kept SET win_share = NULL, win_share_without = NULL WHERE kind = 'card' AND game < 80"
    )
    connection.execute("DROP VIEW knock_outs")
    connection.execute("CREATE VIEW knock_outs AS SELECT * FROM kept")
    found = {row.label: row for row in rows(Basis(opened), 4)}
    assert found["card-sure"].seats == 4 * 240 - 80
    assert found["card-sure"].users == 240 - 80
    assert found["Fly"].seats == 4 * 240
    # Bloom's equation is kept: the others of these games still count
    product = found["card-sure"].win.users.difference.value * found["card-sure"].win.used.value
    assert found["card-sure"].win.seats.difference.value == pytest.approx(product)


@pytest.mark.parametrize(
    ("kind", "label", "handicaps"),
    [
        ("card", "card-sure", {"banned_cards": [[], ["card-fair", "card-sure"]]}),
        ("feat", "Bombing", {"void_feats": [[], ["bombing"]]}),
        ("drone", "Fly", {"banned_drones": [[], ["fly", "draco"]]}),
        ("candy", "Move Boost", {"banned_candy": [[], ["move"]]}),
        ("leader", "Aria (Refuge 42)", {"leader_off": [False, True]}),
    ],
)
def test_seats_that_a_handicap_keeps_from_a_thing_could_not_have_used_it(
    run: Path, kind: str, label: str, handicaps: dict[str, Any]
) -> None:
    """Neither a seat's worth nor the association counts them; of other things they do."""
    opened = open_run(run)
    opened.connection.execute(
        f"CREATE TEMP TABLE kept AS SELECT * FROM knock_outs WHERE NOT (kind = '{kind}' AND seat = 1)"
    )
    opened.connection.execute("DROP VIEW knock_outs")
    opened.connection.execute("CREATE VIEW knock_outs AS SELECT * FROM kept")
    free = {row.label: row.seats for row in rows(Basis(opened), 4)}
    opened.manifest["experiment"]["handicaps"] = handicaps
    denied = {row.label: row for row in rows(Basis(opened), 4)}
    before, after = free.pop(label), denied.pop(label)
    assert after.seats == pytest.approx(0.75 * before, rel=0.1 if kind == "feat" else 0)
    assert after.users <= after.seats
    notes = [part.note for part in build(Basis(opened)).parts if isinstance(part, Table)]
    assert sum("a handicap keeps from it" in note for note in notes) == 1
    others = [name for name, row in denied.items() if row.thing.kind != kind]
    assert [denied[name].seats for name in others] == [free[name] for name in others]


def test_it_does_not_matter_how_seats_are_numbered_nor_in_which_order_rows_lie(run: Path) -> None:
    straight, turned = open_run(run), open_run(run)
    for name in ("seats", "knock_outs"):
        turned.connection.execute(f"CREATE TEMP TABLE kept_{name} AS SELECT * FROM {name}")
        turned.connection.execute(f"DROP VIEW {name}")
        turned.connection.execute(
            f"CREATE VIEW {name} AS SELECT * REPLACE ((seat + 1) % 4 AS seat) FROM kept_{name} "
            "ORDER BY hash(game, seat)"
        )
    one, other = (repr(rows(Basis(each), 4)) for each in (straight, turned))  # NaN isn't itself
    assert one == other


def test_strategies_have_a_column_each(make_run: MakeRun) -> None:
    run = make_run(blocks=150, strategies=("dei/greedy", "dei/planner"), **WISHES)
    found = reports.compose(run, ["knock_outs"])[0]
    title = "Worth of Cards by strategy"
    assert [column.title for column in table(found, title).columns[1:]] == ["dei/greedy", "dei/planner"]
    each = [estimate(found, title, "card-sure", name) for name in ("dei/greedy", "dei/planner")]
    whole = estimate(found, "Worth of Cards", "card-sure", "Worth")
    assert sum(one.n for one in each) == whole.n
    assert sum(one.value * one.n for one in each) == pytest.approx(whole.value * whole.n)
    assert "dei/greedy and dei/planner" in str(found.parts[0])


def test_groups_of_blocks_change_no_value(
    run: Path, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.dei.basis.GROUPS", 150)
    (grouped,) = reports.compose(run, ["knock_outs"])
    one, other = (estimate(s, "Worth of Cards", "card-sure", "Worth") for s in (section, grouped))
    assert one.value == pytest.approx(other.value)
    assert other.clusters <= 150 < one.clusters
    assert other.se == pytest.approx(one.se, rel=0.3)


def test_a_run_without_knock_outs_has_no_such_section(make_run: MakeRun) -> None:
    run = make_run(blocks=5)
    assert "knock_outs" not in {section.key for section in reports.compose(run)}
    with pytest.raises(UsageError, match='"knock_outs" rests on the table "knock_outs"'):
        reports.compose(run, ["knock_outs"])


def test_each_number_of_players_has_its_own_tables(make_run: MakeRun) -> None:
    run = make_run(blocks=60, players=(2, 4), **WISHES)
    (found,) = reports.compose(run, ["knock_outs"])
    for players in (2, 4):
        users = estimate(found, f"Worth of Cards, {players} players", "card-sure", "Worth").n
        assert users == 60 * players
    assert found.finding.endswith("(4 players)")


def test_a_drone_is_no_use_where_its_faction_is_missing(make_run: MakeRun) -> None:
    run = make_run(blocks=150, players=(2,), **WISHES)
    (found,) = reports.compose(run, ["knock_outs"])
    games = open_run(run).sql("SELECT count(DISTINCT game) FROM seats WHERE faction = 'auxilia'").fetchall()
    seats = cell(found, "Worth of Drones a seat", "Fly", "Seats")
    assert seats == 2 * games[0][0] < 2 * 300


def test_its_figures_are_drawn(run: Path, tmp_path: Path) -> None:
    reports.write(run, tmp_path, ["knock_outs"])
    names = ("association-and-worth", "cost-against-worth-of-cards")
    drawn = [(tmp_path / f"report/figures/knock_outs-{name}.svg").read_text("utf-8") for name in names]
    assert "card-fair: association, points +8" in drawn[0]
    assert "card-sure: price 2" in drawn[1]
