"""What a tuning comes to: weights as TOML with their provenance, and how they do on deals nobody has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simlab.stats.intervals import Estimate
from simlab.strategy import Strategy
from simlab.toml import dumps
from simlab.tuning.plan import Plan

_DIGITS = 4  # of a share in the provenance


@dataclass(frozen=True)
class Champion:
    """Weights that were better than all before them on validation deals, and by how much."""

    strategy: Strategy
    generation: int  # how many it took
    validation: Mapping[str, float]


@dataclass(frozen=True)
class Report:
    """One tuned seat against untuned ones, on deals used for nothing else, for each number of players."""

    shares: Mapping[int, Estimate]
    irregular: int


def weights_file(plan: Plan, champion: Champion, report: Report, games: int) -> str:
    """The weights that differ from the base's, and where they come from: no clock in it and no path."""
    tuning = plan.tuning
    old, new = tuning.base.weights, champion.strategy.weights
    changed = {tuning.base.weight_names[k]: new[k] for k in tuning.tuned if new[k] != old[k]}
    return dumps(
        {
            "name": name_of(plan),
            "says": f"{tuning.base.name} with tuned weights",
            "base": tuning.base.name,
            "weights": changed,
            "provenance": {
                "tuning": plan.hash,
                "seed": tuning.seed,
                "base_hash": plan.base_hash,
                "opponents": [strategy.name for strategy in tuning.opponents],
                "players": list(tuning.players),
                "packs": [_pack(experiment) for experiment in tuning.experiments],
                "rules_version": tuning.game.rules_version,
                "signature": plan.signature,
                "tuned": len(tuning.tuned),
                "population": tuning.population,
                "generations": tuning.generations,
                "champion_of_generation": champion.generation,
                "games": games,
                "validation": {key: round(value, _DIGITS) for key, value in champion.validation.items()},
                "report": [_row(players, found) for players, found in report.shares.items()],
                "versions": plan.versions,
            },
        }
    )


def name_of(plan: Plan) -> str:
    """What the tuned strategy is called."""
    return f"{plan.tuning.game.name}/{plan.tuning.name}"


def _pack(experiment: Any) -> dict[str, Any]:
    pack = experiment.settings.pack
    return {"name": pack.name, "version": pack.version, "hash": pack.hash}


def _row(players: int, found: Estimate) -> dict[str, Any]:
    return {
        "players": players,
        "games": found.n,
        "blocks": found.clusters,
        "win_share": round(found.value, _DIGITS),
        "low": round(found.low, _DIGITS),
        "high": round(found.high, _DIGITS),
        "level": found.level,
    }


def table(report: Report) -> list[tuple[str, ...]]:
    """The report in words, a heading first."""
    rows: list[tuple[str, ...]] = [("players", "games", "win share", "95 % interval", "equal share", "")]
    for players, found in report.shares.items():
        equal = 1 / players
        verdict = "better" if found.low > equal else "worse" if found.high < equal else "not shown to differ"
        interval = f"{100 * found.low:.1f}–{100 * found.high:.1f} %" if found.sure else "–"
        share = f"{100 * found.value:.1f} %"
        rows.append((str(players), f"{found.n:,}", share, interval, f"{100 * equal:.1f} %", verdict))
    return rows


def heading(plan: Plan, champion: Champion, report: Report) -> str:
    """What the table below it is about."""
    who = f"{name_of(plan)} (after generation {champion.generation})"
    lost = f"; {report.irregular:,} ended irregularly and count as lost" if report.irregular else ""
    return f"{who}, one seat against {plan.tuning.base.name} in all others, on unseen deals{lost}"
