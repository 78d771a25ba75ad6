"""The command line as a person meets it: output, one-sentence errors, exit codes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from plugged import plugged, write_strategy

from simlab.cli import main

__all__ = ["plugged"]  # a fixture
TESTS = Path(__file__).parent
FAKE_QUESTION = """
name = "question"
game = "fake"
seed = 1
games = 16
players = 2
strategies = ["{strategy}"]
"""


def simlab(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object
) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    monkeypatch.setattr(os, "_exit", sys.exit)  # how a stopped command ends
    monkeypatch.setattr(sys, "argv", ["simlab", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_help_comes_at_once_and_without_heavy_imports() -> None:
    heavy = ["numba", "pyarrow", "duckdb", "pandas", "scipy", "matplotlib", "joblib"]
    code = f"import sys, simlab.cli; print([name for name in {heavy} if name in sys.modules])"
    started = time.perf_counter()
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
    assert time.perf_counter() - started < 5  # 0.1 s; generous, as machines are busy


def test_without_arguments_help_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = simlab(capsys, monkeypatch)
    assert "Commands:" in out + err
    assert code == 0
    code, out, _ = simlab(capsys, monkeypatch, "--help")
    assert code == 0
    for command in ("run", "replay", "report", "ladder", "list", "pack", "scenario", "show", "bench"):
        assert command in out


@pytest.mark.parametrize(
    ("what", "word"),
    [
        ("games", "Divide et Impera"),
        ("strategies", "dei/greedy"),
        ("packs", "reconstructed  (default)"),
        ("rules", "cube_limit_per_color"),
        ("tables", "win_share"),
    ],
)
def test_list(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, what: str, word: str
) -> None:
    code, out, err = simlab(capsys, monkeypatch, "list", what)
    assert (code, err) == (0, "")
    assert word in out


@pytest.mark.parametrize("what", ["games", "strategies", "packs", "rules", "tables"])
def test_lists_import_nothing_compiled(what: str) -> None:
    code = (
        f"import sys\nsys.argv = ['simlab', 'list', '{what}']\nfrom simlab.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert 'numba' not in sys.modules and 'simlab.jit' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)


def test_show_prints_the_resolved_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = simlab(capsys, monkeypatch, "show", "experiments/dei/demo.toml")
    assert code == 0
    assert 'layout = "random"' in out
    code, out, _ = simlab(capsys, monkeypatch, "show", "experiments/dei/demo.toml", "--all")
    assert "turns = 4" in out


def test_a_run_is_meant_without_its_hash(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs/demo-4711abcd").mkdir(parents=True)
    for name in ("demo", "dmo", "demo-4711abc"):
        _, _, err = simlab(capsys, monkeypatch, "report", f"runs/{name}")
        assert err.endswith('there is no such file or folder; did you mean "runs/demo-4711abcd"?\n')
    _, _, err = simlab(capsys, monkeypatch, "report", "runs/other")
    assert err == "simlab: runs/other: there is no such run folder\n"


DEMO = "experiments/dei/demo.toml"
LONG = "name" * 100

WRONG = [
    (["run", DEMO, "--out"], 2, "'--out' requires an argument (simlab run --help explains)"),
    (["pack", "check", "--draws"], 2, "'--draws' requires an argument (simlab pack check --help explains)"),
    (["pack", "sample"], 2, "N"),
    (["pack", "sample", "0"], 2, "N must be from 1"),
    (["pack", "sample", "1", "--seed", "x"], 2, '--seed must be a whole number, not "x"'),
    (["pack", "sample", "1", "--out", DEMO], 2, "demo.toml"),
    (["pack", "sample", "1", "--pack", "nowhere"], 2, "nowhere"),
    (["run", LONG], 2, "File name too long"),
    (["show", LONG], 2, "File name too long"),
    (["report", LONG], 2, "File name too long"),
    (["scenario", LONG], 2, "File name too long"),
    (["pack", "check", LONG], 2, "name"),
    (["run", DEMO, "--out", LONG], 2, "File name too long"),
    (["run"], 2, "FILE"),
    (["run", "experiments/dei/demmo.toml"], 2, 'did you mean "experiments/dei/demo.toml"?'),
    (["compare", "experiments/dei/ruling.toml"], 2, 'did you mean "experiments/dei/rulings.toml"?'),
    (["run", DEMO, "--strategy", "strategies/dei/triader.toml"], 2, 'mean "strategies/dei/trader.toml"?'),
    (["report", "experimnts"], 2, 'did you mean "experiments"?'),
    (["scenario", "tests/dei/scenaros"], 2, 'did you mean "tests/dei/scenarios"?'),
    (["rnu"], 2, "rnu"),
    (["list", "cards"], 2, "cards"),
    (["report", DEMO], 2, "demo.toml is a file, not a run folder"),
    (["report", "experiments"], 2, "experiments is not a run folder: it has no manifest.json"),
]


@pytest.mark.parametrize(
    ("words", "exit_code", "reason"),
    WRONG,
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_is_wrong_is_a_sentence_and_a_code(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    exit_code: int,
    reason: str,
) -> None:
    code, out, err = simlab(capsys, monkeypatch, *words)
    assert code == exit_code
    assert reason in err
    assert err.startswith("simlab: ")
    assert err.count("\n") == 1
    assert out == ""


def test_an_error_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "e.toml"
    file.write_text('name = "x"\nsede = 1\n', encoding="utf-8")
    _, _, err = simlab(capsys, monkeypatch, "run", file)
    assert err == f"simlab: {file}: game is missing\n"


def test_the_module_runs_too() -> None:
    environment = os.environ | {"COLUMNS": "80"}
    answer = subprocess.run(
        [sys.executable, "-m", "simlab.cli", "list", "games"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert answer.stdout.startswith("dei")


@pytest.mark.parametrize("closed", ["0", "1", "2", "0 1 2"])
def test_with_closed_streams_a_run_is_a_run(closed: str, plugged: Path) -> None:
    """No file of the run gets the number of a stream, to which others print."""
    name = write_strategy(plugged, "print('to stdout'); print('to stderr', file=sys.stderr)")
    question = FAKE_QUESTION.format(strategy=name)
    (plugged / "question.toml").write_text(question, encoding="utf-8")
    path = os.pathsep.join([str(plugged / "site"), str(TESTS), str(TESTS.parent)])
    redirect = " ".join(f"{number}{'<' if number == '0' else '>'}&-" for number in closed.split())
    for out, streams in (("as it is", "2>/dev/null"), ("closed", redirect)):
        command = f"{sys.executable} -m simlab.cli run question.toml --out '{out}' --workers 2 {streams}"
        environment = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}
        done = subprocess.run(["sh", "-c", command], env=environment, stdout=subprocess.PIPE, check=False)
        assert done.returncode == 0
    files = [
        {file.relative_to(run): file.read_bytes() for file in run.rglob("*") if file.is_file()}
        for run in (plugged / "as it is", plugged / "closed")
    ]
    assert files[0] == files[1]


def test_a_path_that_is_no_text_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB reads files by names in UTF-8 alone: better said before the games are played."""
    code, out, err = simlab(capsys, monkeypatch, "run", DEMO, "--out", os.fsdecode(b"a\xff"))
    assert (code, out, err) == (2, "", "simlab: --out is no text in UTF-8: a\\udcff\n")


def test_a_pipe_is_no_experiment_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    code, _, err = simlab(capsys, monkeypatch, "run", tmp_path / "pipe.toml")
    assert (code, err) == (2, f"simlab: {tmp_path / 'pipe.toml'} is neither a file nor a folder\n")


@pytest.mark.parametrize(
    ("raised", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "stopped"),
        (OSError(36, "File name too long", "a/b"), 2, '"a/b": File name too long'),
        (OSError(28, "No space left on device"), 1, "No space left on device"),
        (RecursionError("deep"), 2, "what is to be read is nested too deeply"),
    ],
)
def test_what_python_raises_is_a_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    raised: BaseException,
    code: int,
    sentence: str,
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise raised

    monkeypatch.setattr("simlab.experiment.load", fail)
    assert simlab(capsys, monkeypatch, "show", DEMO) == (code, "", f"simlab: {sentence}\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_way_to_end_a_command_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr("simlab.experiment.load", lambda *_, **__: os.kill(os.getpid(), number))
    before = signal.getsignal(number)
    assert simlab(capsys, monkeypatch, "show", DEMO) == (130, "", "simlab: stopped\n")
    assert signal.getsignal(number) == before


QUESTION = """
name = "question"
game = "dei"
seed = 3
games = 4
players = 2
strategies = ["last.py", "dei/uniform"]
"""


@pytest.mark.compiled_only
def test_games_that_a_strategy_spoilt_are_told_in_the_closing_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = (
        "from simlab.strategy import Strategy\n"
        "def choose(public, own, rules, pack, board, choices, n, weights, scratch, key):\n    {answer}\n"
        'STRATEGY = Strategy("file/last", "fails", choose, compiled=False)\n'
    )
    (tmp_path / "question.toml").write_text(QUESTION, encoding="utf-8")
    for answer, ending in [("return 'a'", "strategy failed"), ("return n", "illegal choice")]:
        (tmp_path / "last.py").write_text(source.format(answer=answer), encoding="utf-8")
        for name in [name for name in sys.modules if name.startswith("simlab_file_last")]:
            del sys.modules[name]  # the file was written anew
        code, _, err = simlab(
            capsys, monkeypatch, "run", tmp_path / "question.toml", "--out", tmp_path / ending, "--workers", 1
        )
        assert code == 0
        told, closing = err.splitlines()
        assert told.startswith(f"{tmp_path / 'last.py'} failed in ")
        assert re.search(rf"(\d+) ended irregularly \(\1 {ending}\); digest ", closing)
