"""What the documentation shows runs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from simlab import experiment, results, run
from simlab.cli import main

ROOT = Path(__file__).resolve().parents[1]
STRATEGIES = (ROOT / "docs/strategies.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", STRATEGIES, re.DOTALL)


*EXAMPLES, CLUMSY = blocks("python")


@pytest.mark.compiled_only
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_a_documented_strategy_plays(number: int, tmp_path: Path) -> None:
    strategy = tmp_path / f"documented_{number}.py"
    strategy.write_text(EXAMPLES[number], encoding="utf-8")
    file = tmp_path / "question.toml"
    lines = ['name = "question"', 'game = "dei"', "seed = 1", "games = 8", "players = 2"]
    file.write_text("\n".join([*lines, f'strategies = ["{strategy}", "dei/uniform"]']), encoding="utf-8")
    run.play(run.plan(experiment.load(file), tmp_path / "run"), 1, quiet=True)
    endings = results.open_run(tmp_path / "run").sql("SELECT DISTINCT ending FROM games").fetchall()
    assert endings == [("finished",)]


README = ROOT / "README.md"
BEGIN, END = "<!-- replay:begin -->\n", "<!-- replay:end -->\n"


def shortened(printed: str) -> str:
    """A replay of one phase as the README has it: the board, then the first player's choices."""
    lines = printed.splitlines()
    board = next(n for n, line in enumerate(lines) if line.startswith("┗"))
    phase = next(n for n, line in enumerate(lines) if line.startswith("Turn"))
    player = next(n for n in range(phase + 3, len(lines)) if not lines[n])
    return "\n".join([*lines[: board + 1], "…", "", *lines[phase:player], "…"])


@pytest.mark.compiled_only
def test_the_replay_in_the_readme_is_what_is_printed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], pytestconfig: pytest.Config
) -> None:
    text = README.read_text(encoding="utf-8")
    (command,) = re.findall(r"`simlab (replay experiments\S+[^`\n]*)`", text)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["simlab", *command.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    printed = f"```text\n{shortened(capfd.readouterr().out)}\n```\n"
    before, rest = text.split(BEGIN)
    shown, after = rest.split(END)
    if pytestconfig.getoption("--write-golden"):
        README.write_text(f"{before}{BEGIN}{printed}{END}{after}", encoding="utf-8")
        shown = printed
    assert shown == printed


def shape(line: str) -> str:
    """A line without its numbers and names of places: they change whenever play does."""
    return re.sub(r"\b(?=\w*\d)[\w.]+", "N", line).replace(",", "")


@pytest.mark.compiled_only
def test_what_is_documented_of_failures_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clumsy.py").write_text(CLUMSY, encoding="utf-8")
    (tmp_path / "clumsy.toml").write_text(
        blocks("toml")[-1].replace("= 2 ", "= 1 ").replace("= 48", "= 12"), encoding="utf-8"
    )
    told, stopped = (text.splitlines() for text in blocks("text"))

    def printed(*words: str) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", ["simlab", "run", "clumsy.toml", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), [shape(line) for line in capfd.readouterr().err.splitlines()]

    code, lines = printed("--strict")
    assert code == 1
    assert len(lines) > 40
    heads = [shape(line) for line in stopped[: stopped.index("Position")] if line != "…"]
    assert [line.split()[0] for line in heads[:5]] == [line.split()[0] for line in lines[:5]]
    assert {"Where in its own lines", "Position", *heads[6:9]} <= set(lines)
    assert lines[-1] == shape(stopped[-1])
    assert printed() == (0, [shape(line) for line in told])
