"""`simlab bench`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simlab.commands import completion
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import GameName, numbers, path, text, whole
from simlab.strategy import PART_GAMES


def bench(
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STRATEGY",
            parser=text("STRATEGY"),
            autocompletion=completion.strategies,
            help="A, or A+B: a seat of A, the others B; if left out, those with a bar",
        ),
    ] = None,
    players: Annotated[
        int, typer.Option(metavar="P", parser=whole("--players", 1, 64), help="number of players")
    ] = 4,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("--games", 1, PART_GAMES),
            help="games of a slice; 6,000 if left out, fewer for a slow strategy",
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option(metavar="R", parser=whole("--rounds", 1, 10**6), help="rounds to take medians of")
    ] = 9,
    workers: Annotated[
        Any,  # a tuple, which typer would take for an option of several words
        typer.Option(metavar="K,…", parser=numbers("--workers", 1, 1024), help="workers to compare with one"),
    ] = "1,2",
    cold: Annotated[
        bool, typer.Option("--cold", help="also start where nothing is compiled; takes 1 to 2 minutes")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of tables")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=path("--out"), help="write the JSON there too")
    ] = None,
    game: GameName = "dei",
) -> None:
    """Measure how fast games are played and recorded.

    Each figure stands beside a fixed reference loop, so machines can be compared.
    """
    from rich.console import Console

    from simlab import catalog
    from simlab.bench import question as questions
    from simlab.bench.tables import tables

    question = questions.Question(
        game=catalog.game(game),
        strategies=tuple(strategies or ()),
        players=players,
        games=games,
        rounds=rounds,
        workers=tuple(number for number in workers if number > 1),
        cold=cold,
    )
    if out is not None:
        questions.check_target(out)
    with compiling_announced():
        found = questions.answer(question, lambda what: typer.echo(what, err=True))
    if as_json:
        typer.echo(found.json(), nl=False)
    else:
        for table in tables(found):
            Console().print(table)
    if out is not None:
        found.write(out)
