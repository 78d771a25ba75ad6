"""Strategies that are classes, in the game of chance: what is one, what it may answer, what it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fake_game import GAME_OF_CHANCE, Live, View
from plugged import install

from simlab import catalog, match
from simlab.design import design_of
from simlab.errors import UnknownName
from simlab.game import Settings
from simlab.match import ILLEGAL_CHOICE, STRATEGY_FAILED
from simlab.readable import strategy_of

SOURCE = """
class Last:
    \"\"\"Takes the last choice.

    Always.
    \"\"\"

    def choose(self, view):
        return view.choices[-1]


class Named(Last):
    name = "mine/named"
    says = "as the last one"


class Mute:
    pass
"""


NEITHER = "neither one of view.choices nor its number"


def live_game() -> Live:
    design = design_of(1, (2,), range(4), [480])
    return Live(Settings({}, {}, {}, None), design.row_of(0)[0])


def played(answer: Any) -> tuple[Live, match.Failure | None]:
    strategy = strategy_of(type("Mine", (), {"choose": answer}), "fake/mine", View)
    live = live_game()
    return live, match.play(live, [strategy, strategy])


def test_a_choice_or_its_number_is_an_answer() -> None:
    by_choice, failure = played(lambda self, view: view.choices[1])
    by_number, other = played(lambda self, view: 1)
    assert failure is other is None
    assert by_choice.log.tobytes() == by_number.log.tobytes()


@pytest.mark.parametrize(
    ("answer", "ending", "reason"),
    [
        (
            None,
            STRATEGY_FAILED,
            f"TypeError: it answered NoneType, {NEITHER}",
        ),
        ("ten", STRATEGY_FAILED, f"TypeError: it answered str, {NEITHER}"),
        (1.0, STRATEGY_FAILED, f"TypeError: it answered float, {NEITHER}"),
        (True, STRATEGY_FAILED, "TypeError: 'bool' object cannot be interpreted as an index"),
        (3, ILLEGAL_CHOICE, "it answered 3, and its choices were 0 to 2"),
        (-1, ILLEGAL_CHOICE, "it answered -1, and its choices were 0 to 2"),
    ],
)
def test_all_else_ends_the_game(answer: Any, ending: int, reason: str) -> None:
    _, failure = played(lambda self, view: answer)
    assert failure is not None
    assert (failure.cause.ending, failure.cause.reason) == (ending, reason)


def test_a_choice_of_another_view_is_none() -> None:
    kept: list[Any] = []

    def answer(self: Any, view: View) -> Any:
        kept.extend(view.choices)
        return kept[0]

    _, failure = played(answer)
    assert failure is not None
    assert failure.decision == 2
    assert failure.cause.reason.startswith("TypeError: it answered SimpleNamespace, neither one of")


def test_each_decision_is_a_new_instances() -> None:
    class Counting:
        def __init__(self) -> None:
            self.asked = 0

        def choose(self, view: View) -> int:
            self.asked += 1
            return self.asked - 1

    strategy = strategy_of(Counting, "fake/counting", View)
    live = live_game()
    assert match.play(live, [strategy, strategy]) is None
    assert live.log.tobytes() == played(lambda self, view: 0)[0].log.tobytes()


def test_a_class_in_a_file_is_a_strategy(plugged: Path) -> None:
    (plugged / "mine.py").write_text(SOURCE, encoding="utf-8")
    last, named = (catalog.strategy(f"./mine.py:{name}", "fake") for name in ("Last", "Named"))
    assert (last.name, last.says) == ("mine/Last", "Takes the last choice.")
    assert (named.name, named.says) == ("mine/named", "as the last one")
    assert (last.compiled, last.readable) == (False, True)
    assert catalog.strategy("mine.py:Last", "fake") is last
    with pytest.raises(UnknownName, match=r'"mine\.py:Mute" is no strategy, but a class without choose'):
        catalog.strategy("mine.py:Mute", "fake")


def test_its_source_is_its_file_and_the_view(plugged: Path) -> None:
    (plugged / "mine.py").write_text(SOURCE, encoding="utf-8")
    found = catalog.strategy("mine.py:Last", "fake")
    assert {path.name for path in catalog.strategy_sources(found)} == {"mine.py", "fake_game.py"}
    assert GAME_OF_CHANCE.view == "fake_game:View"


def test_an_entry_point_may_be_a_class(plugged: Path) -> None:
    (plugged / "site" / "elsewhere.py").write_text(SOURCE, encoding="utf-8")
    install(plugged, "[simlab.strategies]\nfake/last = elsewhere:Last\nfake/other = elsewhere:Named\n")
    assert catalog.strategies("fake") == ["fake/last", "fake/other"]
    assert catalog.strategy("fake/last", "fake").name == "fake/last"
    assert catalog.strategy("fake/other", "fake").name == "mine/named"
    assert not catalog.compiled("fake/last", "fake")
