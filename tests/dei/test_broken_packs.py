"""A broken component pack is refused in one sentence that names file, row or key, and reason."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from simlab.errors import PackError
from simlab.games.dei.pack import PACKS, load_pack
from tests.dei.broken_tables import BROKEN_TABLES
from tests.dei.broken_tiles import BROKEN_TILES


@pytest.fixture
def copied(tmp_path):
    """A copy of the shipped pack, to be broken."""
    return shutil.copytree(PACKS / "reconstructed", tmp_path / "mine")


BROKEN = BROKEN_TABLES + BROKEN_TILES


@pytest.mark.parametrize(
    ("file", "pattern", "new", "sentence"), BROKEN, ids=[f"{row[0]}-{k}" for k, row in enumerate(BROKEN)]
)
def test_a_broken_pack_is_refused_in_one_sentence(copied, file, pattern, new, sentence):
    path = copied / file
    if pattern is not None:
        text = path.read_text(encoding="utf-8")
        changed = re.sub(pattern, new, text, count=1)
        assert changed != text
        path.write_text(changed, encoding="utf-8")
    elif new is None:
        path.unlink()
    else:
        path.write_bytes(new)
    with pytest.raises(PackError) as caught:
        load_pack(str(copied))
    message = str(caught.value)
    assert message.startswith(f"{copied}/")
    assert message.removeprefix(f"{copied}/").startswith(sentence)
    assert message.isprintable()
    assert len(message) < 600


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
