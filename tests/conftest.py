"""What all tests share."""

from __future__ import annotations

from hypothesis import settings
from plugged import plugged  # noqa: F401  a fixture

# The first example of a test may compile, so no deadline; the same examples on every machine.
settings.register_profile("simlab", deadline=None, derandomize=True)
settings.load_profile("simlab")
