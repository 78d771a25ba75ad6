"""Scenario files: a rule as data, a position, what is done and what must hold afterwards.

This is the frame that all games share: which keys a file has, and how a result is told. What stands
under `[game]`, `[position]`, `[[do]]` and `[expect]` is read by `simlab.games.<game>.scenario`, whose
`first_difference` plays the file and says in words what isn't as expected. `docs/scenarios.md` has every key.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab.errors import ScenarioError, SimlabError
from simlab.toml import parse_toml, read_toml
from simlab.wording import did_you_mean, kind_of, place, plain, shown

KEYS = ("rule", "says", "game", "position", "do", "expect")
LONGEST = 600  # characters of a message
_RULE_ID = re.compile(r"[A-Z]{2,8}-[0-9]{3}")


@dataclass(frozen=True)
class Scenario:
    """One file, its parts as written."""

    path: Path
    rules: tuple[str, ...]  # ids of the rules it tests, such as CORE-041
    says: str  # the rule in one clause
    game: dict[str, Any]
    position: dict[str, Any]
    steps: list[dict[str, Any]]
    expect: dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What became of one file: `difference` is empty if all holds, else the first difference in words."""

    path: Path
    rules: tuple[str, ...]
    says: str
    difference: str

    @property
    def passed(self) -> bool:
        """Whether everything is as expected."""
        return not self.difference

    def __str__(self) -> str:
        rules = ", ".join(self.rules)
        verdict = "ok  " if self.passed else "FAIL"
        tail = f"\n     {plain(self.difference, 4 * LONGEST)}" if self.difference else ""
        return f"{verdict} {plain(self.path.name, LONGEST)} ({rules}): {plain(self.says, LONGEST)}{tail}"


def read_scenario(path: str | Path) -> Scenario:
    """A file's parts; raises ScenarioError (file, key, reason)."""
    path = Path(path)
    return parts_of(path, read_toml(path, ScenarioError))


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """The same from a text; `name` stands for the file in messages."""
    return parts_of(Path(name), parse_toml(text, name, ScenarioError))


def _wrong(path: Path, reason: str) -> ScenarioError:
    """The error of a file: one line, whatever the file holds."""
    return ScenarioError(f"{place(path)}: {plain(reason, LONGEST)}")


def parts_of(path: Path, content: dict[str, Any]) -> Scenario:
    """The same from what stands in the file."""
    for key in content:
        if key not in KEYS:
            raise _wrong(path, f"{plain(key, 60)}: there is no such key{did_you_mean(key, KEYS)}")
    rule = _typed(path, content, "rule", list, [])
    if not rule:
        raise _wrong(path, "rule: a list of one or more rule ids is needed")
    for name in rule:
        if not isinstance(name, str) or not _RULE_ID.fullmatch(name):
            raise _wrong(path, f"rule: a rule id reads like CORE-041, not {shown(name)}")
    says = _typed(path, content, "says", str, "")
    if not says.strip():
        raise _wrong(path, "says: the rule in one clause is needed")
    steps = _typed(path, content, "do", list, [])
    if not all(isinstance(step, dict) for step in steps):
        raise _wrong(path, "do: each step is a table [[do]]")
    tables = {key: _typed(path, content, key, dict, {}) for key in ("game", "position", "expect")}
    return Scenario(path=path, rules=tuple(rule), says=says, steps=steps, **tables)


def _typed(path: Path, content: dict[str, Any], key: str, kind: type, default: Any) -> Any:
    value = content.get(key, default)
    if not isinstance(value, kind):
        wanted = "a list" if kind is list else "a table" if kind is dict else "a text"
        raise _wrong(path, f"{key}: {wanted} is needed, not {kind_of(value)} ({shown(value)})")
    return value


def run_scenario(scenario: Scenario) -> Outcome:
    """Play one scenario; raises ScenarioError where the file is wrong, whatever the game says of it."""
    name = scenario.game.get("name")
    module = f"simlab.games.{name}.scenario"
    if not isinstance(name, str) or not name.isidentifier() or not _exists(module):
        raise _wrong(scenario.path, f"game.name: {_no_game(scenario.game)}")
    try:
        difference = importlib.import_module(module).first_difference(scenario)
    except SimlabError as error:
        raise _wrong(scenario.path, str(error)) from error
    if not scenario.steps and not scenario.expect:
        raise _wrong(scenario.path, "expect: nothing is done and nothing is expected, so nothing can fail")
    return Outcome(scenario.path, scenario.rules, scenario.says, difference)


def _no_game(game: dict[str, Any]) -> str:
    if "name" not in game:
        return 'the name of a game is needed, such as "dei"'
    return f"there is no game {shown(game['name'])} with scenarios"


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def run_files(paths: Iterable[str | Path]) -> Iterator[Outcome | ScenarioError]:
    """Play files and all scenario files of folders, in order; a wrong file gives its error in its turn."""
    for path in map(Path, paths):
        files = _files(path)
        if not files:
            yield _wrong(path, "there is no scenario file in this folder")
        for file in files:
            try:
                yield run_scenario(read_scenario(file))
            except ScenarioError as error:
                yield error


def _files(path: Path) -> list[Path]:
    try:
        return sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    except OSError:  # such as a name that is too long: reading it tells
        return [path]


@dataclass(frozen=True)
class GameSoFar:
    """A game that was really played, up to some point: how it was opened, all choices since."""

    settings: Any  # simlab.game.Settings
    row: Any  # of a schedule
    pack: str  # name or path of the settings' pack
    sentences: tuple[str, ...]
    says: str  # what is said of it


def written(game: str, live: Any, played: GameSoFar) -> str:
    """A game in progress or at its end as a scenario file, which plays it again and holds it to that."""
    text: str = importlib.import_module(f"simlab.games.{game}.scenario_written").scenario_text(live, played)
    return text
