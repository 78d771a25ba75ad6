"""Whether a run's memory grows with its games: the peak of a run against that of one ten times as long.

    python benchmarks/memory.py [--games N] [--strategy NAME] [--workers K]

Each run is a process of its own. Parts of a run are written as they come, and the longest has 6,000 games;
so from some 40,000 games on, where parts are that long, memory shouldn't grow.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from simlab.bench.process import with_memory, write_experiment
from simlab.experiment import resolve

TIMES = 10


def peak(strategy: str, games: int, workers: int) -> int:
    """Bytes held at most by a run of so many four-player games."""
    written = {"name": "memory", "game": "dei", "seed": 1, "games": games, "players": 4}
    experiment = resolve({**written, "strategies": [strategy]}, Path())
    with tempfile.TemporaryDirectory(prefix="simlab-memory-") as name:
        folder = Path(name)
        file = write_experiment(experiment, folder / "memory.toml")
        words = ["run", str(file), "--workers", str(workers), "--out", str(folder / "run")]
        return with_memory(words)[1]


def main(
    games: Annotated[int, typer.Option(min=1, help="of the shorter run")] = 150_000,
    strategy: Annotated[str, typer.Option(help="who plays")] = "dei/uniform",
    workers: Annotated[int, typer.Option(min=1, help="workers of each run")] = 1,
) -> None:
    """Compare the peak memory of a run with that of one ten times as long."""
    few = peak(strategy, games, workers)
    many = peak(strategy, TIMES * games, workers)
    for number, held in ((games, few), (TIMES * games, many)):
        print(f"{number:>12,} games: {held / 2**20:8.1f} MiB")
    print(f"{many / few:.2f} times as much for {TIMES} times the games")


if __name__ == "__main__":
    typer.run(main)
