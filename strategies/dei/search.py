"""Search by playouts: the choices that look best are tried out, on games that the seat may be in.

A base strategy names the candidates: its own choice first, then what it would choose without that one, and
so on. Each playout draws a *world*, a whole game that fits what the seat knows (`imagine`), makes a
candidate's choice in it and lets the base play all seats to the end. All candidates are tried in the same
worlds, so that luck they share cancels; after each round the weaker half is dropped (sequential halving:
Karnin, Koren and Somekh 2013). The base's own choice stays in to the end, and gives way only to one that did
better by more than the spread of the differences explains: few playouts then do no harm.
"""

from __future__ import annotations

import numpy as np

from simlab import chance
from simlab.games.dei.agenda import active_seat
from simlab.games.dei.engine import apply_kernel, imagine_kernel, legal_kernel
from simlab.games.dei.signatures import choose_signature
from simlab.games.dei.state import HIDDEN, LOG, OWN, PUBLIC, records
from simlab.games.dei.vocabulary import MAX_CHOICES, MAX_SEATS, PLAYING
from simlab.jit import allocating, blank, entry, inner, linked
from simlab.strategy import SCRATCH_LENGTH, Family, Strategy
from strategies.dei import planner, tuned

# numbers of the search, behind those of the base strategy
PLAYOUTS = 120  # a decision, over all candidates
CANDIDATES = 121  # at most
WIN = 122  # what winning is worth, in Supplies of the lead
SURE = 123  # hundredths of a standard error by which another choice must be better than the base's

_publics, _owns, _hiddens, _logs = (blank(dtype, records) for dtype in (PUBLIC, OWN, HIDDEN, LOG))
_list = linked(legal_kernel)
_perform = linked(apply_kernel)
_imagine = linked(imagine_kernel)
_base = linked(planner.choose)


@inner
def outcome(public, log, seat, win):
    """What a finished game is worth: Supplies ahead of the best other seat, and `win` for winning."""
    best = -(1 << 20)
    for other in range(int(public.n_seats)):
        if other != seat:
            best = max(best, int(public.supplies[other]))
    return int(public.supplies[seat]) - best + (win if log.place[seat] == 1 else 0)


@allocating
def play_out(public, own, hidden, log, rules, pack, board, choices, scratch, weights, code, key):
    """Make a choice in a world, then let the base strategy play every seat to the end."""
    _perform((public, own, hidden, log, rules, pack, board, code))
    for seat in range(MAX_SEATS):
        scratch[seat, :] = 0
    while public[0].ending == PLAYING:
        n = _list((public, own, rules, pack, board, choices))
        if n < 1 or n > MAX_CHOICES:
            return
        index = 0
        if n > 1:
            seat = active_seat(public[0])
            luck = chance.draw(key, chance.STRATEGY, seat, int(public[0].decisions))
            index = _base(
                (public, own[seat : seat + 1], rules, pack, board, choices, n, weights, scratch[seat], luck)
            )
        _perform((public, own, hidden, log, rules, pack, board, choices[index]))


@allocating
def candidates(public, own, rules, pack, board, choices, n, weights, most, key, found):
    """The choices that the base strategy likes best, best first: their indices into `found`; how many."""
    left = choices[:n].copy()
    index_of = np.arange(n)
    memory = np.zeros(SCRATCH_LENGTH, np.int64)
    size = min(n, most)
    for k in range(size):
        memory[:] = 0
        i = 0
        if n - k > 1:
            i = _base((public, own, rules, pack, board, left, n - k, weights, memory, key))
        found[k] = index_of[i]
        for j in range(i, n - k - 1):
            left[j] = left[j + 1]
            index_of[j] = index_of[j + 1]
    return size


@inner
def is_better(total, squares, count, sure):
    """Whether differences add up to more than `sure` hundredths of the standard error of their sum."""
    if total <= 0 or count < 2:
        return False
    # the variance of the sum is (squares · count − total²) / (count − 1)
    return total * total * (count - 1) * 10_000 > sure * sure * (squares * count - total * total)


@inner
def halve(found, total, squares, size):
    """Keep the base's choice and the better half of the others, best first; how many are left."""
    for i in range(2, size):
        j = i
        while j > 1 and total[j] > total[j - 1]:
            found[j], found[j - 1] = found[j - 1], found[j]
            total[j], total[j - 1] = total[j - 1], total[j]
            squares[j], squares[j - 1] = squares[j - 1], squares[j]
            j -= 1
    return max(2, (size + 1) // 2)


@inner
def rounds_of(size):
    """How often so many candidates are halved until two are left and compared."""
    rounds = 1
    while 1 << rounds < size:
        rounds += 1
    return rounds


@inner
def affordable(size, budget):
    """How many candidates can be tried at least once in each round, two at least."""
    while size > 2 and size * rounds_of(size) > budget:
        size -= 1
    return size


@allocating
def try_out(public, own, rules, pack, board, seat, weights, choices, found, size, key, total, squares):
    """Play all candidates out in one world; add up how much better than the base's each one ends."""
    everyone, hidden = _owns(MAX_SEATS), _hiddens(1)
    _imagine((public, own, everyone, hidden, rules, pack, seat, key))
    then, world, unseen = _publics(1), _owns(MAX_SEATS), _hiddens(1)
    log, empty = _logs(1), _logs(1)
    listed, memories = np.zeros(MAX_CHOICES, np.int64), np.zeros((MAX_SEATS, SCRATCH_LENGTH), np.int64)
    base = 0
    for k in range(size):
        then[0], unseen[0], log[0] = public[0], hidden[0], empty[0]
        for other in range(MAX_SEATS):
            world[other] = everyone[other]
        code = choices[found[k]]
        play_out(then, world, unseen, log, rules, pack, board, listed, memories, weights, code, key)
        worth = outcome(then[0], log[0], seat, int(weights[WIN]))
        if k == 0:
            base = worth
        total[k] += worth - base
        squares[k] += (worth - base) * (worth - base)


@entry(choose_signature, allocates=True)
def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    """The base strategy's choice, or one that did surely better in playouts."""
    seat = active_seat(public[0])
    budget = int(weights[PLAYOUTS])
    most = affordable(min(n, int(weights[CANDIDATES])), budget)
    found = np.zeros(most, np.int64)
    size = candidates(public, own, rules, pack, board, choices, n, weights, most, key, found)
    if size == 1:
        return found[0]
    total, squares = np.zeros(most, np.int64), np.zeros(most, np.int64)
    worlds = 0
    rounds = rounds_of(size)
    for _ in range(rounds):
        for _ in range(max(1, budget // (rounds * size))):
            in_world = chance.draw(key, chance.REDRAW, worlds, 1)
            try_out(
                public, own, rules, pack, board, seat, weights, choices, found, size, in_world, total, squares
            )
            worlds += 1
        size = halve(found, total, squares, size)
    best = 0
    for k in range(1, size):
        if is_better(total[k], squares[k], worlds, int(weights[SURE])) and total[k] > total[best]:
            best = k
    return found[best]


BASE = tuned.PLANNER


def search(playouts: int) -> Strategy:
    """`dei/search:N`, with N playouts a decision."""
    weights = [*BASE.weights, *[0] * (PLAYOUTS - len(BASE.weights))]
    return Strategy(
        f"dei/search:{playouts}",
        f"{playouts} playouts a decision",
        choose,
        (*weights, playouts, 6, 10, 100),
        games_per_part=48,
    )


SEARCH = Family(search, 1, 100_000)
