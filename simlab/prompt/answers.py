"""What a person wrote at the prompt, understood: a number, a choice's first words, a group, a command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simlab.wording import did_you_mean, shown

_NUMBER = re.compile(r"[0-9]{1,9}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Chosen:
    """One of the choices, by its index."""

    index: int


@dataclass(frozen=True)
class Several:
    """Some of the choices are to be shown."""

    indices: tuple[int, ...]


@dataclass(frozen=True)
class Command:
    """A command and what is written after it."""

    word: str
    rest: str


@dataclass(frozen=True)
class NotUnderstood:
    """A sentence that says why."""

    reason: str


Answer = Chosen | Several | Command | NotUnderstood


def label(number: int) -> str:
    """The letters of a group: a to z, then aa and so on."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(_LETTERS))
        text = _LETTERS[digit] + text
    return text


def grouped(headings: Sequence[str]) -> dict[str, list[int]]:
    """Heading → the choices that stand under it, in their order."""
    groups: dict[str, list[int]] = {}
    for index, heading in enumerate(headings):
        groups.setdefault(heading, []).append(index)
    return groups


def understood(
    text: str, sentences: Sequence[str], groups: Mapping[str, Sequence[int]], commands: Sequence[str]
) -> Answer:
    """What a line means; `groups` by their letters, `commands` that may be written."""
    words = text.lower().split()
    if not words:
        return NotUnderstood("choose by number or words; help lists what else can be done")
    line = " ".join(words)
    if line in groups:
        return Several(tuple(groups[line]))
    if _NUMBER.fullmatch(line):
        return _by_number(int(line), len(sentences))
    if words[0] in commands:
        return Command(words[0], text.split(maxsplit=1)[1].strip() if len(words) > 1 else "")
    return _by_words(line, text, sentences, commands)


def _by_number(number: int, n: int) -> Answer:
    if 1 <= number <= n:
        return Chosen(number - 1)
    return NotUnderstood(f"choices are numbered 1 to {n}, there is no {number}")


def _by_words(line: str, text: str, sentences: Sequence[str], commands: Sequence[str]) -> Answer:
    lowered = [sentence.lower() for sentence in sentences]
    if line in lowered:
        return Chosen(lowered.index(line))
    begun = tuple(index for index, sentence in enumerate(lowered) if sentence.startswith(line))
    if len(begun) == 1:
        return Chosen(begun[0])
    if begun:
        return Several(begun)
    near = did_you_mean(line, [*lowered, *commands])
    hint = near if "did you mean" in near else "; help lists what can be done"
    return NotUnderstood(f"no choice begins with {shown(text.strip())}{hint}")
