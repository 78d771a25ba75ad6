"""`simlab tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands.columns import print_columns
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import Seed, Workers, path


def tune(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", parser=path("FILE", there=True), help="tuning file (TOML)")
    ],
    workers: Workers = None,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", parser=path("--out"), help="the tuning's folder; one in runs/ if left out"
        ),
    ] = None,
) -> None:
    """Tune a strategy's weights by play.

    The last line is the file of weights. The same command goes on after a stop. What is printed of the
    result rests on deals that nothing was chosen by.
    """
    from joblib import cpu_count

    from simlab.tuning import plan as plans
    from simlab.tuning import question, result
    from simlab.tuning.tune import tune as tuned_by

    with compiling_announced():
        plan = plans.plan(question.load(file, seed=seed), out)
    tuned = tuned_by(plan, workers or cpu_count(), lambda what: typer.echo(what, err=True))
    typer.echo(result.heading(plan, tuned.champion, tuned.report))
    print_columns(result.table(tuned.report))
    typer.echo(tuned.file)
