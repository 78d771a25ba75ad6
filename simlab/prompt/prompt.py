"""The dialogue of `simlab play`: the choices listed, what is written understood, commands carried out.

Nothing that a person writes ends the game but `quit`, Ctrl-D and Ctrl-C, and these leave its record.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from simlab import catalog
from simlab.chronicle import Step
from simlab.errors import RunError, UsageError
from simlab.failures import ORDINALS
from simlab.match import Failure, Unanswered
from simlab.printer import Printer, StepPrinter
from simlab.prompt.answers import Chosen, Command, NotUnderstood, Several, grouped, label, understood
from simlab.prompt.session import Session, TakenBack
from simlab.prompt.sitting import Sitting
from simlab.results import write_whole
from simlab.wording import place

GAMES = Path("games")  # where records go if nothing else is said
MANY = 12  # choices that are listed without groups
_COMMANDS = {
    "list": "all choices with their numbers",
    "hint": "what the opponent's strategy would choose; hint NAME: what another would",
    "undo": "back to your decision before, with all that came after it",
    "save": "save FILE: the game so far as a scenario file",
    "help": "this list",
    "quit": "leave; the game so far is kept",
}


class Left(Exception):
    """The person leaves."""


class Prompt:
    """A person's seat at a terminal; `run` plays the game of a sitting."""

    def __init__(self, sitting: Sitting, printer: Printer, record: Path | None = None) -> None:
        self._sitting, self._printer, self._record = sitting, printer, record
        self._steps = StepPrinter(printer, sitting.factions, sitting.titles)
        self._session = Session(sitting, self._step, self._ask)
        self._sections = self._session.seen.sections
        self._turn = -1  # that the board was drawn in

    def run(self) -> None:
        """Play to the end; RunError where a strategy ends the game."""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # what is no text isn't understood, and that is all
        with suppress(ImportError):
            import readline  # noqa: F401  lines can be edited and called up again
        self._opening()
        try:
            failure = self._session.play()
        except (Left, EOFError):
            self._printer.text()
            self._keep("The game so far")
            return
        except KeyboardInterrupt:
            self._printer.text()
            self._keep("The game so far")
            raise
        self._end(failure)

    # --- what is told --------------------------------------------------------------------------------
    def _opening(self) -> None:
        sitting, printer = self._sitting, self._printer
        printer.text(f"{sitting.experiment.game.title}, seed {sitting.experiment.seed}", "bold")
        dealt = self._session.seen.dealt()
        for seat, title in enumerate(sitting.titles):
            known = f"  {dealt[seat]}" if seat == sitting.seat else ""
            head = [(f"{ORDINALS[seat]} seat  ", "dim"), (title, f"seat{seat}")]
            printer.lines([[*head, (f"  {sitting.players[seat]}{known}", "")]])
        printer.wrapped(
            "Choose by number or by the first words of a choice; help lists what else can be done."
        )

    def _step(self, step: Step) -> None:
        self._steps.step(step)

    def _end(self, failure: Failure | None) -> None:
        seen, printer = self._session.seen, self._printer
        printer.text()
        if failure is None:
            printer.lines(seen.result(seen.facts()))
            printer.text()
        self._keep("The game")
        if failure is not None:
            strategy = self._sitting.players[failure.seat]
            raise RunError(f"{strategy} ended the game: {failure.cause.reason}")

    def _keep(self, what: str) -> None:
        """Write the record, unless nothing was decided."""
        if not self._session.sentences:
            return
        text = self._session.scenario()
        name = f"{self._sitting.experiment.name}-{sha256(text.encode()).hexdigest()[:8]}.toml"
        target = self._record or GAMES / name
        if self._record is None:
            GAMES.mkdir(exist_ok=True)
        write_whole(target, text.encode())
        self._printer.text(f"{what} is in {place(target)}; simlab scenario plays it again")

    # --- a decision ------------------------------------------------------------------------------------
    def _ask(self, session: Session) -> int:
        seen, printer = session.seen, self._printer
        moment = seen.moment()
        if moment.turn != self._turn:
            printer.text()
            printer.lines(seen.drawing(seen.facts(), printer.width))
            self._turn = moment.turn
        sentences = seen.choices()
        groups = grouped(seen.groups()) if len(sentences) > MANY else {}
        large = [indices for indices in groups.values() if len(indices) > 1]
        lettered = {label(n): indices for n, indices in enumerate(large)} if len(groups) > 1 else {}
        printer.text()
        printer.wrapped(seen.question(), 2, "bold")
        self._list_groups(groups, lettered) if lettered else self._list(range(len(sentences)))
        while True:
            answer = understood(self._line(), sentences, lettered, [*self._sections, *_COMMANDS])
            if isinstance(answer, Chosen):
                return answer.index
            if isinstance(answer, Several):
                self._list(answer.indices)
            elif isinstance(answer, NotUnderstood):
                printer.wrapped(answer.reason)
            else:
                self._command(answer)

    def _line(self) -> str:
        try:
            return input("> ")
        except ValueError:  # such as a zero in it
            return ""

    def _list(self, indices: Sequence[int]) -> None:
        seen = self._session.seen
        sentences, codes = seen.choices(), self._session.live.choices
        for index in indices:
            note = seen.words(codes[index]).note
            self._printer.wrapped(f"{index + 1:>4}  {sentences[index]}{f'  [{note}]' if note else ''}", 8)

    def _list_groups(self, groups: Mapping[str, list[int]], lettered: Mapping[str, list[int]]) -> None:
        letters = {indices[0]: letter for letter, indices in lettered.items()}
        for heading, indices in groups.items():
            if indices[0] in letters:
                line = f"{letters[indices[0]]:>4}  {heading}: {len(indices)} choices"
                self._printer.wrapped(line, 8)
            else:
                self._list(indices)
        self._printer.wrapped("A letter shows the choices of its line; list shows all.", 0, "dim")

    # --- commands --------------------------------------------------------------------------------------
    def _command(self, command: Command) -> None:
        if command.word in self._sections:
            section = self._session.seen.section(command.word, self._printer.width)
            self._printer.lines(section, wrap=True)
            return
        carried_out: dict[str, Callable[[str], None]] = {
            "list": lambda _: self._list(range(len(self._session.live.choices))),
            "hint": self._hint,
            "undo": self._undo,
            "save": self._save,
            "help": lambda _: self._help(),
            "quit": self._quit,
        }
        try:
            carried_out[command.word](command.rest)
        except UsageError as error:
            self._printer.wrapped(str(error))
        except OSError as error:
            self._printer.wrapped(f"{place(command.rest)} can't be written: {error.strerror or error}")

    def _help(self) -> None:
        for word, says in {**self._sections, **_COMMANDS}.items():
            self._printer.wrapped(f"{word:<10}{says}", 10)
        self._printer.wrapped(
            "A number chooses, and so do the first words of a choice, as many as tell it apart; where several"
            " begin so, these are shown."
        )

    def _hint(self, name: str) -> None:
        game = self._sitting.experiment.game
        strategy = catalog.strategy(name, game.name) if name else self._sitting.opponent
        try:
            index = self._session.hint(strategy)
        except Unanswered as cause:
            self._printer.wrapped(f"{strategy.name} has no answer: {cause.reason}")
            return
        self._printer.wrapped(
            f"{strategy.name} would choose {index + 1}  {self._session.seen.choices()[index]}"
        )

    def _undo(self, _: str) -> None:
        if not self._session.can_take_back:
            raise UsageError("there is no decision of yours to take back")
        self._steps.last = None
        self._turn = -1
        self._printer.text("taken back", "dim")
        raise TakenBack

    def _save(self, name: str) -> None:
        if not name:
            raise UsageError("save needs the name of a file, such as save mine.toml")
        target = Path(name)
        if target.exists():
            raise UsageError(f"{place(target)} is there already")
        write_whole(target, self._session.scenario().encode())
        self._printer.text(f"written to {place(target)}; simlab scenario plays it again")

    def _quit(self, _: str) -> None:
        raise Left
