"""Which code of the engine is the rules: what a deal, a list of choices and a choice performed come to.

Nobody names files: it is every function that is called, directly or through others, from where a game is
laid out (`lay_out`), dealt (`set_up`), asked (`list_legal`) and played on (`apply_choice`), and the constants
of its own file that it uses. So left out are, since they decide no play: the reading of packs, experiments
and scenarios; the table of knobs, whose defaults `test_twin.py` holds to the twin's; words, drawings and
facts of positions; result tables; the sampling of packs; the loops and entry kernels around these four; the
laws, and what a seat can't know; and the vocabulary and the records, whose numbers are names, shapes and
capacities.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache

from tests.mutations.catalogue import GAME, source

ROOTS = (("board", "lay_out"), ("setup", "set_up"), ("legal", "list_legal"), ("turn", "apply_choice"))
PACKAGE = "simlab.games.dei."


@dataclass(frozen=True)
class Stretch:
    """Lines of a file: the body of a function, or a constant; `name` is the function's or the constant's."""

    file: str
    name: str
    first: int
    last: int


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(source(GAME / f"{module}.py"))


@cache
def _functions(module: str) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in _tree(module).body if isinstance(node, ast.FunctionDef)}


@cache
def _constants(module: str) -> dict[str, ast.Assign]:
    """The statement that sets each name of a module."""
    return {
        name.id: node
        for node in _tree(module).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }


@cache
def _imported(module: str) -> dict[str, tuple[str, str]]:
    """(module, name) of each name that a module imports from the game's package."""
    return {
        alias.asname or alias.name: (node.module.removeprefix(PACKAGE), alias.name)
        for node in _tree(module).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE)
        for alias in node.names
    }


def reached() -> list[Stretch]:
    """The rules, by file and line."""
    waiting = list(ROOTS)
    functions: set[tuple[str, str]] = set()
    constants: set[tuple[str, str]] = set()
    while waiting:
        module, name = waiting.pop()
        if (module, name) in functions:
            continue
        functions.add((module, name))
        for node in ast.walk(_functions(module)[name]):
            if not isinstance(node, ast.Name):
                continue
            where, what = _imported(module).get(node.id, (module, node.id))
            if what in _functions(where):
                waiting.append((where, what))
            elif where == module and what in _constants(module):
                constants.add((module, what))
    found = [_body(module, _functions(module)[name]) for module, name in functions]
    found += [_constant(module, _constants(module)[name]) for module, name in constants]
    return sorted(set(found), key=lambda stretch: (stretch.file, stretch.first))


def _body(module: str, function: ast.FunctionDef) -> Stretch:
    """From the first statement on: decorators, arguments and their types are left out."""
    first = function.body[1 if ast.get_docstring(function) else 0]
    return Stretch(f"{module}.py", function.name, first.lineno, function.end_lineno or first.lineno)


def _constant(module: str, statement: ast.Assign) -> Stretch:
    name = next(node.id for node in ast.walk(statement.targets[0]) if isinstance(node, ast.Name))
    return Stretch(f"{module}.py", name, statement.lineno, statement.end_lineno or statement.lineno)
