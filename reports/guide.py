"""`docs/reading-a-report.md` as part of a report: its text at the end, its words where they are first used.

A word is explained there in a paragraph that begins with it in bold: `**Block.** One deal …`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGE = "reading-a-report.md"
PLACES = (
    Path(__file__).parent / PAGE,
    Path(__file__).parents[1] / "docs" / PAGE,
)  # installed, in the sources
HEAD = re.compile(r"^\*\*([^*]+)\.\*\* (.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
LONGEST = 330  # letters of an explanation where the pointer rests


@dataclass(frozen=True)
class Word:
    """A word that the page explains: its anchor there and the first sentences."""

    anchor: str
    says: str


@cache
def page() -> str:
    """The page as Markdown."""
    return next(place for place in PLACES if place.is_file()).read_text(encoding="utf-8")


@cache
def words() -> dict[str, Word]:
    """Every word in small letters, in the order of the page."""
    found: dict[str, Word] = {}
    for heads, text in HEAD.findall(page()):
        for head in heads.lower().split(", "):
            if head[0].isalpha():
                found.setdefault(head, Word(anchor(heads), _short(text)))
    return found


def anchor(heads: str) -> str:
    """Where in the page a paragraph stands that begins with these words."""
    return "word-" + "-".join(re.findall(r"[a-z0-9]+", heads.lower()))


def _short(text: str) -> str:
    """Sentences from the beginning, as many as are short enough, without marks."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    sentences = re.split(r"(?<=[.:]) (?=[A-Z])", re.sub(r"[*`]", "", text))
    said = sentences[0]
    for sentence in sentences[1:]:
        if len(said) + len(sentence) >= LONGEST:
            break
        said += f" {sentence}"
    return said
