"""What is told of a game on a terminal: styled lines, and its steps by Turn, phase and seat."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from simlab.story import Line

if TYPE_CHECKING:
    from rich.console import Console

    from simlab.chronicle import Step

WIDTH = 120  # where there is no terminal
_STYLES = {"strong": "bold"} | {
    f"seat{seat}": f"bold {colour}"
    for seat, colour in enumerate(("cyan", "magenta", "yellow", "bright_green", "bright_red", "bright_blue"))
}
_EVENTS_AT = 6  # columns that what follows a choice is indented by


def console(*, colour: bool = True) -> Console:
    """Where it is printed: the terminal as wide as it is, a pipe or file as wide as a board needs."""
    from rich.console import Console

    wide = Console(color_system="auto" if colour else None, highlight=False)
    if not wide.is_terminal and "COLUMNS" not in os.environ:
        wide.width = WIDTH
    return wide


class Printer:
    """Prints on a console what games tell: no line is broken that holds a drawing."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @property
    def width(self) -> int:
        """Columns."""
        return self._console.width

    def text(self, text: str = "", style: str = "") -> None:
        """A line as it is."""
        from rich.text import Text

        self._console.print(Text(text, style=style), soft_wrap=True)

    def wrapped(self, text: str, indent: int = 0, style: str = "") -> None:
        """A paragraph, which may begin with blanks of its own; its further lines are indented."""
        for line in textwrap.wrap(
            text, self.width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
        ):
            self.text(line, style)

    def lines(self, lines: Sequence[Line], *, wrap: bool = False) -> None:
        """Lines of spans, as they are or wrapped."""
        from rich.text import Text

        for line in lines:
            spans = [(text, _STYLES.get(style, style)) for text, style in line]
            text = Text.assemble(*spans)
            text.rstrip()
            self._console.print(text, soft_wrap=not wrap)


class StepPrinter:
    """Prints steps, each under its Turn, phase and seat; `others` also lists what wasn't chosen."""

    def __init__(
        self, printer: Printer, names: Sequence[str], titles: Sequence[str], *, others: bool = False
    ) -> None:
        self._printer, self._names, self._titles, self._others = printer, names, titles, others
        self.last: Step | None = None  # that was printed; None: the next one has all headings

    def step(self, step: Step, drawing: Callable[[], None] | None = None) -> None:
        """A step; what `drawing` prints stands before the headings that it begins."""
        last, printer = self.last, self._printer
        new_phase = last is None or last.moment != step.moment
        if last is not None and new_phase:
            printer.text()
        if drawing is not None:
            drawing()
        if new_phase:
            printer.text(step.moment.words, "bold underline")
        if last is None or new_phase or last.seat != step.seat:
            printer.text()
            printer.lines([[(self._titles[step.seat], f"seat{step.seat}")]])
        self._choice(step)
        self.last = step

    def _choice(self, step: Step) -> None:
        own = [event for event in step.events if not event.under]
        note = f"  [{step.words.note}]" if step.words.note else ""
        if not (step.words.routine and not own and step.n == 1 and not self._others):
            told = "; ".join(event.told(self._names, step.seat) for event in own)
            tail = f"  → {told}" if told else ""
            self._printer.wrapped(f"  {step.words.sentence}{note}{tail}", _EVENTS_AT)
        if self._others:
            self._not_chosen(step)
        for under in dict.fromkeys(event.under for event in step.events if event.under):
            told = "; ".join(event.told(self._names) for event in step.events if event.under == under)
            self._printer.wrapped(f"  {under}: {told}", _EVENTS_AT)

    def _not_chosen(self, step: Step) -> None:
        told = "the only choice" if step.n == 1 else f"1 of {step.n}: or {' / '.join(step.others)}"
        self._printer.wrapped(f"{'':{_EVENTS_AT}}{told}", _EVENTS_AT, "dim")
