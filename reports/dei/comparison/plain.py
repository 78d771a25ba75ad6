"""A comparison as plain data for other programs: what `compare.json` holds."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from reports.dei.comparison.answer import verdict

if TYPE_CHECKING:
    from reports.dei.comparison.effects import Compared, Comparison, Level, Swept
    from simlab.stats.equivalence import Verdict
    from simlab.stats.intervals import Estimate


def plain(made: Comparison) -> dict[str, Any]:
    """Everything that was found; shares are fractions, what isn't known is null."""
    manifest = made.basis.manifest
    return {
        "name": manifest["name"],
        "hash": manifest["hash"],
        "band": made.basis.band,
        "base": made.basis.arms[0],
        "ended": _ended(made),
        "arms": [_compared(found) for found in made.compared],
        "sweeps": [_swept(found) for found in made.swept],
    }


def _ended(made: Comparison) -> dict[str, Any] | None:
    """How a run with `until` ended, as its manifest has it; null where `games` said when."""
    basis = made.basis
    if basis.until is None:
        return None
    told = ("met", "games", "most", "looks", "says")
    return {"until": basis.until} | {key: basis.ended.get(key) for key in told}


def _compared(found: Compared) -> dict[str, Any]:
    families = {
        name: [_level(level, None) for level in levels]
        for name, levels in found.families.items()
        if name not in found.verdicts
    }
    judged = {
        name: [
            _level(level, None if found.noise_alone else own)
            for level, own in zip(found.families[name], found.verdicts[name], strict=True)
        ]
        for name in found.verdicts
    }
    return {
        "arm": found.arm,
        "players": found.players,
        "games": found.pairs,
        "left_out": found.lost,
        "identical": found.identical,
        "verdict": verdict(found),
        **judged,
        **families,
    }


def _level(level: Level, own: Verdict | None) -> dict[str, Any]:
    effect = level.effect
    found = {
        "level": level.label,
        "base": _estimate(effect.base),
        "arm": _estimate(effect.arm),
        "change": _estimate(effect.difference),
        "all_at_once": [_number(level.together.low), _number(level.together.high)],
        "correlation": _number(effect.correlation),
        "variance_reduction": _number(effect.reduction),
        "differ": _number(effect.diverged.value),
    }
    if own is not None:
        found |= {"verdict": own.kind, "games_needed": _number(own.more)}
    return found


def _swept(found: Swept) -> dict[str, Any]:
    return {
        "sweep": found.name,
        "key": found.key,
        "players": found.players,
        "factions": {
            faction: {
                "values": list(response.doses),
                "changes": [_estimate(each) for each in response.effects],
                "shape": response.shape,
                "per_unit": _estimate(slope),
            }
            for faction, response, slope in zip(found.factions, found.responses, found.slopes, strict=True)
        },
    }


def _estimate(found: Estimate) -> dict[str, Any]:
    return {
        "value": _number(found.value),
        "se": _number(found.se),
        "low": _number(found.low),
        "high": _number(found.high),
        "n": found.n,
        "blocks": found.clusters,
    }


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None
