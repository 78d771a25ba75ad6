"""A pack whose cards bear any icons, whose slots ask for anything and whose Missions give anything: what the
shipped one doesn't print.
"""

from __future__ import annotations

import csv
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from simlab.games.dei.pack import PACKS
from simlab.games.dei.pack_rows import CANDY_TOKENS, MISSION_NUMBERS
from simlab.games.dei.vocabulary import CANDIES, DRONES, FACTIONS, MISSION_KINDS

PLAIN = (
    *("move", "move@tactic", "move@logistic", "collect", "collect@logistic", "collect@machinery"),
    *("enlist", "enlist@tactic", "enlist@machinery", "kill", "candy"),
    *("build:refuge", "build:elevator", "build:bridge", "build:any"),
    *("technology", "technology*2", "energy", "energy*3", "supplies", "supplies*2"),
)
PER = ("", "", "", "/tactic", "/logistic", "/machinery", "/outpost")


def write_wild_pack(folder: Path, seed: int, base: Path = PACKS / "reconstructed") -> Path:
    """Write such a pack, with the board of `base`, into `folder`, which must not exist, and return it."""
    chance = random.Random(seed)
    shutil.copytree(base, folder)
    _rewrite(folder / "cards.csv", lambda row: _deal_card(row, chance))
    _rewrite(folder / "markets.csv", lambda row: _deal_slot(row, chance))
    _rewrite(folder / "missions.csv", lambda row: _deal_mission(row, chance))
    tokens = Counter(chance.choices(CANDIES, k=CANDY_TOKENS))
    _rewrite(folder / "candy.csv", lambda row: row.update(tokens=str(tokens[row["kind"]])))
    return folder


def _rewrite(path: Path, change: Callable[[dict[str, str]], None]) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["source"] = "rulebook"  # so that no ranges are asked for
        row.update({column: "" for column in row if column.endswith("_range")})
        change(row)
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


def _deal_mission(row: dict[str, str], chance: random.Random) -> None:
    """Half of them count anything and give whatever a pack may say: then they are assumed."""
    if chance.random() < 0.5:
        kind = chance.choice(MISSION_KINDS)
        row.update({column: str(chance.randint(1, 9)) for column in MISSION_NUMBERS})
        row.update(kind=kind, title=kind, kind_range=kind, source="assumed")
    elif row["id"] != row["kind"]:  # a second copy keeps what it is
        row.update(kind_range=row["kind"], source="assumed")
