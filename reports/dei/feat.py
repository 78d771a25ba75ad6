"""Is a Feat too strong? What being dealt it does to win share and Supplies, and when it is unlocked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import examples, feat_by, tallies
from reports.dei.basis import LEVEL
from reports.dei.shares import as_games
from reports.document import Cell, Column, Dot, Dots, Figure, Kind, Part, Section, Table
from reports.numbers import signed
from simlab.games.dei.vocabulary import COLOURS, FEATS, FEATS_PER_COLOUR
from simlab.stats.differences import against_rest
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED, Verdict, verdicts
from simlab.stats.intervals import Estimate, Moments, mean, share
from simlab.stats.simultaneous import simultaneous

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

Array = np.ndarray[Any, Any]
DEALT = (
    "Feats are dealt at random, one of each colour, so what a Feat does, its effect, is the difference "
    "between those who were dealt it and those who were dealt another of its colour, whether they unlocked "
    "it or not."
)
DRAFTED = (
    "Feats are taken in a draft here, so the differences are **associations**: they also say who takes which "
    "Feat."
)
THEN = (
    "Unlocked: of those who were dealt it. In Turn: the mean, where it was. Win share then: of those who "
    "unlocked it, an **association**, since who does well unlocks more."
)
READING = (
    f"Win share and All at once: in percentage points, {100 * LEVEL:g} % intervals. The verdict holds the "
    "effect against ±{band:g} points, with a risk of 5 % over all rows. Supplies: the same difference "
    "in Supplies."
)


@dataclass(frozen=True)
class Worth:
    """What being dealt a Feat does."""

    label: str
    feat: str
    colour: str
    win: Estimate
    together: Estimate
    supplies: Estimate
    unlocked: Estimate
    turn: Estimate
    won: Estimate  # the win share of those who unlocked it
    verdict: Verdict


def build(basis: Basis) -> Section | None:
    """Effects, a table and a figure a player count; nothing where no Feat was dealt."""
    found = {players: worths(basis, players) for players in basis.players}
    found = {players: rows for players, rows in found.items() if rows}
    if not found:
        return None
    parts: list[Part] = [DRAFTED if is_drafted(basis) else DEALT]
    for players, rows in found.items():
        parts += [_figure(basis, rows, players), _table(basis, rows, players)]
    parts.append(READING.format(band=100 * basis.band))
    for players, rows in found.items():
        names = [row.feat for row in rows], [row.label for row in rows]
        parts += [
            *feat_by.effect_parts(basis, players, *names),
            _by_colour(basis, players),
            _unlocked(basis, rows, players),
            *feat_by.unlock_parts(basis, players, *names),
        ]
    parts += examples.of_feats(basis, found)
    return Section("Feats", tuple(parts), basis.headline([_finding(rows) for rows in found.values()]))


def is_drafted(basis: Basis) -> bool:
    """Whether players choose their Feats."""
    return bool((basis.experiment.get("rules") or {}).get("feats_draft"))


def worths(basis: Basis, players: int) -> tuple[Worth, ...]:
    """What each Feat that was dealt does, the best first; none where games have no Feats."""
    return basis.once(("feats", players), lambda: _worths(basis, players))


def _worths(basis: Basis, players: int) -> tuple[Worth, ...]:
    sums, rest = feat_by.sums(basis, players)
    dealt = np.flatnonzero(sums["n"].sum((0, 2)))
    if not len(dealt):
        return ()
    win, spread = _effects(sums, rest, "wins", dealt)
    supplies, _ = _effects(sums, rest, "supplies", dealt)
    alone, together, kinds = _judged(basis, players, win, spread)
    judged = as_games(basis, players, win, kinds)
    rows = [
        Worth(
            label(FEATS[k]),
            FEATS[k],
            COLOURS[k // FEATS_PER_COLOUR],
            alone[i],
            together[i],
            supplies[i],
            share(_moments(sums, "n", "unlocked", k), LEVEL),
            mean(_moments(sums, "unlocked", "turns", k), LEVEL),
            share(_moments(sums, "unlocked", "won", k), LEVEL),
            judged[i],
        )
        for i, k in enumerate(dealt.tolist())
    ]
    return tuple(sorted(rows, key=lambda row: -row.win.value if row.win.known else 0.0))


def _judged(
    basis: Basis, players: int, win: Sequence[Estimate], spread: Array
) -> tuple[Sequence[Estimate], Sequence[Estimate], Sequence[Verdict]]:
    """Each effect alone, with all others, and held against the band; whenever the run stopped."""
    precision = basis.precision_of_groups("feat", len(win), players)
    if precision is None:
        return win, simultaneous(win, spread, LEVEL), verdicts(win, [0.0] * len(win), basis.band)
    looked = (replace(precision, level=LEVEL), precision)
    alone, together = ([each.effect(found, players) for found in win] for each in looked)
    return alone, together, [precision.verdict(found, players, 0.0, basis.band) for found in together]


def label(feat: str) -> str:
    """A Feat as the rulebook writes it, about."""
    return feat.replace("_", " ").title()


def _effects(sums: dict[str, Array], rest: dict[str, Array], name: str, dealt: Array) -> tuple[Any, Any]:
    own, others = ([table[key].sum(2)[:, dealt] for key in ("n", name)] for table in (sums, rest))
    return against_rest(own[0], own[1], others[0], others[1], LEVEL)


def _moments(sums: dict[str, Array], rows: str, total: str, k: int) -> Any:
    return tallies.Grid({key: values.sum(2) for key, values in sums.items()}).moments(total, rows, k)


def _figure(basis: Basis, rows: Sequence[Worth], players: int) -> Figure:
    dots = tuple(Dot(row.label, row.win, row.together, row.verdict.kind == UNBALANCED) for row in rows)
    plot = Dots(dots, Kind.GAIN, "Effect of being dealt the Feat on win share, points", 0.0, basis.band)
    return Figure("What a Feat does to win share" + basis.at(players), plot)


def _table(basis: Basis, rows: Sequence[Worth], players: int) -> Table:
    columns = (
        Column("Feat", Kind.TEXT),
        Column("Dealt", Kind.COUNT),
        Column("Win share", Kind.GAIN),
        Column("All at once", Kind.SPAN),
        Column("Supplies", Kind.CHANGE),
        Column("Verdict", Kind.VERDICT),
    )
    cells = tuple((r.label, r.win.n, r.win, r.together, r.supplies, r.verdict) for r in rows)
    return Table(columns, cells, "Effect of being dealt a Feat" + basis.at(players))


def _by_colour(basis: Basis, players: int) -> Table:
    """How soon the Feats of each colour are unlocked, and who wins with them."""
    sums, _ = feat_by.sums(basis, players)
    columns = (
        Column("Colour", Kind.TEXT),
        Column("Dealt", Kind.COUNT),
        Column("Unlocked", Kind.SHARE),
        Column("In Turn", Kind.AMOUNT),
        Column("Win share then", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    for c, colour in enumerate(COLOURS):
        mine = slice(c * FEATS_PER_COLOUR, (c + 1) * FEATS_PER_COLOUR)
        of = {name: values[:, mine].sum((1, 2)) for name, values in sums.items()}
        unlocked, turns, won = (
            Moments.of_blocks(of[rows_], of[total])
            for rows_, total in (("n", "unlocked"), ("unlocked", "turns"), ("unlocked", "won"))
        )
        rows.append(
            (
                colour.capitalize(), int(of["n"].sum()), share(unlocked, LEVEL), mean(turns, LEVEL),
                share(won, LEVEL),
            )
        )  # fmt: skip
    return Table(columns, tuple(rows), "Feats by colour" + basis.at(players), THEN)


def _unlocked(basis: Basis, rows: Sequence[Worth], players: int) -> Table:
    columns = (
        Column("Feat", Kind.TEXT),
        Column("Colour", Kind.TEXT),
        Column("Unlocked", Kind.SHARE),
        Column("In Turn", Kind.AMOUNT),
        Column("Win share then", Kind.SHARE),
    )
    cells = tuple((r.label, r.colour, r.unlocked, r.turn, r.won) for r in rows)
    return Table(columns, cells, "When a Feat is unlocked" + basis.at(players), THEN)


def _finding(rows: Sequence[Worth]) -> str:
    out = sorted((r for r in rows if r.verdict.kind == UNBALANCED), key=lambda r: -abs(r.win.value))
    if out:
        others = len(out) - 1
        more = f"; {others} more {'is' if others == 1 else 'are'} out of the band" if others else ""
        return f"{out[0].label} is worth {signed(100 * out[0].win.value)} points of win share{more}"
    if all(r.verdict.kind == BALANCED for r in rows):
        return f"no Feat moves win share by {100 * rows[0].verdict.band:g} points"
    undecided = sum(r.verdict.kind == UNDECIDED for r in rows)
    return f"no Feat is shown to be out of the band, {undecided} of {len(rows)} are undecided"
