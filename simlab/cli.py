"""The command line: each command says what it does, checks words, and hands over.

Heavy libraries are imported inside the commands, so that help answers at once. What the user gets wrong
is one sentence on stderr and exit code 2, what fails is exit code 1; neither is a traceback.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from simlab.errors import SimlabError, UsageError
from simlab.stopping import STOPPED, leave, stoppable
from simlab.strategy import PART_GAMES
from simlab.wording import place, plain, shown

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

_WHOLE = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS = 40  # of a number; the greatest allowed has half as many
_THE_PATH = {  # what can be wrong with a path that the user wrote; the rest lies with the machine
    *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG),
    *(errno.EINVAL, errno.EILSEQ),
}


def _whole(option: str, low: int, high: int) -> Callable[[str], int]:
    """What reads a number from the command line."""

    def parse(word: str) -> int:
        word = str(word)  # a default comes as a number
        if not _WHOLE.fullmatch(word):
            raise UsageError(f"{option} must be a whole number, not {shown(word)}")
        if len(word) > _MOST_DIGITS or not low <= int(word) <= high:
            raise UsageError(f"{option} must be from {low} to {high}, not {plain(word, _MOST_DIGITS)}")
        return int(word)

    return parse


def _numbers(option: str, low: int, high: int) -> Callable[[str], tuple[int, ...]]:
    """What reads numbers with commas between them, in ascending order."""
    one = _whole(option, low, high)

    def parse(words: str) -> tuple[int, ...]:
        numbers = [one(word.strip()) for word in words.split(",")]
        for number in numbers:
            if numbers.count(number) > 1:
                raise UsageError(f"{option} names {number} twice")
        return tuple(sorted(numbers))

    return parse


def _text(what: str) -> Callable[[str], str]:
    """What reads a word that can't be empty."""

    def parse(word: str) -> str:
        if not word:
            raise UsageError(f"{what} is an empty text")
        return word

    return parse


def _one_of(option: str, known: Sequence[str]) -> Callable[[str], str]:
    """What reads one of a few words."""

    def parse(word: str) -> str:
        if word not in known:
            quoted = [shown(each) for each in known]
            raise UsageError(f"{option} must be {', '.join(quoted[:-1])} or {quoted[-1]}, not {shown(word)}")
        return word

    return parse


def _path(what: str) -> Callable[[str], Path]:
    """What reads a path; a device or a pipe, which could be read without end, is none."""

    def parse(word: str) -> Path:
        path = Path(_text(what)(word))
        if any("\ud800" <= sign <= "\udfff" for sign in str(path)):  # how Python has bytes that are no text
            raise UsageError(f"{what} is no text in UTF-8: {place(path)}")
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError(f"{place(path)} is neither a file nor a folder")
        return path

    return parse


Workers = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        parser=_whole("--workers", 1, 1024),
        help="workers, all cores if left out; for less than about 2 s, compiled strategies use one",
    ),
]
ExperimentFile = Annotated[
    Path, typer.Argument(metavar="FILE", parser=_path("FILE"), help="experiment file (TOML)")
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="S", parser=_whole("--seed", 0, 2**63 - 1), help="another seed than the file's"),
]
GameName = Annotated[str, typer.Option("--game", metavar="GAME", help="the game meant")]


def main() -> None:
    """Run the command line; what goes wrong is a sentence on stderr and an exit code."""
    _open_streams()
    _print_question_marks()
    try:
        with stoppable(_say):
            code = app(prog_name="simlab", standalone_mode=False)
    except SimlabError as error:
        if account := getattr(error, "account", ""):
            typer.echo(f"{account}\n", err=True)
        _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except RecursionError:
        _fail("what is to be read is nested too deeply", 2)
    except OSError as error:
        where = "" if error.filename is None else f"{shown(str(error.filename))}: "
        _fail(f"{where}{error.strerror or error}", 2 if error.errno in _THE_PATH else 1)
    except Exception as error:
        if not hasattr(error, "format_message"):  # how typer says that a command was written wrong
            raise
        _fail(_usage(error), 2)
    if code == STOPPED:  # typer makes a number of Ctrl-C
        _fail("stopped", STOPPED)
    sys.exit(code if isinstance(code, int) else 0)


def _print_question_marks() -> None:
    """Where the encoding of a terminal or file lacks a sign, a question mark stands for it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _open_streams() -> None:
    """Open what is closed of stdin, stdout and stderr, lest a file of a run get its number.

    Each takes the least number that is free: its own.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _fail(sentence: str, code: int) -> NoReturn:
    if code:
        _say(sentence)
    else:
        typer.echo(sentence, err=True)
    if code == STOPPED:
        leave()
    sys.exit(code)


def _say(sentence: str) -> None:
    with suppress(OSError):  # nobody can be told that there is nobody to tell
        typer.echo(f"simlab: {sentence}", err=True)


def _usage(error: Any) -> str:
    """What is wrong with a command, and where help is; no command at all gets the help itself."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else _command()
    if type(error).__name__ == "NoArgsIsHelpError":
        _fail(error.format_message(), 0)
    return f"{error.format_message().rstrip('.')} ({where} --help explains)"


def _command() -> str:
    """The command that was written, where typer doesn't say."""
    command: Any = typer.main.get_command(app)
    path = "simlab"
    for word in sys.argv[1:]:
        command = getattr(command, "commands", {}).get(word)
        if command is None:
            break
        path += f" {word}"
    return path


@contextmanager
def _compiling_announced() -> Iterator[None]:
    """Tell that something is compiled, if it is, and have another process help.

    It takes long, and is in the cache the next time.
    """
    from simlab import catalog, jit

    helpers = []

    def compiling() -> None:
        typer.echo("compiling for this machine, once: it takes up to about a minute", err=True)
        with suppress(OSError):
            helpers.append(catalog.warm_up_beside())

    try:
        with jit.announced(compiling):
            yield
    finally:
        for helper in helpers:
            helper.terminate()
            helper.wait()


@app.command()
def run(
    file: ExperimentFile,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=_whole("--games", 1, 10**10), help="games for each number of players"
        ),
    ] = None,
    workers: Workers = None,
    seed: Seed = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", parser=_path("--out"), help="the run's folder")
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="stop at the first game that a strategy spoils, and tell all of it"),
    ] = False,
) -> None:
    """Play an experiment; the last line is the run's folder. The same command goes on after a stop."""
    from joblib import cpu_count

    from simlab import experiment as experiments
    from simlab import run as runs
    from simlab.failures import Failures

    with _compiling_announced():
        experiment = experiments.load(file, games=games, seed=seed)
        whole = runs.rounded(experiment)
        if whole != experiment.games:
            typer.echo(_rounded(experiment, whole), err=True)
        plan = runs.plan(experiment, out)
    failures = Failures()
    try:
        manifest = runs.play(plan, workers or cpu_count(), strict=strict, failures=failures)
    finally:  # after Ctrl-C too: the run's folder doesn't know them
        for line in failures.lines():
            typer.echo(line, err=True)
    typer.echo(_played(manifest), err=True)
    typer.echo(plan.folder)


def _rounded(experiment: Any, whole: int) -> str:
    each = " for each number of players" if len(experiment.players) > 1 else ""
    games = "1 game is" if experiment.games == 1 else f"{experiment.games:,} games are"
    return f"{games} rounded up to {whole:,}{each}, whole blocks"


def _played(manifest: dict[str, Any]) -> str:
    counts = manifest["counts"]
    irregular = {how: n for how, n in counts["endings"].items() if how != "finished"}
    reasons = ", ".join(f"{n:,} {how}" for how, n in sorted(irregular.items(), key=lambda each: -each[1]))
    notes = f", {sum(irregular.values()):,} ended irregularly ({reasons})" if irregular else ""
    games, blocks = (
        f"{counts[what]:,} {what if counts[what] != 1 else what[:-1]}" for what in ("games", "blocks")
    )
    return f"{games} in {blocks}{notes}; digest {manifest['digest']}"


@app.command()
def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", parser=_path("RUN"), help="run folder")],
    section: Annotated[list[str] | None, typer.Option(metavar="NAME", help="only this section")] = None,
) -> None:
    """Print the report on a run and write it into the run's folder."""
    from rich.console import Console

    import reports

    target = reports.publish(run_folder, Console(), sections=section)
    typer.echo(f"written to {target}", err=True)


@app.command()
def replay(
    source: Annotated[
        Path,
        typer.Argument(metavar="RUN|FILE", parser=_path("RUN|FILE"), help="run folder or experiment file"),
    ],
    game: Annotated[
        int | None,
        typer.Option(metavar="N", parser=_whole("--game", 0, 10**12), help="which game; the first is 0"),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="SQL",
            parser=_text("--where"),
            help="the run's first game (from N on) with this in its tables games and seats",
        ),
    ] = None,
    seed: Seed = None,
    turn: Annotated[
        int | None, typer.Option(metavar="T", parser=_whole("--turn", 1, 99), help="only this Turn")
    ] = None,
    phase: Annotated[
        int | None, typer.Option(metavar="P", parser=_whole("--phase", 0, 99), help="only this phase")
    ] = None,
    board: Annotated[
        str,
        typer.Option(
            metavar="WHEN",
            parser=_one_of("--board", ("turn", "phase", "never")),
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

    with _compiling_announced():
        played = find(source, game=game, seed=seed, where=where)
        Transcript(Replay(played), console(colour=not plain_text), Wanted(turn, phase, board, choices)).run()


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
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", parser=_path("FILE"), help="scenario files, or folders of them"),
    ],
) -> None:
    """Play scenario files. Exit 1 if one doesn't hold, 2 if a file is wrong."""
    from simlab.scenario import run_files

    code = 0
    with _compiling_announced():
        for outcome in run_files(files):
            if isinstance(outcome, UsageError):
                typer.echo(f"simlab: {outcome}", err=True)
                code = UsageError.exit_code
            else:
                typer.echo(str(outcome))
                code = max(code, 0 if outcome.passed else 1)
    raise typer.Exit(code)


@app.command()
def bench(
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STRATEGY", parser=_text("STRATEGY"), help="the game's compiled ones if left out"
        ),
    ] = None,
    players: Annotated[
        int, typer.Option(metavar="P", parser=_whole("--players", 1, 64), help="number of players")
    ] = 4,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=_whole("--games", 1, PART_GAMES),
            help="games of a slice; 6,000 if left out, fewer for a slow strategy",
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option(metavar="R", parser=_whole("--rounds", 1, 10**6), help="rounds to take medians of")
    ] = 9,
    workers: Annotated[
        Any,  # a tuple, which typer would take for an option of several words
        typer.Option(
            metavar="K,…", parser=_numbers("--workers", 1, 1024), help="workers to compare with one"
        ),
    ] = "1,2",
    cold: Annotated[
        bool, typer.Option("--cold", help="also start where nothing is compiled; takes 1 to 2 minutes")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of tables")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=_path("--out"), help="write the JSON there too")
    ] = None,
    game: GameName = "dei",
) -> None:
    """Measure how fast games are played and recorded, beside a fixed reference loop."""
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
    with _compiling_announced():
        found = questions.answer(question, lambda what: typer.echo(what, err=True))
    if as_json:
        typer.echo(found.json(), nl=False)
    else:
        for table in tables(found):
            Console().print(table)
    if out is not None:
        found.write(out)


@packs.command("check")
def pack_check(
    pack: Annotated[
        str | None, typer.Argument(metavar="[PACK]", parser=_text("PACK"), help="name or folder")
    ] = None,
    game: GameName = "dei",
    draws: Annotated[
        int, typer.Option(metavar="N", parser=_whole("--draws", 1, 10**9), help="random layouts to draw")
    ] = 2000,
) -> None:
    """Check every constraint on a pack and describe it. Exit 1 if one is broken."""
    from simlab import catalog

    definition = catalog.game(game)
    with _compiling_announced():
        problems, description = definition.check_pack(
            definition.load_pack(pack or definition.default_pack), draws
        )
    for line in description:
        typer.echo(line)
    for problem in problems:
        typer.echo(f"simlab: {problem}", err=True)
    raise typer.Exit(1 if problems else 0)


@packs.command("sample")
def pack_sample(
    number: Annotated[int, typer.Argument(metavar="N", parser=_whole("N", 1, 10**6), help="packs to draw")],
    seed: Annotated[
        int, typer.Option(metavar="S", parser=_whole("--seed", 0, 2**63 - 1), help="the same packs again")
    ] = 1,
    keep: Annotated[
        int,
        typer.Option(metavar="P", parser=_whole("--keep", 0, 99), help="percent of the values that stay"),
    ] = 0,
    pack: Annotated[
        str | None, typer.Option(metavar="PACK", parser=_text("--pack"), help="name or folder to draw from")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", parser=_path("--out"), help="folder of the packs")
    ] = Path("packs"),
    game: GameName = "dei",
) -> None:
    """Draw other plausible packs from the ranges of assumed values; prints the folder of each."""
    from simlab import catalog
    from simlab import packs as sampled

    definition = catalog.game(game)
    drawn_from = definition.load_pack(pack or definition.default_pack)
    with _compiling_announced():
        for folder in sampled.sample(definition, drawn_from, seed, number, out, keep):
            typer.echo(folder)


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


@lists.command("handicaps")
def list_handicaps(game: GameName = "dei") -> None:
    """What an experiment's [handicaps] can give or deny a seat."""
    from simlab import catalog

    _print(list(catalog.game(game).handicaps.items()))


@lists.command("tables")
def list_tables(game: GameName = "dei") -> None:
    """Result tables and their columns: type, unit, meaning."""
    from simlab import catalog

    for number, table in enumerate(catalog.game(game).tables):
        typer.echo(f"{'' if number == 0 else chr(10)}{table.name}: {table.meaning}")
        _print([(f"  {c.name}", c.dtype, c.unit or "-", c.meaning) for c in table.columns])


if __name__ == "__main__":
    main()
