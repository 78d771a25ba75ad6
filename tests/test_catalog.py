"""Names that are found, and what is said of those that aren't."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from plugged import install

from simlab import catalog
from simlab.errors import UnknownName
from simlab.strategy import Strategy

STRATEGY = """
from simlab.strategy import Strategy

def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return 0

STRATEGY = Strategy("mine", "plays the first", choose, compiled=False)
NOTHING = 3
"""


def test_our_own_are_entry_points() -> None:
    assert catalog.games() == ["dei"]
    assert {"dei/greedy", "dei/planner", "dei/trader", "dei/uniform"} < set(catalog.strategies("dei"))
    assert catalog.families("dei") == ["dei/search"]
    assert catalog.game("dei").name == "dei"
    assert catalog.strategies("nothing") == []


def test_a_family_has_a_strategy_for_each_number() -> None:
    assert catalog.strategy("dei/search:3", "dei") is catalog.strategy("dei/search:3", "dei")
    assert catalog.strategy("dei/search:40", "dei").name == "dei/search:40"
    assert catalog.compiled("dei/search:40", "dei")
    three, four = (catalog.strategy(f"dei/search:{number}", "dei") for number in (3, 4))
    assert catalog.strategy_hash(three) != catalog.strategy_hash(four)
    for name in ("dei/search", "dei/search:", "dei/search:x", "dei/search:-1", "dei/search:03"):
        with pytest.raises(UnknownName, match=f'^strategy "{name}" needs a whole number behind a colon'):
            catalog.check_strategy(name, "dei")
    with pytest.raises(UnknownName, match=r"^the number of dei/search must be 1 to 100000, not 100001$"):
        catalog.strategy("dei/search:100001", "dei")
    with pytest.raises(UnknownName, match='there is no strategy "dei/serch:3"; did you mean "dei/search"'):
        catalog.check_strategy("dei/serch:3", "dei")


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


WEIGHTS = """
name = "mine/{name}"
base = "dei/greedy"
[weights]
risk = {risk}
"""


def weights_file(folder: Path, name: str, risk: int) -> Path:
    file = folder / f"{name}.toml"
    file.write_text(WEIGHTS.format(name=name, risk=risk), encoding="utf-8")
    return file


@pytest.mark.compiled_only
def test_a_file_of_weights_is_its_base_with_other_numbers(tmp_path: Path) -> None:
    base = catalog.strategy("dei/greedy", "dei")
    bold = catalog.strategy(str(weights_file(tmp_path, "bold", 100)), "dei")
    assert catalog.compiled(str(tmp_path / "bold.toml"), "dei")
    assert (bold.name, bold.choose, bold.games_per_part) == ("mine/bold", base.choose, base.games_per_part)
    assert catalog.strategy_sources(bold) == catalog.strategy_sources(base)
    shy = catalog.strategy(str(weights_file(tmp_path, "shy", 900)), "dei")
    hashes = [catalog.strategy_hash(each) for each in (base, bold, shy)]
    assert len(set(hashes)) == 3


@pytest.mark.compiled_only
def test_a_file_of_weights_is_read_once(tmp_path: Path) -> None:
    file = weights_file(tmp_path, "bold", 100)
    found = catalog.strategy(str(file), "dei")
    weights_file(tmp_path, "bold", 200)
    assert catalog.strategy(str(file), "dei") is found


@pytest.mark.compiled_only
def test_a_file_of_weights_may_be_an_entry_point_and_a_base(plugged: Path) -> None:
    weights_file(plugged / "site", "bold", 100)
    (plugged / "site" / "bold_plugin.py").write_text(
        "from pathlib import Path\nfrom simlab.weights_file import read_weights\n"
        'BOLD = read_weights(Path(__file__).with_name("bold.toml"), "dei")\n',
        encoding="utf-8",
    )
    install(plugged, "[simlab.strategies]\ndei/bold = bold_plugin:BOLD\n")
    bold = catalog.strategy("dei/bold", "dei")
    assert bold.name == "mine/bold"
    assert "bold_plugin.py" in {path.name for path in catalog.strategy_sources(bold)}
    file = weights_file(plugged, "bolder", 50)
    text = file.read_text(encoding="utf-8").replace("dei/greedy", "dei/bold").replace("risk", "access")
    file.write_text(text, encoding="utf-8")
    bolder = catalog.strategy(str(file), "dei")
    weights = dict(zip(bolder.weight_names, bolder.weights, strict=True))
    assert (weights["risk"], weights["access"]) == (100, 50)


@pytest.mark.parametrize(
    ("weights", "names", "reason"),
    [
        ((1, 2), ("one",), "2 weights have 1 names"),
        ((2**31,), (), "a weight is no int32"),
        ((0,) * 129, (), "it has 129 weights, and at most 128 can be"),
    ],
)
def test_weights_that_cannot_be_are_refused(
    weights: tuple[int, ...], names: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        Strategy("mine/any", "", lambda *_: 0, weights, names)
