"""The win share model: factions, seats and strategies beside the same others, and what goes beyond them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from reports.dei import beyond, shares
from reports.dei.seated import seated
from reports.dei.win_model import by_all_places, least, model
from reports.document import Column, Kind, Part, Section, Table
from reports.numbers import listed, word
from simlab.stats.equivalence import verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reports.dei.basis import Basis
    from reports.dei.shares import Share
    from reports.dei.win_model import Family, Model, Ranked

ABOUT = (
    "The *win share model* (a conditional logit) gives each faction in each seat{strategies} a strength; a "
    "seat's chance to win is its share of the strengths at the table. *Standardised* is what that comes to "
    "over all tables of the design, each counting alike: every line-up in every order of seats{mixed}. Where "
    "the games were as even as the design, it is the share as played; where not, the difference is due to "
    "who happened to meet whom."
)
ALL_PLACES = (
    "*By all places*: the model fitted to who came second, third and so on as well (Plackett–Luce), which "
    "says more with the same games if all places go by the same strengths. {agree}"
)
AGREE = "They do, as far as these games can tell."
PART = (
    "They don't: it differs from the standardised share at {named}. So the verdicts rest on who won, "
    "whatever the other places say."
)
READING = (
    "±, all at once and verdict as for factions. Intervals are clustered on blocks and don't rest on the "
    "model being right; the standardised share does."
)
UNTOLD = (
    "Nothing can be standardised{at}: these games leave open how some strengths compare, since one side "
    "never won against another."
)
FEW = "Too few blocks{at} for a model: {blocks}, where it takes {needed}."


def build(basis: Basis) -> Section:
    """Standardised beside raw shares at each player count, then what goes beyond them pair by pair."""
    about = ABOUT.format(**_told_of_strategies(basis))
    parts: list[Part] = [about]
    findings = []
    for players in basis.players:
        fitted = model(basis, players)
        if fitted is None:
            blocks, needed = seated(basis, players).blocks, least(basis, players)
            parts.append(FEW.format(at=basis.at(players), blocks=blocks, needed=needed))
            findings.append("")
            continue
        found, said = _of(basis, fitted)
        parts += found
        findings.append(said)
    return Section(
        "Win share model", (*parts, *([READING] if any(findings) else [])), basis.headline(findings)
    )


def _told_of_strategies(basis: Basis) -> dict[str, str]:
    """What the section says beside factions and seats where strategies differ."""
    if len(basis.strategies) < 2:
        return {"strategies": "", "mixed": ""}
    mixed = ", all seats played by each strategy" if basis.mirrored else ", each seat played by each strategy"
    return {"strategies": ", faction and seat by each strategy too,", "mixed": mixed}


def _of(basis: Basis, found: Model) -> tuple[list[Part], str]:
    parts: list[Part] = []
    changed: list[str] = []
    families = found.families[:2] if basis.mirrored else found.families  # there strategies win alike
    judgements = [judged(basis, found, family) for family in families]
    if not any(row.alone.known for rows in judgements for row in rows):
        return [UNTOLD.format(at=basis.at(found.players))], ""
    ranked = by_all_places(basis, found, families)
    for family, rows in zip(families, judgements, strict=True):
        raw = as_played(basis, found, family)
        parts.append(_table(basis, found, family, raw, rows, ranked))
        changed += _changed(raw, rows)
    if ranked is not None:
        parts.append(ALL_PLACES.format(agree=_agreement(families, ranked)))
    for pair in combinations(found.families, 2):
        parts += beyond.parts(basis, found, *pair)
    return parts, f"standardised, {listed(changed) if changed else 'every verdict stays the same'}"


def _changed(raw: Sequence[Share], rows: Sequence[Share]) -> Iterator[str]:
    """`Farm-Z is too weak rather than undecided`."""
    for played, row in zip(raw, rows, strict=True):
        was, now = (word(each.verdict) for each in (played, row))
        if row.alone.sure and was != now:
            yield f"{row.label} {'are' if row.label in shares.PLURAL else 'is'} {now} rather than {was}"


def judged(basis: Basis, found: Model, family: Family) -> tuple[Share, ...]:
    """The standardised shares of a family against the band."""
    alone, together = (found.estimates(family, together=all_of) for all_of in (False, True))
    kinds = verdicts(alone, [1 / found.players] * len(alone), basis.band)
    scaled = shares.as_games(basis, found.players, alone, kinds)
    return tuple(shares.Share(*row) for row in zip(family.labels, alone, together, scaled, strict=True))


def as_played(basis: Basis, found: Model, family: Family) -> tuple[Share, ...]:
    """The shares of a family as they were played."""
    levels = {"faction": basis.factions, "seat": range(found.players), "strategy": basis.strategies}
    return shares.shares(basis, family.column, levels[family.column], family.labels, found.players)


def _table(
    basis: Basis,
    found: Model,
    family: Family,
    raw: Sequence[Share],
    rows: Sequence[Share],
    ranked: Ranked | None,
) -> Table:
    """The standardised shares of a family beside those as played and, if there are any, by all places."""
    columns = (
        Column(family.head, Kind.TEXT),
        Column("As played", Kind.SHARE),
        Column("Standardised", Kind.SHARE),
        Column("All at once", Kind.RANGE),
        Column("Verdict", Kind.VERDICT),
        *([] if ranked is None else [Column("By all places", Kind.SHARE)]),
    )
    everybody = () if ranked is None else (ranked.model.estimates(family, together=False),)
    cells = tuple(
        (row.label, played.alone, row.alone, row.together, row.verdict if row.alone.sure else None, *other)
        for played, row, *other in zip(raw, rows, *everybody, strict=True)
    )
    return Table(columns, cells, f"Standardised win share by {family.column}{basis.at(found.players)}")


def _agreement(families: Sequence[Family], ranked: Ranked) -> str:
    """Whether all places and who won say different things by more than chance, all levels together."""
    named = beyond.off_zero(
        (family.said(label), gap)
        for family, apart in zip(families, ranked.gaps, strict=True)
        for label, gap in zip(family.labels, apart, strict=True)
    )
    return PART.format(named=named) if named else AGREE
