"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings
from plugged import plugged  # noqa: F401  a fixture

pytest.register_assert_rewrite("input_cases")

# The first example of a test may compile, so no deadline; the same examples on every machine.
settings.register_profile("simlab", deadline=None, derandomize=True)
settings.load_profile("simlab")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-resolved", action="store_true", help="write the resolved forms in tests/inputs anew"
    )
