"""The command line: `simlab/commands/` has a module for each command; here they are put together.

Heavy libraries are imported inside the commands, so that help answers at once. What the user gets wrong
is one sentence on stderr and exit code 2, what fails is exit code 1; neither is a traceback.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import typer

from simlab.commands import (
    bench,
    compare,
    ladder,
    lists,
    pack,
    play,
    replay,
    report,
    robust,
    run,
    scenario,
    show,
    strategy,
    tune,
)
from simlab.errors import SimlabError
from simlab.stopping import STOPPED, leave, stoppable
from simlab.wording import shown

app = typer.Typer(
    name="simlab",
    help="Balance laboratory for board games: play an experiment, report on it with intervals.",
    epilog="simlab COMMAND --help tells more of each; docs/quick-start.md is where to begin.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (
    *(run.run, report.report, compare.compare, replay.replay, play.play, show.show),
    *(robust.robust, scenario.scenario, ladder.ladder, tune.tune, bench.bench),
):
    app.command()(command)
app.add_typer(lists.app, name="list")
app.add_typer(pack.app, name="pack")
app.add_typer(strategy.app, name="strategy")

_THE_PATH = {  # what can be wrong with a path that the user wrote; the rest lies with the machine
    *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG),
    *(errno.EINVAL, errno.EILSEQ),
}


def main() -> None:
    """Run the command line; what goes wrong is a sentence on stderr and an exit code."""
    # sums are of many small matrices: threads would wait for each other, and their number can change a digit
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
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


if __name__ == "__main__":
    main()
