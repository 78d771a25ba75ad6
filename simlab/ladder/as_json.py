"""A ladder as JSON: plain data in fixed order, numbers rounded to what no machine disagrees about."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

from simlab.ladder.meetings import CONTESTS

if TYPE_CHECKING:
    from simlab.ladder.games import Games
    from simlab.ladder.ladder import Ladder
    from simlab.ladder.rating import Order, Pair, Rating, Step
    from simlab.stats.intervals import Estimate

FORMAT = 1
DIGITS = 6  # that count


def as_json(ladder: Ladder) -> str:
    """The text of `ladder.json`; docs/ladder.md says what its keys mean."""
    experiment, names = ladder.asked.experiment, ladder.names
    pack, *sampled = (_order(order, names) for order in ladder.orders)
    content = {
        "format": FORMAT,
        "name": experiment.name,
        "digest": ladder.digest,
        "experiment": experiment.resolved() | {"ladder": ladder.asked.keys.written()},
        "strategies": [{"name": each.name, "says": each.says} for each in ladder.asked.strategies],
        "own_pack": pack,
        "sampled_packs": sampled,
        "contests": [_contest(each, names) for each in ladder.games],
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _order(order: Order, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "pack": order.pack,
        "verdict": order.kind,
        "order": [names[k] for k in order.order],
        "ratings": [_rating(each, names) for each in order.ratings],
        "steps": [_step(each, names) for each in order.steps],
        "pairs": [_pair(each, names) for each in order.pairs],
    }


def _rating(rating: Rating, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "strategy": names[rating.strategy],
        "rating": _estimate(rating.overall),
        "by_players": {str(players): _estimate(found) for players, found in rating.by_players.items()},
        "share_among_the_others": _estimate(rating.among),
    }


def _step(step: Step, names: tuple[str, ...]) -> dict[str, Any]:
    pair = step.pair
    members = {"higher": names[pair.higher], "lower": names[pair.lower]}
    return members | {"verdict": pair.kind, "more_games": number(step.more)}


def _pair(pair: Pair, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "higher": names[pair.higher],
        "lower": names[pair.lower],
        "win_share": _estimate(pair.alone),
        "all_at_once": [number(pair.together.low), number(pair.together.high)],
        "expected": number(pair.expected),
    }


def _contest(games: Games, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "players": games.meeting.players,
        "pack": games.pack,
        "strategies": [names[k] for k in games.meeting.members],
        "games": games.played,
        "finished": len(games.block),
        "folder": f"{CONTESTS}/{games.plan.folder.name}",
        "hash": games.plan.hash,
        "digest": games.digest,
    }


def _estimate(found: Estimate) -> dict[str, Any]:
    """An end that is None is open; a value that is None is infinite or not known."""
    return {
        "value": number(found.value),
        "se": number(found.se),
        "low": number(found.low),
        "high": number(found.high),
        "blocks": found.clusters,
    }


def number(x: float) -> float | None:
    """Rounded to DIGITS; what isn't known or has no end is None."""
    return float(f"{x:.{DIGITS}g}") + 0.0 if isfinite(x) else None
