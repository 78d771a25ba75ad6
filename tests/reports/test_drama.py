"""Drama, early Outposts and variety of a made-up run (`components.py`): what was planted is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from edited import edited
from told import cell, estimate, table

from reports.dei import contents
from reports.dei.course import Course, course
from reports.dei.packed import packed, unpacked
from reports.dei.seated import Seated
from reports.document import Section
from simlab.results import open_run

MakeRun = Callable[..., Path]
BY_TURN, WHEN, WHOLE = "Chances to win after each Turn", "When a game is decided", "A game's drama"
LEADS = "Who leads"


def composed(run: Path) -> dict[str, Section | None]:
    basis = contents.basis(open_run(run))
    return {key: contents.SECTIONS[key](basis) for key in ("drama", "early", "variety")}


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory, written: Callable[..., Path]) -> dict[str, Section]:
    run = written(tmp_path_factory.mktemp("runs") / "drama", blocks=300, strengths=(0.25,) * 4, full=True)
    return {key: section for key, section in composed(run).items() if section is not None}


def test_the_model_sees_who_will_win_after_turn_1_and_no_longer_after_turn_2(
    sections: dict[str, Section],
) -> None:
    """The later winner leads after Turn 1, the 1st seat always does after Turn 2."""
    drama = sections["drama"]
    assert estimate(drama, BY_TURN, "1", "Favourite").value > 0.99
    assert estimate(drama, BY_TURN, "1", "Wins").value == 1
    assert estimate(drama, BY_TURN, "1", "Uncertainty").value < 0.02
    for turn in ("0", "2"):
        assert estimate(drama, BY_TURN, turn, "Favourite").value == pytest.approx(0.28, abs=0.03)
        assert estimate(drama, BY_TURN, turn, "Uncertainty").value > 0.99
    assert estimate(drama, WHEN, "1", "Moved, points").value == pytest.approx(75, abs=3)
    assert estimate(drama, WHEN, "1", "Decided").value == 0  # sure for a Turn isn't sure to the end
    assert estimate(drama, WHOLE, "Excitement, points", "").value == pytest.approx(225, abs=6)
    assert drama.finding.startswith("the favourite after Turn 1 wins 100 % of the games, and ")
    assert "the most excitement" in str(drama.parts[-1])


def test_leads_deficits_and_dead_time(sections: dict[str, Section]) -> None:
    drama = sections["drama"]
    first = estimate(drama, LEADS, "Changes of the lead", "")
    assert first.low < 0.75 < first.high
    deficit = estimate(drama, LEADS, "Winner's largest deficit, Supplies", "")
    assert deficit.value == pytest.approx(3 * first.value)
    assert estimate(drama, WHOLE, "Who is last at half-time wins, %", "").value == 0
    assert estimate(drama, WHOLE, "Dead time, % of Turns", "").value == 0


def test_what_the_model_gave_is_held_against_what_came_out(sections: dict[str, Section]) -> None:
    rows = table(sections["drama"], "Whether the chances hold").rows
    assert sum(int(str(row[1])) for row in rows) == 300 * 4 * 4 * 2
    assert cell(sections["drama"], "Whether the chances hold", "50–60 %", "Seats") == 0
    near = estimate(sections["drama"], "Whether the chances hold", "20–30 %", "Won")
    assert near.low < 0.25 < near.high


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (0.7, "won, where the model gave them 70.0 %: it is 44.3 ± 1.9 points too sure of them."),
        (0.25, "where the model gave them 25.0 %: it isn't shown to be too sure of them or too careful."),
        (None, "won, where the model gave them 40.0 %: it is 60.0 ± 0.0 points too careful."),
    ],
)
def test_a_model_that_is_too_sure_or_too_careful_is_called_so(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, chance: float | None, said: str
) -> None:
    """The same chance for the 1st seat always, which wins a quarter of the games; or 40 % for the winner."""

    def planted(games: Course) -> np.ndarray:
        found = np.full((len(games.final), len(games.turns) + 1, 4), 0.2)
        if chance is None:
            found[np.arange(len(found)), :, games.seats.winner] = 0.4
        else:
            found[:] = (1 - chance) / 3 - 1e-9
            found[:, :, 0] = chance
        return found

    monkeypatch.setattr(Course, "chances", planted)
    drama = composed(make_run(strengths=(0.25,) * 4, full=True))["drama"]
    assert drama is not None
    (told,) = (part for part in drama.parts if str(part).startswith("Of the favourites"))
    assert said in str(told)


def test_outposts_that_never_differ_tell_nothing_of_walls(sections: dict[str, Section]) -> None:
    early = sections["early"]
    assert early.finding == ""
    found = estimate(
        early, "What an Outpost more goes with", "Outposts after Turn 2", "One more after Turn 1"
    )
    assert not found.known


def test_half_of_an_early_outpost_is_left(make_run: MakeRun, tmp_path: Path) -> None:
    """After Turn 1 a seat has 0, 2 or 4 by lot, and two more in the 4th seat; after Turn 2 half of them."""

    def outposts(turns: Any) -> dict[str, np.ndarray]:
        game, turn, seat = (np.array(turns[name]) for name in ("game", "turn", "seat"))
        early = 2 * np.random.default_rng(4).integers(0, 3, (game.max() + 1, 4))[game, seat] + 2 * (seat == 3)
        return {"outposts": np.where(turn == 1, early, early // 2)}

    run = edited(make_run(strengths=(0.25,) * 4, full=True), tmp_path / "walls", "turns", outposts)
    early, title = composed(run)["early"], "What an Outpost more goes with"
    assert early is not None
    assert estimate(early, title, "Outposts after Turn 2", "One more after Turn 1").value == pytest.approx(
        0.5
    )
    wins = estimate(early, title, "Win share, points", "One more after Turn 1")
    assert wins.low < 0 < wins.high
    assert early.finding == "of an Outpost more after Turn 1, 0.50 are left after Turn 2"
    kept = estimate(early, "Who has the most Outposts early", "The most after Turn 2", "Most after Turn 1")
    assert kept.value == 1


def test_winners_alone_buy_two_cards(sections: dict[str, Section]) -> None:
    bought = "Cards that are bought"
    winners = estimate(sections["variety"], bought, "Winners", "As varied as")
    shares = np.array([2 / 3, 1 / 3])
    assert winners.low < np.exp(-(shares * np.log(shares)).sum()) < winners.high
    assert cell(sections["variety"], bought, "Winners", "Cards") == 2
    assert not estimate(sections["variety"], bought, "The others", "As varied as").known
    assert "Hardly ever bought where they could be: card-dead." in sections["variety"].parts
    assert estimate(sections["variety"], "Where Supplies come from", "Winners", "Each").value < 2
    assert 1 <= estimate(sections["variety"], "Where Supplies come from", "Winners", "Ways").value < 1.1


@pytest.mark.parametrize(("blocks", "irregular"), [(1, 0), (3, 12), (40, 3)])
def test_few_games_and_irregular_ones(make_run: MakeRun, blocks: int, irregular: int) -> None:
    found = composed(make_run(blocks=blocks, irregular=irregular, full=True))
    assert found["drama"] is not None
    assert ("Too few blocks" in str(found["drama"].parts[1])) == (blocks < 30)


def test_without_the_table_of_turns_there_is_no_course(make_run: MakeRun) -> None:
    found = composed(make_run(blocks=40))
    assert found["drama"] is None
    assert found["early"] is None


def test_the_course_has_what_the_tables_have(make_run: MakeRun) -> None:
    run = open_run(make_run(players=(2, 4), blocks=20, full=True))
    games = course(contents.basis(run), 4)
    assert games is not None
    query = (
        "SELECT supplies FROM turns JOIN games USING (game) WHERE players = 4 ORDER BY game, turn, turns.seat"
    )
    assert games.supplies.ravel().tolist() == [row[0] for row in run.sql(query).fetchall()]
    ends = run.sql("SELECT supplies FROM seats WHERE players = 4 ORDER BY game, seat").fetchall()
    assert games.final.ravel().tolist() == [row[0] for row in ends]
    assert (games.seats.winner == games.standing[:, 0].argmax(axis=1)).all()


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_packed_numbers_come_back(players: int) -> None:
    values = np.random.default_rng(players).integers(0, 1_024, (50, players))
    rows = ", ".join(f"({g}, {s}, {v})" for (g, s), v in np.ndenumerate(values))
    found = duckdb.sql(
        f"SELECT {packed('supplies', players, 'supplies >= 0')} AS all_of_it FROM (VALUES {rows}) "
        "AS seats(game, seat, supplies) GROUP BY game ORDER BY game"
    ).fetchall()
    assert (unpacked(np.array([row[0] for row in found]), players) == values).all()


def test_a_few_games_are_described_as_all_are_though_a_faction_and_a_strategy_lack() -> None:
    """A model's coefficients are by column, and games are described some at a time."""
    none = np.zeros(2, np.int64)
    who = np.array([[0, 1], [2, 3]])
    seats = Seated(2, who, who, np.arange(2), winner=none, block=none, cluster=none, places=none)
    held = np.zeros((2, 1, 2), np.int16)
    games = Course((1,), seats, held, held, held, held[:, 0])
    for turn in (None, 0):
        every = games.described(np.arange(2), turn)
        for game in (0, 1):
            np.testing.assert_array_equal(games.described(np.array([game]), turn)[0], every[game])
