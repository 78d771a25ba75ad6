"""Feats, Missions, cards, Drones, Candy Boosts and Turns of a made-up run: the planted truth is found."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from told import cell, estimate, table

import reports
from reports.document import Section, Table
from reports.terminal import show
from simlab import results
from simlab.errors import RunError, UnknownName
from simlab.stats.equivalence import Verdict
from simlab.stats.intervals import Estimate

MakeRun = Callable[..., Path]
EVEN = (0.25,) * 4


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory, written: Callable[..., Path]) -> dict[str, Section]:
    run = written(tmp_path_factory.mktemp("runs") / "components", blocks=700, strengths=EVEN, full=True)
    return {section.key: section for section in reports.compose(run)}


def test_the_planted_feat_is_found_and_named_everywhere(sections: dict[str, Section]) -> None:
    effect = estimate(sections["feat"], "Effect of being dealt a Feat", "Bombing", "Win share")
    assert effect.low < 0.40 - 0.2105 < effect.high
    assert effect.low > 0.12
    verdict = cell(sections["feat"], "Effect of being dealt a Feat", "Bombing", "Verdict")
    assert isinstance(verdict, Verdict)
    assert verdict.kind == "unbalanced"
    assert sections["feat"].finding.startswith("Bombing is worth +1")
    assert any("Bombing (+1" in part for part in sections["header"].parts if isinstance(part, str))


def test_feats_of_the_other_colours_do_nothing(sections: dict[str, Section]) -> None:
    rows = table(sections["feat"], "Effect of being dealt a Feat").rows
    others = [row[2] for row in rows[-18:] if isinstance(row[2], Estimate) and abs(row[2].value) < 0.1]
    assert len(others) == 17
    machinery = [row for row in rows if row[0] in {"Trading Post", "Delivery Bot", "Deep Excavation"}]
    for row in machinery:
        assert isinstance(row[3], Estimate)
        assert row[3].low < 0 < row[3].high


def test_how_often_and_when_a_feat_is_unlocked(sections: dict[str, Section]) -> None:
    unlocked = estimate(sections["feat"], "When a Feat is unlocked", "Fortress", "Unlocked")
    assert unlocked.low < 0.5 < unlocked.high
    assert estimate(sections["feat"], "When a Feat is unlocked", "Fortress", "In Turn").value == 2


def test_cards_dead_and_dominant(sections: dict[str, Section]) -> None:
    market = sections["market"]
    assert market.finding == "card-dead is hardly ever bought, card-sure nearly always"
    assert estimate(market, "How far a card comes", "card-dead", "Taken").value == 0
    fair = estimate(market, "How far a card comes", "card-fair", "Taken")
    assert fair.low < 0.5 < fair.high
    assert cell(market, "How far a card comes", "card-fair", "") == ""
    assert estimate(market, "How far a card comes", "card-sure", "Bought").value == 1
    assert estimate(market, "Cards that were bought", "card-fair", "Win share").value == 1
    assert estimate(market, "Cards that were bought", "card-fair", "Price").value == 2
    assert estimate(market, "Cards that were bought", "card-fair", "Plays").value == 3
    slot = estimate(market, "Purchases by slot and Turn", "Tactic 2", "Turn 2")
    assert slot.value == pytest.approx(1 + fair.value)
    assert estimate(market, "Purchases by slot and Turn", "Black 1", "All").value == 0
    assert "`simlab replay RUN --game" in str(market.parts[-1])


def test_missions_on_time_late_never(sections: dict[str, Section]) -> None:
    missions = sections["mission"]
    early = estimate(missions, "Missions", "Technologies", "On time")
    assert early.value == 0.25
    assert estimate(missions, "Missions", "Technologies", "Never").value == 0.75
    assert estimate(missions, "What Missions give", "Technologies", "On time").value == 5
    assert not estimate(missions, "What Missions give", "Technologies", "Late").known
    assert estimate(missions, "Missions", "Garrisons", "Late").value == 0.75
    assert estimate(missions, "What Missions give", "Garrisons", "Late").value == 3
    assert cell(missions, "Missions", "Garrisons", "Lay there") == 2_800
    assert missions.finding.startswith("Garrisons is completed most, by 75 %")


def test_a_mission_that_lies_where_a_faction_wins_has_an_effect_on_it(sections: dict[str, Section]) -> None:
    """Refuge 42 wins two games of the block or more where it lies, one at most where it doesn't."""
    heading = "Effect of a Mission's lying there on win share by faction"
    effect = estimate(sections["mission"], heading, "Outposts", "Refuge 42")
    assert effect.value >= 0.25
    assert effect.low > 0.2
    others = [
        estimate(sections["mission"], heading, "Outposts", name) for name in ("Farm-Z", "Ravagers", "Auxilia")
    ]
    assert effect.value + sum(other.value for other in others) == pytest.approx(0)
    assert effect.n == sum(
        row[1] for row in table(sections["mission"], "Missions").rows if row[0] == "Outposts"
    )
    assert not estimate(sections["mission"], heading, "Garrisons", "Refuge 42").known  # it lies everywhere


def test_who_completes_a_mission_may_win(sections: dict[str, Section]) -> None:
    won = estimate(sections["mission"], "What Missions give", "Technologies", "Win share")
    assert (won.n, won.low < 0.25 < won.high) == (2_800, True)


def test_how_often_a_mission_is_completed_by_column(sections: dict[str, Section]) -> None:
    heading = "How often a Mission is completed, by column"
    found = [estimate(sections["mission"], heading, "Scrappers", f"Turn {turn}") for turn in (1, 2, 3, 4)]
    assert [each.known for each in found] == [False, False, True, True]
    assert {each.value for each in found[2:]} == {0.25}
    assert sum(each.n for each in found[2:]) == 4 * 2_800


def test_the_column_in_which_a_mission_lies_has_an_effect(sections: dict[str, Section]) -> None:
    """Scrappers lie in the column of Turn 3 where Refuge 42 wins twice or more, else in that of Turn 4."""
    heading = "Effect of a Mission's column on win share by faction"
    third, fourth = (
        estimate(sections["mission"], heading, f"Scrappers, Turn {turn}", "Refuge 42") for turn in (3, 4)
    )
    assert third.value == -fourth.value > 0.25
    there = estimate(
        sections["mission"],
        "Effect of a Mission's lying there on win share by faction",
        "Outposts",
        "Refuge 42",
    )
    assert third.value == pytest.approx(there.value)  # Outposts lie there in just these blocks
    assert not estimate(sections["mission"], heading, "Outposts, Turn 2", "Refuge 42").known  # in no other
    out = table(sections["mission"], "Columns of Missions that matter").rows
    assert {row[:2] for row in out} >= {
        ("Scrappers, Turn 3", "Refuge 42"),
        ("Scrappers, Turn 4", "Refuge 42"),
    }
    assert not {row[1] for row in out} & {"1st seat", "2nd seat", "3rd seat", "4th seat"}


def test_seats_gain_nothing_by_a_mission_that_lies_where_a_faction_wins(sections: dict[str, Section]) -> None:
    heading = "Effect of a Mission's lying there on win share by seat"
    found = [estimate(sections["mission"], heading, "Outposts", f"{seat} seat") for seat in ("1st", "2nd")]
    assert all(abs(each.value) < 3 * each.se for each in found)
    out = table(sections["mission"], "Missions that matter by lying there").rows
    assert {row[0] for row in out} == {"Outposts"}
    assert "Refuge 42" in {row[1] for row in out}


def test_what_was_given_up(sections: dict[str, Section]) -> None:
    """Garrisons are completed by seats 1 to 3, which give up 1 to 3."""
    missions, at_once = sections["mission"], "Regret at once by Mission"
    assert estimate(missions, at_once, "Garrisons", "Regret").value == 2
    assert estimate(missions, at_once, "Garrisons", "Late").value == 2
    assert estimate(missions, at_once, "Garrisons", "Best").value == 0
    assert not estimate(missions, at_once, "Garrisons", "On time").known
    assert estimate(missions, at_once, "Scrappers", "Regret").value == 0
    assert estimate(missions, at_once, "Scrappers", "Best").value == 1
    assert cell(missions, at_once, "Garrisons", "Completed") == 3 * 2_800
    assert estimate(missions, "Regret at once by Turn", "2", "Regret").value == 2
    first = estimate(missions, "Regret at once by Turn", "1", "On time")
    assert (first.value, first.n) == (1, 2_800)
    whole = estimate(missions, "Regret in hindsight by faction", "Auxilia", "Regret")
    assert whole.value == pytest.approx(1.5)
    assert estimate(missions, "Regret in hindsight by faction", "Auxilia", "Best order").value == 0.25


def test_a_run_whose_tables_know_no_regret_has_a_section_all_the_same(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.dei.regret.knows_regret", lambda _: False)
    (section,) = reports.compose(make_run(blocks=20, full=True), ["mission"])
    titles = {part.title for part in section.parts if not isinstance(part, str)}
    assert "Missions" in titles
    assert not any("Regret" in title for title in titles)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory, written: Callable[..., Path]) -> Path:
    """Six strategies: more than stand abreast in a table."""
    names = tuple(f"mine/number_{k}" for k in range(6))
    folder = tmp_path_factory.mktemp("runs") / "mixed"
    return written(folder, blocks=150, strengths=EVEN, full=True, strategies=names)


def test_feats_by_strategy_and_on_supplies_are_differences_of_means(mixed: Path) -> None:
    """Held against plain SQL."""
    (section,) = reports.compose(mixed, ["feat"])
    run = results.open_run(mixed)
    for outcome, column in (("win share", "win_share"), ("Supplies", "supplies")):
        for level, key, name in (
            ("faction", "ravagers", "Ravagers"),
            ("strategy", "mine/number_4", "mine/number_4"),
        ):
            query = (
                f"SELECT avg({column}) FILTER (feat_tactic = 'bombing') - "
                f"avg({column}) FILTER (feat_tactic <> 'bombing') FROM seats WHERE {level} = '{key}'"
            )
            expected = run.sql(query).fetchall()[0][0]
            heading = f"Effect of a Feat on {outcome} by {level}"
            assert found_in(section, heading, "Bombing", name).value == pytest.approx(expected)
    often = found_in(section, "How often a strategy unlocks a Feat", "Fortress", "mine/number_0")
    assert often.low < 0.5 < often.high
    assert (
        found_in(section, "In which Turn a strategy unlocks a Feat", "Fortress", "mine/number_5").value == 2
    )


def found_in(section: Section, heading: str, row: str, column: str) -> Estimate:
    """A cell of a table that may have been cut into several of one title."""
    for part in section.parts:
        if isinstance(part, Table) and part.title == heading:
            at = [head.title for head in part.columns]
            if column in at:
                cells = next(cells for cells in part.rows if cells[0] == row)
                found = cells[at.index(column)]
                assert isinstance(found, Estimate)
                return found
    raise AssertionError((heading, row, column))


def test_feats_and_missions_fit_a_terminal(mixed: Path) -> None:
    printed = Console(file=io.StringIO(), width=100, no_color=True)
    show(reports.compose(mixed, ["feat", "mission"]), printed)
    text = printed.file.getvalue()
    assert "mine/number_5" in text
    assert [line for line in text.splitlines() if len(line.rstrip()) > 100] == []
    assert "*" not in text


def test_when_where_and_with_whom_a_card_is_bought(sections: dict[str, Section]) -> None:
    market = sections["market"]
    when, where = "When a card is bought", "From which slot a card is bought"
    assert [head.title for head in table(market, when).columns] == ["Card", "Bought", "Turn 2"]
    assert estimate(market, when, "card-fair", "Turn 2").value == 1
    found = [estimate(market, where, "card-fair", f"Slot {slot}").value for slot in (1, 2, 3)]
    assert found == [0, 1, 0]
    won = "Who wins, by how far a card came"
    offered, affordable, bought, played = (
        estimate(market, won, "card-fair", head) for head in ("Offered", "Affordable", "Bought", "Played")
    )
    assert (offered.value, offered.n) == (0.25, 4 * 2_800)
    assert affordable.n == 2_800
    assert affordable.low < 0.25 < affordable.high
    assert (bought.value, played.value) == (1, 1)
    assert not estimate(market, won, "card-dead", "Played").known


def test_feats_by_colour_and_who_unlocks_them(sections: dict[str, Section]) -> None:
    feats = sections["feat"]
    assert [row[:2] for row in table(feats, "Feats by colour").rows] == [
        ("Tactic", 11_200), ("Logistic", 11_200), ("Machinery", 11_200),
    ]  # fmt: skip
    assert estimate(feats, "Feats by colour", "Tactic", "In Turn").value == 2
    for row, column in (("Bombing", "Unlocked"), ("Fortress", "Unlocked")):
        assert abs(estimate(feats, "When a Feat is unlocked", row, column).value - 0.5) < 0.06
    then = estimate(feats, "When a Feat is unlocked", "Bombing", "Win share then")
    assert then.low < 0.4 < then.high
    by_faction = estimate(feats, "How often a faction unlocks a Feat", "Bombing", "Auxilia")
    assert by_faction.low < 0.5 < by_faction.high


def test_outliers_come_with_their_games(sections: dict[str, Section]) -> None:
    for key, says in (
        ("spread", "most Supplies"),
        ("spread", "decided by the tie-break"),
        ("length", "longest list of choices"),
        ("candy", "most Candy Boosts"),
        ("drone", "Fly works most"),
    ):
        told = [part for part in sections[key].parts if isinstance(part, str) and says in part]
        assert len(told) == 1, (key, says)
        assert told[0].startswith("Games to look at: `simlab replay RUN --game ")


def test_the_course_of_a_game(sections: dict[str, Section]) -> None:
    course = sections["quality"]
    assert estimate(course, "The lead after each Turn", "1", "Leader wins").value == 1
    assert estimate(course, "The lead after each Turn", "1", "Lead").value == 2
    assert estimate(course, "The lead after each Turn", "2", "Lead").value == 3
    second = estimate(course, "The lead after each Turn", "2", "Leader wins")
    changed = estimate(course, "The lead after each Turn", "2", "Changed")
    assert second.low < 0.25 < second.high
    assert changed.value == pytest.approx(1 - second.value)
    assert cell(course, "The lead after each Turn", "1", "Changed") is None


def test_drones_and_candy(sections: dict[str, Section]) -> None:
    assert estimate(sections["drone"], "Activations of Drones by faction", "Fly", "All").value == 3
    assert "Simon" not in [
        row[0] for row in table(sections["drone"], "Activations of Drones by faction").rows
    ]
    gained = estimate(sections["candy"], "Candy Boosts gained in a game", "Farm-Z", "Gained")
    assert gained.value == 1.5
    assert cell(sections["candy"], "Win share by Candy Boosts gained", "1 or 2", "Seats") == 5_600


def test_a_run_without_such_tables_has_no_such_sections(make_run: MakeRun) -> None:
    keys = {section.key for section in reports.compose(make_run(blocks=5))}
    assert not keys & {"feat", "market", "mission", "quality", "drone", "candy"}


def test_with_a_draft_feats_are_no_effects(make_run: MakeRun) -> None:
    experiment = {"rules": {"feats_draft": True}}
    run = make_run(blocks=60, full=True, experiment=experiment)
    found = {section.key: section for section in reports.compose(run, ["header", "feat"])}
    assert "**associations**" in str(found["feat"].parts[0])
    assert "Feats" not in "".join(part for part in found["header"].parts[1:] if isinstance(part, str))


def test_groups_of_blocks_change_no_value_and_hardly_an_interval(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(blocks=700, strengths=EVEN, full=True)
    plain = {section.key: section for section in reports.compose(run, ["feat"])}
    monkeypatch.setattr("reports.dei.basis.GROUPS", 250)
    grouped = {section.key: section for section in reports.compose(run, ["feat"])}
    one, other = (
        estimate(found["feat"], "Effect of being dealt a Feat", "Bombing", "Win share")
        for found in (plain, grouped)
    )
    assert one.value == pytest.approx(other.value)
    assert other.clusters < 260 < one.clusters
    assert other.se == pytest.approx(one.se, rel=0.15)


def test_the_documented_section_of_ones_own(make_run: MakeRun, tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs/report-sections.md"
    mine = tmp_path / "mine.py"
    mine.write_text(
        page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0], encoding="utf-8"
    )
    (section,) = reports.compose(make_run(blocks=30), [str(mine)])
    assert section.key == "mine"
    assert re.fullmatch(r"1st seat: [\w -]+ win most often from it, \d+\.\d % .+", section.heading)
    won = estimate(section, "From the 1st seat", "Refuge 42", "Win share")
    assert won.low < 0.4 < won.high
    both = reports.compose(make_run("other", blocks=3), [str(mine), "seat"])
    assert [section.key for section in both] == ["seat", "mine"]


def test_a_section_with_the_name_of_another_keeps_apart(make_run: MakeRun, tmp_path: Path) -> None:
    mine = tmp_path / "seat.py"
    mine.write_text("from reports.dei.seat import build", encoding="utf-8")
    both = reports.compose(make_run(blocks=3), ["seat", str(mine)])
    assert [section.key for section in both] == ["seat", "seat-1"]
    assert len(reports.files(both)) == 3 + 2 * 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("    1 / 0", r"mine.py\" failed: ZeroDivisionError: division by zero"),
        ("    return 'text'", "is no Section, but str"),
        ("    basis.run.sql('SELECT nothing')", "failed: BinderException"),
    ],
)
def test_a_section_that_fails_is_one_sentence(
    make_run: MakeRun, tmp_path: Path, body: str, said: str
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(f"def build(basis):\n{body}\n", encoding="utf-8")
    with pytest.raises(RunError, match=said) as caught:
        reports.compose(make_run(blocks=1), [str(mine)])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "there is no section file"),
        ("build = 3", "is no function, but int"),
        ("x = 1", "has no build"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_section_file_that_is_none(make_run: MakeRun, tmp_path: Path, text: str | None, said: str) -> None:
    mine = tmp_path / "mine.py"
    if text is not None:
        mine.write_text(text, encoding="utf-8")
    with pytest.raises(UnknownName, match=said):
        reports.compose(make_run(blocks=1), [str(mine)])
