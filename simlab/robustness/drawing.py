"""Sampled packs of a question, drawn once: those that are there as they were drawn aren't drawn again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from simlab import catalog, packs, results
from simlab.experiment import Experiment

DRAWN = "drawn.json"  # what was drawn: for which pack, seed and source, and the hash of each


def drawn(experiment: Experiment, number: int, folder: Path) -> Iterator[Path]:
    """The folders of packs 0 … number − 1, those of `simlab pack sample` with the experiment's seed.

    A folder that was changed since isn't taken; UsageError where it is in the way.
    """
    game, pack = experiment.game, experiment.settings.pack
    of = sha256(json.dumps([pack.hash, experiment.seed, catalog.engine_hash(game)]).encode()).hexdigest()
    known = _known(folder / DRAWN, of)
    for index in range(number):
        name, content = known.get(str(index), ("", ""))
        if not name or _content(folder / name) != content:
            name, texts = game.sample_pack(pack, experiment.seed, index, 0)
            packs.write(folder / name, texts)
            known[str(index)] = (name, _content(folder / name))
            told = json.dumps({"of": of, "packs": known}, indent=1)
            results.write_whole(folder / DRAWN, told.encode())
        yield folder / name


def _known(file: Path, of: str) -> dict[str, Any]:
    """Name and hash of each pack that was drawn for the same question, by number."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        return dict(told["packs"]) if told["of"] == of else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _content(folder: Path) -> str:
    """A hash of a pack's files; nothing if it isn't there."""
    if not folder.is_dir():
        return ""
    files = {file.name: sha256(file.read_bytes()).hexdigest() for file in folder.iterdir() if file.is_file()}
    return sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
