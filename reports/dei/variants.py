"""What do the experiment's variants do? Each arm against the base, as `simlab compare` has it, and drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reports.dei.basis import titles
from reports.dei.comparison import families as f
from reports.dei.comparison.answer import verdict
from reports.dei.comparison.effects import compare
from reports.dei.comparison.sections import answers, at_value, details
from reports.document import Dot, Dots, Figure, Kind, Lines, Part, Section, Table
from reports.numbers import listed
from simlab.stats.equivalence import UNBALANCED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.dei.basis import Basis
    from reports.dei.comparison.effects import Comparison, Swept

NAMED = 3  # arms in a headline
HOW_TO_READ = (
    "Thick line: the 95 % interval of that row alone; thin: the one for all rows of its arm together. "
    "Grey: the band, ±{points:g} points around no change. In colour: shown to be outside."
)
RESPONSE = "Lines: intervals that hold for all values of a faction together. The base's change is 0."


def build(basis: Basis) -> Section | None:
    """The answer on each arm, the effects drawn, then all tables; nothing in a run without arms."""
    if basis.all_arms is None:
        return None
    made = compare(basis.all_arms)
    parts: list[Part] = [*answers(made), *_effects(made), *(_response(made, swept) for swept in made.swept)]
    return Section("Variants", (*parts, *_tables(made)), _finding(made))


def _effects(made: Comparison) -> list[Figure]:
    """What each arm does to each faction, a figure a number of players; nothing of another noise alone."""
    found = []
    for players in made.basis.players:
        dots = tuple(
            Dot(f"{each.arm}: {level.label}", level.effect.difference, level.together, own.kind == UNBALANCED)
            for each in made.compared
            if each.players == players and not each.noise_alone
            for level, own in zip(each.families[f.FACTIONS], each.verdicts[f.FACTIONS], strict=True)
        )
        if not dots:
            continue
        band = made.basis.band
        plot = Dots(dots, Kind.GAIN, "Change of win share, points", 0.0, band)
        heading = "What each arm does to each faction" + made.basis.at(players)
        found.append(Figure(heading, plot, HOW_TO_READ.format(points=100 * band)))
    return found


def _response(made: Comparison, swept: Swept) -> Figure:
    """How win shares go with the value of a knob."""
    doses = tuple(round(dose) for dose in swept.responses[0].doses)
    series = tuple(
        (name, tuple(at_value(response, k) for k in range(len(doses))))
        for name, response in zip(titles(swept.factions), swept.responses, strict=True)
    )
    plot = Lines(doses, series, Kind.GAIN, "change of win share, points", swept.key)
    return Figure(f"Win share by {swept.key}{made.basis.at(swept.players)}", plot, RESPONSE)


def _tables(made: Comparison) -> Iterable[Part]:
    """Those of the comparison, each with its section's title in its own; what is said twice, once."""
    said: set[str] = set()
    for section in details(made):
        for number, part in enumerate(section.parts):
            if isinstance(part, Table | Figure):
                yield replace(part, title=f"{section.title}: {part.title[:1].lower()}{part.title[1:]}")
            elif part not in said:
                said.add(part)
                yield f"**{section.title}.** {part}" if number == 0 else part


def _finding(made: Comparison) -> str:
    """The arms by what they do, at the largest number of players."""
    by_verdict: dict[str, list[str]] = {}
    for each in made.compared:
        if each.players == made.basis.players[-1]:
            by_verdict.setdefault(verdict(each), []).append(each.arm)
    said = []
    for kind, arms in by_verdict.items():
        named = listed(arms) if len(arms) <= NAMED else f"{len(arms)} arms"
        said.append(f"{named}: {kind}")
    told = "; ".join(said)
    return f"{told} ({made.basis.players[-1]} players)" if len(made.basis.players) > 1 else told
