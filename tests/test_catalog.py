"""Names that are found, and what is said of those that aren't."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from simlab import catalog
from simlab.errors import UnknownName

STRATEGY = """
from simlab.strategy import Strategy

def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return 0

STRATEGY = Strategy("mine", "plays the first", choose, compiled=False)
NOTHING = 3
"""


def test_our_own_are_entry_points() -> None:
    assert catalog.games() == ["dei"]
    assert catalog.strategies("dei") == ["dei/greedy", "dei/uniform"]
    assert catalog.game("dei").name == "dei"
    assert catalog.strategies("nothing") == []


def test_an_unknown_name_is_said() -> None:
    with pytest.raises(UnknownName, match='there is no game "de"; did you mean "dei"'):
        catalog.game("de")
    with pytest.raises(UnknownName, match='there is no strategy "greedy"'):
        catalog.strategy("greedy", "dei")


def test_a_strategy_can_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(STRATEGY, encoding="utf-8")
    found = catalog.strategy(str(file), "dei")
    assert found.name == "mine"
    assert catalog.strategy(f"{file}:STRATEGY", "dei") is found
    assert catalog.strategy_sources(found) == [file]


@pytest.mark.parametrize(
    ("text", "attribute", "reason"),
    [
        (STRATEGY, ":OTHER", "has no OTHER"),
        (STRATEGY, ":NOTHING", "is no strategy, but int"),
        ("def", "", "can't be imported: SyntaxError"),
        ("import nothing_of_that_name", "", "can't be imported: ModuleNotFoundError"),
        ("", "", "has no STRATEGY"),
        ("raise SystemExit", "", "can't be imported: SystemExit"),
        ("import sys; sys.exit(3)", "", "can't be imported: SystemExit: 3"),
        ("raise ValueError('one\\ntwo')", "", "can't be imported: ValueError: one$"),
    ],
)
def test_a_file_without_strategy_is_said(tmp_path: Path, text: str, attribute: str, reason: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnknownName, match=reason):
        catalog.strategy(f"{file}{attribute}", "dei")


def test_a_strategys_sources_follow_its_imports_in_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "plugin"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "values.py").write_text("BEST = 0\n", encoding="utf-8")
    (package / "unused.py").write_text("", encoding="utf-8")
    text = STRATEGY.replace("from simlab.strategy", "from plugin.values import BEST\nfrom simlab.strategy")
    (package / "mine.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import plugin.mine

    names = [file.name for file in catalog.strategy_sources(plugin.mine.STRATEGY)]
    assert names == ["mine.py", "values.py"]


NEIGHBOUR = """
from functools import partial
import numpy
from neighbour import best
from simlab.strategy import Strategy

def choose(depth, *given):
    import later
    return best

STRATEGY = Strategy("mine", "as its neighbour says", {choose}, compiled=False)
"""


@pytest.mark.parametrize("choose", ["partial(choose, 2)", "choose", "best"])
def test_the_sources_of_a_file_are_the_file_and_what_it_imports_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choose: str
) -> None:
    (tmp_path / "neighbour.py").write_text("def best(*given):\n    return 0\n", encoding="utf-8")
    for name in ("later", "unused"):
        (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
    (tmp_path / "mine.py").write_text(NEIGHBOUR.format(choose=choose), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "neighbour", raising=False)
    found = catalog.strategy(str(tmp_path / "mine.py"), "dei")
    assert [file.name for file in catalog.strategy_sources(found)] == [
        "later.py",
        "mine.py",
        "neighbour.py",
    ]
