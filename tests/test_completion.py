"""Help and completion on the command line: nothing is cut off, and what a shell offers can be written."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from simlab.cli import app, main

ROOT = Path(__file__).resolve().parents[1]
PACKS = sorted(path.parent.name for path in (ROOT / "simlab/games/dei/packs").glob("recon*/pack.toml"))


def offered(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, shell: str = "bash"
) -> list[str]:
    """What a shell offers for the last of the words."""
    monkeypatch.setenv("_SIMLAB_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("COMP_WORDS", f"simlab {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(f"simlab {words}".split(" ")) - 1))
    monkeypatch.setattr(sys, "argv", ["simlab"])
    with pytest.raises(SystemExit):
        main()
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("rep", ["report", "replay"]),
        ("rob", ["robust"]),
        ("list pa", ["packs"]),
        ("run --stra", ["--strategy"]),
        ("run --strategy dei/gr", ["dei/greedy"]),
        ("run --strategy dei/se", ["dei/search:"]),
        ("bench dei/un", ["dei/uniform"]),
        ("strategy check dei/bu", ["dei/builder"]),
        ("strategy weights dei/tr", ["dei/trader"]),
        ("play --faction ra", ["ravagers"]),
        ("play --against dei/planner,dei/gr", ["dei/planner,dei/greedy"]),
        ("play --pack recon", PACKS),
        ("pack check recon", PACKS),
        ("pack sample 2 --pack recon", PACKS),
        ("report --section mar", ["market"]),
        ("list rules --game d", ["dei"]),
        ("robust --by dei/gr", ["dei/greedy"]),
        ("run --strategy mine", []),  # the shell's own files are offered then
    ],
)
def test_names_are_offered(
    words: str, expected: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert offered(words, capsys, monkeypatch) == expected


def test_runs_are_offered_where_runs_are_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("demo-1", "demo-2"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "manifest.json").write_text("{}")
    (tmp_path / "runs/no-run").mkdir()
    monkeypatch.chdir(tmp_path)
    for command in ("report", "compare", "replay"):
        assert offered(f"{command} ru", capsys, monkeypatch) == ["runs/demo-1", "runs/demo-2"]


def test_completing_imports_nothing_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import subprocess

    code = (
        "import sys\nfrom simlab.commands import completion as c\n"
        "[f('') for f in (c.games, c.strategies, c.opponents, c.factions, c.packs, c.sections, c.runs)]\n"
        "assert not {'numba', 'simlab.jit', 'matplotlib', 'duckdb'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)


# --- help -----------------------------------------------------------------------------------------------


def commands(command: Any = None, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every command and group by its words."""
    command = typer.main.get_command(app) if command is None else command
    below = getattr(command, "commands", {})
    found = {path: command}
    for name, each in below.items():
        found |= commands(each, (*path, name))
    return found


@pytest.mark.parametrize("path", commands(), ids=" ".join)
@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_is_whole(
    path: tuple[str, ...], word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On 80 columns: no command's sentence is cut off, no option lacks one, no brackets within brackets."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["simlab", *path, word])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: {' '.join(('simlab', *path))} ")
    assert not re.search(r"^  \S+  +\S.*\.\.\.$", out, re.MULTILINE)
    assert "[[" not in out
    for parameter in commands()[path].params:
        assert getattr(parameter, "help", ""), parameter.name


def test_the_sections_of_a_report_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from reports.dei.contents import SECTIONS

    monkeypatch.setattr(sys, "argv", ["simlab", "list", "sections"])
    with pytest.raises(SystemExit):
        main()
    rows = [re.split(r"\s{2,}", line) for line in capsys.readouterr().out.splitlines()]
    assert [name for name, _ in rows] == list(SECTIONS)
    assert all(len(says) > 20 for _, says in rows)
