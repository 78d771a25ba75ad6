"""What a thing is worth where it is used: the same game again, with the thing taken from one seat alone.

    [knock_outs]
    cards = true                 # every card: each seat that bought one plays the game again without it
    feats = ["bombing"]          # or some by name

For every seat of every game and every thing that it used there, the game is played once more with that thing
denied to that seat: same deal, same seats, same noise. Where every strategy weighs its choices alone
(`Strategy.weighs_choices_alone`) a thing that a seat never used can be taken from it without any difference,
so those games aren't played: their effect is 0. One block in 512 is played there all the same, other ones
for each thing, and must come out alike, or the run fails: a strategy that says so falsely is found out.

Who used a thing is seen in the base's game, before anything is taken, so the effect among users is an effect
of treatment on the treated with perfect compliance. Source: Bloom 1984, "Accounting for no-shows in
experimental evaluation designs"; docs/knock-outs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab import values
from simlab.design import draw
from simlab.errors import ExperimentError, RunError
from simlab.game import MAX_SEATS, Game, KnockOuts, Rows, Settings, Taken
from simlab.strategy import Strategy
from simlab.wording import did_you_mean, shown

if TYPE_CHECKING:
    import pyarrow as pa

KEY = "knock_outs"
SAMPLE = 512  # one block in so many is played where nothing can differ
PART_SHARE = 16  # a part has so many times fewer games: each is played some sixty times
_SAMPLED = 18  # purpose of a key, as in chance.py (importing that would import the compiler)

Wanted = Mapping[str, tuple[str, ...]]  # names by kind


def knock_outs_of(
    written: Any, game: Game, settings: Settings, players: tuple[int, ...], factions: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """What is to be taken, by kind in the game's order: all or those written. Raises ExperimentError."""
    if game.knock_outs is None:
        raise ExperimentError(f"[{KEY}] has no effect: nothing can be taken from a seat of {game.title}")
    table = values.table(KEY, written)
    if not table:
        raise ExperimentError(f"[{KEY}] is empty, so it has no effect")
    kinds = game.knock_outs.kinds
    for kind in table:
        if kind not in kinds:
            known = did_you_mean(kind, kinds) or f"; known: {', '.join(kinds)}"
            raise ExperimentError(f"[{KEY}] has no key {shown(kind)}{known}")
    return {
        kind: _names(kind, table[kind], game.knock_outs.names(settings, players, factions, kind))
        for kind in kinds
        if kind in table
    }


def _names(kind: str, value: Any, known: tuple[str, ...]) -> tuple[str, ...]:
    key = f"[{KEY}] {kind}"
    if not known:
        raise ExperimentError(f"{key} has no effect: there are none that anybody could use here")
    if value is True:
        return known
    if value is False:
        raise ExperimentError(f"{key} = false has no effect: what isn't named isn't taken")
    if not isinstance(value, list):
        raise ExperimentError(f"{key} must be true or a list of names, not {shown(value)}")
    names = values.texts(key, value)
    for name in names:
        if name not in known:
            near = did_you_mean(name, known) or f"; names read such as {shown(known[len(known) // 2])}"
            raise ExperimentError(f"{key}: nobody could use {shown(name)} here{near}")
    return tuple(sorted(names, key=known.index))


def written_again(
    wanted: Wanted, game: Game, settings: Settings, players: Any, factions: Any
) -> dict[str, Any]:
    """The table of an experiment file that says the same."""
    assert game.knock_outs is not None
    everything = {kind: game.knock_outs.names(settings, players, factions, kind) for kind in wanted}
    return {kind: names == everything[kind] or list(names) for kind, names in wanted.items()}


@dataclass(frozen=True)
class Base:
    """The games of a part as they were played with everything."""

    game: Game
    settings: Settings
    schedule: Rows
    logs: Any
    strategies: Sequence[Strategy]

    @property
    def can(self) -> KnockOuts:
        """The game's side of it."""
        assert self.game.knock_outs is not None
        return self.game.knock_outs


def played_again(base: Base, wanted: Wanted, checkpoint: Callable[[], None]) -> pa.Table:
    """The table of a part's games, each played again without each thing that a seat used (or could have).

    Raises RunError where a game differs in which nothing was used.
    """
    pieces = list(_pieces(base, wanted, checkpoint))
    joined = [np.concatenate(each) for each in zip(*pieces, strict=True)] if pieces else _nothing(base)
    taken = Taken(*joined)
    order = np.lexsort((taken.seat, taken.thing, taken.kind, taken.base))
    in_order = Taken(*(np.asarray(each)[order] for each in joined))
    return base.can.rows(base.settings, base.schedule, base.strategies, base.logs, wanted, in_order)


def _nothing(base: Base) -> list[Any]:
    return [np.zeros(0, int)] * 4 + [np.zeros(0, bool), base.logs[:0]]


def _pieces(base: Base, wanted: Wanted, checkpoint: Callable[[], None]) -> Iterator[tuple[Any, ...]]:
    """By thing and seat what Taken holds."""
    can = base.can
    alone = can.only_where_used(base.settings) and all(s.weighs_choices_alone for s in base.strategies)
    seated = np.arange(MAX_SEATS) < base.schedule["players"][:, None]
    for k, (kind, names) in enumerate(wanted.items()):
        for j, name in enumerate(names):
            used, could = (
                each & seated for each in can.used(base.settings, base.schedule, base.logs, kind, name)
            )
            checked = could & ~used & _sampled(base.schedule, k, j)[:, None]
            for seat in range(int(base.schedule["players"].max())):
                again = used[:, seat] | (checked if alone else could)[:, seat]
                rows = np.flatnonzero(again)
                if not len(rows):
                    continue
                without = can.without(base.settings, kind, name, seat)
                logs = base.game.play(without, base.schedule[rows], base.strategies, checkpoint)
                kept = used[rows, seat] if alone else np.ones(len(rows), bool)
                if alone:
                    _check(base, rows[~kept], logs[~kept], f"{name} of seat {seat}")
                rows, count = rows[kept], int(kept.sum())
                yield (
                    rows,
                    *(np.full(count, number) for number in (k, j, seat)),
                    used[rows, seat],
                    np.asarray(logs)[kept],
                )


def _sampled(schedule: Rows, kind: int, thing: int) -> Rows:
    """Which games belong to blocks that are played though nothing can differ there."""
    chosen: Rows = draw(schedule["deal_key"], _SAMPLED, kind, thing) % SAMPLE == 0
    return chosen


def _check(base: Base, rows: Rows, logs: Any, what: str) -> None:
    """What was played though nothing can differ came out alike."""
    for place in np.flatnonzero(~base.can.same(base.logs[rows], logs)):
        names = " or ".join(shown(strategy.name) for strategy in base.strategies)
        raise RunError(
            f"taking {what} changes game {int(base.schedule['game'][rows[place]])}, in which that seat never"
            f" used it: {names} hangs on choices that it doesn't take (weighs_choices_alone)"
        )
