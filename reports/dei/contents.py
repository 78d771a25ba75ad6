"""The sections of a D.E.I. report, in order: who wins, what the components do, what a game is like.

A section is a function of the Basis; None leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from reports.dei import (
    candy,
    drama,
    drone,
    early,
    faction,
    feat,
    header,
    length,
    luck,
    market,
    mission,
    model,
    presence,
    quality,
    regions,
    seat,
    spread,
    strategy,
    supplies,
    variants,
    variety,
)
from reports.dei.basis import Basis
from reports.dei.knock_outs import section as knock_outs
from reports.document import Section
from simlab.errors import UnknownName, UsageError
from simlab.wording import did_you_mean, place, shown

if TYPE_CHECKING:
    from simlab.results import Run

Build = Callable[[Basis], Section | None]

SECTIONS: dict[str, Build] = {
    "header": header.build,
    # who wins
    "variants": variants.build,
    "faction": faction.build,
    "seat": seat.build,
    "model": model.build,
    "presence": presence.build,
    "strategy": strategy.build,
    # what the components do
    "feat": feat.build,
    "mission": mission.build,
    "market": market.build,
    "map": regions.build,
    "drone": drone.build,
    "candy": candy.build,
    "supplies": supplies.build,
    "knock_outs": knock_outs.build,
    # what a game is like
    "spread": spread.build,
    "quality": quality.build,
    "drama": drama.build,
    "early": early.build,
    "variety": variety.build,
    "luck": luck.build,
    "length": length.build,
}
# sections that rest on a table which a run may not have written: without it they are left out
RESTS_ON = {
    "mission": "missions",
    "market": "market",
    "map": "regions",
    "quality": "turns",
    "drama": "turns",
    "early": "turns",
    "knock_outs": "knock_outs",
}


def refuse_absent(found: Basis, sections: Iterable[str]) -> None:
    """UsageError for a section that rests on a table which the run didn't write."""
    for name in sections:
        table = RESTS_ON.get(name)
        if table is not None and not found.has(table):
            raise UsageError(
                f"the section {shown(name)} rests on the table {shown(table)}, which {place(found.run.path)}"
                " hasn't got: its experiment doesn't ask for it"
            )


def basis(run: Run, arm: str | None = None) -> Basis:
    """What every section is given: of a run with several arms the games of one, the base's if None.

    Raises UnknownName for an arm that the run hasn't.
    """
    arms = [str(each["name"]) for each in run.manifest.get("arms", ())] or ["base"]
    if arm is not None and arm not in arms:
        raise UnknownName(f"{place(run.path)} has no arm {shown(arm)}{did_you_mean(arm, arms)}")
    number = 0 if arm is None else arms.index(arm)
    if len(arms) == 1:
        return Basis(run)
    return Basis(run.of_arm(number), None if number else run, number)
