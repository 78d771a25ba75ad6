"""Made-up Feats, cards, Missions and Turns for a made-up run, so that the report's answer is known.

The winner was dealt Bombing twice as often as the others: it comes with 40 % of the games against 21 %. Of
three cards `card-dead` is never bought, `card-sure` always, `card-fair` in half of the games, always by the
winner. Seat 0 alone completes the Mission on technologies, on time, for 5; the others take garrisons, late,
for 3. The Mission on Outposts lies only in blocks in which Refuge 42 won two games or more; seat 1 completes
it late, for 1. That on Scrappers lies in the column of Turn 3 in those blocks, else in that of Turn 4; seat 2
completes it on time, for 4, the best there was. Whoever completes garrisons gives up as many Supplies as the
number of the seat, and so does each seat in hindsight. The winner leads after Turn 1, by 2, seat 0 after
Turn 2, by 3.

Two tiles of 2 × 2 spaces lie side by side, `x` turned by a quarter: `x.a` (an L of three spaces, 2
Technology) with 4 Moves into it and 1 out of it a game, its corner `x.B` (an Outpost), where nothing
happens, and all of `y.a`, joined to `x.a`, so that it has the same numbers. Farm-Z has
Majority there in half of the 4 Turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from simlab.games.dei.record import TABLES
from simlab.games.dei.vocabulary import COLOURS, DRONES, FACTIONS, FEATS, FEATS_PER_COLOUR
from simlab.results import WORD, arrow

if TYPE_CHECKING:
    import numpy as np

Rows = list[dict[str, Any]]
Values = dict[str, list[Any]]
DECLARED = {table.name: table for table in TABLES}
CARDS = ("card-dead", "card-fair", "card-sure")


def filled(table: Any, values: Values, n: int) -> pa.Table:
    """The table with its other columns empty."""
    columns: dict[str, Any] = {}
    for column in table.columns:
        given = values.get(column.name, [None] * n)
        kind = pa.string() if column.dtype == WORD else pa.type_for_alias(column.dtype)
        array = pa.array(given, kind)
        columns[column.name] = (
            pa.DictionaryArray.from_arrays(*_coded(array)) if column.dtype == WORD else array
        )
    return arrow(table, columns)


def _coded(array: pa.Array) -> tuple[pa.Array, pa.Array]:
    coded = array.dictionary_encode()
    return coded.indices.cast(pa.int8()), coded.dictionary


def seats(rng: np.random.Generator, rows: Rows) -> Values:
    """More columns of the table of seats."""
    each = [(row, seat) for row in rows for seat in range(row["players"])]
    values: Values = {
        "place": [None if row["winner"] is None else 1 + (row["winner"] != s) for row, s in each]
    }
    for c, colour in enumerate(COLOURS):
        feats = FEATS[c * FEATS_PER_COLOUR : (c + 1) * FEATS_PER_COLOUR]
        dealt = [str(rng.choice(feats)) for _ in each]
        if c == 0:  # one in three for the winner, one in six for the others
            dealt = [
                "bombing" if row["winner"] == s and feat != "bombing" and rng.random() < 0.2 else feat
                for (row, s), feat in zip(each, dealt, strict=True)
            ]
        values[f"feat_{colour}"] = dealt
        values[f"feat_{colour}_turn"] = [2 if rng.random() < 0.5 else None for _ in each]
    values["missions_best"] = [s for _, s in each]
    values["candy_gained"] = [s for _, s in each]
    for k, drone in enumerate(DRONES):
        values[f"used_{drone}"] = [k] * len(each)
    return values


def tables(rng: np.random.Generator, rows: Rows) -> dict[str, pa.Table]:
    """The tables beside games and seats."""
    made = {"market": _market(rng, rows), "missions": _missions(rows), "turns": _turns(rows)}
    made["regions"] = _regions(rows)
    return {name: filled(DECLARED[name], values, len(values["block"])) for name, values in made.items()}


def _columns(entries: list[dict[str, Any]]) -> Values:
    return {
        name: [entry.get(name) for entry in entries] for name in {key: None for e in entries for key in e}
    }


def _market(rng: np.random.Generator, rows: Rows) -> Values:
    entries = []
    for row in rows:
        for card, chance in zip(CARDS, (0.0, 0.5, 1.0), strict=True):
            entry = {"game": row["game"], "block": row["block"], "card": card, "colour": "tactic"}
            entry |= {"revealed_turn": 0, "offered_to": 15, "affordable_to": 1, "plays": 0}
            if row["winner"] is not None and rng.random() < chance:
                entry |= {"bought_by": row["winner"], "bought_turn": 2, "bought_phase": 1, "market": "tactic"}
                entry |= {"slot": 1, "paid_technology": 1, "paid_energy": 1, "plays": 3}
                entry["bought_by_faction"] = FACTIONS[row["seated"][row["winner"]]]
            entries.append(entry)
    return _columns(entries)


def _missions(rows: Rows) -> Values:
    entries = []
    wins = [row["block"] for row in rows if row["winner"] is not None and row["seated"][row["winner"]] == 0]
    for row in rows:
        if wins.count(row["block"]) >= 2:
            entries.append(
                {"game": row["game"], "block": row["block"], "column_turn": 2, "position": 0}
                | {"mission": "outposts", "seat": 1, "turn": 3, "on_time": False, "supplies": 1}
                | {"faction": FACTIONS[row["seated"][1]], "best_now": 1}
            )
        scrappers = 2 % row["players"]
        entries.append(
            {
                "game": row["game"],
                "block": row["block"],
                "position": 0,
                "mission": "scrappers",
                "seat": scrappers,
            }
            | {"column_turn": 3 if wins.count(row["block"]) >= 2 else 4, "turn": 3, "on_time": True}
            | {"faction": FACTIONS[row["seated"][scrappers]], "supplies": 4, "best_now": 4}
        )
        for seat in range(row["players"]):
            first = seat == 0
            entries.append(
                {"game": row["game"], "block": row["block"], "column_turn": 1, "position": int(not first)}
                | {
                    "mission": "technologies" if first else "garrisons",
                    "seat": seat,
                    "turn": 1 if first else 2,
                }
                | {"faction": FACTIONS[row["seated"][seat]], "on_time": first, "supplies": 5 if first else 3}
                | {"best_now": 5 if first else 3 + seat}
            )
    return _columns(entries)


def _turns(rows: Rows) -> Values:
    entries = []
    for row in rows:
        for turn in (1, 2):
            for seat in range(row["players"]):
                ahead = 2 * (seat == row["winner"]) if turn == 1 else 3 * (seat == 0)
                entries.append(
                    {"game": row["game"], "block": row["block"], "turn": turn, "seat": seat, "outposts": 1}
                    | {
                        "faction": FACTIONS[row["seated"][seat]],
                        "supplies": 10 * turn + ahead,
                        "priority": seat,
                    }
                    | {"resources_left": 3, "choices_hash": 1}
                )
    return _columns(entries)


def _regions(rows: Rows) -> Values:
    """By block: the games that were finished, added up."""
    finished: dict[tuple[int, int], int] = {}
    for row in rows:
        at = row["block"], row["players"]
        finished[at] = finished.get(at, 0) + (row["winner"] is not None)
    printed = (  # tile, letter, spaces, resources, outposts, tile_column, turned, Region
        ("x", "B", 0b10, 0, 1, 0, 1, 1),
        ("x", "a", 0b110001, 2, 0, 0, 1, 0),
        ("y", "a", 0b110011, 0, 0, 1, 0, 0),
    )
    entries = []
    for (block, players), games in finished.items():
        for tile, letter, spaces, resources, outposts, column, turned, region in printed:
            busy = region == 0
            entries.append(
                {"block": block, "players": players, "tile": tile, "letter": letter, "spaces": spaces}
                | {"resources": resources, "outposts": outposts, "refuge": tile == "y", "drone": False}
                | {"tile_row": 0, "tile_column": column, "turned": turned, "region": region}
                | {"games": games, "turns": 4 * games, "moves_into": 4 * games * busy}
                | {"moves_out": games * busy, "collected": 0}
                | {f"held_{name}": 2 * games * busy * (name == "farm_z") for name in FACTIONS}
            )
    return _columns(entries)
