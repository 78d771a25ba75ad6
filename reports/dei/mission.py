"""Which Missions are done, in time or late, and what they give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reports.dei import examples, tallies, usage
from reports.dei.basis import LEVEL, RARE, title, titles
from reports.document import Cell, Column, Dot, Dots, Figure, Heat, Kind, Part, Section, Table
from simlab.games.dei.vocabulary import MISSION_KINDS
from simlab.stats.differences import against_rest
from simlab.stats.intervals import mean, share

if TYPE_CHECKING:
    from reports.dei.basis import Basis
    from reports.dei.usage import Use

WHAT = (
    "Two Missions lie in the column of each Turn, and a player can complete one of the two: on time, for the "
    "upper value, until the end of that Turn, late for the lower. So 50 % is what a Mission as good as its "
    "neighbour is completed by."
)
READING = (
    "Of the players in whose game the Mission lay; Supplies: the mean of those who completed it. Win share: "
    "of those who completed it, an **association**: it also says who comes to complete which Mission."
)
PRESENCE = (
    "Missions are dealt at random, so this is an **effect** of the Mission's lying there: the faction's win "
    "share in games with it less that in games without, in points. Orange: more, blue: less."
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
        findings.append(_finding(used))
        parts += [
            _figure(basis, used, players),
            _table(basis, found, kinds, players),
            *_presence(basis, kinds, players),
            *examples.of_missions(basis, used, players),
        ]
    return Section("Missions", tuple(parts), basis.headline(findings)) if findings else None


def completed(basis: Basis, players: int) -> tuple[Use, ...]:
    """How often each Mission is completed, of the players who could."""
    if not basis.has("missions"):
        return ()
    found = _sums(basis, players)
    kinds = _dealt(found)
    return usage.uses(
        [label(MISSION_KINDS[k]) for k in kinds], [found.moments("done", "seats", k) for k in kinds]
    )


def _dealt(found: tallies.Grid) -> list[int]:
    return [k for k in range(len(MISSION_KINDS)) if found["seats"][:, k].any()]


def label(kind: str) -> str:
    """A kind of Mission in words."""
    return kind.replace("_", " ").capitalize()


def _sums(basis: Basis, players: int) -> tallies.Grid:
    """By cluster and kind: `seats` of games in which it lay, of them `done`, on time, late; and Supplies."""
    return basis.once(("missions", players), lambda: _summed(basis, players))


def _summed(basis: Basis, players: int) -> tallies.Grid:
    lay = (
        f"SELECT {basis.group} AS cluster, mission, sum(times * games) AS dealt, "
        f"{players} * sum(times * games) AS seats FROM {_lying(basis)} JOIN (SELECT block, max(n) AS games "
        f"FROM {basis.by_block} WHERE players = {players} GROUP BY block) USING (block) GROUP BY ALL"
    )
    done = (
        f"SELECT {basis.group} AS cluster, mission, count(seat) AS done, "
        "count(seat) FILTER (on_time) AS early, count(seat) FILTER (NOT on_time) AS late, "
        "sum(supplies) FILTER (on_time) AS gave_early, sum(supplies) FILTER (NOT on_time) AS gave_late, "
        "count(*) FILTER (seat = winner_seat) AS won "
        "FROM missions JOIN (SELECT game, winner_seat FROM games "
        f"WHERE {tallies.counted('games', players)}) USING (game) GROUP BY ALL"
    )
    kinds, clusters = {"mission": MISSION_KINDS}, basis.clusters(players)
    dealt, completed_ = (tallies.grid(basis.run, query, kinds, clusters) for query in (lay, done))
    return tallies.Grid({**dealt.sums, **completed_.sums})


def _lying(basis: Basis) -> str:
    """A table made once: by block and kind, how many Missions of it lie there, the same in all its games."""

    def make() -> str:
        each = (
            "SELECT DISTINCT block, mission, column_turn, position FROM missions "
            "WHERE game IN (SELECT min(game) FROM games GROUP BY block)"
        )
        query = f"SELECT block, mission, count(*) AS times FROM ({each}) GROUP BY block, mission"
        tallies.kept(basis.run, "missions_lying", query)
        return "missions_lying"

    return basis.once("missions lying", make)


def _figure(basis: Basis, used: tuple[Use, ...], players: int) -> Figure:
    ranked = sorted(used, key=lambda use: -use.taken.value)
    dots = tuple(Dot(use.label, use.taken, None, bool(use.extreme)) for use in ranked)
    plot = Dots(dots, Kind.SHARE, "Completed by so many of the players, %", 0.5)
    return Figure("Which Missions are completed" + basis.at(players), plot)


def _table(basis: Basis, found: tallies.Grid, kinds: list[int], players: int) -> Table:
    columns = (
        Column("Mission", Kind.TEXT),
        Column("Lay there", Kind.COUNT),
        Column("On time", Kind.SHARE),
        Column("Late", Kind.SHARE),
        Column("Never", Kind.SHARE),
        Column("Supplies on time", Kind.AMOUNT),
        Column("Supplies late", Kind.AMOUNT),
        Column("Win share", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    never = tallies.Grid({**found.sums, "never": found["seats"] - found["done"]})
    for k in kinds:
        shares = (share(never.moments(name, "seats", k), LEVEL) for name in ("early", "late", "never"))
        gains = (mean(found.moments(f"gave_{when}", when, k), LEVEL) for when in ("early", "late"))
        won = share(found.moments("won", "done", k), LEVEL)
        rows.append((label(MISSION_KINDS[k]), int(found["dealt"][:, k].sum()), *shares, *gains, won))
    return Table(columns, tuple(rows), "Missions" + basis.at(players), READING)


def _presence(basis: Basis, kinds: list[int], players: int) -> list[Part]:
    """What a Mission's lying there does to the win share of each faction."""
    names = [MISSION_KINDS[k] for k in kinds]
    query = (
        f"SELECT {basis.group} AS cluster, mission, faction, sum(n) AS n, sum(wins) AS wins FROM "
        f"{_lying(basis)} JOIN {basis.by_block} USING (block) "
        f"WHERE players = {players} GROUP BY ALL"
    )
    whole = (
        f"SELECT {basis.group} AS cluster, faction, sum(n) AS n, sum(wins) AS wins FROM {basis.by_block} "
        f"WHERE players = {players} GROUP BY ALL"
    )
    clusters, factions = basis.clusters(players), {"faction": basis.factions}
    there = tallies.grid(basis.run, query, {"mission": names, **factions}, clusters)
    all_games = tallies.grid(basis.run, whole, factions, clusters)
    by_faction = []
    for f in range(len(basis.factions)):
        n, wins = there["n"][:, :, f], there["wins"][:, :, f]
        without = (all_games[name][:, f, np.newaxis] for name in ("n", "wins"))
        rest_n, rest_wins = (total - own for total, own in zip(without, (n, wins), strict=True))
        by_faction.append(against_rest(n, wins, rest_n, rest_wins, LEVEL)[0])
    cells = tuple(zip(*by_faction, strict=True))
    labels = tuple(map(label, names))
    heading = "Effect of a Mission's lying there on win share by faction" + basis.at(players)
    heat = Heat(labels, tuple(titles(basis.factions)), cells, Kind.GAIN, 0.0)
    columns = (Column("Mission", Kind.TEXT), *(Column(title(f), Kind.GAIN) for f in basis.factions))
    rows = tuple((name, *row) for name, row in zip(labels, cells, strict=True))
    return [Figure(heading, heat, PRESENCE), Table(columns, rows, heading)]


def _finding(used: tuple[Use, ...]) -> str:
    dead = usage.of(used, usage.DEAD)
    if dead:
        return f"{dead[0].label} is completed by less than {100 * RARE:g} % of the players"
    most, least = (pick(used, key=lambda use: use.taken.value) for pick in (max, min))
    shares = [f"{100 * use.taken.value:.0f} %" for use in (most, least)]
    return (
        f"{most.label} is completed most, by {shares[0]} of the players, {least.label} least, by {shares[1]}"
    )
