"""The arms of an experiment: variants of its rules, played on the same deals as itself, the base.

    base = "as_printed"           # what the base is called; "base" if left out

    [arms.longer]                 # what differs from the base, in the experiment's own keys
    rules = { turns = 5 }
    handicaps = { grant_energy = { 3 = 1 } }
    layout = "quick"
    pack = { cards = { tactic-03 = { technology = 2 } }, remove = ["black-07"] }

    [arms.again]                  # the same deals and seats, with another noise of the strategies
    noise = 1

    [arms.cubes]                  # an arm a value, but for the base's own
    sweep = { key = "rules.feat_unlock_cubes", values = [1, 2, 3] }

Every arm comes to settings of its own, as an experiment does. What changes nothing is refused: a value that
is the base's, an arm that is the base, two arms that are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simlab import values
from simlab.errors import ExperimentError, NoEffect, UsageError
from simlab.game import MAX_SEATS, Game, Settings
from simlab.keys import check_by_seat, tables_of, where_it_belongs
from simlab.wording import did_you_mean, plain, shown

BASE, NOISE = "base", "noise"
MOST_ARMS = 32  # beside the base
MOST_NOISE = 2**31 - 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_SWEEP = ("key", "values")
_TABLES = ("rules", "handicaps", "pack")  # what a sweep's key may begin with, beside the game's own keys


@dataclass(frozen=True)
class Arm:
    """One arm beside the base, resolved; of a sweep also which one, and the value of the knob."""

    name: str
    settings: Settings
    noise: int = 0  # which noise the strategies have; 0 is the base's
    sweep: str = ""
    value: int | None = None


@dataclass(frozen=True)
class Sweep:
    """A knob that takes several values, one an arm; the base has one of them too."""

    name: str
    key: str  # of an arm, such as rules.turns
    base: int  # the base's value


@dataclass(frozen=True)
class Arms:
    """All arms of an experiment: arm 0 is the base, arm k is `others[k − 1]`."""

    base: str = BASE
    others: tuple[Arm, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    written: Mapping[str, Any] | None = None  # in canonical form, as `[arms]` may hold it

    @property
    def names(self) -> tuple[str, ...]:
        """What the arms are called, by number."""
        return (self.base, *(arm.name for arm in self.others))

    @property
    def noise(self) -> tuple[int, ...]:
        """Which noise the strategies have, by number of the arm."""
        return (0, *(arm.noise for arm in self.others))

    @property
    def judged(self) -> bool:
        """Whether any arm is more than the base's games with another noise."""
        return any(not noise_alone(table) for table in (self.written or {}).values())

    def resolved(self) -> dict[str, Any]:
        """The keys of an experiment file that say the same."""
        if not self.others:
            return {}
        return {BASE: self.base, "arms": dict(self.written or {})}

    def identity(self) -> list[Any]:
        """All of it that changes play or what is said of it."""
        settings = [arm.settings for arm in self.others]
        return [
            list(self.names),
            *([dict(s.options), dict(s.rules), dict(s.handicaps), s.pack.hash] for s in settings),
            *([{NOISE: self.noise}] if any(self.noise) else []),
        ]


@dataclass(frozen=True)
class Frame:
    """What all arms of an experiment share."""

    game: Game
    players: tuple[int, ...]
    factions: tuple[str, ...]
    base: Settings  # resolved


def noise_alone(table: Mapping[str, Any]) -> bool:
    """Whether an arm, as [arms] has it, is the base's games again with another noise: nothing to judge."""
    return set(table) == {NOISE}


def arms_of(written: Mapping[str, Any], frame: Frame) -> Arms:
    """The arms that the keys of an experiment file describe. Raises UsageError."""
    if "arms" not in written:
        if BASE in written:
            raise ExperimentError(f"{BASE} has no effect: it names the base of [arms], and there are none")
        return Arms()
    tables = values.table("arms", written["arms"])
    if not tables:
        raise ExperimentError("[arms] is empty, so it has no effect")
    base = _name(BASE, written.get(BASE, BASE))
    others: list[Arm] = []
    sweeps: list[Sweep] = []
    canonical: dict[str, Any] = {}
    for name, table in tables.items():
        if _name("an arm", name) == base:
            raise ExperimentError(
                f"[arms.{name}] has the name of the base; {BASE} = … gives that another one"
            )
        content = values.table(f"arms.{name}", table)
        if "sweep" in content:
            swept, sweep, canonical[name] = _swept(name, content, frame)
            others += swept
            sweeps.append(sweep)
        else:
            settings, canonical[name] = _settled(name, content, frame)
            others.append(Arm(name, settings, canonical[name].get(NOISE, 0)))
    _all_differ(others)
    if len(others) > MOST_ARMS:
        raise ExperimentError(
            f"[arms] has {len(others)} arms beside the base, {MOST_ARMS} at most are possible"
        )
    return Arms(base, tuple(others), tuple(sweeps), canonical)


def _name(what: str, value: Any) -> str:
    name = values.text(what, value)
    if not _NAME.fullmatch(name):
        raise ExperimentError(
            f"{what} must have a name of 1 to 32 of the signs A-Z, a-z, 0-9, - and _, the first a letter or"
            f" digit, not {shown(name)}"
        )
    return name


def _all_differ(arms: Sequence[Arm]) -> None:
    seen: dict[str, str] = {}
    for arm in arms:
        s = arm.settings
        same = seen.setdefault(repr((s.rules, s.options, s.handicaps, s.pack.hash, arm.noise)), arm.name)
        if same != arm.name:
            raise ExperimentError(f"the arms {shown(same)} and {shown(arm.name)} mean the same games")


# --- one arm ------------------------------------------------------------------------------------------


def _settled(name: str, written: Mapping[str, Any], frame: Frame) -> tuple[Settings, dict[str, Any]]:
    """An arm's settings, and what of them differs from the base, in canonical form."""
    where, game, base = f"[arms.{name}]", frame.game, frame.base
    _check_keys(where, written, game)
    try:
        rules = values.table("rules", written.get("rules", {}))
        check_by_seat(values.table("handicaps", written.get("handicaps", {})), game)
        noise = values.number(NOISE, written[NOISE], 1, MOST_NOISE) if NOISE in written else 0
        pack, patch = _patched(written, frame)
        merged = Settings(
            rules={**base.rules, **rules},
            options={option: written.get(option, value) for option, value in base.options.items()},
            handicaps=_handicaps(written, base),
            pack=pack,
        )
        _check_options(merged, game)
        settings = game.resolve_settings(merged, frame.players, frame.factions)
    except NoEffect as error:
        raise NoEffect(f"{where}: {error}") from None
    except UsageError as error:
        raise ExperimentError(f"{where}: {error}") from None
    differs = {
        **{option: value for option, value in settings.options.items() if value != base.options[option]},
        "rules": _rules(settings, frame, rules),
        "handicaps": {
            key: settings.handicaps.get(key, [])
            for key in written.get("handicaps", {})
            if settings.handicaps.get(key) != base.handicaps.get(key)
        },
        "pack": patch,
        NOISE: noise,
    }
    _check_effects(where, written, differs, game)
    return settings, {key: value for key, value in differs.items() if value}


def _check_keys(where: str, written: Mapping[str, Any], game: Game) -> None:
    known, tables = (*_TABLES, NOISE, "sweep", *game.options), tables_of(game)
    for key in written:
        if key in known:
            continue
        for table, keys in tables.items():
            if key in keys and where == f"[arms.{table}]":
                raise ExperimentError(
                    f"{where} is an arm called {table}; an arm's {table} are in [arms.NAME.{table}]"
                )
        belongs = where_it_belongs(key, known, tables, f"{where[1:-1]}.")
        raise ExperimentError(f"{where} has no key {shown(key)}{belongs}")


def _check_options(settings: Settings, game: Game) -> None:
    for option, value in settings.options.items():
        if value not in game.options[option]:
            choices = " or ".join(shown(word) for word in game.options[option])
            raise ExperimentError(f"{option} must be {choices}, not {shown(value)}")


def _patched(written: Mapping[str, Any], frame: Frame) -> tuple[Any, dict[str, Any]]:
    if "pack" not in written:
        return frame.base.pack, {}
    return frame.game.patch_pack(frame.base.pack, values.table("pack", written["pack"]))


def _handicaps(written: Mapping[str, Any], base: Settings) -> dict[str, Any]:
    """The base's handicaps with the arm's in their place; one that gives nobody anything takes it away."""
    own = values.table("handicaps", written.get("handicaps", {}))
    for key, by_seat in own.items():
        if key not in base.handicaps and not _gives(by_seat):
            raise NoEffect(f"handicaps.{key} = {shown(by_seat)} has no effect: so it is in the base")
    found = {**base.handicaps, **own}
    return {key: by_seat for key, by_seat in found.items() if key not in base.handicaps or _gives(by_seat)}


def _gives(by_seat: Any) -> bool:
    amounts = by_seat.values() if isinstance(by_seat, Mapping) else by_seat
    return not isinstance(amounts, Sequence | type({}.values())) or any(amounts)


def _rules(settings: Settings, frame: Frame, written: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that an arm sets otherwise than the base, with their values; lists as long as the table."""
    mine, others = (frame.game.resolve_rules(each.rules) for each in (settings, frame.base))
    seats = max(frame.players)
    return {
        key: mine[key][:seats] if isinstance(mine[key], list) and len(mine[key]) == MAX_SEATS else mine[key]
        for key in written
        if mine[key] != others[key]
    }


def _check_effects(where: str, written: Mapping[str, Any], differs: Mapping[str, Any], game: Game) -> None:
    """Nothing is written that the base has too."""
    for option in game.options:
        if option in written and option not in differs:
            raise NoEffect(f"{where} {option} = {shown(written[option])} has no effect: so it is in the base")
    for table in ("rules", "handicaps"):
        for key, value in written.get(table, {}).items():
            if key not in differs[table]:
                raise NoEffect(f"{where} {table}.{key} = {shown(value)} has no effect: so it is in the base")
    if not any(differs.values()):
        raise NoEffect(f"{where} has no effect: it changes nothing")


# --- a sweep ------------------------------------------------------------------------------------------


def _swept(name: str, written: Mapping[str, Any], frame: Frame) -> tuple[list[Arm], Sweep, dict[str, Any]]:
    """The arms of a sweep: one a value, but for the base's own."""
    where = f"[arms.{name}.sweep]"
    table = _sweep_table(where, name, written)
    path = _path(where, table["key"], frame.game)
    doses = _doses(where, table["values"])
    arms, base = [], None
    for value in doses:
        try:
            settings, _ = _settled(f"{name}={value}", _nested(path, value), frame)
        except NoEffect:
            base = value
        else:
            arms.append(Arm(f"{name}={value}", settings, sweep=name, value=value))
    if base is None:
        raise ExperimentError(
            f"{where}: values = {shown(doses)} leaves out the base's own, with which the others are compared"
        )
    sweep = Sweep(name, ".".join(path), base)
    return arms, sweep, {"sweep": {"key": sweep.key, "values": doses}}


def _sweep_table(where: str, name: str, written: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in written:
        if key != "sweep":
            raise ExperimentError(f"[arms.{name}] has a sweep, so it can have no {plain(key, 40)} beside it")
    table = values.table(f"arms.{name}.sweep", written["sweep"])
    for key in table:
        if key not in _SWEEP:
            raise ExperimentError(f"{where} has no key {shown(key)}{did_you_mean(key, _SWEEP)}")
    for key in _SWEEP:
        if key not in table:
            raise ExperimentError(f"{where}: {key} is missing")
    return table


def _path(where: str, value: Any, game: Game) -> list[str]:
    path = values.text(f"{where} key", value).split(".")
    if path[0] not in _TABLES or len(path) < 2 or not all(path):
        raise ExperimentError(
            f"{where}: key must read such as rules.{game.knobs[0].name} (a key of an arm), not {shown(value)}"
        )
    return path


def _doses(where: str, value: Any) -> list[int]:
    if not isinstance(value, list) or len(value) < 2:
        raise ExperimentError(
            f"{where}: values must be a list of two whole numbers or more, not {shown(value)}"
        )
    doses = [values.whole(f"{where} values[{k}]", dose) for k, dose in enumerate(value)]
    values.no_repeat(f"{where} values", doses)
    return doses


def _nested(path: Sequence[str], value: int) -> dict[str, Any]:
    """A value as a table of tables, by its path."""
    found: Any = value
    for key in reversed(path):
        found = {key: found}
    return dict(found)


def settings_by_arm(base: Settings, arms: Arms) -> Iterator[Settings]:
    """The settings of each arm, the base's first."""
    yield base
    for arm in arms.others:
        yield arm.settings
