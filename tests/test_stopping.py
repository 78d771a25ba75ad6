"""Whatever asks a command to end is answered within a second, and the run goes on from what is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from commands import MIXED, Bench, ended, wait_for

from simlab.results import read_manifest

ANSWER = 2.0  # seconds: 0.1 to 0.8 are usual; machines are busy


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "bench")
    yield made
    made.close()


def stopped(process: subprocess.Popen[str], number: signal.Signals, *, group: bool) -> tuple[int, str]:
    """Exit code and stderr of a command that is asked to end; it has ANSWER seconds to do so."""
    start = time.monotonic()
    if group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    code, err = ended(process)
    assert time.monotonic() - start < ANSWER
    return code, err


def more_parts(folder: Path, than: int) -> bool:
    return parts_there(folder) > than


def parts_there(folder: Path) -> int:
    """Parts that a run's manifest lists."""
    return len(read_manifest(folder)["parts"]) if (folder / "manifest.json").exists() else 0


def test_a_run_that_is_stopped_in_any_way_goes_on(bench: Bench) -> None:
    question, out = bench.question(400), bench.folder / "out"
    there: dict[str, object] = {}
    for number, group in [
        (signal.SIGINT, True),
        (signal.SIGINT, False),
        (signal.SIGTERM, True),
        (signal.SIGHUP, False),
    ]:
        process = bench.start("run", question, "--out", out, "--workers", 2, seconds=0.02)
        wait_for(partial(more_parts, out, len(there)))
        code, err = stopped(process, number, group=group)
        assert (code, err) == (130, f"simlab: stopped; the same command goes on from what is in {out}\n")
        manifest = read_manifest(out)
        assert not manifest["finished"]
        assert there.items() < manifest["parts"].items()  # nothing that was there is lost
        there = manifest["parts"]
    assert bench.run("run", question, "--out", out)[0] == 0
    assert bench.run("run", question, "--out", "whole")[0] == 0
    assert read_manifest(out) == read_manifest(bench.folder / "whole")


def test_worker_processes_end_with_ctrl_c(bench: Bench) -> None:
    out = bench.folder / "out"
    process = bench.start("run", bench.question(400, MIXED), "--out", out, "--workers", 2, seconds=0.02)
    wait_for(lambda: parts_there(out))
    code, err = stopped(process, signal.SIGINT, group=True)
    assert code == 130
    assert err.startswith(f"simlab: stopped; the same command goes on from what is in {out}\n")
    assert "Traceback" not in err
    wait_for(lambda: not bench.living(), seconds=2)


def test_a_thread_that_cannot_be_told_is_left_behind(bench: Bench) -> None:
    out = bench.folder / "out"
    process = bench.start("run", bench.question(400), "--out", out, "--workers", 2, seconds=60)
    wait_for((out / "seats").is_dir)
    time.sleep(0.3)
    code, err = stopped(process, signal.SIGINT, group=True)
    assert (code, err) == (130, f"simlab: stopped; the same command goes on from what is in {out}\n")


DEEP = """
import hashlib, sys
from simlab import cli, stopping
with stopping.stoppable(cli._say):
    print("deep", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)  # as the compiler does: no step of Python's for long
"""


def test_a_command_that_does_not_hear_is_ended() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", DEEP], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "deep\n"
    time.sleep(0.5)  # until it is
    code, err = stopped(process, signal.SIGINT, group=False)
    assert (code, err) == (130, "simlab: stopped\n")


OFTEN = """
import os, signal, time
from simlab import stopping
try:
    with stopping.stoppable(print):
        os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("again")
    with stopping.stoppable(print):
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            for _ in range(3):
                os.kill(os.getpid(), signal.SIGINT)
            print("put away")
"""


def test_a_second_ctrl_c_does_not_disturb_the_answer_to_the_first() -> None:
    answer = subprocess.run([sys.executable, "-c", OFTEN], capture_output=True, text=True, check=True)
    assert answer.stdout == "again\nput away\n"
    assert answer.stderr == ""


def test_what_others_told_a_signal_to_do_stays_so() -> None:
    """A shell without job control starts commands in the background deaf to Ctrl-C, nohup deaf to SIGHUP."""
    code = (
        "import os, signal\nfrom simlab import stopping\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with stopping.stoppable(print):\n    os.kill(os.getpid(), signal.SIGHUP)\nprint('went on')"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "went on\n"


TUNING = """
name = "tuned"
game = "slow"
seed = 1
base = "slow/compiled"
opponents = ["slow/compiled"]
players = 2
games = 24
generations = 4
champion_every = 2
validation_games = 24
report_games = 24
"""


def test_a_tuning_that_is_stopped_goes_on(bench: Bench) -> None:
    question = bench.folder / "tuning.toml"
    question.write_text(TUNING, encoding="utf-8")
    out = bench.folder / "out"
    process = bench.start("tune", question, "--out", out, "--workers", 2, seconds=0.01)
    wait_for((out / "generations" / "000000.json").exists)
    code, err = stopped(process, signal.SIGINT, group=True)
    assert (code, err) == (130, f"simlab: stopped; the same command goes on from what is in {out}\n")
    held = tuning_files(out)
    for folder in ("out", "whole"):
        code, err = bench.run("tune", question, "--out", folder)
        assert code == 1  # weights change nothing in that game
        assert err.splitlines()[-1].startswith("simlab: no mean of the search beat slow/compiled")
    assert tuning_files(out) == tuning_files(bench.folder / "whole")
    assert held.items() <= tuning_files(out).items()
    assert 2 <= len(held) < 7 == len(tuning_files(out))


def tuning_files(folder: Path) -> dict[str, bytes]:
    files = [file for file in sorted(folder.rglob("*.json")) if not file.name.startswith(".")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}
