"""`simlab compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simlab.commands import completion
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import Seed, Strategies, Workers, path
from simlab.commands.run import Games, Out, Strict, play

if TYPE_CHECKING:
    from simlab.experiment import Experiment


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
    from simlab.errors import UsageError
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
        for option, value in given.items():
            if value is not None:
                raise UsageError(
                    f"{option} has no effect: {place(file)} is a run, which is compared as it is"
                )
        folders = [file]
    else:
        with compiling_announced():
            experiment = _with_arms(file, games, seed, strategies)
            made = [experiment, *experiment.also_by]
            outs = [out, *(out and out.with_name(f"{out.name}-{k}") for k in range(1, len(made)))]
            folders = [play(each, workers, to, strict) for each, to in zip(made, outs, strict=True)]
    target = reports.publish_comparison(folders, Console())
    typer.echo(f"written to {target}", err=True)


def _with_arms(file: Path, games: int | None, seed: int | None, strategies: list[str] | None) -> Experiment:
    from simlab import experiment as experiments
    from simlab.errors import ExperimentError
    from simlab.wording import place

    experiment = experiments.load(file, games=games, seed=seed, strategies=strategies)
    if not experiment.arms.others:
        raise ExperimentError(f"{place(file)}: there are no [arms], so there is nothing to compare")
    return experiment
