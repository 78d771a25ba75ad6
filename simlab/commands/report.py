"""`simlab report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands import completion
from simlab.commands.options import path


def report(
    run_folder: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            parser=path("RUN", there=True),
            autocompletion=completion.runs,
            help="the run's folder",
        ),
    ],
    section: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completion.sections,
            help="only this section (simlab list sections), or that of a Python file; may come several times",
        ),
    ] = None,
    arm: Annotated[
        str | None,
        typer.Option(metavar="ARM", help="of a run with arms, the report on this one, not on the base"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", parser=path("--out"), help="folder for the files, else the run's"),
    ] = None,
) -> None:
    """Print the report on a run, and write it as a page.

    It goes into the run's folder as report.html, report.md and report.json, with figures and tables below
    report/, or into arms/ARM there; docs/reading-a-report.md says what its words mean.
    """
    from rich.console import Console

    import reports

    target = reports.publish(run_folder, Console(), out, section, arm)
    typer.echo(f"written to {target}", err=True)
