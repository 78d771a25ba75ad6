"""`simlab pack`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simlab.commands import completion
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import GameName, PackName, group, path, text, whole

app = group("Check component packs, or draw plausible ones.")


@app.command("check")
def pack_check(
    pack: Annotated[
        str | None,
        typer.Argument(
            metavar="PACK",
            parser=text("PACK"),
            autocompletion=completion.packs,
            help="name or folder; the game's own if left out",
        ),
    ] = None,
    game: GameName = "dei",
    draws: Annotated[
        int, typer.Option(metavar="N", parser=whole("--draws", 1, 10**9), help="random layouts to draw")
    ] = 2000,
) -> None:
    """Check every constraint on a pack and describe it.

    Exit 1 if one is broken.
    """
    from simlab import catalog

    definition = catalog.game(game)
    with compiling_announced():
        problems, description = definition.check_pack(
            definition.load_pack(pack or definition.default_pack), draws
        )
    for line in description:
        typer.echo(line)
    for problem in problems:
        typer.echo(f"simlab: {problem}", err=True)
    raise typer.Exit(1 if problems else 0)


@app.command("sample")
def pack_sample(
    number: Annotated[int, typer.Argument(metavar="N", parser=whole("N", 1, 10**6), help="packs to draw")],
    seed: Annotated[
        int, typer.Option(metavar="S", parser=whole("--seed", 0, 2**63 - 1), help="the same packs again")
    ] = 1,
    keep: Annotated[
        int,
        typer.Option(metavar="P", parser=whole("--keep", 0, 99), help="percent of the values that stay"),
    ] = 0,
    pack: PackName = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", parser=path("--out"), help="folder of the packs")
    ] = Path("packs"),
    game: GameName = "dei",
) -> None:
    """Draw other plausible packs from the ranges of assumed values.

    Prints the folder of each.
    """
    from simlab import catalog
    from simlab import packs as sampled

    definition = catalog.game(game)
    drawn_from = definition.load_pack(pack or definition.default_pack)
    with compiling_announced():
        for folder in sampled.sample(definition, drawn_from, seed, number, out, keep):
            typer.echo(folder)
