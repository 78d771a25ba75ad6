"""`simlab play` through a pseudo-terminal: a whole game, bad input, undo, a saved position, leaving."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from simlab.scenario import read_scenario, run_scenario

ROOT = Path(__file__).resolve().parents[1]
QUESTION = """
name = "short"
game = "dei"
seed = 5
games = 24
players = 2
strategies = ["dei/uniform"]
[rules]
turns = 1
"""
COMMAND = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # its own terminal, so that Ctrl-C reaches it
from simlab.cli import main
main()
"""
SECONDS = 60
PROMPT = "> "
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A command at a terminal of 80 columns."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.main, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        environment |= {"NUMBA_DISABLE_JIT": "1", "NO_COLOR": "1", "TERM": "xterm", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "play", *words],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(inner)
        self.said = ""

    def read(self) -> str:
        """What is said until it waits for an answer or ends."""
        said, until = "", time.monotonic() + SECONDS
        while not said.endswith(PROMPT):
            assert time.monotonic() < until, said
            if select.select([self.main], [], [], 0.1)[0]:
                try:
                    said += CONTROL.sub("", os.read(self.main, 65536).decode("utf-8", "replace"))
                except OSError:  # how Linux tells that the other end is closed
                    break
        self.said += said
        return said

    def answer(self, line: str) -> str:
        os.write(self.main, line.encode() + b"\n")
        return self.read()

    def ended(self) -> int:
        return self.process.wait(SECONDS)

    def close(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self.main)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    (tmp_path / "short.toml").write_text(QUESTION, encoding="utf-8")
    opened = Terminal(tmp_path, "short.toml", "--faction", "ravagers", "--seat", "1")
    yield opened
    opened.close()


def test_a_game_is_played_to_its_final_count(terminal: Terminal, tmp_path: Path) -> None:
    first = terminal.read()
    assert "1st seat  Ravagers  you" in first
    for bad in (
        "",
        "nonsense",
        "9999",
        "\xff\x00\x01",
        "save",
        "save /nowhere/x.toml",
        "undo",
        "hint nobody",
    ):
        assert terminal.answer(bad).endswith(PROMPT)
    for word in ("help", "board", "pads", "hand", "markets", "missions", "key", "list", "hint"):
        assert len(terminal.answer(word).splitlines()) > 1, word
    assert "deploy the Leader" in terminal.said
    terminal.answer("1")
    before = terminal.answer("list")
    assert before.count("play ravagers-") >= 8
    terminal.answer("play ravagers-1")
    assert "written to mine.toml" in terminal.answer("save mine.toml")
    assert "mine.toml is there already" in terminal.answer("save mine.toml")
    assert "taken back" in terminal.answer("undo")
    assert terminal.answer("list") == before
    said = ""
    for _ in range(200):
        said = terminal.answer("1")
        if not said.endswith(PROMPT):
            break
    assert "The winner is " in said
    assert re.search(r"^Supplies +\d+ +\d+\r$", said, re.MULTILINE)
    assert terminal.ended() == 0
    (record,) = (tmp_path / "games").iterdir()
    assert f"The game is in games/{record.name}; simlab scenario plays it again" in said
    for file in (tmp_path / "mine.toml", record):
        assert run_scenario(read_scenario(file)).passed
    lines = terminal.said.replace("\r", "").splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("simlab")] == []


@pytest.mark.parametrize(("how", "code"), [("quit\n", 0), ("\x04", 0), ("\x03", 130)])
def test_who_leaves_keeps_the_game_so_far(terminal: Terminal, tmp_path: Path, how: str, code: int) -> None:
    terminal.read()
    terminal.answer("1")
    os.write(terminal.main, how.encode())
    said = terminal.read()
    assert terminal.ended() == code
    (record,) = (tmp_path / "games").iterdir()
    assert f"The game so far is in games/{record.name}" in said
    assert "Traceback" not in terminal.said
    assert run_scenario(read_scenario(record)).passed
