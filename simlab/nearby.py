"""Files and folders that a path may have meant."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from simlab.wording import shown

_MOST = 10_000  # of a folder's names that are looked at


def did_you_mean_path(path: Path) -> str:
    """``; did you mean "…"?`` if something in the same folder is called nearly so, else nothing.

    What stands behind the last hyphen may be left out, as the hash of a run's folder. A path that can't be,
    or into a folder that can't be read, meant nothing.
    """
    try:
        names = [other.name for _, other in zip(range(_MOST), path.parent.iterdir(), strict=False)]
    except (OSError, ValueError):
        return ""
    meant = {name.rpartition("-")[0]: name for name in sorted(names)} | {name: name for name in names}
    near = get_close_matches(path.name, sorted(meant), n=1, cutoff=0.75)
    return f"; did you mean {shown(str(path.with_name(meant[near[0]])))}?" if near else ""
