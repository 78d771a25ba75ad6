"""The files of modules and of what they import, found without importing any."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path


def sources(starts: Iterable[str], own: Callable[[str], Path | None]) -> list[Path]:
    """The files of modules and of what they import, also inside functions, where `own` has a file for it.

    Nothing is imported.
    """
    seen: dict[str, Path] = {}
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        file = own(name)
        if name in seen or file is None:
            continue
        seen[name] = file
        waiting += _imports(file, name)
    return sorted(seen.values())


def file_of(module: str) -> Path | None:
    """The file of a module whose package is imported, whether the module is or not."""
    top, *names = module.split(".")
    package = sys.modules.get(top)
    if not names or package is None:
        file = getattr(package, "__file__", None)
        return None if file is None else Path(file)
    return file_below(map(Path, getattr(package, "__path__", ())), names)


def file_below(folders: Iterable[Path], names: Sequence[str]) -> Path | None:
    """The file of a module by its names below one of the folders."""
    for folder in folders:
        for file in (Path(folder, *names).with_suffix(".py"), Path(folder, *names, "__init__.py")):
            if file.is_file():
                return file
    return None


def _imports(file: Path, module: str) -> Sequence[str]:
    """Modules that a file may import, by full name; names that turn out to be no module do no harm."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = module.rsplit(".", node.level)[0]
                base = f"{parent}.{base}" if base else parent
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found
