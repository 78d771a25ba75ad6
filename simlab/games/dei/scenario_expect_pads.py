"""What must lie on a Pad: the keys of `[expect.pad]`, each giving its differences in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from simlab.games.dei.names import Names, number_of
from simlab.games.dei.scenario_keys import Keys, texts
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import BIN, CANDIES, FACE_DOWN, FACE_UP, FEATS, HAND, N_FEATS, NONE

Check = Callable[[Names, Position, int, Keys], Iterator[str]]


def card_list(names: Names, cards: Iterable[Any]) -> list[str]:
    """The ids of cards, "" where there is none."""
    return [names.card_name(int(card)) if int(card) != NONE else "" for card in cards]


def _number(key: str, what: str) -> Check:
    def check(names: Names, position: Position, seat: int, keys: Keys) -> Iterator[str]:
        now = int(position.public[0][key][seat])
        expected = keys.take(key, int, now)
        if now != expected:
            yield f"{what} of {names.seat_name(seat)} is {now}, expected {expected}"

    return check


def _cards(key: str, place: int) -> Check:
    """The cards of a seat in one place: exactly these, in any order."""

    def check(names: Names, position: Position, seat: int, keys: Keys) -> Iterator[str]:
        if not keys.has(key):
            return
        expected = [
            names.card_name(names.card(word)) for word in texts(keys.take(key, list, []), keys.path(key))
        ]
        now = _cards_at(names, position, seat, place)
        if sorted(now) != sorted(expected):
            yield f"{key.replace('_', ' ')} of {names.seat_name(seat)} is {now}, expected {expected}"

    return check


def _cards_at(names: Names, position: Position, seat: int, place: int) -> list[str]:
    public = position.public[0]
    mine = [
        card
        for card in range(len(names.pack.card_ids))
        if int(public.card_owner[card]) == seat and int(public.card_place[card]) == place
    ]
    return card_list(names, mine)


def _holds(names: Names, position: Position, seat: int, keys: Keys) -> Iterator[str]:
    """Cards that the hand must hold beside others."""
    hand = _cards_at(names, position, seat, HAND)
    for word in texts(keys.take("holds", list, []), keys.path("holds")):
        if names.card_name(names.card(word)) not in hand:
            yield f"{word} isn't in the hand of {names.seat_name(seat)}"


def _hand_size(names: Names, position: Position, seat: int, keys: Keys) -> Iterator[str]:
    now = len(_cards_at(names, position, seat, HAND))
    expected = keys.take("hand_size", int, now)
    if now != expected:
        yield f"the hand of {names.seat_name(seat)} has {now} cards, expected {expected}"


def _candy(names: Names, position: Position, seat: int, keys: Keys) -> Iterator[str]:
    """A number of Candy Boosts, or their kinds."""
    now = int(position.public[0].candy[seat])
    own = position.own[seat].candy
    kinds = [CANDIES[kind] for kind in range(len(CANDIES)) for _ in range(int(own[kind]))]
    if isinstance(keys.table.get("candy"), list):
        expected = texts(keys.take("candy", list, []), keys.path("candy"))
        for word in expected:
            number_of(word, CANDIES, "Candy Boost")
        if sorted(kinds) != sorted(expected):
            yield f"Candy Boosts of {names.seat_name(seat)} are {kinds}, expected {expected}"
        return
    expected_number = keys.take("candy", int, now)
    if now != expected_number:
        yield f"{names.seat_name(seat)} has {now} Candy Boosts, expected {expected_number}"


def _held(names: Names, position: Position, seat: int, keys: Keys) -> Iterator[str]:
    """All Feats dealt, unlocked or not."""
    bits = int(position.own[seat].feats)
    now = sorted(FEATS[feat] for feat in range(N_FEATS) if bits >> feat & 1)
    expected = sorted(texts(keys.take("feats", list, now), keys.path("feats")))
    for word in expected:
        number_of(word, FEATS, "Feat")
    if now != expected:
        yield f"Feats of {names.seat_name(seat)} are {now}, expected {expected}"


def _feat_count(names: Names, position: Position, seat: int, keys: Keys) -> Iterator[str]:
    now = int(position.own[seat].feats).bit_count()
    expected = keys.take("feat_count", int, now)
    if now != expected:
        yield f"{names.seat_name(seat)} has {now} Feats, expected {expected}"


PAD_CHECKS: dict[str, Check] = {
    "technology": _number("technology", "Technology"),
    "energy": _number("energy", "Energy Cells"),
    "supplies": _number("supplies", "Supplies"),
    "candy": _candy,
    "hand": _cards("hand", HAND),
    "holds": _holds,
    "hand_size": _hand_size,
    "face_up": _cards("face_up", FACE_UP),
    "face_down": _cards("face_down", FACE_DOWN),
    "bin": _cards("bin", BIN),
    "feats": _held,
    "feat_count": _feat_count,
}
