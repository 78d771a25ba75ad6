"""What a report on a D.E.I. run rests on: the manifest in the report's words, and what the tables hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from reports.dei import tallies
from reports.numbers import listed
from simlab.games.dei.vocabulary import FACTION_TITLES, FACTIONS
from simlab.stats.precision import Precision
from simlab.wording import shown

if TYPE_CHECKING:
    from simlab.results import Run

Found = TypeVar("Found")
BAND = 2.0  # points of win share, where the experiment declares none
LEVEL = 0.95
TOLERATED = 0.01  # of the games may end irregularly before the answer says so
RARE = 0.10  # used in fewer of the games in which it could be: hardly used
ALWAYS = 0.95  # used in more of them: no choice
GROUPS = 4_096  # of neighbouring blocks at most, where a table has many levels
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
FACTION_OF = dict(zip(FACTION_TITLES, FACTIONS, strict=True))


class Ending(NamedTuple):
    """Games that ended otherwise than finished."""

    how: str
    strategy: str | None  # to blame, and where it sat
    seat: int | None
    games: int


@dataclass(frozen=True)
class Basis:
    """A run, opened, and the facts that every section asks for.

    Of a run with several arms `run` has the games of one, by number `arm`, the base if nobody asked for
    another; beside the base's, `all_arms` has those of all.
    """

    run: Run
    all_arms: Run | None = None
    arm: int = 0
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, key: Any, make: Callable[[], Found]) -> Found:
        """What `make` gives, computed the first time that somebody asks for `key`."""
        if key not in self.kept:
            self.kept[key] = make()
        found: Found = self.kept[key]
        return found

    @cached_property
    def group(self) -> str:
        """SQL for the cluster of a row where a section has many levels: its block or a group of blocks.

        Neighbouring blocks together are as independent as blocks are, and 4,096 groups give intervals as wide
        within 2 %; a table of cards by blocks would take memory that grows with the games.
        Source: Wolter, "Introduction to Variance Estimation" (2007), ch. 2, random groups.
        """
        most = tallies.rows(self.run, "SELECT max(block) FROM games")[0][0]
        size = -(-(int(most or 0) + 1) // GROUPS)
        return "block" if size == 1 else f"block // {size}"

    @cached_property
    def by_block(self) -> str:
        """A table made once: by block and faction its finished seats `n`, their `wins` and `supplies`.

        Deal and line-up are a block's, so whatever hangs on them needs no more than this.
        """
        tallies.kept(
            self.run,
            "by_block",
            "SELECT block, players, faction, count(*)::DOUBLE AS n, "
            "sum(win_share)::DOUBLE AS wins, sum(supplies)::DOUBLE AS supplies FROM seats "
            f"WHERE {tallies.counted('seats')} GROUP BY block, players, faction",
        )
        return "by_block"

    def clusters(self, players: int) -> list[int]:
        """The clusters (`group`) of the games with so many players, in ascending order."""
        found = tallies.rows(
            self.run,
            f"SELECT DISTINCT {self.group} AS cluster FROM games WHERE players = {players} ORDER BY cluster",
        )
        return [row[0] for row in found]

    def has(self, table: str) -> bool:
        """Whether the run has a table."""
        return table in self.run.files

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The run's manifest."""
        return self.run.manifest

    @property
    def experiment(self) -> Mapping[str, Any]:
        """The resolved experiment."""
        found = self.manifest.get("experiment", {})
        return found if isinstance(found, Mapping) else {}

    @property
    def band(self) -> float:
        """The declared band, a fraction of win share either side of parity: balanced within it."""
        return float(self.experiment.get("band", BAND)) / 100

    @property
    def until(self) -> Any:
        """What the run was to know before it stopped, as its file has it; None where `games` said when."""
        return self.experiment.get("until")

    @property
    def ended(self) -> Mapping[str, Any]:
        """How a run with `until` ended; nothing of one that isn't finished."""
        found = self.manifest.get("ended", {})
        return found if isinstance(found, Mapping) else {}

    def precision(self, column: str, levels: int, *, change: bool = False) -> Precision | None:
        """The confidence sequences of the win shares of a column, or of their changes, all together.

        None where the number of games was fixed. What the run was asked for shares its risk with all else
        that was; another column has the risk for its own levels.
        """
        if self.until is None:
            return None
        asked = column in self.ended.get("columns", ()) and change == self.ended.get("change")
        level = self.ended["level"] if asked else 1 - (1 - LEVEL) / levels
        half_width = self.until["half_width"] if isinstance(self.until, Mapping) else self.band / 2
        return Precision(level, half_width)

    def precision_of_groups(self, column: str, levels: int, players: int) -> Precision | None:
        """The same of sums by clusters (`group`) of the games with so many players."""
        found, clusters = self.precision(column, levels), len(self.clusters(players))
        if found is None or not clusters:
            return found
        return replace(found, blocks=self.games[players][2] / clusters)

    @property
    def arms(self) -> tuple[str, ...]:
        """The names of the arms by number, the base first."""
        return tuple(arm["name"] for arm in self.manifest.get("arms", ())) or ("base",)

    def differs(self, name: str) -> str:
        """What an arm changes, as its file says it: `rules.turns = 5`."""
        written = self.experiment["arms"].get(name)
        if written is None:
            arm = next(arm for arm in self.manifest["arms"] if arm["name"] == name)
            return f"{self.experiment['arms'][arm['sweep']]['sweep']['key']} = {arm['value']}"
        return listed([f"{path} = {shown(value)}" for path, value in _leaves(written)])

    def noise_alone(self, name: str) -> bool:
        """Whether an arm is the base's game again, with another noise of the strategies and nothing else."""
        return set(self.experiment.get("arms", {}).get(name, ())) == {"noise"}

    @property
    def name(self) -> str:
        """The experiment's name as a title: the question; and the arm's, if it isn't the base."""
        name = str(self.manifest.get("name") or self.run.path.name).replace("_", " ").strip()
        return name[:1].upper() + name[1:] + (f": {self.arms[self.arm]}" if self.arm else "")

    @cached_property
    def games(self) -> dict[int, tuple[int, int, int]]:
        """By player count: games played, finished ones, blocks."""
        found = tallies.rows(
            self.run,
            "SELECT players, count(*), count(*) FILTER (WHERE ending = 'finished'), count(DISTINCT block) "
            "FROM games GROUP BY players ORDER BY players",
        )
        return {players: (played, finished, blocks) for players, played, finished, blocks in found}

    @cached_property
    def irregular(self) -> dict[int, list[Ending]]:
        """By player count, games not finished."""
        found = tallies.rows(
            self.run,
            "SELECT g.players, ending, strategy, ending_seat, count(*) "
            "FROM (SELECT * FROM games WHERE ending <> 'finished') AS g "
            "LEFT JOIN seats AS s ON g.game = s.game AND g.ending_seat = s.seat "
            "GROUP BY g.players, ending, strategy, ending_seat ORDER BY ending, strategy, ending_seat",
        )
        return {players: [Ending(*row[1:]) for row in found if row[0] == players] for players in self.games}

    def lost_many(self, players: int) -> bool:
        """Whether so many games ended irregularly that the finished ones may tell another story."""
        played, finished, _ = self.games[players]
        return played - finished > TOLERATED * played

    @property
    def players(self) -> tuple[int, ...]:
        """The player counts of the run."""
        return tuple(self.games)

    @cached_property
    def factions(self) -> tuple[str, ...]:
        """The factions that played, in the rulebook's order."""
        played = {row[0] for row in tallies.rows(self.run, "SELECT DISTINCT faction FROM seats")}
        return tuple(name for name in FACTIONS if name in played)

    @cached_property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that played."""
        found = tallies.rows(self.run, "SELECT DISTINCT strategy FROM seats ORDER BY strategy")
        return tuple(row[0] for row in found)

    @property
    def mirrored(self) -> bool:
        """Whether each of several strategies plays all seats of its games, so that none meets another."""
        return self.experiment.get("mixing") == "mirrored"

    @property
    def who(self) -> str:
        """Who played, in words."""
        names = ", ".join(self.strategies)
        return f"{names}; mirror games, a strategy in all seats" if self.mirrored else names

    def headline(self, findings: Sequence[str]) -> str:
        """What was found at the largest player count, of the findings at each."""
        said = findings[-1] if findings else ""
        return f"{said} ({self.players[-1]} players)" if said and len(findings) > 1 else said

    def at(self, players: int) -> str:
        """The end of a title, ", 4 players", or nothing where there is only one player count."""
        return f", {players} players" if len(self.players) > 1 else ""


def title(faction: str) -> str:
    """A faction as the rulebook writes it."""
    return FACTION_TITLES[FACTIONS.index(faction)]


def titles(factions: Sequence[str]) -> list[str]:
    """Factions as the rulebook writes them."""
    return [title(faction) for faction in factions]


def _leaves(table: Any, path: str = "") -> Iterable[tuple[str, Any]]:
    if not isinstance(table, dict):
        yield path, table
        return
    for key, value in table.items():
        yield from _leaves(value, f"{path}.{key}" if path else str(key))
