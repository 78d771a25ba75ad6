"""Copy: the icons of an own Action card played earlier this Turn."""

from __future__ import annotations

from simlab.games.dei.agenda import add, add_icon
from simlab.games.dei.choices import REPLICATE, choice
from simlab.games.dei.icons import icon_op
from simlab.games.dei.vocabulary import (
    COPY,
    FACE_UP,
    LOGISTIC_MOVE,
    MAX_COPIES,
    MAX_PLAYS,
    MOVE,
    NONE,
    TACTIC_MOVE,
)
from simlab.jit import inner

_COUNT_BITS = 7  # of one play in the packed counts below: 9 plays fit 63 bits
_COUNT_MASK = 127


@inner
def bears(public, pack, seat, last, counting_moves):
    """CORE-060, CORE-107: how many icons (or Move icons) a play bears, with what it copied, Copies left out.

    A play may have copied plays that copied others; references only lead back, so one pass from the
    last play to the first adds up how often each play's own icons count.
    """
    counts = 1 << (_COUNT_BITS * last)
    total = 0
    for play in range(last, -1, -1):
        times = counts >> (_COUNT_BITS * play) & _COUNT_MASK
        if times == 0:
            continue
        card = int(public.play[seat, play])
        for i in range(int(pack.n_icons[card])):
            op = icon_op(int(pack.icon[card, i]))
            if op != COPY and (counting_moves == 0 or op in (MOVE, TACTIC_MOVE, LOGISTIC_MOVE)):
                total += times
        for i in range(MAX_COPIES):
            source = int(public.copied[seat, play, i])
            if source != NONE:
                counts += times << (_COUNT_BITS * source)
    return total


@inner
def add_icons_of(public, pack, seat, last):
    """CORE-060: put all icons that a play bears into the bag, Copies left out."""
    counts = 1 << (_COUNT_BITS * last)
    for play in range(last, -1, -1):
        times = counts >> (_COUNT_BITS * play) & _COUNT_MASK
        if times == 0:
            continue
        card = int(public.play[seat, play])
        for i in range(int(pack.n_icons[card])):
            code = int(pack.icon[card, i])
            if icon_op(code) != COPY:
                for _ in range(times):
                    add_icon(public, code)
        for i in range(MAX_COPIES):
            source = int(public.copied[seat, play, i])
            if source != NONE:
                counts += times << (_COUNT_BITS * source)


@inner
def list_copies(public, pack, seat, play, out, n):
    """CORE-060: each earlier face-up card of this Turn that bears an icon to copy."""
    end = int(public.n_plays[seat]) if play == NONE else play
    for earlier in range(min(end, MAX_PLAYS)):
        if public.card_place[int(public.play[seat, earlier])] != FACE_UP:
            continue
        if bears(public, pack, seat, earlier, 0) > 0:
            n = add(out, n, choice(REPLICATE, COPY, earlier, 0, 0, 0, 0))
    return n


@inner
def copy_card(public, pack, seat, play, source):
    """CORE-060: its icons become pending; the Copy card bears them from now on."""
    add_icons_of(public, pack, seat, source)
    if play == NONE:
        return
    for i in range(MAX_COPIES):
        if public.copied[seat, play, i] == NONE:
            public.copied[seat, play, i] = source
            return
