"""A replay printed: who plays, the position drawn, the choices by Turn, phase and seat, the final count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simlab.chronicle import Step
from simlab.errors import UsageError
from simlab.failures import ORDINALS
from simlab.match import Failure
from simlab.printer import Printer, StepPrinter
from simlab.replay import Replay, seat_names, seat_titles
from simlab.story import Facts
from simlab.wording import place

if TYPE_CHECKING:
    from rich.console import Console

NEVER, TURN, PHASE = BOARDS = ("never", "turn", "phase")


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


class Transcript:
    """Prints a replay on a console; `run` plays it."""

    def __init__(self, replay: Replay, console: Console, wanted: Wanted) -> None:
        self._replay, self._wanted = replay, wanted
        self._printer = Printer(console)
        self._titles = seat_titles(replay)
        self._steps = StepPrinter(self._printer, seat_names(replay), self._titles, others=wanted.choices)
        self._dealt = replay.teller.dealt()
        self._before: Facts = replay.start  # the step to come
        self._turns: set[int] = set()
        self._phases: set[int] = set()

    def run(self) -> None:
        """Play the game and print what is wanted of it; UsageError where there is no such part."""
        failure, printer = self._replay.play(self._step, with_others=self._wanted.choices), self._printer
        last = self._steps.last
        if last is None:
            raise UsageError(self._nothing())
        printer.text()
        if last.facts is self._before:  # the end of the game is wanted
            if self._wanted.board != NEVER:
                self._drawing()
            self._end(failure)
            printer.text()
        record = self._replay.played.record
        printer.text(
            f"As recorded: every Turn's choices and the result (game_hash {record.game_hash})", "dim"
        )

    def _end(self, failure: Failure | None) -> None:
        ending = self._replay.played.record.ending
        if failure is not None:
            strategy = self._replay.played.strategies[failure.seat].name
            self._printer.text(f"{strategy} ended the game at decision {failure.decision}: {ending}")
        elif ending == "finished":
            self._printer.lines(self._replay.teller.result(self._before))
        else:
            self._printer.text(f"The game ended irregularly: {ending}")

    def _nothing(self) -> str:
        wanted = self._wanted
        if wanted.turn is not None and wanted.turn not in self._turns:
            known = f"it has Turns {min(self._turns)} to {max(self._turns)}"
            return f"--turn {wanted.turn}: no choice was made in that Turn; {known}"
        known = f"there are choices in phases {', '.join(map(str, sorted(self._phases)))}"
        return f"--phase {wanted.phase}: no choice was made in that phase; {known}"

    # --- parts ---------------------------------------------------------------------------------------
    def _opening(self) -> None:
        played, teller, printer = self._replay.played, self._replay.teller, self._printer
        experiment = played.plan.experiment
        printer.text(f"{experiment.game.title}, game {played.number} of {place(played.source)}", "bold")
        printer.text(
            f"seed {experiment.seed}, block {int(played.row['block'])}, rotation"
            f" {int(played.row['rotation'])},{f' arm {played.arm},' if played.arm else ''}"
            f" pack {played.settings.pack.name},"
            f" signature {played.plan.signature}",
            "dim",
        )
        printer.text()
        rows = zip(played.strategies, self._dealt, strict=True)
        table = [
            (f"{ORDINALS[seat]} seat", self._titles[seat], strategy.name, dealt)
            for seat, (strategy, dealt) in enumerate(rows)
        ]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for seat, row in enumerate(table):
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            place_, title, *rest = cells
            printer.lines([[(f"{place_}  ", "dim"), (title, f"seat{seat}"), ("  " + "  ".join(rest), "")]])
        printer.text()
        if self._wanted.board != NEVER:
            printer.lines(teller.key())
            printer.text()

    def _step(self, step: Step) -> None:
        self._turns.add(step.moment.turn)
        self._phases.add(step.moment.phase)
        if self._wanted.has(step):
            last = self._steps.last
            if last is None:
                self._opening()
            new_turn = last is None or last.moment.turn != step.moment.turn
            new_phase = last is None or last.moment != step.moment
            drawn = {NEVER: False, TURN: new_turn, PHASE: new_phase}[self._wanted.board]
            self._steps.step(step, self._drawing if drawn else None)
        self._before = step.facts

    def _drawing(self) -> None:
        self._printer.lines(self._replay.teller.drawing(self._before, self._printer.width))
        self._printer.text()
