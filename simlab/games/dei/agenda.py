"""The agenda: a stack of questions over a bag of pending icons.

A frame is (what is asked, seat, a, b, c). Whatever asks another question — the eleventh resource,
Abraham's second Collect, a Drone's action — pushes a frame; the one on top is asked next.
"""

from __future__ import annotations

from simlab.games.dei.vocabulary import LIST_OVERFLOW, MAX_BAG, MAX_FRAMES, NONE
from simlab.jit import inner


@inner
def push(public, ask, seat, a, b, c):
    """Ask this next."""
    top = int(public.n_frames)
    if top >= MAX_FRAMES:
        public.ending = LIST_OVERFLOW
        return
    public.frame[top, 0] = ask
    public.frame[top, 1] = seat
    public.frame[top, 2] = a
    public.frame[top, 3] = b
    public.frame[top, 4] = c
    public.n_frames = top + 1


@inner
def pop(public):
    """The question on top is answered; its frame is blanked so that equal games are equal bytes."""
    top = int(public.n_frames) - 1
    for field in range(5):
        public.frame[top, field] = 0
    public.n_frames = top


@inner
def asked(public):
    """What is asked (ASK_…), NONE when nothing is."""
    if public.n_frames == 0:
        return NONE
    return int(public.frame[int(public.n_frames) - 1, 0])


@inner
def active_seat(public):
    """The seat to act, NONE when nothing is asked."""
    if public.n_frames == 0:
        return NONE
    return int(public.frame[int(public.n_frames) - 1, 1])


@inner
def frame_field(public, field):
    """A field of the question on top: 2, 3, 4 are a, b, c."""
    return int(public.frame[int(public.n_frames) - 1, field])


@inner
def add_icon(public, code):
    """Put one icon into the bag, which stays sorted: equal bags are equal bytes."""
    size = int(public.n_bag)
    if size >= MAX_BAG:
        public.ending = LIST_OVERFLOW
        return
    i = size
    while i > 0 and int(public.bag[i - 1]) > code:
        public.bag[i] = public.bag[i - 1]
        i -= 1
    public.bag[i] = code
    public.n_bag = size + 1


@inner
def remove_icon(public, code):
    """Take one icon of this code out of the bag."""
    size = int(public.n_bag)
    for i in range(size):
        if public.bag[i] == code:
            for j in range(i, size - 1):
                public.bag[j] = public.bag[j + 1]
            public.bag[size - 1] = 0
            public.n_bag = size - 1
            return


@inner
def empty_bag(public):
    """Waive all pending icons."""
    for i in range(int(public.n_bag)):
        public.bag[i] = 0
    public.n_bag = 0


@inner
def add(out, n, code):
    """Append a choice; a list that is too long still counts, so that its length shows the overflow."""
    if n < len(out):
        out[n] = code
    return n + 1
