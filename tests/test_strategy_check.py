"""`simlab strategy check`: what is wrong with a strategy is found, and said with its place."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from plugged import write_strategy

from simlab.cli import main


def check(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object
) -> tuple[int, list[list[str]], str]:
    """Exit code, the rows of the table in cells, the last line on stderr."""
    monkeypatch.setattr(sys, "argv", ["simlab", "strategy", "check", *map(str, words), "--workers", "1"])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capfd.readouterr()
    rows = [re.split("  +", line) for line in out.splitlines()]
    return int(ended.value.code or 0), rows, "".join(err.splitlines()[-1:])


def test_a_fair_strategy_passes(
    plugged: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_strategy(plugged, body="print('to be ignored')\nreturn (game + decision) % 3")
    code, rows, _ = check(capfd, monkeypatch, mine, "--game", "fake", "--games", 8)
    assert code == 0
    questions = ["legal", "same again", "hidden unseen", "nothing altered"]
    assert rows[0] == ["players", "games", "decisions", "decisions/s", *questions]
    assert [(row[0], row[1], row[2], *row[4:]) for row in rows[1:]] == [
        (str(players), "8", "48", *["yes"] * 4) for players in (2, 3, 4)
    ]


REDRAWN = "chooses otherwise when what its seat can't know is drawn anew"
WRONG = [  # body, before, which question is answered no, what is said
    ("return 7 if (game, decision) == (2, 4) else 0", "", 0, "failed in game 2, decision 4: it answered 7"),
    ("1 // (game - 1)", "", 0, "failed in game 1, decision 1: ZeroDivisionError: integer division or modulo"),
    (
        "CALLS.append(0)\nreturn len(CALLS) % 3",
        "CALLS = []",
        1,
        "chooses otherwise when it is asked the same again (seed 5, 2 players: game 0, decision 4)",
    ),
    (
        "return public.hidden % 3",
        "",
        2,
        f"{REDRAWN}: twenty instead of ten (seed 5, 2 players: game 0, decision 4)",
    ),
    (
        "if game == 1 and decision == 3: public.table[0] += 1",
        "",
        3,
        "alters what it is given (seed 5, 2 players: game 1, decision 3)",
    ),
    (
        "if public.hidden: 1 // 0",
        "",
        2,
        f"{REDRAWN}: it fails (seed 5, 2 players: game 0, decision 4)",
    ),
]


@pytest.mark.parametrize(("body", "before", "question", "said"), WRONG)
def test_what_is_wrong_is_said_with_its_place(
    body: str,
    before: str,
    question: int,
    said: str,
    plugged: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = write_strategy(plugged, body=body, before=before)
    words = ["--game", "fake", "--games", 8, "--seed", 5]
    code, rows, last = check(capfd, monkeypatch, mine, *words)
    assert code == 1
    assert len(rows) == 2
    assert rows[1][4:] == ["no" if number == question else "-" for number in range(4)]
    assert last.startswith(f"simlab: {mine} {said}")


def test_games_that_come_out_otherwise_in_another_process_are_found(
    plugged: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_strategy(plugged, body=f"return int(os.getpid() == {os.getpid()})")
    code, _, last = check(capfd, monkeypatch, mine, "--game", "fake", "--games", 4)
    assert code == 1
    assert last == (
        f"simlab: {mine} plays otherwise when the same game is played again (seed 1, 2 players: game 0)"
    )


@pytest.mark.parametrize("name", ["nothing", "nothing.py", "nothing.toml", "nothing.py:Mine"])
def test_a_name_of_nothing_is_refused(
    name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, rows, last = check(capfd, monkeypatch, name)
    assert (code, rows) == (2, [])
    assert last.startswith("simlab: there is no strategy ")


WRITES = """
from simlab.games.dei.signatures import choose_signature
from simlab.jit import entry
from simlab.strategy import Strategy


@entry(choose_signature)
def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):
    board[0].rows += 1
    return n - 1


STRATEGY = Strategy("mine/writes", "writes into the board", choose)
"""


@pytest.mark.compiled_only
def test_a_compiled_strategy_that_writes_into_the_records_is_found(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "writes.py").write_text(WRITES, encoding="utf-8")
    code, rows, last = check(capfd, monkeypatch, tmp_path / "writes.py", "--games", 2)
    assert (code, rows[1][4:]) == (1, ["-", "-", "-", "no"])
    assert last.endswith("writes.py alters what it is given (seed 1, 2 players: game 0, decision 1)")


@pytest.mark.compiled_only
def test_ours_pass(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, rows, _ = check(capfd, monkeypatch, "dei/uniform", "--games", 4)
    assert code == 0
    assert [row[4:] for row in rows[1:]] == [["yes"] * 4] * 3
