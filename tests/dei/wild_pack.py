"""A pack whose cards bear any icons and whose slots ask for anything: what the shipped one doesn't print."""

from __future__ import annotations

import csv
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from simlab.games.dei.pack import PACKS
from simlab.games.dei.vocabulary import DRONES, FACTIONS

PLAIN = (
    *("move", "move@tactic", "move@logistic", "collect", "collect@logistic", "collect@machinery"),
    *("enlist", "enlist@tactic", "enlist@machinery", "kill", "candy"),
    *("build:refuge", "build:elevator", "build:bridge", "build:any"),
    *("technology", "technology*2", "energy", "energy*3", "supplies", "supplies*2"),
)
PER = ("", "", "", "/tactic", "/logistic", "/machinery", "/outpost")


def write_wild_pack(folder: Path, seed: int) -> Path:
    """Write such a pack into `folder`, which must not exist, and return it."""
    chance = random.Random(seed)
    shutil.copytree(PACKS / "reconstructed", folder)
    _rewrite(folder / "cards.csv", lambda row: _deal_card(row, chance))
    _rewrite(folder / "markets.csv", lambda row: _deal_slot(row, chance))
    return folder


def _rewrite(path: Path, change: Callable[[dict[str, str]], None]) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        change(row)
        row["source"] = "rulebook"  # so that no ranges are asked for
        row.update({column: "" for column in row if column.endswith("_range")})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def _deal_card(row: dict[str, str], chance: random.Random) -> None:
    """One to four icons; Drone icons where a pack may have them; a price and Supplies on Market cards."""
    icons = [chance.choice(PLAIN) + chance.choice(PER) for _ in range(chance.randint(1, 3))]
    if chance.random() < 0.15:
        icons.append("copy")
    if "drone" in row["icons"]:
        own = row["deck"] if row["deck"] in DRONES else DRONES[FACTIONS.index(row["deck"])]
        which = "any" if row["deck"] in DRONES and chance.random() < 0.5 else own
        icons.append(chance.choice((f"drone:{which}", f"drone:{which}+1")))
    row["icons"] = " ".join(icons)
    if row["deck"] not in FACTIONS:
        row.update({column: str(chance.randint(0, 3)) for column in ("technology", "energy", "supplies")})


def _deal_slot(row: dict[str, str], chance: random.Random) -> None:
    black = row["market"] == "black"
    row.update(cubes="0" if black else str(chance.randint(0, 3)), technology=str(chance.randint(-2, 2)))
