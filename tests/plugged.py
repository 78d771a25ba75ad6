"""The game of chance as a plug-in that other processes find too, and strategies written for one test."""

from __future__ import annotations

import importlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from simlab import catalog

STRATEGY = """
import os, re, signal, sys, threading, time
from pathlib import Path
from simlab.strategy import Strategy

HERE = Path(__file__).parent
{before}

def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    game, decision = public.game, public.decision
{body}
    return 1

STRATEGY = Strategy("fake/mine", "plays the second", choose, compiled=False, games_per_part={part})
"""


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in, with the game installed as packages are."""
    install(tmp_path, "[simlab.games]\nfake = fake_game:GAME_OF_CHANCE\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    catalog._group.cache_clear()
    yield tmp_path
    catalog._group.cache_clear()
    for name in [name for name in sys.modules if name.startswith("simlab_file_")]:
        del sys.modules[name]


def install(folder: Path, entry_points: str) -> None:
    """A package's entry points, below a plugged folder, as if it had been installed."""
    number = len(list(folder.glob("site/*.dist-info")))
    info = folder / "site" / f"plugin_{number}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: plugin-{number}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    importlib.invalidate_caches()
    catalog._group.cache_clear()


def write_strategy(
    folder: Path, body: str = "", before: str = "", name: str = "mine.py", part: int = 480
) -> str:
    """A strategy file; `body` may answer by `game` and `decision`, else the second choice is made."""
    text = STRATEGY.format(
        before=before, body="\n".join(f"    {line}" for line in body.splitlines()), part=part
    )
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def state_of(pid: int) -> str:
    """Nothing where no such process runs; one that has ended and waits to be collected doesn't."""
    asked = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return "" if asked.stdout.startswith("Z") else asked.stdout.strip()


def assert_gone(pids: list[int]) -> None:
    """Within a few seconds none of the processes runs any more."""
    assert pids
    until = time.monotonic() + 10
    while any(map(state_of, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(state_of, pids))
