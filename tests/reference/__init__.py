"""A second, slow implementation of the core game of D.E.I., to compare a fast one with.

It was written from the rulebook and from `docs/rules/dei-core.md` alone, without a look at the engine, as
legibly as the rulebook and with no thought of speed; a difference between the two is a mistake of one of
them, or a sentence that can be read in two ways. `tests/dei/test_twin.py` looks for differences, and
`docs/differences.md` tells how each was settled.

How to drive it:

    pack = read_pack()                          # a pack's folder; the shipped one by default
    rules = Rules(planning=True)                # the knobs, by the names of `simlab list rules`
    deal = Deal(...)                            # all that chance fixes before play, or random_deal(...)
    faults(pack, rules, deal)                   # what the rules don't allow of it, in words
    position = start(pack, rules, deal)         # at the first decision
    while not position.over:
        choices = legal(position)               # of the seat position.acting, sorted by .words()
        position = apply(position, choices[0], luck)
    position.places                             # seats, the winner first
    describe(position)                          # plain dicts keyed by words

A Choice's `.words()` is its sentence in `docs/scenarios.md`; `Luck` gives the Candy Boosts that are drawn. A
Position isn't changed by `apply`, is compared with `==`, and may be edited by hand to begin elsewhere: then
call `renew` (Majority and cubes) and set its `agenda`, whose last entry is what is asked.
"""

from .agenda import Question
from .board import Board
from .choices import Choice
from .deal import Deal, quick_layout, random_deal
from .deal_check import faults
from .describe import describe
from .icons import Icon, read_icons
from .luck import Luck, SeededLuck, ToldLuck
from .majority import renew
from .pack import Card, Mission, Pack, Slot, Tile, read_pack
from .play import IllegalChoiceError, apply, legal, start
from .position import Outpost, Play, Position, Seat
from .rules import Rules

__all__ = [
    "Board",
    "Card",
    "Choice",
    "Deal",
    "Icon",
    "IllegalChoiceError",
    "Luck",
    "Mission",
    "Outpost",
    "Pack",
    "Play",
    "Position",
    "Question",
    "Rules",
    "Seat",
    "SeededLuck",
    "Slot",
    "Tile",
    "ToldLuck",
    "apply",
    "describe",
    "faults",
    "legal",
    "quick_layout",
    "random_deal",
    "read_icons",
    "read_pack",
    "renew",
    "start",
]
