"""What stands or may stand on a board: places for constructions, and the tiles' symbols.

Compiled helpers of `board.py`, called once the Regions and their relations are known.
"""

from __future__ import annotations

from simlab.games.dei.regions import OK, TOO_MANY_BRIDGE_SITES, TOO_MANY_ELEVATOR_SITES, TOO_MANY_OUTPOSTS
from simlab.games.dei.tables import ADJACENT
from simlab.games.dei.vocabulary import (
    GROUND,
    MAX_OUTPOSTS,
    MAX_REGIONS,
    MAX_SITES,
    N_COLOURS,
    NONE,
    ROOF,
)
from simlab.jit import inner


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
