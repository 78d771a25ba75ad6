"""What is said of the drawn mutants: the table, the shares, what is lacking."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutations.catalogue import source
from tests.mutations.drawn.draw import Drawn

EQUIVALENT = Path(__file__).with_name("equivalent.toml")
BARS = {"scenarios": 80, "twin": 90}  # per cent of the mutants that aren't equivalent, by each judge alone


@dataclass(frozen=True)
class Equivalent:
    """A mutant that can't change play, and why."""

    where: str
    old: str
    new: str
    reason: str

    def is_of(self, drawn: Drawn) -> bool:
        """Whether this is the mutant."""
        return (self.where, self.old, self.new) == (drawn.where, drawn.old, drawn.new)


@dataclass
class Row:
    """A mutant, and what noticed it, by judge; empty where nothing did."""

    drawn: Drawn
    noticed: dict[str, str] = field(default_factory=dict)
    equivalent: Equivalent | None = None

    @property
    def survives(self) -> bool:
        """Whether no judge noticed it."""
        return not any(self.noticed.values())


def equivalents() -> list[Equivalent]:
    """Those that are listed."""
    return [Equivalent(**row) for row in tomllib.loads(source(EQUIVALENT)).get("equivalent", [])]


def equivalent_of(drawn: Drawn, listed: list[Equivalent]) -> Equivalent | None:
    """The entry of a mutant, if it is listed."""
    return next((it for it in listed if it.is_of(drawn)), None)


def table(rows: list[Row]) -> str:
    """A block a mutant: where it is and what it changes, then what noticed it, judge by judge."""
    lines = []
    for row in rows:
        place = row.drawn.place
        lines.append(f"{row.drawn.id}  {place.file}:{place.line} {place.function}, {row.drawn.operator}")
        lines += [f"    {row.drawn.old}", f"    → {row.drawn.new}"]
        if row.equivalent:
            lines.append(f"    equivalent: {row.equivalent.reason}")
        told = [f"{judge}: {what or '–'}" for judge, what in row.noticed.items()]
        lines.append(f"    {'; '.join(told)}{'; SURVIVED' if row.survives and not row.equivalent else ''}")
    return "\n".join([*lines, "", *shares(rows)])


def shares(rows: list[Row]) -> list[str]:
    """A line a judge: how many it notices of those that aren't equivalent, and of all."""
    judged = [row for row in rows if not row.equivalent]
    lines = [f"{len(rows)} mutants drawn, {len(rows) - len(judged)} of them equivalent"]
    for judge, bar in BARS.items():
        told = f"{_told(judge, judged)} (bar: {bar} %); with the equivalent ones {_told(judge, rows)}"
        lines.append(f"{judge} alone: {told}")
    noticed = sum(not row.survives for row in judged)
    more = sum(bool(row.noticed.get("tests")) for row in judged)
    return [*lines, f"noticed at all: {noticed} of {len(judged)}, {more} of them by other tests only"]


def _noticed(judge: str, rows: list[Row]) -> int:
    return sum(bool(row.noticed[judge]) for row in rows)


def _told(judge: str, rows: list[Row]) -> str:
    return f"{_noticed(judge, rows)} of {len(rows)} ({100 * _noticed(judge, rows) / max(len(rows), 1):.1f} %)"


def lacking(rows: list[Row], *, bars: bool) -> list[str]:
    """A sentence for each survivor not listed, each listed one that is noticed, each share too low."""
    complaints = []
    for row in rows:
        mutant = f"{row.drawn.id} in {row.drawn.where}"
        by = ", ".join(judge for judge, what in row.noticed.items() if what)
        if row.equivalent and by:
            complaints.append(f"{mutant}: listed as equivalent, but noticed by {by}")
        if not row.equivalent and not by:
            complaints.append(f"{mutant}: nothing notices it")
    judged = [row for row in rows if not row.equivalent]
    for judge, bar in BARS.items() if bars else ():
        if 100 * _noticed(judge, judged) < bar * len(judged):
            complaints.append(f"{judge} alone: {_told(judge, judged)}, less than {bar} %")
    return complaints
