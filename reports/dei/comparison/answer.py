"""What an arm does, in a paragraph: changes the balance, does no harm, or isn't decided yet."""

from __future__ import annotations

from math import isinf, isnan
from typing import TYPE_CHECKING

from reports.dei.basis import TOLERATED
from reports.dei.comparison.effects import JUDGED
from reports.document import Kind
from reports.numbers import about, listed, one
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.dei.comparison.effects import Compared, Level

CHANGED, HARMLESS, NOTHING = "changes the balance", "no harm", "changes nothing"
CHANCE = "chance alone"  # of an arm with another noise


def verdict(found: Compared) -> str:
    """In two words: CHANGED, HARMLESS, NOTHING, CHANCE or UNDECIDED."""
    kinds = [verdict.kind for _, verdict in _told(found)]
    if found.identical:
        return NOTHING
    if found.noise_alone:
        return CHANCE
    if UNBALANCED in kinds:
        return CHANGED
    return UNDECIDED if UNDECIDED in kinds or not kinds else HARMLESS


def paragraph(found: Compared, band: float, several: bool) -> str:
    """The verdict with its reasons; `several`: there are other numbers of players too."""
    who = f"**{found.arm}**" + (f", {found.players} players," if several else "")
    return f"{who} {_said(found, band)}{_lost(found)}"


def _said(found: Compared, band: float) -> str:
    kind = verdict(found)
    if not found.pairs:
        return "can't be judged: no game ended regularly under both."
    if kind == NOTHING:
        return f"changes nothing: not one of {found.pairs:,} games took another course or had another result."
    if kind == CHANCE:
        return (
            "is the same game with other chances of the strategies, so whatever it changes is chance; "
            "the section Luck says how much that is."
        )
    inside = f"within ±{100 * band:g} points"
    if kind == HARMLESS:
        return f"does no harm: every faction and every seat keeps its win share {inside}."
    named = {each: _named(found, each) for each in (UNBALANCED, BALANCED, UNDECIDED)}
    parts = []
    if kind == CHANGED:
        parts.append(f"changes the balance by more than {100 * band:g} points: {listed(named[UNBALANCED])}.")
    else:
        parts.append("is undecided.")
    if named[BALANCED]:
        parts.append(f"Their win share kept {inside}: {listed(named[BALANCED])}.")
    if named[UNDECIDED]:
        parts.append(f"Not decided: {listed(named[UNDECIDED])}{_needed(found)}.")
    return " ".join(parts)


def _told(found: Compared) -> Iterator[tuple[Level, Verdict]]:
    """Levels with their verdicts; of two that share every game one is enough."""
    for name in JUDGED:
        both = [
            (level, verdict)
            for level, verdict in zip(found.families[name], found.verdicts[name], strict=True)
            if level.effect.difference.known
        ]
        yield from both[:1] if len(both) == found.players == 2 else both


def _named(found: Compared, kind: str) -> list[str]:
    """The levels of a verdict in words; with the change where it is out of the band."""
    words: list[str] = []
    told = list(_told(found))
    for family, one_of in JUDGED.items():
        mine = [(level, own) for level, own in told if level in found.families[family]]
        those = [level for level, own in mine if own.kind == kind]
        if kind != UNBALANCED and len(those) == len(mine) > 1:
            words.append(f"every {one_of}")
            continue
        for level in those:
            name = f"the {level.label} seat" if one_of == "seat" else level.label
            change = f" ({one(Kind.GAIN, level.effect.difference)})"
            words.append(name + (change if kind == UNBALANCED else ""))
    return words


def _needed(found: Compared) -> str:
    more = [verdict.more for _, verdict in _told(found) if verdict.kind == UNDECIDED]
    finite = [n for n in more if not isinf(n) and not isnan(n)]
    if not finite:
        few = all(isnan(n) for n in more)
        return (
            "; there are too few blocks to tell" if few else "; so near the edge that games hardly settle it"
        )
    but = ", but for those on the band's very edge" if len(finite) < len(more) else ""
    return f"; about {about(max(finite))} more games of each arm would settle it{but}"


def _lost(found: Compared) -> str:
    total = found.pairs + found.lost
    if found.lost <= TOLERATED * total:
        return ""
    return f" {found.lost:,} of {total:,} games ended irregularly under one or the other and are left out."


def out_of_band(found: Compared) -> dict[str, float]:
    """The levels that an arm moves out of the band, by how much."""
    return {
        level.label: level.effect.difference.value
        for level, verdict in _told(found)
        if verdict.kind == UNBALANCED and not found.noise_alone
    }


def short(verdict: Verdict) -> str:
    """One level's verdict in few words."""
    if verdict.kind == UNBALANCED:
        return "stronger" if verdict.gap > 0 else "weaker"
    if verdict.kind == BALANCED:
        return "within the band"
    if isnan(verdict.more):
        return UNDECIDED
    return f"{UNDECIDED} ({'on the edge' if isinf(verdict.more) else f'+{about(verdict.more)}'})"
