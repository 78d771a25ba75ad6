"""Playing the games of a part under every arm, and only those that an arm can change.

An arm that changes one card can make no difference in a game in which nobody ever saw it. Where every
strategy looks at nothing but what is in play (`Strategy.looks_in_play_only`) and the game can tell from the
base's logs, such games aren't played: they end as the base's did. One block in 64 of them is played all the
same and must come out alike, byte by byte, or the run fails: a strategy that says so falsely is found out.
An arm whose strategies have another noise (`noise`) can change any game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simlab.errors import RunError
from simlab.game import Game, Settings
from simlab.strategy import Strategy
from simlab.wording import shown

SAMPLE = 64  # one block in so many is played where nothing can differ; by its deal's key

Rows = np.ndarray[Any, Any]


def tables_by_arm(
    game: Game,
    settings: Sequence[Settings],
    schedule: Rows,
    strategies: Sequence[Strategy],
    logs: Callable[[int, Rows], Any],
) -> dict[str, Any]:
    """The tables of a part's games, arm after arm; `logs(arm, rows)` gives what those rows of it left."""
    import pyarrow as pa

    made = []
    for arm, own in enumerate(settings):
        rows = schedule[schedule["arm"] == arm]
        made.append(game.tables_of(own, rows, strategies, logs(arm, rows)))
    if len(made) == 1:
        return made[0]
    return {table: pa.concat_tables([each[table] for each in made]) for table in made[0]}


class ArmPlayer:
    """Plays arm after arm of a part with compiled strategies, the base first."""

    def __init__(
        self,
        game: Game,
        settings: Sequence[Settings],
        strategies: Sequence[Strategy],
        checkpoint: Callable[[], None],
    ) -> None:
        self._game, self._settings, self._strategies = game, settings, strategies
        self._checkpoint = checkpoint
        self._base: tuple[Rows, Any] | None = None
        self._can_skip = game.may_bite is not None and all(s.looks_in_play_only for s in strategies)

    @property
    def base_logs(self) -> Any:
        """The logs of the base's games, once they are played."""
        assert self._base is not None
        return self._base[1]

    def logs(self, arm: int, rows: Rows) -> Any:
        """The logs of an arm's games."""
        if self._base is None or not self._can_skip:
            played = self._play(arm, rows)
            if arm == 0:
                self._base = rows, played
            return played
        base_rows, base_logs = self._base
        assert self._game.may_bite is not None
        bites = self._game.may_bite(self._settings[0], self._settings[arm], base_rows, base_logs)
        bites = bites | (rows["strategy_key"] != base_rows["strategy_key"])
        sampled = ~bites & (base_rows["deal_key"] % SAMPLE == 0)
        again = bites | sampled
        logs = base_logs.copy()
        if again.any():
            logs[again] = self._play(arm, rows[again])
        self._check(arm, rows, sampled, base_logs, logs)
        return logs

    def _play(self, arm: int, rows: Rows) -> Any:
        return self._game.play(self._settings[arm], rows, self._strategies, self._checkpoint)

    def _check(self, arm: int, rows: Rows, sampled: Rows, base: Any, found: Any) -> None:
        for place in np.flatnonzero(sampled):
            if base[place].tobytes() != found[place].tobytes():
                names = " or ".join(shown(strategy.name) for strategy in self._strategies)
                raise RunError(
                    f"arm {arm} changes game {int(rows['game'][place])}, in which nothing of what it changes"
                    f" was in play: {names} looks at what isn't (looks_in_play_only)"
                )
