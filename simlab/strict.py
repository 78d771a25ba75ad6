"""`simlab run --strict`: a run that stops at the first game that a strategy spoils, and says all about it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from simlab import results
from simlab.errors import RunError
from simlab.failures import Spoilt, StrategyFailed
from simlab.workers import play_batches

if TYPE_CHECKING:
    from simlab.plan import Plan


def refuse(plan: Plan, spoilt: Sequence[Spoilt]) -> None:
    """Raise StrategyFailed for the first of some spoilt games, if there are any."""
    if not spoilt:
        return
    first = min(spoilt, key=lambda each: each.game)
    if not first.account:  # what is known of it is what the tables hold
        again = _again(plan, first.game)
        if again is None:
            raise RunError(
                f"{first.strategy} failed in game {first.game} (seed {plan.experiment.seed}), but not when "
                "that game was played again, so it doesn't choose by its arguments alone"
            )
        first = again
    raise StrategyFailed(f"{first} (seed {plan.experiment.seed})", first.account)


def refuse_held(plan: Plan, parts: results.Parts) -> None:
    """The same for games that were played before."""
    if not parts:
        return
    stored = results.Run(plan.folder, {}, results.files_of(plan.folder, plan.tables, parts))
    found = stored.sql(
        "SELECT game, decisions, strategy FROM games JOIN seats USING (game) "
        "WHERE seat = ending_seat ORDER BY game LIMIT 1"
    ).fetchall()
    named = zip((strategy.name for strategy in plan.strategies), plan.experiment.strategies, strict=True)
    names = dict(named)
    refuse(plan, [Spoilt(game, decision, names[strategy], "") for game, decision, strategy in found])


def _again(plan: Plan, game: int) -> Spoilt | None:
    """One game played again through the plain loop: what is known of its failure, None if it has none."""
    batch = plan.batch(plan.design.row_of(game), in_full=True)
    with closing(play_batches([batch], 1)) as played:
        return next((spoilt for done in played for spoilt in done.spoilt), None)
