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
    from reports.dei.printed import Part
    from reports.dei.shares import Share
    from reports.dei.usage import Use

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
    finished = tallies.counted("games", players)
    seats = f"players = {players} AND win_share IS NOT NULL"
    return _told(
        [
            (_most(basis, "seats", "supplies", seats), "most Supplies"),
            (_most(basis, "seats", "-supplies", seats), "fewest Supplies"),
            (_most(basis, "games", "winning_margin", finished), "largest lead"),
            (_first(basis, "games", f"tied_top AND {finished}"), "decided by the tie-break"),
        ]
    )


def of_lengths(basis: Basis, players: int) -> list[str]:
    """The longest and the shortest game, the longest list of choices."""
    finished = tallies.counted("games", players)
    return _told(
        [
            (_most(basis, "games", "decisions", finished), "most decisions"),
            (_most(basis, "games", "-decisions", finished), "fewest decisions"),
            (_most(basis, "games", "longest_list", finished), "longest list of choices"),
        ]
    )


def of_courses(basis: Basis, players: int, turn: int) -> list[str]:
    """A game won by who was furthest behind after a Turn."""
    behind = (
        "SELECT game, max(supplies) - max(supplies) FILTER (seat = winner_seat) AS behind "
        f"FROM turns JOIN games USING (game) WHERE turn = {turn} AND {tallies.counted('games', players)} "
        "GROUP BY game"
    )
    game = _most(basis, f"({behind})", "behind", "behind > 0")
    return _told([(game, f"won from furthest behind after Turn {turn}")])


def of_counts(basis: Basis, players: int, columns: Mapping[str, str]) -> list[str]:
    """The seats with the most of each column of `seats`, whose words are given."""
    seats = f"players = {players} AND win_share IS NOT NULL"
    return _told(
        [
            (_most(basis, "seats", column, f"{seats} AND {column} > 0"), says)
            for column, says in columns.items()
        ]
    )


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


def _most(basis: Basis, table: str, value: str, where: str) -> int | None:
    """The first of the games with the most of `value`."""
    query = f"SELECT game FROM {table} WHERE {where} ORDER BY {value} DESC NULLS LAST, game LIMIT 1"
    found = tallies.rows(basis.run, query)
    return int(found[0][0]) if found else None


def _told(games: Sequence[tuple[int | None, str]]) -> list[str]:
    """One paragraph, or nothing; what can be seen in one game stands together."""
    seen: dict[int, list[str]] = {}
    for game, says in games:
        if game is not None:
            seen.setdefault(game, []).append(says)
    commands = [f"`simlab replay RUN --game {game}` ({', '.join(says)})" for game, says in seen.items()]
    return [f"Games to look at: {'; '.join(commands[:MOST])}."] if commands else []
