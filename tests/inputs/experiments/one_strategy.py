"""Two strategies in a file, for the experiments beside it: one that is timed and one that isn't."""

from simlab.strategy import Strategy


def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    return 0


STRATEGY = Strategy("inputs/first", "the first choice", choose)
OTHER = Strategy("inputs/plain", "the first choice, in plain Python", choose, compiled=False)
