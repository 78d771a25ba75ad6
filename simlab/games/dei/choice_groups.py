"""Choices under headings, so that a long list can be read: moves by where they start, buys by card.

A card that can be played is a heading of its own, since which one is what a player looks for first.
"""

from __future__ import annotations

from collections.abc import Callable

from simlab.games.dei import choices as ch
from simlab.games.dei.names import Names
from simlab.games.dei.text import words_of
from simlab.games.dei.vocabulary import DRONES
from simlab.games.dei.words import BUILD_LEADS, LEADS


def heading(names: Names, code: int) -> str:
    """What a choice stands under: a beginning of its sentence, or the kind that it is of."""
    kind = ch.plain_kind(code)
    headed = _HEADINGS.get(kind)
    return headed(names, code) if headed else ch.KINDS[kind]


def _commit(names: Names, code: int) -> str:
    card = ch.plain_a(code)
    return f"commit {names.card_name(card - 1)}" if card else "commit nothing"


_HEADINGS: dict[int, Callable[[Names, int], str]] = {
    ch.DEPLOY: lambda names, code: f"deploy the Leader at {names.regions[ch.plain_a(code)]}",
    ch.PLAY: words_of,
    ch.BUY: lambda names, code: f"buy {names.card_name(ch.plain_a(code))}",
    ch.MOVING: lambda names, code: (
        f"{LEADS[ch.MOVING, ch.plain_op(code)]} from {names.regions[ch.plain_a(code)]}"
    ),
    ch.DEPLOYMENT: lambda names, code: LEADS[ch.DEPLOYMENT, ch.plain_op(code)],
    ch.CONSTRUCT: lambda names, code: BUILD_LEADS[ch.plain_op(code), ch.plain_a(code)],
    ch.ACTIVATE: lambda names, code: f"activate {DRONES[ch.plain_a(code)]}",
    ch.COMMIT: _commit,
}
