"""A choice: one sentence of the rulebook with its objects named, as one integer.

Only this file packs and unpacks. Five bits kind, five bits of the icon's operation that is spent, then
five fields of ten bits, each from 0 up (what may be absent is stored + 1). `text.py` gives the words.

    kind           op       a               b              c                 d             e
    DEPLOY                  Leader's Region Region with the odd Unit
    PLAY                    card
    BUY                     card bought     market·4+slot  T·32 + E paid     laid card + 1 candy kind + 1
    MOVING         icon     from            to             Scrappers         Leader 0/1    Refuges
    GATHER         icon     Region          swap 0/1                                             (a Collect)
    EXCAVATE       icon     Region                                                               (CORE-115)
    KILLING        icon     Region          victim seat
    DEPLOYMENT     icon     Region          source + 1     resource 0/1                          (an Enlist)
    CONSTRUCT      icon     construction    Region or site moved token + 1
    GAIN           icon     amount
    DECLARE        icon     per             amount                                               (CORE-063)
    REPLICATE      copy     play copied                                                          (CORE-060)
    ACTIVATE       drone    Drone           Region         argument·16 + extra
    DISCARD                 kind
    HARVEST                                                                                      (CORE-071)
    PLACE                   source + 1                                                           (CORE-072)
    TELEPORT                Region                                                               (CORE-073)
    REAP                                                                                         (CORE-074)
    LAY_CANDY               kind
    MISSION                 column          row
    PASS                                                                                         (CORE-134)
    COLOUR                  colour
    FEAT                    Feat
    COMMIT                  card + 1        card + 1       card + 1
    SKIP, END_CARD, END_PHASE
"""

from __future__ import annotations

from simlab.jit import inner, plain

DEPLOY, PLAY, BUY, MOVING, GATHER, EXCAVATE, KILLING, DEPLOYMENT = 0, 1, 2, 3, 4, 5, 6, 7
CONSTRUCT, GAIN, DECLARE, REPLICATE, ACTIVATE, DISCARD, HARVEST, PLACE = 8, 9, 10, 11, 12, 13, 14, 15
TELEPORT, REAP, LAY_CANDY, MISSION, PASS, COLOUR, FEAT, COMMIT = 16, 17, 18, 19, 20, 21, 22, 23
SKIP, END_CARD, END_PHASE = 24, 25, 26
N_KINDS = 27
KINDS = (
    "deploy",
    "play",
    "buy",
    "move",
    "collect",
    "excavate",
    "kill",
    "enlist",
    "build",
    "gain",
    "declare",
    "copy",
    "activate",
    "discard",
    "harvest",
    "place",
    "teleport",
    "reap",
    "candy",
    "mission",
    "pass",
    "colour",
    "feat",
    "commit",
    "skip",
    "end card",
    "end phase",
)


@inner
def choice(kind, op, a, b, c, d, e):
    """Pack a choice; every part is a small non-negative integer (no defaults: one signature)."""
    return kind | op << 5 | a << 10 | b << 20 | c << 30 | d << 40 | e << 50


@inner
def kind_of(code):
    """What is done."""
    return code & 31


@inner
def op_of(code):
    """The operation of the icon that is spent."""
    return (code >> 5) & 31


@inner
def a_of(code):
    """First object."""
    return (code >> 10) & 1023


@inner
def b_of(code):
    """Second object."""
    return (code >> 20) & 1023


@inner
def c_of(code):
    """Third object."""
    return (code >> 30) & 1023


@inner
def d_of(code):
    """Fourth object."""
    return (code >> 40) & 1023


@inner
def e_of(code):
    """Fifth object."""
    return (code >> 50) & 1023


@inner
def with_d(code, d):
    """The same choice with another fourth object."""
    return code + (d - d_of(code) << 40)


# for Python code
plain_choice, plain_kind, plain_op = plain(choice), plain(kind_of), plain(op_of)
plain_a, plain_b, plain_c, plain_d, plain_e = map(plain, (a_of, b_of, c_of, d_of, e_of))
