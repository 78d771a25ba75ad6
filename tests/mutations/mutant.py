"""A mutation put in place in a process that has imported nothing of the engine, and a test that notices."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.mutations.catalogue import GAME

SURVIVED = ""


class Mutation(Protocol):
    """What is put in place: chosen (`catalogue.py`) or drawn (`drawn/draw.py`)."""

    @property
    def file(self) -> Path:
        """The file that is changed."""

    @property
    def module(self) -> str:
        """The module that is changed, empty for a file of a pack."""

    def mutated(self) -> str:
        """The file's text with the mutation."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads one module from another text than its file's."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> Any:
        return compile(self._text, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, mutation: Mutation) -> None:
        self._name, self._path, self._text = mutation.module, str(mutation.file), mutation.mutated()

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != self._name:
            return None
        loader = _Loader(fullname, self._path, self._text)
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


def put_in_place(mutation: Mutation) -> None:
    """From here on the engine of this process is the mutant; packs are mutated in a copy."""
    assert not any(name.startswith("simlab") for name in sys.modules), "the engine is imported already"
    if mutation.module:
        sys.meta_path.insert(0, _Finder(mutation))
        return
    packs = Path(tempfile.mkdtemp()) / "packs"
    shutil.copytree(GAME / "packs", packs)
    (packs / mutation.file.relative_to(GAME / "packs")).write_text(mutation.mutated(), encoding="utf-8")
    from simlab.games.dei import pack

    pack.PACKS = packs


def killer(rule: str, scenarios: Iterable[Path], files: list[Path]) -> str:
    """The first scenario, else the first marked test of the rule, that fails; empty if none does."""
    return failing_scenario(scenarios) or failing_test(rule, files)


def failing_scenario(paths: Iterable[Path]) -> str:
    """The first scenario file that fails, by its name."""
    from simlab.scenario import read_scenario, run_scenario

    for path in paths:
        try:
            passed = run_scenario(read_scenario(path)).passed
        except Exception:
            passed = False
        if not passed:
            return path.name
    return SURVIVED


class _OfRule:
    """A pytest plugin: a rule's tests that are quick enough; it remembers the first that fails."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self.failed = SURVIVED

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._is_ours(item)]

    def _is_ours(self, item: pytest.Item) -> bool:
        if item.get_closest_marker("compiled_only") or item.get_closest_marker("slow"):
            return False
        return any(self._rule in marker.args for marker in item.iter_markers("rule"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid.removeprefix("tests/dei/")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid.removeprefix("tests/dei/")


def failing_test(rule: str, files: list[Path]) -> str:
    """The first test of these files that is marked with the rule and fails, by its node id."""
    if not files:
        return SURVIVED
    ours = _OfRule(rule)
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", *map(str, files)]
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
        pytest.main(arguments, plugins=[ours])
    return ours.failed
