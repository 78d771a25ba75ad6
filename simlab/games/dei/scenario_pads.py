"""What lies on the Pads and in the markets of a position set up by hand: cards, resources, Candy Boosts."""

from __future__ import annotations

from typing import Any

from simlab.errors import ScenarioError
from simlab.games.dei.names import Names, number_of
from simlab.games.dei.scenario_keys import Keys, at, texts, typed
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ABSENT,
    BIN,
    CANDIES,
    CANDY_IN_RESERVE,
    CANDY_ON_CARD,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    MARKET,
    MARKETS,
    N_SLOTS,
    NONE,
)


def blank_cards(position: Position, pack: Any) -> None:
    """All cards away, all Candy Boosts in their reserve."""
    public = position.public[0]
    public.card_place[:] = ABSENT
    public.card_owner[:] = NONE
    position.hidden[0].token_at[:] = CANDY_IN_RESERVE
    public.candy_reserve = pack.table[0].n_candy


def _put(names: Names, word: str, place: int, seat: int, where: str) -> int:
    """Lay a card somewhere; a card can't be in two places."""
    public = names.public
    with at(where):
        card = names.card(word)
    if public.card_place[card] != ABSENT:
        raise ScenarioError(f"{where}: card {word} lies in two places")
    public.card_place[card] = place
    public.card_owner[card] = seat
    return card


def fill_pads(keys: Keys, names: Names, position: Position, dealt: bool) -> None:
    """`pad`: each faction's resources, Supplies, Candy Boosts and cards; a hand not given is its own 8."""
    written = keys.take("pad", dict, {})
    for word in written:
        with at("position.pad"):
            names.seat(word)
    for seat in range(int(names.public.n_seats)):
        word = names.seat_name(seat)
        inside = Keys(written.get(word, {}), f"position.pad.{word}")
        if not dealt or word in written:
            _fill_pad(inside, names, position, seat, dealt)
        inside.done()


def _fill_pad(keys: Keys, names: Names, position: Position, seat: int, dealt: bool) -> None:
    public = names.public
    for key in ("technology", "energy", "supplies"):
        public[key][seat] = keys.take(key, int, int(public[key][seat]))
    for word in texts(keys.take("candy", list, []), keys.path("candy")):
        _give_candy(names, position, seat, word, keys.path("candy"))
    if keys.has("hand") and dealt:
        _empty_hand(public, seat)
    for word in texts(keys.take("bin", list, []), keys.path("bin")):
        _put(names, word, BIN, seat, keys.path("bin"))
    for word in texts(keys.take("plays", list, []), keys.path("plays")):
        _lay_play(names, position, seat, word, keys.path("plays"))
    if keys.has("hand"):
        for word in texts(keys.take("hand", list, []), keys.path("hand")):
            _put(names, word, HAND, seat, keys.path("hand"))
    elif not dealt:
        _deal_starting_hand(names, seat)
    own = position.own[seat]
    for word in texts(keys.take("committed", list, []), keys.path("committed")):
        with at(keys.path("committed")):
            own.committed[int(own.n_committed)] = names.card(word)
            own.n_committed += 1


def _empty_hand(public: Any, seat: int) -> None:
    mine = (public.card_owner == seat) & (public.card_place == HAND)
    public.card_place[mine] = ABSENT
    public.card_owner[mine] = NONE


def _deal_starting_hand(names: Names, seat: int) -> None:
    """CORE-014: the faction's own cards, those that lie elsewhere left out."""
    public, table = names.public, names.pack.table[0]
    for card in range(int(table.n_cards)):
        if table.card_faction[card] == public.faction[seat] and public.card_place[card] == ABSENT:
            public.card_place[card] = HAND
            public.card_owner[card] = seat


def _lay_play(names: Names, position: Position, seat: int, text: str, where: str) -> None:
    """A card on the Pad this Turn: `ID`, `ID face down`, each with ` with candy KIND` behind it."""
    public = names.public
    name, _, candy = text.partition(" with candy ")
    word, down, rest = name.partition(" face down")
    if rest:
        raise ScenarioError(f"{where}: '{text}' doesn't read 'ID', 'ID face down' or 'ID with candy KIND'")
    card = _put(names, word, FACE_DOWN if down else FACE_UP, seat, where)
    play = int(public.n_plays[seat])
    public.play[seat, play] = card
    public.n_plays[seat] = play + 1
    if candy:
        public.play_candy[seat, play] = _take_token(names, position, candy, CANDY_ON_CARD, where)


def _give_candy(names: Names, position: Position, seat: int, word: str, where: str) -> None:
    kind = _take_token(names, position, word, seat, where)
    position.own[seat].candy[kind] += 1
    names.public.candy[seat] += 1


def _take_token(names: Names, position: Position, word: str, goes_to: int, where: str) -> int:
    """Take a Candy Boost of a kind out of the reserve; its kind."""
    with at(where):
        kind = number_of(word, CANDIES, "Candy Boost")
    table, token_at = names.pack.table[0], position.hidden[0].token_at
    for token in range(int(table.n_candy)):
        if int(table.candy_kind[token]) == kind and int(token_at[token]) == CANDY_IN_RESERVE:
            token_at[token] = goes_to
            names.public.candy_reserve -= 1
            return kind
    raise ScenarioError(f"{where}: no further Candy Boost '{word}' is in the reserve")


def fill_markets(keys: Keys, names: Names, position: Position) -> None:
    """`market`: the face-up cards left to right, "" for an empty slot; `deck`: the next card first."""
    public, hidden = names.public, position.hidden[0]
    for word, cards, where in keys.rows("market"):
        with at(where):
            market = number_of(word, MARKETS, "market")
        if len(typed(cards, list, where)) != N_SLOTS:
            raise ScenarioError(f'{where}: {N_SLOTS} slots are needed, "" for an empty one')
        for slot, name in enumerate(texts(cards, where)):
            public.market[market, slot] = _put(names, name, MARKET, NONE, where) if name else NONE
    for word, cards, where in keys.rows("deck"):
        with at(where):
            market = number_of(word, MARKETS, "market")
        laid = [_put(names, name, DECK, NONE, where) for name in texts(cards, where)]
        hidden.deck[market, : len(laid)] = laid[::-1]
        public.deck_left[market] = len(laid)
