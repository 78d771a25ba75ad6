"""A real run: the same folder, byte for byte, whoever plays it, compiled or not, and when it was extended."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from simlab import experiment, jit, runs
from simlab.results import open_run, read_manifest

ROOT = Path(jit.__file__).resolve().parent.parent
QUESTION = """
name = "question"
game = "dei"
seed = 5
games = {games}
players = {players}
strategies = [{strategies}]
"""
UNIFORM = '"dei/uniform"'
FIRST = """
from simlab.strategy import Strategy

def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return key % n

STRATEGY = Strategy("file/some", "takes some choice", choose, compiled=False)
"""


def question(folder: Path, games: int, strategies: str = UNIFORM, players: Sequence[int] = (2, 3, 4)) -> Path:
    file = folder / "question.toml"
    file.write_text(
        QUESTION.format(games=games, strategies=strategies, players=list(players)), encoding="utf-8"
    )
    return file


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a run, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def played(folder: Path, games: int, workers: int, part_games: int = 400) -> dict[str, bytes]:
    plan = runs.plan(experiment.load(question(folder.parent, games)), folder)
    plan = replace(plan, design=replace(plan.design, games_per_part=part_games))
    runs.play(plan, workers, quiet=True)
    return contents(folder)


@pytest.mark.compiled_only
def test_workers_and_extension_change_no_byte(tmp_path: Path) -> None:
    one = played(tmp_path / "one", 600, 1)
    assert len(one) > 100
    assert played(tmp_path / "two", 600, 2) == one
    assert played(tmp_path / "seven", 600, 7) == one
    played(tmp_path / "later", 200, 2)
    assert played(tmp_path / "later", 600, 2) == one


@pytest.mark.compiled_only
def test_the_length_of_parts_changes_no_game(tmp_path: Path) -> None:
    for length in (36, 100, 10_000):
        played(tmp_path / str(length), 120, 2, length)
    digests = {read_manifest(tmp_path / str(length))["digest"] for length in (36, 100, 10_000)}
    assert len(digests) == 1


@pytest.mark.compiled_only
def test_regions_add_up_to_what_the_seats_did(tmp_path: Path) -> None:
    played(tmp_path / "run", 36, 1)
    blocks = (
        open_run(tmp_path / "run")
        .sql("""
        WITH board AS (
            SELECT DISTINCT block, region, games, turns, moves_into, moves_out, collected,
                held_refuge_42 + held_farm_z + held_ravagers + held_auxilia AS held FROM regions
        ), there AS (
            SELECT block, max(games) AS games, sum(moves_into) AS moves_into, sum(moves_out) AS moves_out,
                sum(collected) AS collected, bool_and(held <= turns) AS possible, max(held) AS held
            FROM board GROUP BY block
        ), done AS (
            SELECT block, count(DISTINCT game) AS games, sum(moves) AS moves,
                sum(collected_technology + collected_energy) AS collected FROM seats GROUP BY block
        )
        SELECT there.games = done.games AND moves_into = moves AND moves_out = moves
            AND there.collected = done.collected AND possible AND held > 0 FROM there JOIN done USING (block)
    """)
        .fetchall()
    )
    assert len(blocks) == 36 // 2 + 36 // 3 + 36 // 4
    assert all(fine for (fine,) in blocks)


def command(folder: Path, *words: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "simlab.cli", "run", "question.toml", *map(str, words)],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished(process: subprocess.Popen[str]) -> None:
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err


@pytest.mark.compiled_only
def test_compiled_or_not_changes_no_byte(tmp_path: Path) -> None:
    question(tmp_path, 4, players=[2, 4])  # uncompiled, a game takes a second
    finished(command(tmp_path, "--out", "plain", NUMBA_DISABLE_JIT="1"))
    finished(command(tmp_path, "--out", "compiled"))
    assert contents(tmp_path / "plain") == contents(tmp_path / "compiled")


@pytest.mark.slow
@pytest.mark.parametrize("strategies", [UNIFORM, f'"some.py", {UNIFORM}'], ids=["threads", "processes"])
def test_kills_at_any_moment_change_no_game(tmp_path: Path, strategies: str) -> None:
    """Twenty kills of the command, or of one of its worker processes, in as many runs as that takes."""
    (tmp_path / "some.py").write_text(FIRST, encoding="utf-8")
    games = 1200 if strategies == UNIFORM else 60
    question(tmp_path, games, strategies)
    finished(command(tmp_path, "--out", "whole"))
    chance, kills, rounds = random.Random(games), 0, 0
    while kills < 20 or not (tmp_path / f"{rounds}").exists():
        process = command(tmp_path, "--out", rounds, "--workers", 2)
        time.sleep(chance.uniform(1, 8))
        if process.poll() is None and kills < 20:
            os.kill(chance.choice([process.pid, *children(process.pid)]), signal.SIGKILL)
            kills += 1
        process.communicate(timeout=300)
        if process.returncode == 0:
            assert read_manifest(tmp_path / f"{rounds}") == read_manifest(tmp_path / "whole")
            open_run(tmp_path / f"{rounds}")
            rounds += kills < 20
    assert kills == 20


def children(number: int) -> list[int]:
    """Processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()]
    except OSError:
        return []
