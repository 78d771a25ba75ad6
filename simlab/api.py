"""simlab from Python: runs, comparisons and verdicts over packs as data.

    import simlab

    run = simlab.run("experiments/dei/factions_4p.toml", games=2000)
    run.table("seats").to_pandas()
    simlab.compare("experiments/dei/confrontation.toml", games=2000)["arms"][0]["verdict"]
    simlab.robust("experiments/dei/factions_4p.toml", packs=20, games=400)["subjects"][0]["holds"]

The same games as the commands play, in the same folders, and what goes wrong is the same sentence: a
`simlab.errors.SimlabError`. docs/python.md has examples.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab import values
from simlab.errors import UsageError
from simlab.wording import did_you_mean, place, plain, shown

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from simlab.experiment import Experiment
    from simlab.failures import Failures
    from simlab.results import Run

Asked = str | Path | Mapping[str, Any]
MOST_WORKERS = 1024
_LONGEST_REASON = 200  # of what the database says


@dataclass(frozen=True, repr=False)
class LoadedRun:
    """A run that was played: its tables, its report and the comparison of its arms, as data."""

    _run: Run

    def __repr__(self) -> str:
        counts = self.manifest["counts"]
        return f"<run {place(self.path)}: {counts['games']:,} games in {counts['blocks']:,} blocks>"

    @property
    def path(self) -> Path:
        """Its folder."""
        return self._run.path

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What `manifest.json` says: the resolved experiment, versions, counts, the digest."""
        return self._run.manifest

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables; `simlab list tables` explains their columns."""
        return tuple(self._run.files)

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, all of its rows and those columns, in memory: an Arrow table, `.to_pandas()` and the like.

        Unit and meaning of a column are in the metadata of its field. Raises UsageError for a table or column
        that isn't there. Of a large run ask `sql` rather than for whole tables.
        """
        if name not in self.tables:
            raise UsageError(f"there is no table {shown(name)}{did_you_mean(name, self.tables)}")
        _refuse_text("columns", columns)
        return self._run.table(name, columns)

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """The answer of DuckDB to a query over the tables: `.df()`, `.fetchall()`, `.to_arrow_table()`.

        Raises UsageError for a query that can't be asked.
        """
        import duckdb

        try:
            return self._run.sql(query)
        except duckdb.Error as error:
            reason = plain(str(error).strip().splitlines()[0], _LONGEST_REASON)
            raise UsageError(f"{shown(query)} can't be asked: {reason}") from None

    def report(self, sections: Sequence[str] | None = None, arm: str | None = None) -> dict[str, Any]:
        """The report as `simlab report` writes it to `report.json`.

        `sections` names those wanted, `arm` the arm it is about; the base if None.
        """
        import reports

        _refuse_text("sections", sections)
        return reports.report(self.path, sections, arm)

    def comparison(self) -> dict[str, Any]:
        """How the arms compare with the base, as `simlab compare` writes it to `compare.json`.

        Raises UsageError for a run without arms.
        """
        import reports

        return reports.comparison([self.path])


def load(run: str | Path) -> LoadedRun:
    """A run's folder, opened. Raises UsageError if it is none, ResultsError if it isn't as it was written."""
    from simlab.results import open_run

    return LoadedRun(open_run(run))


def run(
    experiment: Asked,
    *,
    games: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    strict: bool = False,
    quiet: bool = True,
) -> LoadedRun:
    """Play an experiment, as `simlab run` does: only what isn't there yet.

    `experiment` is a file, or what one may hold as a mapping; relative paths in a mapping are looked for from
    where Python runs. `games`, for each number of players and rounded up to whole blocks, and `seed` take the
    place of the experiment's. `workers`: all cores by default; the games don't depend on it. `out` is the
    run's folder, `runs/NAME-HASH` by default. `strict` stops at the first game that a strategy spoils (they
    are warned of otherwise); without `quiet` a bar on stderr shows how far it is.

    Raises UsageError for what can't be asked, RunError for what fails.
    """
    made = _experiment(experiment, games, seed)
    return load(_played(made, workers, _path(out), strict=strict, quiet=quiet))


def compare(
    experiment: Asked,
    *,
    games: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    strict: bool = False,
    quiet: bool = True,
) -> dict[str, Any]:
    """Play an experiment under all its arms, as `run` does, and say what each changes.

    Gives what `simlab compare` writes to `compare.json`; of an experiment with `also_by`, "also_by" in it has
    the same of the others. `experiment` may be a run's folder too, which is compared as it is. Raises
    UsageError for an experiment or a run without arms, and what `run` raises.
    """
    import reports
    from simlab.compared import refuse_options, with_folders

    if not isinstance(experiment, Mapping) and Path(experiment).is_dir():
        options = {"games": games, "seed": seed, "workers": workers, "out": out, "strict": strict}
        given = {name: value is not None and value is not False for name, value in options.items()}
        refuse_options(Path(experiment), given)
        return reports.comparison([experiment])
    where = "" if isinstance(experiment, Mapping) else f"{place(experiment)}: "
    asked = with_folders(_experiment(experiment, games, seed), _path(out), where)
    folders = []
    for each, to in asked:
        folders.append(_played(each, workers, to, strict=strict, quiet=quiet))
    return reports.comparison(folders)


def robust(
    experiment: Asked,
    *,
    packs: int = 20,
    screen: int | None = None,
    by: Sequence[str] = (),
    games: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    quiet: bool = True,
) -> dict[str, Any]:
    """Play an experiment with plausible packs too, and say in what share of them each verdict holds.

    Gives what `simlab robust` writes to `robust.json`. `packs` are drawn anew from the ranges of assumed
    values; with `screen` the values that verdicts hang on are looked for in so many trajectories; `by` names
    strategies that play all of it too. Raises UsageError for what can't be asked, RunError for what fails.
    """
    from joblib import cpu_count

    from simlab.failures import Failures
    from simlab.robustness import as_json, question, robustness, study
    from simlab.robustness import screen as screening

    _refuse_text("by", by)
    values.number("packs", packs, question.FEWEST_PACKS, question.MOST_PACKS)
    for name, value, low, high in (
        ("screen", screen, *screening.TRAJECTORIES),
        ("workers", workers, 1, MOST_WORKERS),
    ):
        if value is not None:
            values.number(name, value, low, high)
    failures = Failures()
    try:
        with _announced(quiet):
            asked = question.asked(_experiment(experiment, games, seed), packs, by, _path(out))
            playing = robustness.Playing(workers or cpu_count(), quiet, failures)
            return as_json.plain(*study.study(asked, playing, screen, lambda _: None))
    finally:
        _warn(failures, 1)


def _refuse_text(what: str, names: Sequence[str] | None) -> None:
    """Text is a sequence too, of its letters."""
    if isinstance(names, str):
        raise UsageError(f"{what} must be a list of names, such as [{shown(names)}], not a text")


def _experiment(asked: Asked, games: int | None, seed: int | None) -> Experiment:
    from simlab import experiment

    if isinstance(asked, Mapping):
        return experiment.of_mapping(asked, games=games, seed=seed)
    return experiment.load(asked, games=games, seed=seed)


def _path(out: str | Path | None) -> Path | None:
    return None if out is None else Path(out)


def _played(
    experiment: Experiment, workers: int | None, out: Path | None, *, strict: bool, quiet: bool
) -> Path:
    """Play what is missing of a run; its folder."""
    from joblib import cpu_count

    from simlab import runs
    from simlab.failures import Failures

    if workers is not None:
        values.number("workers", workers, 1, MOST_WORKERS)
    failures = Failures()
    try:
        with _announced(quiet):
            plan = runs.plan(experiment, out)
            runs.play(plan, workers or cpu_count(), quiet=quiet, strict=strict, failures=failures)
    finally:  # after Ctrl-C too: the run's folder doesn't know them
        _warn(failures, 2)
    return plan.folder


def _warn(failures: Failures, callers: int) -> None:
    """Warn where the user's code called, so many functions up."""
    for line in failures.lines():
        warnings.warn(line, stacklevel=2 + callers)


def _announced(quiet: bool) -> AbstractContextManager[None]:
    from simlab.commands.compiling import compiling_announced

    return nullcontext() if quiet else compiling_announced()
