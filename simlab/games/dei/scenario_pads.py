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
    MAX_DECK,
    MAX_PLAYS,
    N_SLOTS,
    NONE,
)

MAX_SUPPLIES = 200


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
    _fill_resources(keys, names, seat)
    public.supplies[seat] = keys.number("supplies", 0, MAX_SUPPLIES, int(public.supplies[seat]))
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
    if keys.has("committed"):
        _commit(names, position.own[seat], seat, keys.take("committed", list, []), keys.path("committed"))


def _fill_resources(keys: Keys, names: Names, seat: int) -> None:
    """CORE-043: a Pad has room for so many."""
    public, room = names.public, int(names.rules.resource_limit)
    for key in ("technology", "energy"):
        public[key][seat] = keys.number(key, 0, room, int(public[key][seat]))
    held = int(public.technology[seat]) + int(public.energy[seat])
    if held > room:
        raise ScenarioError(f"{keys.where}: {held} resources are on a Pad for {room}")


def _commit(names: Names, own: Any, seat: int, written: list[Any], where: str) -> None:
    """CORE-132: cards of the hand that must be played in this phase."""
    public, rules = names.public, names.rules
    if not rules.planning:
        raise ScenarioError(f"{where}: cards are committed under the rule 'planning', which is off")
    if not len(written) <= int(rules.cards_per_phase):
        raise ScenarioError(f"{where}: more cards than a phase has ({rules.cards_per_phase})")
    cards: list[int] = []
    for word in texts(written, where):
        with at(where):
            card = names.card(word)
        if int(public.card_place[card]) != HAND or int(public.card_owner[card]) != seat:
            raise ScenarioError(f"{where}: card {word} isn't in the hand")
        if card in cards:
            raise ScenarioError(f"{where}: card {word} is committed twice")
        cards.append(card)
    own.committed[: len(cards)] = cards
    own.n_committed = len(cards)


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
    play = int(public.n_plays[seat])
    if play >= MAX_PLAYS:
        raise ScenarioError(f"{where}: more cards than a Turn has room for ({MAX_PLAYS})")
    card = _put(names, word, FACE_DOWN if down else FACE_UP, seat, where)
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
        for slot, name in enumerate(texts(cards, where, gaps=True)):
            public.market[market, slot] = _put(names, name, MARKET, NONE, where) if name else NONE
    for word, cards, where in keys.rows("deck"):
        with at(where):
            market = number_of(word, MARKETS, "market")
        if len(typed(cards, list, where)) > MAX_DECK:
            raise ScenarioError(f"{where}: more than {MAX_DECK} cards")
        laid = [_put(names, name, DECK, NONE, where) for name in texts(cards, where)]
        hidden.deck[market, : len(laid)] = laid[::-1]
        public.deck_left[market] = len(laid)
