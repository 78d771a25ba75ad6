"""Regions and what joins them, derived from tiles that lie on the board (CORE-004 … CORE-010).

Compiled helpers of `board.py`. A *place* is a position in the grid of tiles, in reading order. A patch
on the board has the number place × MAX_PATCHES + patch; `grid` holds it for each space, row by row.
A Region has the number of its first patch's rank: tile reading order, then letter.
"""

from __future__ import annotations

import numpy as np

from simlab.games.dei.tables import ADJACENT, LINKED
from simlab.games.dei.vocabulary import (
    MAX_NEAR,
    MAX_PATCHES,
    MAX_REGIONS,
    MAX_TILES,
    NONE,
)
from simlab.jit import allocating, inner

# what a board can fail with: there is no exception inside compiled code
OK = 0
TOO_MANY_REGIONS = 1
TOO_MANY_NEAR = 2
TOO_MANY_ELEVATOR_SITES = 3
TOO_MANY_BRIDGE_SITES = 4
TOO_MANY_OUTPOSTS = 5

UNREACHABLE = 127
HALF = MAX_REGIONS // 2


@inner
def patch_of_space(pack, tile, rotation, row, column):
    """The patch at a space of a tile that lies turned `rotation` quarters clockwise."""
    last = int(pack.tile_size) - 1
    if rotation == 0:
        return int(pack.patch_at[tile, row, column])
    if rotation == 1:
        return int(pack.patch_at[tile, last - column, row])
    if rotation == 2:
        return int(pack.patch_at[tile, last - row, last - column])
    return int(pack.patch_at[tile, column, last - row])


@inner
def spread_spaces(pack, board, grid):
    """Write each space's patch number into `grid`; the board's width in spaces."""
    size = int(pack.tile_size)
    columns = int(board.columns)
    width = columns * size
    for place in range(int(board.n_tiles)):
        tile, rotation = int(board.tile_at[place]), int(board.rotation[place])
        start = place // columns * size * width + place % columns * size
        for row in range(size):
            for column in range(size):
                patch = patch_of_space(pack, tile, rotation, row, column)
                grid[start + row * width + column] = place * MAX_PATCHES + patch
    return width


@inner
def level_of_patch(pack, board, number):
    """GROUND or ROOF of a patch on the board."""
    return int(pack.patch_level[int(board.tile_at[number // MAX_PATCHES]), number % MAX_PATCHES])


@inner
def root(parent, number):
    """The first patch of the Region that `number` belongs to, as far as it is joined yet."""
    while int(parent[number]) != number:
        parent[number] = parent[int(parent[number])]
        number = int(parent[number])
    return number


@inner
def join(pack, board, parent, a, b):
    """CORE-004: patches of one level that touch over a tile edge are one Region."""
    if a // MAX_PATCHES == b // MAX_PATCHES:  # within a tile, two letters of a level have a Border between
        return
    if level_of_patch(pack, board, a) != level_of_patch(pack, board, b):
        return
    first, second = root(parent, a), root(parent, b)
    if first < second:
        parent[second] = first
    elif second < first:
        parent[first] = second


@inner
def join_patches(pack, board, grid, width, parent):
    """CORE-004: join the patches of all tiles; afterwards root() of a patch is its Region's first patch."""
    for number in range(int(board.n_tiles) * MAX_PATCHES):
        parent[number] = number
    for space in range(int(board.n_spaces)):
        here = int(grid[space])
        if (space + 1) % width != 0:
            join(pack, board, parent, here, int(grid[space + 1]))
        if space + width < int(board.n_spaces):
            join(pack, board, parent, here, int(grid[space + width]))


@inner
def clear_regions(board):
    """Reset what has a row a Region, so that equal layouts give equal records, byte by byte."""
    board.region_of[:] = NONE
    board.level[:] = NONE
    board.first_tile[:] = NONE
    board.first_patch[:] = NONE
    board.region_size[:] = 0
    board.n_near[:] = 0
    board.n_linked[:] = 0


@inner
def number_regions(pack, board, parent, region):
    """CORE-004: number the Regions by their first patch; `region` maps patch number → Region."""
    clear_regions(board)
    n = 0
    for place in range(int(board.n_tiles)):
        tile = int(board.tile_at[place])
        for patch in range(int(pack.n_patches[tile])):
            number = place * MAX_PATCHES + patch
            first = root(parent, number)
            if first == number:
                if n == MAX_REGIONS:
                    return TOO_MANY_REGIONS
                region[number] = n
                board.level[n] = pack.patch_level[tile, patch]
                board.first_tile[n] = tile
                board.first_patch[n] = patch
                n += 1
            region[number] = region[first]
            board.region_of[tile, patch] = region[first]
    board.n_regions = n
    return OK


@inner
def measure_regions(board, grid, region):
    """Count the spaces of each Region; the largest count. `grid` holds Regions from here on."""
    largest = 0
    for space in range(int(board.n_spaces)):
        r = int(region[int(grid[space])])
        grid[space] = r
        size = int(board.region_size[r]) + 1
        board.region_size[r] = size
        largest = max(largest, size)
    return largest


@allocating
def find_regions(pack, board, grid, code):
    """CORE-004: Regions of the tiles that lie; `code[0]` says what failed, the result is the largest size."""
    board.n_tiles = int(board.rows) * int(board.columns)
    board.n_spaces = int(board.n_tiles) * int(pack.tile_size) * int(pack.tile_size)
    parent = np.empty(MAX_TILES * MAX_PATCHES, np.int64)
    region = np.empty(MAX_TILES * MAX_PATCHES, np.int64)
    width = spread_spaces(pack, board, grid)
    join_patches(pack, board, grid, width, parent)
    code[0] = number_regions(pack, board, parent, region)
    if int(code[0]) != OK:
        return 0
    return measure_regions(board, grid, region)


@inner
def touch(board, a, b):
    """CORE-005: two Regions that share an edge are Adjacent, and Linked too on the same level."""
    if a == b:
        return
    bits = ADJACENT
    if int(board.level[a]) == int(board.level[b]):
        bits = ADJACENT | LINKED
    board.relation[a, b] = int(board.relation[a, b]) | bits
    board.relation[b, a] = int(board.relation[b, a]) | bits


@inner
def relate_regions(pack, board, grid):
    """CORE-005, CORE-007: relations of all Regions, the Neutral Bridges and Elevators included."""
    board.relation[:] = 0
    board.neutral_elevator[:] = 0
    width = int(board.columns) * int(pack.tile_size)
    for space in range(int(board.n_spaces)):
        if (space + 1) % width != 0:
            touch(board, int(grid[space]), int(grid[space + 1]))
        if space + width < int(board.n_spaces):
            touch(board, int(grid[space]), int(grid[space + width]))
    for place in range(int(board.n_tiles)):
        tile = int(board.tile_at[place])
        link_patches(board, tile, int(pack.bridge_patches[tile, 0]), int(pack.bridge_patches[tile, 1]))
        ground = int(pack.elevator_patches[tile, 0])
        link_patches(board, tile, ground, int(pack.elevator_patches[tile, 1]))
        if ground != NONE:
            board.neutral_elevator[int(board.region_of[tile, ground])] = 1


@inner
def link_patches(board, tile, first, second):
    """CORE-007: a Neutral construction links the Regions of two patches for everybody."""
    if first == NONE:
        return
    a, b = int(board.region_of[tile, first]), int(board.region_of[tile, second])
    if a != b:
        board.relation[a, b] = int(board.relation[a, b]) | LINKED
        board.relation[b, a] = int(board.relation[b, a]) | LINKED


@inner
def list_near(board):
    """The Regions with any relation to each Region, and of these the Linked ones, ascending."""
    board.near[:] = NONE
    board.linked[:] = NONE
    n = int(board.n_regions)
    for a in range(n):
        count = 0
        linked = 0
        for b in range(n):
            if int(board.relation[a, b]) != 0:
                if count == MAX_NEAR:
                    return TOO_MANY_NEAR
                board.near[a, count] = b
                count += 1
            if int(board.relation[a, b]) & LINKED != 0:
                board.linked[a, linked] = b
                linked += 1
        board.n_near[a] = count
        board.n_linked[a] = linked
    return OK


@inner
def count_missing(board, low, high):
    """Add 1 to the distance of each pair that is not reached yet; how many there are."""
    n = int(board.n_regions)
    missing = 0
    for a in range(n):
        near_half, far_half = int(low[a]), int(high[a])
        for b in range(min(n, HALF)):
            absent = 1 - (near_half >> b & 1)
            board.distance[a, b] = int(board.distance[a, b]) + absent
            missing += absent
        for b in range(HALF, n):
            absent = 1 - (far_half >> (b - HALF) & 1)
            board.distance[a, b] = int(board.distance[a, b]) + absent
            missing += absent
    return missing


@allocating
def measure_distances(board):
    """CORE-006: steps a Drone needs from Region to Region, over Adjacent ones.

    All Regions search at once: the Regions reached from each are bits of two numbers (of 48, so that
    none is negative), which grow by those of its Adjacent Regions. Tiles in a grid touch, so that
    every Region is reached in the end.
    """
    board.distance[:] = UNREACHABLE
    low, high = np.zeros(MAX_REGIONS, np.int64), np.zeros(MAX_REGIONS, np.int64)
    low_before, high_before = np.zeros(MAX_REGIONS, np.int64), np.zeros(MAX_REGIONS, np.int64)
    n = int(board.n_regions)
    for a in range(n):
        if a < HALF:
            low[a] = 1 << a
        else:
            high[a] = 1 << (a - HALF)
        for b in range(n):
            board.distance[a, b] = 0
    while count_missing(board, low, high) > 0:
        low_before[:] = low
        high_before[:] = high
        for a in range(n):
            near_half, far_half = int(low[a]), int(high[a])
            for k in range(int(board.n_near[a])):
                b = int(board.near[a, k])
                adjacent = int(board.relation[a, b]) & ADJACENT
                near_half |= int(low_before[b]) * adjacent
                far_half |= int(high_before[b]) * adjacent
            low[a] = near_half
            high[a] = far_half
