"""What is written at the prompt is understood, or a sentence says why it isn't."""

from __future__ import annotations

import pytest

from simlab.prompt.answers import Chosen, Command, NotUnderstood, Several, grouped, label, understood

SENTENCES = [
    "move 1 from 2.4.b to 2.4.e",
    "move 2 from 2.4.b to 2.4.e",
    "mission scrappers in column 1",
    "end card",
]
GROUPS = {"a": [0, 1]}
COMMANDS = ["missions", "save", "end"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1", Chosen(0)),
        (" 4 ", Chosen(3)),
        ("Move 2", Chosen(1)),
        ("move  2 FROM 2.4.b to 2.4.e", Chosen(1)),
        ("mis", Chosen(2)),
        ("missions", Command("missions", "")),
        ("save My file.toml", Command("save", "My file.toml")),
        ("move", Several((0, 1))),
        ("m", Several((0, 1, 2))),
        ("a", Several((0, 1))),
        ("0", NotUnderstood("choices are numbered 1 to 4, there is no 0")),
        ("5", NotUnderstood("choices are numbered 1 to 4, there is no 5")),
        ("", NotUnderstood("choose by number or words; help lists what else can be done")),
        ("svae", NotUnderstood('no choice begins with "svae"; did you mean "save"?')),
        ("xyzzy", NotUnderstood('no choice begins with "xyzzy"; help lists what can be done')),
        ("\x1b[A", NotUnderstood('no choice begins with "\\x1b[A"; help lists what can be done')),
    ],
)
def test_a_line_is_understood(written: str, meant: object) -> None:
    assert understood(written, SENTENCES, GROUPS, COMMANDS) == meant


def test_a_choice_in_full_is_that_choice_even_where_others_begin_so() -> None:
    assert understood("end", ["end card", "end"], {}, []) == Chosen(1)


def test_groups_keep_their_order_and_are_lettered() -> None:
    assert grouped(["b", "a", "b"]) == {"b": [0, 2], "a": [1]}
    assert [label(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]
