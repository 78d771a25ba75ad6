"""What a command says while code is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import typer


@contextmanager
def compiling_announced() -> Iterator[None]:
    """Tell that something is compiled, if it is, and have another process help.

    It takes long, and is in the cache the next time.
    """
    from simlab import catalog, jit

    helpers = []

    def compiling() -> None:
        typer.echo("compiling for this machine, once: it takes up to about a minute", err=True)
        with suppress(OSError):
            helpers.append(catalog.warm_up_beside())

    try:
        with jit.announced(compiling):
            yield
    finally:
        for helper in helpers:
            helper.terminate()
            helper.wait()
