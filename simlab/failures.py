"""Games that a strategy spoilt: kept by reason, told in a line each, or one of them in full.

What a plug-in raises never goes into a run's files, which are the same bytes every time: a message may hold
an address or the time. The tables count such games; the words are for whoever waits for the run.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import RunError

if TYPE_CHECKING:
    import pyarrow as pa

    from simlab.game import Game
    from simlab.match import Failure, Live

MOST_LINES = 10
MOST_REASONS = 1000  # kept apart; a strategy may put a number into each message
MOST_CHOICES = 200  # told in full
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")


class StrategyFailed(RunError):
    """A strategy spoilt a game, and the run was to stop at it; `account` is many lines."""

    def __init__(self, sentence: str, account: str) -> None:
        super().__init__(sentence)
        self.account = account

    def __reduce__(self) -> tuple[Any, ...]:
        """Both texts, so that it comes over from another process whole."""
        return type(self), (str(self), self.account)


@dataclass(frozen=True)
class Spoilt:
    """A game that a strategy ended."""

    game: int
    decision: int  # from 1, of those with more than one choice
    strategy: str  # as the experiment names it
    reason: str
    account: str = ""  # all that is known, where it was asked for

    def __str__(self) -> str:
        return f"{self.strategy} failed in game {self.game}, decision {self.decision}: {self.reason}"


class Failures:
    """The spoilt games of a run, by strategy and reason: how many, and the first of them."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[int, Spoilt]] = {}
        self.games = 0  # all that were played, spoilt or not

    def add(self, games: int, spoilt: Iterable[Spoilt]) -> None:
        """Take in `games` games, of which some were spoilt."""
        self.games += games
        for one in spoilt:
            key = (one.strategy, _ADDRESS.sub("0x…", one.reason))
            if key not in self._found and len(self._found) >= MOST_REASONS:
                key = (one.strategy, "other failures")
            count, first = self._found.get(key, (0, one))
            self._found[key] = count + 1, min(first, one, key=lambda each: each.game)

    def lines(self) -> list[str]:
        """A line a failure, the most frequent first, in an order that no worker changes."""
        found = sorted(self._found.items(), key=lambda entry: (-entry[1][0], entry[1][1].game, entry[0]))
        told = [self._line(*key, *entry) for key, entry in found[:MOST_LINES]]
        rest = sum(count for _, (count, _) in found[MOST_LINES:])
        return told + (
            [f"{rest:,} more games failed for {len(found) - MOST_LINES} more reasons"] if rest else []
        )

    def _line(self, strategy: str, reason: str, count: int, first: Spoilt) -> str:
        games = f"{count:,} of {self.games:,} games"
        return f"{strategy} failed in {games}: {reason} (game {first.game}, decision {first.decision})"


def spoilt_in(tables: dict[str, pa.Table], schedule: Any, strategies: Sequence[str]) -> list[Spoilt]:
    """The spoilt games of a part that was played compiled: the tables know no more than where and by whom.

    `schedule` is the part's (SCHEDULE), `strategies` are names by its numbers.
    """
    games = tables["games"]
    if "ending_seat" not in games.column_names:
        return []
    column = games["ending_seat"]
    if column.null_count == len(column):
        return []
    seats, decisions = column.to_pylist(), games["decisions"].to_pylist()
    found = [row for row, seat in enumerate(seats) if seat is not None]
    return [
        Spoilt(
            int(schedule["game"][row]),
            int(decisions[row]),
            strategies[int(schedule["strategy"][row, seats[row]])],
            "its answer was none of its choices",
        )
        for row in found
    ]


# --- one of them in full ---------------------------------------------------------------------------------


def account(game: Game, live: Live, row: Any, failure: Failure, name: str, sources: Sequence[Path]) -> str:
    """All that helps to find what is wrong: which game and decision, the error, the choices, the position.

    `row` is the game's of the schedule, `name` how the experiment calls the strategy, `sources` its files.
    """
    faction = game.faction_titles[int(row["faction"][failure.seat])]
    facts = {
        "Game": f"{int(row['game'])}, with {int(row['players'])} players",
        "Strategy": name,
        "Seat": f"{failure.seat}, the {ORDINALS[failure.seat]} in the starting Priority: {faction}",
        "Decision": str(failure.decision),
        "Failure": failure.cause.reason,
    }
    teller = game.teller(live)
    choices = teller.choices()
    width = len(str(len(choices)))
    listed = [f"{number:{width + 2}}  {words}" for number, words in enumerate(choices[:MOST_CHOICES])]
    left = len(choices) - len(listed)
    blocks = [
        [f"{head:10}{text}" for head, text in facts.items()],
        _own_lines(failure.cause.__cause__, sources),
        [f"Choices ({len(choices)})", *listed, *([f"  and {left} more"] if left else [])],
        ["Position", *(f"  {line}" for line in teller.position().splitlines())],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _own_lines(error: BaseException | None, sources: Sequence[Path]) -> list[str]:
    """The traceback, as far as it runs through the strategy's own files."""
    if error is None:
        return []
    own = {path.resolve() for path in sources}
    frames = [
        (Path(frame.filename), frame) for frame in traceback.extract_tb(error.__traceback__) if frame.line
    ]
    lines = []
    for path, frame in [(path, frame) for path, frame in frames if path.resolve() in own][-MOST_LINES:]:
        shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        lines += [f"  {shown}:{frame.lineno} in {frame.name}", f"    {frame.line}"]
    return ["Where, in its own lines", *lines] if lines else []
