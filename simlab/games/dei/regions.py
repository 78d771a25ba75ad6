"""Regions and what joins them, derived from tiles that lie on the board (CORE-004 … CORE-010).

Compiled helpers of `board.py`. A *place* is a position in the grid of tiles, in reading order. A patch
on the board has the number place × MAX_PATCHES + patch; `grid` holds it for each space, row by row.
A Region has the number of its first patch's rank: tile reading order, then letter.
"""

from __future__ import annotations

import numpy as np

from simlab.games.dei.tables import ADJACENT, LINKED
from simlab.games.dei.vocabulary import (
    GROUND,
    MAX_NEAR,
    MAX_OUTPOSTS,
    MAX_PATCHES,
    MAX_REGIONS,
    MAX_SITES,
    MAX_SPACES,
    MAX_TILES,
    N_COLOURS,
    NONE,
    ROOF,
)
from simlab.jit import inner

# what a board can fail with: there is no exception inside compiled code
OK = 0
TOO_MANY_REGIONS = 1
TOO_MANY_NEAR = 2
TOO_MANY_ELEVATOR_SITES = 3
TOO_MANY_BRIDGE_SITES = 4
TOO_MANY_OUTPOSTS = 5

UNREACHABLE = 127


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


@inner
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
    """The Regions with any relation to each Region, ascending."""
    board.near[:] = NONE
    n = int(board.n_regions)
    for a in range(n):
        count = 0
        for b in range(n):
            if int(board.relation[a, b]) != 0:
                if count == MAX_NEAR:
                    return TOO_MANY_NEAR
                board.near[a, count] = b
                count += 1
        board.n_near[a] = count
    return OK


@inner
def measure_distances(board):
    """CORE-006: steps a Drone needs from Region to Region, over Adjacent ones."""
    board.distance[:] = UNREACHABLE
    queue = np.empty(MAX_REGIONS, np.int64)
    for start in range(int(board.n_regions)):
        board.distance[start, start] = 0
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            here = int(queue[head])
            head += 1
            for k in range(int(board.n_near[here])):
                there = int(board.near[here, k])
                if int(board.relation[here, there]) & ADJACENT == 0:
                    continue
                if int(board.distance[start, there]) == UNREACHABLE:
                    board.distance[start, there] = int(board.distance[start, here]) + 1
                    queue[tail] = there
                    tail += 1


@inner
def find_elevator_sites(board):
    """CORE-050: a Ground and an Adjacent Roof, over a tile edge too; by Ground, then Roof."""
    board.elevator_ground[:] = NONE
    board.elevator_roof[:] = NONE
    n = 0
    for ground in range(int(board.n_regions)):
        if int(board.level[ground]) != GROUND:
            continue
        for k in range(int(board.n_near[ground])):
            roof = int(board.near[ground, k])
            if int(board.level[roof]) != ROOF or int(board.relation[ground, roof]) & ADJACENT == 0:
                continue
            if n == MAX_SITES:
                return TOO_MANY_ELEVATOR_SITES
            board.elevator_ground[n] = ground
            board.elevator_roof[n] = roof
            n += 1
    board.n_elevator_sites = n
    return OK


@inner
def add_bridge_site(board, a, b, ground):
    """CORE-049: note a site once, sorted by its Roofs and its Ground."""
    n = int(board.n_bridge_sites)
    key = (a * MAX_REGIONS + b) * MAX_REGIONS + ground
    at = n
    while at > 0:
        before = int(board.bridge_a[at - 1]) * MAX_REGIONS + int(board.bridge_b[at - 1])
        before = before * MAX_REGIONS + int(board.bridge_ground[at - 1])
        if before == key:
            return OK
        if before < key:
            break
        at -= 1
    if n == MAX_SITES:
        return TOO_MANY_BRIDGE_SITES
    for k in range(n, at, -1):
        board.bridge_a[k] = board.bridge_a[k - 1]
        board.bridge_b[k] = board.bridge_b[k - 1]
        board.bridge_ground[k] = board.bridge_ground[k - 1]
    board.bridge_a[at] = a
    board.bridge_b[at] = b
    board.bridge_ground[at] = ground
    board.n_bridge_sites = n + 1
    return OK


@inner
def scan_line(board, grid, start, step, size):
    """CORE-049: Bridge sites along one row or column of one tile."""
    roof = ground = NONE
    for k in range(size):
        here = int(grid[start + k * step])
        if int(board.level[here]) == GROUND:
            if k > 0 and int(board.level[int(grid[start + (k - 1) * step])]) == GROUND and here != ground:
                roof = NONE  # the run goes over two Grounds
            ground = here
            continue
        if roof != NONE and ground != NONE and roof != here:
            if add_bridge_site(board, min(roof, here), max(roof, here), ground) != OK:
                return TOO_MANY_BRIDGE_SITES
        roof, ground = here, NONE
    return OK


@inner
def find_bridge_sites(pack, board, grid):
    """CORE-049: straight runs over one Ground between two Roofs, within a tile."""
    board.n_bridge_sites = 0
    board.bridge_a[:] = NONE
    board.bridge_b[:] = NONE
    board.bridge_ground[:] = NONE
    size, columns = int(pack.tile_size), int(board.columns)
    width = columns * size
    for place in range(int(board.n_tiles)):
        corner = place // columns * size * width + place % columns * size
        for line in range(size):
            if scan_line(board, grid, corner + line * width, 1, size) != OK:
                return TOO_MANY_BRIDGE_SITES
            if scan_line(board, grid, corner + line, width, size) != OK:
                return TOO_MANY_BRIDGE_SITES
    return OK


@inner
def place_symbols(pack, board, colours):
    """CORE-007 … CORE-010: resources, Neutral Refuges, Drone symbols and Outposts of the tiles that lie."""
    board.starting_resources[:] = 0
    board.neutral_refuges[:] = 0
    board.drone_tiles[:] = NONE
    board.outpost_region[:] = NONE
    board.outpost_colour[:] = NONE
    board.outpost_letter[:] = NONE
    n_outposts = n_drones = 0
    for place in range(int(board.n_tiles)):
        tile = int(board.tile_at[place])
        if int(pack.refuge_patch[tile]) != NONE:
            r = int(board.region_of[tile, int(pack.refuge_patch[tile])])
            board.neutral_refuges[r] = int(board.neutral_refuges[r]) + 1
        if int(pack.drone_patch[tile]) != NONE:
            board.drone_tiles[n_drones] = place
            n_drones += 1
        for patch in range(int(pack.n_patches[tile])):
            r = int(board.region_of[tile, patch])
            resources = int(board.starting_resources[r]) + int(pack.patch_resources[tile, patch])
            board.starting_resources[r] = resources
            for letter in range(N_COLOURS):
                for _ in range(int(pack.patch_outposts[tile, patch, letter])):
                    if n_outposts == MAX_OUTPOSTS:
                        return TOO_MANY_OUTPOSTS
                    board.outpost_region[n_outposts] = r
                    board.outpost_letter[n_outposts] = letter
                    board.outpost_colour[n_outposts] = colours[letter]
                    n_outposts += 1
    board.n_outposts = n_outposts
    list_refuge_regions(board)
    return OK


@inner
def list_refuge_regions(board):
    """CORE-018: the Regions with a Neutral Refuge, ascending."""
    board.refuge_regions[:] = NONE
    n = 0
    for r in range(int(board.n_regions)):
        if int(board.neutral_refuges[r]) > 0:
            board.refuge_regions[n] = r
            n += 1
    board.n_refuge_regions = n


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


@inner
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
