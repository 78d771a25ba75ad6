"""Looking at a run with `until` while it is played: after every part, in the order of the design.

Parts come in the order of their being done, which workers and the clock decide, and long games may end
differently. So a part is looked at once all before it are there, and the run ends with the first part after
which all is known that was asked for. Parts that were played beyond it are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isinf, isnan
from typing import TYPE_CHECKING, Any

from simlab import results
from simlab.errors import RunError
from simlab.goal import Cell, Family, Item, goal_of
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED
from simlab.stats.intervals import Moments, round_up
from simlab.wording import place

if TYPE_CHECKING:
    from simlab.held import Held
    from simlab.plan import Plan

MOST_NAMED = 4  # of what isn't known yet
_SHARES = "SELECT arm, players, {column} AS level, block, win_share::DOUBLE AS value FROM seats"
_CHANGES = (  # of A arms, arm k of a pair of games is k after the base's
    "SELECT a.arm, a.players, a.{column} AS level, a.block,"
    " a.win_share::DOUBLE - b.win_share::DOUBLE AS value"
    " FROM seats a JOIN seats b ON b.game = a.game - a.arm AND b.seat = a.seat WHERE a.arm > 0"
)
_SUMS = (
    "SELECT arm, players, level, count(*), sum(n), sum(t), sum(n * n), sum(n * t), sum(t * t),"
    " count(*) FILTER (WHERE t <> 0) FROM (SELECT arm, players, level, block, count(*)::DOUBLE AS n,"
    " sum(value) AS t FROM ({rows}) WHERE value IS NOT NULL GROUP BY ALL) GROUP BY ALL"
)


class Looks:
    """How far a run is that stops when it knows enough."""

    def __init__(self, plan: Plan, held: Held) -> None:
        made = plan.experiment
        assert made.until is not None
        titles = dict(zip(made.game.factions, made.game.faction_titles, strict=True))
        names = [strategy.name for strategy in plan.strategies]
        self.goal = goal_of(made.until, made.resolved(), names, made.arms.names, titles)
        self._plan, self._held, self._parts = plan, held, plan.parts
        self._sums: dict[tuple[str, int, int, Any], list[float]] = {}
        self.taken = 0  # parts
        self.items: list[Item] = self.goal.items(self._cells)
        self.look()

    @property
    def met(self) -> bool:
        """Whether all is known that was asked for."""
        return all(item.kind != UNDECIDED for item in self.items)

    def look(self) -> bool:
        """Take in the parts that have come, one after the other, until the goal is met; whether it is."""
        while not self.met and self.taken < len(self._parts) and self._held.has(self._parts[self.taken]):
            self._add(self._held.name(self.taken))
            self.taken += 1
            self.items = self.goal.items(self._cells)
        return self.met

    @property
    def parts(self) -> results.Parts:
        """The parts that the run consists of, if it ends here."""
        return dict(list(self._held.without_gaps().items())[: self.taken])

    def _add(self, name: str) -> None:
        import duckdb

        plan = self._plan
        part = results.Run(plan.folder, {}, results.files_of(plan.folder, ["seats"], [name]))
        rows = _CHANGES if self.goal.until.change else _SHARES
        try:
            for column in self.goal.until.columns:
                found = part.sql(_SUMS.format(rows=rows.format(column=column))).fetchall()
                for arm, players, level, *sums in found:
                    old = self._sums.get((column, arm, players, level), [0.0] * len(sums))
                    self._sums[column, arm, players, level] = [a + b for a, b in zip(old, sums, strict=True)]
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise RunError(f"{place(plan.folder)} can't be looked at: {reason}") from None
        finally:
            part.connection.close()

    def _cells(self, family: Family) -> Sequence[Cell]:
        keys = ((family.column, family.arm, family.players, level) for level in family.levels)
        return [_cell(self._sums[key]) if key in self._sums else _cell([0.0] * 7) for key in keys]

    # --- in words -------------------------------------------------------------------------------------

    def progress(self) -> str:
        """How far it is, in a few words."""
        if self.goal.until.decides:
            settled = sum(item.kind != UNDECIDED for item in self.items)
            return f"{settled} of {len(self.items)} decided,"
        widest = max(item.half_width for item in self.items)
        wanted = f"±{100 * self.goal.until.half_width:g} points"
        return f"asked {wanted}," if isinf(widest) else f"±{100 * widest:.2g}, asked {wanted},"

    def ended(self) -> dict[str, Any]:
        """How the run ended, for its manifest; `games` are those of each arm with each number of players."""
        sizes = sum(part.games for part in self._parts[: self.taken])
        made, precision = self._plan.experiment, self.goal.precision
        games = sizes // len(made.players) // len(made.settings_by_arm)
        most = self._plan.design.cycles(made.games) * self._plan.design.cycle_games
        each = " of each arm" if made.arms.others else ""
        each += " for each number of players" if len(made.players) > 1 else ""
        says = (
            f"stopped after {games:,} of at most {most:,} games{each}: {self._found()}"
            if self.met
            else f"not {self._asked()} within {most:,} games{each}: {self._open()}"
        )
        return {
            "met": self.met,
            "games": games,
            "most": most,
            "looks": self.taken,
            "says": says,
            "columns": list(self.goal.until.columns),
            "change": self.goal.until.change,
            "level": precision.level,
            "half_width": precision.half_width,
        }

    def _asked(self) -> str:
        """`decided`, or how sure it was to be."""
        until = self.goal.until
        return "decided" if until.decides else f"known to ±{100 * until.half_width:g} points"

    def _found(self) -> str:
        """`all 4 factions' and all 4 seats' win shares decided, 3 in the band and 5 out of it`."""
        kinds = [item.kind for item in self.items]
        if self.goal.until.decides:
            verdicts = f", {kinds.count(BALANCED)} in the band and {kinds.count(UNBALANCED)} out of it"
            if self.goal.until.change:
                return f"{_all(len(kinds), 'verdict')} on arms {self._asked()}{verdicts}"
        else:
            verdicts = ""
        change = "changes of win share" if self.goal.until.change else "win shares"
        return f"{' and '.join(self._families())} {change} {self._asked()}{verdicts}"

    def _families(self) -> list[str]:
        """`all 4 factions'`; without numbers where there are several of them."""
        first = self.goal.families[0]
        same = [each for each in self.goal.families if (each.arm, each.players) == (first.arm, first.players)]
        several = len(self.goal.families) > len(same)
        nouns = {"faction": "factions'", "seat": "seats'", "strategy": "strategies'"}
        return [f"all {nouns[f.column]}" if several else _all(len(f.levels), nouns[f.column]) for f in same]

    def _open(self) -> str:
        """`Farm-Z and the 2nd seat; about 91,000 more games would settle them`."""
        still = [item for item in self.items if item.kind == UNDECIDED]
        names = [item.name for item in still[:MOST_NAMED]]
        if len(still) > MOST_NAMED:
            names.append(f"{len(still) - MOST_NAMED} more")
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        finite = [item.more for item in still if isfinite(item.more)]
        if not finite:
            few = any(isnan(item.more) for item in still)
            why = "too few blocks to say" if few else "so near the band's edge that nobody can say"
            return f"{listed}; {why} how many more games would settle it"
        rest = ", but for what is on the band's very edge" if len(finite) < len(still) else ""
        return f"{listed}; about {round_up(max(finite)):,.0f} more games would settle it{rest}"


def _all(number: int, noun: str) -> str:
    """`the verdict`, `both verdicts`, `all 4 factions'`."""
    plural = noun if noun.endswith("'") else f"{noun}s"
    return f"the {noun}" if number == 1 else f"both {plural}" if number == 2 else f"all {number} {plural}"


def _cell(sums: Sequence[float]) -> Cell:
    clusters, n, total, nn, nt, tt, changed = sums
    return Cell(Moments(int(clusters), int(n), total, nn, nt, tt), int(changed))
