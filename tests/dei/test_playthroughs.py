"""Whole games come out as they are written down, choice by choice.

Each file is a game that a person can read, and a diff of one says from which choice on play has changed.
`make golden` (pytest with `--write-golden`) writes them anew; nothing else does.
"""

from __future__ import annotations

import pytest

from tests.dei.playthroughs import CASES, FOLDER, told

pytestmark = pytest.mark.compiled_only


@pytest.mark.parametrize("case", CASES)
def test_a_game_is_played_as_it_is_written_down(case: str, pytestconfig: pytest.Config) -> None:
    file = FOLDER / f"{case}.txt"
    found = told(case)
    if pytestconfig.getoption("--write-golden"):
        file.write_text(found, encoding="utf-8")
    kept = file.read_text(encoding="utf-8").splitlines()
    for number, (was, now) in enumerate(zip(kept, found.splitlines(), strict=False), start=1):
        assert now == was, f"{file.name}:{number} is the first line that differs"
    assert len(found.splitlines()) == len(kept)


def test_every_file_has_its_game() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(CASES)
