"""An icon as one integer, and in the small language of pack files.

An icon is an operation (`OPS`), how often it is done (once, or once per controlled Outpost of a colour),
an argument (which Drone) and an amount (what is gained, or the Drone's extra movement).

    move  collect*2  build:any  technology*2  drone:simon+1  enlist@tactic  supplies/outpost  kill/tactic

`*n` is n separate icons; for gains (technology, energy, supplies) it is one icon that gives n.
"""

from __future__ import annotations

from simlab.games.dei.vocabulary import (
    ANY_COLOUR,
    ANY_DRONE,
    COLOURS,
    DRONE,
    DRONES,
    EXTRA_MOVE,
    GAIN_ENERGY,
    GAIN_SUPPLIES,
    GAIN_TECHNOLOGY,
    OPS,
)
from simlab.jit import inner, plain
from simlab.wording import did_you_mean, shown

GAINS = (GAIN_TECHNOLOGY, GAIN_ENERGY, GAIN_SUPPLIES)
PER = ("", *(f"/{colour}" for colour in COLOURS), "/outpost")  # index: per


@inner
def icon(op, per, argument, amount):
    """Pack an icon: `per` is 0 (once) or 1 + colour (4 = any colour), `amount` 0 … 15."""
    return op | per << 5 | argument << 8 | amount << 11


@inner
def icon_op(code):
    """The operation of an icon."""
    return code & 31


@inner
def icon_per(code):
    """0 if done once, 1 + colour if done once per controlled Outpost of it (4 = any)."""
    return (code >> 5) & 7


@inner
def icon_argument(code):
    """The Drone of a Drone icon (ANY_DRONE for any)."""
    return (code >> 8) & 7


@inner
def icon_amount(code):
    """What a gain gives, or how far a Drone icon's Drone moves beyond its usual movement."""
    return (code >> 11) & 15


# the same for Python code, which the compiler would keep waiting
plain_icon = plain(icon)
plain_op = plain(icon_op)
plain_per = plain(icon_per)
plain_argument = plain(icon_argument)
plain_amount = plain(icon_amount)


def icon_name(code: int) -> str:
    """An icon in the pack language; `parse_icons` reads it back."""
    op, amount = plain_op(code), plain_amount(code)
    name = OPS[op]
    if op == DRONE:
        drone = plain_argument(code)
        name += ":" + ("any" if drone == ANY_DRONE else DRONES[drone])
        name += f"+{amount}" if amount else ""
    elif op in GAINS and amount != 1:
        name += f"*{amount}"
    return name + PER[plain_per(code)]


def parse_icons(text: str) -> list[int]:
    """The icon codes of one card's text; raises ValueError with the reason (one clause)."""
    return [code for word in text.split() for code in _parse_word(word)]


def _parse_word(word: str) -> list[int]:
    rest, per = _split_per(word)
    rest, count = _split_count(rest, word)
    argument = amount = 0
    if rest.startswith("drone"):
        rest, argument, amount = _split_drone(rest)
    if rest not in OPS or OPS.index(rest) == EXTRA_MOVE:
        printed = [name for op, name in enumerate(OPS) if op != EXTRA_MOVE]
        near = did_you_mean(rest, printed) or "; icons read such as move, collect*2 or drone:simon+1"
        raise ValueError(f"unknown icon {shown(word)}{near}")
    op = OPS.index(rest)
    if op in GAINS:
        return [plain_icon(op, per, 0, count)]
    return [plain_icon(op, per, argument, amount)] * count


def _split_per(word: str) -> tuple[str, int]:
    rest, slash, per = word.partition("/")
    if not slash:
        return word, 0
    if per == "outpost":
        return rest, 1 + ANY_COLOUR
    if per not in COLOURS:
        raise ValueError(
            f"unknown Outpost colour in icon {shown(word)}{did_you_mean(per, (*COLOURS, 'outpost'))}"
        )
    return rest, 1 + COLOURS.index(per)


def _split_count(rest: str, word: str) -> tuple[str, int]:
    rest, star, count = rest.partition("*")
    if not star:
        return rest, 1
    if not count.isdigit() or not 1 <= int(count) <= 9:
        raise ValueError(f"'*' in icon {shown(word)} needs a number from 1 to 9")
    return rest, int(count)


def _split_drone(rest: str) -> tuple[str, int, int]:
    name, colon, which = rest.partition(":")
    if name != "drone" or not colon:
        raise ValueError(f"unknown icon {shown(rest)}; a Drone icon reads drone:NAME or drone:any")
    which, plus, extra = which.partition("+")
    if plus and not (extra.isdigit() and int(extra) <= 9):
        raise ValueError(f"'+' in icon {shown(rest)} needs a number from 0 to 9")
    if which != "any" and which not in DRONES:
        raise ValueError(f"there is no Drone {shown(which)}{did_you_mean(which, (*DRONES, 'any'))}")
    argument = ANY_DRONE if which == "any" else DRONES.index(which)
    return name, argument, int(extra) if plus else 0
