"""Sampled packs on disk: a folder each, written whole or not at all."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from simlab.errors import UsageError
from simlab.game import Game
from simlab.wording import place


def sample(game: Game, pack: Any, seed: int, number: int, out: Path, keep: int = 0) -> Iterator[Path]:
    """Draw packs 0 … number − 1 of a seed into folders below `out`; the folder of each, as it is written.

    `keep` percent of the assumed values stay as they are. A folder that holds the very pack already is
    left alone; UsageError if it holds anything else.
    """
    if out.is_file():
        raise UsageError(f"{place(out)} is a file, not a folder")
    for index in range(number):
        name, texts = game.sample_pack(pack, seed, index, keep)
        write(out / name, texts)
        yield out / name


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write a pack's files into a new folder."""
    contents = {name: text.encode() for name, text in texts.items()}
    if folder.is_dir() and {file.name: _bytes(file) for file in folder.iterdir()} == contents:
        return
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"{place(folder)} is there already and holds something else")
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = folder.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        temporary.mkdir()
        for name, content in contents.items():
            (temporary / name).write_bytes(content)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _bytes(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None
