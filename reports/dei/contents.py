"""The sections of a D.E.I. report, in order: who wins, what the components do, what a game is like.

A section is a function of the Basis; None leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reports.dei import (
    candy,
    drone,
    faction,
    feat,
    header,
    length,
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
)
from reports.dei.basis import Basis
from reports.document import Section

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
    # what a game is like
    "spread": spread.build,
    "quality": quality.build,
    "length": length.build,
}


def basis(run: Run) -> Basis:
    """What every section is given: of a run with several arms the base's games."""
    return Basis(run.of_arm(0), run) if len(run.manifest.get("arms", ())) > 1 else Basis(run)
