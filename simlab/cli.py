"""The command line: each command says what it does, checks words, and hands over.

Heavy libraries are imported inside the commands, so that help answers at once. What the user gets wrong
is one sentence on stderr and exit code 2, what fails is exit code 1; neither is a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from simlab.errors import SimlabError

app = typer.Typer(
    name="simlab",
    help="Balance laboratory for board games: play an experiment, report on it with intervals.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
lists = typer.Typer(help="List what is there by name.", no_args_is_help=True, rich_markup_mode=None)
packs = typer.Typer(help="Component packs.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(lists, name="list")
app.add_typer(packs, name="pack")

Workers = Annotated[int | None, typer.Option(metavar="K", min=1, help="workers; all cores if left out")]
ExperimentFile = Annotated[Path, typer.Argument(metavar="FILE", help="experiment file (TOML)")]
GameName = Annotated[str, typer.Option("--game", metavar="GAME", help="the game meant")]


def main() -> None:
    """Run the command line; what goes wrong is a sentence on stderr and an exit code."""
    try:
        code = app(prog_name="simlab", standalone_mode=False)
    except SimlabError as error:
        _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _fail("stopped", 130)
    except Exception as error:
        if not hasattr(error, "format_message"):  # how typer says that a command was written wrong
            raise
        _fail(_usage(error), 2)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(sentence: str, code: int) -> NoReturn:
    typer.echo(f"simlab: {sentence}" if code else sentence, err=True)
    sys.exit(code)


def _usage(error: Any) -> str:
    """What is wrong with a command, and where help is; no command at all gets the help itself."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "simlab"
    if type(error).__name__ == "NoArgsIsHelpError":
        _fail(error.format_message(), 0)
    return f"{error.format_message().rstrip('.')} ({where} --help explains)"


@app.command()
def run(
    file: ExperimentFile,
    games: Annotated[int | None, typer.Option(metavar="N", help="games for each number of players")] = None,
    workers: Workers = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="another seed than the file's")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="the run's folder")] = None,
) -> None:
    """Play an experiment; the last line is the run's folder. The same command goes on after a stop."""
    from joblib import cpu_count

    from simlab import experiment as experiments
    from simlab import jit
    from simlab import run as runs

    experiment = experiments.load(file, games=games, seed=seed)
    whole = runs.rounded(experiment)
    if whole != experiment.games:
        typer.echo(f"{experiment.games:,} games are rounded up to {whole:,}, whole blocks", err=True)
    if not jit.is_warm():
        typer.echo("compiling the engine for this machine, once: about a minute", err=True)
    plan = runs.plan(experiment, out)
    manifest = runs.play(plan, workers or cpu_count())
    typer.echo(_played(manifest), err=True)
    typer.echo(plan.folder)


def _played(manifest: dict[str, Any]) -> str:
    counts = manifest["counts"]
    irregular = [f"{n:,} ended by {how}" for how, n in counts["endings"].items() if how != "finished"]
    notes = "".join(f", {note}" for note in irregular)
    return f"{counts['games']:,} games in {counts['blocks']:,} blocks{notes}; digest {manifest['digest']}"


@app.command()
def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="run folder")],
    section: Annotated[list[str] | None, typer.Option(metavar="NAME", help="only this section")] = None,
) -> None:
    """Print the report on a run and write it into the run's folder."""
    from rich.console import Console

    import reports

    target = reports.publish(run_folder, Console(), sections=section)
    typer.echo(f"written to {target}", err=True)


@app.command()
def show(
    file: ExperimentFile,
    every: Annotated[bool, typer.Option("--all", help="every rule, not only those that differ")] = False,
) -> None:
    """Print an experiment file resolved: defaults filled in, in fixed order."""
    from simlab import experiment as experiments
    from simlab.toml import dumps

    typer.echo(dumps(experiments.load(file).resolved(all_rules=every)), nl=False)


@app.command()
def scenario(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="scenario files, or folders of them")],
) -> None:
    """Play scenario files: a position, what is done, what must hold. Exit 1 if one doesn't hold."""
    from simlab.scenario import run_files

    outcomes = run_files(files)
    for outcome in outcomes:
        typer.echo(str(outcome))
    raise typer.Exit(0 if all(outcome.passed for outcome in outcomes) else 1)


@packs.command("check")
def pack_check(
    pack: Annotated[str | None, typer.Argument(metavar="[PACK]", help="name or folder")] = None,
    game: GameName = "dei",
    draws: Annotated[int, typer.Option(metavar="N", min=1, help="random layouts to draw")] = 2000,
) -> None:
    """Check every constraint on a pack and describe it. Exit 1 if one is broken."""
    from simlab import catalog

    definition = catalog.game(game)
    problems, description = definition.check_pack(
        definition.load_pack(pack or definition.default_pack), draws
    )
    for line in description:
        typer.echo(line)
    for problem in problems:
        typer.echo(f"simlab: {problem}", err=True)
    raise typer.Exit(1 if problems else 0)


# --- simlab list ---------------------------------------------------------------------------------------


def _print(rows: Sequence[tuple[str, ...]]) -> None:
    """Rows as aligned columns, two spaces between them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@lists.command("games")
def list_games() -> None:
    """Games that experiments can name."""
    from simlab import catalog

    found = [catalog.game(name) for name in catalog.games()]
    _print([(game.name, game.title, f"{', '.join(map(str, game.players))} players") for game in found])


@lists.command("strategies")
def list_strategies(game: GameName = "dei") -> None:
    """Strategies that experiments can name."""
    from simlab import catalog

    catalog.game(game)
    for name in catalog.strategies(game):
        typer.echo(name)


@lists.command("packs")
def list_packs(game: GameName = "dei") -> None:
    """Component packs that come with a game."""
    from simlab import catalog

    definition = catalog.game(game)
    names = sorted(path.parent.name for path in definition.packs.glob("*/pack.toml"))
    for name in names:
        typer.echo(f"{name}{'  (default)' if name == definition.default_pack else ''}")


@lists.command("rules")
def list_rules(game: GameName = "dei") -> None:
    """Rules that an experiment's [rules] can change: default, range, meaning."""
    from simlab import catalog
    from simlab.wording import shown

    rows = []
    for knob in catalog.game(game).knobs:
        span = "true or false" if isinstance(knob.default, bool) else f"{knob.low} to {knob.high}"
        rows.append((knob.name, shown(knob.default), span, knob.source, knob.says))
    _print(rows)


@lists.command("tables")
def list_tables(game: GameName = "dei") -> None:
    """Result tables and their columns: type, unit, meaning."""
    from simlab import catalog

    for number, table in enumerate(catalog.game(game).tables):
        typer.echo(f"{'' if number == 0 else chr(10)}{table.name}: {table.meaning}")
        _print([(f"  {c.name}", c.dtype, c.unit or "-", c.meaning) for c in table.columns])


if __name__ == "__main__":
    main()
