"""Which of many inputs move an output: Morris' elementary effects of outputs that are themselves estimates.

An input is moved in several trajectories, each time with all others somewhere else; its effects are what that
changes. Their mean size (μ*) says how much the input matters, their spread (σ) how much that hangs on the
others. The output of a simulation moves by chance too, so each effect comes with its error, and an input
counts only where effects are larger than errors make them.

Sources: Morris 1991, "Factorial sampling plans for preliminary computational experiments"; Campolongo,
Cariboni and Saltelli 2007 for μ* and for groups of inputs; Benjamini and Hochberg 1995 over all inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc

from simlab.stats.intervals import Floats
from simlab.stats.simultaneous import false_discovery, holm

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Moved:
    """One input over R trajectories, by output (V); unit: that of the outputs.

    `size` (μ*): mean absolute effect; `mean` (μ) and `spread` (σ) of the effects; `floor`: what μ* would be
    by chance alone; `p`: that effects of this size are chance, over all outputs; `adjusted`: over all inputs
    too.
    """

    size: Floats
    mean: Floats
    spread: Floats
    floor: Floats
    p: float
    adjusted: float

    @property
    def most(self) -> int:
        """The output that it moves most, beyond chance."""
        return int(np.argmax(self.size - self.floor))

    @property
    def beyond(self) -> float:
        """How far the size is beyond the floor there."""
        return float((self.size - self.floor)[self.most])


def screened(effects: ArrayLike, errors: ArrayLike) -> tuple[Moved, ...]:
    """What each input (K) does: effects and their standard errors, both (K, R, V).

    Of R effects with errors s_r and no true effect, Σ (e_r/s_r)² is χ² with R degrees of freedom, R−1 of them
    where an effect has neither size nor error; the least p of the V outputs, by Holm, is the input's, and
    over inputs the share of false names is kept (Benjamini and Hochberg). An effect without any error is
    0 or real. Assumes trajectories on different deals, so that their errors don't depend on each other.
    """
    e, s = np.asarray(effects, np.float64), np.asarray(errors, np.float64)
    if e.shape != s.shape or e.ndim != 3 or e.shape[1] < 2:
        raise ValueError(f"effects {e.shape} and errors {s.shape} must be (inputs, trajectories, outputs)")
    if (s < 0).any():
        raise ValueError("an error is negative")
    p = [float(holm([_p(e[k, :, v], s[k, :, v]) for v in range(e.shape[2])]).min()) for k in range(len(e))]
    adjusted = false_discovery(p)
    floor = sqrt(2 / pi) * s.mean(axis=1)
    return tuple(
        Moved(
            np.abs(e[k]).mean(axis=0), e[k].mean(axis=0), e[k].std(axis=0, ddof=1), floor[k], p[k], float(a)
        )
        for k, a in enumerate(adjusted)
    )


def _p(effects: Floats, errors: Floats) -> float:
    """Against "no effect in any trajectory"."""
    sharp = errors == 0
    if (effects[sharp] != 0).any():
        return 0.0
    freedom = int((~sharp).sum())
    if freedom == 0:
        return 1.0
    return float(chdtrc(freedom, float(((effects[~sharp] / errors[~sharp]) ** 2).sum())))
