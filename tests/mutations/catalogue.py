"""The mutations of the engine as data; what the digest of the rulebook, the code and the tests say of a rule.

Nothing here imports the engine: a mutation is put in place before that is done.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "simlab" / "games" / "dei"
TESTS = ROOT / "tests" / "dei"
DIGEST = ROOT / "docs" / "rules" / "dei-core.md"
FOLDER = Path(__file__).resolve().parent / "dei"
EXEMPT = FOLDER / "exempt.toml"

_RANGE = re.compile(r"(CORE-\d{3})(?: … (CORE-\d{3}))?")
_MARKED = re.compile(r"pytest\.mark\.rule\(([^)]*)\)")


@dataclass(frozen=True)
class Mutation:
    """One clause of a rule switched off or inverted: `old` text of one function or file becomes `new`."""

    rule: str
    name: str
    where: str  # FILE or FILE:FUNCTION under simlab/games/dei; `old` occurs exactly once there
    old: str
    new: str
    says: str  # what holds in the mutant
    endless: bool = False  # the mutant is meant to go on for ever

    @property
    def id(self) -> str:
        """CORE-041/tie-is-enough."""
        return f"{self.rule}/{self.name}"

    @property
    def file(self) -> Path:
        """The file that is changed."""
        return GAME / self.where.partition(":")[0]

    @property
    def module(self) -> str:
        """The module that is changed, empty for a file of a pack."""
        return f"simlab.games.dei.{self.file.stem}" if self.file.suffix == ".py" else ""

    @property
    def is_of_pack(self) -> bool:
        """Whether it changes a pack or how one is read."""
        return not self.module or self.file.stem.startswith("pack")

    def span(self) -> tuple[int, int]:
        """Where in the file's text `old` must lie: the function named, or all."""
        text = source(self.file)
        function = self.where.partition(":")[2]
        if not function:
            return 0, len(text)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name == function:
                lines = text.splitlines(keepends=True)
                start = sum(map(len, lines[: node.lineno - 1]))
                return start, start + sum(map(len, lines[node.lineno - 1 : node.end_lineno]))
        raise LookupError(f"{self.id}: {self.where} is no function")

    def mutated(self) -> str:
        """The file's text with the mutation; LookupError unless `old` occurs exactly once."""
        text = source(self.file)
        start, end = self.span()
        count = text.count(self.old, start, end)
        if count != 1:
            raise LookupError(f"{self.id}: the old text occurs {count} times in {self.where}, not once")
        return text[:start] + text[start:end].replace(self.old, self.new) + text[end:]

    def lines(self) -> set[int]:
        """The numbers of the lines of code that it changes, whole statements."""
        text = source(self.file)
        first = text.count("\n", 0, text.index(self.old, self.span()[0])) + 1
        last = first + self.old.rstrip("\n").count("\n")
        found = set(range(first, last + 1))
        for node in ast.walk(ast.parse(text)):
            simple = isinstance(node, ast.expr | ast.Assign | ast.Return | ast.Expr | ast.AugAssign)
            if simple and any(
                node.lineno <= line <= (node.end_lineno or 0) for line in range(first, last + 1)
            ):
                found.update(range(node.lineno, (node.end_lineno or 0) + 1))
        return found


@dataclass(frozen=True)
class Exempt:
    """A rule that needs no mutation, or a mutation (or a whole rule) that games of chance don't meet."""

    what: str  # a rule or a mutation
    of: str  # "mutation" or "firing"
    reason: str


@cache
def source(path: Path) -> str:
    """A file's text."""
    return path.read_text(encoding="utf-8")


def mutations() -> list[Mutation]:
    """All of them, in the order of the rulebook."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        if path != EXEMPT:
            found += [Mutation(**row) for row in tomllib.loads(source(path))["mutation"]]
    return sorted(found, key=lambda mutation: mutation.rule)


def exempt(of: str) -> dict[str, str]:
    """Rules or mutations exempt from having a "mutation" or from "firing", with the reason of each."""
    rows = [Exempt(**row) for row in tomllib.loads(source(EXEMPT))["exempt"]]
    return {row.what: row.reason for row in rows if row.of == of}


def rules() -> list[str]:
    """The ids of the digest, in order."""
    return re.findall(r"^- (CORE-\d{3}) ", source(DIGEST), re.MULTILINE)


def implemented() -> dict[str, list[str]]:
    """File:function of the docstrings that name each rule, by range only where none does alone."""
    alone, by_range = defaultdict(list), defaultdict(list)
    for path in sorted(GAME.glob("*.py")):
        for node in ast.walk(ast.parse(source(path))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for first, last in _RANGE.findall(ast.get_docstring(node) or ""):
                numbers = range(int(first[5:]), int((last or first)[5:]) + 1)
                for rule in (f"CORE-{number:03d}" for number in numbers):
                    (by_range if last else alone)[rule].append(f"{path.stem}:{node.name}")
    return {rule: list(dict.fromkeys(alone[rule] or by_range[rule])) for rule in rules()}


def scenarios() -> dict[str, list[Path]]:
    """The scenario files of each rule, those named after it first."""
    found = defaultdict(list)
    for path in sorted((TESTS / "scenarios").glob("*.toml")):
        for rule in tomllib.loads(source(path))["rule"]:
            found[rule].append(path)
    for rule, paths in found.items():
        paths.sort(key=lambda path, number=rule[5:]: not path.name.startswith(number))
    return found


def marked_tests() -> dict[str, dict[Path, int]]:
    """How many marked tests of each rule a file has, scenario files apart."""
    found: dict[str, dict[Path, int]] = defaultdict(lambda: defaultdict(int))
    for path in sorted(TESTS.glob("test_*.py")):
        for arguments in _MARKED.findall(source(path)):
            for rule in re.findall(r'"(CORE-\d{3})"', arguments):
                found[rule][path] += 1
    return found
