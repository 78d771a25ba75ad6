"""The kinds of things that a knock-out takes from a seat, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.dei import feat
from reports.dei.basis import title
from simlab.games.dei.vocabulary import CANDIES, DRONES, FACTIONS, FEATS, LEADERS

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Family:
    """One kind: `kind` is its word in the table, `known` its things in the rulebook's order, () if a pack's.

    The words fit "seats that `used`", "without it a seat `without`" and "of the seats `among`".
    """

    kind: str
    title: str
    head: str
    used: str
    without: str
    among: str
    label: Callable[[str], str]
    known: tuple[str, ...] = ()


FAMILIES = (
    Family(
        "card", "Cards", "Card", "bought it", "may not buy it", "at the table", str,
    ),
    Family(
        "feat", "Feats", "Feat", "unlocked it", "never unlocks it", "that were dealt it", feat.label, FEATS,
    ),
    Family(
        "drone", "Drones", "Drone", "activated it", "may not activate it",
        "of games with the Drone's faction",
        str.capitalize, DRONES,
    ),
    Family(
        "candy", "Candy Boosts", "Candy Boost", "laid one", "may not lay one", "at the table",
        lambda name: f"{name.capitalize()} Boost", CANDIES,
    ),
    Family(
        "leader", "Leaders", "Leader", "used the skill", "has a Leader without skill", "of the faction",
        lambda name: f"{LEADERS[FACTIONS.index(name)]} ({title(name)})", FACTIONS,
    ),
)  # fmt: skip
BY_KIND = {family.kind: family for family in FAMILIES}
