"""The types of the entry kernels: which records they take, and what a strategy's function looks like."""

from __future__ import annotations

from typing import Any

from simlab.games.dei.rules import RULES_RECORD
from simlab.games.dei.state import HIDDEN, LOG, OWN, PUBLIC
from simlab.games.dei.tables import BOARD_RECORD, PACK_RECORD
from simlab.jit import function, int64, integers, record_array


def game_types() -> tuple[Any, ...]:
    """numba's types of the four game records."""
    return tuple(record_array(dtype) for dtype in (PUBLIC, OWN, HIDDEN, LOG))


def table_types() -> tuple[Any, ...]:
    """numba's types of the three tables."""
    return tuple(record_array(dtype) for dtype in (RULES_RECORD, PACK_RECORD, BOARD_RECORD))


def choose_signature() -> Any:
    """The one signature of a compiled strategy (strategy.py says what each argument is)."""
    public, own = game_types()[:2]
    return int64()(public, own, *table_types(), integers(), int64(), integers(32), integers(), int64())


def choose_type() -> Any:
    """A compiled strategy as an argument of a kernel."""
    return function(choose_signature())
