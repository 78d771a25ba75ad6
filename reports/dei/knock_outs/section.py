"""What a thing is worth: games played once more without it, beside what its users' results suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import examples, tallies
from reports.dei.basis import LEVEL, titles
from reports.dei.knock_outs import cost
from reports.dei.knock_outs.families import FAMILIES
from reports.dei.knock_outs.sums import PAIRED, lost
from reports.dei.knock_outs.worth import Row, rows
from reports.document import Cell, Column, Figure, Kind, Part, Scatter, Section, Spot, Table
from reports.numbers import count, listed, signed
from simlab.games.dei.rules import DENIED_BY
from simlab.stats.discoveries import RATE
from simlab.stats.intervals import share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis
    from reports.dei.knock_outs.families import Family

BRIEF = 12  # rows of a table on the terminal
NAMED = 6  # things with a name in the figure
ABOUT = (
    "For every seat and everything that it used in a game, that game is played once more without this thing "
    "for this seat alone: the same deal, the same others. *Worth* is what the seat had with the thing less "
    "what it had without it, so it is an **effect**: among *users*, who would have used it, and *a seat*, of "
    "all that could have (intention to treat). *Association* is the users' win share less that of the other "
    "seats in the games as they were played; whoever is ahead may use more, so it need not be what the thing "
    "does. Worth depends on who plays, here {strategies}: a strategy that overrates a card is better off "
    "without it."
)
LOST = "{count} games played again count for nothing, since they or the game as it was ended irregularly."
READING = (
    "Stands out: shown to change its users' win share or their Supplies. Of the claims made of each, "
    "{rate:g} % are false on average, over the {tested} things of all kinds that were used in 30 blocks or "
    "more; of others too little is known (“–”). Shrunk: drawn to the middle of its kind by as much as luck "
    "scatters the kind."
)
DENIED = " Seats that a handicap keeps from it count neither here nor in the association."
PICKED = (
    "Worth: among users, with an interval that makes up for having picked these rows out of all "
    "(false coverage rate {rate:g} %). The best of many is the luckiest too, see *Shrunk*."
)


def build(basis: Basis) -> Section | None:
    """Tables and figures a player count; nothing where no game was played again."""
    if not basis.has("knock_outs"):
        return None
    found = {players: rows(basis, players) for players in basis.players}
    found = {players: each for players, each in found.items() if each}
    if not found:
        return None
    parts: list[Part] = [ABOUT.format(strategies=listed(basis.strategies))]
    for players, each in found.items():
        parts += _all(basis, each, players)
        for family in FAMILIES:
            mine = [row for row in each if row.family == family]
            parts += _family(basis, family, mine, players) if mine else []
        parts += [_courses(basis, each, players), *examples.of_knock_outs(basis, each, players)]
    return Section("Knock-outs", tuple(parts), basis.headline([_finding(each) for each in found.values()]))


def _all(basis: Basis, found: Sequence[Row], players: int) -> list[Part]:
    """What stands out of all kinds, and association against worth."""
    tested = sum(row.tested for row in found)
    parts: list[Part] = []
    if gone := lost(basis, players):
        parts.append(LOST.format(count=count(gone)))
    figure = _figure(basis, found, players)
    parts += [*([figure] if figure else []), READING.format(rate=100 * RATE, tested=tested)]
    picked = sorted((row for row in found if row.stands_out), key=lambda row: -abs(row.among_users.value))
    if picked:
        columns = (
            Column("Thing", Kind.TEXT),
            Column("Used", Kind.COUNT),
            Column("Worth", Kind.GAIN),
            Column("Shrunk", Kind.GAIN),
            Column("Supplies", Kind.CHANGE),
        )
        cells = tuple(
            (row.label, row.users, row.on_win.picked, row.on_win.shrunk, row.supplies_among_users)
            for row in picked
        )
        heading = "What stands out in win share" + basis.at(players)
        parts.append(Table(columns, cells, heading, PICKED.format(rate=100 * RATE), BRIEF))
    return parts


def _figure(basis: Basis, found: Sequence[Row], players: int) -> Figure | None:
    shown = [row for row in found if row.among_users.known and row.win.association.known]
    if not shown:
        return None
    far = sorted(shown, key=lambda row: -abs(row.win.association.value - row.among_users.value))
    named = {row.thing for row in far[: NAMED // 2]}
    named |= {row.thing for row in sorted(shown, key=lambda row: -abs(row.among_users.value))[: NAMED // 2]}
    spots = tuple(Spot(row.label, row.win.association, row.among_users, row.thing in named) for row in shown)
    plot = Scatter(
        spots, "association, points", "worth to its users, points", 0.0, Kind.GAIN, Kind.GAIN, diagonal=True
    )
    note = "Each point is a thing. On the dashed line the association would tell what the thing is worth."
    return Figure("Association and worth" + basis.at(players), plot, note)


def _family(basis: Basis, family: Family, found: Sequence[Row], players: int) -> list[Part]:
    parts: list[Part] = [_worth(basis, family, found, players), _a_seat(basis, family, found, players)]
    if family.kind == "card":
        parts += cost.parts(basis, found, players)
    if len(basis.factions) > 1 and family.kind != "leader":
        parts.append(_by(basis, family, found, players, "faction"))
    if len(basis.strategies) > 1:
        parts.append(_by(basis, family, found, players, "strategy"))
    return parts


def _worth(basis: Basis, family: Family, found: Sequence[Row], players: int) -> Table:
    columns = (
        Column(family.head, Kind.TEXT),
        Column("Used", Kind.COUNT),
        Column("Association", Kind.GAIN),
        Column("Worth", Kind.GAIN),
        Column("Shrunk", Kind.GAIN),
        Column("Supplies", Kind.CHANGE),
        Column("Stands out", Kind.TEXT),
    )
    cells: list[tuple[Cell, ...]] = [
        (
            row.label, row.users, row.win.association, row.among_users, row.on_win.shrunk,
            row.supplies_among_users, _where(row),
        )
        for row in found
    ]  # fmt: skip
    note = (
        f"Used: seats that {family.used}. Association: their win share less that of the others of the seats "
        f"{family.among}. Worth, Supplies: theirs less what they have where the seat {family.without}."
    )
    return Table(columns, tuple(cells), f"Worth of {family.title}" + basis.at(players), note, BRIEF)


def _where(row: Row) -> str:
    if row.stands_out:
        return "both" if row.on_supplies.stands_out else "win share"
    return "Supplies" if row.on_supplies.stands_out else ""


def _a_seat(basis: Basis, family: Family, found: Sequence[Row], players: int) -> Table:
    columns = (
        Column(family.head, Kind.TEXT),
        Column("Seats", Kind.COUNT),
        Column("Used", Kind.LEVEL),
        Column("Worth", Kind.GAIN),
        Column("Supplies", Kind.CHANGE),
        Column("Other course", Kind.LEVEL),
        Column("In Turn", Kind.AMOUNT),
    )
    cells: list[tuple[Cell, ...]] = [
        (
            row.label, row.seats, row.win.used, row.win.seats.difference, row.supplies.seats.difference,
            row.course, row.turn,
        )
        for row in found
    ]  # fmt: skip
    note = (
        f"Of the seats {family.among}, whether they used it or not. Other course: of the users' games, "
        "those in which a choice differs without it; In Turn: the first such Turn, on average."
    )
    if basis.experiment.get("handicaps", {}).get(DENIED_BY[family.kind]):
        note += DENIED
    heading = f"Worth of {family.title} a seat" + basis.at(players)
    return Table(columns, tuple(cells), heading, note, BRIEF)


def _by(basis: Basis, family: Family, found: Sequence[Row], players: int, level: str) -> Table:
    names = titles(basis.factions) if level == "faction" else basis.strategies
    columns = (Column(family.head, Kind.TEXT), *(Column(name, Kind.GAIN) for name in names))
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (row.label, *(row.by_faction if level == "faction" else row.by_strategy)) for row in found
    )
    note = "Worth among users, in points of win share. “–”: used in fewer than 30 blocks."
    heading = f"Worth of {family.title} by {level}" + basis.at(players)
    return Table(columns, cells, heading, note, BRIEF)


def _courses(basis: Basis, found: Sequence[Row], players: int) -> Table:
    """When games played again part from those as they were, by kind."""
    kinds = [family.kind for family in FAMILIES if any(row.family == family for row in found)]
    query = f"FROM knock_outs WHERE players = {players} AND used AND {PAIRED} GROUP BY ALL"
    sums = (
        f"SELECT {basis.group} AS cluster, kind, count(*) AS n, count(turn) AS changed {query}",
        f"SELECT {basis.group} AS cluster, kind, turn, count(turn) AS parted {query}",
    )
    ((last,),) = tallies.rows(basis.run, f"SELECT max(turn) FROM knock_outs WHERE players = {players}")
    turns, clusters = range(1, 1 + (last or 0)), basis.clusters(players)
    whole = tallies.grid(basis.run, sums[0], {"kind": kinds}, clusters)
    parted = tallies.grid(basis.run, sums[1], {"kind": kinds, "turn": turns}, clusters)
    columns = (
        Column("Without", Kind.TEXT),
        Column("Played again", Kind.COUNT),
        Column("Other course", Kind.LEVEL),
        *(Column(f"Turn {turn}", Kind.SHARE) for turn in turns),
    )
    cells: list[tuple[Cell, ...]] = []
    for k, kind in enumerate(kinds):
        changed = whole["changed"][:, k]
        by_turn = (
            share(tallies.Grid({"n": changed, "t": parted["parted"][:, k, t]}).moments("t", "n"), LEVEL)
            for t in range(len(turns))
        )
        title = next(family.title for family in FAMILIES if family.kind == kind)
        other = share(whole.moments("changed", "n", k), LEVEL)
        cells.append((title, int(whole["n"][:, k].sum()), other, *by_turn))
    note = "Of the games that took another course: those whose choices first differ in each Turn."
    return Table(columns, tuple(cells), "When games take another course" + basis.at(players), note)


def _finding(found: Sequence[Row]) -> str:
    """`Fly is worth +6.1 points of win share to whoever activated it; 12 of 98 things stand out`."""
    out = sorted((row for row in found if row.stands_out), key=lambda row: -abs(row.among_users.value))
    tested = sum(row.tested for row in found)
    if not tested:
        return "too few games were played again to tell"
    if not out:
        some = sum(row.on_supplies.stands_out for row in found)
        but = f", {some} {'does' if some == 1 else 'do'} in Supplies" if some else ""
        return f"none of {tested} things stands out in win share{but}"
    best = out[0]
    worth = f"{best.label} is worth {signed(100 * best.among_users.value)} points of win share to its users"
    return f"{worth}; {len(out)} of {tested} things stand out"
