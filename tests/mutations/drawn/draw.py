"""Mutants that nobody chose: places of the rules, drawn from a fixed seed, each changed by Cosmic Ray.

A *place* is a token that operators can change: `+`, `<`, `and`, a number, a condition, what a loop runs over.
Places are drawn, then an operator of each, all equally likely, so that a `+` with its ten operators weighs no
more than a number with two. What is drawn goes by a hash of the place's own words (function, line, token),
the lowest first, so an edit moves the draw no further than the lines it touches.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutations.catalogue import GAME, source
from tests.mutations.drawn.reach import Stretch, reached

SEED = 1
DRAWN = 200

# the rest of the library's operators take arguments (variables, which also draw numbers anew each time), or
# change what isn't there (exceptions) or isn't the rules (decorators)
FAMILIES = (
    *("ReplaceBinaryOperator_", "ReplaceComparisonOperator_", "ReplaceUnaryOperator_"),
    *("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "NumberReplacer", "ZeroIterationForLoop"),
)
# a float can't be an index, and identity of numbers means nothing to compiled code
WITHOUT = ("_Div", "_Is", "_IsNot")
SPLIT = {"comparison", "for_stmt", "if_stmt", "while_stmt", "test", "factor", "not_test", "number", "keyword"}
PUNCTUATION = frozenset("()[]{}.,:;=") | {"->", ":=", "+=", "-=", "|=", "&=", "*=", "//=", ">>=", "<<="}

Span = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Place:
    """A token of the rules that operators can change, known by words that an edit elsewhere leaves alone."""

    file: str
    function: str
    line: int
    text: str  # of its line
    nth: int  # of equal lines in the function
    index: int  # of the line's places
    operators: tuple[tuple[str, int, int], ...]  # name, the how manieth of the place and of the file

    @property
    def key(self) -> str:
        """All that knows it from others."""
        return f"{self.file}|{self.function}|{self.text}|{self.nth}|{self.index}"


@dataclass(frozen=True)
class Drawn:
    """One mutant: a place, changed by one operator."""

    place: Place
    operator: str
    nth: int  # of the place; a number has two
    occurrence: int  # in the file, as the library counts

    @property
    def id(self) -> str:
        """Eight signs, the same as long as its line is."""
        return _hash(self.place.key, self.operator, str(self.nth))[:8]

    @property
    def file(self) -> Path:
        """The file that is changed."""
        return GAME / self.place.file

    @property
    def module(self) -> str:
        """The module that is changed."""
        return f"simlab.games.dei.{self.file.stem}"

    def mutated(self) -> str:
        """The file's text with the mutation."""
        return self._texts[0]

    @property
    def old(self) -> str:
        """What is changed, whole lines, in one."""
        return self._texts[1]

    @property
    def new(self) -> str:
        """What stands there instead."""
        return self._texts[2]

    @cached_property
    def _texts(self) -> tuple[str, str, str]:
        before = source(self.file)
        after = mutate_code(before, _operators()[self.operator], self.occurrence)
        assert after is not None
        return (after, *_changed(before.splitlines(), after.splitlines()))

    @property
    def where(self) -> str:
        """FILE:FUNCTION."""
        return f"{self.place.file}:{self.place.function}"


def _changed(before: list[str], after: list[str]) -> tuple[str, str]:
    """The lines that differ, from the first to the last, blanks closed up."""
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    return " ".join(" ".join(before).split()), " ".join(" ".join(after).split())


def draw(number: int = DRAWN, seed: int = SEED) -> list[Drawn]:
    """The mutants of a seed, in the order of files and lines."""
    lowest = sorted(places(), key=lambda place: _hash(str(seed), place.key))[:number]
    drawn = [mutant_of(place, seed) for place in lowest]
    return sorted(drawn, key=lambda mutant: (mutant.place.file, mutant.place.line, mutant.place.index))


def mutant_of(place: Place, seed: int) -> Drawn:
    """A place with the operator that the seed draws for it."""
    return Drawn(place, *min(place.operators, key=lambda it: _hash(str(seed), place.key, it[0], str(it[1]))))


def _hash(*words: str) -> str:
    return hashlib.sha256("|".join(words).encode()).hexdigest()


@cache
def places() -> tuple[Place, ...]:
    """All places of the rules."""
    by_file: dict[str, list[Stretch]] = defaultdict(list)
    for stretch in reached():
        by_file[stretch.file].append(stretch)
    return tuple(place for file, stretches in by_file.items() for place in _places_of(file, stretches))


def _places_of(file: str, stretches: list[Stretch]) -> Iterator[Place]:
    lines = source(GAME / file).splitlines()
    spans = _spans(source(GAME / file))
    for stretch in stretches:
        seen: Counter[str] = Counter()
        for number in range(stretch.first, stretch.last + 1):
            text = lines[number - 1].strip()
            here = sorted(span for span in spans if span[0][0] == number)
            for index, span in enumerate(here):
                yield Place(file, stretch.name, number, text, seen[text], index, tuple(spans[span]))
            seen[text] += 1


def _spans(text: str) -> dict[Span, list[tuple[str, int, int]]]:
    """The operators of each place of a text: name, and its count so far of the place and of the text."""
    counts: Counter[str] = Counter()
    found: dict[Span, list[tuple[str, int, int]]] = defaultdict(list)
    for node in ast_nodes(get_ast(text)):
        if node.type == "operator" and node.value in PUNCTUATION:
            continue
        if node.type != "operator" and node.type not in SPLIT:
            continue
        for name, operator in _operators().items():
            for start, end in operator.mutation_positions(node):
                nth = sum(name == other for other, _, _ in found[start, end])
                found[start, end].append((name, nth, counts[name]))
                counts[name] += 1
    return found


@cache
def _operators() -> dict[str, Any]:
    names = [name.partition("/")[2] for name in operator_names()]
    used = [
        name
        for name in names
        if name.startswith(FAMILIES) and not any(f"{part}_" in f"{name}_" for part in WITHOUT)
    ]
    return {name: get_operator(f"core/{name}")() for name in used}
