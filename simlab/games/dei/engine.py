"""The entry kernels: what Python calls. Arrays and indices in, numbers out; one signature each."""

from __future__ import annotations

import numpy as np

from simlab.games.dei import invariants, state
from simlab.games.dei.agenda import active_seat, add_icon, push
from simlab.games.dei.imagine import imagine
from simlab.games.dei.legal import list_legal
from simlab.games.dei.majority import has_supremacy, renew_all, settle_cubes
from simlab.games.dei.moment import list_decision, moment_key, note_end
from simlab.games.dei.redraw import redraw
from simlab.games.dei.setup import set_up
from simlab.games.dei.signatures import game_types, table_types
from simlab.games.dei.state import HIDDEN, LOG, OWN, PUBLIC, Position
from simlab.games.dei.turn import apply_choice, drone_is_acting
from simlab.games.dei.vocabulary import ASK_CARD, ASK_ICON, MAX_CHOICES, NONE
from simlab.jit import entry, int64, integers, record_array


@entry(lambda: int64()(*game_types()[:2], *table_types(), integers()))
def legal_kernel(public, own, rules, pack, board, out):
    """The legal choices of the seat to act into `out`; returns their number (may exceed len(out))."""
    return list_legal(public[0], own, rules[0], pack[0], board[0], out)


@entry(lambda: int64()(*game_types(), *table_types(), int64()))
def apply_kernel(public, own, hidden, log, rules, pack, board, code):
    """Perform a legal choice; returns how the game stands (ENDINGS)."""
    apply_choice(public[0], own, hidden[0], log[0], rules[0], pack[0], board[0], code)
    return int(public[0].ending)


@entry(lambda: int64()(*game_types(), *table_types(), int64(), int64(), integers()))
def setup_kernel(public, own, hidden, log, rules, pack, board, deal_key, n_seats, factions):
    """Set a game up on a board that is laid out, from blank records."""
    set_up(public[0], own, hidden[0], log[0], rules[0], pack[0], board[0], deal_key, n_seats, factions)
    return int(public[0].ending)


@entry(lambda: int64()(*game_types()[:3], *table_types()[:2], int64(), int64()))
def redraw_kernel(public, own, hidden, rules, pack, seat, key):
    """Draw anew what a seat can't know."""
    redraw(public[0], own, hidden[0], rules[0], pack[0], seat, key)
    return 0


@entry(lambda: int64()(*game_types()[:2], *game_types()[1:3], *table_types()[:2], int64(), int64()))
def imagine_kernel(public, known, own, hidden, rules, pack, seat, key):
    """Fill `own` and `hidden` with a game that a seat may be in; `known` is its own record, length 1."""
    imagine(public[0], known[0], own, hidden[0], rules[0], pack[0], seat, key)
    return 0


@entry(lambda: int64()(*game_types(), *table_types()))
def invariants_kernel(public, own, hidden, log, rules, pack, board):
    """A bit for each broken law of `invariants.LAWS`."""
    settled = 0 if drone_is_acting(public[0]) else 1
    return invariants.broken_laws(public[0], own, hidden[0], log[0], rules[0], pack[0], board[0], settled)


@entry(lambda: int64()(record_array(PUBLIC), *(table_types()[0], table_types()[2])))
def settle_kernel(public, rules, board):
    """Recompute values, Majorities and cubes of the whole board."""
    renew_all(public[0], rules[0], board[0])
    settle_cubes(public[0], rules[0], board[0])
    return 0


@entry(lambda: int64()(record_array(PUBLIC), int64(), int64()))
def supremacy_kernel(public, seat, region):
    """Whether a seat has Supremacy in a Region, 0 or 1."""
    return 1 if has_supremacy(public[0], seat, region) else 0


@entry(lambda: int64()(record_array(PUBLIC), int64(), int64(), int64(), int64()))
def ask_kernel(public, ask, seat, a, code):
    """Push a question; with `code` >= 0 that icon becomes pending."""
    if code >= 0:
        add_icon(public[0], code)
    push(public[0], ask, seat, a, 0, 0)
    return 0


@entry(lambda: int64()(*game_types()[:2], game_types()[3], *table_types(), int64(), integers(), integers()))
def decision_kernel(public, own, log, rules, pack, board, strategy_key, out, key_out):
    """`moment.list_decision` for the plain loop; the decision's key goes into `key_out[0]`."""
    seat = active_seat(public[0])
    key_out[0] = moment_key(public[0], strategy_key, seat)
    return list_decision(public[0], own, log[0], rules[0], pack[0], board[0], seat, out)


@entry(lambda: int64()(record_array(PUBLIC), record_array(LOG), int64(), int64()))
def end_kernel(public, log, ending, seat):
    """`moment.note_end` for the plain loop."""
    note_end(public[0], log[0], ending, seat)
    return 0


_CHOICES = np.zeros(MAX_CHOICES, np.int64)


def legal(position: Position) -> list[int]:
    """The legal choices of the seat to act, in the engine's order."""
    p = position
    n = legal_kernel(p.public, p.own, p.rules, p.pack, p.board, _CHOICES)
    return [int(code) for code in _CHOICES[: min(n, MAX_CHOICES)]]


def apply(position: Position, code: int) -> int:
    """Perform one legal choice and advance to the next decision; returns the ending (0 = playing)."""
    p = position
    return int(apply_kernel(p.public, p.own, p.hidden, p.log, p.rules, p.pack, p.board, code))


def start(position: Position, deal_key: int, factions: list[int]) -> None:
    """Deal a new game: `factions` by seat, on the position's board."""
    p = position
    for name, dtype in (("public", PUBLIC), ("hidden", HIDDEN), ("log", LOG)):
        setattr(p, name, state.records(dtype))
    p.own = state.records(OWN, len(p.own))
    array = np.asarray(factions, np.int64)
    setup_kernel(p.public, p.own, p.hidden, p.log, p.rules, p.pack, p.board, deal_key, len(factions), array)


def active(position: Position) -> int:
    """The seat to act, NONE when the game is over."""
    public = position.public[0]
    return int(public.frame[public.n_frames - 1, 1]) if public.n_frames else NONE


def question(position: Position) -> int:
    """What is asked (ASK_…), NONE when nothing is."""
    public = position.public[0]
    return int(public.frame[public.n_frames - 1, 0]) if public.n_frames else NONE


def settle(position: Position) -> None:
    """Recompute Majority values, holders and cubes after facts were set by hand."""
    settle_kernel(position.public, position.rules, position.board)


def supremacy(position: Position, seat: int) -> list[int]:
    """The Regions in which a seat has Supremacy."""
    regions = range(int(position.board[0].n_regions))
    return [region for region in regions if supremacy_kernel(position.public, seat, region)]


def broken_laws(position: Position) -> list[str]:
    """The invariants that don't hold, in words; empty when the position is sound."""
    p = position
    laws = int(invariants_kernel(p.public, p.own, p.hidden, p.log, p.rules, p.pack, p.board))
    return [text for bit, text in enumerate(invariants.LAWS) if laws >> bit & 1]


def resume(position: Position, seat: int) -> None:
    """Ask a seat for its next card, in a position set by hand."""
    ask_kernel(position.public, ASK_CARD, seat, 0, -1)


def grant(position: Position, seat: int, icon_code: int) -> None:
    """Let a seat resolve one icon out of the blue; `end card` waives it."""
    ask_kernel(position.public, ASK_ICON, seat, NONE, icon_code)


def redraw_hidden(position: Position, seat: int, key: int) -> None:
    """Draw anew, in place, all that this seat can't know."""
    p = position
    redraw_kernel(p.public, p.own, p.hidden, p.rules, p.pack, seat, key)
