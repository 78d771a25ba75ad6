"""The command line as a person meets it: output, one-sentence errors, exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simlab.cli import main


def simlab(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object
) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
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
    for command in ("run", "report", "list", "pack", "scenario", "show"):
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


WRONG = [
    (["run", "nowhere.toml"], 2, "nowhere.toml: there is no such file"),
    (["show", "nowhere.toml"], 2, "nowhere.toml: there is no such file"),
    (["run", "experiments/dei/demo.toml", "--games", "0"], 2, "games must be from 1"),
    (
        ["run", "experiments/dei/demo.toml", "--games", "many"],
        2,
        "--games",
    ),
    (["run", "experiments/dei/demo.toml", "--workers", "0"], 2, "--workers"),
    (["run", "experiments/dei/demo.toml", "--seed", "-1"], 2, "seed must be from 0"),
    (["run"], 2, "FILE"),
    (["rnu"], 2, "rnu"),
    (["list", "cards"], 2, "cards"),
    (["list", "rules", "--game", "die"], 2, 'there is no game "die"; did you mean "dei"?'),
    (["list", "strategies", "--game", "die"], 2, 'there is no game "die"'),
    (["pack", "check", "nowhere"], 2, "nowhere"),
    (["report", "nowhere"], 1, "nowhere: there is no such run folder"),
    (["scenario", "nowhere.toml"], 2, "nowhere.toml"),
]


@pytest.mark.parametrize(
    ("words", "exit_code", "reason"),
    WRONG,
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
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
