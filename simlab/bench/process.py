"""What only a fresh process shows: how soon the command line answers, and how much memory a run takes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from simlab.bench.measures import Measure, of_rounds
from simlab.errors import RunError
from simlab.experiment import Experiment
from simlab.toml import dumps

HELP_TIMES, WARM_TIMES = 5, 3
NAMES = ("help", "warm_start", "cold_start", "peak_memory")  # of the measures made here
# the last line of the answer is the peak, also where the command ends by SystemExit
_WITH_PEAK = """
import atexit
from simlab.bench.process import peak_memory
from simlab.cli import main
atexit.register(lambda: print(peak_memory()))
main()
"""


def peak_memory() -> int:
    """The most memory that this process has held so far, in bytes (its resident set)."""
    status = Path("/proc/self/status")
    if status.is_file():  # the system's own count would begin with that of the process that started this one
        lines = status.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def simlab(words: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """Seconds that a command takes in a process of its own. Raises RunError if it fails."""
    start = time.perf_counter()
    _answer(["-m", "simlab.cli", *words], environment)
    return time.perf_counter() - start


def with_memory(words: Sequence[str]) -> tuple[float, int]:
    """Seconds that a command takes, and the most bytes of memory it holds. Raises RunError if it fails."""
    start = time.perf_counter()
    said = _answer(["-c", _WITH_PEAK, *words])
    return time.perf_counter() - start, int(said.splitlines()[-1])


def _answer(words: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-P", *words],  # what lies in the folder of the moment is no module
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it says nothing"])[-1].removeprefix("simlab: ")
        raise RunError(f"a command that bench started failed: {said}")
    return done.stdout


def write_experiment(experiment: Experiment, file: Path) -> Path:
    """The experiment as a file that a fresh process can read."""
    file.write_text(dumps(experiment.resolved()), encoding="utf-8")
    return file


def starts(experiment: Experiment, folder: Path, *, cold: bool) -> list[Measure]:
    """How long help and `simlab run` of one block take; with `cold`, also where nothing is compiled yet."""
    file = write_experiment(replace(experiment, name="start", games=1), folder / "start.toml")

    def first_block(name: str, environment: Mapping[str, str] | None = None) -> float:
        words = ["run", str(file), "--workers", "1", "--out", str(folder / name)]
        return simlab(words, environment)

    helps = [simlab(["--help"]) for _ in range(HELP_TIMES)]
    warm = [first_block(f"warm-{number}") for number in range(WARM_TIMES)]
    found = [
        of_rounds("help", "simlab --help", "s", helps),
        of_rounds("warm_start", "first block, warm", "s", warm),
    ]
    if cold:
        seconds = first_block("cold", {"SIMLAB_CACHE_DIR": str(folder / "cache")})
        found.append(Measure("cold_start", "first block, cold", "s", seconds))
    return found


def first_run(folder: Path) -> Path:
    """The folder of one of the runs that `starts` has played."""
    return folder / "warm-0"


def memory(experiment: Experiment, folder: Path) -> Measure:
    """The peak memory of a run on one worker."""
    file = write_experiment(replace(experiment, name="memory"), folder / "memory.toml")
    _, peak = with_memory(["run", str(file), "--workers", "1", "--out", str(folder / "memory")])
    says = f"memory, {experiment.games:,} games"
    return Measure("peak_memory", says, "bytes", peak, strategy=experiment.strategies[0])
