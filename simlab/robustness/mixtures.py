"""Packs mixed of a pack's own values and those of sampled ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory

from simlab import packs
from simlab.errors import PackError, RunError
from simlab.game import Game
from simlab.robustness.morris import LEVELS, STEPS
from simlab.robustness.values import CELL, FILE, ROW, Cells, File, Value, values_of
from simlab.tuning.deals import seed_of

TRIALS = 12  # mixes of a file that must be read before its values are taken apart so finely
FEW = 4  # values of a file, of which each two are tried with all that they may be
_HASH_SHOWN = 16  # of a mixed pack's content, in its name

Texts = dict[str, str]


@dataclass(frozen=True)
class Mixtures:
    """All packs that can be mixed: the pack's own files, and its values with what each may be."""

    game: Game
    files: Mapping[str, File]
    values: tuple[Value, ...]

    def texts(self, levels: Mapping[int, float]) -> Texts:
        """The files of a mix: values, by number, at these levels, all others the pack's own."""
        values = [self.values[number] for number in levels]
        cells = [value.at(level) for value, level in zip(values, levels.values(), strict=True)]
        return texts_of(self.files, cells, values)

    def write(self, levels: Mapping[int, float], folder: Path) -> Path:
        """Write a mix below a folder, named by its content; its own folder."""
        made = self.texts(levels)
        name = sha256(repr(sorted(made.items())).encode()).hexdigest()[:_HASH_SHOWN]
        packs.write(folder / name, made)
        return folder / name


def texts_of(files: Mapping[str, File], cells: Sequence[Cells], values: Sequence[Value]) -> Texts:
    """The files with other cells in them."""
    changed: dict[str, Cells] = {}
    for value, each in zip(values, cells, strict=True):
        changed.setdefault(value.file, {}).update(each)
    return {
        name: file.with_cells(changed[name]) if name in changed else file.text for name, file in files.items()
    }


def mixtures(game: Game, own: Path, sampled: Sequence[Path]) -> Mixtures:
    """The values of a pack by what sampled packs have otherwise, each as fine as its file can be mixed.

    Raises RunError where sampled packs don't differ.
    """
    files = {path.name: _read(path) for path in sorted(own.iterdir()) if path.suffix in {".csv", ".toml"}}
    found: list[Value] = []
    for name, file in files.items():
        others = [_read(folder / name) for folder in sampled]
        found += _taken_apart(file, others, lambda texts: _readable(game, texts), files)
    if not found:
        raise RunError("the sampled packs are all alike, so there is nothing to screen")
    return Mixtures(game, files, tuple(found))


def _read(path: Path) -> File:
    return File(path.name, path.read_text(encoding="utf-8-sig"))


def _taken_apart(
    file: File, others: Sequence[File], readable: Callable[[Texts], bool], files: Mapping[str, File]
) -> list[Value]:
    """The values of a file at the finest grain at which mixes can be read."""
    for grain in (CELL, ROW):
        values = values_of(file, others, grain)
        if all(readable(texts_of(files, cells, values)) for cells in _trials(values)):
            return values
    return values_of(file, others, FILE)


def _trials(values: Sequence[Value]) -> Iterator[list[Cells]]:
    """What values are tried at: levels at random, all at once; of few values each two at all levels."""
    for number in range(TRIALS if values else 0):
        yield [value.at(STEPS[seed_of(f"screen {value.label}", number) % LEVELS]) for value in values]
    for one, other in combinations(range(len(values)), 2) if len(values) <= FEW else ():
        for here, there in product(STEPS, STEPS):
            levels = {one: here, other: there}
            yield [value.at(levels.get(number, 0.0)) for number, value in enumerate(values)]


def _readable(game: Game, texts: Texts) -> bool:
    with TemporaryDirectory() as folder:
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        try:
            game.load_pack(folder)
        except PackError:
            return False
        return True
