"""The games of a ladder's contests, read back: who had which place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlab import results
from simlab.errors import ResultsError
from simlab.ladder.meetings import Meeting
from simlab.plan import Plan
from simlab.wording import place


@dataclass(frozen=True, eq=False)
class Games:
    """The finished games of a contest; n games, P seats.

    `strategy`, `place` (1 first) and `won` (share of the win) are (n, P); `block` is (n,), the same number
    being the same deal in all contests with P players and that pack. `played` counts all games, finished or
    not, and `digest` covers them.
    """

    meeting: Meeting
    strategy: np.ndarray[Any, Any]
    place: np.ndarray[Any, Any]
    won: np.ndarray[Any, Any]
    block: np.ndarray[Any, Any]
    played: int
    digest: str
    plan: Plan

    @property
    def pack(self) -> str:
        """The name of the pack."""
        return str(self.plan.experiment.settings.pack.name)


def games(meeting: Meeting, plan: Plan, names: Sequence[str]) -> Games:
    """Read a contest that was played: as many games as were asked for, even if the folder holds more."""
    stored = results.open_run(plan.folder)
    wanted = plan.experiment.games
    played, digest = stored.sql(
        f"SELECT count(*), sum(game_hash::HUGEINT) FROM games WHERE game < {wanted}"
    ).fetchall()[0]
    found = _finished(stored, wanted, names)
    shape = (-1, meeting.players)
    return Games(
        meeting=meeting,
        strategy=found["member"].astype(np.int64).reshape(shape),
        place=found["place"].astype(np.int64).reshape(shape),
        won=found["won"].astype(np.float64).reshape(shape),
        block=found["block"].astype(np.int64).reshape(shape)[:, 0],
        played=played,
        digest=f"{int(digest) % 2**64:016x}",
        plan=plan,
    )


def _finished(stored: results.Run, wanted: int, names: Sequence[str]) -> dict[str, Any]:
    import duckdb

    query = (
        "SELECT block, list_position(?, strategy::VARCHAR) - 1 AS member, place, win_share AS won FROM seats"
        f" WHERE game < {wanted} AND win_share IS NOT NULL ORDER BY game, seat"
    )
    try:
        found = stored.connection.execute(query, [list(names)]).fetchnumpy()
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise ResultsError(f"{place(stored.path)} lacks something that a ladder needs: {reason}") from None
    return {name: np.ma.getdata(column) for name, column in found.items()}
