"""A person's game: told as far as their seat may know, taken back byte by byte, saved as a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simlab.chronicle import Step
from simlab.errors import ExperimentError, UsageError
from simlab.prompt.session import Session, TakenBack
from simlab.prompt.sitting import Asked, sitting
from simlab.scenario import parse_scenario, run_scenario

QUESTION = """
name = "short"
game = "dei"
seed = 5
games = 24
players = {players}
strategies = ["dei/uniform"]
[rules]
turns = 1
{rules}
"""


def asked(folder: Path, rules: str = "", table: Any = 2, **wanted: Any) -> Asked:
    file = folder / "short.toml"
    file.write_text(QUESTION.format(players=table, rules=rules), encoding="utf-8")
    return Asked(file, **wanted)


def every(session: Session) -> int:
    """Some choice, not always the first."""
    return len(session.sentences) * 7 % len(session.live.choices)


def ignore(_: Step) -> None:
    pass


def shown(session: Session) -> list[Any]:
    """All that is ever told at a decision."""
    seen = session.seen
    told: list[Any] = [
        seen.facts(),
        seen.position(),
        seen.dealt(),
        seen.choices(),
        seen.groups(),
        seen.question(),
    ]
    return told + [seen.section(name, 80) for name in seen.sections] + [seen.drawing(seen.facts(), 80)]


@pytest.mark.parametrize("rules", ["", "feats_draft = true", "planning = true"])
def test_nothing_that_is_told_hangs_on_what_the_seat_cannot_know(tmp_path: Path, rules: str) -> None:
    asked_for = 0

    def ask(session: Session) -> int:
        nonlocal asked_for
        asked_for += 1
        if asked_for % 4 == 1:
            before = shown(session)
            live, session.live = session.live, session.live.copy()
            session.live.redraw(session.sitting.seat, 1000 + asked_for)
            assert session.live.records() != live.records()
            teller = session.sitting.experiment.game.teller(session.live)
            session.seen, seen = teller.seen_by(session.sitting.seat), session.seen
            assert shown(session) == before
            session.live, session.seen = live, seen
        return every(session)

    Session(sitting(asked(tmp_path, rules)), ignore, ask).play()
    assert asked_for > 8


@pytest.mark.parametrize(
    ("rules", "secret"), [("feats_draft = true", "take a feat"), ("planning = true", "commit cards")]
)
def test_what_others_choose_in_secret_is_not_told(tmp_path: Path, rules: str, secret: str) -> None:
    steps: list[Step] = []
    table = sitting(asked(tmp_path, rules))
    Session(table, steps.append, every).play()
    told = {step.seat: [s.words.sentence for s in steps if s.seat == step.seat] for step in steps}
    first = secret.split(maxsplit=1)[0]
    own, others = told[table.seat], told[1 - table.seat]
    assert secret in others
    assert not [sentence for sentence in others if sentence.startswith(first + " ") and sentence != secret]
    assert [sentence for sentence in own if sentence.startswith(first + " ")]
    assert secret not in own


def test_a_decision_is_taken_back_byte_by_byte_and_the_same_luck_comes(tmp_path: Path) -> None:
    table = sitting(asked(tmp_path))
    once = Session(table, ignore, every)
    once.play()
    positions: dict[int, tuple[bytes, bytes]] = {}  # by the number of choices before
    undone: set[int] = set()

    def ask(session: Session) -> int:
        number, now = len(session.sentences), (session.live.records(), session.live.scratch.tobytes())
        assert positions.setdefault(number, now) == now
        if session.can_take_back and number % 3 == 0 and number not in undone:
            undone.add(number)
            raise TakenBack
        return every(session)

    again = Session(table, ignore, ask)
    again.play()
    assert len(undone) > 2
    assert again.sentences == once.sentences
    assert again.live.records() == once.live.records()


def test_any_moment_is_a_scenario_that_holds(tmp_path: Path) -> None:
    rules = 'feats_draft = true\n[handicaps]\ngrant_energy = [0, 2]\nbanned_cards = [["tactic-01"], []]'
    texts: list[str] = []

    def ask(session: Session) -> int:
        if len(session.sentences) % 5 == 0:
            texts.append(session.scenario())
        return every(session)

    session = Session(sitting(asked(tmp_path, rules)), ignore, ask)
    session.play()
    texts.append(session.scenario())
    assert len(texts) > 3
    assert 'ending = "finished"' in texts[-1]
    for text in texts:
        outcome = run_scenario(parse_scenario(text))
        assert outcome.passed, outcome.difference
    wrong = texts[-1].replace("[expect]\nturn = 1", "[expect]\nturn = 2")
    assert run_scenario(parse_scenario(wrong)).difference == "the Turn is 1, expected 2"


def test_a_hint_alters_nothing(tmp_path: Path) -> None:
    def ask(session: Session) -> int:
        before = session.live.records(), session.live.scratch.tobytes()
        index = session.hint(session.sitting.opponent)
        assert (session.live.records(), session.live.scratch.tobytes()) == before
        assert 0 <= index < len(session.live.choices)
        return index

    Session(sitting(asked(tmp_path)), ignore, ask).play()


# --- who sits where -------------------------------------------------------------------------------------


def test_the_seat_and_the_faction_are_as_asked(tmp_path: Path) -> None:
    for seat in range(3):
        table = sitting(asked(tmp_path, table=3, faction="farm_z", seat=seat))
        assert (table.seat, table.factions[seat], table.players[seat]) == (seat, "farm_z", "you")
        assert len(table.factions) == 3
    table = sitting(asked(tmp_path, table="[2, 3]", against=("dei/greedy", "dei/uniform"), seat=1))
    assert table.players == ["dei/greedy", "you", "dei/uniform"]
    table = sitting(asked(tmp_path, table=4, against=("dei/greedy",), faction="auxilia"))
    assert sorted(table.players) == ["dei/greedy"] * 3 + ["you"]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"faction": "ravager"}, '--faction: there is no faction "ravager"; did you mean "ravagers"?'),
        ({"seat": 2}, "--seat must be from 1 to 2, as many as play, not 3"),
        (
            {"against": ("dei/gredy",)},
            '--against: there is no strategy "dei/gredy"; did you mean "dei/greedy"?',
        ),
        (
            {"against": ("dei/greedy", "dei/uniform"), "players": 2},
            "--against names 2 opponents, and there are 1: name one for all of them, or one each",
        ),
        (
            {"against": ("dei/greedy", "dei/uniform")},
            "--against names 2 opponents, and the game has 2 players; --players says how many",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, wanted: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        sitting(asked(tmp_path, **wanted))
    assert str(caught.value) == says


def test_what_is_wrong_in_the_file_names_it(tmp_path: Path) -> None:
    with pytest.raises(
        ExperimentError, match=r"short\.toml: players: D\.E\.I\. .* for 2, 3 or 4 players, not 5"
    ):
        sitting(asked(tmp_path, table=5))
