"""House rules on components: a pack with other cells, and without some cards.

    cards.tactic-03.technology = 2          # also energy, supplies, icons (as in cards.csv)
    markets.tactic.1.cubes = 1              # slots from 1, left to right; also technology
    missions.outposts.on_time_gain = 3      # also on_time_per, late_gain, late_per
    candy.move.tokens = 3                   # of 16 in all
    factions.farm_z.leader_value = 2        # what its Leader counts for Majority
    remove = ["black-07"]                   # Market and Drone cards

A removed card keeps its row, in no deck: cards are drawn by a priority of their own, so the others come
as if it had never been there. Rows that are changed are marked `patched`: a house rule is no
assumption about the box.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

from simlab.errors import NoEffect, PackError
from simlab.games.dei.icons import plain_argument, plain_op
from simlab.games.dei.pack import Pack, build_pack
from simlab.games.dei.pack_files import Ranged
from simlab.games.dei.pack_parts import PackParts
from simlab.games.dei.pack_rows import (
    CANDY_TOKENS,
    MAX_PRICE,
    MAX_SUPPLIES,
    MISSION_NUMBERS,
    CandyKind,
    Card,
    Mission,
    Slot,
    parse_card_icons,
)
from simlab.games.dei.vocabulary import BLACK, CANDIES, DRONE, DRONES, FACTION_TITLES, FACTIONS, MARKETS
from simlab.wording import did_you_mean, kind_of, shown

PATCHED = "patched"  # source mark of a changed row
NO_DECK = ""
REMOVE = "remove"
CARD_NUMBERS = {"technology": MAX_PRICE, "energy": MAX_PRICE, "supplies": MAX_SUPPLIES}
SLOT_NUMBERS = {"cubes": (0, 4), "technology": (-3, 3)}  # as markets.csv may have them
LEADER = "leader_value"
LEADER_VALUES = (0, 9)  # as the rules of that name may have
FILES = ("cards", "markets", "missions", "candy", "factions")

Row = TypeVar("Row", Card, Slot, Mission, CandyKind)
Cells = Mapping[str, Any]


def patch_pack(pack: Pack, patch: Mapping[str, Any]) -> tuple[Pack, dict[str, Any]]:
    """The pack with some cells changed and some cards taken out, and the patch in canonical form.

    PackError (place, reason) for what isn't there or can't be, NoEffect for what is as it was.
    """
    for key in patch:
        if key not in (*FILES, REMOVE):
            raise PackError(f"pack has no {shown(key)} to change{did_you_mean(key, (*FILES, REMOVE))}")
    if not patch:
        raise NoEffect("pack is empty, so it changes nothing")
    parts = pack.parts
    parts = replace(
        parts,
        cards=_patched(parts.cards, "cards", patch, lambda card: card.id, _card),
        missions=_patched(parts.missions, "missions", patch, lambda mission: mission.id, _mission),
        candy=_candy(parts, patch),
        slots=_slots(parts, patch),
        leader_values=_leader_values(parts, patch),
    )
    removed = _removed(pack, patch)
    cards = tuple(
        replace(card, deck=NO_DECK, source=PATCHED) if card.id in removed else card for card in parts.cards
    )
    canonical = {key: _sorted(patch[key]) for key in FILES if key in patch}
    canonical |= {REMOVE: removed} if removed else {}
    text = json.dumps([pack.hash, canonical], sort_keys=True)
    made = build_pack(replace(parts, cards=cards, hash=sha256(text.encode()).hexdigest()), pack.folder)
    return replace(made, share_assumed=pack.share_assumed), canonical


def check_in_play(pack: Pack, factions: Sequence[str]) -> None:
    """NoEffect for a changed card or Leader that no table of these factions brings into play."""
    for faction, value in zip(FACTIONS, pack.leader_values, strict=True):
        if value is not None and faction not in factions:
            raise NoEffect(f"pack.factions.{faction} has no effect: factions leaves {shown(faction)} out")
    for card in pack.parts.cards:
        if card.source != PATCHED:
            continue
        drones = {DRONES[drone] for drone in _drones(card.icons) if drone < len(DRONES)}
        deck = card.deck or (drones.pop() if len(drones) == 1 else "")
        if deck in (*FACTIONS, *DRONES):
            owner = FACTIONS[(FACTIONS if deck in FACTIONS else DRONES).index(deck)]
            if owner not in factions:
                raise NoEffect(
                    f"pack: {shown(card.id)} comes with {FACTION_TITLES[FACTIONS.index(owner)]} alone, and"
                    f" factions leaves {shown(owner)} out, so a change of it has no effect"
                )


def _sorted(table: Any) -> Any:
    return {key: _sorted(table[key]) for key in sorted(table)} if isinstance(table, Mapping) else table


def _table(where: str, value: Any) -> Cells:
    if not isinstance(value, Mapping):
        raise PackError(f"{where} must be a table, not {kind_of(value)} ({shown(value)})")
    if not value:
        raise NoEffect(f"{where} is empty, so it changes nothing")
    return value


def _named(where: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        near = did_you_mean(name, known) or f"; ids read such as {shown(known[len(known) // 2])}"
        raise PackError(f"{where} has no {shown(name)}{near}")


def _patched(
    rows: Sequence[Row],
    file: str,
    patch: Mapping[str, Any],
    name_of: Callable[[Row], str],
    change: Callable[[str, Row, Cells], Row],
) -> tuple[Row, ...]:
    """The rows of a file with the changes of the patch."""
    if file not in patch:
        return tuple(rows)
    changes = _table(f"pack.{file}", patch[file])
    for name in changes:
        _named(f"pack.{file}", name, [name_of(row) for row in rows])
    found = []
    for row in rows:
        name = name_of(row)
        if name in changes:
            where = f"pack.{file}.{name}"
            found.append(change(where, row, _table(where, changes[name])))
        else:
            found.append(row)
    return tuple(found)


def _number(where: str, value: Any, low: int, high: int, now: int | None) -> int:
    """A cell's new number: whole, within bounds, another one than it has."""
    if type(value) is not int or not low <= value <= high:
        raise PackError(f"{where} must be a whole number from {low} to {high}, not {shown(value)}")
    if value == now:
        raise NoEffect(f"{where} = {value} has no effect: so it is in the pack")
    return value


def _known(where: str, cells: Cells, columns: Iterable[str]) -> None:
    for column in cells:
        if column not in columns:
            raise PackError(f"{where} has no {shown(column)} to change{did_you_mean(column, columns)}")


def _fixed(value: int) -> Ranged:
    return Ranged(value, value, value)


# --- the files ----------------------------------------------------------------------------------------


def _card(where: str, card: Card, cells: Cells) -> Card:
    _known(where, cells, ("icons", *CARD_NUMBERS))
    changed: dict[str, Any] = {}
    for column, high in CARD_NUMBERS.items():
        if column in cells:
            if card.is_faction_card:
                raise PackError(f"{where}.{column}: a Faction card has no {column}")
            now = getattr(card, column).value
            changed[column] = _fixed(_number(f"{where}.{column}", cells[column], 0, high, now))
    if "icons" in cells:
        changed["icons"] = _icons(f"{where}.icons", card, cells["icons"])
    return replace(card, **changed, source=PATCHED, icon_ranges={})


def _icons(where: str, card: Card, text: Any) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise PackError(f"{where} must be a text such as {shown('move*2 kill')}, not {shown(text)}")
    icons = parse_card_icons(text, where)
    if icons == card.icons:
        raise NoEffect(f"{where} = {shown(text)} has no effect: so it is in the pack")
    if _drones(icons) != _drones(card.icons):
        raise PackError(
            f"{where}: which Drones a card activates can't be changed, only how often and how far"
        )
    return icons


def _drones(icons: Sequence[int]) -> set[int]:
    """CORE-008, CORE-011, CORE-075: the Drones that a card activates, fixed by its deck."""
    return {plain_argument(code) for code in icons if plain_op(code) == DRONE}


def _mission(where: str, mission: Mission, cells: Cells) -> Mission:
    _known(where, cells, MISSION_NUMBERS)
    numbers = list(mission.values)
    for column, value in cells.items():
        k = MISSION_NUMBERS.index(column)
        numbers[k] = _number(f"{where}.{column}", value, 1, 9, mission.values[k])
    gain, per, late, late_per = numbers
    return replace(mission, values=(gain, per, late, late_per), source=PATCHED)


def _candy(parts: PackParts, patch: Mapping[str, Any]) -> tuple[CandyKind, ...]:
    def change(where: str, kind: CandyKind, cells: Cells) -> CandyKind:
        _known(where, cells, ("tokens",))
        tokens = _number(f"{where}.tokens", cells["tokens"], 0, CANDY_TOKENS, kind.tokens.value)
        return replace(kind, tokens=_fixed(tokens), source=PATCHED)

    found = _patched(parts.candy, "candy", patch, lambda kind: CANDIES[kind.kind], change)
    total = sum(kind.tokens.value for kind in found)
    if total != CANDY_TOKENS:
        raise PackError(f"pack.candy makes {total} tokens in all, {CANDY_TOKENS} must be")
    return found


def _slots(parts: PackParts, patch: Mapping[str, Any]) -> tuple[Slot, ...]:
    """Slots are found by two words: market, then number from 1."""
    if "markets" not in patch:
        return parts.slots
    changes = _table("pack.markets", patch["markets"])
    found = {(MARKETS[slot.market], str(slot.slot + 1)): slot for slot in parts.slots}
    for market, slots in changes.items():
        _named("pack.markets", market, MARKETS)
        for number, cells in _table(f"pack.markets.{market}", slots).items():
            where = f"pack.markets.{market}.{number}"
            _named(f"pack.markets.{market}", number, [slot for name, slot in found if name == market])
            found[market, number] = _slot(where, found[market, number], _table(where, cells))
    return tuple(found.values())


def _slot(where: str, slot: Slot, cells: Cells) -> Slot:
    _known(where, cells, SLOT_NUMBERS)
    changed: dict[str, Any] = {}
    for column, value in cells.items():
        now = getattr(slot, column).value
        if column == "cubes" and slot.market == BLACK:
            raise PackError(f"{where}.cubes: the Black Market has no Outposts to ask for")
        changed[column] = _fixed(_number(f"{where}.{column}", value, *SLOT_NUMBERS[column], now))
    return replace(slot, **changed, source=PATCHED)


def _leader_values(parts: PackParts, patch: Mapping[str, Any]) -> tuple[int | None, ...]:
    """By faction; whether one differs from what the rules say is asked where these are known."""
    if "factions" not in patch:
        return parts.leader_values
    found = list(parts.leader_values)
    changes = _table("pack.factions", patch["factions"])
    for name in changes:
        _named("pack.factions", name, FACTIONS)
        where = f"pack.factions.{name}"
        cells = _table(where, changes[name])
        _known(where, cells, (LEADER,))
        faction = FACTIONS.index(name)
        found[faction] = _number(f"{where}.{LEADER}", cells[LEADER], *LEADER_VALUES, found[faction])
    return tuple(found)


def _removed(pack: Pack, patch: Mapping[str, Any]) -> list[str]:
    """The cards that are taken out, in the order of the file."""
    if REMOVE not in patch:
        return []
    written, where = patch[REMOVE], f"pack.{REMOVE}"
    if not isinstance(written, list) or not all(isinstance(name, str) for name in written):
        raise PackError(f"{where} must be a list of cards, not {shown(written)}")
    if not written:
        raise NoEffect(f"{where} is an empty list, so it changes nothing")
    for name in written:
        _named(where, name, pack.card_ids)
        if written.count(name) > 1:
            raise PackError(f"{where} names {shown(name)} twice")
        if name in pack.faction_card_ids:
            raise PackError(f"{where}: {shown(name)} is a Faction card, of a hand of eight (CORE-014)")
        if name in patch.get("cards", {}):
            raise PackError(f"pack.cards.{name} has no effect: {where} takes the card out")
    left = {card.deck for card in pack.parts.cards if card.id not in written}
    for deck in (*MARKETS, *DRONES):
        if deck not in left:
            raise PackError(f"{where} leaves no card of the deck {shown(deck)}")
    return [card for card in pack.card_ids if card in written]
