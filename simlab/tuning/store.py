"""A tuning's folder: what was found in each generation, so that a stopped search goes on from there.

    tuning.json               what is tuned, and a hash of all that decides how the search goes
    generations/000007.json   the candidates of generation 7 and their fitness
    champions/000010.json     the mean after ten generations, on validation deals
    NAME.toml                 the result: weights with their provenance

Each file is written whole or not at all, and once; those of JSON bear a seal, a hash of what they say.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab import results
from simlab.errors import ResultsError, RunError
from simlab.wording import place

TUNING = "tuning.json"
GENERATIONS, CHAMPIONS = "generations", "champions"


@dataclass(frozen=True)
class Store:
    """The folder of a tuning."""

    folder: Path

    def open(self, identity: dict[str, Any]) -> None:
        """Begin in an empty folder, or go on in this tuning's; raises RunError where it is another's."""
        file = self.folder / TUNING
        if results.is_empty(self.folder):
            self._write(file, identity)
        elif not file.is_file():
            raise RunError(f"{place(self.folder)} holds something other than a tuning; choose another --out")
        elif _read(file)["hash"] != identity["hash"]:
            raise RunError(f"{place(self.folder)} holds another tuning; choose another --out")
        results.tidy(self.folder, (GENERATIONS, CHAMPIONS))
        for kind in (GENERATIONS, CHAMPIONS):
            (self.folder / kind).mkdir(exist_ok=True)

    def has(self, kind: str, number: int) -> bool:
        """Whether it is there, in whatever state."""
        return self._file(kind, number).exists()

    def read(self, kind: str, number: int) -> dict[str, Any] | None:
        """What was found, if it was."""
        return _read(self._file(kind, number)) if self.has(kind, number) else None

    def write(self, kind: str, number: int, found: dict[str, Any]) -> None:
        """Keep what was found."""
        self._write(self._file(kind, number), found)

    def write_result(self, name: str, text: str) -> Path:
        """Write the weights; their path."""
        file = self.folder / f"{name}.toml"
        results.write_whole(file, text.encode())
        return file

    def _file(self, kind: str, number: int) -> Path:
        return self.folder / kind / f"{number:06d}.json"

    @staticmethod
    def _write(file: Path, content: dict[str, Any]) -> None:
        sealed = {**content, "seal": results.seal(content)}
        results.write_whole(file, (json.dumps(sealed) + "\n").encode())


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultsError(f"{place(file)} can't be read: {error.strerror}") from None
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("seal") != results.seal(found):
        raise ResultsError(
            f"{place(file)} is broken: it isn't as it was written; without it, it is made anew"
        )
    return found
