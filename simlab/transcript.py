"""A replay printed: who plays, the position drawn, the choices by Turn, phase and seat, the final count."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simlab.chronicle import Step
from simlab.errors import UsageError
from simlab.failures import ORDINALS
from simlab.match import Failure
from simlab.replay import Replay, seat_names
from simlab.story import Facts, Line
from simlab.wording import place

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 120  # where there is no terminal
NEVER, TURN, PHASE = BOARDS = ("never", "turn", "phase")
_STYLES = {"strong": "bold"} | {
    f"seat{seat}": f"bold {colour}"
    for seat, colour in enumerate(("cyan", "magenta", "yellow", "bright_green", "bright_red", "bright_blue"))
}
_EVENTS_AT = 6  # columns that what follows a choice is indented by


@dataclass(frozen=True)
class Wanted:
    """What of a game is to be printed."""

    turn: int | None = None
    phase: int | None = None
    board: str = TURN  # of BOARDS: after what the position is drawn
    choices: bool = False  # whether the choices that weren't made are listed

    def has(self, step: Step) -> bool:
        """Whether a step is in the part that is wanted."""
        return self.turn in {None, step.moment.turn} and self.phase in {None, step.moment.phase}


def console(*, colour: bool = True) -> Console:
    """Where it is printed: the terminal as wide as it is, a pipe or file as wide as a board needs."""
    from rich.console import Console

    wide = Console(color_system="auto" if colour else None, highlight=False)
    if not wide.is_terminal and "COLUMNS" not in os.environ:
        wide.width = WIDTH
    return wide


class Transcript:
    """Prints a replay on a console; `run` plays it."""

    def __init__(self, replay: Replay, console: Console, wanted: Wanted) -> None:
        self._replay, self._console, self._wanted = replay, console, wanted
        self._names, self._dealt = seat_names(replay), replay.teller.dealt()
        self._titles = replay.played.plan.experiment.game.faction_titles
        self._before: Facts = replay.start  # the step to come
        self._last: Step | None = None  # that was printed
        self._turns: set[int] = set()
        self._phases: set[int] = set()

    def run(self) -> None:
        """Play the game and print what is wanted of it; UsageError where there is no such part."""
        failure = self._replay.play(self._step, with_others=self._wanted.choices)
        if self._last is None:
            raise UsageError(self._nothing())
        self._print()
        if self._last.facts is self._before:  # the end of the game is wanted
            if self._wanted.board != NEVER:
                self._drawing(self._before)
            self._end(failure)
            self._print()
        record = self._replay.played.record
        self._print(f"As recorded: every Turn's choices and the result (game_hash {record.game_hash})", "dim")

    def _end(self, failure: Failure | None) -> None:
        ending = self._replay.played.record.ending
        if failure is not None:
            strategy = self._replay.played.strategies[failure.seat].name
            self._print(f"{strategy} ended the game at decision {failure.decision}: {ending}")
        elif ending == "finished":
            self._lines(self._replay.teller.result(self._before))
        else:
            self._print(f"The game ended irregularly: {ending}")

    def _nothing(self) -> str:
        wanted = self._wanted
        if wanted.turn is not None and wanted.turn not in self._turns:
            known = f"it has Turns {min(self._turns)} to {max(self._turns)}"
            return f"--turn {wanted.turn}: no choice was made in that Turn; {known}"
        known = f"there are choices in phases {', '.join(map(str, sorted(self._phases)))}"
        return f"--phase {wanted.phase}: no choice was made in that phase; {known}"

    # --- parts ---------------------------------------------------------------------------------------
    def _opening(self) -> None:
        played, teller = self._replay.played, self._replay.teller
        experiment = played.plan.experiment
        self._print(f"{experiment.game.title}, game {played.number} of {place(played.source)}", "bold")
        self._print(
            f"seed {experiment.seed}, block {int(played.row['block'])}, rotation"
            f" {int(played.row['rotation'])}, pack {experiment.settings.pack.name},"
            f" signature {played.plan.signature}",
            "dim",
        )
        self._print()
        rows = zip(played.strategies, self._dealt, strict=True)
        table = [
            (f"{ORDINALS[seat]} seat", self._title(seat), strategy.name, dealt)
            for seat, (strategy, dealt) in enumerate(rows)
        ]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for seat, row in enumerate(table):
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            place_, title, *rest = cells
            self._lines([[(f"{place_}  ", "dim"), (title, f"seat{seat}"), ("  " + "  ".join(rest), "")]])
        self._print()
        if self._wanted.board != NEVER:
            self._lines(teller.key())
            self._print()

    def _title(self, seat: int) -> str:
        return self._titles[int(self._replay.played.row["faction"][seat])]

    def _step(self, step: Step) -> None:
        self._turns.add(step.moment.turn)
        self._phases.add(step.moment.phase)
        if self._wanted.has(step):
            self._between(step)
            self._choice(step)
            self._last = step
        self._before = step.facts

    def _between(self, step: Step) -> None:
        """What stands before a step: the position, the headings that change with it."""
        last = self._last
        if last is None:
            self._opening()
        new_turn = last is None or last.moment.turn != step.moment.turn
        new_phase = last is None or last.moment != step.moment
        drawn = {NEVER: False, TURN: new_turn, PHASE: new_phase}[self._wanted.board]
        if last is not None and new_phase:
            self._print()
        if drawn:
            self._drawing(self._before)
        if new_phase:
            self._print(step.moment.words, "bold underline")
        if last is None or new_phase or last.seat != step.seat:
            self._print()
            self._lines([[(self._title(step.seat), f"seat{step.seat}")]])

    def _drawing(self, facts: Facts) -> None:
        self._lines(self._replay.teller.drawing(facts, self._console.width))
        self._print()

    def _choice(self, step: Step) -> None:
        own = [event for event in step.events if not event.under]
        note = f"  [{step.words.note}]" if step.words.note else ""
        if not (step.words.routine and not own and step.n == 1 and not self._wanted.choices):
            told = "; ".join(event.told(self._names, step.seat) for event in own)
            self._wrapped(f"  {step.words.sentence}{note}" + (f"  → {told}" if told else ""), _EVENTS_AT)
        if self._wanted.choices:
            self._others(step)
        for under in dict.fromkeys(event.under for event in step.events if event.under):
            told = "; ".join(event.told(self._names) for event in step.events if event.under == under)
            self._wrapped(f"  {under}: {told}", _EVENTS_AT)

    def _others(self, step: Step) -> None:
        if step.n == 1:
            self._wrapped(f"{'':{_EVENTS_AT}}the only choice", _EVENTS_AT, "dim")
        else:
            self._wrapped(f"{'':{_EVENTS_AT}}1 of {step.n}: or {' / '.join(step.others)}", _EVENTS_AT, "dim")

    # --- printing --------------------------------------------------------------------------------------
    def _wrapped(self, text: str, indent: int, style: str = "") -> None:
        """A paragraph that begins with blanks of its own."""
        for line in textwrap.wrap(
            text,
            self._console.width,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        ):
            self._print(line, style)

    def _print(self, text: str = "", style: str = "", end: str = "\n") -> None:
        from rich.text import Text

        self._console.print(Text(text, style=style), soft_wrap=True, end=end)

    def _lines(self, lines: Sequence[Line]) -> None:
        from rich.text import Text

        for line in lines:
            spans = [(text, _STYLES.get(style, style)) for text, style in line]
            text = Text.assemble(*spans)
            text.rstrip()
            self._console.print(text, soft_wrap=True)
