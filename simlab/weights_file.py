"""Strategies that are weights alone: a TOML file of other numbers for a strategy that names its own.

    name = "mine/collector"       # what results call it
    says = "collects more"        # one line; may be left out
    base = "dei/greedy"           # a compiled strategy whose weights have names
    [weights]                     # what differs from the base's
    growth_resources = 900
    [provenance]                  # where the numbers come from; any keys, kept and not judged

A number without effect, since it is the base's, is an error as an unknown name is. What a run is named by
covers the name, all weights and the base's source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from simlab import values
from simlab.errors import UsageError, WeightsError
from simlab.strategy import Strategy
from simlab.toml import read_toml
from simlab.wording import did_you_mean, place, shown

KEYS = ("name", "says", "base", "weights", "provenance")
_REQUIRED = ("name", "base", "weights")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}/[A-Za-z0-9_-]{1,64}")
_LONGEST = 200  # signs of `says`
_INT32 = (-(2**31), 2**31 - 1)


def read_weights(path: str | Path, game: str) -> Strategy:
    """The strategy of a file of weights; raises WeightsError, one sentence with file, key and reason."""
    file = Path(path)
    written = read_toml(file, WeightsError)
    try:
        return _strategy(written, game)
    except UsageError as error:
        raise WeightsError(f"{place(file)}: {error}") from None


def _strategy(written: Mapping[str, Any], game: str) -> Strategy:
    from simlab import catalog  # which reads files of weights

    for key in written:
        if key not in KEYS:
            raise WeightsError(f"there is no key {shown(key)}{did_you_mean(key, KEYS)}")
    for key in _REQUIRED:
        if key not in written:
            raise WeightsError(f"{key} is missing")
    values.table("provenance", written.get("provenance", {}))
    name, base = _name(written["name"]), _base(written["base"], game)
    if name == base.name:
        raise WeightsError(f"name is that of its base {shown(name)}, by which results tell them apart")
    weights = _weights(values.table("weights", written["weights"]), base)
    return catalog.derived(
        replace(base, name=name, says=_says(written.get("says", "")), weights=weights), base
    )


def _name(value: Any) -> str:
    name = values.text("name", value)
    if not _NAME.fullmatch(name):
        raise WeightsError(
            "name must be two words of the signs A-Z, a-z, 0-9, - and _ with / between them, such as"
            f" mine/collector, not {shown(name)}"
        )
    return name


def _says(value: Any) -> str:
    says = values.text("says", value)
    if len(says) > _LONGEST or not says.isprintable():
        raise WeightsError(f"says must be one line of at most {_LONGEST} signs, not {shown(says)}")
    return says


def _base(value: Any, game: str) -> Strategy:
    from simlab import catalog

    name = values.text("base", value)
    if catalog.strategy_file(name) is not None:
        raise WeightsError(f"base must be the name of a strategy, not a file ({shown(name)})")
    try:
        base = catalog.strategy(name, game)
    except UsageError as error:
        raise WeightsError(f"base: {error}") from None
    if not base.weight_names:
        raise WeightsError(f"base {shown(name)} has no weights with names")
    return base


def _weights(written: Mapping[str, Any], base: Strategy) -> tuple[int, ...]:
    """The base's numbers with those of the file in their places."""
    if not written:
        raise WeightsError(f"weights is empty, so it would play as {base.name} does")
    merged = dict(zip(base.weight_names, base.weights, strict=True))
    for name, value in written.items():
        if name not in merged:
            raise WeightsError(
                f"weights: {base.name} has no weight {shown(name)}{did_you_mean(name, base.weight_names)}"
            )
        if values.number(f"weights.{name}", value, *_INT32) == merged[name]:
            raise WeightsError(f"weights.{name} has no effect: {base.name} has {shown(value)} too")
        merged[name] = value
    return tuple(merged.values())
