"""`simlab ladder`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands.compiling import compiling_announced
from simlab.commands.options import ExperimentFile, Seed, Workers, path, whole
from simlab.errors import ExperimentError
from simlab.wording import place


def ladder(
    file: ExperimentFile,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("--games", 1, 10**10),
            help="games of each contest; the file's if left out",
        ),
    ] = None,
    workers: Workers = None,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", parser=path("--out"), help="the ladder's folder; runs/NAME if left out"),
    ] = None,
) -> None:
    """Rate an experiment's strategies by having them play each other.

    They play on deals that no run has. The same command goes on after a stop.
    """
    from joblib import cpu_count
    from rich.console import Console

    from reports import ladder as reported
    from simlab import experiment as experiments
    from simlab.failures import Failures
    from simlab.ladder import ladder as ladders

    failures = Failures()
    try:
        with compiling_announced():
            experiment = experiments.load(file, games=games, seed=seed)
            try:
                found = ladders.play(experiment, workers or cpu_count(), out, failures=failures)
            except ExperimentError as error:
                raise ExperimentError(f"{place(file)}: {error}") from None
    finally:  # after Ctrl-C too: the ladder's folder doesn't know them
        for line in failures.lines():
            typer.echo(line, err=True)
    target = reported.publish(found, Console())
    typer.echo(f"written to {target}, and as {ladders.JSON} beside it", err=True)
