"""One step ahead: of all choices the one that is worth most, here and now.

`scores.py` and `actions.py` say what each is worth.
"""

from __future__ import annotations

from simlab.games.dei.agenda import active_seat
from simlab.games.dei.signatures import choose_signature
from simlab.jit import entry
from simlab.strategy import Strategy
from strategies.dei import weights as w
from strategies.dei.choosing import best_choice
from strategies.dei.scores import prepare


@entry(choose_signature)
def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    """The choice of the highest score."""
    seat = active_seat(public[0])
    prepare(public[0], own[0], rules[0], pack[0], board[0], seat, weights, scratch)
    return best_choice(public[0], rules[0], pack[0], board[0], choices, n, weights, scratch, seat, key)


STRATEGY = Strategy(
    "dei/greedy",
    "one step ahead, by estimates in milli-Supplies",
    choose,
    w.WEIGHTS,
    weight_names=w.NAMES,
    looks_in_play_only=True,
    weighs_choices_alone=True,
)
