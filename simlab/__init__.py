"""simlab from Python: `load` a run, `run` an experiment, `compare` its arms, `robust` over packs (`api.py`).

Importing this imports nothing: compiled code and what reads results come when they are asked for. Their types
are in `__init__.pyi`.
"""

from importlib import import_module

__all__ = ["LoadedRun", "compare", "load", "robust", "run"]


def __getattr__(name: str) -> object:
    """What `api.py` offers; named in no import statement, as what is imported here counts as the engine's."""
    if name in __all__:
        return getattr(import_module("simlab.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
