"""Result folders: written whole, declared columns, every broken one a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simlab import results
from simlab.errors import ResultsError
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
    for number in range(3):
        results.write_part(folder, results.part_name(number, 10, 10), TABLES, part(10 * number, 10))
    results.write_manifest(folder, {"format": results.FORMAT, "tables": ["games", "seats"]})
    return folder


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


def test_a_part_without_its_games_file_does_not_count(folder: Path) -> None:
    (folder / "games" / "000001.parquet").unlink()
    run = results.open_run(folder)
    assert (
        run.sql("SELECT count(*) FROM games").fetchall() == run.sql("SELECT count(*) FROM seats").fetchall()
    )
    assert list(results.parts_of(folder)) == [0, 2]


def test_the_longer_of_two_files_of_a_part_counts(folder: Path) -> None:
    for n in (4, 6):
        results.write_part(folder, results.part_name(3, n, 10), TABLES, part(30, n))
    assert results.parts_of(folder)[3] == ("000003-6", 6)
    results.write_part(folder, results.part_name(3, 10, 10), TABLES, part(30, 10))
    assert results.parts_of(folder)[3] == ("000003", None)
    assert results.open_run(folder).sql("SELECT count(*) FROM seats").fetchall() == [(40,)]
    results.drop_shorter(folder, TABLES, 3, "000003")
    assert max(file.name for file in (folder / "seats").iterdir()) == "000003.parquet"
    assert len(list((folder / "games").iterdir())) == 4


def test_a_folder_with_signs_of_patterns_in_its_name_is_read(folder: Path) -> None:
    odd = folder.with_name("what's [this]* one")
    folder.rename(odd)
    assert results.open_run(odd).sql("SELECT count(*) FROM games").fetchall() == [(30,)]


def test_a_folder_that_is_no_run_is_said(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(ResultsError, match="there is no such run folder"):
        results.open_run(tmp_path / "nowhere")
    with pytest.raises(ResultsError, match=r"is not a run folder: it has no manifest.json"):
        results.open_run(tmp_path)
    (folder / "manifest.json").unlink()
    with pytest.raises(ResultsError, match="is not a run folder"):
        results.open_run(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 99, "tables": []}', "\x00"])
def test_a_broken_manifest_is_said(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ResultsError, match=r"manifest.json (can't be read as JSON|is not the manifest)"):
        results.open_run(folder)


def test_a_run_without_games_is_said(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"format": 1, "tables": ["games"]}), encoding="utf-8")
    with pytest.raises(ResultsError, match="holds no played game yet"):
        results.open_run(tmp_path)


@pytest.mark.parametrize("keep", [0, 3, 100, -1])
def test_a_truncated_part_is_said(folder: Path, keep: int) -> None:
    file = folder / "seats" / "000002.parquet"
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(ResultsError, match=r"000002.parquet is broken"):
        results.open_run(folder)


def test_a_missing_table_file_is_said(folder: Path) -> None:
    (folder / "seats" / "000000.parquet").unlink()
    with pytest.raises(ResultsError, match=r"000000.parquet is missing"):
        results.open_run(folder)


def test_a_part_with_broken_inside_is_said(folder: Path) -> None:
    file = folder / "games" / "000000.parquet"
    file.write_bytes(b"PAR1" + b"\x00" * 200 + b"PAR1")
    with pytest.raises(ResultsError, match="games can't be read"):
        results.open_run(folder).sql("SELECT 1")


def test_undeclared_columns_are_refused() -> None:
    with pytest.raises(AssertionError, match="place"):
        results.arrow(SEATS, {"game": np.arange(3)})
    with pytest.raises(pa.ArrowInvalid):
        results.arrow(SEATS, {"game": np.arange(3), "place": np.array([1, 2, 300])})
