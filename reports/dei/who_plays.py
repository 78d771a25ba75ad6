"""Whether the verdicts on factions depend on play: by strategy, and where all draw from the Nash mix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from reports.dei import shares
from reports.dei.basis import LEVEL, titles
from reports.dei.playing import by_faction, games_by_profile, playing
from reports.dei.win_model import LEAST, mirrors
from reports.document import Column, Kind, Part, Table
from reports.numbers import listed, word
from simlab.stats.equivalence import UNDECIDED, Verdict, verdicts
from simlab.stats.intervals import EMPTY, Estimate, Moments, share
from simlab.stats.joint import JointMoments, combined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis
    from reports.dei.playing import Profiled

DEPENDS, HOLDS, OPEN = "depends on play", "the same whoever plays", "not decided for all"
NASH = "all draw from the Nash mix"
BRIEF = 40  # rows on a terminal
MIRRORED = (
    "*All play*: mirror games, in which every seat plays that strategy. Verdicts are against the band, with "
    "a risk of 5 % of any false claim in each way of playing, and take 30 blocks. *Depends on play*: two "
    "ways of playing have different verdicts, undecided ones apart."
)
READING = (
    "*All play*: mirror games, in which every seat plays that strategy. They are few, so *(model)* says what "
    "the win share model makes of all games for such tables; it counts where they leave a faction undecided "
    "and their interval holds it. *It plays*: games in which the faction is played so and the others as the "
    "run mixed them; there the difference is to the average of all factions that play so. Verdicts are "
    "against the band, with a risk of 5 % of any false claim in each way of playing, and take 30 blocks. "
    "*Depends on play*: two ways of playing have different verdicts, undecided ones apart."
)


@dataclass(frozen=True)
class Way:
    """A way of playing: of each faction (F) its win share there, and the verdict on it."""

    label: str
    at: tuple[Estimate, ...]
    verdicts: tuple[Verdict, ...]
    again: bool = False  # the question of the way before it, by the model


def parts(basis: Basis, players: int) -> list[Part]:
    """Verdicts by who plays in one table, each faction altogether in another, and in words what depends."""
    found, names = ways(basis, players), titles(basis.factions)
    judged = judgements(found)
    note = (MIRRORED if basis.mirrored else READING) if players == basis.players[0] else ""
    columns = (
        Column("Faction", Kind.TEXT),
        Column("Who plays", Kind.TEXT),
        Column("Win share", Kind.SHARE),
        Column("vs equal", Kind.POINTS),
        Column("Verdict", Kind.VERDICT),
    )
    rows = tuple(
        (name, way.label, way.at[f], *(_told(way, f))) for f, name in enumerate(names) for way in found
    )
    several = (Column("Faction", Kind.TEXT), Column("Altogether", Kind.TEXT))
    return [
        said(names, found, judged, basis.at(players)),
        Table(several, tuple(zip(names, judged, strict=True)), f"Factions by who plays{basis.at(players)}"),
        Table(columns, rows, f"Verdicts by who plays{basis.at(players)}", note, BRIEF),
    ]


def _told(way: Way, faction: int) -> tuple[float | None, Verdict | None]:
    known = way.at[faction].known
    return (way.verdicts[faction].gap, way.verdicts[faction]) if known else (None, None)


def caution(basis: Basis) -> list[str]:
    """For the head of a report: of which factions what it says depends on who plays; nothing if of none."""
    if len(basis.strategies) < 2:
        return []
    found = {players: dependent(basis, players) for players in basis.players}
    said = [
        f"{listed(names)}{f' with {players} players' if len(found) > 1 else ''}"
        for players, names in found.items()
        if names
    ]
    return [f"**Depends on play**: what is said of {'; of '.join(said)} (see Strategies)."] if said else []


def dependent(basis: Basis, players: int) -> list[str]:
    """The factions whose verdicts depend on play."""
    judged = zip(titles(basis.factions), judgements(ways(basis, players)), strict=True)
    return [name for name, each in judged if each == DEPENDS]


def judgements(found: Sequence[Way]) -> list[str]:
    """What each faction (F) comes to over all ways of playing."""
    factions = range(len(found[0].verdicts))
    return [altogether([way.verdicts[f] for way in asked(found, f)]) for f in factions]


def asked(found: Sequence[Way], faction: int) -> list[Way]:
    """One way a question: the model's where the games leave a faction undecided and don't contradict it."""
    kept: list[Way] = []
    for way in found:
        if not way.again:
            kept.append(way)
        elif kept[-1].verdicts[faction].kind == UNDECIDED:
            played, model = kept[-1].at[faction], way.at[faction]
            kept[-1] = way if played.low <= model.value <= played.high else kept[-1]
    return kept


def ways(basis: Basis, players: int) -> list[Way]:
    """All play a strategy, for each; a faction plays it, for each; all draw from the Nash mix.

    In mirror games the first alone: there is nobody else to play beside.
    """
    return basis.once(("ways", players), lambda: (_mirrored if basis.mirrored else _ways)(basis, players))


def _mirrored(basis: Basis, players: int) -> list[Way]:
    found = games_by_profile(basis, players)
    return [_mirror(basis, found, s, f"all play {name}") for s, name in enumerate(basis.strategies)]


def _ways(basis: Basis, players: int) -> list[Way]:
    found, names = playing(basis, players), basis.strategies
    mirror = [
        way
        for s, name in enumerate(names)
        for way in (
            _mirror(basis, found.games, s, f"all play {name}"),
            replace(
                _judged(basis, players, f"all play {name} (model)", mirrors(basis, players, s)), again=True
            ),
        )
    ]
    own = [_own(basis, found.games, s, f"it plays {name}") for s, name in enumerate(names)]
    return [*mirror, *own, _judged(basis, players, NASH, found.reading.levels)]


def _mirror(basis: Basis, found: Profiled, strategy: int, label: str) -> Way:
    rows, factions = found.rows, len(basis.factions)
    beside = np.bincount(rows.profile, rows.strategy != strategy, len(rows.profile) + 1)
    seats, won = by_faction(rows, found.faction, factions, beside[rows.profile] == 0)
    return _judged(basis, rows.players, label, _shares(seats, won))


def _own(basis: Basis, found: Profiled, strategy: int, label: str) -> Way:
    """The faction's own share, judged by its difference to the average of the factions that play so."""
    factions = len(basis.factions)
    seats, won = by_faction(found.rows, found.faction, factions, found.rows.strategy == strategy)
    played = np.flatnonzero(seats.sum(axis=0) > 0)
    centred = np.zeros((factions, factions))
    centred[np.ix_(played, played)] = np.eye(len(played)) - 1 / max(1, len(played))
    gaps = [EMPTY] * factions
    found_gaps = combined(JointMoments.of_blocks(seats, won), centred[played], LEVEL)
    for f, gap in zip(played, found_gaps, strict=True):
        gaps[f] = replace(gap, n=int(seats[:, f].sum()))
    return _judged(basis, found.rows.players, label, _shares(seats, won), gaps)


def _shares(seats: np.ndarray, won: np.ndarray) -> tuple[Estimate, ...]:
    return tuple(share(Moments.of_blocks(seats[:, f], won[:, f]), LEVEL) for f in range(seats.shape[1]))


def _judged(
    basis: Basis, players: int, label: str, at: tuple[Estimate, ...], gaps: Sequence[Estimate] | None = None
) -> Way:
    """Against an equal share, `gaps` where given against 0; with fewer blocks than LEAST undecided."""
    judged, target = (at, 1 / players) if gaps is None else (gaps, 0.0)
    found = shares.as_games(basis, players, judged, verdicts(judged, [target] * len(judged), basis.band))
    enough = (each.clusters >= LEAST for each in judged)
    kinds = tuple(
        each if many else replace(each, kind=UNDECIDED, more=nan)
        for each, many in zip(found, enough, strict=True)
    )
    return Way(label, at, kinds)


def altogether(found: Sequence[Verdict]) -> str:
    """One faction by all ways of playing: DEPENDS if two that are decided differ."""
    words = {word(each) for each in found}
    if len(words - {UNDECIDED}) > 1:
        return DEPENDS
    return OPEN if UNDECIDED in words else HOLDS


def said(names: Sequence[str], found: Sequence[Way], judged: Sequence[str], at: str) -> str:
    """In words what depends on play: `Ravagers (too strong where all play dei/greedy; …)`."""
    flips = []
    for f, name in enumerate(names):
        if judged[f] == DEPENDS:
            where: dict[str, list[str]] = {}
            for way in asked(found, f):
                where.setdefault(word(way.verdicts[f]), []).append(way.label)
            where.pop(UNDECIDED, None)
            told = "; ".join(f"{word} where {listed(labels)}" for word, labels in where.items())
            flips.append(f"{name} ({told})")
    with_ = f"With{at.removeprefix(',')}: " if at else ""
    if not flips:
        return f"{with_}{'no' if with_ else 'No'} verdict on a faction is shown to depend on who plays."
    return f"{with_}**{'d' if with_ else 'D'}epends on play**: {listed(flips)}."
