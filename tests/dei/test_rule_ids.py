"""Every rule of the digest is named by the code that implements it and by a test or scenario."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIGEST = (ROOT / "docs" / "rules" / "dei-core.md").read_text(encoding="utf-8")
IDS = re.findall(r"^- (CORE-\d{3}) ", DIGEST, re.MULTILINE)


def named_in(folder: str, *patterns: str) -> set[str]:
    paths = [path for pattern in patterns for path in (ROOT / folder).rglob(pattern)]
    files = [path for path in paths if path.is_file()]  # tests/inputs holds what isn't, and broken texts
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
    return {name for text in texts for name in re.findall(r"CORE-\d{3}", text)}


def test_ids_are_listed_once() -> None:
    assert len(IDS) == len(set(IDS)) > 90


@pytest.mark.parametrize(
    ("folder", "patterns"), [("simlab/games/dei", ("*.py",)), ("tests/dei", ("*.py", "*.toml"))]
)
def test_every_rule_is_named(folder: str, patterns: tuple[str, ...]) -> None:
    expansions_only = {"CORE-029", "CORE-053"} if folder == "tests/dei" else set()
    assert set(IDS) - named_in(folder, *patterns) <= expansions_only


def test_no_other_rule_is_named() -> None:
    named = named_in("simlab", "*.py") | named_in("tests", "*.py", "*.toml")
    assert named - set(IDS) == set()
