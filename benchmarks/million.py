"""A million four-player games of greedy, recorded, and the report on them: time, memory, disk, digest.

    python benchmarks/million.py [--games N] [--workers K] [--out FOLDER]

The run's folder is kept if it is named, and a run that is there already is gone on with, as always; the time
told is then that of the rest.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from joblib import cpu_count

from simlab.bench.process import with_memory, write_experiment
from simlab.experiment import resolve
from simlab.results import read_manifest

QUESTION = {"name": "million", "game": "dei", "seed": 1, "players": 4, "strategies": ["dei/greedy"]}


def play(games: int, workers: int, target: Path, scratch: Path) -> None:
    """Play, report and print what it took."""
    file = write_experiment(resolve({**QUESTION, "games": games}, Path()), scratch / "million.toml")
    seconds, peak = with_memory(["run", str(file), "--workers", str(workers), "--out", str(target)])
    manifest = read_manifest(target)
    played = manifest["counts"]["games"]
    size = sum(path.stat().st_size for path in target.rglob("*.parquet"))
    print(f"games   {played:,}, digest {manifest['digest']}")
    speed = f"{seconds:,.1f} s, {played / seconds:,.0f} games/s on {workers} workers"
    print(f"run     {speed}; {_mib(peak)} at most")
    print(f"disk    {_mib(size)}, {size / played:,.0f} bytes a game")
    seconds, peak = with_memory(["report", str(target)])
    print(f"report  {seconds:,.1f} s; {_mib(peak)} at most")


def _mib(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"


def main(
    games: Annotated[int, typer.Option(min=1, help="how many to play")] = 1_000_000,
    workers: Annotated[int, typer.Option(min=1, help="how many play them; default: all cores")] = cpu_count(),
    out: Annotated[Path | None, typer.Option(help="folder of the run, to keep it")] = None,
) -> None:
    """Play four-player games of greedy, record and report on them, and say what it took."""
    with tempfile.TemporaryDirectory(prefix="simlab-million-") as name:
        scratch = Path(name)
        play(games, workers, out or scratch / "run", scratch)


if __name__ == "__main__":
    typer.run(main)
