"""The numbers of `dei/planner`: those of `weights.py`, then its own, an index a number."""

from __future__ import annotations

from strategies.dei.weights import NAMES as SHARED_NAMES
from strategies.dei.weights import WEIGHTS as SHARED

# factor a Turn: what is counted now still counts in a Mission of that Turn
KEEP_RESOURCES = 64
KEEP_DRONE_CARDS = 65
KEEP_CONSTRUCTIONS = 66
KEEP_SCRAPPERS = 67
KEEP_OUTPOSTS = 68
KEEP_GARRISONS = 69

# factor: what of a Region's worth is at risk with a lead of one, by Action Phase (RISK is the first's)
RISK_SECOND = 70
RISK_THIRD = 71

# factor: an icon on a card, by Action Phase, for whether it is better played now or later in the Turn
MOVES = 72  # … 74
ENLISTS = 75  # … 77
COLLECTS = 78  # … 80
BUILDS = 81  # … 83
GAINS = 84  # … 86
KILLS = 87  # … 89

CLOSE = 90  # factor: how little less a column's other Mission may give to count as much
SAFE = 91  # halvings of the risk where no opponent's Move can take the Region
REACH = 92  # factor: how many of the Units next to a Region are taken to come
DENIED_BY = 93  # factor: of what an opponent loses, for each opponent beyond the first
LAST = 94  # … 96, factor: Units drawn to Regions, in the Action Phases of the last Turn
PATIENCE = 97  # factor: what is played anyway later in the Turn is no reason not to Buy now
NOISE = 98  # thousandths of all decisions that are left to chance
DRONE = 99  # factor: a Drone icon on a card

_OWN = (
    *(800, 1000, 1000, 950, 700, 850),
    *(500, 250),
    *(1024, 1024, 1024) * 6,
    *(1024, 2, 1024, 700),
    *(900, 700, 400),
    *(600, 0, 1024),
)
WEIGHTS = (*SHARED, *_OWN)

_GROUPS = ("moves", "enlists", "collects", "builds", "gains", "kills")
NAMES = (
    *SHARED_NAMES,
    *("keep_resources", "keep_drone_cards", "keep_constructions", "keep_scrappers"),
    *("keep_outposts", "keep_garrisons", "risk_second", "risk_third"),
    *(f"{group}_{phase}" for group in _GROUPS for phase in ("first", "second", "third")),
    *(
        "close",
        "safe",
        "reach",
        "denied_by",
        "last_first",
        "last_second",
        "last_third",
        "patience",
        "noise",
        "drone",
    ),
)
