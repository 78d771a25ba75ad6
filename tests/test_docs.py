"""What the documentation shows runs."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest
from plugged import install

from simlab import catalog, results
from simlab.cli import main

ROOT = Path(__file__).resolve().parents[1]
STRATEGIES = (ROOT / "docs/strategies.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", STRATEGIES, re.DOTALL)


CLASS, FUNCTION, COMPILED, CLUMSY = blocks("python")
WEIGHTS, ENTRY_POINT, EXPERIMENT = blocks("toml")
CHECKED, TOLD, STOPPED = blocks("text")
FILES = {  # as the documentation says that they are saved
    "collector.toml": WEIGHTS,
    "mine.py:Collector": CLASS,
    "function.py": FUNCTION,
    "any.py": COMPILED,
}


def saved(name: str, folder: Path) -> str:
    """A documented strategy in a folder; the name to play it by."""
    (folder / name.partition(":")[0]).write_text(FILES[name], encoding="utf-8")
    return str(folder / name)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", FILES)
def test_a_documented_strategy_plays_and_passes_its_check(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    strategy = saved(name, tmp_path)
    command("strategy", "check", strategy, "--games", "4", "--workers", "1", monkeypatch=monkeypatch)
    printed = [squeezed(line) for line in capfd.readouterr().out.splitlines()]
    assert printed == [squeezed(line) for line in CHECKED.splitlines()]


@pytest.mark.compiled_only
def test_documented_strategies_play_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = [word for name in FILES for word in ("--strategy", saved(name, tmp_path))]
    experiment = "experiments/dei/factions_2p.toml"
    words = ["run", experiment, *options, "--games", "32", "--workers", "1", "--out", str(tmp_path / "run")]
    command(*words, monkeypatch=monkeypatch)
    stored = results.open_run(tmp_path / "run")
    assert stored.sql("SELECT DISTINCT ending FROM games").fetchall() == [("finished",)]
    played = stored.sql("SELECT strategy, count(DISTINCT seat) FROM seats GROUP BY ALL ORDER BY ALL")
    names = ["mine/any", "mine/class", "mine/collector", "mine/function"]
    assert played.fetchall() == [(name, 2) for name in names]


@pytest.mark.compiled_only
def test_the_documented_entry_point_is_found(
    plugged: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before = catalog.strategies("dei")
    points = tomllib.loads(ENTRY_POINT)["project"]["entry-points"]["simlab.strategies"]
    ((name, value),) = points.items()
    package = plugged / "site" / value.partition(".")[0]
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    module = value.partition(":")[0].rpartition(".")[2]
    (package / f"{module}.py").write_text(CLASS, encoding="utf-8")
    install(plugged, f"[simlab.strategies]\n{name} = {value}\n")
    command("list", "strategies", monkeypatch=monkeypatch)
    assert capfd.readouterr().out.split() == sorted(
        [name, *before, *(f"{family}:N" for family in catalog.families("dei"))]
    )
    command("strategy", "check", name, "--games", "2", "--workers", "1", monkeypatch=monkeypatch)
    assert capfd.readouterr().out.count("yes") == 4 * 3


def command(*words: str, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> None:
    """Run a command, which must end with that exit code."""
    monkeypatch.setattr(sys, "argv", ["simlab", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code or 0) == code


def squeezed(line: str) -> str:
    """A line without its numbers, and without how many blanks are between its words."""
    return re.sub(r" +", " ", re.sub(r"\d[\d,]*", "N", line))


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
        EXPERIMENT.replace("= 2 ", "= 1 ").replace("= 48", "= 12"), encoding="utf-8"
    )
    told, stopped = TOLD.splitlines(), STOPPED.splitlines()

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


@pytest.mark.slow
@pytest.mark.compiled_only
def test_the_documented_ladder_has_the_order_that_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs/ladder.md").read_text(encoding="utf-8")
    strategies, question, shown = re.findall(r"```(?:python|toml|text)\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("noisy.py").write_text(strategies, encoding="utf-8")
    Path("noise.toml").write_text(question, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["simlab", "ladder", "noise.toml"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    printed = [line.rstrip() for line in capfd.readouterr().out.splitlines()]
    assert shown.splitlines()[0] in printed
    missing = {shape(line) for line in shown.splitlines()} - {shape(line) for line in printed}
    assert not missing


def test_the_example_of_a_report_is_of_games_as_they_are_played_now() -> None:
    signature = (ROOT / "tests/golden/signature.txt").read_text(encoding="utf-8").split()[-1]
    for name in ("report.md", "report.html"):
        text = (ROOT / "docs/example-report" / name).read_text(encoding="utf-8")
        assert f"signature {signature}" in text, "play has changed: make report"
