"""When a run is to stop: the key `until` of an experiment file.

    until = "decided"             # every win share is shown to be in the band or out of it
    until = { metric = "faction.win_share", half_width = 0.005 }     # known to ± half a point

Under arms the first asks for each arm's verdict, and a metric that ends in `_change` is what an arm does to
the base's win share. `games` is then the most that is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simlab import values
from simlab.errors import ExperimentError, NoEffect
from simlab.game import Game
from simlab.wording import did_you_mean, shown

UNTIL = "until"
DECIDED = "decided"
COLUMNS = ("faction", "seat", "strategy")  # of the table seats: whose win shares can be asked for
_SHARE, _CHANGE = "win_share", "win_share_change"
METRICS = tuple(f"{column}.{what}" for what in (_SHARE, _CHANGE) for column in COLUMNS)
_KEYS = ("metric", "half_width")
_HALF_WIDTHS = (0.0001, 0.2)


@dataclass(frozen=True)
class Until:
    """What must be known before a run stops.

    `columns` whose levels are looked at; `change`: what the arms do to them, not the win shares themselves.
    `half_width`: a fraction, 0 where they are held against the band instead.
    """

    columns: tuple[str, ...]
    change: bool
    half_width: float = 0.0

    @property
    def decides(self) -> bool:
        """Whether verdicts are asked for, not a width."""
        return self.half_width == 0

    def written(self) -> str | dict[str, Any]:
        """As a file has it."""
        if self.decides:
            return DECIDED
        metric = f"{self.columns[0]}.{_CHANGE if self.change else _SHARE}"
        return {"metric": metric, "half_width": self.half_width}


def until_of(
    value: Any,
    game: Game,
    strategies: Sequence[str],
    *,
    arms: bool,
    judged: bool | None = None,
    mirrored: bool = False,
) -> Until:
    """What `until` says in an experiment of these strategies, with `arms` or not. Raises ExperimentError.

    `judged`: some arm is more than the base with another noise (all are, if left out). `mirrored`: no two
    strategies meet.
    """
    seats = next((table for table in game.tables if table.name == "seats"), None)
    if seats is None or not {_SHARE, *COLUMNS} <= {column.name for column in seats.columns}:
        raise ExperimentError(f"{UNTIL} asks for win shares, which {game.title} doesn't record")
    if value == DECIDED:
        return Until(("faction", "seat"), change=arms if judged is None else judged)
    metric = _metric(value)
    column, _, what = metric.partition(".")
    if column == "strategy" and len(strategies) == 1:
        raise NoEffect(f"{UNTIL}: {metric} has no effect: one strategy plays all seats")
    if column == "strategy" and mirrored:
        raise NoEffect(f"{UNTIL}: {metric} has no effect: in mirror games every strategy wins an equal share")
    if what == _CHANGE and not arms:
        raise NoEffect(f"{UNTIL}: {metric} has no effect: it is what [arms] change, and there are none")
    return Until((column,), what == _CHANGE, _half_width(value["half_width"]))


def _metric(value: Any) -> str:
    """The metric of a table that has the keys of one."""
    if not isinstance(value, Mapping):
        raise ExperimentError(
            f'{UNTIL} must be "{DECIDED}" or such as {{ metric = "{METRICS[0]}", half_width = 0.005 }}, not'
            f" {shown(value)}"
        )
    for key in value:
        if key not in _KEYS:
            raise ExperimentError(f"{UNTIL} has no key {shown(key)}{did_you_mean(key, _KEYS)}")
    for key in _KEYS:
        if key not in value:
            raise ExperimentError(f"{UNTIL}: {key} is missing")
    metric = values.text(f"{UNTIL}.metric", value["metric"])
    if metric not in METRICS:
        raise ExperimentError(f"{UNTIL}: there is no metric {shown(metric)}{did_you_mean(metric, METRICS)}")
    return metric


def _half_width(value: Any) -> float:
    low, high = _HALF_WIDTHS
    key = f"{UNTIL}.half_width"
    if isinstance(value, int | float) and not isinstance(value, bool) and not low <= value <= high:
        raise ExperimentError(
            f"{key} must be from {low:g} to {high:g}, a fraction (0.005 is half a point), not {shown(value)}"
        )
    return values.decimal(key, value, low, high)
