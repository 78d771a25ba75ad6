"""Imports run one way, as docs/architecture.md draws it."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("simlab", "strategies", "reports")

# D.E.I. from what stands on nothing to what stands on everything; a module imports from its own layer or
# above it in this list, directly or through modules not named here
DEI = (
    ("vocabulary",),
    ("rules", "tables", "state", "columns"),
    ("icons", "choices", "settings", "record"),
    ("regions", "board", "pack", "modifiers"),
    ("majority", "agenda"),  # verbs push what they have to ask
    ("moves", "collects", "enlists", "builds", "kills", "drones", "markets", "feats", "candy", "missions"),
    ("legal", "turn"),
    ("block",),
)
# what a game may know of the package around it
KNOWN_TO_GAMES = {
    *("jit", "chance", "errors", "game", "strategy", "story", "results", "toml", "wording", "scenario"),
}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def import_nodes(tree: ast.AST, *, lazy: bool) -> list[ast.Import | ast.ImportFrom]:
    """Imports of a module; those inside functions only if `lazy`, those for type checkers never."""
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        elif not is_for_types(node) and (lazy or not isinstance(node, ast.FunctionDef)):
            found += import_nodes(node, lazy=lazy)
    return found


@cache
def imports(module: str, *, lazy: bool = True) -> frozenset[str]:
    """What a module imports: module names in full, ours down to the module."""
    found = set()
    for node in import_nodes(ast.parse(FILES[module].read_text(encoding="utf-8")), lazy=lazy):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{module}: imports are absolute"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in FILES else str(node.module))
    return frozenset(found)


def reached(module: str) -> set[str]:
    """All of our modules that importing one brings in."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        for other in imports(waiting.pop(), lazy=False):
            if other in FILES and other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def of(package: str) -> list[str]:
    return [module for module in FILES if module == package or module.startswith(package + ".")]


def test_only_jit_imports_numba() -> None:
    users = {module for module in FILES if any(name.partition(".")[0] == "numba" for name in imports(module))}
    assert users == {"simlab.jit"}


def test_jit_and_errors_import_nothing_of_ours() -> None:
    for module in ("simlab.jit", "simlab.errors", "simlab.wording"):
        assert not {name for name in imports(module) if name in FILES}
    assert {name for name in imports("simlab.chance") if name in FILES} <= {"simlab", "simlab.jit"}


def test_nobody_imports_a_strategy() -> None:
    for module in FILES:
        if not module.startswith("strategies"):
            assert not {name for name in imports(module) if name.partition(".")[0] == "strategies"}, module


@pytest.mark.parametrize("module", of("simlab.games"))
def test_games_know_neither_the_package_around_them_nor_each_other(module: str) -> None:
    game = module.split(".")[2] if module.count(".") >= 2 else ""
    for name in imports(module):
        parts = name.split(".")
        assert parts[0] not in {"reports", "strategies"}, name
        if parts[:2] == ["simlab", "games"]:
            assert parts[2:3] in ([game], []), name
        elif parts[0] == "simlab" and len(parts) > 1:
            assert parts[1] in KNOWN_TO_GAMES, name


@pytest.mark.parametrize("module", of("strategies"))
def test_strategies_know_their_game_and_the_contract(module: str) -> None:
    game = module.split(".")[1] if "." in module else ""
    allowed = (
        *(f"simlab.games.{game}", "simlab.strategy", "simlab.weights_file"),
        *("simlab.jit", "simlab.chance", "strategies"),
    )
    for name in imports(module):
        if name in FILES and name != "simlab":
            assert name.startswith(allowed), name


@pytest.mark.parametrize("module", of("simlab.stats"))
def test_statistics_know_no_game(module: str) -> None:
    for name in imports(module):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names:
            continue
        assert top in {"numpy", "scipy"} or name.startswith("simlab.stats"), name


@pytest.mark.parametrize("module", of("reports"))
def test_reports_know_results_and_statistics(module: str) -> None:
    allowed = (
        "reports",
        "simlab.stats",
        "simlab.results",
        "simlab.errors",
        "simlab.wording",
        "simlab.catalog",
    )
    for name in imports(module):
        if name in FILES and name != "simlab":
            declared = name.startswith("simlab.games.") and name.endswith(
                (".vocabulary", ".columns", ".rules", ".ground_plan")
            )
            assert name.startswith(allowed) or declared, name


def test_the_layers_of_dei_hold() -> None:
    rank = {f"simlab.games.dei.{name}": number for number, layer in enumerate(DEI) for name in layer}
    for module, number in rank.items():
        if module in FILES:
            upwards = {name for name in reached(module) if rank.get(name, -1) > number}
            assert not upwards, f"{module} imports {sorted(upwards)}"


def test_no_import_goes_round_in_a_circle() -> None:
    for module in FILES:
        assert module not in reached(module), module


@pytest.mark.parametrize(
    "code",
    [
        "import simlab.cli, simlab.catalog, simlab.experiment, simlab.design, simlab.results, simlab.runs",
        "import simlab.games.dei.definition, simlab.games.dei.record",
        "import simlab.bench.question, simlab.bench.tables",
        "import simlab.strategy_check, simlab.weights_file, simlab.readable",
        f"import importlib; [importlib.import_module(name) for name in {of('reports')}]",
        f"import importlib; [importlib.import_module(name) for name in {of('simlab.stats')}]",
    ],
    ids=["around games", "declarations", "bench", "strategies", "reports", "statistics"],
)
def test_nothing_that_lists_or_reports_imports_compiled_code(code: str) -> None:
    check = f"import sys; {code}; assert 'numba' not in sys.modules; assert 'simlab.jit' not in sys.modules"
    answer = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
