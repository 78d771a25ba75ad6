"""The result tables of D.E.I., made of the logs that the block loop leaves: a few µs a game, in numpy.

What each column means is declared in `columns.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.games.dei.columns import (
    GAMES,
    MARKET,
    MISSIONS,
    REGIONS,
    RESOURCE_WORDS,
    SEATS,
    TABLES,
    TURNS,
)
from simlab.games.dei.record_map import regions_of
from simlab.games.dei.record_missions import best_of_missions, missions_of
from simlab.games.dei.vocabulary import (
    CANDIES,
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    ENDINGS,
    FACTIONS,
    FEATS,
    FEATS_PER_COLOUR,
    FINISHED,
    MARKETS,
    MAX_SEATS,
    N_FEATS,
    NONE,
    SOURCES,
)
from simlab.results import arrow, optional, words

if TYPE_CHECKING:
    import pyarrow as pa

    Columns = dict[str, np.ndarray[Any, Any] | pa.Array]

__all__ = ["TABLES", "outcome", "tables_of"]


def tables_of(schedule: Any, logs: Any, pack: Any, strategies: Sequence[str]) -> dict[str, pa.Table]:
    """The result tables of played games.

    `schedule` (SCHEDULE) and `logs` (LOG) have one row a game; `pack` has `.table` (PACK_RECORD, length 1)
    and `.card_ids`; `strategies` are names by the schedule's numbers.
    """
    schedule, logs = np.asarray(schedule), np.asarray(logs)  # plain arrays: fields are read by name
    return {
        "games": arrow(GAMES, _games(schedule, logs)),
        "seats": arrow(SEATS, _seats(schedule, logs, strategies)),
        "market": arrow(MARKET, _market(schedule, logs, pack)),
        "missions": arrow(MISSIONS, missions_of(schedule, logs, pack)),
        "turns": arrow(TURNS, _turns(schedule, logs)),
        "regions": arrow(REGIONS, regions_of(schedule, logs, pack)),
    }


def outcome(schedule: Any, logs: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Win share and final Supplies of each seat, (game, seat), as `Game.outcome` has it."""
    schedule, logs = np.asarray(schedule), np.asarray(logs)
    present = _present(schedule)
    won = np.where(present, _win_share(logs["place"]), 0.0)
    won[~_finished(logs)] = np.nan
    return won, np.where(present, logs["final_supplies"], 0).astype(np.float64)


def _win_share(place: Any) -> np.ndarray[Any, Any]:
    """All of the game to its winner: the rulebook breaks every Tie."""
    shares: np.ndarray[Any, Any] = (place == 1).astype(np.float32)
    return shares


def _numbers(schedule: Any, game: Any = slice(None)) -> Columns:
    return {name: schedule[name][game] for name in ("game", "block", "arm")}


def _present(schedule: Any) -> np.ndarray[Any, Any]:
    """(game, seat) → whether somebody sits there."""
    return np.arange(MAX_SEATS) < schedule["players"][:, None]


def _finished(logs: Any) -> np.ndarray[Any, Any]:
    return logs["ending"] == FINISHED


def _games(schedule: Any, logs: Any) -> Columns:
    n = len(schedule)
    finished = _finished(logs)
    winner = np.where(_present(schedule), logs["place"] == 1, False).argmax(1).astype(np.int8)
    winner[~finished] = NONE
    supplies = np.where(_present(schedule), logs["final_supplies"], np.iinfo(np.int16).min)
    highest = np.sort(supplies, axis=1)
    margin = (highest[:, -1] - highest[:, -2]).astype(np.int16)
    faction = schedule["faction"][np.arange(n), winner]
    columns = {name: schedule[name] for name in ("game", "block", "arm", "rotation", "players")}
    return columns | {
        "ending": words(logs["ending"], ENDINGS),
        "ending_seat": optional(logs["ending_seat"], logs["ending_seat"] < 0),
        "turns": _turns_played(logs).sum(1).astype(np.int8),
        "decisions": logs["n_decisions"],
        "choices": logs["n_choices"],
        "longest_list": logs["longest_list"],
        "winner_seat": optional(winner, ~finished),
        "winner_faction": words(np.where(finished, faction, NONE), FACTIONS),
        "winning_margin": optional(margin, ~finished),
        "tied_top": optional(margin == 0, ~finished),
        "layout_draws": logs["layout_draws"],
        "game_hash": logs["game_hash"],
    }


def _seats(schedule: Any, logs: Any, strategies: Sequence[str]) -> Columns:
    game, seat = np.nonzero(_present(schedule))
    unfinished = ~_finished(logs)[game]
    place = logs["place"][game, seat]
    columns = _numbers(schedule, game) | {
        "players": schedule["players"][game],
        "seat": seat.astype(np.int8),
        "faction": words(schedule["faction"][game, seat], FACTIONS),
        "strategy": words(schedule["strategy"][game, seat], strategies),
        "place": optional(place, unfinished),
        "win_share": optional(_win_share(place), unfinished),
        "supplies": logs["final_supplies"][game, seat],
    }
    columns |= _each("supplies", SOURCES, logs["supplies_from"][game, seat])
    columns["missions_best"] = optional(best_of_missions(logs["mission_worth"][game, seat]), unfinished)
    columns |= _feats(logs, game, seat)
    for verb in ("collected", "gained", "paid"):
        columns |= _each(verb, RESOURCE_WORDS, logs[verb][game, seat])
    for name in ("enlisted", "moves", "kills", "losses", "buys", "candy_gained"):
        columns[name] = logs[name][game, seat]
    columns |= _each("laid", CANDIES, logs["candy_laid"][game, seat])
    columns |= _each("built", CONSTRUCTIONS, logs["builds"][game, seat])
    columns |= _each("used", DRONES, logs["activations"][game, seat])
    return columns


def _each(prefix: str, names: Sequence[str], values: np.ndarray[Any, Any]) -> Columns:
    return {f"{prefix}_{name}": values[:, i] for i, name in enumerate(names)}


# the Feat of a colour in a set of Feats: index of its lowest bit, NONE in an empty set
_LOWEST_BIT = np.array([NONE] + [(bits & -bits).bit_length() - 1 for bits in range(1, 1 << FEATS_PER_COLOUR)])


def _feats(logs: Any, game: np.ndarray[Any, Any], seat: np.ndarray[Any, Any]) -> Columns:
    dealt = logs["feats_dealt"][game, seat]
    unlocked = logs["feats_unlocked"][game, seat]
    columns: Columns = {}
    for c, colour in enumerate(COLOURS):
        bit = _LOWEST_BIT[(dealt >> (FEATS_PER_COLOUR * c)) & ((1 << FEATS_PER_COLOUR) - 1)]
        turn = logs["feat_turn"][game, seat, c]
        columns[f"feat_{colour}"] = words(np.where(bit < 0, NONE, bit + FEATS_PER_COLOUR * c), FEATS)
        columns[f"feat_{colour}_turn"] = optional(turn, turn == 0)
    bits = (unlocked[:, None] >> np.arange(N_FEATS)) & 1
    columns["feats_unlocked"] = bits.sum(1).astype(np.int8)
    return columns


def _market(schedule: Any, logs: Any, pack: Any) -> Columns:
    n_cards = int(pack.table["n_cards"][0])
    game, card = np.nonzero(logs["revealed_turn"][:, :n_cards] != NONE)
    buyer = logs["bought_by"][game, card]
    unsold = buyer == NONE

    def bought(name: str) -> pa.Array:
        return optional(logs[name][game, card], unsold)

    return _numbers(schedule, game) | {
        "card": words(card, pack.card_ids),
        "colour": words(pack.table["card_market"][0][card], MARKETS),
        "revealed_turn": logs["revealed_turn"][game, card],
        "offered_to": logs["offered"][game, card],
        "affordable_to": logs["affordable"][game, card],
        "bought_by": optional(buyer, unsold),
        "bought_by_faction": words(np.where(unsold, NONE, schedule["faction"][game, buyer]), FACTIONS),
        "bought_turn": bought("bought_turn"),
        "bought_phase": bought("bought_phase"),
        "market": words(np.where(unsold, NONE, logs["bought_market"][game, card]), MARKETS),
        "slot": bought("bought_slot"),
        "paid_technology": bought("paid_technology"),
        "paid_energy": bought("paid_energy"),
        "plays": logs["plays"][game, card],
    }


def _turns_played(logs: Any) -> np.ndarray[Any, Any]:
    """(game, Turn) → whether it was played to its end: its hash is set."""
    return logs["turn_hash"] != 0


def _turns(schedule: Any, logs: Any) -> Columns:
    game, turn, seat = np.nonzero(_turns_played(logs)[:, :, None] & _present(schedule)[:, None, :])
    return _numbers(schedule, game) | {
        "turn": (turn + 1).astype(np.int8),
        "seat": seat.astype(np.int8),
        "faction": words(schedule["faction"][game, seat], FACTIONS),
        "supplies": logs["turn_supplies"][game, turn, seat],
        "outposts": logs["turn_outposts"][game, turn, seat],
        "priority": logs["turn_place"][game, turn, seat],
        "resources_left": logs["turn_resources"][game, turn],
        "choices_hash": logs["turn_hash"][game, turn],
    }
