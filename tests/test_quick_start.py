"""docs/quick-start.md does what it says, and every command that the documentation shows can be written."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from test_completion import commands

from simlab.cli import main
from simlab.experiment import load

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/quick-start.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "benchmarks/README.md"]
SHOWN = re.compile(r"(?:^|`)(?:\.venv/bin/)?(simlab [^`\n#]+)", re.MULTILINE)


def test_every_command_that_is_shown_can_be_written() -> None:
    """Its words name a command, and its options are that command's."""
    known = commands()
    seen = 0
    for page in PAGES:
        for line in SHOWN.findall(page.read_text(encoding="utf-8")):
            words = line.split()[1:]
            path = tuple(words[:2]) if tuple(words[:2]) in known else tuple(words[:1])
            options = {word.partition("=")[0] for word in words if word.startswith("--")}
            if not words or not re.fullmatch(r"[a-z]+|--[a-z-]+", words[0]):
                continue  # prose: simlab and some other word
            where = f"{page.name}: {line}"
            path = () if words[0].startswith("--") else path
            assert path in known, where
            allowed = {option for each in known[path].params for option in each.opts} | {"--help"}
            assert options <= allowed, where
            seen += 1
    assert seen > 60


@pytest.fixture
def question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's experiment in a folder of its own, which is where commands run."""
    ((text,)) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    file = Path("auxilia.toml")
    file.write_text(text, encoding="utf-8")
    return file


def printed(*words: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "argv", ["simlab", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    return "\n".join(line.rstrip() for line in capfd.readouterr().out.splitlines())


def test_the_question_is_understood(
    question: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = load(question)
    assert made.arms.names == ("base", "energy", "scrapper")
    Path("shown.toml").write_text(printed("show", str(question), capfd=capfd, monkeypatch=monkeypatch))
    assert load(Path("shown.toml")).resolved() == made.resolved()


@pytest.mark.slow
@pytest.mark.compiled_only
def test_the_answers_that_are_shown_are_printed(
    question: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, table, more, fair = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    told = printed("compare", str(question), capfd=capfd, monkeypatch=monkeypatch)
    assert first in told
    assert table in told
    told = printed("compare", str(question), "--games", "8000", capfd=capfd, monkeypatch=monkeypatch)
    assert more in told
    (run,) = Path("runs").iterdir()
    words = ("report", str(run), "--arm", "scrapper", "--section", "faction")
    assert fair in printed(*words, capfd=capfd, monkeypatch=monkeypatch)
