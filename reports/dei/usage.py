"""How often something is used where it could be, and whether that is hardly ever or always."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reports.dei.basis import ALWAYS, LEVEL, RARE
from simlab.stats.intervals import Estimate, Moments, critical, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.basis import Basis

DEAD, DOMINANT = "dead", "dominant"


@dataclass(frozen=True)
class Use:
    """The share of chances that were taken; `extreme` is DEAD, DOMINANT or nothing."""

    label: str
    taken: Estimate
    extreme: str


def uses(basis: Basis, players: int, labels: Sequence[str], moments: Sequence[Moments]) -> tuple[Use, ...]:
    """Each thing's use; an extreme is claimed with a risk of 5 % over all of them (Bonferroni).

    `moments` by clusters (`Basis.group`). In a run that may have stopped at any look, over all looks too.
    """
    found = []
    precision = basis.precision_of_groups("", len(labels), players) if labels else None
    for name, moment in zip(labels, moments, strict=True):
        if precision is None:
            alone = share(moment, LEVEL)
            wide = share(moment, LEVEL, critical(1 - (1 - LEVEL) / len(labels), moment.clusters))
        else:
            alone, wide = (
                each.share(moment, players) for each in (replace(precision, level=LEVEL), precision)
            )
        extreme = DEAD if wide.high < RARE else DOMINANT if wide.low > ALWAYS else ""
        found.append(Use(name, alone, extreme))
    return tuple(found)


def of(found: Sequence[Use], extreme: str) -> list[Use]:
    """Those of an extreme, the most extreme first."""
    sign = 1 if extreme == DEAD else -1
    return sorted((use for use in found if use.extreme == extreme), key=lambda use: sign * use.taken.value)
