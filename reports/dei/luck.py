"""Luck: what of who wins, and of Supplies, is owed to seat, faction, strategy, deal and noise of play."""

from __future__ import annotations

from dataclasses import replace
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from reports.dei import tallies
from reports.dei.packed import packed, unpacked
from reports.dei.seated import seating, seats_of
from reports.document import Bars, Cell, Column, Figure, Kind, Part, Section, Table
from reports.numbers import listed
from simlab.stats import variance
from simlab.stats.variance import Rounds, Variance, components

if TYPE_CHECKING:
    from reports.dei.basis import Basis
    from simlab.results import Run
    from simlab.stats.intervals import Estimate

WHAT = (
    "What outcomes differ by, as parts of their variance. *Who and where* is what seat, faction, strategy "
    "and how they meet decide on average over all deals. *Deal* is what the layout, the decks, Missions and "
    "Feats add to that: it comes again whenever the same deal is played from the same seats. {noise}"
)
PLAYED_AGAIN = (
    "*Noise of play* is what doesn't: the same deals and seats were played {times} with other chances of the "
    "strategies ({arms})."
)
ONCE = (
    "Here each deal counts once from each seating, so the deal and the noise of play can't be told apart; "
    "where an arm has another `noise`, the report on the base does that."
)
READING = (
    "Each part is estimated without bias, so one that is 0 can come out a little below. ±: the 95 % interval "
    "by a bootstrap of blocks. As standard deviations: how far a seat's chance to win lies from an equal "
    "share, or its Supplies from the mean, owing to that part alone. All of it holds for these strategies: "
    "others would leave more or less to chance."
)
PARTS = (
    "Deal, alike for all: what makes a game rich or poor for everybody. Parts without a number can't be: "
    "each game has one winner."
)
FEW = "Too few blocks{at}: what a line-up decides shows only where most came thrice in the same order."
LABELS = {
    variance.SYSTEMATIC: "Who and where",
    variance.DEALT: "Deal",
    variance.PLACE: "Seat",
    "faction": "Faction",
    "strategy": "Strategy",
    variance.BEYOND: "How these meet",
    variance.DEAL: "Deal, alike for all",
    variance.DEAL_PLACE: "Deal and seat",
    variance.DEAL_PLAYER: "Deal and who plays",
    variance.DEAL_BOTH: "Deal, seat and who plays",
    variance.NOISE: "Noise of play",
    variance.DEAL_AND_NOISE: "Deal and noise of play",
}
MADE_OF = {  # none of noise
    variance.SYSTEMATIC: (variance.PLACE, "faction", "strategy", variance.BEYOND),
    variance.DEALT: (variance.DEAL, variance.DEAL_PLACE, variance.DEAL_PLAYER, variance.DEAL_BOTH),
}
SAID = {
    variance.SYSTEMATIC: "who plays where",
    variance.DEALT: "the deal",
    variance.NOISE: "noise of play",
    variance.DEAL_AND_NOISE: "deal and noise of play",
}
NONE = 1e-9  # of the variance: rounding
SEED = 17  # of the bootstrap


def build(basis: Basis) -> Section:
    """Sums and parts at each player count, for who wins and for Supplies."""
    runs = _replicates(basis)
    parts: list[Part] = [WHAT.format(noise=_said(runs))]
    findings = []
    for players in basis.players:
        found = _found(basis, list(runs.values()), players)
        if found is None:
            parts.append(FEW.format(at=basis.at(players)))
            findings.append("")
            continue
        won, supplies = found
        parts += [*_figure(basis, won, supplies, players), _shares(basis, won, supplies, players)]
        parts.append(_deviations(basis, won, supplies, players))
        findings.append(_finding(won))
    return Section("Luck", (*parts, *([PARTS, READING] if any(findings) else [])), basis.headline(findings))


def _replicates(basis: Basis) -> dict[str, Run]:
    """The runs of the arms that differ in noise alone from the one reported, which is the first."""
    name = basis.arms[basis.arm]
    if basis.all_arms is None:
        return {name: basis.run}
    noisy = [other for other in basis.arms if basis.noise_alone(other)]
    return {name: basis.run} | {other: basis.all_arms.of_arm(basis.arms.index(other)) for other in noisy}


def _said(runs: dict[str, Run]) -> str:
    if len(runs) == 1:
        return ONCE
    times = "twice" if len(runs) == 2 else f"{len(runs)} times"
    return PLAYED_AGAIN.format(times=times, arms=listed(f"`{name}`" for name in runs))


def _found(basis: Basis, runs: list[Run], players: int) -> tuple[Variance, Variance] | None:
    """The parts of who wins and of Supplies; None with too few blocks."""
    found = [components(rounds, SEED) for rounds in _rounds(basis, runs, players)]
    won, supplies = found
    return None if won is None or supplies is None else (won, supplies)


def _rounds(basis: Basis, runs: list[Run], players: int) -> tuple[Rounds, Rounds]:
    """Win shares and Supplies of the blocks of which every game is finished in every run."""
    found = [_games(basis, run, players) for run in runs]
    most = 1 + max(int(each["block"].max(initial=-1)) for each in found)
    there = sum((np.bincount(each["block"], minlength=most) for each in found), np.zeros(most, np.int64))
    whole = there == players * len(runs)
    number = np.cumsum(whole) - 1
    shape = (len(runs), int(whole.sum()), players, players)
    won, supplies = np.zeros(shape, np.float32), np.zeros(shape, np.int16)
    seat = np.arange(players)
    kinds = np.zeros(shape[1], np.int64)
    for k, each in enumerate(found):
        kept = whole[each["block"]]
        block, rotation = number[each["block"][kept]], each["rotation"][kept]
        place = (seat + rotation[:, None]) % players  # as design.py seats a block
        won[k, block, (each["winner"][kept] + rotation) % players, each["winner"][kept]] = 1.0
        supplies[k, block[:, None], place, seat] = unpacked(each["supplies"][kept], players)
        kinds[block[rotation == 0]] = each["kind"][kept][rotation == 0]
    faction, strategy, kind = seats_of(basis, players, kinds)
    factors = {"faction": faction} | ({"strategy": strategy} if len(basis.strategies) > 1 else {})
    return Rounds(won, kind, factors), Rounds(supplies, kind, factors)


def _games(basis: Basis, run: Run, players: int) -> dict[str, np.ndarray]:
    """Of each finished game its block, rotation, winner's seat, everybody's Supplies and who sat where."""
    seats = (
        f"SELECT game, {packed('supplies', players)} AS supplies, {seating(basis, players)} AS kind "
        f"FROM seats WHERE {tallies.counted('seats', players)} GROUP BY game"
    )
    found = tallies.arrays(
        run,
        "SELECT block, rotation, winner_seat AS winner, supplies, kind "
        f"FROM games JOIN ({seats}) USING (game) WHERE {tallies.counted('games', players)}",
    )
    return {name: np.asarray(values, np.int64) for name, values in found.items()}


# --- what is shown ----------------------------------------------------------------------------------------


def _shares(basis: Basis, won: Variance, supplies: Variance, players: int) -> Table:
    """Each sum, and below it what it is made of."""
    columns = (
        Column("Owed to", Kind.TEXT),
        Column("Of who wins", Kind.SHARE),
        Column("Of Supplies", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, each in won.sums.items():
        rows.append((LABELS[name], each, supplies.sums[name]))
        for part in (part for part in won.parts if part in MADE_OF.get(name, ())):
            cells = (None if _is_0(of.parts[part]) else of.parts[part] for of in (won, supplies))
            rows.append((f"· {LABELS[part]}", *cells))
    return Table(columns, tuple(rows), "What decides" + basis.at(players))


def _is_0(part: Estimate) -> bool:
    """Whether a part can't be anything else, because each game has one winner."""
    return part.known and max(abs(part.low), abs(part.high)) < NONE


def _deviations(basis: Basis, won: Variance, supplies: Variance, players: int) -> Table:
    columns = (
        Column("Owed to", Kind.TEXT),
        Column("Chance to win, points", Kind.AMOUNT),
        Column("Supplies", Kind.AMOUNT),
    )
    rows: list[tuple[Cell, ...]] = [
        (LABELS[name], _deviation(each, won, 100), _deviation(supplies.sums[name], supplies, 1))
        for name, each in won.sums.items()
    ]
    return Table(columns, tuple(rows), "The same as standard deviations" + basis.at(players))


def _deviation(part: Estimate, of: Variance, unit: float) -> Estimate:
    """The standard deviation of a part; 0 where its variance came out below."""
    value, low, high = (
        unit * sqrt(max(0.0, x) * of.total.value) if not isnan(x) else nan
        for x in (part.value, part.low, part.high)
    )
    return replace(part, value=value, low=low, high=high)


def _figure(basis: Basis, won: Variance, supplies: Variance, players: int) -> list[Part]:
    """The sums as bars; none where one came out below 0."""
    both = (won, supplies)
    if not all(each.value >= 0 for one in both for each in one.sums.values()):
        return []
    plot = Bars(
        ("Who wins", "Supplies"),
        tuple(LABELS[name] for name in won.sums),
        tuple(tuple(replace(each, value=100 * each.value) for each in one.sums.values()) for one in both),
        "of the variance, %",
    )
    return [Figure("What decides" + basis.at(players), plot, "Made of the parts in the table below.")]


def _finding(won: Variance) -> str:
    said = [f"to {100 * each.value:.0f} % by {SAID[name]}" for name, each in won.sums.items()]
    return f"who wins is decided {listed(said)}" if won.total.value > 0 else ""
