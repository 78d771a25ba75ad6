"""What is killed at any moment goes on from what is there and ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commands import MIXED, Bench, ended, wait_for

from simlab.results import open_run, read_manifest

GAMES = 800  # for 2 and 4 players each: 16 parts of 8 games, then parts of 40
SECONDS = 0.004  # a game


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "bench")
    yield made
    made.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def killed_again_and_again(
    bench: Bench,
    words: tuple[object, ...],
    times: int,
    kill: Callable[[random.Random, subprocess.Popen[str]], None],
    between: tuple[float, float],
) -> Path:
    """Start a command over and over, kill it `times` times in all; the folder of a run that then ends."""
    chance = random.Random(times)
    kills = rounds = 0
    while True:
        out = bench.folder / f"run-{rounds}"
        process = bench.start(*words, "--out", out, seconds=SECONDS)
        if kills < times:
            time.sleep(chance.uniform(*between))
            if process.poll() is None:
                kill(chance, process)
                kills += 1
        code, err = ended(process)
        if code == 0:
            rounds += 1
            if kills >= times:
                return out
        else:
            assert code == -signal.SIGKILL or (code == 1 and "a worker process" in err), err


def the_parent(chance: random.Random, process: subprocess.Popen[str]) -> None:
    process.kill()


def test_twenty_kills_change_no_byte(bench: Bench) -> None:
    question = bench.question(GAMES)
    assert bench.run("run", question, "--out", "whole")[0] == 0
    words = ("run", question, "--workers", 4)
    out = killed_again_and_again(bench, words, 20, the_parent, (0.2, 1.5))
    assert contents(out) == contents(bench.folder / "whole")
    assert not bench.living()


def test_a_mixed_set_survives_the_killing_of_parents_and_workers(bench: Bench) -> None:
    question = bench.question(100, MIXED)
    assert bench.run("run", question, "--out", "whole")[0] == 0

    def anyone(chance: random.Random, process: subprocess.Popen[str]) -> None:
        os.kill(chance.choice([process.pid, *bench.workers()]), signal.SIGKILL)

    words = ("run", question, "--workers", 2)
    out = killed_again_and_again(bench, words, 6, anyone, (1.0, 3.0))
    assert read_manifest(out) == read_manifest(bench.folder / "whole")
    open_run(out)  # every file is as it was written
    wait_for(lambda: not bench.living())


def test_workers_end_with_a_parent_that_was_killed(bench: Bench) -> None:
    process = bench.start("run", bench.question(1000, MIXED), "--out", "out", "--workers", 2, seconds=0.05)
    wait_for(bench.workers)
    process.kill()
    wait_for(lambda: not bench.living(), seconds=5)
    code, _ = bench.run("run", bench.question(20, MIXED), "--out", "out")  # nothing holds the folder
    assert code == 0


def test_a_worker_that_is_killed_is_no_hang(bench: Bench) -> None:
    """Told in a sentence, or made up for; either way the same games come out when nobody kills any more."""
    question = bench.question(100, MIXED)
    assert bench.run("run", question, "--out", "whole")[0] == 0
    process = bench.start("run", question, "--out", "out", "--workers", 2, seconds=0.02)
    wait_for(bench.workers)
    time.sleep(1)
    os.kill(bench.workers()[0], signal.SIGKILL)
    code, err = ended(process)
    if code:
        assert code == 1
        assert err.startswith("simlab: a worker process")
        assert err.count("\n") == 1
        assert bench.run("run", question, "--out", "out")[0] == 0
    assert not bench.living()
    assert read_manifest(bench.folder / "out") == read_manifest(bench.folder / "whole")
