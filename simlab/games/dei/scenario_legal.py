"""What must be among the legal choices: the keys of `legal` in a scenario file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simlab.errors import ScenarioError, UsageError
from simlab.games.dei import engine
from simlab.games.dei.choices import KINDS, plain_kind
from simlab.games.dei.names import Names, NotThere, number_of
from simlab.games.dei.scenario_keys import Keys, at, texts
from simlab.games.dei.sentences import read_choice
from simlab.games.dei.state import Position
from simlab.games.dei.text import words_of
from simlab.games.dei.vocabulary import NONE
from simlab.wording import shown

MOST = 31


def legal_difference(position: Position, pack: Any, written: dict[str, Any], where: str) -> str:
    """The first thing that isn't so among the legal choices; empty if all is."""
    keys = Keys(written, where)
    names = Names(position, pack)
    over = engine.active(position) == NONE
    listed = [] if over else engine.legal(position)
    if over and any(key in keys.table for key in ("contains", "lacks", "only")):
        raise ScenarioError(f"{where}: the game is over, so no sentence can be a choice")
    found = [*_sentences(keys, names, listed), *_only(keys, names, listed), *_kinds(keys, listed)]
    keys.done()
    return listed_twice(names, listed) or (found[0] if found else "")


def listed_twice(names: Names, listed: list[int]) -> str:
    """A choice that is listed more than once, in words; empty if none is."""
    again = [code for number, code in enumerate(listed) if code in listed[:number]]
    return f"'{words_of(names, again[0])}' is listed twice" if again else ""


def read_sentence(names: Names, words: str) -> int:
    """The choice that a sentence means; no number in a choice is above MOST, so none spills over."""
    for word in words.replace(",", " ").split():
        number = word.removeprefix("+")
        if number.isdigit() and (not number.isascii() or len(number) > 2 or int(number) > MOST):
            raise UsageError(f"in {shown(words)}, {shown(word)} is no number from 0 to {MOST}")
    return read_choice(names, words)


def _sentences(keys: Keys, names: Names, listed: list[int]) -> Iterator[str]:
    """`contains` and `lacks`: sentences that must be among the choices, or mustn't."""
    for words in texts(keys.take("contains", list, []), keys.path("contains")):
        with at(keys.path("contains")):
            if read_sentence(names, words) not in listed:
                yield f"'{words}' isn't among the legal choices"
    for words in texts(keys.take("lacks", list, []), keys.path("lacks")):
        with at(keys.path("lacks")):
            if _meant(names, words) in listed:
                yield f"'{words}' is among the legal choices"


def _only(keys: Keys, names: Names, listed: list[int]) -> Iterator[str]:
    """`only`: all choices, in any order."""
    if not keys.has("only"):
        return
    with at(keys.path("only")):
        sentences = texts(keys.take("only", list, []), keys.path("only"))
        expected = [read_sentence(names, words) for words in sentences]
    for code in expected:
        if code not in listed:
            yield f"'{words_of(names, code)}' isn't among the legal choices"
    for code in listed:
        if code not in expected:
            yield f"'{words_of(names, code)}' is legal too"


def _kinds(keys: Keys, listed: list[int]) -> Iterator[str]:
    """`kinds` and `lacks_kinds`: kinds of choices of which there must be one, or mustn't."""
    there = {KINDS[plain_kind(code)] for code in listed}
    for key, wanted in (("kinds", True), ("lacks_kinds", False)):
        for word in texts(keys.take(key, list, []), keys.path(key)):
            with at(keys.path(key)):
                number_of(word, KINDS, "kind of choice")
            if (word in there) != wanted:
                yield f"{'no' if wanted else 'a'} legal choice is of kind '{word}'"


def _meant(names: Names, words: str) -> int:
    """The choice of a sentence; NONE where what it names isn't on the table."""
    try:
        return read_sentence(names, words)
    except NotThere:
        return NONE
