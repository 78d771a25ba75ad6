"""The words of choices: how each kind of sentence begins, and a reader that takes a sentence apart.

A sentence begins with the icon that is spent: plain forms are `move`, `collect`, `enlist`, `kill`,
`build …`; the advanced ones carry their colour (`tactic move`), a Feat's Move is `extra move`, an Enlist
spent with Outnumber `enlist as move`, a Collect spent with Extreme Remedies `collect as kill`.
"""

from __future__ import annotations

import re

from simlab.errors import UsageError
from simlab.games.dei.choices import (
    CONSTRUCT,
    DEPLOYMENT,
    EXCAVATE,
    GATHER,
    KILLING,
    MOVING,
)
from simlab.games.dei.vocabulary import (
    BUILD_ANY,
    BUILD_BRIDGE,
    BUILD_ELEVATOR,
    BUILD_REFUGE,
    COLLECT,
    CONSTRUCTIONS,
    COPY,
    DRONE,
    ENLIST,
    EXTRA_MOVE,
    GAIN_CANDY,
    GAIN_ENERGY,
    GAIN_SUPPLIES,
    GAIN_TECHNOLOGY,
    KILL,
    LOGISTIC_COLLECT,
    LOGISTIC_MOVE,
    MACHINERY_COLLECT,
    MACHINERY_ENLIST,
    MOVE,
    OPS,
    TACTIC_ENLIST,
    TACTIC_MOVE,
)

# an icon in a sentence, by operation
OP_WORDS = {
    ENLIST: "enlist",
    MOVE: "move",
    COLLECT: "collect",
    BUILD_REFUGE: "build refuge",
    BUILD_ELEVATOR: "build elevator",
    BUILD_BRIDGE: "build bridge",
    BUILD_ANY: "any build",
    GAIN_TECHNOLOGY: "technology",
    GAIN_ENERGY: "energy",
    GAIN_SUPPLIES: "supplies",
    KILL: "kill",
    COPY: "copy",
    GAIN_CANDY: "candy",
    DRONE: "drone",
    TACTIC_MOVE: "tactic move",
    TACTIC_ENLIST: "tactic enlist",
    LOGISTIC_MOVE: "logistic move",
    LOGISTIC_COLLECT: "logistic collect",
    MACHINERY_ENLIST: "machinery enlist",
    MACHINERY_COLLECT: "machinery collect",
    EXTRA_MOVE: "extra move",
}
OP_OF_WORDS = {words: op for op, words in OP_WORDS.items()} | {name: op for op, name in enumerate(OPS)}

_MOVES = (MOVE, TACTIC_MOVE, LOGISTIC_MOVE, EXTRA_MOVE)
_COLLECTS = (COLLECT, LOGISTIC_COLLECT, MACHINERY_COLLECT)
_ENLISTS = (ENLIST, TACTIC_ENLIST, MACHINERY_ENLIST)


def _leads() -> dict[tuple[int, int], str]:
    leads = {(MOVING, op): OP_WORDS[op] for op in _MOVES}
    leads |= {(GATHER, op): OP_WORDS[op] for op in _COLLECTS}
    leads |= {(MOVING, op): f"{OP_WORDS[op]} as move" for op in _ENLISTS}
    leads |= {(GATHER, op): f"{OP_WORDS[op]} as collect" for op in _ENLISTS}
    leads |= {(DEPLOYMENT, op): OP_WORDS[op] for op in _ENLISTS}
    collects = [(op, leads[GATHER, op]) for op in (*_COLLECTS, *_ENLISTS)]
    leads |= {(KILLING, op): f"{lead} as kill" for op, lead in collects}
    leads |= {(EXCAVATE, op): f"{lead} as excavation" for op, lead in collects}
    leads[KILLING, KILL] = "kill"
    return leads


LEADS = _leads()  # (kind, op) → how the sentence begins
BUILD_LEADS = {
    (op, construction): f"{prefix}build {name}"
    for construction, name in enumerate(CONSTRUCTIONS)
    for op, prefix in ((BUILD_REFUGE + construction, ""), (BUILD_ANY, "any "))
}


def _beginnings() -> dict[tuple[str, ...], tuple[int, int, int]]:
    found = {tuple(lead.split()): (kind, op, 0) for (kind, op), lead in LEADS.items()}
    for (op, construction), lead in BUILD_LEADS.items():
        found[tuple(lead.split())] = (CONSTRUCT, op, construction)
    return found


BEGINNINGS = _beginnings()  # words → (kind, op, construction)
_LONGEST = max(map(len, BEGINNINGS))
MOST = 31  # of anything that a sentence counts: what is paid is packed in five bits


class Sentence:
    """The words of one choice, read from left to right; a comma is a word of its own."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = re.findall(r"[^\s,]+|,", text)
        self.at = 0

    def fail(self, expected: str) -> UsageError:
        """The error for the next word, where something else was expected."""
        word = f"'{self.words[self.at]}'" if self.at < len(self.words) else "the end"
        return UsageError(f"in '{self.text}', {word} isn't understood: expected {expected}")

    def take(self, what: str) -> str:
        """The next word, which is `what`."""
        if self.at >= len(self.words):
            raise self.fail(what)
        self.at += 1
        return self.words[self.at - 1]

    def accept(self, phrase: str) -> bool:
        """Read `phrase` if it comes next."""
        words = re.findall(r"[^\s,]+|,", phrase)
        if self.words[self.at : self.at + len(words)] != words:
            return False
        self.at += len(words)
        return True

    def expect(self, phrase: str) -> None:
        """Read `phrase`, which must come next."""
        for word in re.findall(r"[^\s,]+|,", phrase):
            if not self.accept(word):
                raise self.fail(f"'{word}'")

    def number(self, what: str = "a number", low: int = 0, high: int = MOST, sign: str = "") -> int:
        """Read a number in plain digits, from `low` to `high`, after `sign`."""
        expected = f"{what} from {sign}{low} to {sign}{high}"
        digits = self.take(expected).removeprefix(sign)
        if not re.fullmatch("[0-9]{1,4}", digits) or not low <= int(digits) <= high:
            self.at -= 1
            raise self.fail(expected)
        return int(digits)

    def rest(self, what: str) -> str:
        """All remaining words, at least one."""
        words = [self.take(what), *self.words[self.at :]]
        self.at = len(self.words)
        return " ".join(words)

    def beginning(self) -> tuple[int, int, int] | None:
        """(kind, op, construction) of a sentence that begins with an icon, the longest beginning first."""
        for length in range(min(_LONGEST, len(self.words)), 0, -1):
            found = BEGINNINGS.get(tuple(self.words[:length]))
            if found is not None:
                self.at = length
                return found
        return None

    def end(self) -> None:
        """Nothing may follow."""
        if self.at < len(self.words):
            raise self.fail("the end")
