"""Runs: the same games whatever the workers, resumed and extended, never mixed with another's."""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
import shutil
from pathlib import Path

import pytest
from fake_game import GAME_OF_CHANCE, strategy

from simlab import catalog, results, runs
from simlab.errors import RunError, SimlabError, UsageError
from simlab.experiment import Experiment, load
from simlab.results import open_run, read_manifest

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
    plan = runs.plan(made, out)
    return plan.folder, runs.play(plan, workers)


def parts_of(folder: Path) -> dict[str, object]:
    return read_manifest(folder)["parts"]


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
    assert contents(folders[0])
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
    with pytest.raises(runs.Stopped, match="stopped; the same command goes on") as stopped:
        played(made, tmp_path / "stopped")
    assert stopped.value.exit_code == 130
    there = len(parts_of(tmp_path / "stopped"))
    assert 0 < there < len(parts_of(whole))
    manifest = json.loads((tmp_path / "stopped" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["finished"], manifest["digest"]) == (False, None)
    open_run(tmp_path / "stopped")  # what is there can be read
    monkeypatch.setattr(catalog, "game", lambda name: GAME_OF_CHANCE)
    played(made, tmp_path / "stopped")
    assert contents(tmp_path / "stopped") == contents(whole)


def copied(name: str) -> object:
    return lambda file: file.write_bytes((file.parent.parent / name).read_bytes())


DAMAGE = {
    "missing": Path.unlink,
    "empty": lambda file: file.write_bytes(b""),
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-9]),
    "overwritten": lambda file: file.write_bytes(
        file.read_bytes()[:400] + b"x" * 200 + file.read_bytes()[600:]
    ),
    "another part": copied("seats/000002.parquet"),
    "another table": copied("games/000001.parquet"),
    "a link to itself": lambda file: (file.unlink(), file.symlink_to(file)),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "not to be read": lambda file: file.chmod(0),
}


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize("table", ["games", "seats"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_played_anew(tmp_path: Path, damage: str, table: str, finished: bool) -> None:
    folder, manifest = played(experiment(tmp_path))
    before = contents(folder)
    if not finished:
        results.write_manifest(folder, manifest | {"finished": False})
    if damage != "another table" or table != "games":
        DAMAGE[damage](folder / table / "000001.parquet")
    assert played(experiment(tmp_path))[1] == manifest
    assert contents(folder) == before


def test_a_part_that_was_renamed_is_no_other_part(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path))
    before = contents(folder)
    for table in ("games", "seats"):
        (folder / table / "000001.parquet").rename(folder / table / "000002.parquet")
        shutil.copy(folder / table / "000000.parquet", folder / table / "000077.parquet")
    assert played(experiment(tmp_path))[1] == manifest
    after = contents(folder)
    assert {name: after[name] for name in before} == before
    assert open_run(folder).sql("SELECT count(*) FROM games").fetchall() == [(manifest["counts"]["games"],)]


def test_a_finished_run_stays_whole_when_fewer_games_are_asked_for(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path))
    before = contents(folder)
    (folder / "games" / "000005.parquet").unlink()
    assert played(experiment(tmp_path, games=10))[1] == manifest
    assert contents(folder) == before


def test_a_stopped_run_can_be_ended_with_fewer_games(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path))
    gap = dict(manifest["parts"])
    del gap["000004"]
    results.write_manifest(folder, manifest | {"finished": False, "parts": gap})
    _, fewer = played(experiment(tmp_path, games=10))
    assert list(fewer["parts"]) == ["000000", "000001", "000002", "000003"]
    assert fewer["experiment"]["games"] == fewer["counts"]["players"]["2"] == fewer["counts"]["players"]["4"]
    assert open_run(folder).sql("SELECT count(*) FROM games").fetchall() == [(fewer["counts"]["games"],)]
    assert played(experiment(tmp_path))[1] == manifest


def test_nothing_is_written_to_a_run_that_is_whole(tmp_path: Path) -> None:
    folder, manifest = played(experiment(tmp_path))
    times = {file: file.stat().st_mtime_ns for file in folder.rglob("*")}
    assert played(experiment(tmp_path))[1] == manifest
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*")} == times


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    folder, _ = played(experiment(tmp_path))
    before = contents(folder)
    for place in (folder, folder / "games"):
        (place / f".{'0' * 32}.tmp").write_bytes(b"half a file")
    played(experiment(tmp_path))
    assert contents(folder) == before


def test_two_commands_do_not_play_into_one_folder(tmp_path: Path) -> None:
    folder, _ = played(experiment(tmp_path))
    held = os.open(folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(RunError, match="is being played into by another command"):
        played(experiment(tmp_path))
    os.close(held)
    played(experiment(tmp_path))


def test_more_games_extend_the_run_and_play_only_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = played(experiment(tmp_path, games=1000))
    old = contents(folder)
    sizes = []

    def counting(settings: object, schedule: object, *others: object) -> object:
        sizes.append(len(schedule))
        return GAME_OF_CHANCE.play(settings, schedule, *others)

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
    with pytest.raises(RunError, match="out holds another run: seed = 1, not 2; choose another --out"):
        played(experiment(tmp_path, seed=2), out)
    assert contents(out) == before
    other = experiment(tmp_path, TEXT.replace("[2, 4]", "3") + "[rules]\nturns = 3\n")
    with pytest.raises(RunError, match=r"players = \[2, 4\], not \[3\] and rules = {}, not {turns = 3}"):
        played(other, out)


def test_a_folder_of_another_engine_strategy_or_pack_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    made = experiment(tmp_path)
    played(made, out)
    plan = runs.plan(made, out)

    def refusal(**changes: object) -> str:
        with pytest.raises(RunError) as refused:
            runs.play(dataclasses.replace(plan, hash="other", **changes), 1)
        return str(refused.value)

    assert refusal(engine="0" * 64) == (
        f"{out} holds another run: the engine's code has changed since; choose another --out"
    )
    assert 'strategy "fake/second" has changed since' in refusal(
        strategy_hashes=(plan.strategy_hashes[0], "0" * 64)
    )
    assert "games come out otherwise (signature 5555555555555555, not 6)" in refusal(signature="6")
    assert "strategies = " in refusal(strategies=plan.strategies[:1], strategy_hashes=("0",))
    assert "what is recorded of a game has changed since" in refusal()
    settings = dataclasses.replace(made.settings, pack=dataclasses.replace(made.settings.pack, hash="1" * 64))
    assert 'its pack "paper" has other content' in refusal(
        experiment=dataclasses.replace(made, settings=settings)
    )


def test_two_strategies_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "strategy", lambda name, game: strategy("copied"))
    with pytest.raises(UsageError, match=r'"fake/first" and "fake/second" both have the name "copied"'):
        runs.plan(experiment(tmp_path))


def test_the_engines_source_names_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = experiment(tmp_path)
    one = runs.plan(made)
    monkeypatch.setattr("simlab.catalog.engine_hash", lambda game: "0" * 64)
    assert runs.plan(made).hash != one.hash
    assert one.engine != "0" * 64


def test_the_engine_is_all_that_plays_and_records() -> None:
    names = {file.name for file in catalog.engine_sources(GAME_OF_CHANCE)}
    assert names == {"fake_game.py", "match.py", "design.py", "contest.py"}
    dei = catalog._loaded("games", "dei", "game")
    names = {file.name for file in catalog.engine_sources(dei)}
    assert {"block.py", "live.py", "record.py", "pack.py", "setup.py", "vocabulary.py", "match.py"} <= names


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(
        RunError, match=r"mine is not a run folder: it has no manifest.json; choose another --out"
    ):
        played(experiment(tmp_path), tmp_path / "mine")
    (tmp_path / "empty").mkdir()
    played(experiment(tmp_path), tmp_path / "empty")


def test_what_is_in_the_way_is_named(tmp_path: Path) -> None:
    made = experiment(tmp_path)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for out, reason in [
        (tmp_path / "toy.toml", r"toy.toml is in the way: it is a file, not a folder"),
        (tmp_path / "toy.toml" / "deeper" / "run", r"toy.toml is in the way: it is a file, not a folder"),
        (loop, "loop is in the way: it is a link that leads nowhere, not a folder"),
        (loop / "run", "loop is in the way: it is a link that leads nowhere, not a folder"),
        (tmp_path / ("long" * 100), "can't be written: File name too long"),
    ]:
        with pytest.raises(RunError, match=reason):
            played(made, out)
    folder, _ = played(made)
    shutil.rmtree(folder / "games")
    (folder / "games").write_text("a file", encoding="utf-8")
    with pytest.raises(RunError, match="games is in the way: it is a file, not a folder"):
        played(made)


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
    assert manifest["pack"] == {"name": "paper", "version": 1, "hash": "0" * 64, "share_assumed": 0.5}
    assert [entry["name"] for entry in manifest["strategies"]] == ["fake/first", "fake/second"]
    assert manifest["tables"] == ["games", "seats"]
    assert manifest["balanced_every"] == {"2": 6 * 2 * 2**2, "4": 6 * 4 * 2**4}
    assert set(manifest["versions"]) >= {"python", "simlab", "numpy", "numba"}
    assert manifest["engine"] == catalog.engine_hash(GAME_OF_CHANCE)
    assert all(set(hashes) == {"games", "seats"} for hashes in manifest["parts"].values())


def test_a_strategys_hash_covers_weights_and_source() -> None:
    one = strategy("a")
    assert catalog.strategy_hash(one) == catalog.strategy_hash(strategy("a"))
    assert catalog.strategy_hash(one) != catalog.strategy_hash(dataclasses.replace(one, weights=(1, 3)))
    assert catalog.strategy_hash(one) != catalog.strategy_hash(dataclasses.replace(one, name="b"))
    assert [file.name for file in catalog.strategy_sources(one)] == ["fake_game.py"]
