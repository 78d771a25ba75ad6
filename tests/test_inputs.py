"""Every case of tests/inputs: what is invalid gets its sentence, what is valid its resolved form.

A case is a file there; this module knows none by name. tests/inputs/README.md says how to add one.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_game import GAME_OF_CHANCE, strategy
from input_cases import INPUTS, apply, check_resolved, check_sentence, names

from simlab import catalog, results, runs
from simlab.cli import main
from simlab.errors import ExperimentError, PackError, WeightsError
from simlab.experiment import load
from simlab.games.dei.pack import PACKS, Pack, load_pack
from simlab.toml import dumps
from simlab.tuning import question
from simlab.weights_file import read_weights


@pytest.fixture(autouse=True)
def among_the_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(INPUTS)


@pytest.fixture
def rewrite(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--write-resolved"))


# --- experiments --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names("experiments/invalid"))
def test_an_invalid_experiment_is_refused(name: str) -> None:
    file = Path("experiments/invalid", f"{name}.toml")
    with pytest.raises(ExperimentError) as caught:
        load(file)
    check_sentence(str(caught.value), "experiments/invalid", name, file=file)


@pytest.mark.parametrize("name", names("experiments/valid"))
def test_a_valid_experiment_resolves(name: str, rewrite: bool, tmp_path: Path) -> None:
    experiment = load(Path("experiments/valid", f"{name}.toml"))
    check_resolved(experiment.resolved(), "experiments/valid", name, rewrite)
    again = tmp_path / "resolved.toml"
    for all_rules in (False, True):
        again.write_text(dumps(experiment.resolved(all_rules=all_rules)), encoding="utf-8")
        assert load(again).resolved() == experiment.resolved()


# --- tunings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names("tunings/invalid"))
def test_an_invalid_tuning_is_refused(name: str) -> None:
    file = Path("tunings/invalid", f"{name}.toml")
    with pytest.raises(ExperimentError) as caught:
        question.load(file)
    check_sentence(str(caught.value), "tunings/invalid", name, file=file)


# --- strategies' weights ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names("strategies/invalid"))
def test_an_invalid_file_of_weights_is_refused(name: str) -> None:
    file = Path("strategies/invalid", f"{name}.toml")
    with pytest.raises(WeightsError) as caught:
        read_weights(file, "dei")
    check_sentence(str(caught.value), "strategies/invalid", name, file=file)


@pytest.mark.parametrize("name", names("strategies/valid"))
def test_a_valid_file_of_weights_is_read(name: str, rewrite: bool) -> None:
    found = read_weights(Path("strategies/valid", f"{name}.toml"), "dei")
    base = catalog.strategy("dei/greedy", "dei")
    changed = {
        weight: value
        for weight, value, before in zip(base.weight_names, found.weights, base.weights, strict=True)
        if value != before
    }
    check_resolved(
        {"name": found.name, "says": found.says, "changed": changed}, "strategies/valid", name, rewrite
    )
    assert (found.choose, found.weight_names) == (base.choose, base.weight_names)


# --- packs --------------------------------------------------------------------------------------------


def edited_pack(kind: str, name: str, tmp_path: Path) -> Path:
    """A copy of the shipped pack with a case's edits."""
    folder = shutil.copytree(PACKS / "reconstructed", tmp_path / "mine")
    apply(tomllib.loads((INPUTS / kind / f"{name}.toml").read_text(encoding="utf-8"))["edit"], folder)
    return folder


@pytest.fixture(scope="module")
def shipped() -> Pack:
    return load_pack("reconstructed")


@pytest.mark.parametrize("name", names("packs/invalid"))
def test_an_invalid_pack_is_refused(name: str, tmp_path: Path) -> None:
    folder = edited_pack("packs/invalid", name, tmp_path)
    with pytest.raises(PackError) as caught:
        load_pack(str(folder))
    check_sentence(str(caught.value), "packs/invalid", name, pack=folder)


@pytest.mark.parametrize("name", names("packs/valid"))
def test_a_valid_pack_loads(name: str, rewrite: bool, tmp_path: Path, shipped: Pack) -> None:
    pack = load_pack(str(edited_pack("packs/valid", name, tmp_path)))
    resolved = {
        "name": pack.name,
        "title": pack.title,
        "same_hash_as_shipped": pack.hash == shipped.hash,
        "same_components_as_shipped": pack.table.tobytes() == shipped.table.tobytes(),
        "counts": dict(pack.counts),
    }
    check_resolved(resolved, "packs/valid", name, rewrite)


# --- runs and commands --------------------------------------------------------------------------------

TOY = """
name = "toy"
game = "fake"
seed = 1
games = 100
players = 2
strategies = ["fake/first"]
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the file of a tiny experiment of the fake game and its run."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "toy.toml").write_text(TOY, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "game", lambda name: GAME_OF_CHANCE)
        patch.setattr(catalog, "check_strategy", lambda name, game: None)
        patch.setattr(catalog, "strategy", lambda name, game: strategy(name, games_per_part=400))
        runs.play(runs.plan(load(folder / "toy.toml"), folder / "run"), 1, quiet=True)
        yield folder


def check_command(
    kind: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], **places: Path
) -> None:
    """A case's command ends with its exit code, its sentence on stderr and nothing on stdout."""
    case = tomllib.loads((INPUTS / kind / f"{name}.toml").read_text(encoding="utf-8"))
    words = [word.format(**places) for word in case["command"]]
    monkeypatch.setattr(sys, "argv", ["simlab", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (case["exit"], "")
    assert err.startswith("simlab: ")
    assert err.endswith("\n")
    check_sentence(err.removeprefix("simlab: ").removesuffix("\n"), kind, name, **places)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.mark.parametrize("name", names("commands/invalid"))
def test_a_command_written_wrong_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    check_command("commands/invalid", name, monkeypatch, capsys)
    assert not list(tmp_path.iterdir())


def edited_run(kind: str, name: str, toy: Path, tmp_path: Path) -> Path:
    """A copy of the tiny run with a case's edits."""
    folder = shutil.copytree(toy / "run", tmp_path / "run")
    case = tomllib.loads((INPUTS / kind / f"{name}.toml").read_text(encoding="utf-8"))
    apply(case.get("edit", []), folder)
    return folder


@pytest.mark.parametrize("name", names("runs/invalid"))
def test_an_invalid_run_is_refused_and_left_alone(
    name: str, toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = edited_run("runs/invalid", name, toy, tmp_path)
    before = contents(folder)
    check_command(
        "runs/invalid", name, monkeypatch, capsys, run=folder, experiment=toy / "toy.toml", folder=tmp_path
    )
    assert contents(folder) == before


@pytest.mark.parametrize("name", names("runs/valid"))
def test_a_valid_run_is_read(name: str, rewrite: bool, toy: Path, tmp_path: Path) -> None:
    opened = results.open_run(edited_run("runs/valid", name, toy, tmp_path))
    rows = {table: opened.sql(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in opened.files}
    check_resolved({"rows": rows}, "runs/valid", name, rewrite)


@pytest.mark.parametrize(
    ("kind", "least"), [("experiments/invalid", 110), ("experiments/valid", 45), ("packs/invalid", 110)]
)
def test_the_cases_are_found(kind: str, least: int) -> None:
    assert len(names(kind)) >= least
