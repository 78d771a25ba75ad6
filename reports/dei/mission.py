"""Which Missions are done, in time or late, what they give, what they do to whom, and what was given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, mission_done, mission_effects, regret, tallies, usage
from reports.dei.basis import LEVEL, RARE
from reports.document import Cell, Column, Dot, Dots, Figure, Kind, Part, Section, Table
from simlab.games.dei.vocabulary import MISSION_KINDS
from simlab.stats.intervals import mean, share

if TYPE_CHECKING:
    from reports.dei.basis import Basis
    from reports.dei.usage import Use

WHAT = (
    "Two Missions lie in the column of each Turn, and a player can complete one of the two: on time, for the "
    "upper value, until the end of that Turn, late for the lower. So 50 % is what a Mission as good as its "
    "neighbour is completed by."
)
WHEN = "Of the players in whose game the Mission lay."
GAINS = (
    "On time, late: the mean Supplies of those who completed it so. Win share: of those who completed it, an "
    "**association**: it also says who comes to complete which Mission."
)
BY_COLUMN = (
    "Of the players in whose game the Mission lay in the column of that Turn, on time or late. Which column "
    "it lies in is chance, so differences along a row are what the column does."
)


def build(basis: Basis) -> Section | None:
    """A figure and a table a player count; nothing without Missions."""
    if not basis.has("missions"):
        return None
    parts: list[Part] = [WHAT]
    findings = []
    for players in basis.players:
        found = _sums(basis, players)
        kinds = _dealt(found)
        if not kinds:
            continue
        used = completed(basis, players)
        names, labels = [MISSION_KINDS[k] for k in kinds], [label(MISSION_KINDS[k]) for k in kinds]
        findings.append(_finding(used))
        parts += [
            _figure(basis, used, players),
            _when(basis, found, kinds, players),
            _gains(basis, found, kinds, players),
            _by_column(basis, kinds, players),
            *mission_effects.parts(basis, players, names, labels),
            *regret.parts(basis, players, names, labels),
            *examples.of_missions(basis, used, players),
        ]
    return Section("Missions", tuple(parts), basis.headline(findings)) if findings else None


def completed(basis: Basis, players: int) -> tuple[Use, ...]:
    """How often each Mission is completed, of the players who could."""
    if not basis.has("missions"):
        return ()
    found = _sums(basis, players)
    kinds = _dealt(found)
    named, done = [label(MISSION_KINDS[k]) for k in kinds], [found.moments("done", "seats", k) for k in kinds]
    return usage.uses(basis, players, named, done)


def _dealt(found: tallies.Grid) -> list[int]:
    return [k for k in range(len(MISSION_KINDS)) if found["seats"][:, k].any()]


def label(kind: str) -> str:
    """A kind of Mission in words."""
    return kind.replace("_", " ").capitalize()


def _sums(basis: Basis, players: int) -> tallies.Grid:
    """By cluster and kind: `seats` of games in which it lay, of them `done`, on time, late; and Supplies."""
    return basis.once(("missions", players), lambda: _summed(basis, players))


def _summed(basis: Basis, players: int) -> tallies.Grid:
    lay = _seats_query(basis, players, mission_effects.lying(basis), "mission", "times")
    kinds = {"mission": MISSION_KINDS}
    dealt = tallies.grid(basis.run, lay, kinds, basis.clusters(players))
    return tallies.Grid({**dealt.sums, **mission_done.done(basis, players, kinds).sums})


def _placed(basis: Basis, players: int) -> tallies.Grid:
    """By cluster, kind and column: `seats` of games in which it lay there, of them `done`."""
    lay = _seats_query(basis, players, mission_effects.places(basis), "mission, column_turn", "1")
    levels = {"mission": MISSION_KINDS, "column_turn": mission_effects.turns(basis)}
    dealt = tallies.grid(basis.run, lay, levels, basis.clusters(players))
    return tallies.Grid({**dealt.sums, **mission_done.done(basis, players, levels).sums})


def _seats_query(basis: Basis, players: int, table: str, by: str, times: str) -> str:
    """SQL for the Missions of a table by block: how many were `dealt`, and to how many `seats`."""
    return (
        f"SELECT {basis.group} AS cluster, {by}, sum({times} * games) AS dealt, "
        f"{players} * sum({times} * games) AS seats FROM {table} JOIN (SELECT block, max(n) AS games "
        f"FROM {basis.by_block} WHERE players = {players} GROUP BY block) USING (block) GROUP BY ALL"
    )


def _figure(basis: Basis, used: tuple[Use, ...], players: int) -> Figure:
    ranked = sorted(used, key=lambda use: -use.taken.value)
    dots = tuple(Dot(use.label, use.taken, None, bool(use.extreme)) for use in ranked)
    plot = Dots(dots, Kind.SHARE, "Completed by so many of the players, %", 0.5)
    return Figure("Which Missions are completed" + basis.at(players), plot)


def _when(basis: Basis, found: tallies.Grid, kinds: list[int], players: int) -> Table:
    columns = (
        Column("Mission", Kind.TEXT),
        Column("Lay there", Kind.COUNT),
        Column("On time", Kind.SHARE),
        Column("Late", Kind.SHARE),
        Column("Never", Kind.SHARE),
    )
    never = tallies.Grid({**found.sums, "never": found["seats"] - found["done"]})
    rows: list[tuple[Cell, ...]] = []
    for k in kinds:
        shares = (share(never.moments(name, "seats", k), LEVEL) for name in ("early", "late", "never"))
        rows.append((label(MISSION_KINDS[k]), int(found["dealt"][:, k].sum()), *shares))
    return Table(columns, tuple(rows), "Missions" + basis.at(players), WHEN)


def _gains(basis: Basis, found: tallies.Grid, kinds: list[int], players: int) -> Table:
    columns = (
        Column("Mission", Kind.TEXT),
        Column("Completed", Kind.COUNT),
        Column("On time", Kind.AMOUNT),
        Column("Late", Kind.AMOUNT),
        Column("Win share", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    for k in kinds:
        gains = (mean(found.moments(f"gave_{when}", when, k), LEVEL) for when in ("early", "late"))
        won = share(found.moments("won", "done", k), LEVEL)
        rows.append((label(MISSION_KINDS[k]), int(found["done"][:, k].sum()), *gains, won))
    return Table(columns, tuple(rows), "What Missions give" + basis.at(players), GAINS)


def _by_column(basis: Basis, kinds: list[int], players: int) -> Table:
    """How often each Mission is completed, by the column that it lies in."""
    found, turns = _placed(basis, players), mission_effects.turns(basis)
    columns = (Column("Mission", Kind.TEXT), *(Column(f"Turn {turn}", Kind.SHARE) for turn in turns))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            label(MISSION_KINDS[k]),
            *(share(found.moments("done", "seats", k, t), LEVEL) for t in range(len(turns))),
        )
        for k in kinds
    )
    return Table(columns, rows, "How often a Mission is completed, by column" + basis.at(players), BY_COLUMN)


def _finding(used: tuple[Use, ...]) -> str:
    dead = usage.of(used, usage.DEAD)
    if dead:
        return f"{dead[0].label} is completed by less than {100 * RARE:g} % of the players"
    most, least = (pick(used, key=lambda use: use.taken.value) for pick in (max, min))
    shares = [f"{100 * use.taken.value:.0f} %" for use in (most, least)]
    return (
        f"{most.label} is completed most, by {shares[0]} of the players, {least.label} least, by {shares[1]}"
    )
