"""The choices: each is one sentence, with its objects named by their words.

Where a choice spends an icon it names that icon, and begins with the icon's words.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from .icons import Icon


class Choice(ABC):
    """What a seat may do at a decision."""

    @abstractmethod
    def words(self) -> str:
        """The sentence."""


@dataclass(frozen=True)
class Deploy(Choice):
    """CORE-018 Where the Leader goes, and the odd Unit."""

    leader_at: str
    odd_at: str | None = None

    def words(self) -> str:
        odd = f", the odd Scrapper at {self.odd_at}" if self.odd_at else ""
        return f"deploy the Leader at {self.leader_at}{odd}"


@dataclass(frozen=True)
class PlayFaceUp(Choice):
    """CORE-031 A card for its icons."""

    card: str

    def words(self) -> str:
        return f"play {self.card} face up"


@dataclass(frozen=True)
class Buy(Choice):
    """CORE-044 A purchase; no card laid down means that Delivery Bot makes it (CORE-114)."""

    card: str
    market: str
    slot: int  # 1 to 3 from the left
    technology: int
    energy: int
    candy: str | None = None
    laying_down: str | None = None

    def words(self) -> str:
        candy = f" with candy {self.candy}" if self.candy else ""
        how = f"laying down {self.laying_down}" if self.laying_down else "by Delivery Bot"
        price = f"{self.technology} Technology {self.energy} Energy"
        return f"buy {self.card} from {self.market} slot {self.slot} paying {price}{candy}, {how}"


@dataclass(frozen=True)
class Move(Choice):
    """CORE-041 A Move; with an Enlist icon it is one by Outnumber (CORE-110)."""

    icon: Icon
    scrappers: int
    leader: bool
    refuges: int
    origin: str
    destination: str

    def words(self) -> str:
        parts = [str(self.scrappers)] if self.scrappers else []
        parts += ["the Leader"] if self.leader else []
        parts += [f"{self.refuges} Refuge{'s' if self.refuges > 1 else ''}"] if self.refuges else []
        how = _as(self.icon, "move")
        return f"{how} {' and '.join(parts)} from {self.origin} to {self.destination}"


@dataclass(frozen=True)
class Collect(Choice):
    """CORE-042 A Collect, perhaps swapping the Technology (CORE-065, CORE-112)."""

    icon: Icon
    region: str
    swap: bool = False

    def words(self) -> str:
        swap = " swapping for an Energy Cell" if self.swap else ""
        return f"{_as(self.icon, 'collect')} at {self.region}{swap}"


@dataclass(frozen=True)
class Excavate(Choice):
    """CORE-115 A Collect that places a resource."""

    icon: Icon
    region: str

    def words(self) -> str:
        return f"{_as(self.icon, 'collect')} as excavation at {self.region}"


@dataclass(frozen=True)
class Kill(Choice):
    """CORE-062 A Kill; with an icon other than Kill it is one by Extreme Remedies (CORE-104)."""

    icon: Icon
    faction: str
    region: str

    def words(self) -> str:
        how = "kill" if self.icon.action == "kill" else f"{_as(self.icon, 'collect')} as kill"
        return f"{how} {self.faction} at {self.region}"


@dataclass(frozen=True)
class Enlist(Choice):
    """CORE-040 An Enlist, from the reserve or, if that is empty, from another Region."""

    icon: Icon
    region: str
    origin: str | None = None
    resource: bool = False  # CORE-066

    def words(self) -> str:
        origin = f" from {self.origin}" if self.origin else ""
        resource = " with a resource" if self.resource else ""
        return f"{self.icon.words()} at {self.region}{origin}{resource}"


# (Region,) of a Refuge, (Ground, Roof) of an Elevator, (Roof, Roof, Ground) of a Bridge
Place = tuple[str, ...]


@dataclass(frozen=True)
class Build(Choice):
    """CORE-048 … CORE-051 A construction, new or relocated from the place that `moving` names."""

    icon: Icon
    construction: str
    place: Place
    moving: Place | None = None

    def words(self) -> str:
        how = "any build" if self.icon.construction == "any" else "build"
        moving = f" moving the one {place_words(self.moving)}" if self.moving else ""
        return f"{how} {self.construction} {place_words(self.place)}{moving}"


@dataclass(frozen=True)
class Gain(Choice):
    """CORE-061 Supplies, Technology, Energy Cells or a Candy Boost."""

    icon: Icon

    def words(self) -> str:
        if self.icon.action == "candy":
            return "gain candy"
        return f"gain {self.icon.amount} {self.icon.action}"


@dataclass(frozen=True)
class Declare(Choice):
    """CORE-063 An action per Outpost."""

    icon: Icon

    def words(self) -> str:
        amount = f"{self.icon.amount} " if self.icon.is_gain else ""
        return f"declare {amount}{self.icon.name()} per {self.icon.per} Outpost"


@dataclass(frozen=True)
class Copy(Choice):
    """CORE-060 An earlier card of this Turn."""

    icon: Icon
    card: str

    def words(self) -> str:
        return f"copy {self.card}"


@dataclass(frozen=True)
class Activate(Choice):
    """CORE-070 A Drone's movement; its action follows."""

    icon: Icon
    drone: str
    region: str

    def words(self) -> str:
        which = f"any {self.drone}" if self.icon.drone == "any" else self.drone
        bonus = f" +{self.icon.bonus}" if self.icon.bonus else ""
        return f"activate {which}{bonus} to {self.region}"


@dataclass(frozen=True)
class Harvest(Choice):
    """CORE-071 Masamune collects one resource."""

    region: str

    def words(self) -> str:
        return f"harvest at {self.region}"


@dataclass(frozen=True)
class PlaceScrapper(Choice):
    """CORE-072 Simon places one Scrapper, from the reserve if no Region is named."""

    origin: str | None
    region: str

    def words(self) -> str:
        return f"place from {self.origin or 'reserve'} at {self.region}"


@dataclass(frozen=True)
class Fly(Choice):
    """CORE-073 Fly takes one Scrapper to a Region."""

    region: str

    def words(self) -> str:
        return f"fly 1 to {self.region}"


@dataclass(frozen=True)
class Reap(Choice):
    """CORE-074 Draco kills."""

    region: str

    def words(self) -> str:
        return f"reap at {self.region}"


@dataclass(frozen=True)
class Discard(Choice):
    """CORE-043 What goes for an eleventh resource: technology or energy."""

    kind: str

    def words(self) -> str:
        return f"discard {self.kind.capitalize()}"


@dataclass(frozen=True)
class LayCandy(Choice):
    """CORE-080 A Candy Boost on the card just played."""

    kind: str

    def words(self) -> str:
        return f"lay candy {self.kind}"


@dataclass(frozen=True)
class TakeMission(Choice):
    """CORE-034 A mission token on a Mission."""

    mission: str
    column: int

    def words(self) -> str:
        return f"mission {self.mission} in column {self.column}"


@dataclass(frozen=True)
class PassMission(Choice):
    """CORE-134 No Mission this Turn."""

    def words(self) -> str:
        return "pass the Mission"


@dataclass(frozen=True)
class NameColour(Choice):
    """CORE-131 The colour of which a Feat is drafted."""

    colour: str

    def words(self) -> str:
        return f"name colour {self.colour}"


@dataclass(frozen=True)
class TakeFeat(Choice):
    """CORE-131 The Feat drafted."""

    feat: str

    def words(self) -> str:
        return f"take feat {self.feat}"


@dataclass(frozen=True)
class Commit(Choice):
    """CORE-132 The cards of a phase, in the order of the pack."""

    cards: tuple[str, ...]

    def words(self) -> str:
        return f"commit {' and '.join(self.cards)}"


@dataclass(frozen=True)
class Skip(Choice):
    """CORE-032 Waive an action that is asked for."""

    action: str

    def words(self) -> str:
        return f"skip {self.action}"


@dataclass(frozen=True)
class EndCard(Choice):
    """CORE-032 Go on, waiving what is left of the card."""

    def words(self) -> str:
        return "end card"


@dataclass(frozen=True)
class EndPhase(Choice):
    """CORE-054 Go on, waiving extra Moves."""

    def words(self) -> str:
        return "end phase"


def place_words(place: Place) -> str:
    """The place of a construction: its Region, or the two that it links, and what a Bridge runs over."""
    if len(place) == 1:
        return f"at {place[0]}"
    over = f" over {place[2]}" if len(place) > 2 else ""
    return f"from {place[0]} to {place[1]}{over}"


def _as(icon: Icon, action: str) -> str:
    """The icon's own words, or that it is an Enlist spent as this action (CORE-110)."""
    return f"{icon.words()} as {action}" if icon.action == "enlist" else icon.words()
