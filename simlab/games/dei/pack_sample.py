"""Other packs as plausible as a given one: every assumed value drawn anew from its declared range.

What is printed stays. Values are independent and equally likely within their ranges, but for what a pack
must satisfy: a card, or where it concerns more a whole file, that breaks a constraint is drawn again, with
the number of the attempt in its address. So a value depends on seed, index, file, row, column and attempt,
and on nothing else (`addresses.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import PackError
from simlab.games.dei.addresses import Address
from simlab.games.dei.pack import build_pack
from simlab.games.dei.pack_check import (
    board_problems,
    missing_icons,
    part_problems,
    random_layouts,
    token_problems,
)
from simlab.games.dei.pack_files import ASSUMED, LONGEST_WORD, read_text, read_toml, split_range
from simlab.games.dei.pack_parts import FILES, HEAD, LIMIT, Drawn, parse_parts, read_layouts, read_tiles
from simlab.games.dei.pack_rows import (
    CANDY,
    CARDS,
    MISSION_CARDS,
    SLOTS,
    parse_candy,
    parse_cards,
    parse_missions,
    parse_slots,
)
from simlab.games.dei.row_sample import sampled_candy, sampled_cards, sampled_missions, sampled_slots
from simlab.games.dei.tile_sample import LAYOUTS, TILES, sampled_layouts, sampled_tiles
from simlab.toml import dumps

if TYPE_CHECKING:
    from simlab.games.dei.pack import Pack

ATTEMPTS = 1000  # of one file
BOARD_ATTEMPTS = 60  # of all tiles together: each asks for thousands of layouts
LAYOUT_DRAWS = (200, 2000)  # random layouts that tiles must pass: a few first, then as many as pack check

Texts = dict[str, str]  # file → its text


def sample_pack(pack: Pack, seed: int, index: int, keep: int = 0) -> tuple[str, Texts]:
    """One drawn pack, its name and its files: a function of the pack's content and the numbers alone.

    `keep` percent of the assumed values, on average, stay as they are. Raises PackError if none is found that
    satisfies what `pack_check.py` asks.
    """
    texts = {name: read_text(pack.folder, name) for name in FILES}
    address = Address((str(seed), str(index)), keep)
    head = headed(pack, texts[HEAD], Drawn(pack.name, pack.hash[:16], seed, index, keep))
    new = texts | {
        HEAD: dumps(head),
        SLOTS: settled(SLOTS, texts, sampled_slots, parse_slots, address),
        CANDY: settled(CANDY, texts, sampled_candy, parse_candy, address),
        MISSION_CARDS: settled(MISSION_CARDS, texts, sampled_missions, parse_missions, address),
        CARDS: settled(CARDS, texts, sampled_cards, check_icons, address),
    }
    return head["name"], with_board(new, texts, address)


def headed(pack: Pack, text: str, drawn: Drawn) -> dict[str, Any]:
    """pack.toml of a drawn pack: where it comes from; the limit on Regions is still the old one."""
    ending = drawn.suffix
    origin = f"{pack.name}, version {pack.parts.version}"
    how = f", but for about {drawn.keep} % of them" if drawn.keep else ""
    return read_toml(text, HEAD) | {
        "name": pack.name[: LONGEST_WORD - len(ending)] + ending,
        "title": f"Drawn from {origin}: seed {drawn.seed}, number {drawn.index}",
        "notes": f"The assumed values of {origin}, are drawn anew from the ranges that they have there{how}.",
        "drawn": asdict(drawn),
    }


def sampled_head(text: str, address: Address) -> str:
    """pack.toml with another limit on Regions, if it is assumed."""
    table = read_toml(text, HEAD)
    if table["source"] == ASSUMED and not address.stays:
        table[LIMIT] = address.between(*split_range(table[f"{LIMIT}_range"], HEAD))
    return dumps(table)


def settled(
    name: str,
    texts: Mapping[str, str],
    sample: Callable[[str, Address], str],
    check: Callable[[str], object],
    address: Address,
) -> str:
    """A file drawn again until `check` raises no PackError."""
    reason = PackError()
    for attempt in range(ATTEMPTS):
        try:
            text = sample(texts[name], address.at(name, attempt))
            check(text)
        except PackError as error:
            reason = error
        else:
            return text
    raise PackError(f"{ATTEMPTS} draws from the ranges broke a constraint, at last: {reason}")


def with_board(new: Texts, texts: Texts, address: Address) -> Texts:
    """The pack with tiles, layouts and a limit on Regions that go together (`pack_check.board_problems`)."""
    problems: list[str] = []
    for attempt in range(BOARD_ATTEMPTS):
        there = address.at(attempt)
        tiles = settled(TILES, texts, sampled_tiles, check_tiles, there)
        read = read_tiles(tiles)
        layouts = settled(LAYOUTS, texts, sampled_layouts, partial(read_layouts, tiles=read), there)
        head = sampled_head(new[HEAD], there.at(HEAD))
        whole = new | {HEAD: head, TILES: tiles, LAYOUTS: layouts}
        problems = problems_of(whole)
        if not problems:
            return whole
    raise PackError(f"{BOARD_ATTEMPTS} draws of the tiles broke a constraint, at last: {problems[0]}")


def problems_of(texts: Texts) -> list[str]:
    """What `simlab pack check` would find; PackError where no other tiles can mend it."""
    pack = build_pack(parse_parts(texts), Path())
    for problem in part_problems(pack):
        raise PackError(f"nothing can be drawn from a pack that breaks a constraint: {problem}")
    for draws in LAYOUT_DRAWS:
        if problems := board_problems(pack, random_layouts(pack, draws)):
            return problems
    return []


def check_tiles(text: str) -> None:
    """PackError if the tiles can't be, or ask for more tokens than there are."""
    for problem in token_problems(read_tiles(text)):
        raise PackError(problem)


def check_icons(text: str) -> None:
    """PackError if invented cards lack an icon altogether."""
    for problem in missing_icons(parse_cards(text)):
        raise PackError(f"{CARDS}: no card has {problem}")
