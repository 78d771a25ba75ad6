"""Result folders: written whole, declared columns, damage is said (most of it in tests/inputs/runs)."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simlab import results
from simlab.errors import ResultsError, UsageError
from simlab.game import Column, Table
from simlab.results import BLOCK, GAME, HASH, WORD

GAMES = Table("games", "a row a game", (GAME, BLOCK, Column("ending", WORD, "", "how it ended"), HASH))
SEATS = Table("seats", "a row a seat", (GAME, Column("place", "int8", "", "1 = winner")))
TABLES = (GAMES, SEATS)


def part(first: int, n: int) -> dict[str, pa.Table]:
    game = np.arange(first, first + n)
    endings = results.words(game % 2 - 0, ["finished", "stalled"])
    columns = {"game": game, "block": game // 2, "ending": endings, "game_hash": game * 10}
    place = results.optional((game % 3).astype(np.int8), game % 3 == 0)
    return {
        "games": results.arrow(GAMES, columns),
        "seats": results.arrow(SEATS, {"game": game, "place": place}),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    parts = {}
    for number in range(3):
        name = results.part_name(number, 10, 10)
        parts[name] = results.write_part(folder, name, TABLES, part(10 * number, 10))
    listed(folder, parts)
    return folder


def listed(folder: Path, parts: results.Parts) -> None:
    results.write_manifest(folder, {"format": results.FORMAT, "tables": ["games", "seats"], "parts": parts})


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "float32", "bool"])
def test_columns_are_what_arrow_makes_of_them(dtype: str) -> None:
    """Also of strided arrays, as the fields of records are, and where all, some or none are absent."""
    values = np.random.default_rng(1).integers(0, 100, (77, 3)).astype(dtype)[:, 1]
    table = Table("x", "x", (Column("a", dtype, "", ""),))
    assert results.arrow(table, {"a": values})["a"].combine_chunks().equals(pa.array(values))
    for absent in (values > 40, np.ones(77, bool), np.zeros(77, bool)):
        made = results.optional(values, absent)
        made.validate(full=True)
        assert made.equals(pa.array(values, mask=absent))
        assert made.null_count == absent.sum()
    assert len(results.optional(values[:0], values[:0] > 0)) == 0


def test_words_are_texts_by_number() -> None:
    made = results.words(np.array([1, -1, 0, 2]), ["", "größer", "b"])
    made.validate(full=True)
    assert made.to_pylist() == ["größer", None, "", "b"]


def test_what_is_written_is_read(folder: Path) -> None:
    run = results.open_run(folder)
    assert run.sql("SELECT count(*), sum(game_hash) FROM games").fetchall() == [(30, 4350)]
    assert run.sql("SELECT DISTINCT ending FROM games ORDER BY 1").fetchall() == [("finished",), ("stalled",)]
    assert run.sql("SELECT count(*) FROM seats WHERE place IS NULL").fetchall() == [(10,)]
    joined = run.sql("SELECT count(*) FROM games JOIN seats USING (game)").fetchall()
    assert joined == [(30,)]


def test_columns_carry_unit_and_meaning(folder: Path) -> None:
    schema = pq.read_schema(folder / "games" / "000000.parquet")
    assert schema.field("game").metadata[b"meaning"] == GAME.meaning.encode()
    assert [field.name for field in schema] == [column.name for column in GAMES.columns]


def test_nothing_temporary_is_left(folder: Path) -> None:
    assert {file.suffix for file in folder.rglob("*") if file.is_file()} == {".parquet", ".json"}


def test_an_interrupted_write_leaves_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(OSError, match="No space left"):
        results.write_part(tmp_path, "000000", TABLES, part(0, 4))
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_what_the_manifest_does_not_list_does_not_count(folder: Path) -> None:
    for table in ("games", "seats"):
        (folder / table / "000007.parquet").write_bytes((folder / table / "000000.parquet").read_bytes())
        (folder / table / "²-3.parquet").write_bytes(b"")
    run = results.open_run(folder)
    assert run.sql("SELECT count(*) FROM games").fetchall() == [(30,)]
    assert run.sql("SELECT count(*) FROM seats").fetchall() == [(30,)]


def test_tidying_removes_what_was_replaced_and_what_a_killed_run_left(folder: Path) -> None:
    parts = dict(results.read_manifest(folder)["parts"])
    for n in (4, 6):
        parts[f"000003-{n}"] = results.write_part(folder, results.part_name(3, n, 10), TABLES, part(30, n))
    parts.pop("000003-4")
    for place in (folder, folder / "games"):
        (place / f".{'0a' * 16}.tmp").write_bytes(b"half")
    (folder / "games" / "mine.tmp").write_bytes(b"")
    (folder / "seats" / "notes.parquet").write_bytes(b"")
    results.tidy(folder, ["games", "seats", "nowhere"], parts)
    kept = ["000000", "000001", "000002", "000003-6"]
    assert sorted(file.stem for file in (folder / "games").iterdir()) == [*kept, "mine"]
    assert sorted(file.stem for file in (folder / "seats").iterdir()) == [*kept, "notes"]
    assert not list(folder.glob(".*.tmp"))


@pytest.mark.parametrize(("name", "size"), [("000003", (3, None)), ("000003-1200", (3, 1200))])
def test_a_parts_name_says_its_number_and_size(name: str, size: tuple[int, int | None]) -> None:
    assert results.part_size(name) == size
    assert results.part_name(3, size[1] or 9000, 9000) == name


def test_a_folder_with_signs_of_patterns_in_its_name_is_read(folder: Path) -> None:
    odd = folder.with_name("what's [this]* one")
    folder.rename(odd)
    assert results.open_run(odd).sql("SELECT count(*) FROM games").fetchall() == [(30,)]


def test_a_folder_that_is_no_run_is_said(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(UsageError, match="there is no such run folder"):
        results.open_run(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"is a file, not a run folder"):
        results.open_run(folder / "manifest.json")
    with pytest.raises(UsageError, match=r"is not a run folder: it has no manifest.json"):
        results.open_run(tmp_path)
    (folder / "manifest.json").unlink()
    with pytest.raises(UsageError, match="is not a run folder"):
        results.open_run(folder)


def overwritten(file: Path) -> None:
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 20] = bytes(byte ^ 0xFF for byte in content[middle : middle + 20])
    file.write_bytes(content)


def piped(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def looped(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


DAMAGE = {
    "missing": (Path.unlink, "is missing"),
    "overwritten": (overwritten, "is broken"),
    "of zeros": (lambda file: file.write_bytes(b"PAR1" + b"\0" * 200 + b"PAR1"), "is broken"),
    "a pipe": (piped, "is no file"),
    "a loop": (looped, "can't be read: Too many levels of symbolic links"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_said_with_what_to_do(folder: Path, damage: str) -> None:
    harm, reason = DAMAGE[damage]
    harm(folder / "seats" / "000002.parquet")
    with pytest.raises(ResultsError, match=rf"seats/000002.parquet {reason}.*; run the experiment again"):
        results.open_run(folder)
    assert list(results.faults(folder, results.read_manifest(folder)["parts"])) == ["000002"]


def test_a_file_that_may_not_be_read_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused by hand: who runs tests as root may read everything."""
    closed = folder / "games" / "000001.parquet"
    opened = Path.open

    def guarded(path: Path, *args: object, **kwargs: object) -> object:
        if path == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", guarded)
    with pytest.raises(ResultsError, match=r"games/000001.parquet can't be read: Permission denied; run"):
        results.open_run(folder)


def test_undeclared_columns_are_refused() -> None:
    with pytest.raises(AssertionError, match="place"):
        results.arrow(SEATS, {"game": np.arange(3)})
    with pytest.raises(pa.ArrowInvalid):
        results.arrow(SEATS, {"game": np.arange(3), "place": np.array([1, 2, 300])})
