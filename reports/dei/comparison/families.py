"""What is compared: families of levels, each a number of every pair of games, and where it is found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei.basis import ORDINALS, titles
from reports.dei.comparison.pieces import NOBODY
from reports.dei.comparison.tally import Rows
from simlab.games.dei.vocabulary import COLOURS, FEATS, MAX_SEATS, MISSION_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from reports.dei.comparison.pieces import Piece

    Array = NDArray[Any]

FACTIONS, SEATS, BOTH = "factions", "seats", "factions and seats"
STRATEGIES, PLAYED = "strategies", "factions and strategies"
SUPPLIES, DECISIONS, MARGIN, LEADS, TIES = "Supplies", "decisions", "lead", "lead changes", "ties"
COURSE = "course"
FEATS_WON, FEATS_UNLOCKED, MISSIONS = "Feats", "Feats unlocked", "Missions"
CARDS_BOUGHT, CARDS_PLAYED = "cards bought", "cards played"
RESTS_ON = {  # tables that a run may not have written; all others rest on those of games and seats
    **dict.fromkeys((LEADS, COURSE), "turns"),
    MISSIONS: "missions",
    **dict.fromkeys((CARDS_BOUGHT, CARDS_PLAYED), "market"),
}
APPENDIX = (FEATS_WON, FEATS_UNLOCKED, MISSIONS, CARDS_BOUGHT, CARDS_PLAYED)


@dataclass(frozen=True)
class Family:
    """Levels that are looked at together.

    `rows(piece, arm, pairs)` are the family's rows of those pairs of games. `reach`: the most that a row can
    differ between two arms, NaN if nothing bounds it. `what` is measured, of a `level`.
    """

    name: str
    level: str
    what: str
    labels: tuple[str, ...]
    reach: float
    rows: Callable[[Piece, int, Array], Rows]

    @property
    def is_share(self) -> bool:
        """Whether rows are fractions, told in percent."""
        return self.reach == 1


def families(
    factions: Sequence[str],
    players: int,
    cards: Sequence[str],
    turns: int,
    strategies: Sequence[str] = (),
    *,
    mirrored: bool = False,
) -> tuple[Family, ...]:
    """All families of games with so many players; `strategies` of several, `mirrored` where none met."""
    named, seats = tuple(titles(factions)), ORDINALS[:players]
    pairs = tuple(f"{faction}, {seat} seat" for faction in named for seat in seats)
    feats = tuple(feat.replace("_", " ").title() for feat in FEATS)
    missions = tuple(kind.replace("_", " ").capitalize() for kind in MISSION_KINDS)
    win, one, turn = "win share", ("all games",), tuple(map(str, range(1, turns + 1)))
    return (
        Family(FACTIONS, "Faction", win, named, 1, partial(_by_seat, "win", _faction)),
        Family(SEATS, "Seat", win, seats, 1, partial(_by_seat, "win", _seat)),
        Family(BOTH, "Faction and seat", win, pairs, 1, partial(_by_seat, "win", partial(_both, players))),
        *_by_strategy(named, strategies, mirrored=mirrored),
        Family(SUPPLIES, "Faction", "Supplies", named, nan, partial(_by_seat, "supplies", _faction)),
        Family(DECISIONS, "Games", "decisions a game", one, nan, partial(_by_game, "decisions")),
        Family(MARGIN, "Games", "the winner's lead in Supplies", one, nan, partial(_by_game, "margin")),
        Family(LEADS, "Games", "changes of the lead", one, nan, _lead_changes),
        Family(TIES, "Games", "games tied for the most Supplies", one, 1, partial(_by_game, "tied")),
        Family(COURSE, "Turn", "games with other choices by its end", turn, 1, _parted),
        Family(FEATS_WON, "Feat", "win share of the seat dealt it", feats, 1, partial(_by_feat, "win")),
        Family(FEATS_UNLOCKED, "Feat", "unlocked where dealt", feats, 1, partial(_by_feat, "unlocked")),
        Family(MISSIONS, "Mission", "completed in a game", missions, nan, _missions),
        Family(CARDS_BOUGHT, "Card", "games in which it is bought", tuple(cards), 1, partial(_cards, "1")),
        Family(CARDS_PLAYED, "Card", "times played in a game", tuple(cards), nan, partial(_cards, "plays")),
    )  # fmt: skip


def _by_strategy(factions: Sequence[str], strategies: Sequence[str], *, mirrored: bool) -> list[Family]:
    """Of several strategies each, where they met, and the factions in the hands of each."""
    if not strategies:
        return []
    labels = tuple(f"{faction}, {strategy}" for faction in factions for strategy in strategies)
    rows = partial(_by_seat, "win", partial(_played, len(strategies)))
    played = Family(PLAYED, "Faction and strategy", "win share", labels, 1, rows)
    alone = Family(
        STRATEGIES, "Strategy", "win share", tuple(strategies), 1, partial(_by_seat, "win", _strategy)
    )
    return [played] if mirrored else [alone, played]


# --- rows ---------------------------------------------------------------------------------------------


def _faction(piece: Piece) -> Array:
    """(pair, seat) → its faction."""
    return np.asarray(piece.by_seat("faction")[0])


def _seat(piece: Piece) -> Array:
    """(pair, seat) → the seat where somebody sits."""
    return np.where(_faction(piece) == NOBODY, NOBODY, np.arange(MAX_SEATS))


def _both(players: int, piece: Piece) -> Array:
    faction = _faction(piece).astype(np.int64)
    return np.where(faction == NOBODY, NOBODY, faction * players + np.arange(MAX_SEATS))


def _strategy(piece: Piece) -> Array:
    return np.asarray(piece.by_seat("strategy")[0])


def _played(strategies: int, piece: Piece) -> Array:
    faction = _faction(piece).astype(np.int64)
    return np.where(faction == NOBODY, NOBODY, faction * strategies + _strategy(piece))


def _by_seat(value: str, level: Callable[[Piece], Array], piece: Piece, arm: int, pairs: Array) -> Rows:
    return _rows_of(level(piece), piece.by_seat(value), arm, pairs)


def _rows_of(level: Array, values: Array, arm: int, pairs: Array) -> Rows:
    """A row for each pair and seat that has a level; `values` (arm, pair, seat)."""
    mine = level[pairs]
    row, seat = np.nonzero(mine != NOBODY)
    pair = pairs[row]
    return Rows(pair, mine[row, seat].astype(np.int64), values[0][pair, seat], values[arm][pair, seat])


def _by_game(value: str, piece: Piece, arm: int, pairs: Array) -> Rows:
    values = piece.amounts(value)
    return Rows(pairs, np.zeros_like(pairs), values[0][pairs], values[arm][pairs])


def _lead_changes(piece: Piece, arm: int, pairs: Array) -> Rows:
    base, other = (piece.lead_changes(each)[pairs] for each in (0, arm))
    return Rows(pairs, np.zeros_like(pairs), base, other)


def _parted(piece: Piece, arm: int, pairs: Array) -> Rows:
    parted = piece.parted[arm][pairs].ravel()
    level = np.tile(np.arange(piece.turns), len(pairs))
    return Rows(np.repeat(pairs, piece.turns), level, np.zeros_like(parted), parted)


def _by_feat(value: str, piece: Piece, arm: int, pairs: Array) -> Rows:
    """Levels are the Feats as dealt in the base's game."""
    found = [
        _rows_of(
            piece.by_seat(f"feat_{colour}")[0],
            piece.by_seat(value if value == "win" else f"{value}_{colour}"),
            arm,
            pairs,
        )
        for colour in COLOURS
    ]
    return Rows(*(np.concatenate([getattr(rows, name) for rows in found]) for name in Rows.__annotations__))


def _missions(piece: Piece, arm: int, pairs: Array) -> Rows:
    return _dense(piece.missions, arm, pairs)


def _cards(value: str, piece: Piece, arm: int, pairs: Array) -> Rows:
    return _dense(piece.market(value), arm, pairs)


def _dense(values: Array, arm: int, pairs: Array) -> Rows:
    """A row for every pair and level; `values` (arm, pair, level)."""
    levels = values.shape[2]
    base, other = (values[each][pairs].ravel() for each in (0, arm))
    return Rows(np.repeat(pairs, levels), np.tile(np.arange(levels), len(pairs)), base, other)
