"""`simlab run`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simlab.commands.compiling import compiling_announced
from simlab.commands.options import ExperimentFile, Seed, Strategies, Workers, path, whole

if TYPE_CHECKING:
    from simlab.experiment import Experiment

Games = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole("--games", 1, 10**10),
        help="games for each number of players, the most with until; the file's if left out",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", parser=path("--out"), help="the run's folder; one in runs/ if left out"),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="stop at the first game that a strategy spoils, and tell all of it")
]


def run(
    file: ExperimentFile,
    games: Games = None,
    strategies: Strategies = None,
    workers: Workers = None,
    seed: Seed = None,
    out: Out = None,
    strict: Strict = False,
) -> None:
    """Play an experiment; the last line is the run's folder.

    The same command goes on after a stop, and with more --games the run is extended. simlab report tells
    what came out.
    """
    from simlab import experiment as experiments

    with compiling_announced():
        experiment = experiments.load(file, games=games, seed=seed, strategies=strategies)
        played = play(experiment, workers, out, strict)
    typer.echo(played)


def play(experiment: Experiment, workers: int | None, out: Path | None, strict: bool) -> Path:
    """Play an experiment, saying on stderr what was played; the run's folder."""
    from joblib import cpu_count

    from simlab import runs
    from simlab.failures import Failures

    plan = runs.plan(experiment, out)
    whole_games = runs.rounded(experiment)
    if whole_games != experiment.games:
        typer.echo(_rounded(experiment, whole_games), err=True)
    failures = Failures()
    try:
        manifest = runs.play(plan, workers or cpu_count(), strict=strict, failures=failures)
    finally:  # after Ctrl-C too: the run's folder doesn't know them
        for line in failures.lines():
            typer.echo(line, err=True)
    typer.echo(_played(manifest), err=True)
    if "ended" in manifest:
        typer.echo(manifest["ended"]["says"], err=True)
    return plan.folder


def _rounded(experiment: Any, whole: int) -> str:
    each = " for each number of players" if len(experiment.players) > 1 else ""
    games = "1 game is" if experiment.games == 1 else f"{experiment.games:,} games are"
    return f"{games} rounded up to {whole:,}{each}, whole blocks"


def _played(manifest: dict[str, Any]) -> str:
    counts = manifest["counts"]
    irregular = {how: n for how, n in counts["endings"].items() if how != "finished"}
    reasons = ", ".join(f"{n:,} {how}" for how, n in sorted(irregular.items(), key=lambda each: -each[1]))
    arms = len(manifest["arms"])
    under = f" under {arms} arms" if arms > 1 else ""
    notes = f", {sum(irregular.values()):,} ended irregularly ({reasons})" if irregular else ""
    games, blocks = (
        f"{counts[what]:,} {what if counts[what] != 1 else what[:-1]}" for what in ("games", "blocks")
    )
    return f"{games} in {blocks}{under}{notes}; digest {manifest['digest']}"
