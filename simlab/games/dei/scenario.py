"""Scenarios of D.E.I.: set the position up, do what is to be done, compare what must hold.

`simlab.scenario` reads the frame of a file; this module plays it and tells the first difference.
"""

from __future__ import annotations

from typing import Any

from simlab.errors import ScenarioError
from simlab.games.dei import engine
from simlab.games.dei.icons import parse_icons
from simlab.games.dei.names import Names, NotThere
from simlab.games.dei.scenario_expect import expectations
from simlab.games.dei.scenario_keys import Keys, at
from simlab.games.dei.scenario_legal import legal_difference, listed_twice, read_sentence
from simlab.games.dei.scenario_position import blank_position, fill_position
from simlab.games.dei.scenario_table import Table, read_table
from simlab.games.dei.state import Position
from simlab.games.dei.text import words_of
from simlab.games.dei.vocabulary import NONE, PLAYING
from simlab.scenario import Scenario


def first_difference(scenario: Scenario) -> str:
    """Play a scenario: what isn't as it must be, in words; empty if all holds."""
    table = read_table(scenario.game)
    position = read_situation(table, scenario.position)
    for number, step in enumerate(scenario.steps, start=1):
        difference = _do(position, table, step, f"do[{number}]")
        if difference:
            return f"do[{number}]: {difference}"
    return expectations(position, table.pack, scenario.expect)


def read_situation(table: Table, written: dict[str, Any]) -> Position:
    """The position of `[position]`: a real setup where `game.deal` is given, else one set up by hand."""
    dealt = table.deal is not None
    position = blank_position(table)
    if table.deal is not None:
        engine.start(position, table.deal, table.players)
    seat = fill_position(position, table, written, dealt)
    engine.settle(position)
    if not dealt:
        engine.resume(position, seat)
    return position


def _do(position: Position, table: Table, step: dict[str, Any], where: str) -> str:
    """One step; what went against it, in words."""
    keys = Keys(step, where)
    names = Names(position, table.pack)
    seat = _seat(keys, names, position)
    icon, choose = keys.take("icon", str, ""), keys.take("choose", str, "")
    refused = keys.take("refused", bool, False)
    legal = keys.take("legal", dict, {})
    keys.done()
    if not (icon or choose or legal):
        raise ScenarioError(f"{where}: an icon, a choice or legal is needed")
    if refused and not choose:
        raise ScenarioError(f"{where}.refused: there is no choice that is refused")
    if engine.active(position) == NONE and not refused:
        return "the game is over"
    if icon:
        _grant(position, seat, icon, where)
    if seat != engine.active(position):
        return f"it is not {names.seat_name(seat)}'s choice"
    if legal:
        difference = legal_difference(position, table.pack, legal, f"{where}.legal")
        if difference:
            return difference
    return _choose(position, table, choose, refused, where) if choose else ""


def _seat(keys: Keys, names: Names, position: Position) -> int:
    word = keys.take("seat", str, "")
    if word:
        with at(keys.path("seat")):
            return names.seat(word)
    active = int(engine.active(position))
    return max(active, 0)


def _grant(position: Position, seat: int, icon: str, where: str) -> None:
    try:
        codes = parse_icons(icon)
    except ValueError as error:
        raise ScenarioError(f"{where}.icon: {error}") from error
    if len(codes) != 1:
        raise ScenarioError(f"{where}.icon: one icon is needed")
    engine.grant(position, seat, codes[0])
    if int(position.public[0].ending) != PLAYING:
        raise ScenarioError(f"{where}.icon: too many icons are pending")


def _choose(position: Position, table: Table, words: str, refused: bool, where: str) -> str:
    if int(position.public[0].ending) != PLAYING or engine.active(position) == NONE:
        return "the game is over" if not refused else ""
    listed = engine.legal(position)
    if twice := listed_twice(Names(position, table.pack), listed):
        return twice
    try:
        with at(f"{where}.choose"):
            code = read_sentence(Names(position, table.pack), words)
    except ScenarioError as error:
        if refused and isinstance(error.__cause__, NotThere):
            return ""
        raise
    if refused:
        return f"'{words}' is among the legal choices" if code in listed else ""
    if code not in listed:
        names = Names(position, table.pack)
        near = [sentence for sentence in (words_of(names, it) for it in listed) if _alike(sentence, words)]
        return f"'{words}' isn't legal; legal are {', '.join(near[:12]) or 'other things'}"
    engine.apply(position, code)
    return ""


def _alike(one: str, other: str) -> bool:
    return one.split(maxsplit=1)[0] == other.split(maxsplit=1)[0] or one.startswith(("end", "skip"))
