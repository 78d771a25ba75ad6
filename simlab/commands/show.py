"""`simlab show`."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.commands.options import ExperimentFile


def show(
    file: ExperimentFile,
    every: Annotated[bool, typer.Option("--all", help="every rule, not only those that differ")] = False,
) -> None:
    """Print an experiment file resolved: defaults filled in, in fixed order."""
    from simlab import experiment as experiments
    from simlab.toml import dumps

    typer.echo(dumps(experiments.load(file).resolved(all_rules=every)), nl=False)
