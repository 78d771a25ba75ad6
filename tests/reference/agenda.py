"""What is due: questions, which a seat answers with a choice, and steps, which follow without one.

The agenda is a stack; its last entry is next.
"""

from dataclasses import dataclass, replace

from .icons import Icon


@dataclass(frozen=True)
class Question:
    """A decision that a seat has to make."""

    seat: int


@dataclass(frozen=True)
class AskColour(Question):
    """CORE-131 Name a colour."""


@dataclass(frozen=True)
class AskFeat(Question):
    """CORE-131 Take a Feat of the colour named."""

    colour: str


@dataclass(frozen=True)
class AskCommit(Question):
    """CORE-132 Commit cards."""


@dataclass(frozen=True)
class AskDeploy(Question):
    """CORE-018 The starting deployment."""


@dataclass(frozen=True)
class AskCard(Question):
    """CORE-030 Which card next."""


@dataclass(frozen=True)
class AskIcon(Question):
    """CORE-032 The card just played: which of the icons left next, or end it."""

    icons: tuple[Icon, ...]

    def without(self, icon: Icon) -> "AskIcon":
        """The same with one such icon spent."""
        left = list(self.icons)
        left.remove(icon)
        return replace(self, icons=tuple(left))

    def with_more(self, icons: tuple[Icon, ...]) -> "AskIcon":
        """The same with further icons."""
        return replace(self, icons=self.icons + icons)


@dataclass(frozen=True)
class AskRepeat(Question):
    """CORE-063, CORE-092 An action once more: so many times are left."""

    icon: Icon
    times: int
    seeker: bool = False  # Abraham's


@dataclass(frozen=True)
class AskDiscard(Question):
    """CORE-043 Which resource goes; the kinds that were on the Pad already."""

    kinds: tuple[str, ...]


@dataclass(frozen=True)
class AskDrone(Question):
    """CORE-070 A Drone's action, of which so many uses are left."""

    drone: str
    uses: int


@dataclass(frozen=True)
class AskFly(Question):
    """CORE-073 Where Fly's next Scrapper goes, the last having gone to a Ground."""

    uses: int


@dataclass(frozen=True)
class AskEnd(Question):
    """CORE-055 After the last card: extra Moves, or end the phase."""


@dataclass(frozen=True)
class AskMission(Question):
    """CORE-034 Complete a Mission."""


@dataclass(frozen=True)
class Step:
    """Something that happens without a choice."""


@dataclass(frozen=True)
class Renew(Step):
    """CORE-026 A Drone's movement and action are over: Majority, control and cubes are renewed."""


@dataclass(frozen=True)
class BeginTurn(Step):
    """CORE-030 A Turn begins."""

    turn: int


@dataclass(frozen=True)
class BeginPhase(Step):
    """CORE-030 An Action Phase of all players begins."""

    phase: int


@dataclass(frozen=True)
class BeginOwnPhase(Step):
    """CORE-030 A player's own Action Phase begins."""

    seat: int


@dataclass(frozen=True)
class NextCard(Step):
    """CORE-030 The next card is due, if there is one."""

    seat: int


@dataclass(frozen=True)
class LastMoves(Step):
    """CORE-055 Extra Moves that are left after the last card."""

    seat: int


@dataclass(frozen=True)
class EndOwnPhase(Step):
    """CORE-054 A player's own Action Phase ends."""

    seat: int


@dataclass(frozen=True)
class CompleteMission(Step):
    """CORE-034, CORE-133 A player's Mission is due."""

    seat: int


@dataclass(frozen=True)
class FinalCount(Step):
    """CORE-038 A player's final count is due."""

    seat: int


@dataclass(frozen=True)
class CleanUp(Step):
    """CORE-035, CORE-036 The Clean-up of all players, and the Priority of the next Turn."""


@dataclass(frozen=True)
class EndGame(Step):
    """CORE-038, CORE-039 Market cards are counted, and the game is over."""
