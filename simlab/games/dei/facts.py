"""Every field of the records by name: what its axes are called and what its values mean.

`position_text.py` writes and reads whole positions by these rows. A value that has no name (a number
out of range, left-over bytes) is written as a number, so nothing is lost whatever the records hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from simlab.errors import UsageError
from simlab.games.dei.icons import icon_name, parse_icons
from simlab.games.dei.names import Names
from simlab.games.dei.vocabulary import (
    BRIDGE,
    CANDIES,
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    ENDINGS,
    FACTIONS,
    FEATS,
    MARKETS,
    N_FEATS,
    NONE,
    PLACES,
)


@dataclass(frozen=True)
class Kind:
    """What a value means: `name` gives its word, `number` reads it back; `index` is the value's place."""

    default: int
    name: Callable[[Names, int, tuple[int, ...]], str]
    number: Callable[[Names, str, tuple[int, ...]], int]


def words_kind(words: tuple[str, ...], default: int = NONE) -> Kind:
    """The kind of a family of names."""
    return Kind(
        default, lambda names, value, index: words[value], lambda names, word, index: words.index(word)
    )


def _built_name(names: Names, value: int, index: tuple[int, ...]) -> str:
    construction = index[1]
    ends = names.ends(construction, value)
    ends = [*ends[:2], "over", ends[2]] if construction == BRIDGE else ends
    return " ".join([CONSTRUCTIONS[construction], *ends])


def built_number(names: Names, word: str) -> tuple[int, int]:
    """Construction and place of `refuge R`, `elevator GROUND ROOF` or `bridge ROOF ROOF over GROUND`."""
    kind, *ends = word.split() or [word]
    if kind not in CONSTRUCTIONS:
        raise UsageError(f"'{kind}' is no construction; there are {', '.join(CONSTRUCTIONS)}")
    construction = CONSTRUCTIONS.index(kind)
    if construction == BRIDGE and len(ends) == 4 and ends[2] == "over":
        ends.pop(2)
    if len(ends) != construction + 1:
        forms = ("refuge R", "elevator GROUND ROOF", "bridge ROOF ROOF over GROUND")
        raise UsageError(f"'{word}' doesn't read '{forms[construction]}'")
    return construction, names.site(construction, [names.region(end) for end in ends])


def _feats_number(names: Names, word: str, index: tuple[int, ...]) -> int:
    return sum(1 << FEATS.index(feat) for feat in word.split())


def _feats_name(names: Names, value: int, index: tuple[int, ...]) -> str:
    return " ".join(FEATS[feat] for feat in range(N_FEATS) if value >> feat & 1)


def _icon_number(names: Names, word: str, index: tuple[int, ...]) -> int:
    (code,) = parse_icons(word)
    return int(code)


NUMBER = Kind(0, lambda names, value, index: "", lambda names, word, index: int(word))
SEAT = Kind(
    NONE, lambda names, value, index: names.seat_name(value), lambda names, word, index: names.seat(word)
)
SEAT_0 = Kind(0, SEAT.name, SEAT.number)
REGION = Kind(
    NONE, lambda names, value, index: names.regions[value], lambda names, word, index: names.region(word)
)
CARD = Kind(
    NONE, lambda names, value, index: names.card_name(value), lambda names, word, index: names.card(word)
)
MISSION = Kind(
    NONE,
    lambda names, value, index: names.pack.mission_ids[value],
    lambda names, word, index: names.pack.mission_ids.index(word),
)
FEAT_BITS = Kind(0, _feats_name, _feats_number)
ICON = Kind(0, lambda names, value, index: icon_name(value), _icon_number)
BUILT = Kind(NONE, _built_name, lambda names, word, index: built_number(names, word)[1])
FACTION = words_kind(FACTIONS)
CANDY = words_kind(CANDIES)
COLOUR = words_kind(COLOURS)
DRONE = words_kind(DRONES)
ENDING = words_kind(ENDINGS, 0)
PLACE = words_kind(PLACES, 0)
OPTIONAL = Kind(
    NONE, lambda names, value, index: "", lambda names, word, index: int(word)
)  # a number, or absent

# --- axes: index → key -----------------------------------------------------------------------------------

Axis = Callable[[Names], list[str]]
AXES: dict[str, Axis] = {
    "seat": lambda names: [names.seat_name(seat) for seat in range(int(names.public.n_seats))],
    "region": lambda names: names.regions,
    "card": lambda names: list(names.pack.card_ids),
    "outpost": lambda names: names.outposts,
    "drone": lambda names: list(DRONES),
    "construction": lambda names: list(CONSTRUCTIONS),
    "market": lambda names: list(MARKETS),
    "colour": lambda names: list(COLOURS),
    "faction": lambda names: list(FACTIONS),
    "candy": lambda names: list(CANDIES),
    "list": lambda names: [],  # written as a list, in order
}


@dataclass(frozen=True)
class Field:
    """One field: the names of its axes, outermost first, and the kind of its values."""

    name: str
    axes: tuple[str, ...]
    kind: Kind


def _fields(rows: list[tuple[str, str, Kind]]) -> tuple[Field, ...]:
    return tuple(Field(name, tuple(axes.split()), kind) for name, axes, kind in rows)


# the first rows say who sits where: all other names hang on them
PUBLIC_FIELDS = _fields(
    [
        ("n_seats", "", NUMBER),
        ("faction", "list", FACTION),
        ("seat_of", "faction", OPTIONAL),
        ("turn", "", NUMBER),
        ("phase", "", NUMBER),
        ("priority", "list", SEAT),
        ("place", "", NUMBER),
        ("cards_left", "", NUMBER),
        ("ending", "", ENDING),
        ("decisions", "", NUMBER),
        ("n_frames", "", NUMBER),
        ("n_bag", "", NUMBER),
        ("bag", "list", ICON),
        ("supplies", "seat", NUMBER),
        ("technology", "seat", NUMBER),
        ("energy", "seat", NUMBER),
        ("candy", "seat", NUMBER),
        ("candy_reserve", "", NUMBER),
        ("unlocked", "seat", FEAT_BITS),
        ("reserve", "seat", NUMBER),
        ("leader", "seat", REGION),
        ("scrappers", "seat region", NUMBER),
        ("built", "seat construction list", BUILT),
        ("resources", "region", NUMBER),
        ("drone", "drone", REGION),
        ("cube", "outpost", SEAT),
        ("card_place", "card", PLACE),
        ("card_owner", "card", SEAT),
        ("n_plays", "seat", NUMBER),
        ("play", "seat list", CARD),
        ("copied", "seat list list", OPTIONAL),
        ("play_candy", "seat list", CANDY),
        ("fresh", "list", CARD),
        ("bought", "", NUMBER),
        ("bot_used", "", NUMBER),
        ("swap_used", "", NUMBER),
        ("seeker_used", "", NUMBER),
        ("boots_used", "", NUMBER),
        ("engineer_used", "", NUMBER),
        ("extra_moves", "", NUMBER),
        ("market", "market list", CARD),
        ("deck_left", "market", NUMBER),
        ("mission", "list list", MISSION),
        ("token", "seat list", OPTIONAL),
        ("draft_step", "", NUMBER),
        ("draft_colour", "seat list", COLOUR),
        ("draft_order", "seat colour", OPTIONAL),
        ("holder", "region", SEAT),
        ("cubes", "seat colour", NUMBER),
        ("value", "region seat", NUMBER),
    ]
)
OWN_FIELDS = _fields(
    [
        ("feats", "", FEAT_BITS),
        ("draft_seen", "colour", FEAT_BITS),
        ("candy", "candy", NUMBER),
        ("committed", "list", CARD),
        ("n_committed", "", NUMBER),
    ]
)
HIDDEN_FIELDS = _fields(
    [
        ("deal_key", "", NUMBER),
        ("deck", "market list", CARD),
        ("token_at", "list", SEAT),
    ]
)


def describe(kind: Kind, names: Names, value: int, index: tuple[int, ...]) -> Any:
    """A value as a word if that word reads back as it, else as the number it is."""
    try:
        word = kind.name(names, value, index) if value >= 0 else ""
        if word and kind.number(names, word, index) == value:
            return word
    except (UsageError, IndexError, ValueError):
        pass
    return value


def understand(kind: Kind, names: Names, value: Any, index: tuple[int, ...]) -> int:
    """The number that a word or number of a position's text means."""
    if isinstance(value, int):
        return value
    return kind.number(names, value, index)
