"""The same games, byte for byte, however a run comes about."""

from __future__ import annotations

import json
import random
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fake_game import GAME_OF_CHANCE, strategy

from simlab import catalog, results, runs
from simlab.errors import RunError
from simlab.experiment import load
from simlab.threads import ALONE_SECONDS, Pace, played

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
    Path("toy.toml").write_text(TEXT, encoding="utf-8")


def planned(out: str, part_games: int | None = None, **overrides: int) -> runs.Plan:
    """A plan; `part_games` are the games of its parts, which are otherwise what the strategies declare."""
    made = runs.plan(load(Path("toy.toml"), **overrides), Path(out))
    if part_games is None:
        return made
    return replace(made, design=replace(made.design, games_per_part=part_games))


def contents(folder: str) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in Path(folder).rglob("*.*")}


def test_the_length_of_parts_changes_no_game() -> None:
    manifests = [
        runs.play(planned(f"of-{games}", part_games=games), 2, quiet=True) for games in (8, 100, 400, 10**6)
    ]
    assert len({len(manifest["parts"]) for manifest in manifests}) == 4
    assert len({manifest["digest"] for manifest in manifests}) == 1
    assert len({json.dumps(manifest["counts"]) for manifest in manifests}) == 1
    rows = [
        results.open_run(f"of-{games}").sql("SELECT * FROM games ORDER BY game").fetchall()
        for games in (8, 10**6)
    ]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_missing_parts_come_in_any_order(workers: int) -> None:
    whole = runs.play(planned("whole"), 1, quiet=True)
    before = contents("whole")
    chance = random.Random(workers)
    names = list(whole["parts"])
    for _ in range(3):
        kept = sorted(chance.sample(names, chance.randrange(len(names))))
        for name in set(names) - set(kept):
            for table in ("games", "seats"):
                Path("whole", table, f"{name}.parquet").unlink()
        listed = {name: whole["parts"][name] for name in kept}
        results.write_manifest(Path("whole"), whole | {"finished": False, "parts": listed})
        assert runs.play(planned("whole"), workers, quiet=True) == whole
        assert contents("whole") == before


def test_a_run_that_grows_in_many_steps_is_the_one_of_one_step() -> None:
    for games, workers in [(10, 1), (400, 7), (401, 2), (900, 1), (1000, 2)]:
        runs.play(planned("grown", games=games), workers, quiet=True)
    runs.play(planned("whole"), 2, quiet=True)
    assert contents("grown") == contents("whole")


FOREIGN = {
    "cut short": lambda text: text[:-40],
    "empty": lambda text: "",
    "of another run": lambda text: Path("other/manifest.json").read_text(encoding="utf-8"),
    "of another program": lambda text: '{"name": "package", "version": "1.0"}',
    "edited": lambda text: text.replace('"finished": true', '"finished": false'),
}


@pytest.mark.parametrize("damage", FOREIGN)
def test_a_manifest_that_is_not_its_own_is_refused_and_nothing_touched(damage: str) -> None:
    runs.play(planned("run"), 1, quiet=True)
    runs.play(planned("other", seed=2), 1, quiet=True)
    manifest = Path("run/manifest.json")
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(FOREIGN[damage](text), encoding="utf-8")
    before = contents("run")
    with pytest.raises(RunError, match=r"^run.*; choose another --out$"):
        runs.play(planned("run"), 1, quiet=True)
    assert contents("run") == before
    manifest.write_text(text, encoding="utf-8")
    runs.play(planned("run"), 1, quiet=True)


def test_parts_of_another_run_do_not_count() -> None:
    whole = runs.play(planned("run"), 1, quiet=True)
    before = contents("run")
    runs.play(planned("other", seed=2), 1, quiet=True)
    for table in ("games", "seats"):
        shutil.copy(f"other/{table}/000003.parquet", f"run/{table}/000003.parquet")
    assert runs.play(planned("run"), 2, quiet=True) == whole
    assert contents("run") == before


def test_what_was_killed_before_its_first_manifest_is_begun_anew() -> None:
    Path("run").mkdir()
    Path("run", f".{'0' * 32}.tmp").write_text("half a manifest", encoding="utf-8")
    runs.play(planned("run"), 1, quiet=True)
    assert not list(Path("run").glob(".*"))


def test_a_run_that_takes_little_time_needs_one_worker() -> None:
    now = [0.0]
    pace = Pace(1000, clock=lambda: now[0])
    pace.begin(100)
    assert not pace.is_slow()
    now[0] = ALONE_SECONDS / 10 * 0.99
    assert not pace.is_slow()
    pace.begin(100)
    now[0] = ALONE_SECONDS / 10 * 1.01
    assert not pace.is_slow()  # a fifth is done or about to be
    now[0] = ALONE_SECONDS / 5 * 1.01
    assert pace.is_slow()
    pace.begin(800)
    assert pace.is_slow()  # once it is, it stays so


@pytest.mark.parametrize(("seconds", "most"), [(0.0, 1), (0.2, 4)])
def test_as_many_threads_play_as_are_worth_it(seconds: float, most: int) -> None:
    parts = planned("run").parts[:16]
    names = set()

    def play(job: object, checkpoint: object) -> int:
        names.add(threading.current_thread().name)
        time.sleep(seconds)
        return 1

    jobs = [runs._Job("fake", (), (), None, part, Path(), (), {}) for part in parts]  # type: ignore[arg-type]
    assert sum(sum(done) for done in played(jobs, play, 4)) == len(parts)
    assert len(names) == most
