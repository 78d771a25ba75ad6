"""`simlab strategy`."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.commands.columns import print_columns
from simlab.commands.compiling import compiling_announced
from simlab.commands.options import GameName, StrategyName, Workers, group, whole

app = group("Check a strategy, or print its weights.")


@app.command("check")
def check(
    name: StrategyName,
    games: Annotated[
        int,
        typer.Option(metavar="N", parser=whole("--games", 1, 10**6), help="games for each number of players"),
    ] = 200,
    seed: Annotated[
        int, typer.Option(metavar="S", parser=whole("--seed", 0, 2**63 - 1), help="other games")
    ] = 1,
    workers: Workers = None,
    game: GameName = "dei",
) -> None:
    """Check that a strategy plays as strategies must.

    It makes legal choices, the same again, is blind to what is hidden and alters nothing; exit 1 with the
    first game and decision where that isn't so.
    """
    from joblib import cpu_count

    from simlab import catalog, strategy_check
    from simlab.failures import StrategyFailed

    with compiling_announced():
        checked = strategy_check.check(name, catalog.game(game), games, seed, workers or cpu_count())
        widths = print_columns([strategy_check.HEADS])
        for found in checked:
            print_columns([strategy_check.row(found)], widths)
            if found.fault is not None:
                raise StrategyFailed(str(found.fault), found.account)


@app.command("weights")
def weights(
    name: StrategyName,
    game: GameName = "dei",
) -> None:
    """Print a strategy's weights, which a file can set otherwise."""
    from simlab import catalog
    from simlab.errors import UsageError
    from simlab.wording import shown

    with compiling_announced():
        strategy = catalog.strategy(name, catalog.game(game).name)
    if not strategy.weight_names:
        raise UsageError(f"strategy {shown(name)} has no weights with names")
    print_columns([(name, str(n)) for name, n in zip(strategy.weight_names, strategy.weights, strict=True)])
