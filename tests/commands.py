"""Commands in processes of their own, with a slow game to play: to be stopped and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parent
ENTRY_POINTS = """
[simlab.games]
slow = slow_game:GAME
[simlab.strategies]
slow/compiled = slow_game:COMPILED
slow/plain = slow_game:PLAIN
"""
QUESTION = """
name = "question"
game = "slow"
seed = 1
games = {games}
players = [2, 4]
strategies = {strategies}
"""
MIXED = ("slow/compiled", "slow/plain")  # one of them is plain Python, so worker processes play


@dataclass
class Bench:
    """A folder with the slow game installed in it, and all processes that were started there."""

    folder: Path
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        installed = self.folder / "slow-1.dist-info"
        installed.mkdir(parents=True)
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
        (installed / "entry_points.txt").write_text(ENTRY_POINTS)

    def question(self, games: int, strategies: tuple[str, ...] = ("slow/compiled",)) -> Path:
        """An experiment file."""
        file = self.folder / "question.toml"
        file.write_text(QUESTION.format(games=games, strategies=list(strategies)), encoding="utf-8")
        return file

    def start(self, *words: object, seconds: float = 0.0, **options: object) -> subprocess.Popen[str]:
        """Start a simlab command in a process group of its own; `seconds` is what a game takes."""
        return self.start_python("-m", "simlab.cli", *words, seconds=seconds, **options)

    def start_python(self, *words: object, seconds: float = 0.0, **options: object) -> subprocess.Popen[str]:
        """Start a Python process likewise."""
        path = os.pathsep.join([str(self.folder), str(TESTS), str(TESTS.parent)])
        environment = os.environ | {
            "PYTHONPATH": path,
            "NUMBA_DISABLE_JIT": "1",  # nothing is compiled here, and importing numba takes a second
            "SLOW_SECONDS": str(seconds),
            "SIMLAB_BENCH": str(self.folder),  # by which its children are known
        }
        process = subprocess.Popen(
            [sys.executable, *map(str, words)],
            env=environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )
        self.started.append(process)
        return process

    def run(self, *words: object, seconds: float = 0.0, **options: object) -> tuple[int, str]:
        """Exit code and stderr of a command."""
        return ended(self.start(*words, seconds=seconds, **options))

    def living(self) -> list[int]:
        """Processes that came from commands started here and aren't gone."""
        mark = f"SIMLAB_BENCH={self.folder}\0".encode()
        found = []
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with suppress(OSError):
                    zombie = process.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z"
                    if mark in process.joinpath("environ").read_bytes() and not zombie:
                        found.append(int(process.name))
        return sorted(found)

    def workers(self) -> list[int]:
        """Worker processes that play."""
        commands = {process.pid for process in self.started}
        return [
            number
            for number in self.living()
            if number not in commands and b"resource_tracker" not in command_line(number)
        ]

    def close(self) -> None:
        """End what is left."""
        for process in self.started:
            process.kill()
        for number in self.living():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        for process in self.started:
            process.communicate(timeout=10)


def command_line(number: int) -> bytes:
    """How a process was started; nothing if it is gone."""
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return b""


def ended(process: subprocess.Popen[str], seconds: float = 60) -> tuple[int, str]:
    """Exit code and stderr of a command that comes to its end."""
    _, err = process.communicate(timeout=seconds)
    return process.returncode, err


def wait_for(condition: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing came of it"
        time.sleep(0.01)
