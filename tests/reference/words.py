"""The words of the game, in the order in which the pages of the project print them."""

GROUND, ROOF = "Ground", "Roof"
FACTIONS = ("refuge_42", "farm_z", "ravagers", "auxilia")
COLOURS = ("tactic", "logistic", "machinery")
MARKETS = (*COLOURS, "black")
DRONES = ("simon", "draco", "masamune", "fly")
# CORE-008
STARTER_DRONE = {"refuge_42": "simon", "farm_z": "draco", "ravagers": "masamune", "auxilia": "fly"}
CONSTRUCTIONS = ("refuge", "elevator", "bridge")
GAINS = ("technology", "energy", "supplies")
SOURCES = (
    "missions_on_time",
    "missions_late",
    "card_icons",
    "draco",
    "trading_post",
    "outposts",
    "feats",
    "technology",
    "energy",
    "market_cards",
)
