"""The Missions that were completed, read once: what all tables about them add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.dei import tallies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.dei.basis import Basis

# what is added up, and of what; the second half where the tables know it
SUMS = {
    "done": "count(*)",
    "early": "count(*) FILTER (on_time)",
    "late": "count(*) FILTER (NOT on_time)",
    "gave_early": "sum(supplies) FILTER (on_time)",
    "gave_late": "sum(supplies) FILTER (NOT on_time)",
    "won": "count(*) FILTER (seat = winner_seat)",
}
REGRETS = {
    "best": "count(*) FILTER (best_now = supplies)",
    "regret": "sum(best_now - supplies)",
    "early_regret": "sum(best_now - supplies) FILTER (on_time)",
    "late_regret": "sum(best_now - supplies) FILTER (NOT on_time)",
}


def knows_regret(basis: Basis) -> bool:
    """Whether the run's tables say what Missions not taken would have given."""
    query = "SELECT column_name FROM (DESCRIBE missions)"
    return basis.once("knows regret", lambda: ("best_now",) in tallies.rows(basis.run, query))


def done(basis: Basis, players: int, levels: Mapping[str, Sequence[Any]]) -> tallies.Grid:
    """Missions completed, by cluster and some of mission, column_turn, turn, faction and strategy.

    `done` of them, `early` and `late`, the Supplies they gave, `won` by the winner; and where the tables know
    it, how many were the `best` open to the player and what was given up (`regret`).
    """
    by, names = ", ".join(levels), [*SUMS, *(REGRETS if knows_regret(basis) else ())]
    sums = ", ".join(f"sum({name}) AS {name}" for name in names)
    query = f"SELECT cluster, {by}, {sums} FROM {_table(basis, players)} GROUP BY ALL"
    return tallies.grid(basis.run, query, levels, basis.clusters(players))


def _table(basis: Basis, players: int) -> str:
    """A table made once, far shorter than that of Missions where clusters are groups of blocks."""

    def make() -> str:
        name = f"missions_done_{players}"
        sums = SUMS | (REGRETS if knows_regret(basis) else {})
        told = ", ".join(f"({of})::INTEGER AS {name}" for name, of in sums.items())  # sums take 16 bytes
        several = len(basis.strategies) > 1
        strategy = "strategy" if several else f"{tallies.literal(basis.strategies[0])} AS strategy"
        who = " JOIN (SELECT game, seat, strategy FROM seats) USING (game, seat)" if several else ""
        tallies.kept(
            basis.run,
            name,
            f"SELECT {basis.group} AS cluster, mission, column_turn, turn, faction, {strategy}, {told} "
            f"FROM missions{who} JOIN (SELECT game, winner_seat FROM games "
            f"WHERE {tallies.counted('games', players)}) USING (game) WHERE seat IS NOT NULL GROUP BY ALL",
        )
        return name

    return basis.once(("missions done", players), make)
