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
    return _SENTENCES[ch.kind_of(code)](names, code)


def _deploy(names: Names, code: int) -> str:
    leader, odd = ch.a_of(code), ch.b_of(code)
    named = odd != leader or names.has_odd_unit
    tail = f", the odd Scrapper at {names.regions[odd]}" if named else ""
    return f"deploy the Leader at {names.regions[leader]}{tail}"


def _play(names: Names, code: int) -> str:
    return f"play {names.card_name(ch.a_of(code))} face up"


def _buy(names: Names, code: int) -> str:
    market, slot = divmod(ch.b_of(code), 4)
    technology, energy = divmod(ch.c_of(code), 32)
    candy = f" with candy {CANDIES[ch.e_of(code) - 1]}" if ch.e_of(code) else ""
    laid = ch.d_of(code)
    end = f"laying down {names.card_name(laid - 1)}" if laid else "by Delivery Bot"
    return (
        f"buy {names.card_name(ch.a_of(code))} from {MARKETS[market]} slot {slot + 1}"
        f" paying {technology} Technology {energy} Energy{candy}, {end}"
    )


def group_words(scrappers: int, leader: int, refuges: int) -> str:
    """Who moves: `2 and the Leader and 1 Refuge`."""
    parts = [str(scrappers)] if scrappers else []
    parts += ["the Leader"] if leader else []
    parts += [f"{refuges} Refuge{'s' if refuges > 1 else ''}"] if refuges else []
    return " and ".join(parts)


def _move(names: Names, code: int) -> str:
    group = group_words(ch.c_of(code), ch.d_of(code), ch.e_of(code))
    there, back = names.regions[ch.b_of(code)], names.regions[ch.a_of(code)]
    return f"{LEADS[ch.MOVING, ch.op_of(code)]} {group} from {back} to {there}"


def _collect(names: Names, code: int) -> str:
    swap = " swapping for an Energy Cell" if ch.b_of(code) else ""
    return f"{LEADS[ch.GATHER, ch.op_of(code)]} at {names.regions[ch.a_of(code)]}{swap}"


def _excavate(names: Names, code: int) -> str:
    return f"{LEADS[ch.EXCAVATE, ch.op_of(code)]} at {names.regions[ch.a_of(code)]}"


def _kill(names: Names, code: int) -> str:
    lead = LEADS[ch.KILLING, ch.op_of(code)]
    return f"{lead} {names.seat_name(ch.b_of(code))} at {names.regions[ch.a_of(code)]}"


def _enlist(names: Names, code: int) -> str:
    source = f" from {names.regions[ch.b_of(code) - 1]}" if ch.b_of(code) else ""
    resource = " with a resource" if ch.c_of(code) else ""
    return f"{LEADS[ch.DEPLOYMENT, ch.op_of(code)]} at {names.regions[ch.a_of(code)]}{source}{resource}"


def place_words(names: Names, construction: int, at: int) -> str:
    """Where a construction stands: `at R`, `from R to R`, `from R to R over R`."""
    ends = names.ends(construction, at)
    return " ".join(f"{joint} {end}" for joint, end in zip(JOINTS[construction], ends, strict=True))


def _build(names: Names, code: int) -> str:
    construction, moved = ch.a_of(code), ch.c_of(code)
    lead = BUILD_LEADS[ch.op_of(code), construction]
    words = f"{lead} {place_words(names, construction, ch.b_of(code))}"
    if not moved:
        return words
    stands = int(names.public.built[names.asked, construction, moved - 1])
    return f"{words} moving the one {place_words(names, construction, stands)}"


def _gain(names: Names, code: int) -> str:
    amount = f"{ch.a_of(code)} " if ch.a_of(code) else ""
    return f"gain {amount}{OP_WORDS[ch.op_of(code)]}"


def _declare(names: Names, code: int) -> str:
    amount = f"{ch.b_of(code)} " if ch.b_of(code) else ""
    return f"declare {amount}{OP_WORDS[ch.op_of(code)]} per {PER_WORDS[ch.a_of(code)]}"


def _copy(names: Names, code: int) -> str:
    return f"copy {names.card_name(int(names.public.play[names.asked, ch.a_of(code)]))}"


def _activate(names: Names, code: int) -> str:
    argument, extra = divmod(ch.c_of(code), 16)
    any_drone = "any " if argument == ANY_DRONE else ""
    plus = f" +{extra}" if extra else ""
    return f"activate {any_drone}{DRONES[ch.a_of(code)]}{plus} to {names.regions[ch.b_of(code)]}"


def _harvest(names: Names, code: int) -> str:
    return f"harvest at {names.drone_at}"


def _reap(names: Names, code: int) -> str:
    return f"reap at {names.drone_at}"


def _place(names: Names, code: int) -> str:
    source = names.regions[ch.a_of(code) - 1] if ch.a_of(code) else "reserve"
    return f"place from {source} at {names.drone_at}"


_FIXED = {
    ch.PASS: "pass the Mission",
    ch.END_CARD: "end card",
    ch.END_PHASE: "end phase",
}


def _mission(names: Names, code: int) -> str:
    column = ch.a_of(code)
    mission = names.pack.mission_ids[int(names.public.mission[column, ch.b_of(code)])]
    return f"mission {mission} in column {column + 1}"


def _commit(names: Names, code: int) -> str:
    cards = [card - 1 for card in (ch.a_of(code), ch.b_of(code), ch.c_of(code)) if card]
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
    ch.DISCARD: lambda names, code: f"discard {RESOURCES[ch.a_of(code)]}",
    ch.TELEPORT: lambda names, code: f"fly 1 to {names.regions[ch.a_of(code)]}",
    ch.LAY_CANDY: lambda names, code: f"lay candy {CANDIES[ch.a_of(code)]}",
    ch.COLOUR: lambda names, code: f"name colour {COLOURS[ch.a_of(code)]}",
    ch.FEAT: lambda names, code: f"take feat {FEATS[ch.a_of(code)]}",
    ch.SKIP: lambda names, code: f"skip {OP_WORDS[ch.op_of(code)]}",
} | {kind: (lambda names, code, words=words: words) for kind, words in _FIXED.items()}
