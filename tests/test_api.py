"""simlab from Python: the same games, numbers and sentences as the commands."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import reports
import simlab
from simlab import errors, experiment, results, runs

ROOT = Path(__file__).resolve().parents[1]
PYTHON = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.DOTALL)
QUESTION = {
    "name": "question",
    "game": "dei",
    "seed": 1,
    "games": 4,
    "players": (2,),
    "strategies": ["dei/uniform"],
    "arms": {"longer": {"rules": {"turns": 5}}, "grant": {"handicaps": {"grant_energy": {0: 1}}}},
}
FILE = """
name = "question"
game = "dei"
seed = 1
games = 4
players = [2]
strategies = ["dei/uniform"]
[arms.longer]
rules = { turns = 5 }
[arms.grant]
handicaps = { grant_energy = { 0 = 1 } }
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the question, played as the command plays it."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "question.toml").write_text(FILE, encoding="utf-8")
    plan = runs.plan(experiment.load(folder / "question.toml"), folder / "run")
    runs.play(plan, 1, quiet=True)
    return plan.folder


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_importing_it_imports_nothing_of_ours() -> None:
    check = (
        "import sys, simlab; assert {'compare', 'load', 'run'} <= {*dir(simlab)}; "
        "print(*[name for name in sys.modules if name.split('.')[0] in ('simlab', 'reports', 'numpy')])"
    )
    answer = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["simlab"]


def test_what_it_has_not_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'plays'"):
        simlab.plays  # noqa: B018


def test_the_types_name_what_is_there() -> None:
    stub = (ROOT / "simlab/__init__.pyi").read_text(encoding="utf-8")
    assert sorted(re.findall(r"import (\w+) as \1$", stub, re.MULTILINE)) == sorted(simlab.__all__)


def test_a_mapping_is_the_experiment_of_a_file(played: Path, elsewhere: Path) -> None:
    found = simlab.run(QUESTION, workers=1, out="mine")
    assert found.path == Path("mine")
    before = results.open_run(played).manifest
    assert (found.manifest["hash"], found.manifest["digest"]) == (before["hash"], before["digest"])
    assert simlab.run(QUESTION, games=8, out="mine").manifest["counts"]["games"] == 24  # of three arms
    assert str(simlab.load("mine")) == "<run mine: 24 games in 4 blocks>"


def test_tables_are_those_of_the_run(played: Path) -> None:
    run = simlab.load(str(played))
    stored = results.open_run(played)
    assert run.tables == tuple(stored.files)
    for name in run.tables:
        table = run.table(name)
        assert table.to_pylist() == stored.sql(f"SELECT * FROM {name}").to_arrow_table().to_pylist()
        assert all(field.metadata[b"meaning"] for field in table.schema)
    assert run.table("seats", ["faction", "arm"]).column_names == ["faction", "arm"]
    assert run.table("seats", ["faction"]).to_pandas()["faction"].nunique() == 4
    assert stored.of_arm(1).table("games", ["turns"]).to_pylist() == [{"turns": 5}] * 4
    assert simlab.load(played).sql("SELECT max(arm) FROM games").fetchall() == [(2,)]


def test_the_report_is_the_commands(played: Path, tmp_path: Path) -> None:
    reports.write(played, tmp_path, ["faction", "seat"])
    written = json.loads((tmp_path / reports.JSON).read_text(encoding="utf-8"))
    assert simlab.load(played).report(["faction", "seat"]) == written


def test_the_comparison_is_the_commands(played: Path, elsewhere: Path) -> None:
    reports.publish_comparison([played], Console(file=io.StringIO()))
    written = json.loads((played / "compare.json").read_text(encoding="utf-8"))
    assert [arm["arm"] for arm in written["arms"]] == ["longer", "grant"]
    assert simlab.load(played).comparison() == simlab.compare(played) == written
    assert simlab.compare(QUESTION, out="again") == written
    assert "also_by" not in written


@pytest.mark.compiled_only
def test_a_comparison_has_those_by_others(elsewhere: Path) -> None:
    found = simlab.compare(QUESTION | {"also_by": [["dei/greedy"]]}, out="by")
    (other,) = found["also_by"]
    assert other == simlab.compare("by-1")
    assert found == {**simlab.compare("by"), "also_by": [other]}
    reports.publish_comparison(["by", "by-1"], Console(file=io.StringIO()))
    assert json.loads(Path("by/compare.json").read_text(encoding="utf-8")) == found


WRONG = {
    "no run": (lambda run: simlab.load("nowhere"), "nowhere: there is no such run folder"),
    "no file": (lambda run: simlab.run("nowhere.toml"), "nowhere.toml: there is no such file"),
    "a wrong value": (
        lambda run: simlab.run(QUESTION | {"games": "many"}),
        'games must be a whole number, not a text ("many")',
    ),
    "nothing": (
        lambda run: simlab.run(QUESTION | {"name": None}),
        "name must be a text, not nothing (nothing)",
    ),
    "an object": (
        lambda run: simlab.run(QUESTION | {"name": {1}}),
        "name must be a text, not an object of Python's (set) ({1})",
    ),
    "a key that is a number": (lambda run: simlab.run(QUESTION | {5: 1}), 'there is no key "5"'),
    "games": (lambda run: simlab.run(QUESTION, games=0), "games must be from 1 to 10000000000, not 0"),
    "workers": (lambda run: simlab.run(QUESTION, workers=0), "workers must be from 1 to 1024, not 0"),
    "no arms": (lambda run: simlab.compare({**QUESTION, "arms": {}}), "[arms] is empty, so it has no effect"),
    "without arms": (
        lambda run: simlab.compare({key: QUESTION[key] for key in QUESTION if key != "arms"}),
        "there are no [arms], so there is nothing to compare",
    ),
    "a file without arms": (
        lambda run: simlab.compare("experiments/dei/demo.toml"),
        "experiments/dei/demo.toml: there are no [arms], so there is nothing to compare",
    ),
    "options of a run": (
        lambda run: simlab.compare(run, games=0),
        "games has no effect: {run} is a run, which is compared as it is",
    ),
    "a table": (
        lambda run: simlab.load(run).table("seat"),
        'there is no table "seat"; did you mean "seats"?',
    ),
    "a column": (
        lambda run: simlab.load(run).table("seats", ["factoin"]),
        'the table "seats" has no column "factoin"; did you mean "faction"?',
    ),
    "columns as a text": (
        lambda run: simlab.load(run).table("seats", "faction"),
        'columns must be a list of names, such as ["faction"], not a text',
    ),
    "sections as a text": (
        lambda run: simlab.load(run).report("faction"),
        'sections must be a list of names, such as ["faction"], not a text',
    ),
    "a query": (
        lambda run: simlab.load(run).sql("SELECT nothing FROM seats"),
        '"SELECT nothing FROM seats" can\'t be asked: ',
    ),
    "a section": (lambda run: simlab.load(run).report(["factions"]), 'there is no report section "factions"'),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_a_sentence_of_ours(name: str, played: Path, elsewhere: Path) -> None:
    ask, sentence = WRONG[name]
    with pytest.raises(errors.UsageError) as raised:
        ask(played)
    assert str(raised.value).startswith(sentence.replace("{run}", str(played)))
    assert not list(elsewhere.iterdir())


STRATEGY = """
class Loser:
    def choose(self, *given):
        raise ValueError("no idea")
"""


@pytest.mark.compiled_only
def test_games_that_a_strategy_spoils_are_warned_of(elsewhere: Path) -> None:
    Path("mine.py").write_text(STRATEGY, encoding="utf-8")
    asked = {**QUESTION, "strategies": ["mine.py:Loser"]}
    with pytest.warns(UserWarning, match="no idea"):
        run = simlab.run(asked, workers=1, out="spoilt")
    assert run.manifest["counts"]["endings"] == {"strategy failed": 12}
    with pytest.raises(errors.RunError, match="no idea"):
        simlab.run(asked, workers=1, out="strict", strict=True)


@pytest.mark.compiled_only
def test_the_documented_examples_run(elsewhere: Path) -> None:
    space: dict[str, object] = {}
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        for block in PYTHON:
            exec(block, space)
    assert space["same"] == space["longer"].comparison()  # type: ignore[attr-defined]
    printed = told.getvalue()
    for comment in re.findall(r"^ *print\(\w+\) +# (.+)$", "\n".join(PYTHON), re.MULTILINE):
        assert re.search(re.escape(comment).replace("…", r"\w+"), printed), comment
