"""What can stand in the place of a component pack; tests/inputs/packs has the broken ones."""

from __future__ import annotations

import os
import shutil

import pytest

from simlab.errors import PackError
from simlab.games.dei.pack import PACKS, load_pack


@pytest.fixture
def copied(tmp_path):
    """A copy of the shipped pack, to be broken."""
    return shutil.copytree(PACKS / "reconstructed", tmp_path / "mine")


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("no pack")
    with pytest.raises(PackError, match="file is not a folder with a component pack"):
        load_pack(str(tmp_path / "file"))


def test_a_path_that_can_not_be_is_refused(tmp_path, monkeypatch):
    with pytest.raises(PackError, match=r"^a+… can't be read: File name too long$|: File name too long$"):
        load_pack("a" * 300)
    monkeypatch.chdir(tmp_path)
    for name in (".", ".."):
        with pytest.raises(PackError, match=r"pack\.toml: there is no such file"):
            load_pack(name)


def test_a_pipe_in_place_of_a_file_is_refused(copied):
    (copied / "cards.csv").unlink()
    os.mkfifo(copied / "cards.csv")
    with pytest.raises(PackError, match=r"mine/cards\.csv is not a regular file"):
        load_pack(str(copied))
