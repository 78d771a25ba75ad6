"""The two tables that a game reads and never writes: the components (a pack) and the board.

The engine gets them as records of arrays, never as globals, so that another pack or a house rule on a
card never recompiles anything. `pack.py` fills the first from a folder, `board.py` derives the second
from the pack and one layout, once a block.
"""

from __future__ import annotations

import numpy as np

from simlab.games.dei.vocabulary import (
    MAX_CANDY,
    MAX_CARDS,
    MAX_ICONS,
    MAX_MISSIONS,
    MAX_NEAR,
    MAX_OUTPOSTS,
    MAX_PATCHES,
    MAX_REGIONS,
    MAX_SEATS,
    MAX_SITES,
    MAX_TILE_SIZE,
    MAX_TILES,
    N_COLOURS,
    N_MARKETS,
    N_SLOTS,
)

PACK_RECORD = np.dtype(
    [
        # cards: Faction cards, Market cards and the Drones' Market cards, in the pack's file order
        ("icon", "<i4", (MAX_CARDS, MAX_ICONS)),  # icon codes (icons.py), printed order
        ("card_technology", "<i2", (MAX_CARDS,)),  # price
        ("card_energy", "<i2", (MAX_CARDS,)),
        ("card_supplies", "<i2", (MAX_CARDS,)),  # counted at the end of the game
        ("n_cards", "<i4"),
        ("n_icons", "i1", (MAX_CARDS,)),
        ("card_market", "i1", (MAX_CARDS,)),  # market whose colour it bears, NONE for Faction and Drone cards
        ("card_faction", "i1", (MAX_CARDS,)),  # faction whose starting hand holds it, else NONE
        ("drone_deck", "i1", (MAX_CARDS,)),  # Drone whose Market card it is, else NONE (CORE-011)
        ("is_drone_card", "i1", (MAX_CARDS,)),  # CORE-075
        # markets: what a slot asks for, left to right (CORE-045, CORE-046)
        ("slot_cubes", "<i4", (N_MARKETS, N_SLOTS)),  # cubes of the market's colour
        ("slot_technology", "<i4", (N_MARKETS, N_SLOTS)),  # > 0 to pay, < 0 gained after the purchase
        # Candy Boost tokens
        ("n_candy", "<i4"),
        ("candy_kind", "i1", (MAX_CANDY,)),
        # Mission cards: `gain` Supplies for each `per` things, on time and late
        ("n_missions", "<i4"),
        ("mission_kind", "i1", (MAX_MISSIONS,)),
        ("on_time_gain", "i1", (MAX_MISSIONS,)),
        ("on_time_per", "i1", (MAX_MISSIONS,)),
        ("late_gain", "i1", (MAX_MISSIONS,)),
        ("late_per", "i1", (MAX_MISSIONS,)),
        # tiles
        ("n_tiles", "<i4"),
        ("tile_size", "<i4"),
        ("tile_players", "i1", (MAX_TILES,)),  # in play from so many players on
        ("n_patches", "i1", (MAX_TILES,)),
        ("patch_at", "i1", (MAX_TILES, MAX_TILE_SIZE, MAX_TILE_SIZE)),  # (tile, row, column) → patch
        ("patch_level", "i1", (MAX_TILES, MAX_PATCHES)),
        ("patch_resources", "i1", (MAX_TILES, MAX_PATCHES)),  # Technology on a Ground, Energy on a Roof
        ("patch_outposts", "i1", (MAX_TILES, MAX_PATCHES, N_COLOURS)),  # Outposts by letter A, B, C
        ("refuge_patch", "i1", (MAX_TILES,)),  # Neutral Refuge, else NONE
        ("drone_patch", "i1", (MAX_TILES,)),  # Drone symbol, else NONE
        ("bridge_patches", "i1", (MAX_TILES, 2)),  # Neutral Bridge, else NONE
        ("elevator_patches", "i1", (MAX_TILES, 2)),  # Neutral Elevator: Ground, Roof, else NONE
        # layouts by number of players
        ("grid_rows", "<i4", (MAX_SEATS + 1,)),
        ("grid_columns", "<i4", (MAX_SEATS + 1,)),
        ("quick_layout", "i1", (MAX_SEATS + 1, MAX_TILES)),  # tile at each place, reading order
        ("largest_region_percent", "<i4"),  # a random layout with a larger Region is drawn again
    ]
)

# relation between two Regions, for everybody
ADJACENT = 1
LINKED = 2

BOARD_RECORD = np.dtype(
    [
        ("n_regions", "<i4"),
        ("n_tiles", "<i4"),
        ("rows", "<i4"),  # tiles
        ("columns", "<i4"),
        ("n_spaces", "<i4"),
        ("layout_draws", "<i4"),  # random layouts drawn until one satisfied the constraints
        ("n_elevator_sites", "<i4"),
        ("n_bridge_sites", "<i4"),
        ("n_outposts", "<i4"),
        ("n_refuge_regions", "<i4"),
        ("region_size", "<i2", (MAX_REGIONS,)),  # spaces
        ("elevator_ground", "i1", (MAX_SITES,)),
        ("elevator_roof", "i1", (MAX_SITES,)),
        ("bridge_a", "i1", (MAX_SITES,)),  # the two Roofs, a < b
        ("bridge_b", "i1", (MAX_SITES,)),
        ("bridge_ground", "i1", (MAX_SITES,)),  # the Ground under it
        ("level", "i1", (MAX_REGIONS,)),
        ("first_tile", "i1", (MAX_REGIONS,)),  # a Region's name: tile and patch that come first
        ("first_patch", "i1", (MAX_REGIONS,)),
        ("n_near", "i1", (MAX_REGIONS,)),
        ("near", "i1", (MAX_REGIONS, MAX_NEAR)),  # Regions with any relation, ascending
        ("n_linked", "i1", (MAX_REGIONS,)),
        ("linked", "i1", (MAX_REGIONS, MAX_NEAR)),  # of these, the Regions Linked for everybody, ascending
        ("relation", "i1", (MAX_REGIONS, MAX_REGIONS)),  # bits ADJACENT, LINKED
        ("distance", "i1", (MAX_REGIONS, MAX_REGIONS)),  # steps over Adjacent Regions, 127 = unreachable
        ("starting_resources", "i1", (MAX_REGIONS,)),
        ("neutral_refuges", "i1", (MAX_REGIONS,)),
        ("refuge_regions", "i1", (MAX_TILES,)),  # Regions with a Neutral Refuge, ascending
        ("neutral_elevator", "i1", (MAX_REGIONS,)),  # 1 where a Neutral Elevator stands (a Ground)
        ("outpost_region", "i1", (MAX_OUTPOSTS,)),  # by Outpost number: tile reading order, then letter
        ("outpost_colour", "i1", (MAX_OUTPOSTS,)),
        ("outpost_letter", "i1", (MAX_OUTPOSTS,)),
        ("drone_tiles", "i1", (MAX_TILES,)),  # places with a Drone symbol, reading order, else NONE
        ("tile_at", "i1", (MAX_TILES,)),  # tile at each place, reading order
        ("rotation", "i1", (MAX_TILES,)),  # quarter turns clockwise, by place
        ("region_of", "i1", (MAX_TILES, MAX_PATCHES)),  # (tile, patch) → Region, NONE if not in play
    ]
)
