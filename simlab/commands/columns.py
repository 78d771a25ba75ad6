"""Plain tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import typer


def print_columns(rows: Sequence[tuple[str, ...]]) -> None:
    """Rows as aligned columns, two spaces between them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
