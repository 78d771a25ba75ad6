"""`simlab replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands.compiling import compiling_announced
from simlab.commands.options import Seed, one_of, path, text, whole


def replay(
    source: Annotated[
        Path,
        typer.Argument(metavar="RUN|FILE", parser=path("RUN|FILE"), help="run folder or experiment file"),
    ],
    game: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole("--game", 0, 10**12), help="which game; the first is 0"),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="SQL",
            parser=text("--where"),
            help="the run's first game (from N on) with this in its tables games and seats",
        ),
    ] = None,
    seed: Seed = None,
    turn: Annotated[
        int | None, typer.Option(metavar="T", parser=whole("--turn", 1, 99), help="only this Turn")
    ] = None,
    phase: Annotated[
        int | None, typer.Option(metavar="P", parser=whole("--phase", 0, 99), help="only this phase")
    ] = None,
    board: Annotated[
        str,
        typer.Option(
            metavar="WHEN",
            parser=one_of("--board", ("turn", "phase", "never")),
            help="draw the position after each turn or phase, or never",
        ),
    ] = "turn",
    choices: Annotated[
        bool, typer.Option("--choices", help="also list what else could have been chosen")
    ] = False,
    plain_text: Annotated[bool, typer.Option("--plain", help="no colour")] = False,
) -> None:
    """Play a game of a run again from its seed, in words; exit 1 if it isn't as recorded.

    Of an experiment file its games are numbered as a run of it would number them.
    """
    from simlab.replay import Replay, find
    from simlab.transcript import Transcript, Wanted, console

    with compiling_announced():
        played = find(source, game=game, seed=seed, where=where)
        Transcript(Replay(played), console(colour=not plain_text), Wanted(turn, phase, board, choices)).run()
