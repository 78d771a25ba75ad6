"""The answer in up to three sentences: what is out of the band, what is in it, what is undecided.

Before it, if more than a few games ended irregularly: how many, and by what.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isinf, isnan
from typing import TYPE_CHECKING

from reports.dei import feat, market, mission, usage
from reports.dei.basis import ORDINALS, titles
from reports.dei.shares import Share, shares
from reports.document import Kind
from reports.numbers import about, listed, one
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.dei.basis import Basis, Ending
    from reports.dei.feat import Worth
    from reports.dei.usage import Use
    from simlab.stats.equivalence import Verdict

FEW = 3  # named one by one


@dataclass(frozen=True)
class Judged:
    """The factions and seats of one player count."""

    players: int
    factions: tuple[Share, ...]
    seats: tuple[Share, ...]
    lost_many: bool  # of its games ended irregularly
    feats: tuple[Worth, ...] = ()
    cards: tuple[Use, ...] = ()
    missions: tuple[Use, ...] = ()

    @property
    def band(self) -> float:
        """The declared band, a fraction."""
        return self.all[0].verdict.band

    @property
    def all(self) -> tuple[Share, ...]:
        """Factions and seats."""
        return self.factions + self.seats

    @property
    def verdicts(self) -> list[Verdict]:
        """Those of factions, seats and Feats."""
        return [share.verdict for share in self.all] + [feat.verdict for feat in self.feats]

    def named(self, kind: str) -> list[str]:
        """Those of a verdict, in words: factions by name, seats by number, "every seat" where it is all."""
        factions = [share.label for share in self.factions if share.verdict.kind == kind]
        seats = [share.label for share in self.seats if share.verdict.kind == kind]
        words = ["every faction"] if len(factions) == len(self.factions) > 1 else factions
        if seats:
            every = len(seats) == len(self.seats) > 1
            words = [*words, "every seat" if every else f"the {listed(seats)} seat"]
        return words + self._feats(kind)

    def _feats(self, kind: str) -> list[str]:
        """`4 of 18 Feats`, by name if there are few."""
        found = [feat.label for feat in self.feats if feat.verdict.kind == kind]
        if len(found) == len(self.feats) > 1:
            return ["every Feat"]
        if len(found) > FEW:
            return [f"{len(found)} of {len(self.feats)} Feats"]
        return [f"the {'Feat' if len(found) == 1 else 'Feats'} {listed(found)}"] if found else []


def warnings(basis: Basis) -> list[str]:
    """One paragraph a player count of which too many games ended irregularly."""
    found = []
    for players, rows in basis.irregular.items():
        if basis.lost_many(players):
            played, finished, _ = basis.games[players]
            lost = f"{played - finished:,} of {played:,} games with {players} players"
            found.append(
                f"**{lost} ended irregularly: {endings(rows)}.** The answer holds only for the finished "
                "ones, and more games would not change that."
            )
    return found


def endings(rows: Iterable[Ending]) -> str:
    """Irregular endings in words, the most frequent first, with the strategy to blame and its seats."""
    found: dict[tuple[str, str | None], Counter[int | None]] = {}
    for row in rows:
        found.setdefault((row.how, row.strategy), Counter())[row.seat] += row.games
    frequent = sorted(found.items(), key=lambda entry: -entry[1].total())
    return ", ".join(
        f"{seats.total():,} {how}{_blamed(strategy, seats) if strategy else ''}"
        for (how, strategy), seats in frequent
    )


def _blamed(strategy: str, seats: Counter[int | None]) -> str:
    """` (dei/greedy in the 1st seat)`, or how often in each of several."""
    named = [(ORDINALS[seat], n) for seat, n in sorted(seats.items(), key=str) if seat is not None]
    if len(named) == 1:
        return f" ({strategy} in the {named[0][0]} seat)"
    return f" ({strategy}: {listed([f'{n:,} in the {seat}' for seat, n in named])} seat)"


def answer(basis: Basis) -> list[str]:
    """A paragraph a sentence, with several player counts one each; none where no game was finished."""
    found = [judged for players in basis.players if (judged := _judged(basis, players)).all]
    if len(basis.players) == 1:
        return [sentence for judged in found for sentence in _sentences(judged)]
    return [f"**{judged.players} players.** {' '.join(_sentences(judged))}" for judged in found]


def _judged(basis: Basis, players: int) -> Judged:
    factions = shares(basis, "faction", basis.factions, titles(basis.factions), players)
    seats = shares(basis, "seat", range(players), ORDINALS[:players], players)
    factions, seats = (_told(family, players) for family in (factions, seats))
    return Judged(
        players,
        factions,
        seats,
        basis.lost_many(players),
        () if feat.is_drafted(basis) else feat.worths(basis, players),
        market.taken(basis, players),
        mission.completed(basis, players),
    )


def _told(family: Sequence[Share], players: int) -> tuple[Share, ...]:
    """The levels worth a word: of two that share every game one is enough, the other's share is the rest."""
    known = tuple(share for share in family if share.alone.known)
    return known[:1] if len(family) == players == 2 else known


def _sentences(judged: Judged) -> list[str]:
    if all(verdict.kind == BALANCED for verdict in judged.verdicts):
        feats = ", and no Feat moves it by more" if judged.feats else ""
        share = f"Every faction and every seat wins its equal share, {_parity(judged)}"
        even = f"{share}, within ±{100 * judged.band:g} points{feats}"
        return [f"{even}{_extremes(judged, '; ')}."]
    found = [_outside(judged), _inside(judged), _undecided(judged)]
    return [sentence for sentence in found if sentence]


def _outside(judged: Judged) -> str:
    named = [
        f"{name} ({one(Kind.SHARE, share.alone)})"
        for prefix, suffix, family in (("", "", judged.factions), ("the ", " seat", judged.seats))
        for share in family
        if share.verdict.kind == UNBALANCED
        for name in [f"{prefix}{share.label}{suffix}"]
    ]
    feats = [
        f"{feat.label} ({one(Kind.GAIN, feat.win)})"
        for feat in judged.feats
        if feat.verdict.kind == UNBALANCED
    ]
    if feats:
        noun = "Feat" if len(feats) == 1 else "Feats"
        named.append(
            f"the {noun} {listed(feats)}, in points for whoever is dealt {'it' if noun == 'Feat' else 'one'}"
        )
    if not named:
        return _extremes(judged, "") and f"{_extremes(judged, '')}."
    width = f"±{100 * judged.band:g}-point"
    band = f"the {width} band around an equal share of {_parity(judged)}"
    return f"Outside {band}, at 95 % confidence: {listed(named)}{_extremes(judged, '; ')}."


def _extremes(judged: Judged, before: str) -> str:
    """Cards and Missions that are used hardly ever or nearly always."""
    dead = [*_some(usage.of(judged.cards, usage.DEAD)), *_some(usage.of(judged.missions, usage.DEAD))]
    always = _some(usage.of(judged.cards, usage.DOMINANT))
    said = [
        *([f"hardly ever taken where it can be: {listed(dead)}"] if dead else []),
        *([f"nearly always: {listed(always)}"] if always else []),
    ]
    text = "; ".join(said)
    return f"{before}{text}" if before and text else text[:1].upper() + text[1:]


def _some(found: Sequence[Use]) -> list[str]:
    """The first few with how often they are taken, and how many more there are."""
    more = [f"{len(found) - FEW} more"] if len(found) > FEW else []
    return [f"{use.label} ({one(Kind.SHARE, use.taken)})" for use in found[:FEW]] + more


def _inside(judged: Judged) -> str:
    named = judged.named(BALANCED)
    return f"Shown to be inside the band: {listed(named)}." if named else ""


def _undecided(judged: Judged) -> str:
    named = judged.named(UNDECIDED)
    more = [verdict.more for verdict in judged.verdicts if verdict.kind == UNDECIDED]
    needed = "" if judged.lost_many else f"; {_needed(more)}"
    return f"Undecided: {listed(named)}{needed}." if named else ""


def _needed(more: Sequence[float]) -> str:
    if all(isnan(n) for n in more):
        return "there are too few blocks to tell"
    what = "it" if len(more) == 1 else "all of them"
    finite = [n for n in more if not isinf(n) and not isnan(n)]
    if not finite:
        return f"so near the band's edge that more games would hardly settle {what}"
    but = " but those on the band's very edge" if len(finite) < len(more) else ""
    return f"about {about(max(finite))} more games would settle {what}{but}"


def _parity(judged: Judged) -> str:
    return f"{100 / judged.players:.3g} %"
