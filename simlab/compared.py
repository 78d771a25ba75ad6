"""What a comparison plays: an experiment with arms, and the same one by others, each a run of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from simlab.errors import ExperimentError, UsageError
from simlab.experiment import Experiment
from simlab.wording import place


def with_folders(
    experiment: Experiment, out: Path | None, where: str = ""
) -> list[tuple[Experiment, Path | None]]:
    """The experiment and those in its `also_by`, each with its run's folder, None = the usual one.

    Raises ExperimentError, which begins with `where`, for one without arms.
    """
    if not experiment.arms.others:
        raise ExperimentError(f"{where}there are no [arms], so there is nothing to compare")
    made = [experiment, *experiment.also_by]
    outs = [out, *(out and out.with_name(f"{out.name}-{k}") for k in range(1, len(made)))]
    return list(zip(made, outs, strict=True))


def refuse_options(run: Path, options: Mapping[str, bool]) -> None:
    """UsageError for the first option that is given, as a run is compared as it is."""
    for option, given in options.items():
        if given:
            raise UsageError(f"{option} has no effect: {place(run)} is a run, which is compared as it is")
