"""Keys that stand where they mean nothing: which table they belong in, or what was meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from simlab.errors import ExperimentError
from simlab.game import Game
from simlab.wording import did_you_mean, shown

Tables = Mapping[str, Sequence[str]]
_LONGEST = 99  # signs of a key that are compared


def tables_of(game: Game) -> Tables:
    """The keys that a game's tables may have."""
    return {"rules": [knob.name for knob in game.knobs], "handicaps": list(game.handicaps)}


def where_it_belongs(key: str, known: Sequence[str], tables: Tables, inside: str = "") -> str:
    """What to say of an unknown key: the table that it belongs in, else the likeliest meant key.

    `known` are the keys that may stand there; `inside` is the table that `tables` are in, with a dot behind.
    """
    for table, keys in tables.items():
        if key in keys:
            return f" here: it belongs in [{inside}{table}]"
    everywhere = [*known, *(each for keys in tables.values() for each in keys)]
    near = get_close_matches(key.lower()[:_LONGEST], everywhere, n=1)
    for table, keys in tables.items():
        if near and near[0] in keys and near[0] not in known:
            return f"; did you mean {shown(near[0])} in [{inside}{table}]?"
    return did_you_mean(key, known) or f"; known: {', '.join(known)}"


def check_by_seat(handicaps: Mapping[str, Any], game: Game) -> None:
    """Raise ExperimentError where a handicap is given to a faction, which one may think possible."""
    for key, by_seat in handicaps.items():
        for word in by_seat if isinstance(by_seat, Mapping) else ():
            if word in game.factions:
                raise ExperimentError(
                    f"[handicaps] {key} names the faction {shown(word)}, but handicaps go by seat, and every"
                    " faction plays from every seat"
                )
