"""Which tables a run writes: all of its game's, those that its experiment names, and that of knock-outs.

    tables = ["games", "seats"]   # of those that `simlab list tables` explains

A long run that asks one question needs few of them; sections of a report that rest on a table which isn't
there are left out.
"""

from __future__ import annotations

from typing import Any

from simlab import values
from simlab.errors import ExperimentError
from simlab.game import Game, Table
from simlab.wording import did_you_mean, shown

KEY = "tables"
ALWAYS = ("games", "seats")  # every count, verdict and replay rests on them


def tables_of(written: Any, game: Game) -> tuple[str, ...]:
    """The names of the tables that an experiment asks for, in the game's order. Raises ExperimentError."""
    known = [table.name for table in game.tables]
    names = values.texts(KEY, written)
    for name in names:
        if game.knock_outs is not None and name == game.knock_outs.table.name:
            raise ExperimentError(
                f"{KEY}: {shown(name)} is written where there is a table [{name}], and only there"
            )
        if name not in known:
            near = did_you_mean(name, known) or f"; known: {', '.join(known)}"
            raise ExperimentError(f"{KEY}: there is no table {shown(name)}{near}")
    for name in ALWAYS:
        if name in known and name not in names:
            raise ExperimentError(f"{KEY} must name {shown(name)}: every report rests on it")
    if len(names) == len(known):
        raise ExperimentError(f"{KEY} has no effect: it names all tables, which are written anyway")
    return tuple(name for name in known if name in names)


def recorded(game: Game, names: tuple[str, ...], *, knock_outs: bool) -> tuple[Table, ...]:
    """The tables of a run that writes those names of the game's."""
    found = tuple(table for table in game.tables if table.name in names)
    return (*found, game.knock_outs.table) if knock_outs and game.knock_outs is not None else found
