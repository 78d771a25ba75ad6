"""A game imagined from what a seat may know: sound, the same for that seat, drawn from all that may be."""

from __future__ import annotations

from collections import Counter

import pytest

from simlab import jit
from simlab.games.dei import engine
from simlab.games.dei.feats import colour_mask
from simlab.games.dei.state import HIDDEN, OWN, Position, records
from simlab.games.dei.vocabulary import DECK, MAX_SEATS, N_COLOURS, N_MARKETS, NONE
from tests.dei.randomly import PACK, decisions, new_position

GAMES = 2 if jit.DISABLED else 36
mask_of = jit.plain(colour_mask)


def imagined(position: Position, seat: int, key: int) -> Position:
    """Another game with the same public record, all else made of what the seat knows."""
    twin = position.copy()
    twin.own, twin.hidden = records(OWN, MAX_SEATS), records(HIDDEN)
    known = position.own[seat : seat + 1].copy()
    engine.imagine_kernel(twin.public, known, twin.own, twin.hidden, twin.rules, twin.pack, seat, key)
    return twin


@pytest.mark.rule("CORE-015", "CORE-016")
@pytest.mark.parametrize("stress", [False, True])
def test_an_imagined_game_is_sound_and_the_seat_sees_no_difference(stress: bool) -> None:
    for number, (position, choices, _) in enumerate(decisions(15, GAMES, stress=stress)):
        if number % 3:
            continue
        seat = engine.active(position)
        twin = imagined(position, seat, number)
        assert twin.public.tobytes() == position.public.tobytes()
        assert twin.own[seat : seat + 1].tobytes() == position.own[seat : seat + 1].tobytes()
        assert engine.legal(twin) == choices
        assert engine.broken_laws(twin) == []
        for other in range(int(position.public[0].n_seats)):
            assert twin.own[other].n_committed == position.own[other].n_committed
            if not stress:  # which gives Feats beyond one a colour
                assert colours(twin, other) == colours(position, other)
                assert seen(twin, other) == seen(position, other)
        assert decks(twin) == decks(position)


def colours(position: Position, seat: int) -> list[int]:
    """How many Feats of each colour a seat has."""
    return [int(position.own[seat].feats & mask_of(colour)).bit_count() for colour in range(N_COLOURS)]


def seen(position: Position, seat: int) -> list[int]:
    """How many Feats of each colour a draft has shown a seat."""
    return [int(position.own[seat].draft_seen[colour]).bit_count() for colour in range(N_COLOURS)]


def decks(position: Position) -> tuple[list[int], list[int]]:
    """The sizes of the decks, and all cards in them."""
    cards = position.hidden[0].deck
    return [int((cards[m] != NONE).sum()) for m in range(N_MARKETS)], sorted(
        int(c) for c in cards[cards != NONE]
    )


@pytest.mark.compiled_only
def test_an_imagined_game_can_be_played_on() -> None:
    for number, (position, _, _) in enumerate(decisions(16, 18)):
        if number % 40:
            continue
        twin = imagined(position, engine.active(position), number)
        while not twin.public[0].ending:
            engine.apply(twin, engine.legal(twin)[-1])
            assert engine.broken_laws(twin) == []


@pytest.mark.rule("CORE-016")
def test_what_is_hidden_is_never_looked_at() -> None:
    for number, (position, _, _) in enumerate(decisions(17, GAMES // 2)):
        if number % 50:
            continue
        seat = engine.active(position)
        twin = position.copy()
        engine.redraw_hidden(twin, seat, number)
        ours, theirs = imagined(position, seat, 3), imagined(twin, seat, 3)
        assert ours.own.tobytes() + ours.hidden.tobytes() == theirs.own.tobytes() + theirs.hidden.tobytes()


@pytest.mark.compiled_only
@pytest.mark.rule("CORE-011", "CORE-015")
def test_all_that_may_be_is_equally_likely() -> None:
    """Another seat's Feats of a colour, and the next card of a deck: chi-square below its 99.99 % point."""
    import random

    position = new_position(random.Random(4), 2, {}, 44)
    feats: Counter[int] = Counter()
    cards: Counter[int] = Counter()
    size = int(position.public[0].deck_left[3])
    n = 4000
    for key in range(n):
        twin = imagined(position, 0, key)
        feats[int(twin.own[1].feats) & mask_of(0)] += 1
        cards[int(twin.hidden[0].deck[3, size - 1])] += 1
    assert len(feats) == 5  # of six, one is the own
    black = [c for c in range(int(PACK.table[0].n_cards)) if PACK.table[0].card_market[c] == 3]
    assert set(cards) == {card for card in black if position.public[0].card_place[card] == DECK}
    for counts, limit in ((feats, 23.5), (cards, 33.7)):  # 4 and 8 degrees of freedom
        even = n / len(counts)
        assert sum((count - even) ** 2 / even for count in counts.values()) < limit
