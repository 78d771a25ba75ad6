"""The compiled loop: whole blocks of games, one after the other, each leaving a log.

`live.py` and `match.py` are the same loop in plain Python; a contract test holds the two together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from simlab.errors import RunError
from simlab.game import SCHEDULE, Settings
from simlab.games.dei.agenda import active_seat
from simlab.games.dei.board import FAILURES, LAYOUTS, OUTPOSTS, lay_out
from simlab.games.dei.moment import list_decision, moment_key, note_end
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.setup import set_up
from simlab.games.dei.signatures import choose_type, game_types, table_types
from simlab.games.dei.state import HIDDEN, LOG, OWN, PUBLIC, records
from simlab.games.dei.tables import BOARD_RECORD
from simlab.games.dei.turn import apply_choice
from simlab.games.dei.vocabulary import (
    ILLEGAL_CHOICE,
    LIST_OVERFLOW,
    MAX_CHOICES,
    MAX_SEATS,
    NONE,
    PLAYING,
)
from simlab.jit import entry, inner, int64, integers, integers_2d, record_array, tuple_of
from simlab.strategy import SCRATCH_LENGTH, WEIGHTS_LENGTH, Strategy

MAX_STRATEGIES = 16  # different ones in a part: the length of the kernel's tuple
_CALL_SECONDS = 0.05  # about so long the kernel is left alone: it can't be interrupted


@inner
def lay_out_block(schedule, i, pack, board, layout, outposts):
    """The board of a game's block, laid out once for all its rotations; 0, or a number of FAILURES."""
    if i > 0 and schedule[i].deal_key == schedule[i - 1].deal_key:
        if schedule[i].players == schedule[i - 1].players:
            return 0
    return lay_out(pack, board, int(schedule[i].players), schedule[i].deal_key, layout, outposts)


@entry(
    lambda: int64()(
        record_array(SCHEDULE),
        *table_types(),
        int64(),
        int64(),
        *game_types()[:3],
        *game_types()[:3],
        record_array(LOG),
        tuple_of(choose_type(), MAX_STRATEGIES),
        integers_2d(32),
        integers(),
        integers_2d(64),
        integers(),
    )
)
def play_block(
    schedule,
    rules,
    pack,
    board,
    layout,
    outposts,
    public,
    own,
    hidden,
    blank_public,
    blank_own,
    blank_hidden,
    logs,
    chooses,
    weights,
    choices,
    scratch,
    factions,
):
    """Play the games of `schedule`, game i into `logs[i]`; returns 0, or which layout failure came up.

    `chooses[k]` and `weights[k]` are the strategy that the schedule calls k; `choices`, `scratch`
    (seats, SCRATCH_LENGTH) and `factions` (seats) are work space, the blank records what a game starts from.
    """
    for i in range(len(schedule)):
        failure = lay_out_block(schedule, i, pack[0], board[0], layout, outposts)
        if failure != 0:
            return failure
        public[0] = blank_public[0]
        hidden[0] = blank_hidden[0]
        for seat in range(MAX_SEATS):
            own[seat] = blank_own[0]
            factions[seat] = schedule[i].faction[seat]
            for k in range(scratch.shape[1]):
                scratch[seat, k] = 0
        log = logs[i]
        set_up(
            public[0],
            own,
            hidden[0],
            log,
            rules[0],
            pack[0],
            board[0],
            schedule[i].deal_key,
            int(schedule[i].players),
            factions,
        )
        ending = int(public[0].ending)
        ending_seat = NONE
        while ending == PLAYING:
            seat = active_seat(public[0])
            n = list_decision(public[0], own, log, rules[0], pack[0], board[0], seat, choices)
            index = 0
            if n > len(choices):
                ending = LIST_OVERFLOW
                break
            if n > 1:
                key = moment_key(public[0], schedule[i].strategy_key, seat)
                k = int(schedule[i].strategy[seat])
                index = chooses[k](
                    public,
                    own[seat : seat + 1],
                    rules,
                    pack,
                    board,
                    choices,
                    n,
                    weights[k],
                    scratch[seat],
                    key,
                )
            if index < 0 or index >= n:
                ending = ILLEGAL_CHOICE
                ending_seat = seat
                break
            apply_choice(public[0], own, hidden[0], log, rules[0], pack[0], board[0], choices[index])
            ending = int(public[0].ending)
        note_end(public[0], log, ending, ending_seat)
    return 0


def _no_stop() -> None:
    """Nothing ends the part."""


def play_logs(
    settings: Settings,
    schedule: np.ndarray[Any, Any],
    strategies: Sequence[Strategy],
    checkpoint: Callable[[], None] = _no_stop,
) -> Any:
    """The logs (LOG), one a game of `schedule`; RunError where no layout can be drawn.

    `checkpoint` is called every few blocks; what it raises ends the part.
    """
    if len(strategies) > MAX_STRATEGIES:
        raise RunError(f"{len(strategies)} strategies in one run; at most {MAX_STRATEGIES} can play")
    logs = records(LOG, len(schedule))
    rows = schedule.view(np.recarray)
    table_and_start = (
        rules_record(resolve_rules(settings.rules), settings.handicaps, settings.pack),
        settings.pack.table,
        records(BOARD_RECORD),
        LAYOUTS.index(settings.options["layout"]),
        OUTPOSTS.index(settings.options["outposts"]),
        *blank_game(),
        *blank_game(),
    )
    players_and_space = (
        padded([strategy.choose for strategy in strategies]),
        weights_of(strategies),
        np.zeros(MAX_CHOICES, np.int64),
        np.zeros((MAX_SEATS, SCRATCH_LENGTH), np.int64),
        np.zeros(MAX_SEATS, np.int64),
    )
    for some in _calls(schedule["block"]):
        checkpoint()
        failure = play_block(rows[some], *table_and_start, logs[some], *players_and_space)
        if failure:
            raise RunError(f"pack {settings.pack.name}: {FAILURES[failure]}")
    return logs


def _calls(blocks: np.ndarray[Any, Any]) -> Iterator[slice]:
    """The games of one call of the kernel each: whole blocks, as many as take about _CALL_SECONDS.

    How many games a call plays changes none of them.
    """
    bounds = [*np.flatnonzero(np.diff(blocks, prepend=-1)), len(blocks)]
    at, step, last = 0, 1, len(bounds) - 1
    while at < last:
        start = time.monotonic()
        yield slice(bounds[at], bounds[min(at + step, last)])
        at += step
        taken = time.monotonic() - start
        step = 2 * step if taken < _CALL_SECONDS / 2 else max(1, step // 2) if taken > _CALL_SECONDS else step


def blank_game() -> tuple[Any, Any, Any]:
    """Blank public, own (one a seat) and hidden records."""
    return records(PUBLIC), records(OWN, MAX_SEATS), records(HIDDEN)


def padded(chooses: list[Any]) -> tuple[Any, ...]:
    """The strategies' functions in a tuple of the kernel's length; the rest is never called."""
    return tuple(chooses + chooses[:1] * (MAX_STRATEGIES - len(chooses)))


def weights_of(strategies: Sequence[Strategy]) -> np.ndarray[Any, Any]:
    """The strategies' numbers, int32 (MAX_STRATEGIES, WEIGHTS_LENGTH), 0 where a strategy has fewer."""
    weights = np.zeros((MAX_STRATEGIES, WEIGHTS_LENGTH), np.int32)
    for row, strategy in zip(weights, strategies, strict=False):
        row[: len(strategy.weights)] = strategy.weights
    return weights


def warm_up() -> None:
    """Compile (or load) all entry kernels: importing them is enough."""
    from simlab.games.dei import engine  # noqa: F401
