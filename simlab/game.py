"""The contract of a game: declared facts and functions, one frozen dataclass an instance a game.

Nothing outside `simlab/games/<game>/` knows a rule; it knows this. A part of a run is a *schedule*: an
array of games, whole blocks together, that `play` turns into result tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

    from simlab.story import Teller
    from simlab.strategy import Strategy

MAX_SEATS = 6

# One game of a part. `deal_key` is the block's (same for all its rotations and arms); `strategy_key` also
# depends on the rotation, never on the arm.
SCHEDULE = np.dtype(
    [
        ("game", "<i8"),  # number of the game in the run, from 0
        ("block", "<i8"),
        ("deal_key", "<i8"),
        ("strategy_key", "<i8"),
        ("arm", "<i4"),
        ("rotation", "i1"),
        ("players", "i1"),
        ("faction", "i1", (MAX_SEATS,)),  # by seat, -1 = empty
        ("strategy", "i1", (MAX_SEATS,)),  # by seat: index into the experiment's strategies
    ]
)


@dataclass(frozen=True)
class Column:
    """One column of a result table: `dtype` is Arrow's name, `unit` may be empty."""

    name: str
    dtype: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Table:
    """One result table."""

    name: str
    meaning: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Knob:
    """One rule that an experiment may set, as `simlab list rules` prints it."""

    name: str
    default: Any
    low: int
    high: int
    source: str
    says: str


@dataclass(frozen=True)
class Bar:
    """What a measure of `simlab bench` must come to: at least or at most `limit`."""

    measure: str
    limit: float
    at_least: bool
    strategy: str = ""  # of that strategy only, or of "A+B": a seat of A, the others B
    of: str = ""  # as many times the measure of this strategy
    players: int = 0  # for that number of players only
    aim: float | None = None  # what would be better still


@dataclass(frozen=True)
class Settings:
    """What all games of a run share, resolved: the experiment's part that the game understands.

    `rules` are only the differences from the defaults; `options` are the game's own keys of the
    experiment file (for D.E.I.: layout, outposts), resolved to their values.
    """

    rules: Mapping[str, Any]
    options: Mapping[str, Any]
    handicaps: Mapping[str, Any]
    pack: Any


Rows = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Taken:
    """Games played again, each with one thing taken from one seat; all arrays have an entry a game.

    `base`: its place in the part's schedule; `kind`, `thing`: numbers of KnockOuts' kinds and of the names
    wanted of a kind; `seat`; `used`: whether the base's seat used the thing; `logs`: what it left.
    """

    base: Rows
    kind: Rows
    thing: Rows
    seat: Rows
    used: Rows
    logs: Any


@dataclass(frozen=True)
class KnockOuts:
    """What can be taken from a seat to see what it is worth there, and what is then recorded.

    A *thing* is named by its kind and its name. Masks are bool (games, MAX_SEATS).
    """

    kinds: Mapping[str, str]  # as [knock_outs] names them → what a seat is denied
    table: Table
    # settings, numbers of players, factions that may play, kind → all that somebody could use there
    names: Callable[[Settings, tuple[int, ...], tuple[str, ...], str], tuple[str, ...]]
    without: Callable[[Settings, str, str, int], Settings]  # kind, name, seat
    # the base's settings, schedule and logs, kind, name → which seats used it, and which could have
    used: Callable[[Settings, Rows, Any, str, str], tuple[Rows, Rows]]
    # whether in games of these settings nothing differs but where the thing was used, for strategies that
    # weigh choices alone
    only_where_used: Callable[[Settings], bool]
    same: Callable[[Any, Any], Rows]  # two logs of the same games → whether each was played alike
    # settings, schedule, strategies, the base's logs, wanted names by kind, what was taken → the table
    rows: Callable[[Settings, Rows, Sequence[Strategy], Any, Mapping[str, Sequence[str]], Taken], pa.Table]


@dataclass(frozen=True)
class Game:
    """A game. All functions raise a `SimlabError` with one sentence where the user's words are wrong."""

    name: str
    title: str
    rules_version: str
    players: tuple[int, ...]
    factions: tuple[str, ...]
    faction_titles: tuple[str, ...]
    knobs: tuple[Knob, ...]
    handicaps: Mapping[str, str]  # what a seat can be given or denied → meaning
    options: Mapping[str, tuple[str, ...]]  # option → allowed values, the default first
    tables: tuple[Table, ...]
    packs: Path  # folder of the packs that are shipped
    default_pack: str
    # checks keys, types and ranges, fills in the defaults
    resolve_rules: Callable[[Mapping[str, Any]], dict[str, Any]]
    # settings as written, numbers of players, factions that may play → in canonical form; refuses what fits
    # neither pack nor table and what has no effect there
    resolve_settings: Callable[[Settings, tuple[int, ...], tuple[str, ...]], Settings]
    load_pack: Callable[[str], Any]  # name or path → pack (has .name, .version, .hash, .share_assumed)
    # pack, what is to be changed in it by file, row and column → another pack, the changes in canonical form;
    # a PackError (place, reason) for what isn't there, can't be or changes nothing
    patch_pack: Callable[[Any, Mapping[str, Any]], tuple[Any, dict[str, Any]]]
    # pack, layouts to draw → problems, lines that describe it
    check_pack: Callable[[Any, int], tuple[list[str], list[str]]]
    # pack, seed, number of the draw, percent of the values that stay → another pack: name, texts by file
    sample_pack: Callable[[Any, int, int, int], tuple[str, Mapping[str, str]]]
    # the compiled loop: the logs that the games of a part leave, an array with an entry a game; every
    # strategy must be compiled. The last argument is called every few blocks, so that it can end the part by
    # raising
    play: Callable[[Settings, np.ndarray[Any, Any], Sequence[Strategy], Callable[[], None]], Any]
    # the plain loop: one schedule row's game in progress (match.Live)
    open: Callable[[Settings, Any], Any]
    # a part's tables, made of the logs that `play` returned or of a list of those the plain loop left
    tables_of: Callable[[Settings, np.ndarray[Any, Any], Sequence[Strategy], Any], dict[str, pa.Table]]
    # schedule, logs of `play` → win share and final score of each seat, float64 (games, MAX_SEATS), 0 where
    # nobody sits; the win shares of a game that ended irregularly are NaN
    outcome: Callable[[np.ndarray[Any, Any], Any], tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]
    teller: Callable[[Any], Teller]  # of a game in progress that `open` gave
    # "module:function" of (game in progress, seat) → what that seat may know in readable form, for strategies
    # that are classes: it has `choices`, a sequence. Its source counts as such a strategy's
    view: str
    signature: Callable[[], str]  # hash of a fixed set of games: changes when play changes
    warm_up: Callable[[], None]  # compile everything that `play` needs
    bars: tuple[Bar, ...] = ()  # how fast it must be
    # settings of the base, of an arm, the base's schedule and logs → in which of these games the arm could
    # make a difference, bool (games,), for strategies that look at nothing but what is in play. None: in any
    may_bite: Callable[[Settings, Settings, np.ndarray[Any, Any], Any], np.ndarray[Any, Any]] | None = None
    knock_outs: KnockOuts | None = None
