"""`simlab scenario`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands.compiling import compiling_announced
from simlab.commands.options import path
from simlab.errors import UsageError


def scenario(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", parser=path("FILE", there=True), help="scenario files, or folders of them"
        ),
    ],
) -> None:
    """Play scenario files: rules as data.

    Exit 1 if one doesn't hold, 2 if a file is wrong.
    """
    from simlab.scenario import run_files

    code = 0
    with compiling_announced():
        for outcome in run_files(files):
            if isinstance(outcome, UsageError):
                typer.echo(f"simlab: {outcome}", err=True)
                code = UsageError.exit_code
            else:
                typer.echo(str(outcome))
                code = max(code, 0 if outcome.passed else 1)
    raise typer.Exit(code)
