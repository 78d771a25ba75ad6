"""A game whose truth hangs on its pack: one card's power decides how often red wins, all else of it nothing.

Packs are folders. Strategies are named by what they add to blue's strength in hundredths of log odds.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from fake_game import ENDINGS, FACTIONS, GAME_OF_CHANCE, GAMES, FakePack, choose
from ladder_game import SEATS

from simlab.design import draw
from simlab.errors import PackError
from simlab.results import arrow, optional, words
from simlab.strategy import Strategy

DECIDES, EVEN = "c3", 2  # the card that decides, and the power at which red is as strong as the others
STRENGTH = 0.4  # log odds a point of power
CANDY = 4  # tokens in all
TEXTS = {
    "pack.toml": 'name = "paper"\ntitle = "Paper"\nlimit = 5\nlimit_range = "3..7"\n',
    "cards.csv": "id,power,power_range,price,price_range\n"
    + "".join(f"c{k},2,0..4,1,0..2\n" for k in range(1, 7)),
    "candy.csv": "kind,tokens\nmove,2\nkill,1\ncollect,1\n",
    "tiles.toml": "".join(f'[[tile]]\nid = "{k}"\nmap = ["AA", "bb"]\n\n' for k in range(1, 4)),
}


@dataclass(frozen=True)
class Deck(FakePack):
    power: int = EVEN


def load_pack(name: str) -> Deck:
    folder = Path(name)
    try:
        texts = {file: (folder / file).read_text(encoding="utf-8") for file in TEXTS}
    except OSError:
        raise PackError(f"there is no pack {name!r}") from None
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(texts["cards.csv"]))}
    tokens = sum(int(row["tokens"]) for row in csv.DictReader(io.StringIO(texts["candy.csv"])))
    if tokens != CANDY:
        raise PackError(f"{tokens} tokens")
    named = tomllib.loads(texts["pack.toml"])["name"]
    content = sha256(repr(sorted(texts.items())).encode()).hexdigest()
    return Deck(named, hash=content, power=int(rows[DECIDES]["power"]))


def sample_pack(pack: Deck, seed: int, index: int, keep: int) -> tuple[str, dict[str, str]]:
    """Each number drawn evenly from its range, tokens as they can be."""

    def number(low: int, high: int, *where: int) -> int:
        place = sum(each * 100**k for k, each in enumerate(where))
        return low + int(draw(seed, 31, index, place)) % (high - low + 1)

    lines = ["id,power,power_range,price,price_range"]
    lines += [f"c{k},{number(0, 4, k, 1)},0..4,{number(0, 2, k, 2)},0..2" for k in range(1, 7)]
    move = number(0, CANDY, 1, 3)
    tiles = [f'[[tile]]\nid = "{k}"\nmap = ["A{"Ab"[number(0, 1, k, 4)]}", "bb"]\n' for k in range(1, 4)]
    name, limit = f"paper-{seed}-{index}", number(3, 7, 1, 5)
    return name, {
        "pack.toml": f'name = "{name}"\ntitle = "Drawn"\nlimit = {limit}\nlimit_range = "3..7"\n',
        "cards.csv": "\n".join(lines) + "\n",
        "candy.csv": f"kind,tokens\nmove,{move}\nkill,{CANDY - move}\ncollect,0\n",
        "tiles.toml": "\n".join(tiles),
    }


def strategy(name: str, games_per_part: int = 24_000) -> Strategy:
    return Strategy(name, "plays", choose, (int(name.partition("/")[2]),), games_per_part=games_per_part)


def strengths(power: int, blue: float) -> np.ndarray:
    """By faction; turns of another rule than 4 make green stronger."""
    return np.array([STRENGTH * (power - EVEN), 0.0, blue, 0.0])


def tables_of(settings, schedule, strategies, logs):
    game, seat = np.nonzero(np.arange(6) < schedule["players"][:, None])
    own = strengths(settings.pack.power, strategies[0].weights[0] / 100)
    own[1] += 0.3 * (settings.rules.get("turns", 4) - 4)
    faction = schedule["faction"]
    uniform = (draw(schedule["strategy_key"][:, None], 97, faction, 0) + 0.5) / 2.0**63
    height = np.where(faction < 0, -np.inf, own[faction] - np.log(-np.log(uniform)))
    won = height == height.max(axis=1, keepdims=True)
    lost = logs["ending"][game] != 1
    logs["game_hash"] = draw(logs["game_hash"], 96, np.argmax(height, axis=1), 0)
    columns = {name: schedule[name] for name in ("game", "block", "arm", "rotation", "players")}
    columns["ending"] = words(logs["ending"], ENDINGS)
    columns["ending_seat"] = optional(logs["ending_seat"], logs["ending_seat"] < 0)
    columns["decisions"], columns["game_hash"] = logs["decisions"], logs["game_hash"]
    seats = {
        "game": schedule["game"][game],
        "block": schedule["block"][game],
        "seat": seat.astype(np.int8),
        "faction": words(faction[game, seat], FACTIONS),
        "strategy": words(schedule["strategy"][game, seat], [each.name for each in strategies]),
        "place": optional(np.where(won[game, seat], 1, 2).astype(np.int8), lost),
        "win_share": optional(won[game, seat].astype(np.float32), lost),
    }
    return {"games": arrow(GAMES, columns), "seats": arrow(SEATS, seats)}


def write_own(folder: Path) -> Path:
    """The pack that the others are drawn from."""
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


GAME_OF_PACKS = dataclasses.replace(
    GAME_OF_CHANCE,
    tables=(GAMES, SEATS),
    tables_of=tables_of,
    load_pack=load_pack,
    sample_pack=sample_pack,
    may_bite=None,
)
