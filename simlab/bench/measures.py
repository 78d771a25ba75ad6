"""What `simlab bench` finds: measures with their spread, and the bars a game sets for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simlab.game import Bar


@dataclass(frozen=True)
class Measure:
    """One figure. `low` and `high` enclose the middle half of the rounds; None where there was one round."""

    name: str
    says: str
    unit: str
    value: float
    low: float | None = None
    high: float | None = None
    strategy: str = ""  # whose figure it is; empty where it is the whole command's
    bar: Bar | None = None

    @property
    def met(self) -> bool | None:
        """Whether the bar is met, None without a bar."""
        if self.bar is None:
            return None
        return self.value >= self.bar.limit if self.bar.at_least else self.value <= self.bar.limit

    def plain(self) -> dict[str, Any]:
        """The measure for JSON."""
        found: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("name", "strategy", "value", "low", "high", "unit", "says")
            if getattr(self, name) not in {None, ""}
        }
        if self.bar is not None:
            found["bar"] = {"at_least" if self.bar.at_least else "at_most": self.bar.limit, "met": self.met}
            if self.bar.aim is not None:
                found["bar"]["aim"] = self.bar.aim
        return found


def of_rounds(name: str, says: str, unit: str, values: Sequence[float], strategy: str = "") -> Measure:
    """The median over rounds, between the quartiles."""
    low, middle, high = (float(value) for value in np.percentile(values, [25, 50, 75]))
    if len(values) == 1:
        return Measure(name, says, unit, middle, strategy=strategy)
    return Measure(name, says, unit, middle, low, high, strategy)


def against(measures: Sequence[Measure], bars: Sequence[Bar]) -> list[Measure]:
    """For each bar that speaks of another strategy's figure: as many times that, where both are there."""
    values = {(measure.name, measure.strategy): measure.value for measure in measures}
    return [
        Measure(
            f"{bar.measure}_of_{bar.of}",
            f"– against {bar.of}",
            "",
            values[bar.measure, bar.strategy] / values[bar.measure, bar.of],
            strategy=bar.strategy,
        )
        for bar in bars
        if bar.of and {(bar.measure, bar.strategy), (bar.measure, bar.of)} <= values.keys()
    ]


def with_bars(measures: Iterable[Measure], bars: Sequence[Bar], players: int) -> list[Measure]:
    """The measures, each with the bar that is meant for it."""

    def bar_of(measure: Measure) -> Bar | None:
        fitting = (
            bar
            for bar in bars
            if (f"{bar.measure}_of_{bar.of}" if bar.of else bar.measure) == measure.name
            and bar.strategy in {"", measure.strategy}
            and bar.players in {0, players}
        )
        return next(fitting, None)

    return [replace(measure, bar=bar_of(measure)) for measure in measures]
