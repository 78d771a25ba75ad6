"""A run as the design has it, whose places are drawn from planted strengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from components import filled

from simlab.design import Design, Part
from simlab.games.dei.record import GAMES, SEATS
from simlab.games.dei.vocabulary import FACTIONS
from simlab.mirrored import Mirrored
from simlab.results import FORMAT, write_manifest, write_part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Heights = Callable[[Any, Any, Any], Any]


def write_planned(
    folder: Path,
    games: int,
    players: int | tuple[int, ...],
    strategies: tuple[str, ...],
    heights: Heights,
    seed: int = 1,
    *,
    times: int = 1,
    luck: float = 0.0,
    factions: tuple[int, ...] = (0, 1, 2, 3),
    mirrored: bool = False,
) -> Path:
    """Games of the factions in the order of the design.

    `heights` gives the log strength (N, P) of seats from their factions, seats and strategies (N, P); `luck`
    is the standard deviation of what a deal adds for a faction. `times`: each game so often, in other blocks.
    """
    many = (players,) if isinstance(players, int) else players
    design = (Mirrored if mirrored else Design)(seed, many, factions, len(strategies))
    cycles = design.cycles(games)
    schedule = design.schedule(Part(0, 0, cycles, cycles * design.games_in_cycle, 0))
    rng = np.random.default_rng(seed)
    present = np.arange(6) < schedule["players"][:, None]
    faction, strategy = (np.where(present, schedule[name], 0) for name in ("faction", "strategy"))
    seat = np.broadcast_to(np.arange(6), faction.shape)
    lucky = rng.normal(0, luck, (int(schedule["block"].max()) + 1, 4))
    height = heights(faction, seat, strategy) + lucky[schedule["block"][:, None], faction]
    score = np.where(present, height + rng.gumbel(size=present.shape), -np.inf)
    games_, seats = _tables(schedule, score, strategies, times)
    tables = {
        "games": filled(GAMES, games_, len(games_["game"])),
        "seats": filled(SEATS, seats, len(seats["game"])),
    }
    folder.mkdir(parents=True)
    parts = {"000000": write_part(folder, "000000", [GAMES, SEATS], tables)}
    experiment = {"name": folder.name, "seed": seed, "players": list(many), "strategies": list(strategies)}
    experiment["factions"] = [FACTIONS[k] for k in factions]
    experiment |= {"mixing": "mirrored"} if mirrored else {}
    said = {"format": FORMAT, "name": folder.name, "finished": True, "experiment": experiment}
    write_manifest(
        folder, said | {"tables": list(tables), "parts": parts, "digest": "0", "pack": {"name": "none"}}
    )
    return folder


def _tables(schedule: Any, score: Any, strategies: tuple[str, ...], times: int) -> tuple[dict[str, Any], ...]:
    blocks = int(schedule["block"].max()) + 1
    block = np.concatenate([schedule["block"] + k * blocks for k in range(times)])
    schedule, places = np.tile(schedule, times), np.tile(_places(score), (times, 1))
    number = np.arange(len(schedule))
    columns = {"game": number, "block": block, "arm": 0 * number}
    games: dict[str, Any] = {name: schedule[name] for name in ("rotation", "players")} | columns
    games |= {
        "ending": ["finished"] * len(number),
        "winner_seat": places.argmin(axis=1),
        "decisions": 1 + 0 * number,
    }
    game, seat = np.nonzero(np.arange(6) < schedule["players"][:, None])
    place = places[game, seat]
    won = place == 1
    seats: dict[str, Any] = {name: column[game] for name, column in columns.items()}
    seats |= {"players": schedule["players"][game], "seat": seat, "win_share": won.astype(np.float32)}
    seats |= {"place": place, "supplies": 40 + won}
    seats["faction"] = np.array(FACTIONS)[schedule["faction"][game, seat]]
    seats["strategy"] = np.array(strategies)[schedule["strategy"][game, seat]]
    return games, seats


def _places(score: Any) -> Any:
    """Places (N, 6) of seats by their scores, 1 for the highest: rankings as Plackett and Luce have them."""
    return 1 + (-score).argsort(axis=1, kind="stable").argsort(axis=1)
