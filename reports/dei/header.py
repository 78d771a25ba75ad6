"""The question, the answer, and what the answer rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.dei.answer import answer, endings, warnings
from reports.dei.basis import ORDINALS
from reports.dei.who_plays import caution
from reports.document import Column, Kind, Section, Table
from reports.numbers import listed
from simlab.games.dei.rules import HANDICAPS, RULES

if TYPE_CHECKING:
    from reports.dei.basis import Basis

ASSUMED = (
    "The rulebook prints no card faces, costs or map tiles. What the pack marks as assumed is just that, an "
    "assumption, and the answer holds for that pack. It also rests on how the strategies play."
)
QUESTION = (
    "Does every faction and every seat win its equal share, to within ±{band:g} points, and does any "
    "{things} stand out"
)
UNFINISHED = "none: the run isn't finished, more games are to come"
DENIED = {  # handicaps that are sets of things, in words
    "banned_cards": "may not buy {}",
    "void_feats": "never unlocks {}",
    "banned_drones": "may not activate {}",
    "banned_candy": "may not lay {} Boosts",
}
SETUP = ("layout", "outposts")  # options of the experiment that change play


def build(basis: Basis) -> Section:
    """The first screen."""
    said = answer(basis) or ["No game was finished, so there is no answer."]
    return Section(
        basis.name, (_question(basis), *warnings(basis), *said, *caution(basis), rests_on(basis), ASSUMED)
    )


def rests_on(basis: Basis, *, of_each: bool = False) -> Table:
    """What all numbers rest on; `of_each`: numbers of every arm, not of the base alone."""
    arms = len(basis.arms) > 1 and not of_each
    rows = [
        ("Games", "; ".join(_games(basis)) + (" of each arm" if of_each else "")),
        *((("Stopped", _stopped(basis)),) if basis.until is not None else ()),
        *((("Arms" if basis.arm == 0 else "Arm", _arms(basis)),) if arms else ()),
        ("Strategies", basis.who),
        ("Rules", _rules(basis)),
        (
            "Rulings",
            f"those of {basis.manifest.get('rules_version') or 'the rules'}, where the rulebook is silent",
        ),
        *((("Handicaps", _handicaps(basis)),) if basis.experiment.get("handicaps") else ()),
        ("Components", _pack(basis)),
        *((("Tables", f"{listed(basis.manifest['tables'])} alone"),) if "tables" in basis.experiment else ()),
        *((("Knock-outs", _knock_outs(basis)),) if basis.experiment.get("knock_outs") else ()),
        ("Ended irregularly", _irregular(basis)),
        ("Versions", _versions(basis)),
        ("Digest", str(basis.manifest.get("digest") or UNFINISHED)),
    ]
    return Table(
        (Column("Rests on", Kind.TEXT), Column("", Kind.TEXT)), tuple((head, text) for head, text in rows)
    )


def _question(basis: Basis) -> str:
    """What was asked of the games."""
    better = " Which strategy plays better?" if len(basis.strategies) > 1 else ""
    if basis.mirrored:
        better = " Does it depend on which strategy plays?"
    asked = QUESTION.format(band=100 * basis.band, things=_things(basis))
    return f"{asked}, with {listed(map(str, basis.players))} players?{better}"


def _things(basis: Basis) -> str:
    """`Feat, Mission or card`: what the tables that were written tell of."""
    told = [name for name, table in (("Mission", "missions"), ("card", "market")) if basis.has(table)]
    *first, last = ["Feat", *told]
    return f"{', '.join(first)} or {last}" if first else last


def _games(basis: Basis) -> list[str]:
    return [
        f"{played:,} with {players} players, in {blocks:,} {'block' if blocks == 1 else 'blocks'}"
        for players, (played, _, blocks) in basis.games.items()
    ]


def _stopped(basis: Basis) -> str:
    """By which rule, how that ended, and what it means for the intervals."""
    asked = basis.until
    if isinstance(asked, Mapping):
        rule = f"{asked['metric']} is known to ±{100 * asked['half_width']:g} points"
    else:
        rule = (
            "the verdict on every arm is decided"
            if len(basis.arms) > 1
            else "every faction and seat is decided"
        )
    says = basis.ended.get("says", "it isn't finished")
    return (
        f"as soon as {rule}; {says}. Win shares by faction, seat and strategy, effects of Feats and "
        "what is hardly ever or nearly always used have confidence sequences, which hold whenever a run "
        "stops, and so has what arms change; other intervals are as if the number of games had been fixed"
    )


def _arms(basis: Basis) -> str:
    base, *others = basis.arms
    if basis.arm:
        name = basis.arms[basis.arm]
        return f"{name}, where {basis.differs(name)}; all else, as it stands below, is that of {base}"
    beside = f"the arm{'s' if len(others) > 1 else ''} {listed(others)}"
    return f"all below is on {base} alone; only the section Variants sets {beside} beside it"


def _rules(basis: Basis) -> str:
    defaults = {rule.name: rule.default for rule in RULES}
    changed = [
        _change(name, value, defaults.get(name))
        for name, value in (basis.experiment.get("rules") or {}).items()
        if value != defaults.get(name)
    ]
    setup = [f"{key} {basis.experiment[key]}" for key in SETUP if key in basis.experiment]
    base = "as in the rulebook" + (f", but {listed(changed)}" if changed else "")
    return base + (f"; {', '.join(setup)}" if setup else "")


def _handicaps(basis: Basis) -> str:
    """By seat: `1st seat: no Leader skill; 2nd seat: 5 Supplies granted`."""
    by_seat: dict[int, list[str]] = {}
    for name, values in basis.experiment["handicaps"].items():
        for seat, value in enumerate(values):
            if value:
                by_seat.setdefault(seat, []).append(_handicap(name, value))
    return "; ".join(f"{ORDINALS[seat]} seat: {', '.join(by_seat[seat])}" for seat in sorted(by_seat))


def _handicap(name: str, value: Any) -> str:
    if name == "leader_off":
        return "no Leader skill"
    if name in DENIED:
        return DENIED[name].format(listed(thing.replace("_", " ") for thing in value))
    says = next((handicap.says for handicap in HANDICAPS if handicap.name == name), name)
    what = re.split(" gained| deployed", says)[0]
    if value == 1:
        what = re.sub("ies$", "y", what).removesuffix("s")
    return f"{value} {what} granted"


def _knock_outs(basis: Basis) -> str:
    """`all cards, 2 feats`."""
    taken = basis.experiment["knock_outs"].items()
    return listed([f"all {kind}" if names is True else f"{kind} {listed(names)}" for kind, names in taken])


def _change(name: str, value: Any, default: Any) -> str:
    return f"{name} {_value(value)}" + ("" if isinstance(value, bool) else f" instead of {_value(default)}")


def _value(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _pack(basis: Basis) -> str:
    pack = basis.manifest.get("pack")
    if not isinstance(pack, Mapping):
        return f"pack {pack}"
    assumed = pack.get("share_assumed")
    told = "" if assumed is None else f": {100 * assumed:.0f} % of its values are assumed"
    version = f", version {pack['version']}" if "version" in pack else ""
    return f"pack {pack.get('name')}{version}{told}"


def _irregular(basis: Basis) -> str:
    """How many games ended otherwise than finished, by reason, by the strategy to blame and its seats."""
    found = [ending for of_count in basis.irregular.values() for ending in of_count]
    if not found:
        return "none"
    lost = sum(ending.games for ending in found)
    played = sum(played for played, _, _ in basis.games.values())
    return f"{lost:,} of {played:,}: {endings(found)}; they count in no share and no mean below"


def _versions(basis: Basis) -> str:
    named = {
        "simlab": basis.manifest.get("versions", {}).get("simlab"),
        "rules": basis.manifest.get("rules_version"),
        "signature": basis.manifest.get("signature"),
        "seed": basis.experiment.get("seed"),
    }
    return ", ".join(f"{name} {value}" for name, value in named.items() if value is not None) or "–"
