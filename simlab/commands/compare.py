"""`simlab compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands import completion
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import Seed, Strategies, Workers, path
from simlab.commands.run import Games, Out, Strict, play


def compare(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|RUN",
            parser=path("FILE|RUN", there=True),
            autocompletion=completion.runs,
            help="experiment file with arms, or its run's folder",
        ),
    ],
    games: Games = None,
    strategies: Strategies = None,
    workers: Workers = None,
    seed: Seed = None,
    out: Out = None,
    strict: Strict = False,
) -> None:
    """Play an experiment under all its arms and say what each changes.

    Of a run's folder only say it. The comparison is also written into the run's folder, as compare.md and
    compare.json.
    """
    from rich.console import Console

    import reports
    from simlab import experiment as experiments
    from simlab.compared import refuse_options, with_folders
    from simlab.wording import place

    if file.is_dir():
        given = {
            "--games": games,
            "--strategy": strategies,
            "--workers": workers,
            "--seed": seed,
            "--out": out,
            "--strict": strict or None,
        }
        refuse_options(file, {option: value is not None for option, value in given.items()})
        folders = [file]
    else:
        with compiling_announced():
            experiment = experiments.load(file, games=games, seed=seed, strategies=strategies)
            asked = with_folders(experiment, out, f"{place(file)}: ")
            folders = [play(each, workers, to, strict) for each, to in asked]
    target = reports.publish_comparison(folders, Console())
    typer.echo(f"written to {target}", err=True)
