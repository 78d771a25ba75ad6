"""What can go wrong, as a tree.

SimlabError
 ├─ UsageError            exit 2: what the user wrote is wrong
 │   ├─ ExperimentError   an experiment file (file, key, reason)
 │   │   └─ NoEffect      something in it that changes nothing
 │   ├─ PackError         a component pack (file, row, reason)
 │   ├─ ScenarioError     a scenario file (file, key, reason)
 │   ├─ WeightsError      a strategy's file of weights (file, key, reason)
 │   └─ UnknownName       a game, strategy, pack or section that isn't there
 └─ RunError              exit 1: a run or a check failed
     └─ ResultsError      a run folder that can't be read

Every message is one sentence that names the place and the reason; nothing prints a traceback for them.
"""

from __future__ import annotations


class SimlabError(Exception):
    """Base of every error that is a message to the user."""

    exit_code = 1


class UsageError(SimlabError):
    """What the user wrote is wrong."""

    exit_code = 2


class ExperimentError(UsageError):
    """An experiment file is wrong."""


class NoEffect(ExperimentError):
    """Something in an experiment file changes nothing."""


class PackError(UsageError):
    """A component pack is wrong."""


class ScenarioError(UsageError):
    """A scenario file is wrong."""


class WeightsError(UsageError):
    """A strategy's file of weights is wrong."""


class UnknownName(UsageError):
    """A game, strategy, pack or report section that isn't there."""


class RunError(SimlabError):
    """A run or a check failed."""


class ResultsError(RunError):
    """A run folder can't be read."""
