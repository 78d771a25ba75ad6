"""The choice of the highest score, once a strategy has weighed the position."""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.choices import KILLING, MOVING, REAP, kind_of
from simlab.jit import inner
from strategies.dei import memory as m
from strategies.dei import weights as w
from strategies.dei.actions import look_at_step, score_move
from strategies.dei.scores import NEVER, ordered, score_choice


@inner
def best_choice(public, rules, pack, board, choices, n, weights, scratch, seat, key):
    """The index of the choice that is worth most; equal ones are told apart by noise keyed by the choice."""
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
                look_at_step(public, weights, scratch, seat, code)
            if scratch[m.MOST] <= 0 or scratch[m.MOST] + first < best_score:
                continue
            score = ordered(score_move(public, rules, weights, scratch, seat, code), first)
        else:
            score = score_choice(public, rules, pack, board, weights, scratch, seat, code)
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
