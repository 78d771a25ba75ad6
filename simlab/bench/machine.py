"""Facts of the machine, without which no figure of speed means anything."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path


def facts(versions: Mapping[str, str]) -> dict[str, str | int]:
    """CPU, cores that workers can use, memory, system, the versions given, switches of the compiler."""
    from joblib import cpu_count

    found: dict[str, str | int] = {
        "cpu": _cpu(),
        "cores": cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
        **versions,
    }
    flags = {name for name in os.environ if name.startswith("NUMBA_")} - {"NUMBA_CACHE_DIR"}
    if flags:  # bounds checks, for one, cost time
        found["flags"] = " ".join(f"{name}={os.environ[name]}" for name in sorted(flags))
    return found


def _cpu() -> str:
    """The model of the CPU; Python knows it on some systems only."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (named or [platform.processor() or platform.machine()])[0]
