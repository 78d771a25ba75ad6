"""What each thing is worth: to its users, a seat, by faction and by strategy, and which of all stand out."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from reports.dei import tallies
from reports.dei.basis import LEVEL
from reports.dei.knock_outs.families import BY_KIND, Family
from reports.dei.knock_outs.sums import Thing, again_at, knock_outs, things
from simlab.stats.discoveries import screen
from simlab.stats.intervals import EMPTY, mean, share
from simlab.stats.knock_outs import FEW, worths
from simlab.stats.paired import PairedMoments, effect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis
    from simlab.stats.discoveries import Screened
    from simlab.stats.intervals import Estimate
    from simlab.stats.knock_outs import Worth


@dataclass(frozen=True)
class Row:
    """One thing; `course`: share of users' games in which a choice differs, `turn`: the first such Turn."""

    thing: Thing
    users: int
    seats: int
    win: Worth
    supplies: Worth
    on_win: Screened
    on_supplies: Screened
    course: Estimate
    turn: Estimate
    by_faction: tuple[Estimate, ...]  # on win share among users
    by_strategy: tuple[Estimate, ...]

    @property
    def family(self) -> Family:
        """The kind of the thing."""
        return BY_KIND[self.thing.kind]

    @property
    def label(self) -> str:
        """Its name."""
        return self.thing.label

    @property
    def among_users(self) -> Estimate:
        """The effect on its users' win share, empty with too few blocks."""
        return _believed(self.win)

    @property
    def supplies_among_users(self) -> Estimate:
        """The same on their Supplies."""
        return _believed(self.supplies)

    @property
    def tested(self) -> bool:
        """Whether enough games are known for a claim."""
        return not isnan(self.win.p)

    @property
    def stands_out(self) -> bool:
        """Whether the screen claims that it changes who wins."""
        return self.on_win.stands_out


def _believed(worth: Worth) -> Estimate:
    return worth.users.difference if worth.enough else EMPTY


def rows(basis: Basis, players: int) -> tuple[Row, ...]:
    """All things of the games with so many players, kind by kind, each kind's best first."""
    return basis.once(("knock-outs", players), lambda: _rows(basis, players))


def _rows(basis: Basis, players: int) -> tuple[Row, ...]:
    known = things(basis, players)
    if not known:
        return ()
    sums = knock_outs(basis, players, known)
    win, supplies = worths(sums["win_share"], LEVEL, 1.0), worths(sums["supplies"], LEVEL)
    on_win, on_supplies = (
        screen([one.users.difference for one in on], [one.p for one in on], [thing.kind for thing in known])
        for on in (win, supplies)
    )
    again = again_at(basis, players, known)
    by_faction = _by(basis, players, known, "faction", basis.factions)
    by_strategy = _by(basis, players, known, "strategy", basis.strategies)
    found = [
        Row(
            thing, int(again["users"][:, k].sum()), int(sums["win_share"].seats[:, k].sum()), win[k],
            supplies[k], on_win[k], on_supplies[k], share(again.moments("parted", "users", k), LEVEL),
            mean(again.moments("turns", "parted", k), LEVEL), by_faction[k], by_strategy[k],
        )
        for k, thing in enumerate(known)
    ]  # fmt: skip
    kinds = list(BY_KIND)
    return tuple(sorted(found, key=lambda row: (kinds.index(row.thing.kind), _last_unless_known(row))))


def _last_unless_known(row: Row) -> tuple[bool, float]:
    return (not row.among_users.known, -row.among_users.value if row.among_users.known else -row.users)


def _by(
    basis: Basis, players: int, known: Sequence[Thing], column: str, levels: Sequence[str]
) -> list[tuple[Estimate, ...]]:
    """The effect among users at each level of a column, by thing."""
    found = [again_at(basis, players, known, f"{column} = {tallies.literal(level)}") for level in levels]
    return [tuple(_users_effect(each, k) for each in found) for k in range(len(known))]


def _users_effect(again: tallies.Grid, k: int) -> Estimate:
    users, had, gain, changed = (
        again[name][:, k] for name in ("users", "win_share", "win_share_gain", "changed")
    )
    found = effect(PairedMoments.of_blocks(users, had - gain, had, changed), LEVEL, 1.0).difference
    return found if found.clusters >= FEW else EMPTY
