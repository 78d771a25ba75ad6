"""The cases in tests/inputs: their names, what they say, and the edits that packs and runs are made by."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simlab import results

INPUTS = Path(__file__).resolve().parent / "inputs"
LONGEST_SENTENCE = 600
_ERROR = re.compile(r"# error: (.+)")


def names(kind: str) -> list[str]:
    """The names of a folder's cases, such as `experiments/invalid`: a file NAME.toml or NAME.error each."""
    files = (INPUTS / kind).iterdir()
    return sorted({file.stem for file in files if file.suffix in {".toml", ".error"}})


def sentence(kind: str, name: str) -> str:
    """The sentence that an invalid case must get: NAME.error, else the first line of NAME.toml."""
    apart = INPUTS / kind / f"{name}.error"
    if apart.exists():
        return apart.read_text(encoding="utf-8").removesuffix("\n")
    with (INPUTS / kind / f"{name}.toml").open("rb") as file:
        first = file.readline().decode("utf-8-sig").rstrip("\r\n")
    found = _ERROR.fullmatch(first)
    assert found, f"{kind}/{name}.toml: its first line must be the sentence, as '# error: …'"
    return found[1]


def check_sentence(message: str, kind: str, name: str, **places: object) -> None:
    """A message is the case's sentence, on one line; `places` are what the sentence names in braces."""
    for word, place in places.items():
        message = message.replace(str(place), f"{{{word}}}")
    assert message == sentence(kind, name)
    assert message.isprintable()
    assert len(message) <= LONGEST_SENTENCE


def check_resolved(resolved: Any, kind: str, name: str, rewrite: bool) -> None:
    """What a valid case comes to is what NAME.json says; with `rewrite` it is made to."""
    file = INPUTS / kind / f"{name}.json"
    if rewrite:
        file.write_text(json.dumps(resolved, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert file.exists(), f"{file.name} is missing; pytest --write-resolved writes it"
    assert resolved == json.loads(file.read_text(encoding="utf-8"))


# --- edits --------------------------------------------------------------------------------------------


def apply(edits: list[Mapping[str, Any]], folder: Path) -> None:
    """Make the edits of a case in a folder, one after the other; one that changes nothing is a mistake."""
    for edit in edits:
        rest = {key: value for key, value in edit.items() if key != "file"}
        does = next((does for keys, does in _EDITS if set(rest) == keys), None)
        assert does, f"no edit has the keys {', '.join(rest)}; tests/inputs/README.md lists them"
        file = folder / edit["file"]
        before = _content(file)
        does(file, **{key.replace("with", "new"): value for key, value in rest.items()})
        assert _content(file) != before, f"the edit of {edit['file']} changes nothing"


def _content(file: Path) -> object:
    if file.is_file():
        return file.read_bytes()
    return "folder" if file.is_dir() else "nothing"


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8")


def _write(file: Path, content: str) -> None:
    file.write_bytes(content.encode())


def _remove(file: Path, remove: bool) -> None:
    assert remove
    if file.is_dir():
        shutil.rmtree(file)
    else:
        file.unlink()


def _replace(file: Path, replace: str, new: str, after: str = "") -> None:
    """The first place with a text, below the first place with `after`."""
    head, mark, rest = _text(file).partition(after) if after else ("", "", _text(file))
    assert mark == after, f"{after} isn't in {file.name}"
    assert replace in rest, f"{replace} isn't in {file.name}"
    _write(file, head + mark + rest.replace(replace, new, 1))


def _replace_all(file: Path, replace_all: str, new: str) -> None:
    _write(file, _text(file).replace(replace_all, new))


def _lines(file: Path) -> list[list[str]]:
    """A CSV file as lists of cells; those of the shipped packs have no quotes."""
    return [line.split(",") for line in _text(file).splitlines()]


def _write_lines(file: Path, lines: list[list[str]]) -> None:
    _write(file, "".join(",".join(line) + "\n" for line in lines))


def _row_of(file: Path, lines: list[list[str]], row: str) -> int:
    """The number of the first row that begins with a text."""
    found = [number for number, line in enumerate(lines) if ",".join(line).startswith(row)]
    assert found, f"no row of {file.name} begins with {row}"
    return found[0]


def _set_cells(file: Path, row: str, set: Mapping[str, str]) -> None:  # noqa: A002  (the key's name)
    lines = _lines(file)
    line = lines[_row_of(file, lines, row)]
    for column, cell in set.items():
        line[lines[0].index(column)] = cell
    _write_lines(file, lines)


def _remove_row(file: Path, row: str, remove: bool) -> None:
    assert remove
    lines = _lines(file)
    del lines[_row_of(file, lines, row)]
    _write_lines(file, lines)


def _rename_column(file: Path, column: str, rename: str) -> None:
    lines = _lines(file)
    lines[0][lines[0].index(column)] = rename
    _write_lines(file, lines)


def _remove_column(file: Path, column: str, remove: bool) -> None:
    assert remove
    lines = _lines(file)
    number = lines[0].index(column)
    _write_lines(file, [line[:number] + line[number + 1 :] for line in lines])


def _set_keys(file: Path, set: Mapping[str, Any], seal: bool = False) -> None:  # noqa: A002  (the key's name)
    """Keys of a manifest, by path; `seal`: as if simlab had written it so."""
    manifest = json.loads(_text(file))
    for path, value in set.items():
        *tables, key = path.split(".")
        table = manifest
        for step in tables:
            table = table[step]
        table[key] = value
    if seal:
        results.write_manifest(file.parent, manifest)
    else:
        _write(file, json.dumps(manifest))


_EDITS: tuple[tuple[set[str], Callable[..., object]], ...] = (
    ({"remove"}, _remove),
    ({"content"}, _write),
    ({"hex"}, lambda file, hex: file.write_bytes(bytes.fromhex(hex))),  # noqa: A006
    ({"folder"}, lambda file, folder: file.mkdir()),
    ({"copy"}, lambda file, copy: file.write_bytes((file.parent.parent / copy).read_bytes())),
    ({"cut"}, lambda file, cut: file.write_bytes(file.read_bytes()[:-cut])),
    ({"add"}, lambda file, add: _write(file, _text(file) + add)),
    ({"replace", "with"}, _replace),
    ({"replace", "with", "after"}, _replace),
    ({"replace_all", "with"}, _replace_all),
    ({"row", "set"}, _set_cells),
    ({"row", "remove"}, _remove_row),
    ({"column", "rename"}, _rename_column),
    ({"column", "remove"}, _remove_column),
    ({"set"}, _set_keys),
    ({"set", "seal"}, _set_keys),
)
