"""Plain tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import typer


def print_columns(rows: Sequence[tuple[str, ...]], widths: Sequence[int] = ()) -> list[int]:
    """Rows as aligned columns, two spaces between them; returns the widths, for rows that come later."""
    needed = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths = [max(pair) for pair in zip(needed, widths or needed, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return widths
