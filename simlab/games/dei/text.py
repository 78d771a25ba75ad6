"""A choice in words: `choice_words` prints one, `parse_choice` reads it back, exactly.

One form a kind of choice; `docs/scenarios.md` lists them. Lists, replays, prompts and scenario files all
use these two. What a choice only hints at (which card was played as the n-th, where a site lies) is
looked up in the position, so the words are those of the position in which the choice is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simlab.games.dei import choices as ch
from simlab.games.dei.names import JOINTS, Names
from simlab.games.dei.sentences import read_choice
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ANY_COLOUR,
    ANY_DRONE,
    CANDIES,
    COLOURS,
    DRONES,
    FEATS,
    MARKETS,
    RESOURCES,
)
from simlab.games.dei.words import BUILD_LEADS, LEADS, OP_WORDS

PER_WORDS = {1 + colour: f"{name} Outpost" for colour, name in enumerate(COLOURS)} | {
    1 + ANY_COLOUR: "any Outpost"
}


def choice_words(position: Position, pack: Any, code: int) -> str:
    """The sentence of a choice in the position where it is made."""
    return words_of(Names(position, pack), code)


def parse_choice(position: Position, pack: Any, words: str) -> int:
    """The choice that a sentence means; `UsageError` names the word that isn't understood."""
    return read_choice(Names(position, pack), words)


def words_of(names: Names, code: int) -> str:
    """The sentence of a choice, by the names of its position."""
    return _SENTENCES[ch.plain_kind(code)](names, code)


def _deploy(names: Names, code: int) -> str:
    leader, odd = ch.plain_a(code), ch.plain_b(code)
    named = odd != leader or names.has_odd_unit
    tail = f", the odd Scrapper at {names.regions[odd]}" if named else ""
    return f"deploy the Leader at {names.regions[leader]}{tail}"


def _play(names: Names, code: int) -> str:
    return f"play {names.card_name(ch.plain_a(code))} face up"


def _buy(names: Names, code: int) -> str:
    market, slot = divmod(ch.plain_b(code), 4)
    technology, energy = divmod(ch.plain_c(code), 32)
    candy = f" with candy {CANDIES[ch.plain_e(code) - 1]}" if ch.plain_e(code) else ""
    laid = ch.plain_d(code)
    end = f"laying down {names.card_name(laid - 1)}" if laid else "by Delivery Bot"
    return (
        f"buy {names.card_name(ch.plain_a(code))} from {MARKETS[market]} slot {slot + 1}"
        f" paying {technology} Technology {energy} Energy{candy}, {end}"
    )


def group_words(scrappers: int, leader: int, refuges: int) -> str:
    """Who moves: `2 and the Leader and 1 Refuge`."""
    parts = [str(scrappers)] if scrappers else []
    parts += ["the Leader"] if leader else []
    parts += [f"{refuges} Refuge{'s' if refuges > 1 else ''}"] if refuges else []
    return " and ".join(parts)


def _move(names: Names, code: int) -> str:
    group = group_words(ch.plain_c(code), ch.plain_d(code), ch.plain_e(code))
    there, back = names.regions[ch.plain_b(code)], names.regions[ch.plain_a(code)]
    return f"{LEADS[ch.MOVING, ch.plain_op(code)]} {group} from {back} to {there}"


def _collect(names: Names, code: int) -> str:
    swap = " swapping for an Energy Cell" if ch.plain_b(code) else ""
    return f"{LEADS[ch.GATHER, ch.plain_op(code)]} at {names.regions[ch.plain_a(code)]}{swap}"


def _excavate(names: Names, code: int) -> str:
    return f"{LEADS[ch.EXCAVATE, ch.plain_op(code)]} at {names.regions[ch.plain_a(code)]}"


def _kill(names: Names, code: int) -> str:
    lead = LEADS[ch.KILLING, ch.plain_op(code)]
    return f"{lead} {names.seat_name(ch.plain_b(code))} at {names.regions[ch.plain_a(code)]}"


def _enlist(names: Names, code: int) -> str:
    source = f" from {names.regions[ch.plain_b(code) - 1]}" if ch.plain_b(code) else ""
    resource = " with a resource" if ch.plain_c(code) else ""
    return f"{LEADS[ch.DEPLOYMENT, ch.plain_op(code)]} at {names.regions[ch.plain_a(code)]}{source}{resource}"


def place_words(names: Names, construction: int, at: int) -> str:
    """Where a construction stands: `at R`, `from R to R`, `from R to R over R`."""
    ends = names.ends(construction, at)
    return " ".join(f"{joint} {end}" for joint, end in zip(JOINTS[construction], ends, strict=True))


def _build(names: Names, code: int) -> str:
    construction, moved = ch.plain_a(code), ch.plain_c(code)
    lead = BUILD_LEADS[ch.plain_op(code), construction]
    words = f"{lead} {place_words(names, construction, ch.plain_b(code))}"
    if not moved:
        return words
    stands = int(names.public.built[names.asked, construction, moved - 1])
    return f"{words} moving the one {place_words(names, construction, stands)}"


def _gain(names: Names, code: int) -> str:
    amount = f"{ch.plain_a(code)} " if ch.plain_a(code) else ""
    return f"gain {amount}{OP_WORDS[ch.plain_op(code)]}"


def _declare(names: Names, code: int) -> str:
    amount = f"{ch.plain_b(code)} " if ch.plain_b(code) else ""
    return f"declare {amount}{OP_WORDS[ch.plain_op(code)]} per {PER_WORDS[ch.plain_a(code)]}"


def _copy(names: Names, code: int) -> str:
    return f"copy {names.card_name(int(names.public.play[names.asked, ch.plain_a(code)]))}"


def _activate(names: Names, code: int) -> str:
    argument, extra = divmod(ch.plain_c(code), 16)
    any_drone = "any " if argument == ANY_DRONE else ""
    plus = f" +{extra}" if extra else ""
    return f"activate {any_drone}{DRONES[ch.plain_a(code)]}{plus} to {names.regions[ch.plain_b(code)]}"


def _harvest(names: Names, code: int) -> str:
    return f"harvest at {names.drone_at}"


def _reap(names: Names, code: int) -> str:
    return f"reap at {names.drone_at}"


def _place(names: Names, code: int) -> str:
    source = names.regions[ch.plain_a(code) - 1] if ch.plain_a(code) else "reserve"
    return f"place from {source} at {names.drone_at}"


_FIXED = {
    ch.PASS: "pass the Mission",
    ch.END_CARD: "end card",
    ch.END_PHASE: "end phase",
}


def _mission(names: Names, code: int) -> str:
    column = ch.plain_a(code)
    mission = names.pack.mission_ids[int(names.public.mission[column, ch.plain_b(code)])]
    return f"mission {mission} in column {column + 1}"


def _commit(names: Names, code: int) -> str:
    cards = [card - 1 for card in (ch.plain_a(code), ch.plain_b(code), ch.plain_c(code)) if card]
    return "commit " + (" and ".join(map(names.card_name, cards)) if cards else "nothing")


_SENTENCES: dict[int, Callable[[Names, int], str]] = {
    ch.DEPLOY: _deploy,
    ch.PLAY: _play,
    ch.BUY: _buy,
    ch.MOVING: _move,
    ch.GATHER: _collect,
    ch.EXCAVATE: _excavate,
    ch.KILLING: _kill,
    ch.DEPLOYMENT: _enlist,
    ch.CONSTRUCT: _build,
    ch.GAIN: _gain,
    ch.DECLARE: _declare,
    ch.REPLICATE: _copy,
    ch.ACTIVATE: _activate,
    ch.HARVEST: _harvest,
    ch.PLACE: _place,
    ch.REAP: _reap,
    ch.MISSION: _mission,
    ch.COMMIT: _commit,
    ch.DISCARD: lambda names, code: f"discard {RESOURCES[ch.plain_a(code)]}",
    ch.TELEPORT: lambda names, code: f"fly 1 to {names.regions[ch.plain_a(code)]}",
    ch.LAY_CANDY: lambda names, code: f"lay candy {CANDIES[ch.plain_a(code)]}",
    ch.COLOUR: lambda names, code: f"name colour {COLOURS[ch.plain_a(code)]}",
    ch.FEAT: lambda names, code: f"take feat {FEATS[ch.plain_a(code)]}",
    ch.SKIP: lambda names, code: f"skip {OP_WORDS[ch.plain_op(code)]}",
} | {kind: (lambda names, code, words=words: words) for kind, words in _FIXED.items()}
