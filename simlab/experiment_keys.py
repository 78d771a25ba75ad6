"""What an experiment's own keys may say: each checked and resolved, or an ExperimentError that names it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simlab import catalog, values
from simlab.errors import ExperimentError, UsageError
from simlab.game import Game
from simlab.mix import beside, there
from simlab.wording import did_you_mean, shown

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PACK_NAME = re.compile(r"\w[\w-]*")  # of a shipped pack; all else is a path


def name(value: Any) -> str:
    """The experiment's name, which names a folder."""
    found = values.text("name", value)
    if not _NAME.fullmatch(found):
        raise ExperimentError(
            "name must be 1 to 64 of the signs A-Z, a-z, 0-9, - and _, the first a letter or digit (it names"
            f" a folder), not {shown(found)}"
        )
    return found


def game(value: Any) -> Game:
    """The game of that name."""
    found = values.text("game", value)
    try:
        return catalog.game(found)
    except UsageError as error:
        raise ExperimentError(f"game: {error}") from None


def players(value: Any, game: Game) -> tuple[int, ...]:
    """The numbers of players, ascending."""
    counts = value if isinstance(value, list) else [value]
    if not counts:
        raise ExperimentError("players is an empty list")
    for number, count in enumerate(counts):
        if counts is value:
            values.whole(f"players[{number}]", count)
        else:
            values.whole("players", count, "a whole number or a list of them")
        if count not in game.players:
            allowed = ", ".join(map(str, game.players[:-1])) + f" or {game.players[-1]}"
            raise ExperimentError(f"players: {game.title} is for {allowed} players, not {shown(count)}")
    values.no_repeat("players", counts)
    return tuple(sorted(counts))


def pack_name(value: Any, game: Game, folder: Path) -> str:
    """A shipped pack's name, or a path, looked for beside the file first."""
    found = values.text("pack", value)
    if not found:
        raise ExperimentError("pack is an empty text")
    is_shipped = _PACK_NAME.fullmatch(found) and there(game.packs / found)
    return found if is_shipped else beside(found, folder)


def pack(name: str, game: Game) -> Any:
    """The pack, loaded."""
    try:
        return game.load_pack(name)
    except UsageError as error:
        raise ExperimentError(f"pack: {error}") from None


def option(name: str, written: Mapping[str, Any], allowed: Sequence[str]) -> str:
    """One of the game's own options, the first allowed value if it isn't written."""
    value = written.get(name, allowed[0])
    if value not in allowed:
        choices = " or ".join(shown(word) for word in allowed)
        raise ExperimentError(f"{name} must be {choices}, not {shown(value)}")
    return str(value)


def factions(value: Any, game: Game, players: Sequence[int]) -> tuple[str, ...]:
    """Who may play, in the game's order; all if none is named."""
    names = list(game.factions) if value is None else values.texts("factions", value)
    for name in names:
        if name not in game.factions:
            raise ExperimentError(
                f"factions: there is no faction {shown(name)}{did_you_mean(name, game.factions)}"
            )
    if len(names) < max(players):
        raise ExperimentError(f"factions names {len(names)}, too few for {max(players)} players")
    return tuple(sorted(names, key=game.factions.index))
