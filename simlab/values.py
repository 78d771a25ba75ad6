"""Values that a user wrote: of the right kind and within bounds, or an ExperimentError that names the key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from simlab.errors import ExperimentError
from simlab.wording import kind_of, shown


def as_in_a_file(value: Any) -> Any:
    """What Python has as TOML would: keys and paths texts, tuples lists, numbers of any library plain."""
    if isinstance(value, Mapping):
        return {str(key): as_in_a_file(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_in_a_file(each) for each in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, bool | str) or not isinstance(value, Real):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


def text(key: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ExperimentError(f"{key} must be a text, not {kind_of(value)} ({shown(value)})")
    return value


def number(key: str, value: Any, low: int, high: int) -> int:
    """A whole number within bounds."""
    if not low <= whole(key, value) <= high:
        raise ExperimentError(f"{key} must be from {low} to {high}, not {shown(value)}")
    return int(value)


def whole(key: str, value: Any, what: str = "a whole number") -> int:
    """A whole number; `what` says in the message what would be right."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExperimentError(f"{key} must be {what}, not {kind_of(value)} ({shown(value)})")
    return value


def decimal(key: str, value: Any, low: float, high: float) -> float:
    """A number, whole or not, within bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExperimentError(f"{key} must be a number, not {kind_of(value)} ({shown(value)})")
    if not low <= value <= high:  # nan isn't either
        raise ExperimentError(f"{key} must be from {low:g} to {high:g}, not {shown(value)}")
    return float(value)


def seconds(key: str, value: Any, least: float, most: float) -> float:
    """A number of seconds, whole or not, within bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExperimentError(f"{key} must be a number of seconds, not {kind_of(value)} ({shown(value)})")
    if not least <= value <= most:  # nan isn't either
        raise ExperimentError(f"{key} must be from {least:g} to {most:g} seconds, not {shown(value)}")
    return float(value)


def texts(key: str, value: Any) -> list[str]:
    """A list of different texts, at least one."""
    if not isinstance(value, list):
        raise ExperimentError(f"{key} must be a list of texts, not {kind_of(value)} ({shown(value)})")
    if not value:
        raise ExperimentError(f"{key} is an empty list")
    found = [text(f"{key}[{i}]", item) for i, item in enumerate(value)]
    no_repeat(key, found)
    return found


def table(key: str, value: Any) -> Mapping[str, Any]:
    """A table of that name."""
    if not isinstance(value, dict):
        raise ExperimentError(f"{key} must be a table ([{key}]), not {kind_of(value)} ({shown(value)})")
    return value


def no_repeat(key: str, listed: Iterable[Any]) -> None:
    """No value twice."""
    there = list(listed)
    for value in there:
        if there.count(value) > 1:
            raise ExperimentError(f"{key} names {shown(value)} twice")
