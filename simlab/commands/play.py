"""`simlab play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands import completion
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import PackName, Seed, path, text, whole
from simlab.errors import UsageError
from simlab.wording import place


def play(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            parser=path("FILE", there=True),
            help="experiment file (TOML) whose game is played, if any",
        ),
    ] = None,
    faction: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            parser=text("--faction"),
            autocompletion=completion.factions,
            help="your faction",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(metavar="K", parser=whole("--seat", 1, 6), help="your seat, 1 plays first in Turn 1"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…",
            parser=text("--against"),
            autocompletion=completion.opponents,
            help="the strategy of all other seats, or one each; the file's, or dei/planner if left out",
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option(metavar="P", parser=whole("--players", 1, 6), help="how many play")
    ] = None,
    seed: Seed = None,
    pack: PackName = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=path("--out"), help="where the game's record goes; games/ if left out"
        ),
    ] = None,
    plain_text: Annotated[bool, typer.Option("--plain", help="no colour")] = False,
) -> None:
    """Play a game yourself against strategies.

    Your seat is shown what it may know and no more; help at the prompt lists what can be done. The record
    is a scenario file. The same seed, factions and choices give the same game.
    """
    from simlab.printer import Printer, console
    from simlab.prompt.prompt import Prompt
    from simlab.prompt.sitting import Asked, sitting

    if out is not None and out.exists():
        raise UsageError(f"--out: {place(out)} is there already")
    named = tuple(name.strip() for name in against.split(",")) if against else ()
    wanted = Asked(file, faction, None if seat is None else seat - 1, named, players, seed, pack)
    with compiling_announced():
        table = sitting(wanted)
    Prompt(table, Printer(console(colour=not plain_text)), out).run()
