"""Sentences read back into choices: `text.py` the other way round, one function a kind of sentence."""

from __future__ import annotations

from collections.abc import Callable

from simlab.errors import UsageError
from simlab.games.dei import choices as ch
from simlab.games.dei.names import JOINTS, Names, NotThere, number_of
from simlab.games.dei.vocabulary import (
    ANY_COLOUR,
    ANY_DRONE,
    CANDIES,
    COLOURS,
    COPY,
    DRONE,
    DRONES,
    FEATS,
    GAIN_CANDY,
    MARKETS,
    MAX_TURNS,
    N_SLOTS,
    NONE,
    RESOURCES,
)
from simlab.games.dei.words import OP_OF_WORDS, OP_WORDS, Sentence


def read_choice(names: Names, words: str) -> int:
    """The choice that a sentence means."""
    sentence = Sentence(words)
    begun = sentence.beginning()
    if begun is not None:
        kind, op, construction = begun
        code = (
            _build(names, sentence, op, construction)
            if kind == ch.CONSTRUCT
            else _ICONS[kind](names, sentence, op)
        )
    else:
        code = _other(names, sentence)
    sentence.end()
    return code


def _other(names: Names, sentence: Sentence) -> int:
    for words, reader in _OTHERS.items():
        if sentence.accept(words):
            return reader(names, sentence)
    raise sentence.fail("the beginning of a choice")


def _code(kind: int, op: int = 0, *fields: int) -> int:
    a, b, c, d, e = (*fields, 0, 0, 0, 0, 0)[:5]
    return int(ch.plain_choice(kind, op, a, b, c, d, e))


def _region(names: Names, sentence: Sentence) -> int:
    return names.region(sentence.take("a Region"))


def _at(names: Names, sentence: Sentence) -> int:
    sentence.expect("at")
    return _region(names, sentence)


# --- icons -------------------------------------------------------------------------------------------


def _move(names: Names, sentence: Sentence, op: int) -> int:
    scrappers, leader, refuges = _group(sentence)
    sentence.expect("from")
    start = _region(names, sentence)
    sentence.expect("to")
    return _code(ch.MOVING, op, start, _region(names, sentence), scrappers, leader, refuges)


def _group(sentence: Sentence) -> tuple[int, int, int]:
    scrappers = leader = refuges = 0
    while True:
        if not leader and not refuges and sentence.accept("the Leader"):
            leader = 1
        else:
            count = sentence.number("'the Leader' or a number of Scrappers or Refuges")
            if sentence.accept("Refuges") or sentence.accept("Refuge"):
                refuges = count
            elif scrappers or leader or refuges:
                raise sentence.fail("'Refuge'")
            else:
                scrappers = count
        if refuges or not sentence.accept("and"):
            return scrappers, leader, refuges


def _collect(names: Names, sentence: Sentence, op: int) -> int:
    region = _at(names, sentence)
    return _code(ch.GATHER, op, region, int(sentence.accept("swapping for an Energy Cell")))


def _excavate(names: Names, sentence: Sentence, op: int) -> int:
    return _code(ch.EXCAVATE, op, _at(names, sentence))


def _kill(names: Names, sentence: Sentence, op: int) -> int:
    victim = names.seat(sentence.take("a faction"))
    return _code(ch.KILLING, op, _at(names, sentence), victim)


def _enlist(names: Names, sentence: Sentence, op: int) -> int:
    region = _at(names, sentence)
    source = _region(names, sentence) + 1 if sentence.accept("from") else 0
    return _code(ch.DEPLOYMENT, op, region, source, int(sentence.accept("with a resource")))


def _place(names: Names, sentence: Sentence, construction: int) -> int:
    ends = []
    for joint in JOINTS[construction]:
        sentence.expect(joint)
        ends.append(_region(names, sentence))
    return names.site(construction, ends)


def _build(names: Names, sentence: Sentence, op: int, construction: int) -> int:
    place = _place(names, sentence, construction)
    moved = 0
    if sentence.accept("moving the one"):
        moved = names.standing(names.asked, construction, _place(names, sentence, construction)) + 1
    return _code(ch.CONSTRUCT, op, construction, place, moved)


_ICONS: dict[int, Callable[[Names, Sentence, int], int]] = {
    ch.MOVING: _move,
    ch.GATHER: _collect,
    ch.EXCAVATE: _excavate,
    ch.KILLING: _kill,
    ch.DEPLOYMENT: _enlist,
}


# --- the others -----------------------------------------------------------------------------------------


def _deploy(names: Names, sentence: Sentence) -> int:
    leader = odd = _at(names, sentence)
    if sentence.accept(", the odd Scrapper"):
        odd = _at(names, sentence)
    return _code(ch.DEPLOY, 0, leader, odd)


def _play(names: Names, sentence: Sentence) -> int:
    card = names.card(sentence.take("a card"))
    sentence.expect("face up")
    return _code(ch.PLAY, 0, card)


def _buy(names: Names, sentence: Sentence) -> int:
    card = names.card(sentence.take("a card"))
    sentence.expect("from")
    market = number_of(sentence.take("a market"), MARKETS, "market")
    sentence.expect("slot")
    slot = sentence.number("a slot", 1, N_SLOTS)
    technology, energy = _price(sentence)
    candy = _candy(sentence) + 1 if sentence.accept("with candy") else 0
    sentence.expect(",")
    laid = 0
    if not sentence.accept("by Delivery Bot"):
        sentence.expect("laying down")
        laid = names.card(sentence.take("a card")) + 1
    return _code(ch.BUY, 0, card, market * 4 + slot - 1, technology * 32 + energy, laid, candy)


def _price(sentence: Sentence) -> tuple[int, int]:
    sentence.expect("paying")
    technology = sentence.number("how much is paid")
    sentence.expect("Technology")
    energy = sentence.number("how much is paid")
    sentence.expect("Energy")
    return technology, energy


def _candy(sentence: Sentence) -> int:
    return number_of(sentence.take("a kind of Candy Boost"), CANDIES, "Candy Boost")


def _op(sentence: Sentence, stop: str = "") -> int:
    words = [sentence.take("an icon")]
    while sentence.at < len(sentence.words) and sentence.words[sentence.at] != stop:
        words.append(sentence.take("an icon"))
    if " ".join(words) not in OP_OF_WORDS:
        raise UsageError(f"in '{sentence.text}', '{' '.join(words)}' is no icon")
    return OP_OF_WORDS[" ".join(words)]


def _gain(names: Names, sentence: Sentence) -> int:
    amount = 0 if sentence.words[sentence.at :] == [OP_WORDS[GAIN_CANDY]] else sentence.number("an amount")
    return _code(ch.GAIN, _op(sentence), amount)


def _declare(names: Names, sentence: Sentence) -> int:
    has_amount = sentence.at < len(sentence.words) and sentence.words[sentence.at].isdigit()
    amount = sentence.number("an amount") if has_amount else 0
    op = _op(sentence, "per")
    sentence.expect("per")
    colour = sentence.take("a colour or 'any'")
    sentence.expect("Outpost")
    per = 1 + (ANY_COLOUR if colour == "any" else number_of(colour, COLOURS, "Outpost colour"))
    return _code(ch.DECLARE, op, per, amount)


def _copy(names: Names, sentence: Sentence) -> int:
    card = names.card(sentence.take("a card"))
    plays = [int(play) for play in names.public.play[names.asked]][: int(names.public.n_plays[names.asked])]
    if card not in plays:
        raise NotThere(f"{names.card_name(card)} wasn't played by {names.seat_name(names.asked)} this Turn")
    return _code(ch.REPLICATE, COPY, plays.index(card))


def _activate(names: Names, sentence: Sentence) -> int:
    any_drone = sentence.accept("any")
    drone = number_of(sentence.take("a Drone"), DRONES, "Drone")
    extra = 0
    if sentence.at < len(sentence.words) and sentence.words[sentence.at].startswith("+"):
        extra = sentence.number("a bonus", 0, 15, "+")
    sentence.expect("to")
    argument = ANY_DRONE if any_drone else drone
    return _code(ch.ACTIVATE, DRONE, drone, _region(names, sentence), argument * 16 + extra)


def _check_drone(names: Names, sentence: Sentence) -> None:
    word = sentence.take("a Region")
    if names.regions[names.region(word)] != names.drone_at:
        raise NotThere(f"in '{sentence.text}', the Drone that is used isn't at {word}")


def _harvest(names: Names, sentence: Sentence) -> int:
    _check_drone(names, sentence)
    return _code(ch.HARVEST, DRONE)


def _reap(names: Names, sentence: Sentence) -> int:
    _check_drone(names, sentence)
    return _code(ch.REAP, DRONE)


def _place_scrapper(names: Names, sentence: Sentence) -> int:
    source = 0 if sentence.accept("reserve") else _region(names, sentence) + 1
    sentence.expect("at")
    _check_drone(names, sentence)
    return _code(ch.PLACE, DRONE, source)


def _mission(names: Names, sentence: Sentence) -> int:
    word = sentence.take("a Mission")
    sentence.expect("in column")
    column = sentence.number("a column", 1, MAX_TURNS)
    missions = [int(mission) for mission in names.public.mission[column - 1]]
    found = [names.pack.mission_ids[mission] if mission != NONE else "" for mission in missions]
    if word not in found:
        raise NotThere(
            f"Mission '{word}' isn't in column {column}: there lie {', '.join(filter(None, found))}"
        )
    return _code(ch.MISSION, 0, column - 1, found.index(word))


def _commit(names: Names, sentence: Sentence) -> int:
    if sentence.accept("nothing"):
        return _code(ch.COMMIT)
    cards = [names.card(sentence.take("a card")) + 1]
    while sentence.accept("and"):
        cards.append(names.card(sentence.take("a card")) + 1)
    return _code(ch.COMMIT, 0, *cards[:3])


def _discard(names: Names, sentence: Sentence) -> int:
    return _code(ch.DISCARD, 0, number_of(sentence.take("a resource"), RESOURCES, "resource"))


def _colour(names: Names, sentence: Sentence) -> int:
    return _code(ch.COLOUR, 0, number_of(sentence.take("a colour"), COLOURS, "colour"))


def _feat(names: Names, sentence: Sentence) -> int:
    return _code(ch.FEAT, 0, number_of(sentence.take("a Feat"), FEATS, "Feat"))


_OTHERS: dict[str, Callable[[Names, Sentence], int]] = {
    "deploy the Leader": _deploy,
    "play": _play,
    "buy": _buy,
    "gain": _gain,
    "declare": _declare,
    "copy": _copy,
    "activate": _activate,
    "harvest at": _harvest,
    "reap at": _reap,
    "place from": _place_scrapper,
    "discard": _discard,
    "fly 1 to": lambda names, sentence: _code(ch.TELEPORT, DRONE, _region(names, sentence)),
    "lay candy": lambda names, sentence: _code(ch.LAY_CANDY, 0, _candy(sentence)),
    "mission": _mission,
    "pass the Mission": lambda names, sentence: _code(ch.PASS),
    "name colour": _colour,
    "take feat": _feat,
    "commit": _commit,
    "skip": lambda names, sentence: _code(ch.SKIP, _op(sentence)),
    "end card": lambda names, sentence: _code(ch.END_CARD),
    "end phase": lambda names, sentence: _code(ch.END_PHASE),
}
