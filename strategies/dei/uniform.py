"""Every legal choice alike: the floor of the ladder, and a fuzzer of the rules."""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.signatures import choose_signature
from simlab.jit import entry
from simlab.strategy import Strategy


@entry(choose_signature)
def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    """The choice with the highest noise: one legal choice more or less doesn't reshuffle the rest."""
    best = 0
    best_noise = -1
    for i in range(n):
        noise = chance.draw(key, chance.NOISE, choices[i], 0)
        if noise > best_noise:
            best = i
            best_noise = noise
    return best


STRATEGY = Strategy(
    "dei/uniform",
    "every legal choice with the same probability",
    choose,
    looks_in_play_only=True,
    weighs_choices_alone=True,
)
