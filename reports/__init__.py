"""Reports on a run: `write` puts `report.html` and its companions into a folder, `show` prints it.

Nothing is imported before a report is asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from reports.dei.comparison.effects import Comparison
    from reports.document import Section

HTML, MARKDOWN, JSON = "report.html", "report.md", "report.json"
COMPARISON = "compare.md"
FIGURES, TABLES = "report/figures", "report/tables"  # an SVG a figure, a CSV a table


def write(
    run_path: str | Path,
    out: str | Path | None = None,
    sections: Sequence[str] | None = None,
    arm: str | None = None,
) -> Path:
    """Write the report into the folder `out`, by default the run's; the path of the HTML file.

    Beside `report.html` are the same as Markdown and JSON, and below `report/` each figure as SVG and each
    table as CSV. `sections` names the sections wanted, all of them if None; one may be a Python file of one's
    own. `arm` names the arm whose games it is about, the base's if None; that of another arm goes by default
    into the folder arms/ARM of the run's. The same run gives the same bytes. Raises ResultsError for a run
    that can't be read, UsageError for what is no run, no section or no arm.
    """
    composed = compose(run_path, sections, arm)
    return _save(composed, _folder(run_path, out, arm))


def show(run_path: str | Path, console: Console, sections: Sequence[str] | None = None) -> None:
    """Print the report on a terminal."""
    from reports.terminal import show as print_

    print_(compose(run_path, sections), console)


def publish(
    run_path: str | Path,
    console: Console,
    out: str | Path | None = None,
    sections: Sequence[str] | None = None,
    arm: str | None = None,
) -> Path:
    """Print the report, then write it, as `show` and `write` do, but read the run only once."""
    from reports.terminal import show as print_

    composed = compose(run_path, sections, arm)
    folder = _folder(run_path, out, arm)
    print_(composed, console)
    return _save(composed, folder)


def compose(
    run_path: str | Path, sections: Sequence[str] | None = None, arm: str | None = None
) -> list[Section]:
    """The sections of a report as plain data, in their order; those from files come last."""
    from dataclasses import replace

    from reports.dei import contents
    from simlab.catalog import section_file
    from simlab.catalog import sections as plugged_in
    from simlab.errors import UnknownName
    from simlab.results import open_run
    from simlab.wording import did_you_mean, shown

    known: dict[str, Callable[[Any], Section | None]] = {**contents.SECTIONS, **plugged_in("dei")}
    files = {name: section_file(name) for name in sections or () if name.endswith(".py")}
    for name in sections or ():
        if name not in known and name not in files:
            near = did_you_mean(name, known) or "; simlab list sections names them all"
            raise UnknownName(f"there is no report section {shown(name)}{near}")
    wanted = known if sections is None else {name: known[name] for name in known if name in sections}
    basis = contents.basis(open_run(run_path), arm)
    contents.refuse_absent(basis, sections or ())
    composed: list[Section] = []
    for name, build in {**wanted, **files}.items():
        section = build(basis) if name in contents.SECTIONS else _plugged_in(name, build, basis)
        if section is not None:
            key, taken = Path(name).stem, {one.key for one in composed}
            composed.append(replace(section, key=key if key not in taken else f"{key}-{len(composed)}"))
    return composed


def report(
    run_path: str | Path, sections: Sequence[str] | None = None, arm: str | None = None
) -> dict[str, Any]:
    """What `write` puts into `report.json`. Raises what `write` raises."""
    import json

    from reports.structured import structured

    found: dict[str, Any] = json.loads(structured(compose(run_path, sections, arm)))
    return found


def _plugged_in(name: str, build: Callable[[Any], Any], basis: Any) -> Section | None:
    """A section by code of others; whatever goes wrong in it is one sentence."""
    from reports.document import Section
    from simlab.errors import RunError, SimlabError
    from simlab.wording import plain, shown

    said = shown(Path(name).name)
    try:
        found = build(basis)
    except SimlabError:
        raise
    except Exception as error:
        reason = plain(str(error), 200)
        raise RunError(f"the section {said} failed: {type(error).__name__}: {reason}") from error
    if found is not None and not isinstance(found, Section):
        raise RunError(f"the section {said} is no Section, but {type(found).__name__}")
    return found


def files(sections: Sequence[Section]) -> dict[str, str]:
    """The files of a report by their paths in its folder."""
    from reports.document import Table
    from reports.figures import ink, plots
    from reports.html import page
    from reports.markdown import markdown
    from reports.spreadsheet import comma_separated
    from reports.structured import structured

    parts = [named for section in sections for named in section.named()]
    tables = {name: part for name, part in parts if isinstance(part, Table)}
    pictures = {name: plots.svg(part, name) for name, part in parts if not isinstance(part, Table)}
    return {
        **{f"{FIGURES}/{name}.svg": ink.alone(svg) for name, svg in pictures.items()},
        **{f"{TABLES}/{name}.csv": comma_separated(table) for name, table in tables.items()},
        JSON: structured(sections),
        MARKDOWN: markdown(sections, FIGURES),
        HTML: page(sections, pictures),
    }


def _folder(run_path: str | Path, out: str | Path | None, arm: str | None) -> Path:
    """Where a report goes; UsageError for what can't be a folder."""
    from simlab.errors import UsageError
    from simlab.wording import place

    usual = Path(run_path) if arm is None else Path(run_path, "arms", arm)
    folder = usual if out is None else Path(out)
    if folder.is_file():
        raise UsageError(f"{place(folder)} is a file, not a folder")
    return folder


def _save(sections: Sequence[Section], folder: Path) -> Path:
    """Write a report's files, the HTML last, and remove the figures and tables of an earlier one."""
    written = files(sections)
    for name, text in written.items():
        save(folder / name, text)
    for old in [*(folder / FIGURES).glob("*.svg"), *(folder / TABLES).glob("*.csv")]:
        if old.relative_to(folder).as_posix() not in written:
            old.unlink()
    return folder / HTML


def publish_comparison(run_paths: Sequence[str | Path], console: Console) -> Path:
    """Print how the arms of a run compare with its base; `compare.md` and `compare.json` go into its folder.

    Further runs are of the same experiment, played by others: each has its own files, and the first's tell
    whether the verdicts depend on who plays. The path of the first `compare.md`. Raises ResultsError for a
    run that can't be read, UsageError for one with one arm.
    """
    import json

    from reports.dei.comparison.by_play import by_play
    from reports.dei.comparison.sections import sections
    from reports.markdown import markdown
    from reports.terminal import show as print_

    made = _compared(run_paths)
    for number, (found, data) in enumerate(zip(made, _comparisons(made), strict=True)):
        folder = found.basis.run.path
        composed = sections(found)
        if number == 0:
            composed[1:1] = [by_play(made)] if len(made) > 1 else []
            print_(composed, console)
        save(folder / COMPARISON, markdown(composed))
        text = json.dumps(data, indent=1, ensure_ascii=False)
        save((folder / COMPARISON).with_suffix(".json"), text + "\n")
    return made[0].basis.run.path / COMPARISON


def comparison(run_paths: Sequence[str | Path]) -> dict[str, Any]:
    """What `publish_comparison` puts into the first run's `compare.json`. Raises what it raises."""
    return _comparisons(_compared(run_paths))[0]


def _compared(run_paths: Sequence[str | Path]) -> list[Comparison]:
    from reports.dei.comparison.effects import compare
    from simlab.errors import UsageError
    from simlab.results import open_run
    from simlab.wording import place

    runs = [open_run(path) for path in run_paths]
    for run in runs:
        if len(run.manifest.get("arms", ())) < 2:
            raise UsageError(f"{place(run.path)} has no arms to compare: its experiment has no [arms]")
    return [compare(run) for run in runs]


def _comparisons(made: Sequence[Comparison]) -> list[dict[str, Any]]:
    """Comparisons as plain data, those by others in the first one as well."""
    from reports.dei.comparison.plain import plain

    first, *others = map(plain, made)
    return [{**first, "also_by": others} if others else first, *others]


def save(target: Path, text: str) -> None:
    """Write a file of a report, whole or not at all; RunError where it can't be."""
    from simlab.errors import RunError
    from simlab.results import write_whole

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode())
    except OSError as error:
        raise RunError(f"the report can't be written to {target}: {error.strerror}") from None
