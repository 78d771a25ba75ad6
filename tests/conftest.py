"""What all tests share."""

from __future__ import annotations

from collections import Counter
from typing import Any

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
    parser.addoption(
        "--write-golden", action="store_true", help="write the games in tests/golden and the README's anew"
    )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell in one line how much engine and slow twin were compared, over all workers."""
    told: Counter[str] = Counter()
    kinds: set[str] = set()
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties if report.when == "call" else ():
            if name == "twin kinds":
                kinds |= set(value.split(", "))
            elif name.startswith("twin "):
                told[name] += value
    if told:
        games, decisions = told["twin games"], told["twin decisions"]
        terminalreporter.write_line(
            f"engine and twin: {games:,} games, {decisions:,} decisions of {len(kinds)} kinds, all equal"
        )
