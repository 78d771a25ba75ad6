"""A ladder for people: who is how strong, whether that is certain, and whether it holds with other packs."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from reports.document import Cell, Column, Kind, Section, Table
from reports.numbers import about, listed
from simlab.stats.order import CERTAIN, CONTRADICTED, OPEN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    from simlab.ladder.ladder import Ladder
    from simlab.ladder.rating import Order, Pair, Step
    from simlab.stats.intervals import Estimate

MARKDOWN = "ladder.md"
RATING_NOTE = (
    "Rating: Plackett–Luce over whole rankings, 400 points for odds of ten to one in a duel; ± is half of "
    "the 95 % interval, clustered on deals. ≥ and ≤: no loss, or no win, so only a bound is known. Duels: "
    "win share with two players, against each of the others equally often, by the ratings."
)
STEPS_NOTE = (
    "All at once: the 95 % interval that holds for all pairs together. Certain: it is clear of 50 %. "
    "Open: it isn't; in brackets, about how many more games would settle it. Contradicted: it is below 50 %."
)
PACKS_NOTE = (
    "Closest step: the pair of neighbours whose higher one won least. A sampled pack draws every assumed "
    "value anew from its range."
)


def publish(ladder: Ladder, console: Console) -> Path:
    """Print a ladder and write it as Markdown into its folder; the file's path."""
    from reports import save
    from reports.markdown import markdown
    from reports.terminal import show

    composed = sections(ladder)
    show(composed, console)
    target = ladder.asked.folder / MARKDOWN
    save(target, markdown(composed))
    return target


def sections(ladder: Ladder) -> list[Section]:
    """The sections, as plain data."""
    own, *sampled = ladder.orders
    found = [
        Section(ladder.asked.experiment.name, (*_answer(ladder), _basis(ladder))),
        Section("Ratings", (_ratings(own, ladder.names, ladder.names[ladder.asked.anchor]),)),
        Section("Order", (_steps(own, ladder.names),)),
    ]
    if len(own.pairs) > len(own.steps):
        found.append(Section("Pairs", (_misfit(own.pairs, ladder.names), _pairs(own.pairs, ladder.names))))
    if sampled:
        found.append(Section("Packs", (_packs(ladder.orders, ladder.names),)))
    return found


# --- the answer -----------------------------------------------------------------------------------------


def _answer(ladder: Ladder) -> list[str]:
    own, *sampled = ladder.orders
    names = ladder.names
    said = [f"From the strongest: {', '.join(names[k] for k in own.order)}."]
    for kind, words in ((OPEN, "Not certain yet"), (CONTRADICTED, "Contradicted by the pair's own games")):
        pairs = [
            f"{names[s.pair.higher]} above {names[s.pair.lower]}" for s in own.steps if s.pair.kind == kind
        ]
        said += [f"{words}: {listed(pairs)}."] if pairs else []
    if own.kind == CERTAIN:
        said.append("Each is certain to beat the next, with two players.")
    if sampled:
        holds = sum(order.kind == CERTAIN for order in sampled)
        against = sum(order.kind == CONTRADICTED for order in sampled)
        contradicted = f", contradicted in {against}" if against else ""
        said.append(f"The order is certain in {holds} of {len(sampled)} sampled packs{contradicted}.")
    return [" ".join(said)]


def _basis(ladder: Ladder) -> Table:
    experiment = ladder.asked.experiment
    games = {
        players: sum(each.played for each in ladder.games if each.meeting.players == players)
        for players in experiment.players
    }
    lost = sum(each.played - len(each.block) for each in ladder.games)
    pack = experiment.settings.pack
    rows = (
        ("Games", "; ".join(f"{count:,} with {players} players" for players, count in games.items())),
        ("Contests", f"{len(ladder.games):,}, each deal in every seating"),
        (
            "Components",
            f"pack {pack.name}, version {pack.version}, and {len(ladder.orders) - 1} sampled ones",
        ),
        ("Ended irregularly", f"{lost:,}; they count in nothing below" if lost else "none"),
        ("Seed", f"{experiment.seed}, on deals that no run has"),
        ("Digest", ladder.digest),
    )
    return Table((Column("Rests on", Kind.TEXT), Column("", Kind.TEXT)), rows)


# --- tables -----------------------------------------------------------------------------------------------


def _ratings(order: Order, names: Sequence[str], anchor: str) -> Table:
    counts = list(order.ratings[0].by_players)
    each = counts if len(counts) > 1 else []
    columns = (
        Column("Strategy", Kind.TEXT),
        Column("Rating", Kind.AMOUNT),
        *(Column(f"{players} players", Kind.AMOUNT) for players in each),
        Column("Duels", Kind.SHARE),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            names[rating.strategy],
            *(
                0.0 if names[rating.strategy] == anchor else estimate
                for estimate in (rating.overall, *(rating.by_players[players] for players in each))
            ),
            rating.among,
        )
        for rating in order.ratings
    )
    return Table(columns, rows, f"Points above {anchor}", RATING_NOTE)


def _steps(order: Order, names: Sequence[str]) -> Table:
    """A row a strategy, from the strongest: how it does against the one below it."""
    columns = (
        Column("Strategy", Kind.TEXT),
        Column("Games", Kind.COUNT),
        Column("Win share", Kind.SHARE),
        Column("All at once", Kind.RANGE),
        Column("Verdict", Kind.TEXT),
    )
    rows: list[tuple[Cell, ...]] = [
        (names[step.pair.higher], *_shares(step.pair), _verdict(step)) for step in order.steps
    ]
    rows.append((names[order.steps[-1].pair.lower], None, None, None, None))
    return Table(columns, tuple(rows), "Win share against the next, 2 players", STEPS_NOTE)


def _verdict(step: Step) -> str:
    if step.pair.kind != OPEN:
        return step.pair.kind
    return f"{OPEN} ({'on the edge' if isinf(step.more) else f'+{about(step.more)}'})"


def _pairs(pairs: Sequence[Pair], names: Sequence[str]) -> Table:
    columns = (
        Column("Higher", Kind.TEXT),
        Column("Lower", Kind.TEXT),
        Column("Games", Kind.COUNT),
        Column("Win share", Kind.SHARE),
        Column("All at once", Kind.RANGE),
    )
    rows = tuple((names[pair.higher], names[pair.lower], *_shares(pair)) for pair in pairs)
    return Table(columns, rows, "Win share, 2 players")


def _shares(pair: Pair) -> tuple[Cell, ...]:
    return pair.alone.n, pair.alone, pair.together


def _misfit(pairs: Sequence[Pair], names: Sequence[str]) -> str:
    """How far one number a strategy is from telling all pairs."""
    worst = max(pairs, key=lambda pair: abs(pair.alone.value - pair.expected))
    points = 100 * abs(worst.alone.value - worst.expected)
    return (
        f"One rating a strategy tells the share of every pair within {points:.1f} points; the farthest off "
        f"is {names[worst.higher]} against {names[worst.lower]}."
    )


def _packs(orders: Sequence[Order], names: Sequence[str]) -> Table:
    own = orders[0]
    columns = (
        Column("Pack", Kind.TEXT),
        Column("Order", Kind.TEXT),
        Column("Certain", Kind.TEXT),
        Column("Closest step", Kind.SHARE),
        Column("", Kind.TEXT),
    )
    rows: list[tuple[Cell, ...]] = []
    for number, order in enumerate(orders):
        closest = min((step.pair for step in order.steps), key=lambda pair: _value(pair.alone))
        certain = sum(step.pair.kind == CERTAIN for step in order.steps)
        rows.append(
            (
                order.pack if number == 0 else f"sampled {number}",
                "the same" if order.order == own.order else "another",
                f"{certain} of {len(order.steps)}",
                closest.alone,
                f"{names[closest.higher]}, {names[closest.lower]}",
            )
        )
    return Table(columns, tuple(rows), "The order with other packs, 2 players", PACKS_NOTE)


def _value(found: Estimate) -> float:
    return found.value if found.known else 0.0
