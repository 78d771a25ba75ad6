"""The traps of compiled code, one test each: what went wrong elsewhere can't go wrong here unseen."""

from __future__ import annotations

import ast
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simlab import chance, jit
from simlab.game import SCHEDULE
from simlab.games.dei.rules import RULES_RECORD
from simlab.games.dei.state import HIDDEN, LOG, OWN, PUBLIC
from simlab.games.dei.tables import BOARD_RECORD, PACK_RECORD

ROOT = Path(jit.__file__).resolve().parent.parent
RECORDS = (PUBLIC, OWN, HIDDEN, LOG, RULES_RECORD, PACK_RECORD, BOARD_RECORD, SCHEDULE)
SOURCES = jit.engine_sources()
COMPILED = [path for path in SOURCES if re.search(r"^from simlab.jit import", path.read_text(), re.MULTILINE)]


def run(code: str, **environment: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return done.stdout.strip()


def test_no_field_hides_an_attribute_of_records() -> None:
    """A field named like a method of np.record silently reads as that method."""
    attributes = set(dir(np.record)) | set(dir(np.recarray))
    for dtype in RECORDS:
        assert not attributes & set(dtype.names or ()), dtype


def test_records_have_no_padding() -> None:
    """Equal games must be equal bytes."""
    for dtype in RECORDS:
        assert dtype.itemsize == sum(dtype[name].itemsize for name in dtype.names or ())


def test_record_arrays_are_made_in_one_place() -> None:
    """Everything else asks `state.records`; the block loop views the schedule that comes in."""
    made = {path.name for path in SOURCES if "np.recarray)" in path.read_text()}
    assert made == {"state.py", "block.py"}


def test_only_jit_imports_numba() -> None:
    for folder in ("simlab", "strategies", "reports"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != "jit.py":
                assert not re.search(r"^\s*(import|from) numba", path.read_text(), re.MULTILINE), path


def test_no_risky_compiler_switches() -> None:
    text = Path(jit.__file__).read_text()
    assert "fastmath=" not in text
    assert "parallel=" not in text


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.stem)
def test_truth_values_are_never_added(path: Path) -> None:
    """np.bool_ + np.bool_ is "or" in plain Python and a number in compiled code."""
    truths = (ast.Compare, ast.BoolOp)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            assert not isinstance(node.left, truths), f"{path.name}:{node.lineno}"
            assert not isinstance(node.right, truths), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.stem)
def test_no_default_arguments_in_compiled_functions(path: Path) -> None:
    """A default makes another signature, and another compilation, of each call shape."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(decorator, ast.Name) and decorator.id == "inner" for decorator in node.decorator_list
        ):
            assert not node.args.defaults, f"{path.name}:{node.lineno}"


@pytest.mark.compiled_only
def test_one_signature_a_function(tmp_path: Path) -> None:
    """A separate process, so that calls from tests don't add their own."""
    code = """
from simlab.games.dei import majority, links
from simlab.games.dei.signatures import game_types, table_types
from simlab.jit import entry, int64
from simlab.games.dei.links import is_linked
from simlab.games.dei.majority import renew_all, renew_region, value_needed, units_at
@entry(lambda: int64()(game_types()[0], table_types()[0], table_types()[2], int64()))
def probe(public, rules, board, seat):
    renew_all(public[0], rules[0], board[0])
    renew_region(public[0], rules[0], board[0], public[0].leader[seat])
    renew_region(public[0], rules[0], board[0], 3)
    return units_at(public[0], seat, public[0].drone[0]) + units_at(public[0], 0, 1) + value_needed(
        public[0], public[0].priority[0], 2)
functions = [getattr(module, name) for module in (majority, links) for name in dir(module)]
print(max(len(f.signatures) for f in functions if hasattr(f, "signatures")))
"""
    path = tmp_path / "probe.py"  # numba caches code of files only
    path.write_text(code)
    environment = {**os.environ, "SIMLAB_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, str(path)], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "1"


def test_chance_is_the_same_compiled_and_plain() -> None:
    """Known values, so that the two forms and every later version agree; never negative."""
    values = [chance.draw(key, purpose, 3, 4) for key in (0, 1, 2**62) for purpose in (1, 9)]
    assert values == [
        6856795153994602176,
        4732338360892378515,
        8887882471293634607,
        131689948682319510,
        1641482968110517764,
        6137714615507540872,
    ]
    draws = "[int(chance.draw(k, p, 3, 4)) for k in (0, 1, 2**62) for p in (1, 9)]"
    code = f"from simlab import chance; print({draws})"
    assert run(code, NUMBA_DISABLE_JIT="1") == str([int(value) for value in values])


def test_chance_is_even() -> None:
    """64 cells, 6,400 draws: the χ² statistic (63 degrees of freedom) stays below its 1e-6 quantile, 135."""
    cells = np.bincount([chance.draw(7, 1, i, 0) % 64 for i in range(6400)], minlength=64)
    assert ((cells - 100) ** 2 / 100).sum() < 135


@pytest.mark.compiled_only
def test_cache_folder_follows_sources_and_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba's cache notices neither an edit in another file nor a changed flag."""
    here = jit.cache_folder()
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert jit.cache_folder() != here
    monkeypatch.delenv("NUMBA_OPT")
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")  # a worker process would compile everything anew
    assert jit.cache_folder() == here
    monkeypatch.setattr(jit, "source_hash", lambda: "edited")
    assert jit.cache_folder() != here


def test_engine_sources_hold_what_kernels_are_made_of() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in SOURCES}
    assert {"simlab/jit.py", "simlab/chance.py", "simlab/game.py", "strategies/dei/uniform.py"} <= names
    assert {f"simlab/games/dei/{name}.py" for name in ("vocabulary", "state", "rules", "turn")} <= names
    assert "simlab/cli.py" not in names


PROBE = """
import os, sys
from simlab import jit
@jit.entry(lambda: jit.int64()(jit.int64()))
def double(x):
    return 2 * x
print(double(21))
"""


@pytest.mark.compiled_only
def test_a_truncated_cache_file_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "probe.py"
    path.write_text(PROBE)
    command = [sys.executable, str(path)]
    environment = {**os.environ, "SIMLAB_CACHE_DIR": str(tmp_path / "cache")}

    def printed() -> str:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout.strip()

    assert printed() == "42"
    files = [file for kind in ("*.nbi", "*.nbc") for file in (tmp_path / "cache").rglob(kind)]
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:20])
    assert printed() == "42"


TELLING = PROBE + "print(jit.CACHE)\nprint(sum(double.stats.cache_hits.values()))\n"


def told(tmp_path: Path, cache: Path, *more_path: Path, **options: object) -> tuple[str, int, str]:
    """The cache folder that the probe used, how often it found its code there, and its stderr."""
    path = tmp_path / "telling.py"
    if not path.exists():  # numba's cache goes by the time of the file
        path.write_text(TELLING)
    python_path = os.pathsep.join(map(str, [*more_path, ROOT]))
    done = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "SIMLAB_CACHE_DIR": str(cache), "PYTHONPATH": python_path},
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        **options,
    )
    answer, used, hits = done.stdout.splitlines()
    assert answer == "42"
    return used, int(hits), done.stderr


@pytest.mark.compiled_only
def test_without_a_place_for_the_cache_code_is_compiled_for_one_command(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    used, _, err = told(tmp_path, in_the_way)
    assert err.startswith(f"simlab: {in_the_way}")
    assert "can't be written (Not a directory)" in err
    assert err.count("\n") == 1
    assert not used.startswith(str(in_the_way))
    assert not Path(used).exists()  # taken away when the command ended


FROZEN = """
import tempfile
plain = tempfile.TemporaryFile
def refuse(dir=None, **others):
    if str(dir).startswith({cache!r}):
        raise OSError(30, "Read-only file system", str(dir))
    return plain(dir=dir, **others)
tempfile.TemporaryFile = refuse
"""


@pytest.mark.compiled_only
def test_a_cache_that_can_only_be_read_is_read(tmp_path: Path) -> None:
    """Refused by hand: who runs tests as root may write everything."""
    cache = tmp_path / "cache"
    assert told(tmp_path, cache)[1:] == (0, "")
    assert told(tmp_path, cache)[1:] == (1, "")
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    (tmp_path / "frozen").mkdir()
    (tmp_path / "frozen" / "sitecustomize.py").write_text(FROZEN.format(cache=str(cache)))
    used, hits, err = told(tmp_path, cache, tmp_path / "frozen")
    assert hits == 1
    assert "can't be written (Read-only file system)" in err
    assert not Path(used).exists()
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == before


def no_large_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


@pytest.mark.compiled_only
def test_a_full_disk_keeps_no_code_from_running(tmp_path: Path) -> None:
    """A limit to the size of files stands for the full disk."""
    cache = tmp_path / "cache"
    used, hits, err = told(tmp_path, cache, preexec_fn=no_large_files)
    assert used.startswith(str(cache))
    assert (hits, err) == (0, "")
    assert not [path for path in cache.rglob("*.nb?") if path.stat().st_size <= 64]
    assert told(tmp_path, cache)[1:] == (0, "")
    assert told(tmp_path, cache)[1:] == (1, "")


@pytest.mark.compiled_only
def test_processes_that_compile_at_once_agree(tmp_path: Path) -> None:
    path = tmp_path / "probe.py"
    path.write_text(PROBE)
    environment = {**os.environ, "SIMLAB_CACHE_DIR": str(tmp_path / "cache")}
    running = [
        subprocess.Popen(
            [sys.executable, str(path)], env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in running] == ["42"] * 4


@pytest.mark.compiled_only
def test_a_run_with_compiled_code_at_hand_compiles_nothing(tmp_path: Path) -> None:
    """Python code that calls an inner function waits for the compiler in each process anew."""
    code = f"""
import sys
import simlab.jit
from numba.core.dispatcher import Dispatcher
from pathlib import Path
from simlab import catalog, experiment, runs

catalog.warm_up()
compiled, compile_ = [], Dispatcher._compile_for_args

def noted(self, *arguments, **words):
    compiled.append(self.py_func.__name__)
    return compile_(self, *arguments, **words)

Dispatcher._compile_for_args = noted
written = dict(name="x", game="dei", seed=1, games=2, players=2, strategies=["dei/uniform"])
runs.play(runs.plan(experiment.resolve(written, Path()), Path({str(tmp_path / "run")!r})), 1, quiet=True)
print(compiled, "pandas" in sys.modules)
"""
    assert run(code) == "[] False"


LAST = """
import sys
import numpy as np
from simlab import jit
jit._ENGINE_FOLDERS = (sys.argv[1],)
@jit.entry(lambda: jit.int64()(jit.integers(), jit.int64()))
def at(values, i):
    return values[i]
print(at(np.array([5, 6, 7]), -1))
"""


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("ours", "checked", "said"), [("simlab", "0", "7"), ("__main__", "1", "out of bounds")]
)
def test_indices_wrap_around_in_plug_ins_alone(tmp_path: Path, ours: str, checked: str, said: str) -> None:
    """Ours aren't negative, which the bounds-checked tests see to: there a negative one raises."""
    path = tmp_path / "probe.py"
    path.write_text(LAST)
    environment = {**os.environ, "SIMLAB_CACHE_DIR": str(tmp_path), "NUMBA_BOUNDSCHECK": checked}
    command = [sys.executable, str(path), ours]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT)
    assert said in (done.stdout or done.stderr)


ANNOUNCED = """
from simlab import jit
with jit.announced(lambda: print("compiling")):
    @jit.entry(lambda: jit.int64()(jit.int64()))
    def double(x):
        return 2 * x
    @jit.entry(lambda: jit.int64()(jit.int64()))
    def treble(x):
        return x + x + x
print(double(21), treble(14))
"""


@pytest.mark.compiled_only
def test_what_is_compiled_is_announced_once_and_what_is_cached_never(tmp_path: Path) -> None:
    path = tmp_path / "announced.py"
    path.write_text(ANNOUNCED)
    told = []
    for half in (False, False, True):
        if half:  # of it is in the cache
            (file,) = (tmp_path / "cache").rglob("*treble*.nbi")
            file.unlink()
        done = subprocess.run(
            [sys.executable, str(path)],
            env={**os.environ, "SIMLAB_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(done.stdout.split())
    assert told == [["compiling", "42", "42"], ["42", "42"], ["compiling", "42", "42"]]


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "words",
    [
        "scenario tests/dei/scenarios",
        "pack check --draws 10",
        "pack sample 1 --out {folder}",
        "replay experiments/dei/demo.toml --game 3 --choices",
    ],
)
def test_a_command_with_compiled_code_at_hand_compiles_nothing(tmp_path: Path, words: str) -> None:
    code = "from simlab.catalog import warm_up; warm_up(); from simlab.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *words.format(folder=tmp_path).split()],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stderr == ""
