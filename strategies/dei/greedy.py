"""One step ahead: of all choices the one that is worth most, here and now.

`scores.py` and `actions.py` say what each is worth. Equal choices are told apart by noise keyed by the
choice.
"""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.agenda import active_seat
from simlab.games.dei.choices import KILLING, MOVING, REAP, kind_of
from simlab.games.dei.signatures import choose_signature
from simlab.jit import entry
from simlab.strategy import Strategy
from strategies.dei import memory as m
from strategies.dei import weights as w
from strategies.dei.actions import look_at_step, score_move
from strategies.dei.scores import NEVER, ordered, prepare, score_choice


@entry(choose_signature)
def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    """The choice of the highest score."""
    seat = active_seat(public[0])
    prepare(public[0], own[0], rules[0], pack[0], board[0], seat, weights, scratch)
    scratch[m.STEP] = 0
    first = int(weights[w.ORDER_MOVE])
    best = 0
    best_score = NEVER
    best_noise = -1
    for i in range(n):
        code = choices[i]
        if kind_of(code) == MOVING:
            # most steps aren't worth it, whatever the group
            if scratch[m.STEP] != (code >> 10 & 0xFFFFF) + 1:
                look_at_step(public[0], weights, scratch, seat, code)
            if scratch[m.MOST] <= 0 or scratch[m.MOST] + first < best_score:
                continue
            score = ordered(score_move(public[0], rules[0], weights, scratch, seat, code), first)
        else:
            score = score_choice(public[0], rules[0], pack[0], board[0], weights, scratch, seat, code)
        if score < best_score:
            continue
        noise = -1
        if score == best_score:
            if best_noise < 0:
                best_noise = chance.draw(key, chance.NOISE, choices[best], 0)
            noise = chance.draw(key, chance.NOISE, code, 0)
            if noise <= best_noise:
                continue
        best, best_score, best_noise = i, score, noise
    if kind_of(choices[best]) == KILLING or kind_of(choices[best]) == REAP:
        scratch[m.STAMP] = 0
    return best


STRATEGY = Strategy(
    "dei/greedy",
    "one step ahead, by estimates in milli-Supplies",
    choose,
    w.WEIGHTS,
    weight_names=w.NAMES,
)
