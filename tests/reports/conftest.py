"""Run folders with made-up results whose truth is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import components
import knocked_out as knock_outs
import numpy as np
import pytest
from components import filled

from simlab.games.dei.columns import KNOCK_OUTS
from simlab.games.dei.record import GAMES, SEATS, TABLES
from simlab.games.dei.vocabulary import FACTIONS, SOURCES
from simlab.results import FORMAT, write_manifest, write_part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

STRENGTHS = (0.40, 0.24, 0.20, 0.16)  # of the four factions, so 40 % is far out of the band


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., Path]:
    def make(name: str = "made_up", **wishes: Any) -> Path:
        return write_run(tmp_path / name, **wishes)

    return make


@pytest.fixture(scope="session")
def written() -> Callable[..., Path]:
    """`write_run` for runs that several tests share."""
    return write_run


def write_run(
    folder: Path,
    blocks: int = 500,
    players: tuple[int, ...] = (4,),
    strengths: tuple[float, ...] = STRENGTHS,
    strategies: tuple[str, ...] = ("dei/greedy",),
    irregular: int = 0,
    seed: int = 1,
    full: bool = False,
    knocked_out: bool = False,
    **manifest: Any,
) -> Path:
    """A run in which factions win with their strengths, whatever the seat; the first games are irregular.

    If `full`, it has all tables, with what `components.py` says; if `knocked_out` too, games played again
    without something, as `knocked_out.py` says.
    """
    rng = np.random.default_rng(seed)
    rows = [game for count in players for game in _games(rng, blocks, count, strengths)]
    for number, row in enumerate(rows):
        row["game"] = number
        if number < irregular:
            row.update(winner=None, ending="strategy failed", ending_seat=0)
    seats = _seats_values(rng, rows, strategies) | (components.seats(rng, rows) if full else {})
    tables = {"games": _games_table(rows), "seats": filled(SEATS, seats, len(seats["game"]))}
    if full:
        tables |= components.tables(rng, rows)
    if knocked_out:
        tables["knock_outs"] = knock_outs.table(rng, tables)
    folder.mkdir(parents=True, exist_ok=True)
    declared = [table for table in (*TABLES, KNOCK_OUTS) if table.name in tables]
    parts = {"000000": write_part(folder, "000000", declared, tables)}
    said = _manifest(folder.name, players, strategies) | {"tables": list(tables), "parts": parts}
    write_manifest(folder, said | manifest)
    return folder


def _manifest(name: str, players: tuple[int, ...], strategies: tuple[str, ...]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": name,
        "finished": True,
        "versions": {"simlab": "0.1.0"},
        "digest": "00c0ffee",
        "signature": "5197a7e0",
        "rules_version": "1",
        "experiment": {
            "name": name,
            "seed": 1,
            "players": list(players),
            "strategies": list(strategies),
            "layout": "random",
            "outposts": "advanced",
            "rules": {"turns": 5, "confrontation": True},
            "handicaps": {},
        },
        "pack": {"name": "reconstructed", "version": 2, "hash": "abc", "share_assumed": 0.63},
    }


def _games(
    rng: np.random.Generator, blocks: int, players: int, strengths: tuple[float, ...]
) -> list[dict[str, Any]]:
    games = []
    for block in range(blocks):
        line_up = rng.permutation(4)[:players]
        for rotation in range(players):
            seated = np.roll(line_up, -rotation)  # as design.py seats a block
            weights = np.array(strengths)[seated]
            winner = int(rng.choice(players, p=weights / weights.sum()))
            games.append(
                {"block": 10 * block + players, "rotation": rotation, "players": players, "seated": seated}
                | {
                    "winner": winner,
                    "ending": "finished",
                    "ending_seat": None,
                    "margin": int(rng.integers(0, 9)),
                }
            )
    return games


def _games_table(rows: list[dict[str, Any]]) -> pa.Table:
    values: dict[str, list[Any]] = {
        "arm": [0] * len(rows),
        "turns": [4] * len(rows),
        "decisions": [500 + row["game"] % 7 for row in rows],
        "choices": [8_000] * len(rows),
        "longest_list": [120 + row["game"] % 50 for row in rows],
        "winner_seat": [row["winner"] for row in rows],
        "winner_faction": [
            None if (w := row["winner"]) is None else FACTIONS[row["seated"][w]] for row in rows
        ],
        "winning_margin": [None if row["winner"] is None else row["margin"] for row in rows],
        "tied_top": [None if row["winner"] is None else row["margin"] == 0 for row in rows],
        "layout_draws": [1] * len(rows),
        "game_hash": [row["game"] for row in rows],
    }
    for name in ("game", "block", "rotation", "players", "ending", "ending_seat"):
        values[name] = [row[name] for row in rows]
    return filled(GAMES, values, len(rows))


def _seats_values(
    rng: np.random.Generator, rows: list[dict[str, Any]], strategies: tuple[str, ...]
) -> dict[str, list[Any]]:
    seats = [(row, seat) for row in rows for seat in range(row["players"])]
    values: dict[str, list[Any]] = {
        "game": [row["game"] for row, _ in seats],
        "block": [row["block"] for row, _ in seats],
        "players": [row["players"] for row, _ in seats],
        "seat": [seat for _, seat in seats],
        "faction": [FACTIONS[row["seated"][seat]] for row, seat in seats],
        "strategy": [strategies[(row["game"] + seat) % len(strategies)] for row, seat in seats],
        "win_share": [None if (w := row["winner"]) is None else float(w == seat) for row, seat in seats],
        # Supplies: all from Outposts and Feats; Refuge 42 always has 40.
        "supplies_outposts": [30 + 2 * int(row["seated"][seat]) for row, seat in seats],
        "supplies_feats": [
            10 if row["seated"][seat] == 0 else int(rng.integers(5, 15)) for row, seat in seats
        ],
    }
    totals = zip(values["supplies_outposts"], values["supplies_feats"], strict=True)
    values["supplies"] = [a + b for a, b in totals]
    for source in SOURCES:
        values.setdefault(f"supplies_{source}", [0] * len(seats))
    return values
