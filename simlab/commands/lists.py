"""`simlab list`."""

from __future__ import annotations

import typer

from simlab.commands.columns import print_columns
from simlab.commands.options import GameName, group

app = group("List what is there by name.")


@app.command("games")
def list_games() -> None:
    """Games that experiments can name."""
    from simlab import catalog

    found = [catalog.game(name) for name in catalog.games()]
    print_columns([(game.name, game.title, f"{', '.join(map(str, game.players))} players") for game in found])


@app.command("strategies")
def list_strategies(game: GameName = "dei") -> None:
    """Strategies that experiments can name."""
    from simlab import catalog

    catalog.game(game)
    for name in sorted([*catalog.strategies(game), *(f"{name}:N" for name in catalog.families(game))]):
        typer.echo(name)


@app.command("packs")
def list_packs(game: GameName = "dei") -> None:
    """Component packs that come with a game."""
    from simlab import catalog

    definition = catalog.game(game)
    names = sorted(path.parent.name for path in definition.packs.glob("*/pack.toml"))
    for name in names:
        typer.echo(f"{name}{'  (default)' if name == definition.default_pack else ''}")


@app.command("rules")
def list_rules(game: GameName = "dei") -> None:
    """Rules that an experiment's [rules] can change.

    Each with its default, its range, where the rulebook has it (docs/rules/dei-core.md), and what it means.
    """
    from simlab import catalog
    from simlab.wording import shown

    rows = []
    for knob in catalog.game(game).knobs:
        span = "true or false" if isinstance(knob.default, bool) else f"{knob.low} to {knob.high}"
        rows.append((knob.name, shown(knob.default), span, knob.source, knob.says))
    print_columns(rows)


@app.command("handicaps")
def list_handicaps(game: GameName = "dei") -> None:
    """What an experiment's [handicaps] can give or deny a seat."""
    from simlab import catalog

    print_columns(list(catalog.game(game).handicaps.items()))


@app.command("tables")
def list_tables(game: GameName = "dei") -> None:
    """Result tables and their columns: type, unit, meaning."""
    from simlab import catalog

    found = catalog.game(game)
    knock_outs = () if found.knock_outs is None else (found.knock_outs.table,)
    for number, table in enumerate((*found.tables, *knock_outs)):
        typer.echo(f"{'' if number == 0 else chr(10)}{table.name}: {table.meaning}")
        print_columns([(f"  {c.name}", c.dtype, c.unit or "-", c.meaning) for c in table.columns])


@app.command("sections")
def list_sections() -> None:
    """Sections of a report, for simlab report --section."""
    import sys

    from reports.dei.contents import SECTIONS
    from simlab import catalog

    rows = []
    for name, build in {**SECTIONS, **catalog.sections("dei")}.items():
        says = sys.modules[build.__module__].__doc__ or build.__doc__ or ""
        rows.append((name, says.partition("\n")[0]))
    print_columns(rows)
