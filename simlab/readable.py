"""Strategies that are classes: `choose(self, view)` sees what a seat may know and returns one of the choices.

    class Mine:
        def choose(self, view):
            return view.choices[0]

The view is the game's own (`Game.view`). An instance lives for one decision, so that a choice depends on
nothing but what it was shown; what a strategy wants to keep until its next decision goes into the view's
memory, as a function's goes into its scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from simlab.strategy import Strategy


def is_readable(found: Any) -> bool:
    """Whether it is a class that can be played with."""
    return isinstance(found, type) and callable(getattr(found, "choose", None))


def strategy_of(player: type, name: str, view_of: Callable[[Any, int], Any]) -> Strategy:
    """The strategy that a class is: its own `name` and `says`, else the name given and its docstring."""
    own_name, says = getattr(player, "name", None), getattr(player, "says", None)
    told = (player.__doc__ or "").strip().splitlines()
    return Strategy(
        own_name if isinstance(own_name, str) and own_name else name,
        says if isinstance(says, str) else "".join(told[:1]),
        partial(_choose, player, view_of),
        compiled=False,
        readable=True,
    )


def _choose(player: type, view_of: Callable[[Any, int], Any], live: Any, seat: int) -> Any:
    """The number of the choice that a new instance makes of the list last looked at."""
    view = view_of(live, seat)
    return number_of(player().choose(view), view.choices)


def number_of(given: Any, choices: Sequence[Any]) -> Any:
    """Which of the choices it is; a number is left for the loop to judge, as any strategy's."""
    for number, choice in enumerate(choices):
        if choice is given:
            return number
    if hasattr(type(given), "__index__"):
        return given
    raise TypeError(f"it answered {type(given).__name__}, neither one of view.choices nor its number")
