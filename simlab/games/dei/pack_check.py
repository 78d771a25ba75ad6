"""Whether a pack's components make a good game: constraints that an invented component must satisfy.

What the box prints is a fact and is not judged, so a value marked `rulebook` breaks no constraint of
plausibility; only what can't be (more tokens on the board than the box holds) is a problem anyway.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from simlab.games.dei.icons import PER, plain_argument, plain_op, plain_per
from simlab.games.dei.layout_statistics import LayoutStatistics, layout_statistics, quick_figures
from simlab.games.dei.pack_files import ASSUMED
from simlab.games.dei.pack_parts import TILES_FROM
from simlab.games.dei.pack_text import describe
from simlab.games.dei.tiles import NUMBERS, OUTPOST_LETTERS
from simlab.games.dei.vocabulary import ANY_DRONE, DRONE, EXTRA_MOVE, OPS
from simlab.wording import shown

if TYPE_CHECKING:
    from simlab.games.dei.pack import Pack
    from simlab.games.dei.pack_rows import Card
    from simlab.games.dei.tiles import Tile

MOST_RESOURCES = (
    56,
    36,
)  # Technology, Energy Cells: the box's tokens without those that 4 players start with
OUTPOSTS_FROM = {2: 3, 3: 1, 4: 1}  # of each letter, on the tiles that come in with so many players
REGIONS = (30, 60)  # the constraints on layouts are for four players
LEAST_LINKS = 1.7
MOST_WITHOUT_LINK = 0.15
MOST_TOO_LARGE = 0.03


def check_pack(pack: Pack, draws: int = 2000) -> tuple[list[str], list[str]]:
    """Every broken constraint as a sentence, and lines that describe the pack."""
    layouts = random_layouts(pack, draws)
    return [*part_problems(pack), *board_problems(pack, layouts)], describe(pack, layouts)


def random_layouts(pack: Pack, draws: int) -> list[LayoutStatistics]:
    """Random layouts for each number of players."""
    return [layout_statistics(pack, layout.players, draws) for layout in pack.parts.layouts]


def part_problems(pack: Pack) -> list[str]:
    """What is wrong with tokens, cards and Outposts."""
    return [*token_problems(pack.parts.tiles), *card_problems(pack.parts.cards), *outpost_problems(pack)]


def board_problems(pack: Pack, layouts: Sequence[LayoutStatistics]) -> list[str]:
    """What is wrong with random layouts and quick ones; printed tiles are facts."""
    if all(tile.source != ASSUMED for tile in pack.parts.tiles):
        return []
    found = [problem for statistics in layouts for problem in layout_problems(statistics)]
    return found + quick_problems(pack)


def token_problems(tiles: Sequence[Tile]) -> list[str]:
    """CORE-009: the tiles ask for no more tokens than the box holds."""
    problems = []
    for kind, most in zip(NUMBERS, MOST_RESOURCES, strict=True):
        total = sum(tile.total(kind) for tile in tiles)
        if total > most:
            problems.append(
                f"tiles.toml: {total} symbols of {kind} on all tiles, {most} at most are possible"
            )
    return problems


def outpost_problems(pack: Pack) -> list[str]:
    """CORE-010: each number of players has as many Outposts of each letter."""
    problems = []
    for players in TILES_FROM:
        mine = [tile for tile in pack.parts.tiles if tile.players == players and tile.source == ASSUMED]
        for k, letter in enumerate(OUTPOST_LETTERS):
            there = sum(kinds[k] for tile in mine for kinds in tile.outposts)
            if mine and there != OUTPOSTS_FROM[players]:
                problems.append(
                    f"tiles.toml: {there} Outposts {shown(letter)} on the tiles of {players} players"
                    f" instead of {OUTPOSTS_FROM[players]}"
                )
    return problems


def card_problems(cards: Sequence[Card]) -> list[str]:
    """Invented cards: every kind of icon is somewhere, and no card is plainly worse than another."""
    problems = [
        f"cards.csv: card {shown(worse.id)} is dominated by {shown(better.id)} of its own market"
        for worse, better in dominated(cards)
    ]
    return problems + [f"cards.csv: no card has {what}" for what in missing_icons(cards)]


def dominated(cards: Sequence[Card]) -> list[tuple[Card, Card]]:
    """Invented Market cards that are plainly worse than another of their market, each with such a one."""
    bought = [card for card in cards if not card.is_faction_card]
    return [
        (worse, better)
        for worse in bought
        for better in bought
        if worse.source == ASSUMED and worse.deck == better.deck and dominates(better, worse)
    ]


def dominates(better: Card, worse: Card) -> bool:
    """Whether one card gives at least as much for at most as much, and not exactly the same."""
    if Counter(worse.icons) - Counter(better.icons):
        return False
    values = [
        (better.supplies.value, worse.supplies.value),
        (worse.technology.value, better.technology.value),
        (worse.energy.value, better.energy.value),
    ]
    more = len(better.icons) > len(worse.icons) or any(a > b for a, b in values)
    return more and all(a >= b for a, b in values)


def missing_icons(cards: Sequence[Card]) -> list[str]:
    """Kinds of icons that no card has, if all cards are invented."""
    if any(card.source != ASSUMED for card in cards):
        return []
    codes = [code for card in cards for code in card.icons]
    ops, pers = {plain_op(code) for code in codes}, {plain_per(code) for code in codes}
    absent = [name for op, name in enumerate(OPS) if op != EXTRA_MOVE and op not in ops]
    missing = [f"the icon {shown(name)}" for name in absent]
    missing += [f'an icon "…{name}"' for per, name in enumerate(PER) if per not in pers]
    if not any(plain_op(code) == DRONE and plain_argument(code) == ANY_DRONE for code in codes):
        missing.append('the icon "drone:any"')
    return missing


def layout_problems(statistics: LayoutStatistics) -> list[str]:
    """Random layouts: for any number of players all is within reach; for four the figures hold."""
    where = f"tiles.toml, random layouts for {statistics.players} players"
    problems = []
    if not all(board.reachable for board in statistics.boards):
        problems.append(f"{where}: a Region can't be reached from a Neutral Refuge")
    if statistics.players != max(TILES_FROM):
        return problems
    low, high = statistics.span("regions")
    if low < REGIONS[0] or high > REGIONS[1]:
        problems.append(f"{where}: {low:.0f} to {high:.0f} Regions, outside {REGIONS[0]} to {REGIONS[1]}")
    if statistics.mean("links") < LEAST_LINKS:
        problems.append(f"{where}: {statistics.mean('links'):.2f} Links a Region, fewer than {LEAST_LINKS}")
    if statistics.mean("without_link") > MOST_WITHOUT_LINK:
        share = statistics.mean("without_link")
        problems.append(
            f"{where}: {share:.1%} of the Regions have no Link, more than {MOST_WITHOUT_LINK:.0%}"
        )
    if statistics.share_too_large > MOST_TOO_LARGE:
        share = statistics.share_too_large
        problems.append(f"{where}: {share:.1%} have too large a Region, more than {MOST_TOO_LARGE:.0%}")
    return problems


def quick_problems(pack: Pack) -> list[str]:
    """Quick layouts keep the limit on Regions too, though nothing draws them again."""
    limit = int(pack.table[0].largest_region_percent) / 100
    return [
        f"layouts.toml, layout for {layout.players} players: the largest Region has {largest:.0%} of spaces"
        for layout in pack.parts.layouts
        if (largest := quick_figures(pack, layout.players).largest) > limit
    ]
