"""`simlab robust`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands import completion
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import ExperimentFile, Seed, Workers, path, text, whole
from simlab.errors import ExperimentError
from simlab.mix import OptionError
from simlab.wording import place


def robust(
    file: ExperimentFile,
    packs: Annotated[
        int,
        typer.Option(
            "--packs", metavar="N", parser=whole("--packs", 2, 10_000), help="plausible packs to draw"
        ),
    ] = 20,
    screen: Annotated[
        int | None,
        typer.Option(
            metavar="R",
            parser=whole("--screen", 2, 1_000),
            help="also find the assumed values that verdicts hang on, in R trajectories",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("--games", 1, 10**10),
            help="games of each pack for each number of players; the file's if left out",
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="STRATEGY",
            parser=text("--by"),
            autocompletion=completion.strategies,
            help="have this one play all of it too, in every seat; may come several times",
        ),
    ] = None,
    workers: Workers = None,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", parser=path("--out"), help="folder of all of it; runs/NAME-robust if left out"
        ),
    ] = None,
) -> None:
    """Say in what share of plausible packs each verdict holds.

    Assumed values of its pack are drawn anew, as by simlab pack sample, and all packs play the same deals.
    The same command goes on after a stop; more packs or games add to what is there.
    """
    from joblib import cpu_count
    from rich.console import Console

    from reports import robust as reported
    from simlab import experiment as experiments
    from simlab.failures import Failures
    from simlab.robustness.question import asked
    from simlab.robustness.robustness import Playing
    from simlab.robustness.study import study

    failures = Failures()
    try:
        with compiling_announced():
            experiment = experiments.load(file, games=games, seed=seed)
            try:
                question = asked(experiment, packs, by or (), out)
            except OptionError:
                raise
            except ExperimentError as error:
                raise ExperimentError(f"{place(file)}: {error}") from None
            playing = Playing(workers or cpu_count(), failures=failures)
            found, screened = study(question, playing, screen, lambda what: typer.echo(what, err=True))
    finally:  # after Ctrl-C too: the folder doesn't know them
        for line in failures.lines():
            typer.echo(line, err=True)
    target = reported.publish(found, screened, Console())
    typer.echo(f"written to {target}", err=True)
