"""Reports on a run: `write` puts `report.md` into its folder, `show` prints the same on a terminal.

Nothing is imported before a report is asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from reports.document import Section

MARKDOWN = "report.md"


def write(run_path: str | Path, out: str | Path | None = None, sections: Sequence[str] | None = None) -> Path:
    """Write the report as Markdown to `out`, by default `report.md` in the run folder; the path of the file.

    `sections` names the sections wanted, all of them if None. The same run gives the same bytes. Raises
    ResultsError for a run that can't be read, UsageError for what is no run or no section.
    """
    from reports.markdown import markdown

    text = markdown(compose(run_path, sections))
    target = Path(run_path) / MARKDOWN if out is None else Path(out)
    save(target, text)
    return target


def show(run_path: str | Path, console: Console, sections: Sequence[str] | None = None) -> None:
    """Print the report on a terminal."""
    from reports.terminal import show as print_

    print_(compose(run_path, sections), console)


def publish(
    run_path: str | Path,
    console: Console,
    out: str | Path | None = None,
    sections: Sequence[str] | None = None,
) -> Path:
    """Print the report, then write it, as `show` and `write` do, but read the run only once."""
    from reports.markdown import markdown
    from reports.terminal import show as print_

    composed = compose(run_path, sections)
    print_(composed, console)
    target = Path(run_path) / MARKDOWN if out is None else Path(out)
    save(target, markdown(composed))
    return target


def compose(run_path: str | Path, sections: Sequence[str] | None = None) -> list[Section]:
    """The sections of a report as plain data, in their order."""
    from reports.dei import contents
    from simlab.catalog import sections as plugged_in
    from simlab.errors import UnknownName
    from simlab.results import open_run
    from simlab.wording import did_you_mean, shown

    known = {**contents.SECTIONS, **plugged_in("dei")}
    for name in sections or ():
        if name not in known:
            raise UnknownName(f"there is no report section {shown(name)}{did_you_mean(name, known)}")
    wanted = known if sections is None else [name for name in known if name in sections]
    basis = contents.basis(open_run(run_path))
    built = (known[name](basis) for name in wanted)
    return [section for section in built if section is not None]


def save(target: Path, text: str) -> None:
    """Write a report; RunError where it can't be."""
    from simlab.errors import RunError

    try:
        target.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RunError(f"the report can't be written to {target}: {error.strerror}") from None
