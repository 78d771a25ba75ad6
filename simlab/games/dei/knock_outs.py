"""What can be taken from a seat: a card, a Feat, a Drone, a kind of Candy Boost, its Leader's skill.

A seat is denied a thing by a handicap: it may not buy the card, never unlocks the Feat, may not activate the
Drone, may not lay the Candy Boost, or its Leader has no skill. All else is as in the base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.game import KnockOuts, Rows, Settings, Taken
from simlab.games.dei.columns import KNOCK_OUTS
from simlab.games.dei.rules import DENIED_BY, HANDICAP_SETS
from simlab.games.dei.settings import resolve_rules
from simlab.games.dei.vocabulary import CANDIES, DRONES, FACTIONS, FEATS, FINISHED, MARKETS, MAX_SEATS
from simlab.results import arrow, optional, texts, words

if TYPE_CHECKING:
    import pyarrow as pa

    from simlab.strategy import Strategy

KINDS = {
    "cards": "Market and Drone cards that it bought: it may not buy them",
    "feats": "Feats that it unlocked: it never unlocks them",
    "drones": "Drones that it activated: it may not activate them",
    "candy": "Candy Boosts that it laid, by kind: it may not lay them",
    "leaders": "its Leader's skill, by faction",
}
_ONE = {"cards": "card", "feats": "feat", "drones": "drone", "candy": "candy", "leaders": "leader"}


def names(
    settings: Settings, players: tuple[int, ...], factions: tuple[str, ...], kind: str
) -> tuple[str, ...]:
    """All things of a kind that somebody could use in such games."""
    seats = max(players)
    there = _in_play(settings, players, factions, kind)
    return tuple(name for name in there if not _denied(settings, kind, name)[:seats].all())


def _in_play(
    settings: Settings, players: tuple[int, ...], factions: tuple[str, ...], kind: str
) -> tuple[str, ...]:
    """All things of a kind that come into such games."""
    from simlab.games.dei.effects import InPlay

    pack = settings.pack
    if kind == "cards":
        decks = {drone for number, drone in enumerate(DRONES) if FACTIONS[number] in factions}
        return tuple(card.id for card in pack.parts.cards if card.deck in {*MARKETS, *decks})
    if kind == "feats":
        rules = resolve_rules(settings.rules)
        made = InPlay(rules, settings.rules, settings.handicaps, pack, max(players), factions)
        return () if made.locked else FEATS
    if kind == "drones":
        return tuple(name for drone, name in enumerate(DRONES) if FACTIONS[drone] in factions)
    if kind == "candy":
        there = set(pack.table[0]["candy_kind"][: pack.counts["candy"]].tolist())
        return tuple(name for number, name in enumerate(CANDIES) if number in there)
    return tuple(name for name in FACTIONS if name in factions)


def without(settings: Settings, kind: str, name: str, seat: int) -> Settings:
    """The same games with a thing taken from a seat."""
    key = DENIED_BY[_ONE[kind]]
    is_set = key in HANDICAP_SETS
    by_seat = list(settings.handicaps.get(key, ()))
    by_seat += [[] if is_set else False] * (MAX_SEATS - len(by_seat))
    by_seat[seat] = sorted({*by_seat[seat], name}) if is_set else True
    return replace(settings, handicaps={**settings.handicaps, key: by_seat})


def used(settings: Settings, schedule: Rows, logs: Any, kind: str, name: str) -> tuple[Rows, Rows]:
    """Which seats used a thing, and which could have: bool (games, MAX_SEATS)."""
    schedule, logs = np.asarray(schedule), np.asarray(logs)  # plain arrays: fields are read by name
    did, could = _used(settings, schedule, logs, kind, name)
    free = ~_denied(settings, kind, name)
    return did & free, could & free


def _used(settings: Settings, schedule: Rows, logs: Rows, kind: str, name: str) -> tuple[Rows, Rows]:
    """The same, were no seat denied anything."""
    everybody = np.ones((len(schedule), MAX_SEATS), bool)
    if kind == "cards":
        card = list(settings.pack.card_ids).index(name)
        return logs["bought_by"][:, card, None] == np.arange(MAX_SEATS), everybody
    if kind == "feats":
        bit = FEATS.index(name)
        unlocked, dealt = (logs[field] >> bit & 1 == 1 for field in ("feats_unlocked", "feats_dealt"))
        return unlocked, dealt
    if kind == "drones":
        drone = DRONES.index(name)
        plays = (schedule["faction"] == drone).any(1)
        return logs["activations"][:, :, drone] > 0, everybody & plays[:, None]
    if kind == "candy":
        return logs["candy_laid"][:, :, CANDIES.index(name)] > 0, everybody
    leads = schedule["faction"] == FACTIONS.index(name)
    return leads, leads


def _denied(settings: Settings, kind: str, name: str) -> Rows:
    """Which seats may not use a thing as it is, bool (MAX_SEATS,)."""
    key = DENIED_BY[_ONE[kind]]
    given = [name in each if key in HANDICAP_SETS else each for each in settings.handicaps.get(key, ())]
    return np.array(given + [False] * (MAX_SEATS - len(given)), bool)


def only_where_used(settings: Settings) -> bool:
    """Whether nothing differs but where a thing was used.

    A strategy isn't asked where it has one choice. Where the last card in hand could be bought with or
    played, a ban would leave one choice, and the strategy miss its look at a new card. So hands must never
    run down to one card (CORE-030), nor cards be chosen together (CORE-132).
    """
    rules, cards = resolve_rules(settings.rules), settings.pack.parts.cards
    hand = min(sum(card.deck == faction for card in cards) for faction in FACTIONS)
    return bool(3 * rules["cards_per_phase"] < hand and not rules["planning"])


def same(before: Any, after: Any) -> Rows:
    """Whether games came out alike, choice by choice."""
    return np.asarray(np.asarray(before)["game_hash"] == np.asarray(after)["game_hash"])


def rows(
    settings: Settings,
    schedule: Rows,
    strategies: Sequence[Strategy],
    logs: Any,
    wanted: Mapping[str, Sequence[str]],
    taken: Taken,
) -> pa.Table:
    """The table KNOCK_OUTS of what was taken."""
    schedule, logs, after = np.asarray(schedule), np.asarray(logs), np.asarray(taken.logs)
    game, seat = taken.base, taken.seat
    base = logs[game]
    unknown = (base["ending"] != FINISHED) | (after["ending"] != FINISHED)
    turn = _first_difference(base["turn_hash"], after["turn_hash"])
    first = np.cumsum([0, *(len(each) for each in wanted.values())])[:-1]  # of a kind, in the list of all
    each = np.arange(len(seat))
    columns = {name: schedule[name][game] for name in ("game", "block", "arm", "players")}
    columns |= {
        "kind": words(taken.kind, [_ONE[kind] for kind in wanted]),
        "thing": texts(first[taken.kind] + taken.thing, [name for kind in wanted.values() for name in kind]),
        "seat": seat.astype(np.int8),
        "faction": words(schedule["faction"][game, seat], FACTIONS),
        "strategy": words(schedule["strategy"][game, seat], [strategy.name for strategy in strategies]),
        "used": taken.used,
        "differs": ~same(base, after),
        "turn": optional(turn.astype(np.int8), turn == 0),
    }
    for name, table in (("", base), ("_without", after)):
        won = (table["place"][each, seat] == 1).astype(np.float32)
        columns[f"win_share{name}"] = optional(won, unknown)
        columns[f"supplies{name}"] = table["final_supplies"][each, seat]
    return arrow(KNOCK_OUTS, columns)


def _first_difference(before: Rows, after: Rows) -> Rows:
    """The first Turn, from 1, at whose end the choices differ; 0 if none does. Hashes (games, Turns)."""
    differs = before != after
    return np.where(differs.any(1), differs.argmax(1) + 1, 0)


PROVIDED = KnockOuts(
    kinds=KINDS,
    table=KNOCK_OUTS,
    names=names,
    without=without,
    used=used,
    only_where_used=only_where_used,
    same=same,
    rows=rows,
)
