"""A real run: the same folder, byte for byte, for one and two workers, and when it was extended."""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab import experiment, run

QUESTION = """
name = "question"
game = "dei"
seed = 5
games = {games}
players = [2, 3, 4]
strategies = ["dei/uniform"]
"""


def played(folder: Path, games: int, workers: int) -> dict[str, bytes]:
    """Every file of a run, by name."""
    file = folder.with_suffix(".toml")
    file.write_text(QUESTION.format(games=games), encoding="utf-8")
    run.play(run.plan(experiment.load(file), folder), workers, quiet=True)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.compiled_only
def test_workers_and_extension_change_no_byte(tmp_path: Path) -> None:
    one = played(tmp_path / "one", 1800, 1)
    assert len(one) > 10
    assert played(tmp_path / "two", 1800, 2) == one
    played(tmp_path / "later", 600, 2)
    assert played(tmp_path / "later", 1800, 2) == one
