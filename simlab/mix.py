"""The strategies that an experiment or a command names: found, told apart, timed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simlab import catalog, values
from simlab.errors import ExperimentError, NoEffect, UsageError
from simlab.game import Game
from simlab.wording import shown

OPTION = "--strategy"
MIXING, BY_DESIGN, MIRRORED = "mixing", "by_design", "mirrored"  # a key and its values, the default first
MOST_STRATEGIES = 16  # as many as a block's kernel takes
DECISION_TIMEOUT = 10.0  # seconds
_TIMEOUTS = (0.01, 86_400.0)


class OptionError(ExperimentError):
    """What is wrong stands in the command, not in the file."""


def strategies_of_the_command(names: Sequence[str], game: Game, option: str = OPTION) -> tuple[str, ...]:
    """Those that a command's option names; raises OptionError."""
    try:
        found = strategies_of(option, list(names), game, Path())
    except UsageError as error:
        raise OptionError(str(error)) from None
    try:
        for name in found:
            catalog.compiled(name, game.name)  # loads the file, with what may be wrong in it
    except UsageError as error:
        raise OptionError(f"{option}: {error}") from None
    return found


def strategies_of(
    key: str, value: Any, game: Game, folder: Path, most: int = MOST_STRATEGIES
) -> tuple[str, ...]:
    """The strategies that a key names, files looked for beside `folder` first; at most so many."""
    names = values.texts(key, value)
    if len(names) > most:
        how = "mixed" if most == MOST_STRATEGIES else "rated"
        raise ExperimentError(f"{key} names {len(names)}, but at most {most} can be {how}")
    found: dict[Any, str] = {}  # by what it is: a file can be written in more than one way
    resolved = []
    for written_name in names:
        try:
            name, what = _strategy(written_name, game, folder)
        except UsageError as error:
            raise ExperimentError(f"{key}: {error}") from None
        if what in found:
            raise ExperimentError(
                f"{key} names {shown(found[what])} and {shown(written_name)}, which are the same one"
            )
        found[what] = written_name
        resolved.append(name)
    return tuple(resolved)


def mixing_of(value: Any, strategies: Sequence[str], *, of_the_command: bool) -> str:
    """Whether these strategies meet each other, mixed by design, or each plays mirror games.

    One alone meets nobody: then a file may not ask, but a command may have others play it than it names.
    """
    if value not in (BY_DESIGN, MIRRORED):
        raise ExperimentError(f"{MIXING} must be {shown(BY_DESIGN)} or {shown(MIRRORED)}, not {shown(value)}")
    if len(strategies) > 1:
        return str(value)
    if not of_the_command:
        raise NoEffect(f"{MIXING} has no effect: strategies names one, which plays all seats")
    return BY_DESIGN


def _strategy(written: str, game: Game, folder: Path) -> tuple[str, Any]:
    """A strategy's name, its file looked for, and what it is, however it was written."""
    file = catalog.strategy_file(written)
    try:
        if file is None:
            catalog.check_strategy(written, game.name)
            return written, written
        path = beside(str(file.path), folder)
        name = path + (f":{file.attribute}" if file.attribute else "")
        catalog.check_strategy(name, game.name)
        return name, (Path(path).resolve(), file.attribute or catalog.STRATEGY)
    except (OSError, ValueError):  # a path that can't be
        raise UsageError(f"there is no strategy file {shown(written)}") from None


def decision_timeout(value: Any, names: Sequence[str], game: Game) -> float | None:
    """Seconds that a decision may take; None where every strategy is compiled, so that none is timed."""
    key = "decision_timeout"
    wanted = DECISION_TIMEOUT if value is None else values.seconds(key, value, *_TIMEOUTS)
    try:
        timed = [name for name in names if not catalog.compiled(name, game.name)]
    except UsageError as error:
        raise ExperimentError(f"strategies: {error}") from None
    if timed:
        return wanted
    if value is not None:
        raise ExperimentError(
            f"{key} has no effect: every strategy is compiled, and only plain Python is timed"
        )
    return None


def beside(name: str, folder: Path) -> str:
    """A path beside the experiment file if it is there, else as written."""
    return str(folder / name) if there(folder / name) else name


def there(path: Path) -> bool:
    """Whether something is there; a path that can't be (too long, a zero in it) isn't."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
