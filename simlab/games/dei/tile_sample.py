"""Other plausible District tiles and quick layouts, drawn from the ranges of assumed ones.

A map walks: a space goes over to a patch beside it, many times, as long as the tile stays within its own
ranges and every place where a symbol may lie stays such a place. Resources and symbols are drawn anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from simlab.errors import PackError
from simlab.games.dei.addresses import Address
from simlab.games.dei.pack_files import ASSUMED, split_range
from simlab.games.dei.pack_parts import list_of_tables
from simlab.games.dei.tiles import NUMBERS, parse_tile
from simlab.toml import value

TILES = "tiles.toml"
LAYOUTS = "layouts.toml"
STEPS = 16  # of a map's walk, those included that the ranges forbid
SINGLE = ("drone", "refuge", "bridge", "elevator")  # symbols of which a tile has one

Tile = dict[str, Any]  # a [[tile]] table


def sampled_tiles(text: str, address: Address) -> str:
    """tiles.toml with every assumed tile drawn anew."""
    tables = (dict(table) for table in list_of_tables(text, TILES, "tile"))
    drawn = (sampled_tile(t, address.at(t["id"])) if t["source"] == ASSUMED else t for t in tables)
    return "\n".join(map(tile_text, drawn))


def sampled_tile(table: Tile, address: Address) -> Tile:
    """A tile drawn anew: its map, then what lies on it."""
    spans = table["range"]
    lines = walked_map(table, address.at("map"))
    new = {key: content for key, content in table.items() if key not in NUMBERS} | {"map": lines}
    for kind in NUMBERS:
        if kind in spans:
            new[kind] = sampled_resources(table.get(kind, {}), lines, kind, spans[kind], address.at(kind))
    if "outposts" in spans:
        new["outposts"] = sampled_outposts(table["outposts"], spans["outposts"], address.at("outposts"))
    for symbol in SINGLE:
        there = address.at(symbol)
        if symbol in spans and not there.stays:
            new[symbol] = there.pick(spans[symbol])
    return new


def walked_map(table: Tile, address: Address) -> list[str]:
    """The map after its walk."""
    if address.stays:
        return list(table["map"])
    spans = {key: span for key, span in table["range"].items() if key not in NUMBERS}
    bare = {key: content for key, content in table.items() if key not in NUMBERS} | {"range": spans}
    for step in range(STEPS):
        trial = bare | {"map": stepped(bare["map"], address.at(step))}
        try:
            parse_tile(trial, TILES, ranges_needed=True)
        except PackError:
            continue
        bare = trial
    return list(bare["map"])


def stepped(lines: list[str], address: Address) -> list[str]:
    """The map with one space given to the patch of a space beside it."""
    size = len(lines)
    row, column = address.at("row").below(size), address.at("column").below(size)
    down, right = address.at("side").pick(((0, 1), (1, 0), (0, -1), (-1, 0)))
    if not (0 <= row + down < size and 0 <= column + right < size):
        return lines
    line = lines[row]
    changed = line[:column] + lines[row + down][column + right] + line[column + 1 :]
    return [*lines[:row], changed, *lines[row + 1 :]]


def sampled_resources(
    lying: dict[str, int], lines: list[str], kind: str, span: str, address: Address
) -> dict[str, int]:
    """So many symbols as the range allows, each on a space of their level."""
    if address.stays:
        return lying
    spaces = sorted(space for line in lines for space in line if space.isupper() == (kind == "energy"))
    low, high = split_range(span, TILES)
    total = address.at("total").between(low, high) if spaces else 0
    return dict(sorted(Counter(address.at(k).pick(spaces) for k in range(total)).items()))


def sampled_outposts(lying: dict[str, str], places: list[str], address: Address) -> dict[str, str]:
    """The tile's Outposts, each on one of the places where it may lie."""
    if address.stays:
        return lying
    letters = sorted("".join(lying.values()))
    found: dict[str, str] = {}
    for number, letter in enumerate(letters):
        patch = address.at(letter, number).pick(places)
        found[patch] = found.get(patch, "") + letter
    return dict(sorted(found.items()))


def sampled_layouts(text: str, address: Address) -> str:
    """layouts.toml with the tiles of every assumed layout in another order."""
    drawn = []
    for table in list_of_tables(text, LAYOUTS, "layout"):
        new, there = dict(table), address.at(table["players"])
        if table["source"] == ASSUMED and not there.stays:
            columns = len(table["grid"][0])
            order = there.shuffled([name for row in table["grid"] for name in row])
            new["grid"] = [order[k : k + columns] for k in range(0, len(order), columns)]
        drawn.append("\n".join(["[[layout]]", *toml_lines(new)]) + "\n")
    return "\n".join(drawn)


def tile_text(table: Tile) -> str:
    """A [[tile]] as a pack's file has it."""
    spans = table.get("range", {})
    own = {key: content for key, content in table.items() if key != "range"}
    lines = ["[[tile]]", *toml_lines(own), *(["[tile.range]", *toml_lines(spans)] if spans else [])]
    return "\n".join(lines) + "\n"


def toml_lines(table: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a table; maps and grids a line a row."""
    for key, content in table.items():
        if key in {"map", "grid"}:
            yield f"{key} = ["
            yield from (f"    {value(row)}," for row in content)
            yield "]"
        else:
            yield f"{key} = {value(content)}"
