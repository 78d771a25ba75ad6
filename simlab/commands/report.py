"""`simlab report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands.options import path


def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", parser=path("RUN"), help="run folder")],
    section: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="only this section, or that of a Python file; can be repeated"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", parser=path("--out"), help="folder for the files, else the run's"),
    ] = None,
) -> None:
    """Print the report on a run and write it as HTML, Markdown and JSON."""
    from rich.console import Console

    import reports

    target = reports.publish(run_folder, Console(), out, section)
    typer.echo(f"written to {target}", err=True)
