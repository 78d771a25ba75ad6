"""Scenario files: a rule as data, a position, what is done and what must hold afterwards.

This is the frame that all games share: which keys a file has, and how a result is told. What stands
under `[game]`, `[position]`, `[[do]]` and `[expect]` is read by `simlab.games.<game>.scenario`, whose
`first_difference` plays the file and says in words what isn't as expected. `docs/scenarios.md` has every key.
"""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab.errors import ScenarioError, SimlabError
from simlab.wording import did_you_mean, kind_of, shown

KEYS = ("rule", "says", "game", "position", "do", "expect")


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
        tail = f"\n     {self.difference}" if self.difference else ""
        return f"{verdict} {self.path.name} ({rules}): {self.says}{tail}"


def read_scenario(path: str | Path) -> Scenario:
    """A file's parts; raises ScenarioError (file, key, reason)."""
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScenarioError(f"{path}: the file can't be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: the file is no TOML: {error}") from error
    return _parts(path, content)


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """The same from a text; `name` stands for the file in messages."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{name}: the text is no TOML: {error}") from error
    return _parts(Path(name), content)


def _parts(path: Path, content: dict[str, Any]) -> Scenario:
    for key in content:
        if key not in KEYS:
            raise ScenarioError(f"{path}: {key}: there is no such key{did_you_mean(key, KEYS)}")
    rule = _typed(path, content, "rule", list, [])
    if not rule or not all(isinstance(name, str) for name in rule):
        raise ScenarioError(f"{path}: rule: a list of one or more rule ids is needed")
    says = _typed(path, content, "says", str, "")
    if not says:
        raise ScenarioError(f"{path}: says: the rule in one clause is needed")
    steps = _typed(path, content, "do", list, [])
    if not all(isinstance(step, dict) for step in steps):
        raise ScenarioError(f"{path}: do: each step is a table [[do]]")
    tables = {key: _typed(path, content, key, dict, {}) for key in ("game", "position", "expect")}
    return Scenario(path=path, rules=tuple(rule), says=says, steps=steps, **tables)


def _typed(path: Path, content: dict[str, Any], key: str, kind: type, default: Any) -> Any:
    value = content.get(key, default)
    if not isinstance(value, kind):
        wanted = "a list" if kind is list else "a table" if kind is dict else "a text"
        raise ScenarioError(f"{path}: {key}: {wanted} is needed, not {kind_of(value)} ({shown(value)})")
    return value


def run_scenario(scenario: Scenario) -> Outcome:
    """Play one scenario; raises ScenarioError where the file is wrong, whatever the game says of it."""
    name = scenario.game.get("name")
    module = f"simlab.games.{name}.scenario"
    if not isinstance(name, str) or not name.isidentifier() or not _exists(module):
        raise ScenarioError(f"{scenario.path}: game.name: there is no game {shown(name)} with scenarios")
    try:
        difference = importlib.import_module(module).first_difference(scenario)
    except SimlabError as error:
        raise ScenarioError(f"{scenario.path}: {error}") from error
    return Outcome(scenario.path, scenario.rules, scenario.says, difference)


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def run_files(paths: Iterable[str | Path]) -> list[Outcome]:
    """Play files and all scenario files of folders, in order."""
    outcomes = []
    for path in map(Path, paths):
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        if not files:
            raise ScenarioError(f"{path}: there is no scenario file in this folder")
        outcomes += [run_scenario(read_scenario(file)) for file in files]
    return outcomes
