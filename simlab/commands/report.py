"""`simlab report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands.options import path


def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", parser=path("RUN"), help="run folder")],
    section: Annotated[list[str] | None, typer.Option(metavar="NAME", help="only this section")] = None,
) -> None:
    """Print the report on a run and write it into the run's folder."""
    from rich.console import Console

    import reports

    target = reports.publish(run_folder, Console(), sections=section)
    typer.echo(f"written to {target}", err=True)
