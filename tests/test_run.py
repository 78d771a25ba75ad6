"""Runs: the same games whatever the workers, resumed and extended, never mixed with another's."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from fake_game import GAME_OF_CHANCE, strategy

from simlab import catalog, run
from simlab.errors import RunError, SimlabError
from simlab.experiment import Experiment, load
from simlab.results import open_run, parts_of

TEXT = """
name = "toy"
game = "fake"
seed = 1
games = 1000
players = [2, 4]
strategies = ["fake/first", "fake/second"]
"""


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_CHANCE)
    monkeypatch.setattr(catalog, "check_strategy", lambda name, game: None)
    monkeypatch.setattr(catalog, "strategy", lambda name, game: strategy(name, games_per_part=400))


def experiment(tmp_path: Path, text: str = TEXT, **overrides: int) -> Experiment:
    file = tmp_path / "toy.toml"
    file.write_text(text, encoding="utf-8")
    return load(file, **overrides)


def played(made: Experiment, out: Path | None = None, workers: int = 1) -> tuple[Path, dict]:
    plan = run.plan(made, out)
    return plan.folder, run.play(plan, workers)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_a_run_is_named_by_its_experiment_and_a_hash(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path))
    assert folder == Path("runs") / f"toy-{manifest['hash'][:8]}"
    assert manifest["counts"]["games"] == 2000
    assert manifest["counts"]["players"] == {"2": 1000, "4": 1000}
    assert sum(manifest["counts"]["endings"].values()) == 2000
    assert manifest["counts"]["endings"]["stalled"] > 0
    assert manifest["finished"] is True
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8")) == manifest


def test_one_and_two_and_five_workers_give_the_same_bytes(tmp_path: Path) -> None:
    made = experiment(tmp_path)
    folders = [played(made, tmp_path / str(workers), workers)[0] for workers in (1, 2, 5)]
    assert len(parts_of(folders[0])) > 5
    assert contents(folders[0]) == contents(folders[1]) == contents(folders[2])


def test_the_digest_is_the_sum_of_the_games_hashes(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path))
    hashes = open_run(folder).sql("SELECT game_hash FROM games").fetchall()
    assert manifest["digest"] == f"{sum(value for (value,) in hashes) % 2**64:016x}"
    assert len(manifest["digest"]) == 16


def test_another_seed_is_another_run_with_another_digest(tmp_path: Path) -> None:
    one, other = played(experiment(tmp_path)), played(experiment(tmp_path, seed=2))
    assert one[0] != other[0]
    assert one[1]["digest"] != other[1]["digest"]


def test_a_run_in_one_go_equals_one_that_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = experiment(tmp_path)
    whole, _ = played(made, tmp_path / "whole")
    calls = []

    def stop_at_the_fifth(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return GAME_OF_CHANCE.play(*arguments)

    stopping = dataclasses.replace(GAME_OF_CHANCE, play=stop_at_the_fifth)
    monkeypatch.setattr(catalog, "game", lambda name: stopping)
    with pytest.raises(RunError, match="stopped; the same command goes on"):
        played(made, tmp_path / "stopped")
    there = len(parts_of(tmp_path / "stopped"))
    assert 0 < there < len(parts_of(whole))
    manifest = json.loads((tmp_path / "stopped" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["finished"], manifest["digest"]) == (False, None)
    open_run(tmp_path / "stopped")  # what is there can be read
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_CHANCE)
    played(made, tmp_path / "stopped")
    assert contents(tmp_path / "stopped") == contents(whole)


def test_a_part_that_lacks_a_table_is_played_again(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path))
    before = contents(folder)
    (folder / "games" / "000001.parquet").unlink()
    assert played(experiment(tmp_path))[1] == manifest
    assert contents(folder) == before


def test_more_games_extend_the_run_and_play_only_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = played(experiment(tmp_path, games=1000))
    old = contents(folder)
    sizes = []

    def counting(settings: object, schedule: object, strategies: object) -> object:
        sizes.append(len(schedule))
        return GAME_OF_CHANCE.play(settings, schedule, strategies)

    monkeypatch.setattr(catalog, "game", lambda name: dataclasses.replace(GAME_OF_CHANCE, play=counting))
    longer, manifest = played(experiment(tmp_path, games=1500))
    assert longer == folder
    assert manifest["counts"]["games"] == 3000
    assert sum(sizes) < 2000 + 400
    kept = contents(folder)
    assert all(kept[name] == data for name, data in old.items() if "-" not in name and "manifest" not in name)
    fresh, again = played(experiment(tmp_path, games=1500), tmp_path / "fresh")
    assert again["digest"] == manifest["digest"]
    assert contents(fresh) == kept


def test_fewer_games_than_are_there_play_none(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path, games=1000))
    before = contents(folder)
    assert played(experiment(tmp_path, games=10))[1] == manifest
    assert contents(folder) == before


def test_a_folder_of_other_settings_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    played(experiment(tmp_path), out)
    before = contents(out)
    with pytest.raises(RunError, match=r"out holds a run of other settings \(\w{8}, not \w{8}\)"):
        played(experiment(tmp_path, seed=2), out)
    assert contents(out) == before


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(
        RunError, match=r"mine is not a run folder: it has no manifest.json; choose another --out"
    ):
        played(experiment(tmp_path), tmp_path / "mine")
    with pytest.raises(RunError, match="is a file, not a run folder"):
        played(experiment(tmp_path), tmp_path / "toy.toml")
    (tmp_path / "empty").mkdir()
    played(experiment(tmp_path), tmp_path / "empty")


def test_a_failure_in_a_worker_is_its_own_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> object:
        raise RunError("the dice fell off the table")

    monkeypatch.setattr(catalog, "game", lambda name: dataclasses.replace(GAME_OF_CHANCE, play=fail))
    with pytest.raises(SimlabError, match="the dice fell off the table"):
        played(experiment(tmp_path), workers=2)


def test_the_manifest_says_what_the_run_rests_on(tmp_path: Path) -> None:
    text = TEXT + "[rules]\nturns = 3\n"
    _, manifest = played(experiment(tmp_path, text))
    assert manifest["experiment"]["rules"] == {"turns": 3}
    assert manifest["rules"]["turns"] == 3
    assert manifest["pack"] == {"name": "paper", "hash": "0" * 64, "share_assumed": 0.5}
    assert [entry["name"] for entry in manifest["strategies"]] == ["fake/first", "fake/second"]
    assert manifest["tables"] == ["games", "seats"]
    assert manifest["balanced_every"] == {"2": 6 * 2 * 2**2, "4": 6 * 4 * 2**4}
    assert set(manifest["versions"]) >= {"python", "simlab", "numpy", "numba"}


def test_a_strategys_hash_covers_weights_and_source() -> None:
    one = strategy("a")
    assert run.strategy_hash(one) == run.strategy_hash(strategy("a"))
    assert run.strategy_hash(one) != run.strategy_hash(dataclasses.replace(one, weights=(1, 3)))
    assert run.strategy_hash(one) != run.strategy_hash(dataclasses.replace(one, name="b"))
    assert [file.name for file in catalog.strategy_sources(one)] == ["fake_game.py"]
