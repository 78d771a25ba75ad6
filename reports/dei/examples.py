"""A game to look at for whatever stands out, with the command that replays it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.dei import tallies, usage
from reports.dei.basis import FACTION_OF, ORDINALS
from reports.dei.shares import PLURAL
from reports.numbers import signed
from simlab.stats.equivalence import UNBALANCED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reports.dei.basis import Basis
    from reports.dei.feat import Worth
    from reports.dei.knock_outs.worth import Row
    from reports.dei.printed import Part
    from reports.dei.shares import Share
    from reports.dei.usage import Use

GAMES = 1 << 40  # more than a run has; value and game go into one number, so that one pass finds both
MOST = 4  # games named in one place


def of_factions(basis: Basis, found: Sequence[Share], players: int) -> list[str]:
    """A faction that wins too often winning, one that wins too seldom coming last."""
    return _of_shares(basis, found, players, lambda one: f"faction = '{FACTION_OF[one]}'", str)


def of_seats(basis: Basis, found: Sequence[Share], players: int) -> list[str]:
    """The same of seats."""
    return _of_shares(
        basis, found, players, lambda one: f"seat = {ORDINALS.index(one)}", lambda one: f"the {one} seat"
    )


def of_strategies(basis: Basis, found: Sequence[Share], players: int) -> list[str]:
    """The same of strategies."""
    return _of_shares(basis, found, players, lambda one: f"strategy = {tallies.literal(one)}", str)


def _of_shares(
    basis: Basis,
    found: Sequence[Share],
    players: int,
    where: Callable[[str], str],
    says: Callable[[str], str],
) -> list[str]:
    games = []
    for one in found:
        if one.verdict.kind == UNBALANCED:
            place = 1 if one.verdict.gap > 0 else players
            condition = f"{where(one.label)} AND place = {place} AND players = {players}"
            told = f"{says(one.label)} {_wins(says(one.label)) if place == 1 else 'last'}"
            games.append((_first(basis, "seats", condition), told))
    return _told(games)


def _wins(who: str) -> str:
    return "win" if who.startswith(PLURAL) else "wins"


def of_feats(basis: Basis, found: Mapping[int, Sequence[Worth]]) -> list[str]:
    """A Feat that is out of the band, unlocked by who won, or not by who came last."""
    games = []
    for players, rows in found.items():
        for row in rows:
            if row.verdict.kind == UNBALANCED:
                good = row.win.value > 0
                where = (
                    f"feat_{row.colour} = '{row.feat}' AND players = {players} "
                    f"AND place = {1 if good else players} "
                    f"AND feat_{row.colour}_turn IS {'NOT ' if good else ''}NULL"
                )
                says = f"{row.label} ({signed(100 * row.win.value)}) with the {'winner' if good else 'last'}"
                games.append((_first(basis, "seats", where), says))
    return _told(games)


def of_cards(basis: Basis, used: Sequence[Use], players: int) -> list[str]:
    """A dead card left lying though somebody could buy it, a dominant one bought."""
    games = []
    for extreme, condition, says in (
        (usage.DEAD, "affordable_to <> 0 AND bought_by IS NULL", "left lying"),
        (usage.DOMINANT, "bought_by IS NOT NULL", "bought"),
    ):
        for use in usage.of(used, extreme)[: MOST // 2]:
            where = f"card = {tallies.literal(use.label)} AND {condition}"
            where += f" AND {tallies.counted('market', players)}"
            games.append((_first(basis, "market", where), f"{use.label} {says}"))
    return _told(games)


def of_knock_outs(basis: Basis, found: Sequence[Row], players: int) -> list[str]:
    """A game that was won with a thing that stands out and not without it, or the other way round."""
    games = []
    for row in sorted((row for row in found if row.stands_out), key=lambda row: -abs(row.among_users.value)):
        good = row.among_users.value > 0
        where = (
            f"kind = '{row.thing.kind}' AND thing = {tallies.literal(row.thing.name)} AND used "
            f"AND players = {players} AND win_share {'>' if good else '<'} win_share_without"
        )
        games.append(
            (_first(basis, "knock_outs", where), f"{row.label}: won only {'with' if good else 'without'} it")
        )
    return _told(games[:MOST])


def of_missions(basis: Basis, used: Sequence[Use], players: int) -> list[str]:
    """A dead Mission that nobody completed."""
    games = []
    for use in usage.of(used, usage.DEAD)[:MOST]:
        kind = use.label.lower().replace(" ", "_")
        where = (
            f"mission = {tallies.literal(kind)} AND seat IS NULL AND {tallies.counted('missions', players)}"
        )
        games.append((_first(basis, "missions", where), f"{use.label} left lying"))
    return _told(games)


def of_scores(basis: Basis, players: int) -> list[str]:
    """The most and the fewest Supplies, the largest lead, a game that Priority decided."""
    seats, games = (tallies.counted(table, players) for table in ("seats", "games"))
    return _told(
        [
            *_most(basis, "seats", {"supplies": "most Supplies", "-supplies": "fewest Supplies"}, seats),
            *_most(basis, "games", {"winning_margin": "largest lead"}, games),
            (_first(basis, "games", f"tied_top AND {games}"), "decided by the tie-break"),
        ]
    )


def of_lengths(basis: Basis, players: int) -> list[str]:
    """The longest and the shortest game, the longest list of choices."""
    says = {
        "decisions": "most decisions",
        "-decisions": "fewest decisions",
        "longest_list": "longest list of choices",
    }
    return _told(_most(basis, "games", says, tallies.counted("games", players)), basis.at(players))


def of_courses(basis: Basis, players: int, turn: int) -> list[str]:
    """A game won by who was furthest behind after a Turn."""
    behind = (
        "SELECT game, max(supplies) - max(supplies) FILTER (seat = winner_seat) AS behind "
        f"FROM turns JOIN games USING (game) WHERE turn = {turn} AND {tallies.counted('games', players)} "
        "GROUP BY game"
    )
    says = {"behind": f"won from furthest behind after Turn {turn}"}
    return _told(_most(basis, f"({behind})", says, "behind > 0"))


def of_places(basis: Basis, players: int, places: Mapping[str, int]) -> list[str]:
    """Games by their places in the order of their numbers, from 0, by what is said of them."""
    ordered = (
        f"SELECT game FROM games WHERE {tallies.counted('games', players)} ORDER BY game LIMIT 1 OFFSET "
    )
    return _told([(tallies.rows(basis.run, f"{ordered}{at}")[0][0], says) for says, at in places.items()])


def of_counts(basis: Basis, players: int, says: Mapping[str, str]) -> list[str]:
    """The games with the most of some columns of `seats`, with what is said of each."""
    return _told(_most(basis, "seats", says, tallies.counted("seats", players)))


def of_regions(basis: Basis, part: Part, players: int) -> list[str]:
    """A game of the block in which most Moves went where most go."""
    block = (
        f"SELECT block FROM regions WHERE players = {players} AND tile = {tallies.literal(part.tile)} "
        f"AND letter = {tallies.literal(part.letter)} ORDER BY moves_into DESC, block LIMIT 1"
    )
    where = f"block = ({block}) AND {tallies.counted('games', players)}"
    return _told([(_first(basis, "games", where), f"of the block with most Moves to {part.name}")])


def _first(basis: Basis, table: str, where: str) -> int | None:
    found: int | None = tallies.rows(basis.run, f"SELECT min(game) FROM {table} WHERE {where}")[0][0]
    return found


def _most(basis: Basis, table: str, says: Mapping[str, str], where: str) -> list[tuple[int | None, str]]:
    """The first of the games with the most of each value, an SQL expression, with what is said of it."""
    packed = ", ".join(f"max(({value})::BIGINT * {GAMES} - game)" for value in says)
    (found,) = tallies.rows(basis.run, f"SELECT {packed} FROM {table} WHERE {where}")
    games = [None if one is None else -int(one) % GAMES for one in found]
    return list(zip(games, says.values(), strict=True))


def _told(games: Sequence[tuple[int | None, str]], at: str = "") -> list[str]:
    """One paragraph, or nothing; what can be seen in one game stands together.

    `at`: the number of players, where nothing above says it.
    """
    seen: dict[int, list[str]] = {}
    for game, says in games:
        if game is not None:
            seen.setdefault(game, []).append(says)
    commands = [f"`simlab replay RUN --game {game}` ({', '.join(says)})" for game, says in seen.items()]
    return [f"Games to look at{at}: {'; '.join(commands[:MOST])}."] if commands else []
