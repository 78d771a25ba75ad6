"""`simlab replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands import completion
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import Seed, one_of, path, text, whole
from simlab.errors import UsageError
from simlab.wording import place

BOARD = "turn"  # when the position is drawn, if nothing else is wanted


def replay(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="RUN|FILE",
            parser=path("RUN|FILE", there=True),
            autocompletion=completion.runs,
            help="a run's folder or an experiment file",
        ),
    ],
    game: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("--game", 0, 10**12),
            help="which game; the first is 0, played if left out",
        ),
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
    ] = BOARD,
    choices: Annotated[
        bool, typer.Option("--choices", help="also list what else could have been chosen")
    ] = False,
    plain_text: Annotated[bool, typer.Option("--plain", help="no colour")] = False,
    html: Annotated[
        bool, typer.Option("--html", help="write a page with a slider through the choices instead")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=path("--out"), help="where the page goes; game-N.html here if left out"
        ),
    ] = None,
) -> None:
    """Play a game of a run again, and tell it in words.

    It comes from its seed and is held against the record; exit 1 if it isn't as recorded. Of an
    experiment file its games are numbered as a run of it would number them.
    """
    if html:
        _refuse_without_effect(turn, phase, board=board, choices=choices, plain_text=plain_text)
        with compiling_announced():
            typer.echo(_written(source, game, seed, where, out))
        return
    if out is not None:
        raise UsageError("--out has no effect without --html: a replay is printed")
    from simlab.printer import console
    from simlab.replay import Replay, find
    from simlab.transcript import Transcript, Wanted

    with compiling_announced():
        played = find(source, game=game, seed=seed, where=where)
        Transcript(Replay(played), console(colour=not plain_text), Wanted(turn, phase, board, choices)).run()


def _refuse_without_effect(
    turn: int | None, phase: int | None, *, board: str, choices: bool, plain_text: bool
) -> None:
    given = {
        "--turn": turn is not None,
        "--phase": phase is not None,
        "--board": board != BOARD,
        "--choices": choices,
        "--plain": plain_text,
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"{option} has no effect with --html: the page has the whole game")


def _written(source: Path, game: int | None, seed: int | None, where: str | None, out: Path | None) -> Path:
    """Write the page, whole or not at all; where it is."""
    from simlab.replay import Replay, find
    from simlab.replay_page import ReplayPage
    from simlab.results import write_whole

    played = find(source, game=game, seed=seed, where=where)
    target = out or Path(f"game-{played.number}.html")
    if target.is_dir():
        raise UsageError(f"--out: {place(target)} is a folder")
    write_whole(target, ReplayPage(Replay(played)).text().encode())
    return target
