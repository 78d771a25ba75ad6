"""What `dei/greedy` keeps in `scratch` from decision to decision; a Region is packed into one number.

A Region: what holding it is worth (16 bits), what a Unit there is worth for Regions further on (16), what
one Unit more there is worth (15), its Outposts (3), the highest value of an opponent (6), whether one
opponent alone has it, whether a tie with it is enough (Field Knowledge), and by how much that value may grow
before it matters (5).
"""

from __future__ import annotations

from simlab.jit import inner

STAMP = 0  # Turn and phase that the rest was made for
TURNS_AFTER = 1
AT_RISK = 2  # RISK as the Turn order leaves it
LEADER = 3  # what the own Leader counts
FLIGHT = 4  # the strongest pull, where Fly would take a Scrapper
LAID = 5  # card whose loss was worked out last, + 1
LOSS = 6
SHOP = 7  # decision for which the Market cards were looked at, + 1
LOOK = 8  # decision for which icons were looked at, + 1
TECHNOLOGY_WORTH, ENERGY_WORTH = 9, 10  # one more
TECHNOLOGY_PRICE, ENERGY_PRICE = 11, 12  # one less, when paid
COLOUR_WORTH = 13  # … 15: one more cube of a colour
THING = 16  # … 25: one more of what a Mission kind counts, for Missions alone
DENIED = 26  # the weights of these names, as Turn and players leave them
ACCESS = 27
SAFE = 28  # halvings of the risk where no opponent can take the Region at once
BUY_FIRST = 29  # what a purchase is worth beside itself: cards that can still be played after it
DRONES = 30  # factor: a Drone icon
NOW = 32  # … 52: an icon of each operation, here and now
SLOT = 64  # … 79: the card at market · 4 + slot, price apart, or UNKNOWN
REGION = 80  # … 175
TYPICAL = 176  # … 196: an icon of each operation on average
STEP = 200  # Regions of the step that was looked at last, + 1, and what all groups have in common
VALUE_THERE, NOW_THERE, PULL_THERE, BEYOND_THERE = 201, 202, 203, 204
VALUE_HERE, PULL_HERE, UNITS_HERE, STEP_GAIN, MOST = 205, 206, 207, 208, 209
PLAN = 210  # … 215: the Turn planned for each column, 0 = none
COUNT = 216  # … 225: what each Mission kind counts, in thousandths
HAND = 226  # … 246: what the cards in hand are worth played, the highest first

UNKNOWN = -(1 << 62)

UNBOUNDED = 31
_LONG = 0xFFFF
_SHORT = 0x7FFF


@inner
def pack_region(hold, beyond, pull, outposts, highest, alone, tie):
    """A Region as one number; an opponent's value may grow without bounds."""
    worths = min(hold, _LONG) | min(beyond, _LONG) << 16 | min(pull, _SHORT) << 32
    return worths | outposts << 47 | min(highest, 63) << 50 | alone << 56 | tie << 57 | UNBOUNDED << 58


@inner
def hold_of(packed):
    """What holding the Region is worth."""
    return packed & _LONG


@inner
def beyond_of(packed):
    """What a Unit there is worth for Regions further on."""
    return packed >> 16 & _LONG


@inner
def pull_of(packed):
    """What one Unit more there is worth."""
    return packed >> 32 & _SHORT


@inner
def outposts_of(packed):
    """Outposts of the Region."""
    return packed >> 47 & 7


@inner
def needed_of(packed):
    """The least value that holds the Region."""
    return (packed >> 50 & 63) + 1 - (packed >> 57 & 1)


@inner
def highest_of(packed):
    """The highest value of an opponent."""
    return packed >> 50 & 63


@inner
def is_theirs(packed, value):
    """Whether one opponent holds the Region against this value."""
    return packed >> 56 & 1 == 1 and packed >> 50 & 63 > value


@inner
def growth_of(packed):
    """By how much the highest value of an opponent may grow, or UNBOUNDED."""
    return packed >> 58


@inner
def bound_growth(scratch, region, growth):
    """Note by how much the highest value of an opponent may grow."""
    scratch[REGION + region] += min(growth, UNBOUNDED) - UNBOUNDED << 58


@inner
def scale_pull(scratch, region, factor):
    """What Units there are worth for later, in 1024ths of what it was."""
    packed = scratch[REGION + region]
    beyond, pull = beyond_of(packed), pull_of(packed)
    scratch[REGION + region] -= beyond - (beyond * factor >> 10) << 16
    scratch[REGION + region] -= pull - (pull * factor >> 10) << 32


@inner
def raise_pull(scratch, region, pull):
    """A Region draws Units at least so strongly, for what lies beyond."""
    packed = scratch[REGION + region]
    if pull > beyond_of(packed):
        scratch[REGION + region] += pull - beyond_of(packed) << 16
        if pull > pull_of(packed):
            scratch[REGION + region] += min(pull, _SHORT) - pull_of(packed) << 32
