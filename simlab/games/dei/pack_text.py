"""A pack in words: its tiles as text art, its cards and prices, its random layouts."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from statistics import fmean
from typing import TYPE_CHECKING

from simlab.games.dei.icons import icon_name
from simlab.games.dei.layout_statistics import LayoutStatistics, quick_figures
from simlab.games.dei.pack_rows import DECKS, Card
from simlab.games.dei.tiles import OUTPOST_LETTERS, Tile
from simlab.games.dei.vocabulary import FACTIONS, MARKETS, NONE

if TYPE_CHECKING:
    from simlab.games.dei.pack import Pack
    from simlab.games.dei.pack_parts import Drawn

TILES_A_ROW = 4
WIDTH = 24


def describe(pack: Pack, layouts: Sequence[LayoutStatistics]) -> list[str]:
    """The whole description, a line each."""
    return [
        *head_lines(pack),
        "",
        *tile_lines(pack.parts.tiles),
        "",
        *market_lines(pack.parts.cards),
        "",
        *icon_lines(pack.parts.cards),
        "",
        *layout_lines(pack, layouts),
    ]


def head_lines(pack: Pack) -> list[str]:
    """Name, notes, counts and what the values rest on."""
    counts = pack.counts
    kinds = ", ".join(f"{counts[key]} {key}" for key in ("cards", "tiles", "missions", "feats", "candy"))
    return [
        f"{pack.name}: {pack.title} (version {pack.parts.version}, hash {pack.hash[:12]})",
        *([_origin(pack.parts.drawn)] if pack.parts.drawn else ()),
        *textwrap.wrap(" ".join(pack.parts.notes.split()), 100),
        kinds,
        f"assumed: {counts['assumed values']} of {counts['values']} values ({pack.share_assumed:.0%})",
    ]


def _origin(drawn: Drawn) -> str:
    kept = f", {drawn.keep} % of the values kept" if drawn.keep else ""
    return f"drawn from {drawn.pack} ({drawn.hash[:12]}), seed {drawn.seed}, number {drawn.index}{kept}"


def tile_lines(tiles: Sequence[Tile]) -> list[str]:
    """Tiles side by side; under each map its symbols: patch and what lies there."""
    lines = ["Tiles (upper case Roof, lower case Ground; T Technology, E Energy Cells, A B C Outposts)"]
    for start in range(0, len(tiles), TILES_A_ROW):
        columns = [tile_text(tile) for tile in tiles[start : start + TILES_A_ROW]]
        for row in zip_longest(*columns, fillvalue=""):
            lines.append("  " + "".join(cell.ljust(WIDTH) + "  " for cell in row).rstrip())
        lines.append("")
    total = {kind: sum(tile.total(kind) for tile in tiles) for kind in ("technology", "energy")}
    lines.append(f"  on all tiles: {total['technology']} Technology, {total['energy']} Energy Cells")
    return lines


def tile_text(tile: Tile) -> list[str]:
    """One tile's title, map and symbols."""
    letters = tile.letters
    resources = [
        f"{letter}:{n}{'E' if letter.isupper() else 'T'}"
        for letter, n in zip(letters, tile.resources, strict=True)
        if n
    ]
    outposts = [
        f"{letter}:{''.join(name * n for name, n in zip(OUTPOST_LETTERS, kinds, strict=True))}"
        for letter, kinds in zip(letters, tile.outposts, strict=True)
        if any(kinds)
    ]
    symbols = [
        f"{name} {'-'.join(letters[patch] for patch in patches)}"
        for name, patches in (
            ("Refuge", (tile.refuge,)),
            ("Drone", (tile.drone,)),
            ("Bridge", tile.bridge),
            ("Elevator", tile.elevator),
        )
        if patches[0] != NONE
    ]
    rows = ["".join(letters[patch] for patch in row) for row in tile.spaces]
    return [
        f"{tile.id} (from {tile.players})",
        *rows,
        " ".join(resources),
        " ".join(["Outposts", *outposts] if outposts else []),
        ", ".join(symbols),
    ]


def market_lines(cards: Sequence[Card]) -> list[str]:
    """Prices of each market and Drone: least, mean, greatest."""
    lines = [
        "Decks: cards, price in Technology and in Energy Cells, Supplies (least mean greatest), icons a card"
    ]
    for deck in DECKS:
        mine = [card for card in cards if card.deck == deck]
        if not mine:
            continue
        icons = fmean(len(card.icons) for card in mine)
        if deck in FACTIONS:
            lines.append(f"  {deck:<10} {len(mine):>2}  (starting hand){'':<28}{icons:.1f}")
            continue
        spans = [span_text([card.technology.value for card in mine])]
        spans.append(span_text([card.energy.value for card in mine]))
        spans.append(span_text([card.supplies.value for card in mine]))
        lines.append(
            f"  {deck:<10} {len(mine):>2}  " + "".join(span.ljust(14) for span in spans) + f" {icons:.1f}"
        )
    return lines


def span_text(values: Sequence[int]) -> str:
    """Least, mean and greatest."""
    return f"{min(values)}  {fmean(values):.1f}  {max(values)}"


def icon_lines(cards: Sequence[Card]) -> list[str]:
    """How many cards of factions, markets and Drones bear each icon."""
    groups = (FACTIONS, MARKETS)
    tallies = [Counter[str](), Counter[str](), Counter[str]()]
    for card in cards:
        group = next((k for k, decks in enumerate(groups) if card.deck in decks), len(groups))
        tallies[group].update({icon_name(code) for code in card.icons})
    lines = ["Icons: cards that bear one (Faction, Market, Drone cards of the markets)"]
    for name in sorted(set().union(*tallies)):
        lines.append(f"  {name:<22}" + "".join(f"{tally[name]:>4}" for tally in tallies))
    return lines


def layout_lines(pack: Pack, layouts: Sequence[LayoutStatistics]) -> list[str]:
    """Random layouts: mean (least … greatest), how often one is drawn again, and the quick layout."""
    lines = []
    for statistics in layouts:
        quick = quick_figures(pack, statistics.players)
        lines.append(
            f"Layouts for {statistics.players} players ({len(statistics.boards)} random ones; quick layout)"
        )
        for name, title, style in (
            ("regions", "Regions", ".1f"),
            ("links", "Linked Regions of a Region", ".2f"),
            ("without_link", "Regions without a Link", ".1%"),
            ("largest", "spaces in the largest Region", ".1%"),
            ("outpost_regions", "Regions with an Outpost, an Outpost", ".2f"),
            ("bridge_sites", "places for Bridges", ".1f"),
            ("elevator_sites", "places for Elevators", ".1f"),
            ("early_reach", "Regions two Moves from a Neutral Refuge", ".1f"),
            ("refuge_distance", "steps between the Neutral Refuges", ".1f"),
        ):
            low, high = statistics.span(name)
            mean = format(statistics.mean(name), style)
            span = f"({low:{style}} … {high:{style}})"
            lines.append(f"  {title:<40} {mean:>6} {span:<20} {getattr(quick, name):{style}}")
        lines.append(
            f"  drawn again: {statistics.share_adjacent:.1%} for adjacent Neutral Refuges,"
            f" then {statistics.share_too_large:.1%} for a Region above {statistics.limit:.0%} of the spaces"
        )
        lines.append("")
    return lines[:-1]
