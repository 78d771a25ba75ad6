"""The board of a block: tiles laid out, at random or as the pack's quick layout, and what follows.

`lay_out` is called by compiled code with records; `draw_board` and `place_tiles` are the same for
Python, which `make_board` and `board_from_tiles` wrap for people. A random layout is addressed by key
and number of the draw, so that every arm of a block and every rerun has the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab import chance
from simlab.errors import PackError, ScenarioError
from simlab.games.dei.regions import OK, find_regions, list_near, measure_distances, relate_regions
from simlab.games.dei.sites import find_bridge_sites, find_elevator_sites, place_symbols
from simlab.games.dei.state import records
from simlab.games.dei.tables import BOARD_RECORD, PACK_RECORD
from simlab.games.dei.vocabulary import MAX_SEATS, MAX_SPACES, MAX_TILES, N_COLOURS, NONE
from simlab.jit import allocating, entry, inner, int64, record_array

if TYPE_CHECKING:
    from simlab.games.dei.pack import Pack

LAYOUTS = ("random", "quick")
OUTPOSTS = ("advanced", "quick")
RANDOM, QUICK = 0, 1

MAX_DRAWS = 127  # a log has one byte for it; a pack whose layouts fail so often is refused
NO_GRID = 6
NO_LAYOUT = 7
APART_FAILED = -1
FAILURES = (
    "",
    "the board has too many Regions",
    "a Region touches too many others",
    "the board has too many places for Elevators",
    "the board has too many places for Bridges",
    "the board has too many Outposts",
    "the pack has no grid that its tiles for this number of players fill",
    f"none of {MAX_DRAWS} random layouts keeps the Neutral Refuges apart and every Region small enough",
)


@inner
def derive_rest(pack, board, grid, colours):
    """Everything that follows from the Regions, which `find_regions` has found; OK or what failed."""
    relate_regions(pack, board, grid)
    code = list_near(board)
    if code != OK:
        return code
    measure_distances(board)
    code = find_elevator_sites(board)
    if code != OK:
        return code
    code = find_bridge_sites(pack, board, grid)
    if code != OK:
        return code
    return place_symbols(pack, board, colours)


@allocating
def derive(pack, board, colours):
    """CORE-004 … CORE-010: the whole board from rows, columns, tile_at and rotation; OK or what failed.

    `colours` maps the Outpost letters A, B, C to colours.
    """
    grid = np.empty(MAX_SPACES, np.int64)
    failed = np.zeros(1, np.int64)
    find_regions(pack, board, grid, failed)
    if int(failed[0]) != OK:
        return int(failed[0])
    return derive_rest(pack, board, grid, colours)


@inner
def tiles_in_play(pack, n_seats, tiles):
    """CORE-001: write the tiles used by so many players into `tiles`; how many."""
    n = 0
    for tile in range(int(pack.n_tiles)):
        if int(pack.tile_players[tile]) <= n_seats:
            tiles[n] = tile
            n += 1
    return n


@allocating
def scatter_tiles(board, key, attempt, tiles, n):
    """CORE-002: place and rotation drawn; a tile's luck depends on key, attempt and tile alone."""
    value = np.empty(MAX_TILES, np.int64)
    for k in range(n):
        tile = int(tiles[k])
        drawn = int(chance.draw(key, chance.LAYOUT, attempt, tile))
        at = k
        while at > 0 and int(value[at - 1]) > drawn:
            value[at] = value[at - 1]
            board.tile_at[at] = board.tile_at[at - 1]
            at -= 1
        value[at] = drawn
        board.tile_at[at] = tile
    for place in range(n):
        turned = int(chance.draw(key, chance.ROTATION, attempt, int(board.tile_at[place])))
        board.rotation[place] = chance.below(turned, 4)


@inner
def refuges_apart(pack, board):
    """CORE-003: whether no two tiles with a Neutral Refuge are orthogonally adjacent."""
    columns = int(board.columns)
    n = int(board.rows) * columns
    for place in range(n):
        if int(pack.refuge_patch[int(board.tile_at[place])]) == NONE:
            continue
        if (place + 1) % columns != 0 and int(pack.refuge_patch[int(board.tile_at[place + 1])]) != NONE:
            return False
        if place + columns < n and int(pack.refuge_patch[int(board.tile_at[place + columns])]) != NONE:
            return False
    return True


@inner
def draw_layout(pack, board, key, tiles, n, grid, failed):
    """CORE-002, CORE-003: draw layouts until one is allowed and no Region is too large."""
    for attempt in range(MAX_DRAWS):
        board.layout_draws = attempt + 1
        scatter_tiles(board, key, attempt, tiles, n)
        if not refuges_apart(pack, board):
            continue
        largest = find_regions(pack, board, grid, failed)
        if int(failed[0]) != OK:
            return
        if largest * 100 <= int(pack.largest_region_percent) * int(board.n_spaces):
            return
    failed[0] = NO_LAYOUT


@inner
def quick_layout(pack, board, n_seats, grid, failed):
    """CORE-002: the pack's fixed places, unrotated."""
    board.layout_draws = 0
    for place in range(int(board.rows) * int(board.columns)):
        board.tile_at[place] = pack.quick_layout[n_seats, place]
        board.rotation[place] = 0
    find_regions(pack, board, grid, failed)


@inner
def colour_letters(key, outposts, colours):
    """CORE-010: which colour the letters A, B, C bear: in order (quick), or a random bijection."""
    for letter in range(N_COLOURS):
        colours[letter] = letter
    if outposts == QUICK:
        return
    for letter in range(N_COLOURS):
        mine = int(chance.draw(key, chance.OUTPOST_COLOUR, 0, letter))
        rank = 0
        for other in range(N_COLOURS):
            if int(chance.draw(key, chance.OUTPOST_COLOUR, 0, other)) < mine:
                rank += 1
        colours[letter] = rank


@allocating
def lay_out(pack, board, n_seats, key, layout, outposts):
    """CORE-001 … CORE-010: the board of a deal, complete; 0, or a number of FAILURES.

    `layout` is RANDOM or QUICK, `outposts` 0 for advanced or QUICK.
    """
    tiles = np.empty(MAX_TILES, np.int64)
    grid = np.empty(MAX_SPACES, np.int64)
    colours = np.empty(N_COLOURS, np.int64)
    failed = np.zeros(1, np.int64)
    n = tiles_in_play(pack, n_seats, tiles)
    board.rows = pack.grid_rows[n_seats]
    board.columns = pack.grid_columns[n_seats]
    if n == 0 or int(board.rows) * int(board.columns) != n:
        return NO_GRID
    clear_places(board)
    if layout == QUICK:
        quick_layout(pack, board, n_seats, grid, failed)
    else:
        draw_layout(pack, board, key, tiles, n, grid, failed)
    if int(failed[0]) != OK:
        return int(failed[0])
    colour_letters(key, outposts, colours)
    return derive_rest(pack, board, grid, colours)


@inner
def clear_places(board):
    """No tile lies anywhere."""
    board.tile_at[:] = NONE
    board.rotation[:] = 0


@entry(
    lambda: int64()(record_array(PACK_RECORD), record_array(BOARD_RECORD), int64(), int64(), int64(), int64())
)
def draw_board(packs, boards, n_seats, key, layout, outposts):
    """`lay_out` for Python: the first pack, the first board."""
    return lay_out(packs[0], boards[0], n_seats, key, layout, outposts)


@entry(
    lambda: int64()(record_array(PACK_RECORD), record_array(BOARD_RECORD), int64(), int64(), int64()),
    allocates=True,
)
def try_layout(packs, boards, n_seats, key, attempt):
    """One draw of a random layout as it comes, complete, for statistics: APART_FAILED, 0, or a failure."""
    pack, board = packs[0], boards[0]
    tiles = np.empty(MAX_TILES, np.int64)
    colours = np.empty(N_COLOURS, np.int64)
    n = tiles_in_play(pack, n_seats, tiles)
    board.rows = pack.grid_rows[n_seats]
    board.columns = pack.grid_columns[n_seats]
    if n == 0 or int(board.rows) * int(board.columns) != n:
        return NO_GRID
    clear_places(board)
    scatter_tiles(board, key, attempt, tiles, n)
    if not refuges_apart(pack, board):
        return APART_FAILED
    colour_letters(key, QUICK, colours)
    return derive(pack, board, colours)


@entry(lambda: int64()(record_array(PACK_RECORD), record_array(BOARD_RECORD)), allocates=True)
def place_tiles(packs, boards):
    """The board of a layout whose rows, columns, tile_at and rotation are set; 0, or a number of FAILURES."""
    colours = np.empty(N_COLOURS, np.int64)
    colour_letters(0, QUICK, colours)
    return derive(packs[0], boards[0], colours)


def make_board(pack: Pack, n_seats: int, key: int, layout: str = "random", outposts: str = "advanced") -> Any:
    """One board record (an array of length 1) of a deal; PackError where the pack can't give one."""
    if not 1 <= n_seats <= MAX_SEATS:
        raise PackError(f"pack '{pack.name}': {n_seats} players are not possible")
    board = records(BOARD_RECORD)
    code = draw_board(pack.table, board, n_seats, key, LAYOUTS.index(layout), OUTPOSTS.index(outposts))
    if code != OK:
        raise PackError(f"pack '{pack.name}', {n_seats} players: {FAILURES[code]}")
    return board


def board_from_tiles(
    pack: Pack, layout: Sequence[Sequence[str]], rotations: Sequence[Sequence[int]] | None = None
) -> Any:
    """The board record of tiles given by id, row by row, unrotated unless `rotations` says quarter turns."""
    names = [name for row in layout for name in row]
    if not names or any(len(row) != len(layout[0]) for row in layout) or len(names) > MAX_TILES:
        raise ScenarioError(f"layout: rows of equal length with 1 to {MAX_TILES} tiles are needed")
    unknown = [name for name in names if name not in pack.tile_ids]
    if unknown:
        raise ScenarioError(f"layout: unknown tile '{unknown[0]}'")
    if len(set(names)) < len(names):
        raise ScenarioError("layout: a tile lies twice")
    turns = [0] * len(names) if rotations is None else [turn for row in rotations for turn in row]
    if len(turns) != len(names) or any(turn not in (0, 1, 2, 3) for turn in turns):
        raise ScenarioError("layout: rotations need a number from 0 to 3 for each tile")
    board = records(BOARD_RECORD)
    board[0].rows, board[0].columns = len(layout), len(layout[0])
    board[0].tile_at[:] = NONE
    board[0].tile_at[: len(names)] = [pack.tile_ids.index(name) for name in names]
    board[0].rotation[: len(names)] = turns
    code = place_tiles(pack.table, board)
    if code != OK:
        raise ScenarioError(f"layout: {FAILURES[code]}")
    return board
