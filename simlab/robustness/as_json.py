"""What was found about unknown data as JSON: plain data in fixed order, numbers rounded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from simlab.ladder.as_json import number
from simlab.stats.equivalence import SIDES, side

if TYPE_CHECKING:
    from simlab.robustness.findings import Finding
    from simlab.robustness.outcomes import Judged, Subject
    from simlab.robustness.robustness import Robustness
    from simlab.robustness.screen import Screen, Screened, Stage
    from simlab.stats.components import Component
    from simlab.stats.intervals import Estimate
    from simlab.stats.screening import Moved

FORMAT = 1


def plain(found: Robustness, screen: Screen | None) -> dict[str, Any]:
    """The content of `robust.json`; docs/robust.md says what its keys mean."""
    experiment = found.asked.experiment
    return {
        "format": FORMAT,
        "name": experiment.name,
        "digest": found.digest,
        "experiment": experiment.resolved(),
        "pack": {
            "name": experiment.settings.pack.name,
            "share_assumed": experiment.settings.pack.share_assumed,
        },
        "sampled_packs": {"seed": experiment.seed, "names": list(found.names)},
        "strategies": [list(way.strategies) for way in found.asked.ways],
        "games": {
            "played": sum(each.played for each in found.everything),
            "ended_irregularly": sum(each.lost for each in found.everything),
        },
        "subjects": [_finding(each) for each in found.findings],
        "screen": None if screen is None else _screen(screen),
    }


def as_json(found: Robustness, screen: Screen | None) -> str:
    """The text of `robust.json`."""
    return json.dumps(plain(found, screen), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _finding(found: Finding) -> dict[str, Any]:
    parts, sides = found.parts, found.sides
    return {
        **_subject(found.subject),
        "own_pack": _judged(found.own[0]),
        "holds": None if found.holds is None else _estimate(found.holds),
        "contradicted": found.contradicted,
        "packs": {word: _estimate(found.share(word)) for word in SIDES},
        "by_strategies": [
            {
                "own_pack": _judged(own),
                "packs": {word: sum(side(each.verdict) == word for each in there) for word in SIDES},
            }
            for own, there in zip(found.own, found.packs, strict=True)
        ],
        "mean": parts and _estimate(parts.mean),
        "simulation": parts and number(parts.simulation),
        "data": parts and _component(parts.data),
        "play": parts and _component(parts.play),
        "both": parts and _component(parts.both),
        "with_endless_games": sides
        and {
            "within": _estimate(sides.within),
            "above": _estimate(sides.above),
            "below": _estimate(sides.below),
        },
        "by_pack": [[_judged(each) for each in there] for there in found.packs],
    }


def _subject(subject: Subject) -> dict[str, Any]:
    named = {"players": subject.players, subject.kind: subject.level}
    return named | ({"arm": subject.arm} if subject.arm else {})


def _judged(judged: Judged) -> dict[str, Any]:
    return {"verdict": side(judged.verdict), **_estimate(judged.estimate)}


def _component(found: Component | None) -> dict[str, Any] | None:
    if found is None:
        return None
    deviation = found.deviation()
    return {"value": number(deviation.value), "low": number(deviation.low), "high": number(deviation.high)}


def _estimate(found: Estimate) -> dict[str, Any]:
    return {name: number(getattr(found, name)) for name in ("value", "se", "low", "high")}


def _screen(screen: Screen) -> dict[str, Any]:
    return {
        "trajectories": screen.trajectories,
        "subjects": [_subject(subject) for subject in screen.subjects],
        "assumed_values": screen.values,
        "look_up_first": [each.input.label for each in screen.named],
        "stages": [_stage(stage) for stage in screen.stages],
    }


def _stage(stage: Stage) -> dict[str, Any]:
    return {
        "inputs": stage.name,
        "packs": stage.packs,
        "games": stage.games,
        "found": [_screened(each) for each in stage.inputs],
        "other_deals": _moved(stage.other_deals),
    }


def _screened(each: Screened) -> dict[str, Any]:
    where = (
        {} if each.value is None else {name: getattr(each.value, name) for name in ("file", "row", "column")}
    )
    return {"input": each.input.label, **where, "matters": each.matters, **_moved(each.moved)}


def _moved(moved: Moved) -> dict[str, Any]:
    """By subject, but for p and its adjusted value."""
    columns = {"mu_star": moved.size, "mu": moved.mean, "sigma": moved.spread, "by_chance": moved.floor}
    return {name: [number(x) for x in values.tolist()] for name, values in columns.items()} | {
        "p": number(moved.p),
        "p_adjusted": number(moved.adjusted),
    }
