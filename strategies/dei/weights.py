"""The numbers of `dei/greedy`: an index a number, and the defaults.

Worths are milli-Supplies (1000 = one Supply); factors are 1024ths, so that a shift does for a division.
`FEAT` + Feat is what a Feat is worth.
"""

from __future__ import annotations

from simlab.games.dei.vocabulary import FEATS

# what things are worth
MISSION_BEST = 0  # factor: the better of a column's two Missions, by what it would give
MISSION_OTHER = 1  # factor: the other one
MISSION_LATER = 2  # factor: a Mission that is likely completed in a later Turn
HELD_TO_END = 3  # factor a Turn still to come: an Outpost is still held then
UNLOCK = 4  # the cube that brings an own Feat, beside its Supplies and the Feat's worth
DENIED = 5  # an Outpost that an opponent holds and loses
RISK = 6  # factor: part of a Region's worth at risk with a lead of one; half of it with one more, and so on
ACCESS = 7  # factor: a resource that lies in a Region one holds
TECHNOLOGY_USE = 8  # a Technology to Buy with, at the start; less as the game goes on
ENERGY_USE = 9
GROWTH_RESOURCES = 10  # thousandths a Turn that a counted thing is expected to grow
GROWTH_CONSTRUCTIONS = 11
GROWTH_SCRAPPERS = 12
GROWTH_OUTPOSTS = 13
KEEP_COLUMN = 14  # factor: what a column could bring in a later Turn

# Units on the board
DECAY = 15  # factor a step: how far off a Region is that draws Units
UNIT = 16  # factor: a Unit more where Units are drawn to
UNIT_BASE = 17  # a Scrapper more in play
MOVE_BASE = 18  # what a Move costs, so that aimless ones aren't made

# acts
KILLED = 19  # an opponent's Scrapper killed
CANDY_GIVEN = 20  # the Candy Boost that its owner gains
CANDY = 21  # a Candy Boost gained
CANDY_KEPT = 22  # a Candy Boost kept, a Turn still to come
SHELTER = 23  # factor: a Refuge nearer to where Units are drawn to
LINK = 24  # factor: an Elevator or Bridge to where Units are drawn to
BUILD_BASE = 25  # a construction, Missions apart
RELOCATE = 26  # what taking a construction away costs
SEED = 27  # factor: a resource put into a Region that one holds
MORE_MOVES = 28  # the extra Moves of a Feat

# cards
AGAIN = 29  # factor: the same icon once more on a card
CARD_BASE = 30  # what the cards are worth that one would play anyway
CARD_FUTURE = 31  # factor a Turn: a better card in hand
CARD_FRESH = 32  # factor: playing it in this very phase
BUY_BASE = 33  # a Buy, beside what it brings
PRINTED = 34  # a Supply printed on a Market card
TYPICAL_MOVE = 35  # icons on a Market card, whatever the position
TYPICAL_COLLECT = 36
TYPICAL_ENLIST = 37
TYPICAL_BUILD = 38
TYPICAL_DRONE = 39
COPIED = 40  # factor: a card copied
PER_OUTPOST = 41  # factor: an action per Outpost

# the order of icons that are worth resolving
ORDER_ENLIST = 42
ORDER_BUILD = 43
ORDER_MOVE = 44
CLIMB = 45  # a Move that may ignore Majority or Level, beside a plain one

FEAT = 46  # … 63, a Feat each

WEIGHTS = (
    # things
    *(920, 256, 614, 870, 900, 500, 358, 358, 450, 250),
    *(1000, 1500, 2500, 1000, 920),
    # Units
    *(614, 982, 100, 60),
    # acts
    *(350, 250, 500, 250, 716, 716, 150, 500, 614, 500),
    # cards
    *(400, 900, 410, 256, 200, 1600),
    *(480, 800, 500, 400, 1920, 820, 820),
    # order
    *(6000, 5000, 3000, 250),
    # Feats: tactic, logistic, machinery
    *(900, 1600, 1700, 900, 700, 1000),
    *(1400, 1900, 600, 900, 700, 500),
    *(800, 500, 1300, 900, 700, 1800),
)

# the name of each number, as a file of weights has it
_PLACES = {place: name.lower() for name, place in globals().items() if isinstance(place, int)}
NAMES = (*(_PLACES[place] for place in range(FEAT)), *(f"feat_{feat}" for feat in FEATS))
