"""Factions and cards under other names: what becomes what, and two games side by side."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simlab.games.dei.choices import BUY, COMMIT, PLAY, a_of, b_of, c_of, choice, d_of, e_of, kind_of, op_of
from simlab.games.dei.icons import icon_name, plain_op
from simlab.games.dei.live import LiveGame
from simlab.games.dei.pack import Pack, with_cards
from simlab.games.dei.record import tables_of
from simlab.games.dei.vocabulary import DRONE, FACTIONS, NONE, PLAYING
from tests.dei.drawn_games import Drawn

HASHES = ("game_hash", "choices_hash")  # of the numbers of choices, and those hold the numbers of cards


@dataclass(frozen=True)
class Relabelling:
    """Which faction and which of its cards stand for which."""

    faction: Mapping[int, int]
    card: Mapping[int, int]

    def choice(self, code: int) -> int:
        """A choice with the cards of the other names; all else in it is none of a faction's."""
        kind, a, b, c, d = kind_of(code), a_of(code), b_of(code), c_of(code), d_of(code)
        if kind == PLAY:
            a = self.card.get(a, a)
        elif kind == BUY and d:
            d = self.card.get(d - 1, d - 1) + 1
        elif kind == COMMIT:
            a, b, c = (*sorted(self.card.get(x - 1, x - 1) + 1 for x in (a, b, c) if x), 0, 0)[:3]
        return int(choice(kind, op_of(code), a, b, c, d, e_of(code)))


def relabelling(pack: Pack, old: Sequence[int], new: Sequence[int]) -> Relabelling:
    """Faction `old[k]` becomes `new[k]`, and its n-th card the other's n-th."""
    faction = dict(zip(old, new, strict=True))
    decks = [deck_of(pack, number) for number in range(len(FACTIONS))]
    pairs = (zip(decks[a], decks[b], strict=True) for a, b in faction.items())
    return Relabelling(faction, {a: b for cards in pairs for a, b in cards})


def deck_of(pack: Pack, faction: int) -> list[int]:
    """The cards that a faction starts with."""
    return [k for k, card in enumerate(pack.parts.cards) if card.deck == FACTIONS[faction]]


def with_equal_decks(pack: Pack, model: int, drone: str) -> Pack:
    """The pack with the same starting cards for each faction, whose Drone icons are all of `drone`."""
    cards = pack.parts.cards
    tables: list[dict[str, Any]] = []
    for faction in range(len(FACTIONS)):
        for mine, other in zip(deck_of(pack, faction), deck_of(pack, model), strict=True):
            names = (
                f"drone:{drone}" if plain_op(code) == DRONE else icon_name(code)
                for code in cards[other].icons
            )
            tables.append({"id": cards[mine].id, "deck": cards[mine].deck, "icons": " ".join(names)})
    return with_cards(pack, tables)


def play_alike(one: LiveGame, other: LiveGame, names: Relabelling, luck: int) -> None:
    """Make the same choices in both games; AssertionError where their lists part."""
    chance = random.Random(luck)
    while one.ending == PLAYING:
        choices, others = one.look(), other.look()
        assert one.active == other.active
        assert one._key[0] == other._key[0], "a strategy's chance depends on the faction"
        assert sorted(map(names.choice, choices)) == sorted(others)
        if one.ending != PLAYING:
            return
        code = chance.choice(choices)
        one.apply(code)
        other.apply(names.choice(code))
    one.end(one.ending, NONE)
    other.end(other.ending, NONE)


def rows_of(drawn: Drawn, live: LiveGame, line_up: Sequence[int]) -> dict[str, list[dict[str, Any]]]:
    """All recorded rows, without the hashes."""
    tables = tables_of(drawn.row(tuple(line_up)), live.log, live.pack, ["chance"])
    return {
        name: [{key: cell for key, cell in row.items() if key not in HASHES} for row in table.to_pylist()]
        for name, table in tables.items()
    }


def renamed(rows: dict[str, list[dict[str, Any]]], names: Relabelling) -> dict[str, list[dict[str, Any]]]:
    """The rows with the factions' other names."""
    words = {FACTIONS[a]: FACTIONS[b] for a, b in names.faction.items()}
    columns = {f"held_{old}": f"held_{new}" for old, new in words.items()}
    return {
        table: [
            {
                columns.get(key, key): words.get(cell, cell) if "faction" in key else cell
                for key, cell in row.items()
            }
            for row in content
        ]
        for table, content in rows.items()
    }
