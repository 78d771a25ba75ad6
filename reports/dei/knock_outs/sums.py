"""What games played again without a thing add up to, by cluster of blocks and thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import tallies
from reports.dei.knock_outs.families import BY_KIND, FAMILIES
from simlab.games.dei.rules import DENIED_BY, HANDICAP_SETS
from simlab.games.dei.vocabulary import COLOURS, DRONES, FACTIONS
from simlab.stats.knock_outs import KnockOuts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reports.dei.basis import Basis

Array = np.ndarray[Any, Any]
VALUES = ("win_share", "supplies")
PAIRED = "win_share IS NOT NULL"  # both games ended regularly
NAMED = "kind || '/' || thing"  # things of two kinds may have one name


@dataclass(frozen=True)
class Thing:
    """A thing that some seat used."""

    kind: str
    name: str

    @property
    def label(self) -> str:
        """As a reader knows it."""
        return BY_KIND[self.kind].label(self.name)

    @property
    def key(self) -> str:
        """As `NAMED` has it."""
        return f"{self.kind}/{self.name}"


def things(basis: Basis, players: int) -> list[Thing]:
    """Those that were taken from some seat with so many players, by kind, each in the rulebook's order."""
    _keep(basis)
    found = tallies.rows(
        basis.run, f"SELECT DISTINCT kind, thing FROM knock_out_sums WHERE players = {players} ORDER BY ALL"
    )
    place = {(f.kind, name): k for f in FAMILIES for k, name in enumerate(f.known)}
    kinds = [family.kind for family in FAMILIES]
    known = [Thing(*row) for row in found if row[0] in kinds]
    return sorted(
        known, key=lambda one: (kinds.index(one.kind), place.get((one.kind, one.name), 0), one.name)
    )


def knock_outs(basis: Basis, players: int, known: Sequence[Thing]) -> dict[str, KnockOuts]:
    """By value (win share, Supplies) the sums of each thing."""
    again, seats = again_at(basis, players, known), _seats(basis, players, known)
    return {
        value: KnockOuts(
            seats["n"], seats[value], again["users"], again[value], again[f"{value}_gain"], again["changed"],
            again[f"{value}_others"], again["others_changed"],
        )
        for value in VALUES
    }  # fmt: skip


def again_at(basis: Basis, players: int, known: Sequence[Thing], where: str = "true") -> tallies.Grid:
    """Sums (G, K) over the rows of the games played again, those of some seats only with `where`."""
    _keep(basis)
    totals = ", ".join(f"sum({name}) AS {name}" for name in _SUMS)
    return tallies.grid(
        basis.run,
        f"SELECT cluster, {NAMED} AS thing, {totals} FROM knock_out_sums "
        f"WHERE players = {players} AND {where} GROUP BY ALL",
        {"thing": [one.key for one in known]},
        basis.clusters(players),
    )


# A Feat that gives Supplies may change the result and no choice. (`differs` sees too that it isn't unlocked.)
_CHANGED = "(turn IS NOT NULL OR win_share <> win_share_without OR supplies <> supplies_without)"
_SUMS = {
    "users": "count(*) FILTER (used)",
    "changed": f"count(*) FILTER (used AND {_CHANGED})",
    "parted": "count(turn) FILTER (used)",
    "turns": "sum(turn) FILTER (used)",
    "others_changed": f"count(*) FILTER (NOT used AND {_CHANGED})",
    **{value: f"sum({value}) FILTER (used)" for value in VALUES},
    **{f"{value}_gain": f"sum({value} - {value}_without) FILTER (used)" for value in VALUES},
    **{f"{value}_others": f"sum({value} - {value}_without) FILTER (NOT used)" for value in VALUES},
}


def _keep(basis: Basis) -> None:
    """The sums by cluster, thing, faction and strategy, made once: no query below reads rows again."""
    totals = ", ".join(f"coalesce({sql}, 0)::DOUBLE AS {name}" for name, sql in _SUMS.items())
    basis.once(
        "knock-out sums",
        lambda: tallies.kept(
            basis.run,
            "knock_out_sums",
            f"SELECT {basis.group} AS cluster, players, kind, thing, faction, strategy, {totals} "
            f"FROM knock_outs WHERE {PAIRED} GROUP BY ALL",
        ),
    )


def lost(basis: Basis, players: int) -> int:
    """Games played again that count for nothing, since one of the two ended irregularly."""
    query = f"SELECT count(*) FROM knock_outs WHERE players = {players} AND NOT ({PAIRED})"
    return int(tallies.rows(basis.run, query)[0][0])


def _seats(basis: Basis, players: int, known: Sequence[Thing]) -> dict[str, Array]:
    """Of the seats that could have used each thing (G, K): how many, their wins, their Supplies.

    Those whose game was lost when it was played again are left out here too.
    """
    denied = [_denied(basis, players, one) for one in known]
    free = {seats: _denominators(basis, players, seats) for seats in dict.fromkeys(denied)}
    each = [_of(free[seats], one) for seats, one in zip(denied, known, strict=True)]
    gone = tallies.grid(
        basis.run,
        f"SELECT s.{basis.group} AS cluster, {NAMED} AS thing, {_COUNTED} "
        f"FROM (SELECT game, seat, kind, thing FROM knock_outs WHERE NOT ({PAIRED})) AS k "
        f"JOIN seats AS s USING (game, seat) WHERE {tallies.counted('seats', players)} GROUP BY ALL",
        {"thing": [one.key for one in known]},
        basis.clusters(players),
    )
    return {name: np.stack([one[name] for one in each], axis=1) - gone[name] for name in ("n", *VALUES)}


_COUNTED = "count(*)::DOUBLE AS n, " + ", ".join(f"sum({value})::DOUBLE AS {value}" for value in VALUES)


def _denied(basis: Basis, players: int, thing: Thing) -> tuple[int, ...]:
    """The seats that a handicap keeps from using a thing anyway."""
    key = DENIED_BY[thing.kind]
    by_seat = basis.experiment.get("handicaps", {}).get(key, ())[:players]
    return tuple(
        seat for seat, each in enumerate(by_seat) if (thing.name in each if key in HANDICAP_SETS else each)
    )


Denominators = dict[str, "Callable[[str], Mapping[str, Array]]"]


def _of(find: Denominators, thing: Thing) -> Mapping[str, Array]:
    return find[thing.kind if thing.kind in find else ""](thing.name)


def _denominators(basis: Basis, players: int, denied: Sequence[int]) -> Denominators:
    """By kind: from a thing to the sums (G) of the seats that could have used it; "": every seat.

    Seats that are `denied` it couldn't have.
    """
    clusters = basis.clusters(players)
    free = "".join(f" AND seat <> {seat}" for seat in denied)

    def counted(levels: Mapping[str, Sequence[Any]], columns: str = "", table: str = "seats") -> tallies.Grid:
        query = f"SELECT {basis.group} AS cluster, {columns}{_COUNTED} FROM {table} "
        query += f"WHERE {tallies.counted('seats', players)}{free} GROUP BY ALL"
        return tallies.grid(basis.run, query, levels, clusters)

    every, factions = counted({}), counted({"faction": basis.factions}, "faction, ")
    present = "seats JOIN (SELECT game, faction AS present FROM seats) USING (game)"
    beside = counted({"present": basis.factions}, "present, ", present)
    feats = BY_KIND["feat"].known
    dealt = [counted({"feat": feats}, f"feat_{colour} AS feat, ") for colour in COLOURS]
    feat_sums = {key: np.sum([colour[key] for colour in dealt], axis=0) for key in every.sums}
    return {
        "": lambda _: every.sums,
        "drone": lambda name: _at(beside.sums, basis.factions.index(FACTIONS[DRONES.index(name)])),
        "leader": lambda name: _at(factions.sums, basis.factions.index(name)),
        "feat": lambda name: _at(feat_sums, feats.index(name)),
    }


def _at(sums: Mapping[str, Array], k: int) -> dict[str, Array]:
    return {name: values[:, k] for name, values in sums.items()}
