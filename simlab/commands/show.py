"""`simlab show`."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.commands.options import ExperimentFile


def show(
    file: ExperimentFile,
    every: Annotated[bool, typer.Option("--all", help="every rule, not only those that differ")] = False,
) -> None:
    """Print an experiment file with all its defaults filled in.

    Keys come in fixed order; what is printed can be run. Nothing is played.
    """
    from simlab import experiment as experiments
    from simlab.toml import dumps

    typer.echo(dumps(experiments.load(file).resolved(all_rules=every)), nl=False)
