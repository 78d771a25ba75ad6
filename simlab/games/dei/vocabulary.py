"""The words of D.E.I. as numbers: one set of constants a family, in the rulebook's Glossary's terms.

A family is a row of constants, the tuple of its names and a length. Names are what lists, scenario
files, replays and reports print. `NONE` stands for "nobody" or "nothing" in every field.

Words not to use: points (Supplies), worker (Scrapper), node (Region), round (Turn), discard pile
(Recycle Bin). A *seat* is a place in the starting Priority, a *faction* is who sits there.
"""

from __future__ import annotations

NONE = -1

# --- room in the records: arrays have these lengths, games use what they need ----------------------
MAX_SEATS = 6
MAX_TURNS = 6
MAX_CARDS_PER_PHASE = 3
MAX_PLAYS = 9  # cards a seat can have on its Pad in one Turn
MAX_REGIONS = 96
MAX_NEAR = 48  # Regions that one Region can touch
MAX_SITES = 256  # places for an Elevator; for a Bridge alike
MAX_TILES = 25
MAX_TILE_SIZE = 4
MAX_PATCHES = 16  # patches of one tile
MAX_SPACES = MAX_TILES * MAX_TILE_SIZE * MAX_TILE_SIZE
MAX_CARDS = 128
MAX_ICONS = 8  # icons printed on one card
MAX_BAG = 48  # icons pending at once; copies add to a card's own
MAX_COPIES = 2  # Copy icons on one card
MAX_DECK = 24
MAX_OUTPOSTS = 24
MAX_FEATS = 24
MAX_MISSIONS = 16
MAX_CANDY = 24
MAX_TOKENS = 5  # construction tokens of one kind a seat
MAX_FRAMES = 16
MAX_CHOICES = 8192

# --- levels and resources: a Ground holds Technology, a Roof Energy Cells, so they share numbers --
GROUND, ROOF = 0, 1
LEVELS = ("Ground", "Roof")
TECHNOLOGY, ENERGY = 0, 1
RESOURCES = ("Technology", "Energy")

# --- colours and markets: a market has the number of its colour, the Black Market comes last -------
TACTIC, LOGISTIC, MACHINERY, BLACK = 0, 1, 2, 3
COLOURS = ("tactic", "logistic", "machinery")
MARKETS = ("tactic", "logistic", "machinery", "black")
N_COLOURS = 3
N_MARKETS = 4
N_SLOTS = 3
ANY_COLOUR = 3  # "per any Outpost"

# --- factions, their Leaders and starter Drones (CORE-008) -----------------------------------------
REFUGE_42, FARM_Z, RAVAGERS, AUXILIA = 0, 1, 2, 3
FACTIONS = ("refuge_42", "farm_z", "ravagers", "auxilia")
FACTION_TITLES = ("Refuge 42", "Farm-Z", "Ravagers", "Auxilia")
LEADERS = ("Aria", "Z-13", "Abraham", "Neena")
N_FACTIONS = 4

SIMON, DRACO, MASAMUNE, FLY = 0, 1, 2, 3  # the starter Drone of the faction with the same number
DRONES = ("simon", "draco", "masamune", "fly")
N_DRONES = 4
ANY_DRONE = 7

# --- constructions ---------------------------------------------------------------------------------
REFUGE, ELEVATOR, BRIDGE = 0, 1, 2
CONSTRUCTIONS = ("refuge", "elevator", "bridge")
N_CONSTRUCTIONS = 3

# --- icons (operations) ----------------------------------------------------------------------------
ENLIST = 0
MOVE = 1
COLLECT = 2
BUILD_REFUGE = 3  # + construction number
BUILD_ELEVATOR = 4
BUILD_BRIDGE = 5
BUILD_ANY = 6
GAIN_TECHNOLOGY = 7  # + resource number
GAIN_ENERGY = 8
GAIN_SUPPLIES = 9
KILL = 10
COPY = 11
GAIN_CANDY = 12
DRONE = 13
TACTIC_MOVE = 14
TACTIC_ENLIST = 15
LOGISTIC_MOVE = 16
LOGISTIC_COLLECT = 17
MACHINERY_ENLIST = 18
MACHINERY_COLLECT = 19
EXTRA_MOVE = 20  # not printed on cards: what Feats give (CORE-055)
N_OPS = 21
OPS = (
    "enlist",
    "move",
    "collect",
    "build:refuge",
    "build:elevator",
    "build:bridge",
    "build:any",
    "technology",
    "energy",
    "supplies",
    "kill",
    "copy",
    "candy",
    "drone",
    "move@tactic",
    "enlist@tactic",
    "move@logistic",
    "collect@logistic",
    "enlist@machinery",
    "collect@machinery",
    "extra move",
)

# --- Candy Boosts (CORE-081) -----------------------------------------------------------------------
CANDY_ENLIST, CANDY_MOVE, CANDY_COLLECT = 0, 1, 2
CANDY_REFUGE, CANDY_ELEVATOR, CANDY_BRIDGE = 3, 4, 5  # BUILD_REFUGE + n - 3: the icon's own number
CANDY_TECHNOLOGY, CANDY_OUTPOST = 6, 7
CANDIES = ("enlist", "move", "collect", "refuge", "elevator", "bridge", "technology", "outpost")
N_CANDIES = 8

# --- Feats (CORE-100 … CORE-117), six a colour: colour = feat // 6 ---------------------------------
BOMBING, FORTRESS, FIELD_KNOWLEDGE, TROJAN_HORSES, EXTREME_REMEDIES, CARAVAN = 0, 1, 2, 3, 4, 5
FIELD_ENGINEER, SKY_BOOTS, DROP_POD, UNDERGROUND_SHORTCUT, OUTNUMBER, REMOTE_DRIVE = 6, 7, 8, 9, 10, 11
EXPLOITATION_CAMP, ALTERNATIVE_ENERGY, DELIVERY_BOT = 12, 13, 14
DEEP_EXCAVATION, LOW_ENERGY_REMOTE_CONTROL, TRADING_POST = 15, 16, 17
FEATS = (
    "bombing",
    "fortress",
    "field_knowledge",
    "trojan_horses",
    "extreme_remedies",
    "caravan",
    "field_engineer",
    "sky_boots",
    "drop_pod",
    "underground_shortcut",
    "outnumber",
    "remote_drive",
    "exploitation_camp",
    "alternative_energy",
    "delivery_bot",
    "deep_excavation",
    "low_energy_remote_control",
    "trading_post",
)
FEATS_PER_COLOUR = 6
N_FEATS = 18

# --- Mission kinds (CORE-120 … CORE-127) -----------------------------------------------------------
MISSION_TECHNOLOGIES, MISSION_ENERGY, MISSION_DRONE_CARDS, MISSION_CONSTRUCTIONS = 0, 1, 2, 3
MISSION_SCRAPPERS, MISSION_OUTPOSTS, MISSION_GARRISONS = 4, 5, 6
MISSION_TACTIC, MISSION_LOGISTIC, MISSION_MACHINERY = 7, 8, 9  # MISSION_TACTIC + colour
MISSION_KINDS = (
    "technologies",
    "energy_cells",
    "drone_cards",
    "constructions",
    "scrappers",
    "outposts",
    "garrisons",
    "tactic_outposts",
    "logistic_outposts",
    "machinery_outposts",
)
N_MISSION_KINDS = 10

# --- where a card is -------------------------------------------------------------------------------
ABSENT, DECK, MARKET, HAND, FACE_UP, FACE_DOWN, BIN = 0, 1, 2, 3, 4, 5, 6
PLACES = ("absent", "deck", "market", "hand", "face up", "face down", "bin")

# --- where a Candy Boost token is: a seat's number, or one of these --------------------------------
CANDY_IN_RESERVE = -1
CANDY_ON_CARD = -2

# --- what is asked (agenda frames) -----------------------------------------------------------------
ASK_COLOUR = 0  # Feats Draft: name a colour
ASK_FEAT = 1  # Feats Draft: take one of what is left
ASK_COMMIT = 2  # Planning: commit cards
ASK_DEPLOY = 3  # starting deployment
ASK_CARD = 4  # which card next
ASK_ICON = 5  # the card on the Pad: which icon next, or end it
ASK_END = 6  # after the last card: extra Moves, or end the phase
ASK_REPEAT = 7  # a = op, b = times left: an action per Outpost, Abraham's Collect, a granted icon
ASK_DISCARD = 8  # a = kind just collected, b = 1 if by a Drone: the eleventh resource
ASK_DRONE = 9  # a = Drone, b = uses left: its action
ASK_FLY = 10  # a = where the last Scrapper went, b = uses left: where Fly's next one goes
ASK_MISSION = 11
ASKS = (
    "name a colour",
    "take a Feat",
    "commit cards",
    "deploy",
    "choose a card",
    "resolve an icon",
    "end the phase",
    "repeat an action",
    "discard a resource",
    "use a Drone",
    "place Fly's next Scrapper",
    "complete a Mission",
)

# --- where Supplies come from ----------------------------------------------------------------------
FROM_MISSION_ON_TIME, FROM_MISSION_LATE, FROM_ICONS, FROM_DRACO, FROM_TRADING_POST = 0, 1, 2, 3, 4
FROM_OUTPOSTS, FROM_FEATS, FROM_TECHNOLOGY, FROM_ENERGY, FROM_MARKET_CARDS, FROM_GRANT = 5, 6, 7, 8, 9, 10
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
    "grant",
)
N_SOURCES = 11

# --- how a game ended ------------------------------------------------------------------------------
PLAYING, FINISHED, DECISION_CAP, ILLEGAL_CHOICE, LIST_OVERFLOW, STRATEGY_FAILED, STALLED = 0, 1, 2, 3, 4, 5, 6
ENDINGS = (
    "playing",
    "finished",
    "decision cap",
    "illegal choice",
    "list overflow",
    "strategy failed",
    "stalled",
)
