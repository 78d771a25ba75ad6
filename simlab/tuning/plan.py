"""What a tuning will be: all that decides how it goes loaded, hashed and named."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from simlab import catalog
from simlab.manifest import versions
from simlab.plan import RUNS
from simlab.tuning.question import Tuning
from simlab.tuning.search import imported

_IDENTITY = 1  # version of what the hash covers, and of how deals and league are made
_HASH_SHOWN = 8  # of the hash, in the folder's name


@dataclass(frozen=True)
class Plan:
    """A tuning that can be played: what, of which code, where to."""

    tuning: Tuning
    signature: str
    base_hash: str
    hash: str
    versions: dict[str, str]
    folder: Path

    def identity(self) -> dict[str, Any]:
        """What its folder says of it."""
        search = self.tuning.search()
        return {"format": _IDENTITY, "hash": self.hash, "search": search, "versions": self.versions}


def plan(tuning: Tuning, out: Path | None = None) -> Plan:
    """Load and compile what the tuning needs, name it; `out` is its folder (under runs/ by default)."""
    imported()
    game = tuning.game
    game.warm_up()
    engine, signature, made_with = catalog.engine_hash(game), game.signature(), versions("cma")
    base_hash = catalog.strategy_hash(tuning.base)
    hashes = [base_hash, *map(catalog.strategy_hash, tuning.opponents), engine]
    identity: list[Any] = [_IDENTITY, tuning.search(), made_with["cma"], made_with["numpy"]]
    identity += [experiment.run_hash(hashes, signature) for experiment in tuning.experiments]
    hashed = sha256(json.dumps(identity).encode()).hexdigest()
    folder = out or RUNS / f"tune-{tuning.name}-{hashed[:_HASH_SHOWN]}"
    return Plan(tuning, signature, base_hash, hashed, made_with, folder)
