"""Line-ups and strategies in a report: presence, payoffs, verdicts by who plays; planted truth."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planned_run import write_planned

from reports.dei import contents, header, presence, strategy, who_plays
from reports.dei.playing import payoffs, playing
from reports.dei.seated import seated
from reports.document import Section, Table
from reports.markdown import markdown
from simlab.results import open_run
from simlab.stats.equivalence import Verdict
from simlab.stats.intervals import Estimate

THREE = ("dei/greedy", "dei/planner", "dei/uniform")
SKILL = np.array([0.4, 0.8, -1.5])


def flipping(faction: Any, seat: Any, who: Any) -> Any:
    """Farm-Z is weak in the hands of greedy and strong in the planner's."""
    return SKILL[who] + 0.9 * (faction == 1) * np.array([-1.0, 1.0, 0.0])[who]


def alike(faction: Any, seat: Any, who: Any) -> Any:
    return SKILL[who] + 0.8 * (faction == 1)


def part(found: Section | None, title: str) -> Table:
    assert found is not None
    return next(each for each in found.parts if isinstance(each, Table) and each.title == title)


def build(run: Path) -> Section | None:
    return strategy.build(contents.basis(open_run(run)))


@pytest.fixture(scope="module")
def flipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_planned(tmp_path_factory.mktemp("runs") / "flipped", 15_000, 3, THREE, flipping)


def test_every_seat_is_counted_once(flipped: Path) -> None:
    basis = contents.basis(open_run(flipped))
    games, found = seated(basis, 3), playing(basis, 3).games
    assert found.rows.seats.sum() == 3 * len(games.kind)
    assert found.rows.won.sum() == len(games.kind)
    (by_sql,) = basis.run.sql(
        "SELECT count(*), sum(win_share) FROM seats WHERE faction = 'farm_z' AND strategy = 'dei/planner'"
    ).fetchall()
    mine = (found.rows.strategy == 1) & (found.faction == basis.factions.index("farm_z"))
    assert (found.rows.seats[mine].sum(), found.rows.won[mine].sum()) == by_sql


def test_payoffs_are_the_shares_of_the_games(flipped: Path) -> None:
    basis = contents.basis(open_run(flipped))
    found = {tuple(met.tolist()): cells for met, cells in payoffs(playing(basis, 3).games.rows)}
    assert len(found) == 6
    (share, seats) = basis.run.sql(
        "SELECT avg(win_share), count(*) FROM seats JOIN (SELECT game FROM seats GROUP BY game HAVING "
        "count(*) FILTER (WHERE strategy = 'dei/greedy') = 2 AND "
        "count(*) FILTER (WHERE strategy = 'dei/uniform') = 1) USING (game) WHERE strategy = 'dei/uniform'"
    ).fetchall()[0]
    assert found[2, 0, 0][2].value == pytest.approx(share)
    assert found[2, 0, 0][2].n == seats
    assert found[0, 2, 0][1].value == found[0, 2, 0][1].low == pytest.approx(1 / 3)


def test_the_better_strategy_holds_and_the_flip_is_said(flipped: Path) -> None:
    found = build(flipped)
    rows = {str(row[0]): row[1:] for row in part(found, "Which strategies hold").rows}
    assert [rows["dei/planner"][k].low for k in (0, 1)] == [1, 1]
    assert rows["dei/uniform"][2].high < 0.2
    assert dict(part(found, "Factions by who plays").rows)["Farm-Z"] == "depends on play"
    assert found is not None
    said = next(
        text for text in found.parts if isinstance(text, str) and text.startswith("**Depends on play**")
    )
    assert re.search(r"Farm-Z \(too weak where .*plays? dei/greedy.*; too strong where .*dei/planner", said)
    assert (
        "**Depends on play**: what is said of Refuge 42, Farm-Z, Ravagers and Auxilia (see Strategies)."
        in (header.build(contents.basis(open_run(flipped))).parts)
    )
    # If Farm-Z is weaker the others are stronger, all of them.
    assert found.finding.endswith("what is said of every faction depends on play")
    verdicts = {(str(r[0]), str(r[1])): r for r in part(found, "Verdicts by who plays").rows}
    mixed, mirror = (verdicts["Farm-Z", label] for label in (who_plays.NASH, "all play dei/planner"))
    assert mixed[2].value == pytest.approx(mirror[2].value)  # the mix is the planner alone
    assert mixed[2].se == pytest.approx(mirror[2].se, rel=0.25)


def test_what_holds_whoever_plays_is_said_not_to_depend(tmp_path: Path) -> None:
    found = build(write_planned(tmp_path / "run", 15_000, 3, THREE, alike))
    assert found is not None
    assert "No verdict on a faction is shown to depend on who plays." in found.parts
    head = header.build(contents.basis(open_run(tmp_path / "run")))
    assert not any("depends on play" in str(text).lower() for text in head.parts)
    assert "depends" not in found.finding
    rows = {(str(r[0]), str(r[1])): r for r in part(found, "Verdicts by who plays").rows}
    for name in THREE:
        assert rows["Farm-Z", f"it plays {name}"][3] > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_table_and_a_strategy_that_never_wins(tmp_path: Path, players: int) -> None:
    def sure(faction: Any, seat: Any, who: Any) -> Any:
        return alike(faction, seat, who) - 1e6 * (who == 0)

    run = write_planned(tmp_path / "run", 1_000, players, THREE[:2], sure)
    found = build(run)
    rows = {str(row[0]): row[1:] for row in part(found, "Which strategies hold").rows}
    assert rows["dei/planner"][0].value == 1
    assert rows["dei/greedy"][2].value == 0
    assert found is not None
    assert "nan" not in markdown([found]).lower()


def test_a_single_strategy_is_no_game(tmp_path: Path) -> None:
    assert build(write_planned(tmp_path / "run", 96, 4, THREE[:1], alike)) is None


def test_few_games_leave_blanks(written: Callable[..., Path], tmp_path: Path) -> None:
    """Strategies that were dealt out otherwise than by design, so most profiles are missing."""
    found = build(written(tmp_path / "run", blocks=29, strategies=THREE, strengths=(1.0, 0.0, 0.0, 0.0)))
    assert found is not None
    judged = [row[-1] for row in part(found, "Verdicts by who plays").rows if row[-1] is not None]
    assert {verdict.kind for verdict in judged} == {"undecided"}
    text = markdown([found])
    assert re.search(r"\| dei/greedy +\| +– \| +– \| +– \|", text)
    assert "nan" not in text.lower()


def test_the_model_says_what_mirrors_are_like_and_counts_where_they_are_undecided(flipped: Path) -> None:
    basis = contents.basis(open_run(flipped))
    found = who_plays.ways(basis, 3)
    labels = [way.label for way in found]
    farm = basis.factions.index("farm_z")
    played, model = (found[labels.index(f"all play dei/planner{end}")] for end in ("", " (model)"))
    truth = np.exp(0.9) / (2 + np.exp(0.9))  # beside two others who are even
    assert played.at[farm].value == pytest.approx(truth, abs=3.5 * played.at[farm].se)
    assert model.at[farm].value == pytest.approx(truth, abs=3.5 * model.at[farm].se)
    assert model.at[farm].se < 0.7 * played.at[farm].se
    open_, sure = Verdict("undecided", 0.0, 0.02, 0.1, 5), Verdict("balanced", 0.0, 0.02, 0.0, 0)
    wide, far = (Estimate(v, 0.05, v - 0.1, v + 0.1, 90, 30, 0.95) for v in (0.3, 0.8))
    way = who_plays.Way("all play", (wide, wide, far), (open_, sure, open_))
    again = who_plays.Way("all play (model)", (wide, wide, wide), (sure, open_, sure), again=True)
    assert [who_plays.asked([way, again], f) for f in range(3)] == [[again], [way], [way]]


def test_a_verdict_that_differs_depends_on_play() -> None:
    kinds = {
        "strong": Verdict("unbalanced", 0.1, 0.02, 0.0, 0),
        "weak": Verdict("unbalanced", -0.1, 0.02, 0.0, 0),
        "even": Verdict("balanced", 0.0, 0.02, 0.0, 0),
        "open": Verdict("undecided", 0.03, 0.02, 0.1, 500),
    }

    def of(*names: str) -> str:
        return who_plays.altogether([kinds[name] for name in names])

    assert of("strong", "weak") == of("even", "strong", "open") == who_plays.DEPENDS
    assert of("strong", "open", "strong") == who_plays.OPEN
    assert of("weak", "weak") == who_plays.HOLDS


def countered(faction: Any, seat: Any, who: Any) -> Any:
    """Refuge 42 is strong; Ravagers are weak where Auxilia sit at the table."""
    beside = (faction == 3).any(axis=1, keepdims=True)
    return 0.5 * (faction == 0) - 1.2 * ((faction == 2) & beside)


def test_presence_shows_a_planted_counter(tmp_path: Path) -> None:
    run = write_planned(tmp_path / "run", 12_000, (3, 4), THREE[:1], countered)
    found = presence.build(contents.basis(open_run(run)))
    matrix = part(found, "Presence of other factions, 3 players")
    heads = [column.title for column in matrix.columns]
    cells = {(str(row[0]), head): cell for row in matrix.rows for head, cell in zip(heads, row, strict=True)}
    assert cells["Ravagers", "with Auxilia"].high < -0.1
    assert cells["Farm-Z", "with Refuge 42"].high < 0 < cells["Farm-Z", "with Ravagers"].low
    assert not cells["Auxilia", "with Auxilia"].known
    assert "Ravagers with Auxilia −" in found.finding
    assert any(str(text).startswith("With 4 players there is nothing to tell") for text in found.parts)


def test_presence_is_the_difference_of_two_means(tmp_path: Path) -> None:
    run = write_planned(tmp_path / "run", 1_200, 3, THREE[:1], countered)
    basis = contents.basis(open_run(run))
    (both, alone) = basis.run.sql(
        "WITH g AS (SELECT game, bool_or(faction = 'auxilia') AS beside FROM seats GROUP BY game) "
        "SELECT avg(win_share) FROM seats JOIN g USING (game) WHERE faction = 'ravagers' "
        "GROUP BY beside ORDER BY beside DESC"
    ).fetchall()
    names = basis.factions
    effect = next(
        e.alone
        for e in presence.effects(basis, 3)
        if (names[e.level], names[e.other]) == ("ravagers", "auxilia")
    )
    assert effect.value == pytest.approx(both[0] - alone[0], abs=0.01)  # line-ups count alike


# --- mirror games -----------------------------------------------------------------------------------------


def test_mirror_games_tell_what_depends_on_play_and_rank_nobody(tmp_path: Path) -> None:
    run = write_planned(tmp_path / "run", 12_000, 3, THREE, flipping, mirrored=True)
    basis = contents.basis(open_run(run))
    found = strategy.build(basis)
    assert found is not None
    titles = [each.title for each in found.parts if isinstance(each, Table)]
    assert titles == ["Factions by who plays", "Verdicts by who plays"]
    rows = part(found, "Verdicts by who plays").rows
    assert {str(row[1]) for row in rows} == {f"all play {name}" for name in THREE}
    assert dict(part(found, "Factions by who plays").rows)["Farm-Z"] == "depends on play"
    said = markdown([found])
    assert re.search(
        r"Farm-Z \(too weak where all play dei/greedy; too strong where all play dei/planner", said
    )
    assert "which strategy is the stronger: no two met" in said
    assert found.finding == "what is said of every faction depends on play"
    verdicts = {(str(r[0]), str(r[1])): r[2] for r in rows}
    for name, shift in (("dei/greedy", -0.9), ("dei/planner", 0.9), ("dei/uniform", 0.0)):
        each = verdicts["Farm-Z", f"all play {name}"]
        assert each.value == pytest.approx(np.exp(shift) / (np.exp(shift) + 2), abs=3.5 * each.se)
        assert each.n == pytest.approx(3_000, abs=6)  # 4,000 blocks, a third of them, three factions of four


def test_the_head_of_a_report_on_mirror_games_says_so(tmp_path: Path) -> None:
    run = write_planned(tmp_path / "run", 1_200, 3, THREE, alike, mirrored=True)
    text = markdown([header.build(contents.basis(open_run(run)))])
    assert "dei/greedy, dei/planner, dei/uniform; mirror games, a strategy in all seats" in text
    assert "Does it depend on which strategy plays?" in text
    assert "Which strategy plays better?" not in text


def test_without_a_difference_mirror_games_show_none(tmp_path: Path) -> None:
    even = write_planned(
        tmp_path / "run", 6_000, 4, THREE[:2], lambda f, p, s: 9.0 * s + 0.0 * f, mirrored=True
    )
    found = build(even)
    assert found is not None
    assert "No verdict on a faction is shown to depend on who plays." in found.parts
    assert not found.finding
