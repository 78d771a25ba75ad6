"""What `make mutants` draws and how it judges."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.mutations import catalogue
from tests.mutations.drawn import draw, reach
from tests.mutations.drawn.draw import Drawn, Place
from tests.mutations.drawn.judges import limited
from tests.mutations.drawn.verdict import Equivalent, Row, equivalent_of, equivalents, lacking, table

ALL = draw.draw()
CACHES = (draw.places, reach._tree, reach._functions, reach._constants, reach._imported)


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Source files are read anew, before and after."""
    for function in CACHES:
        function.cache_clear()
    yield
    for function in CACHES:
        function.cache_clear()


def test_the_same_two_hundred_are_drawn_each_time(forgetful: None) -> None:
    assert len({mutant.id for mutant in ALL}) == draw.DRAWN == 200
    assert draw.draw() == ALL
    assert len({place.key for place in draw.places()}) == len(draw.places()) > 2000
    assert draw.draw(seed=draw.SEED + 1) != ALL


def test_an_edit_elsewhere_moves_no_mutant(forgetful: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def edited(path: Path) -> str:
        head, rest = catalogue.source(path).split("\n\n", 1)
        return f"{head}\n\nunused = [number + 1 for number in range(2)]\n\n{rest}"

    monkeypatch.setattr(draw, "source", edited)
    monkeypatch.setattr(reach, "source", edited)
    moved = draw.draw()
    assert [it.id for it in moved] == [it.id for it in ALL]
    assert [it.place.line for it in moved] == [it.place.line + 2 for it in ALL]


@cache
def _code(text: str) -> str:
    return ast.dump(ast.parse(text))


def test_a_mutant_is_other_code_in_its_place() -> None:
    for mutant in ALL:
        before = catalogue.source(mutant.file)
        assert _code(before) != _code(mutant.mutated()), mutant.id
        assert before.splitlines()[mutant.place.line - 1].strip() == mutant.place.text
        assert mutant.old.startswith(" ".join(mutant.place.text.split())), mutant.id


def test_no_decorator_argument_docstring_or_import_is_a_place() -> None:
    for file in sorted({place.file for place in draw.places()}):
        lines = {place.line for place in draw.places() if place.file == file}
        for node in ast.walk(ast.parse(catalogue.source(catalogue.GAME / file))):
            if isinstance(node, ast.FunctionDef):
                heads = {line for it in node.decorator_list for line in range(it.lineno, it.end_lineno + 1)}
                assert not lines & (heads | set(range(node.lineno, node.body[0].lineno))), node.name
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert not lines & set(range(node.lineno, node.end_lineno + 1))


def test_the_rules_are_what_play_comes_to() -> None:
    names = {(stretch.file, stretch.name) for stretch in reach.reached()}
    assert {("moves.py", "least_group"), ("scoring.py", "place_of"), ("regions.py", "join")} <= names
    assert {("setup.py", "deal_feats"), ("majority.py", "settle_cubes"), ("turn.py", "N_PHASES")} <= names
    files = {file for file, _ in names}
    assert not files & {"text.py", "drawing.py", "record.py", "scenario.py", "pack.py", "pack_sample.py"}
    assert not files & {"block.py", "moment.py", "redraw.py", "invariants.py", "vocabulary.py", "state.py"}


def test_each_one_listed_as_equivalent_is_drawn_and_has_its_reason() -> None:
    listed = equivalents()
    for it in listed:
        assert any(it.is_of(mutant) for mutant in ALL), f"{it.where}: {it.new} isn't drawn (any more)"
        assert len(it.reason) > 20
    assert len({(it.where, it.old, it.new) for it in listed}) == len(listed)


def _mutant(where: str, text: str, operator: str) -> Drawn:
    for place in draw.places():
        if where == f"{place.file}:{place.function}" and text in place.text:
            for name, nth, occurrence in place.operators:
                if name == operator:
                    return Drawn(place, name, nth, occurrence)
    raise LookupError(where)


JUDGED = """
import os
os.environ["NUMBA_DISABLE_JIT"] = "1"
from tests.mutations.drawn import judges
from tests.mutations.drawn.draw import Drawn, Place
from tests.mutations.forks import run_tasks
tasks = [(judge, judge, ({mutant!r},)) for judge in (judges.by_scenarios, judges.by_twin)]
for judge, answer in run_tasks(tasks, 1, 300.0):
    print(judge.__name__, answer)
"""


def test_a_mutant_that_breaks_a_rule_is_noticed() -> None:
    mutant = _mutant("majority.py:majority_holder", "if value > highest:", "ReplaceComparisonOperator_Gt_Lt")
    environment = os.environ | {"PYTHONPATH": str(catalogue.ROOT)}
    script = JUDGED.format(mutant=mutant)  # in a process that has imported nothing of the engine
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert told["by_scenarios"].endswith(".toml")
    assert told["by_twin"] == "game 1"


def go_on_for_ever() -> None:
    while True:
        pass


def test_what_goes_on_for_ever_is_ended() -> None:
    with pytest.raises(TimeoutError), limited(0.05):
        go_on_for_ever()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def _row(**noticed: str) -> Row:
    return Row(ALL[0], noticed)


def test_survivors_and_low_shares_are_told() -> None:
    seen, unseen = _row(scenarios="a.toml", twin="game 1"), _row(scenarios="", twin="", tests="")
    assert lacking([seen] * 10, bars=True) == []
    assert lacking([unseen], bars=False) == [f"{ALL[0].id} in {ALL[0].where}: nothing notices it"]
    blind = _row(scenarios="", twin="game 2")
    assert lacking([seen] * 4 + [blind], bars=True) == []
    assert lacking([seen] * 3 + [blind], bars=True) == ["scenarios alone: 3 of 4 (75.0 %), less than 80 %"]
    assert lacking([seen] * 3 + [blind], bars=False) == []
    assert "SURVIVED" in table([unseen])


def test_equivalent_ones_are_left_out_of_the_shares_and_told_beside_them() -> None:
    it = ALL[0]
    entry = Equivalent(it.where, it.old, it.new, "for the sake of the test")
    assert equivalent_of(it, [entry]) is entry
    assert equivalent_of(ALL[1], [entry]) is None
    excused = Row(it, {"scenarios": "", "twin": "", "tests": ""}, entry)
    seen = _row(scenarios="a.toml", twin="game 1")
    assert lacking([excused, seen], bars=True) == []
    told = table([excused, seen])
    assert "equivalent: for the sake of the test" in told
    assert "scenarios alone: 1 of 1 (100.0 %) (bar: 80 %); with the equivalent ones 1 of 2 (50.0 %)" in told
    wrong = Row(it, {"scenarios": "a.toml", "twin": ""}, entry)
    assert lacking([wrong], bars=False) == [
        f"{it.id} in {it.where}: listed as equivalent, but noticed by scenarios"
    ]


def test_a_place_is_known_by_its_words() -> None:
    place = Place("a.py", "f", 7, "x + 1", 0, 1, (("NumberReplacer", 0, 0),))
    assert place.key == "a.py|f|x + 1|0|1"
