"""How far a run is, on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@contextmanager
def progress(
    total: int, done: int, quiet: bool, stage: Callable[[], str] = lambda: ""
) -> Iterator[Callable[[int], None]]:
    """A bar with games/s and time left on a terminal's stderr, nothing elsewhere; it begins with `stage`."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Speed(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f} games/s")

    class Stage(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002
            return Text(stage())

    console = Console(stderr=True)
    columns = (Stage(), TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"), BarColumn(), Speed())
    hidden = quiet or not console.is_terminal
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=hidden) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda games: bar.advance(task, games)


@dataclass
class Counted:
    """A bar's `advance` that knows how far it came."""

    advance: Callable[[int], None]
    games: int = 0

    def __call__(self, games: int) -> None:
        """Tell the bar of games that were played."""
        self.games += games
        self.advance(games)
