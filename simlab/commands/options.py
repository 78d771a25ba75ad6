"""What the words of a command may be: parsers that refuse in one sentence, and options that several have."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from simlab.commands import completion
from simlab.errors import UsageError
from simlab.nearby import did_you_mean_path
from simlab.wording import place, plain, shown

_WHOLE = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS = 40  # of a number; the greatest allowed has half as many


def whole(option: str, low: int, high: int) -> Callable[[str], int]:
    """What reads a number from the command line."""

    def parse(word: str) -> int:
        word = str(word)  # a default comes as a number
        if not _WHOLE.fullmatch(word):
            raise UsageError(f"{option} must be a whole number, not {shown(word)}")
        if len(word) > _MOST_DIGITS or not low <= int(word) <= high:
            raise UsageError(f"{option} must be from {low} to {high}, not {plain(word, _MOST_DIGITS)}")
        return int(word)

    return parse


def numbers(option: str, low: int, high: int) -> Callable[[str], tuple[int, ...]]:
    """What reads numbers with commas between them, in ascending order."""
    one = whole(option, low, high)

    def parse(words: str) -> tuple[int, ...]:
        found = [one(word.strip()) for word in words.split(",")]
        for number in found:
            if found.count(number) > 1:
                raise UsageError(f"{option} names {number} twice")
        return tuple(sorted(found))

    return parse


def text(what: str) -> Callable[[str], str]:
    """What reads a word that can't be empty."""

    def parse(word: str) -> str:
        if not word:
            raise UsageError(f"{what} is an empty text")
        return word

    return parse


def one_of(option: str, known: Sequence[str]) -> Callable[[str], str]:
    """What reads one of a few words."""

    def parse(word: str) -> str:
        if word not in known:
            quoted = [shown(each) for each in known]
            raise UsageError(f"{option} must be {', '.join(quoted[:-1])} or {quoted[-1]}, not {shown(word)}")
        return word

    return parse


def path(what: str, there: bool = False) -> Callable[[str], Path]:
    """What reads a path; a device or a pipe, which could be read without end, is none.

    Of one that must be `there` and isn't, a near one is named; else who reads it says that it isn't.
    """

    def parse(word: str) -> Path:
        found = Path(text(what)(word))
        if any("\ud800" <= sign <= "\udfff" for sign in str(found)):  # how Python has bytes that are no text
            raise UsageError(f"{what} is no text in UTF-8: {place(found)}")
        if found.exists() and not found.is_file() and not found.is_dir():
            raise UsageError(f"{place(found)} is neither a file nor a folder")
        if there and not found.exists() and (near := did_you_mean_path(found)):
            raise UsageError(f"{place(found)}: there is no such file or folder{near}")
        return found

    return parse


Workers = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        parser=whole("--workers", 1, 1024),
        help="workers, all cores if left out; for less than about 2 s, compiled strategies use one",
    ),
]
ExperimentFile = Annotated[
    Path, typer.Argument(metavar="FILE", parser=path("FILE", there=True), help="experiment file (TOML)")
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="S", parser=whole("--seed", 0, 2**63 - 1), help="another seed than the file's"),
]
Strategies = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        parser=text("--strategy"),
        autocompletion=completion.strategies,
        help="play this one (name, mine.py:Mine or mine.toml) instead of the file's; may come several times",
    ),
]
GameName = Annotated[
    str, typer.Option("--game", metavar="GAME", autocompletion=completion.games, help="the game meant")
]
PackName = Annotated[
    str | None,
    typer.Option(
        "--pack",
        metavar="PACK",
        parser=text("--pack"),
        autocompletion=completion.packs,
        help="component pack, name or folder; the game's own if left out",
    ),
]
StrategyName = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        parser=text("NAME"),
        autocompletion=completion.strategies,
        help="name, mine.py:Mine or mine.toml",
    ),
]


def group(says: str) -> typer.Typer:
    """Commands under one word."""
    return typer.Typer(help=says, no_args_is_help=True, rich_markup_mode=None)
