"""Games, strategies and report sections by name: the entry points of all installed packages, ours included.

A strategy may also be a file: ``path/to/file.py`` or ``path/to/file.py:NAME`` (`STRATEGY` if no name is
given), where the name is a `Strategy`'s or a class's, or ``path/to/file.toml`` with weights. Nothing is
imported before it is asked for, and nobody else imports a strategy.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from simlab.errors import UnknownName
from simlab.game import Game
from simlab.imported import file_below, file_of, sources
from simlab.nearby import did_you_mean_path
from simlab.readable import is_readable, strategy_of
from simlab.strategy import Family, Strategy
from simlab.weights_file import read_weights
from simlab.wording import did_you_mean, place, plain, shown

_LONGEST_REASON = 200  # of what code of others says when it can't be imported
STRATEGY = "STRATEGY"  # the name that a strategy has in a file of its own
SECTION = "build"  # the name that a report section has in a file of its own
_OURS = ("simlab", "strategies")
_AROUND = (
    "simlab.match",
    "simlab.design",
    "simlab.contest",
)  # what of the package itself plays or says who plays whom
_FILE = "simlab_file_"  # how names of modules begin that are such files
_WEIGHTS = ".toml"  # how the name of a file of weights ends


class _Origin(NamedTuple):
    """Where a strategy comes from."""

    strategy: Strategy  # kept, so that nothing else gets its id
    modules: frozenset[str]  # where it is declared and where its function or class is
    view: str = ""  # the module of what it is shown


_origins: dict[int, _Origin] = {}  # by the strategy's id
# what was made of a class or a file of weights: once, so that a run that is under way has what it began with
_made: dict[Any, Strategy] = {}


@cache
def _group(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=f"simlab.{group}"))}


def _loaded(group: str, name: str, what: str) -> Any:
    points = _group(group)
    if name not in points:
        raise UnknownName(f"there is no {what} {shown(name)}{did_you_mean(name, points)}")
    with _importing(f"{what} {shown(name)}"):
        return points[name].load()


@contextmanager
def _importing(what: str) -> Iterator[None]:
    """Whatever code of others raises when it is imported, a call to exit too, is one sentence."""
    try:
        yield
    except (Exception, SystemExit) as error:
        reason = "".join(f": {plain(line, _LONGEST_REASON)}" for line in str(error).splitlines()[:1])
        raise UnknownName(f"{what} can't be imported: {type(error).__name__}{reason}") from error


def games() -> list[str]:
    """The names of all games."""
    return list(_group("games"))


def game(name: str) -> Game:
    """A game by name; raises UnknownName."""
    found = _loaded("games", name, "game")
    assert isinstance(found, Game), f"entry point {name} of simlab.games is no Game"
    return found


def strategies(game_name: str) -> list[str]:
    """The names of the strategies of a game, as experiment files use them."""
    return [name for name in _group("strategies") if name.startswith(f"{game_name}/")]


def families(game_name: str) -> list[str]:
    """The names of a game's families of strategies: with a number behind a colon each is a strategy."""
    return [name for name in _group("families") if name.startswith(f"{game_name}/")]


def member(name: str) -> tuple[str, str] | None:
    """Family and number of such a name, as written; None for any other."""
    family, colon, number = name.rpartition(":")
    if colon and family in _group("families"):
        return family, number
    return (name, "") if name in _group("families") else None


class StrategyFile(NamedTuple):
    """A strategy in a file of the user's: the path, and the name in it that is asked for, if any is."""

    path: Path
    attribute: str


def strategy_file(name: str) -> StrategyFile | None:
    """The file that a strategy's name means, None for the name of an entry point."""
    path, colon, attribute = name.rpartition(".py:")
    if colon:
        return StrategyFile(Path(path + ".py"), attribute)
    return StrategyFile(Path(name), "") if name.endswith((".py", _WEIGHTS)) else None


def check_strategy(name: str, game_name: str) -> None:
    """Raise UnknownName if no strategy of that game has the name and no file is there; imports nothing."""
    file = strategy_file(name)
    if file is not None:
        if not file.path.is_file():
            near = did_you_mean_path(file.path)
            raise UnknownName(f"there is no strategy file {shown(str(file.path))}{near}")
    elif (part := member(name)) is not None and part[0] in families(game_name):
        if not re.fullmatch("[1-9][0-9]{0,8}", part[1]):
            raise UnknownName(
                f"strategy {shown(name)} needs a whole number behind a colon, as in {part[0]}:20"
            )
    elif name not in strategies(game_name):
        known = [*strategies(game_name), *families(game_name)]
        raise UnknownName(f"there is no strategy {shown(name)}{did_you_mean(name, known)}")


def strategy(name: str, game_name: str) -> Strategy:
    """A strategy by name or file; raises UnknownName, WeightsError. Compiles it where it is compiled."""
    check_strategy(name, game_name)
    file = strategy_file(name)
    if file is not None and file.path.suffix == _WEIGHTS:
        return _of_weights(file.path, game_name)
    if (part := member(name)) is not None:
        return _of_family(*part)
    found = _loaded("strategies", name, "strategy") if file is None else _from_file(file)
    module = _group("strategies")[name].module if file is None else _module_name(file.path)
    if is_readable(found):
        own_name = name if file is None else f"{file.path.stem}/{found.__name__}"
        return _of_class(found, own_name, module, game(game_name))
    if not isinstance(found, Strategy):
        what = "a class without choose(self, view)" if isinstance(found, type) else type(found).__name__
        raise UnknownName(f"{shown(name)} is no strategy, but {what}")
    known = _origins.get(id(found))
    modules = {module, _module_of(found)} if known is None else {module, *known.modules}
    _origins[id(found)] = _Origin(found, frozenset(modules))
    return found


def _of_weights(path: Path, game_name: str) -> Strategy:
    key = (path.resolve(), game_name)
    if key not in _made:
        _made[key] = read_weights(path, game_name)
    return _made[key]


def _of_family(family: str, number: str) -> Strategy:
    key = (family, number)
    if key not in _made:
        found = _loaded("families", family, "family of strategies")
        if not isinstance(found, Family):
            raise UnknownName(f"{shown(family)} is no family of strategies, but {type(found).__name__}")
        if not found.low <= int(number) <= found.high:
            raise UnknownName(f"the number of {family} must be {found.low} to {found.high}, not {number}")
        made = _made[key] = found.of(int(number))
        _origins[id(made)] = _Origin(made, frozenset({_group("families")[family].module, _module_of(made)}))
    return _made[key]


def _of_class(player: type, name: str, module: str, played: Game) -> Strategy:
    key = (player, name, played.name)
    if key not in _made:
        view = EntryPoint(f"{played.name}/view", played.view, "simlab.views")
        made = _made[key] = strategy_of(player, name, view.load())
        _origins[id(made)] = _Origin(made, frozenset({module, player.__module__}), view.module)
    return _made[key]


def derived(found: Strategy, base: Strategy) -> Strategy:
    """A strategy that is another one with other weights: what decides how it plays is the other's source."""
    _origins[id(found)] = _origins[id(base)]._replace(strategy=found)
    return found


def compiled(name: str, game_name: str) -> bool:
    """Whether a strategy is compiled; those that come along all are, so they aren't loaded to tell."""
    part = member(name)
    point = _group("strategies").get(name) if part is None else _group("families").get(part[0])
    ours = point is not None and point.value.startswith("strategies.")
    return ours or strategy(name, game_name).compiled


def section_names(game_name: str) -> list[str]:
    """The names of the report sections that plug-ins add to a game."""
    prefix = f"{game_name}/"
    return [name.removeprefix(prefix) for name in _group("sections") if name.startswith(prefix)]


def sections(game_name: str) -> dict[str, Any]:
    """The report sections that plug-ins add to a game, by name, loaded."""
    return {name: _loaded("sections", f"{game_name}/{name}", "section") for name in section_names(game_name)}


def section_file(name: str) -> Any:
    """The function `build` of a Python file, for a section of a report that is no entry point."""
    path = Path(name)
    if not path.is_file():
        raise UnknownName(f"there is no section file {shown(name)}{did_you_mean_path(path)}")
    build = _from_file(StrategyFile(path, SECTION))
    if not callable(build):
        raise UnknownName(f"{SECTION} in {place(path)} is no function, but {type(build).__name__}")
    return build


def _from_file(file: StrategyFile) -> Any:
    path, attribute = file.path, file.attribute or STRATEGY
    module_name = _module_name(path)
    if module_name in sys.modules:
        return _attribute(path, sys.modules[module_name], attribute)
    spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # worker processes and numba look a function's module up
    try:
        with _importing(place(path)):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return _attribute(path, module, attribute)


def _module_name(path: Path) -> str:
    """What the module of a strategy file is called, other than any that can be imported."""
    return f"{_FILE}{path.stem}_{sha256(str(path.resolve()).encode()).hexdigest()[:8]}"


def _attribute(path: Path, module: ModuleType, attribute: str) -> Any:
    if not hasattr(module, attribute):
        raise UnknownName(f"{place(path)} has no {plain(attribute, 60)}")
    return getattr(module, attribute)


def strategy_sources(found: Strategy) -> list[Path]:
    """The files whose text decides how a strategy plays.

    They are where it is declared, where its function is, and what these import of their packages or, where
    it is a file of the user's, of its folder; of a class also the view that it is shown. The game's other
    code is not among them: `engine_sources` has it.
    """
    known = _origins.get(id(found))
    starts = {_module_of(found)} if known is None else known.modules
    packages = {start.partition(".")[0] for start in starts}
    folders = [file.parent for start in starts if start.startswith(_FILE) and (file := file_of(start))]

    def own(module: str) -> Path | None:
        top = module.partition(".")[0]
        if top in packages:
            return file_of(module)
        return None if top in _OURS else file_below(folders, module.split("."))

    return sources(starts, own) + ([] if known is None or not known.view else _sources_in_package(known.view))


def _module_of(found: Strategy) -> str:
    """Where its function is."""
    choose = found.choose
    while isinstance(choose, partial):
        choose = choose.func
    return str(getattr(choose, "py_func", choose).__module__)  # a compiled function keeps the plain one


def engine_sources(game: Game) -> list[Path]:
    """The files whose text decides how games are set up, played and recorded, compiled or not."""
    module = game.warm_up.__module__  # where the game is declared, as is all that it is made of
    return _sources_in_package(module) + sources(
        _AROUND, lambda name: file_of(name) if name in _AROUND else None
    )


def _sources_in_package(module: str) -> list[Path]:
    """A module's file and those of what it imports of its package."""
    package = module.rpartition(".")[0] or module
    return sources([module], lambda name: file_of(name) if f"{name}.".startswith(f"{package}.") else None)


def strategy_hash(strategy: Strategy) -> str:
    """A hash of a strategy's name, source and weights: of everything in it that changes play."""
    return _hash_of([strategy.name, list(strategy.weights)], strategy_sources(strategy))


def engine_hash(game: Game) -> str:
    """A hash of all code that plays and records games: what is compiled and the plain Python around it."""
    from simlab import jit

    return _hash_of([jit.source_hash()], engine_sources(game))


def source_hash(function: Callable[..., Any]) -> str:
    """A hash of the file that a function is in."""
    file = file_of(function.__module__)
    assert file is not None
    return _hash_of([], [file])


def _hash_of(values: list[Any], files: list[Path]) -> str:
    digest = sha256(json.dumps(values).encode())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def warm_up() -> None:
    """Compile every game and strategy, or load them from the cache."""
    for name in games():
        game(name).warm_up()
        for strategy_name in strategies(name):
            strategy(strategy_name, name)
        for family in families(name):
            _loaded("families", family, "family of strategies")


def warm_up_beside() -> subprocess.Popen[bytes]:
    """`warm_up` in another process. A command loads strategies first, so the two meet in the middle."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", "from simlab import catalog; catalog.warm_up()"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
