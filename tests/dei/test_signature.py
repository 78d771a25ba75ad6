"""The signature file: the same number compiled and uncompiled; it changes only when play changes."""

from __future__ import annotations

from pathlib import Path

from simlab.games.dei.signature import signature

FILE = Path(__file__).parent.parent / "golden" / "signature.txt"


def test_signature_is_the_one_on_file() -> None:
    """Where play was meant to change, write the new number into the file and say why in the commit."""
    assert signature() == FILE.read_text().strip()
