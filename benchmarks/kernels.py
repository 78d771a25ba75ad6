"""What the innermost kernels of D.E.I. take: nanoseconds a call, and steps of the reference loop a call.

    python benchmarks/kernels.py [--positions N] [--rounds R] [--json]

Positions come from games of random choices, one at a random decision of each game, four players, rules of
the rulebook. The loops over them are compiled, as a game's own loop is, so Python's calls don't count;
compiling them takes about a minute the first time. Performing a choice spoils a position, so it is measured
with a copy, of which the copy's own time is taken off.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from simlab.bench import reference
from simlab.games.dei import engine
from simlab.games.dei.agenda import active_seat
from simlab.games.dei.board import lay_out, make_board
from simlab.games.dei.legal import list_legal
from simlab.games.dei.pack import load_pack
from simlab.games.dei.redraw import redraw
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.signatures import game_types, table_types
from simlab.games.dei.state import HIDDEN, LOG, OWN, PUBLIC, Position, records
from simlab.games.dei.tables import BOARD_RECORD
from simlab.games.dei.turn import apply_choice
from simlab.games.dei.vocabulary import MAX_CHOICES, MAX_SEATS, N_FACTIONS, PLAYING
from simlab.jit import entry, int64, integers

PLAYERS = 4
DRAWS = 20  # boards, redraws and passes over all positions in one measurement


@entry(lambda: int64()(*game_types()[:2], *table_types(), integers(), int64()))
def list_all(public, own, rules, pack, board, out, times):
    """List the choices of every position; how many there are."""
    n = 0
    for _ in range(times):
        for i in range(len(public)):
            first = i * MAX_SEATS
            n += list_legal(public[i], own[first : first + MAX_SEATS], rules[0], pack[0], board[i], out)
    return n


@entry(lambda: int64()(*game_types(), *game_types(), int64()))
def copy_all(public, own, hidden, log, public_2, own_2, hidden_2, log_2, times):
    """Copy every position to one place."""
    turns = 0
    for _ in range(times):
        for i in range(len(public)):
            public_2[0] = public[i]
            hidden_2[0] = hidden[i]
            log_2[0] = log[i]
            for seat in range(MAX_SEATS):
                own_2[seat] = own[i * MAX_SEATS + seat]
            turns += int(public_2[0].turn)
    return turns


@entry(lambda: int64()(*game_types(), *game_types(), *table_types(), integers(), int64()))
def copy_and_perform_all(
    public, own, hidden, log, public_2, own_2, hidden_2, log_2, rules, pack, board, codes, times
):
    """Copy every position and perform a choice on the copy."""
    turns = 0
    for _ in range(times):
        for i in range(len(public)):
            public_2[0] = public[i]
            hidden_2[0] = hidden[i]
            log_2[0] = log[i]
            for seat in range(MAX_SEATS):
                own_2[seat] = own[i * MAX_SEATS + seat]
            apply_choice(public_2[0], own_2, hidden_2[0], log_2[0], rules[0], pack[0], board[i], codes[i])
            turns += int(public_2[0].turn)
    return turns


@entry(lambda: int64()(*game_types()[:3], *table_types()[:2], int64()))
def redraw_all(public, own, hidden, rules, pack, times):
    """Draw anew, in every position, what the seat to act can't know."""
    for key in range(times):
        for i in range(len(public)):
            first = i * MAX_SEATS
            seats = own[first : first + MAX_SEATS]
            redraw(public[i], seats, hidden[i], rules[0], pack[0], active_seat(public[i]), key)
    return 0


@entry(lambda: int64()(*table_types()[1:], int64()))
def draw_boards(pack, board, times):
    """Draw so many random boards."""
    failures = 0
    for key in range(times):
        if lay_out(pack[0], board[0], PLAYERS, key, 0, 0) != 0:
            failures += 1
    return failures


class Positions:
    """Random positions as arrays of records, with a random choice of each."""

    def __init__(self, count: int, seed: int = 1) -> None:
        pack = load_pack("reconstructed")
        self.rules = rules_record(resolve_rules({}), {}, pack)
        self.pack = pack.table
        self.public, self.hidden, self.log = (records(dtype, count) for dtype in (PUBLIC, HIDDEN, LOG))
        self.own = records(OWN, count * MAX_SEATS)
        self.board = records(BOARD_RECORD, count)
        self.codes = np.zeros(count, np.int64)
        chance = random.Random(seed)
        for i in range(count):
            self._keep(i, *_random_position(chance, self.rules, pack, key=seed * 1_000_000 + i))

    def _keep(self, i: int, position: Position, code: int) -> None:
        self.public[i], self.hidden[i] = position.public[0], position.hidden[0]
        self.log[i], self.board[i] = position.log[0], position.board[0]
        self.own[i * MAX_SEATS : (i + 1) * MAX_SEATS] = position.own
        self.codes[i] = code


def _random_position(chance: random.Random, rules: Any, pack: Any, key: int) -> tuple[Position, int]:
    """A position of a random game, every decision as likely as the next, and one of its choices."""
    position = Position(rules, pack.table, make_board(pack, PLAYERS, key, "random"))
    engine.start(position, key, chance.sample(range(N_FACTIONS), PLAYERS))
    kept, seen = (position.copy(), 0), 0
    while position.public[0].ending == PLAYING:
        choices = engine.legal(position)
        code = chance.choice(choices)
        if len(choices) > 1:
            seen += 1
            if chance.randrange(seen) == 0:
                kept = position.copy(), code
        engine.apply(position, code)
    return kept


def _kernels(p: Positions, passes: int) -> dict[str, tuple[Callable[[], Any], int]]:
    """What is called, and how many calls of the kernel that is."""
    game = p.public, p.own, p.hidden, p.log
    copy = records(PUBLIC), records(OWN, MAX_SEATS), records(HIDDEN), records(LOG)
    redrawn = p.public.copy(), p.own.copy(), p.hidden.copy()
    out, board = np.zeros(MAX_CHOICES, np.int64), records(BOARD_RECORD)
    calls = passes * len(p.public)
    tables = p.rules, p.pack, p.board
    return {
        "list": (lambda: list_all(*game[:2], *tables, out, passes), calls),
        "copy": (lambda: copy_all(*game, *copy, passes), calls),
        "copy and perform": (lambda: copy_and_perform_all(*game, *copy, *tables, p.codes, passes), calls),
        "redraw": (lambda: redraw_all(*redrawn, p.rules, p.pack, passes), calls),
        "board": (lambda: draw_boards(p.pack, board, calls), calls),
    }


def measure(positions: int, rounds: int, passes: int = DRAWS) -> dict[str, Any]:
    """Nanoseconds and reference steps a call, the median over rounds; and choices a list."""
    p = Positions(positions)
    kernels = _kernels(p, passes)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in kernels}
    for _ in range(rounds):
        for name, (call, calls) in kernels.items():
            step = reference.seconds() / reference.STEPS
            start = time.perf_counter()
            call()
            each = (time.perf_counter() - start) / calls
            found[name].append((each * 1e9, each / step))
    medians = {name: tuple(map(float, np.median(values, axis=0))) for name, values in found.items()}
    both, copying = medians.pop("copy and perform"), medians["copy"]
    medians["perform"] = both[0] - copying[0], both[1] - copying[1]
    listed, lists = kernels["list"]
    return {
        "positions": positions,
        "rounds": rounds,
        "choices_per_list": listed() / lists,
        "ns": {name: ns for name, (ns, _) in medians.items()},
        "steps": {name: steps for name, (_, steps) in medians.items()},
    }


SAYS = {
    "list": "list all choices of a position",
    "perform": "perform one and go on to the next decision",
    "copy": "copy a position",
    "redraw": "draw anew what a seat can't know",
    "board": "draw a random board",
}


def main(
    positions: Annotated[int, typer.Option(min=1, help="random positions")] = 400,
    rounds: Annotated[int, typer.Option(min=1, help="rounds to take medians of")] = 9,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Measure the innermost kernels of D.E.I. on random positions, beside the reference loop."""
    found = measure(positions, rounds)
    if as_json:
        print(json.dumps(found, indent=2))
        return
    table = Table("kernel", "ns a call", "steps a call", title=f"{positions} random positions")
    for name, says in SAYS.items():
        table.add_row(says, f"{found['ns'][name]:,.0f}", f"{found['steps'][name]:,.0f}")
    Console().print(table)
    print(f"{found['choices_per_list']:.1f} choices a list")


if __name__ == "__main__":
    typer.run(main)
