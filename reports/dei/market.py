"""Each card's life: how often it lies open, is within reach, is bought, when, for how much, who wins then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.dei import examples, tallies, usage
from reports.dei.basis import ALWAYS, LEVEL, RARE
from reports.document import Cell, Column, Figure, Kind, Part, Scatter, Section, Spot, Table
from reports.numbers import listed, short
from simlab.games.dei.vocabulary import MARKETS, N_SLOTS
from simlab.stats.intervals import Moments, mean, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis
    from reports.dei.usage import Use

BRIEF = 12  # rows of a table of cards on the terminal
NAMED = 6  # cards with a name in the figure
WHAT = (
    "Taken: of the games in which somebody could have bought the card while it lay there, those in which "
    f"somebody did. A card is **dead** if that is shown to be less than {100 * RARE:g} %, **dominant** if "
    f"more than {100 * ALWAYS:g} %, with a risk of 5 % over all cards."
)
SLOTS = "Of its purchases. Slot 1 is the left one, where cards come in; they slide to the right."
ASSOCIATION = (
    "The win share of those who bought a card is an **association**, not what the card does: who is ahead "
    "may buy other cards than who is behind. Games played again without it tell: `[knock_outs]` in an "
    "experiment."
)


def build(basis: Basis) -> Section | None:
    """Tables and a figure a player count; nothing without a market."""
    if not basis.has("market"):
        return None
    parts: list[Part] = [WHAT]
    findings = []
    for players in basis.players:
        cards = cards_of(basis)
        if not cards:
            return None
        found = sums_of(basis, players, cards)
        used = taken(basis, players)
        findings.append(_finding(used))
        parts += [
            _figure(basis, found, used, players),
            ASSOCIATION,
            _life(basis, found, used, players),
            _bought(basis, found, used, players),
            *_when(basis, found, used, players),
            _winners(basis, found, used, players),
            _ladder(basis, players),
            *examples.of_cards(basis, used, players),
        ]
    return Section("Market", tuple(parts), basis.headline(findings))


def cards_of(basis: Basis) -> list[str]:
    """The cards that lay open in some game."""
    query = "SELECT DISTINCT card FROM market ORDER BY card"
    return basis.once("cards", lambda: [row[0] for row in tallies.rows(basis.run, query)])


def taken(basis: Basis, players: int) -> tuple[Use, ...]:
    """How often each card is bought where somebody could buy it."""
    if not basis.has("market"):
        return ()
    cards = cards_of(basis)
    found = sums_of(basis, players, cards)
    bought = [found.moments("taken", "affordable", k) for k in range(len(cards))]
    return usage.uses(basis, players, cards, bought)


def sums_of(basis: Basis, players: int, cards: Sequence[str]) -> tallies.Grid:
    """By cluster and card, in games with so many players: games, and seats of them by how far it came."""
    return basis.once(("market", players), lambda: _summed(basis, players, cards))


def _summed(basis: Basis, players: int, cards: Sequence[str]) -> tallies.Grid:
    lay = (
        "count(*) AS shown, count(*) FILTER (offered_to <> 0) AS offered, "
        "count(*) FILTER (affordable_to <> 0) AS affordable, sum(bit_count(offered_to)) AS offered_seats, "
        "sum((offered_to >> winner_seat) & 1) AS offered_wins, "
        "sum(bit_count(affordable_to)) AS affordable_seats, "
        "sum((affordable_to >> winner_seat) & 1) AS affordable_wins"
    )
    turns, slots = (
        "".join(f", count(*) FILTER ({column} = {at}) AS {name}{at}" for at in values)
        for column, name, values in (("bought_turn", "turn", _turns(basis)), ("slot", "slot", range(N_SLOTS)))
    )
    bought = (
        "count(*) AS bought, count(*) FILTER (affordable_to <> 0) AS taken, sum(bought_turn) AS turns, "
        "sum(paid_technology + paid_energy) AS price, sum(plays) AS plays, "
        "count(*) FILTER (bought_by = winner_seat) AS wins, count(*) FILTER (plays > 0) AS played, "
        f"count(*) FILTER (bought_by = winner_seat AND plays > 0) AS played_wins{turns}{slots}"
    )
    sums: dict[str, Any] = {}
    for counted, where in ((lay, "true"), (bought, "bought_by IS NOT NULL")):  # few rows have the second half
        query = (
            f"SELECT m.{basis.group} AS cluster, card, {counted} "
            "FROM market AS m JOIN games AS g USING (game) "
            f"WHERE players = {players} AND {tallies.counted('games')} AND {where} GROUP BY ALL"
        )
        sums.update(tallies.grid(basis.run, query, {"card": cards}, basis.clusters(players)).sums)
    return tallies.Grid(sums)


def _figure(basis: Basis, found: tallies.Grid, used: Sequence[Use], players: int) -> Figure:
    wins = [share(found.moments("wins", "bought", k), LEVEL) for k in range(len(used))]
    far = sorted(range(len(used)), key=lambda k: -abs(wins[k].value - 1 / players) if wins[k].known else 0.0)
    named = set(far[:NAMED]) | {k for k, use in enumerate(used) if use.extreme == usage.DEAD}
    spots = tuple(Spot(use.label, use.taken, wins[k], k in named) for k, use in enumerate(used))
    plot = Scatter(spots, "taken, %", "win share of those who bought it, %", 1 / players)
    note = "Each point is a card; the line is an equal share."
    return Figure("How often a card is taken, and who wins then" + basis.at(players), plot, note)


def _life(basis: Basis, found: tallies.Grid, used: Sequence[Use], players: int) -> Table:
    columns = (
        Column("Card", Kind.TEXT),
        Column("Lay open", Kind.COUNT),
        Column("Offered", Kind.SHARE),
        Column("Affordable", Kind.SHARE),
        Column("Bought", Kind.SHARE),
        Column("Taken", Kind.SHARE),
        Column("", Kind.TEXT),
    )
    rows: list[tuple[Cell, ...]] = []
    for k in _extremes_first(used):
        steps = (
            share(found.moments(name, "shown", k), LEVEL) for name in ("offered", "affordable", "bought")
        )
        rows.append((used[k].label, int(found["shown"][:, k].sum()), *steps, used[k].taken, used[k].extreme))
    note = (
        "Of the games in which the card lay open: offered, somebody could buy something while it lay there; "
        "affordable, somebody could have bought this card; bought, somebody did."
    )
    return Table(columns, tuple(rows), "How far a card comes" + basis.at(players), note, BRIEF)


def _bought(basis: Basis, found: tallies.Grid, used: Sequence[Use], players: int) -> Table:
    columns = (
        Column("Card", Kind.TEXT),
        Column("Bought", Kind.COUNT),
        Column("In Turn", Kind.AMOUNT),
        Column("Price", Kind.AMOUNT),
        Column("Plays", Kind.AMOUNT),
        Column("Win share", Kind.SHARE),
        Column(f"vs {100 / players:.3g} %", Kind.POINTS),
    )
    rows: list[tuple[float, tuple[Cell, ...]]] = []
    for k, use in enumerate(used):
        means = (mean(found.moments(name, "bought", k), LEVEL) for name in ("turns", "price", "plays"))
        won = share(found.moments("wins", "bought", k), LEVEL)
        gap = won.value - 1 / players if won.known else None
        rows.append((-(gap or 0.0), (use.label, int(found["bought"][:, k].sum()), *means, won, gap)))
    note = "Price: Technology and Energy Cells paid. Plays: face up, a game. Win share: of the buyers."
    ordered = tuple(cells for _, cells in sorted(rows, key=lambda row: row[0]))
    return Table(columns, ordered, "Cards that were bought" + basis.at(players), note, BRIEF)


def _when(basis: Basis, found: tallies.Grid, used: Sequence[Use], players: int) -> list[Table]:
    """Of a card's purchases, those in each Turn, and those from each slot."""
    turns = [(f"Turn {turn}", f"turn{turn}") for turn in _turns(basis)]
    slots = [(f"Slot {slot + 1}", f"slot{slot}") for slot in range(N_SLOTS)]
    ranked = sorted(range(len(used)), key=lambda k: -found["bought"][:, k].sum())
    made = []
    for heading, at, note in (
        ("When a card is bought", turns, "Of its purchases."),
        ("From which slot a card is bought", slots, SLOTS),
    ):
        columns = (
            Column("Card", Kind.TEXT),
            Column("Bought", Kind.COUNT),
            *(Column(head, Kind.SHARE) for head, _ in at),
        )
        rows: list[tuple[Cell, ...]] = []
        for k in ranked:
            shares = (share(found.moments(name, "bought", k), LEVEL) for _, name in at)
            rows.append((used[k].label, int(found["bought"][:, k].sum()), *shares))
        made.append(Table(columns, tuple(rows), heading + basis.at(players), note, BRIEF))
    return made


def _winners(basis: Basis, found: tallies.Grid, used: Sequence[Use], players: int) -> Table:
    """Win share of the seats that a card came so far with."""
    steps = (
        ("Offered", "offered_seats", "offered_wins"),
        ("Affordable", "affordable_seats", "affordable_wins"),
        ("Bought", "bought", "wins"),
        ("Played", "played", "played_wins"),
    )
    columns = (Column("Card", Kind.TEXT), *(Column(head, Kind.SHARE) for head, _, _ in steps))
    shares = [[share(found.moments(won, of, k), LEVEL) for _, of, won in steps] for k in range(len(used))]
    ranked = sorted(range(len(used)), key=lambda k: -shares[k][-1].value if shares[k][-1].known else 0.0)
    rows: list[tuple[Cell, ...]] = [(used[k].label, *shares[k]) for k in ranked]
    note = (
        "Win share of the players who could buy something while the card lay open, could have bought it, "
        "did, and played it face up: **associations** all. What rises from left to right goes with winning."
    )
    return Table(columns, tuple(rows), "Who wins, by how far a card came" + basis.at(players), note, BRIEF)


def _turns(basis: Basis) -> list[int]:
    """The Turns in which a card was bought."""
    query = "SELECT DISTINCT bought_turn FROM market WHERE bought_turn IS NOT NULL ORDER BY bought_turn"
    return basis.once("bought_turns", lambda: [row[0] for row in tallies.rows(basis.run, query)])


def _extremes_first(used: Sequence[Use]) -> list[int]:
    """Dead and dominant cards, then the others by how often they are taken."""
    rank = {usage.DEAD: 0, usage.DOMINANT: 1, "": 2}
    return sorted(
        range(len(used)),
        key=lambda k: (rank[used[k].extreme], used[k].taken.value if used[k].taken.known else 0.0),
    )


def _ladder(basis: Basis, players: int) -> Table:
    """Purchases a game by market, slot and Turn."""
    slots = [(market, slot) for market in MARKETS for slot in range(N_SLOTS)]
    found, games, turns = _purchases(basis, players)
    columns = (
        Column("Slot", Kind.TEXT),
        *(Column(f"Turn {turn}", Kind.AMOUNT) for turn in turns),
        Column("All", Kind.AMOUNT),
        Column("Price", Kind.AMOUNT),
    )
    rows: list[tuple[Cell, ...]] = []
    for market, slot in slots:
        at = (MARKETS.index(market), slot)
        bought, price = found["bought"][:, at[0], at[1]], found["price"][:, at[0], at[1]].sum(1)
        counts = [Moments.of_blocks(games, bought[:, t]) for t in range(len(turns))]
        total = Moments.of_blocks(games, bought.sum(1))
        cells = (
            *(mean(m, LEVEL) for m in (*counts, total)),
            mean(Moments.of_blocks(bought.sum(1), price), LEVEL),
        )
        rows.append((f"{market.capitalize()} {slot + 1}", *cells))
    note = "Purchases a game from each slot, 1 = left; price: Technology and Energy Cells paid, a card."
    return Table(columns, tuple(rows), "Purchases by slot and Turn" + basis.at(players), note)


def _purchases(basis: Basis, players: int) -> tuple[tallies.Grid, Any, list[int]]:
    """Purchases by cluster, market, slot and Turn; games by cluster; the Turns."""
    counted = f"players = {players} AND {tallies.counted('games')}"
    clusters = basis.clusters(players)
    games = tallies.grid(
        basis.run,
        f"SELECT {basis.group} AS cluster, count(*) AS n FROM games WHERE {counted} GROUP BY ALL",
        {},
        clusters,
    )
    turns = _turns(basis)
    query = (
        f"SELECT m.{basis.group} AS cluster, market, slot, bought_turn AS turn, count(*) AS bought, "
        "sum(paid_technology + paid_energy) AS price FROM market AS m JOIN games AS g USING (game) "
        f"WHERE bought_by IS NOT NULL AND {counted} GROUP BY ALL"
    )
    levels = {"market": MARKETS, "slot": range(N_SLOTS), "turn": turns}
    return tallies.grid(basis.run, query, levels, clusters), games["n"], turns


def _finding(used: Sequence[Use]) -> str:
    dead, always = usage.of(used, usage.DEAD), usage.of(used, usage.DOMINANT)
    said = []
    if dead:
        verb = "is" if len(dead) == 1 else "are"
        said.append(f"{listed(use.label for use in dead[:3])} {verb} hardly ever bought")
    if always:
        who = listed(use.label for use in always[:2]) if len(always) < 3 else f"{len(always)} cards"
        said.append(f"{who} nearly always")
    if said:
        return ", ".join(said) if dead else f"{said[0].removesuffix(' nearly always')} nearly always bought"
    known = [use for use in used if use.taken.known]
    if not known:
        return ""
    most = max(known, key=lambda use: use.taken.value)
    often = f"{most.label} is taken most, in {short(Kind.SHARE, most.taken)} of the games"
    return f"no card is dead or dominant; {often}"
