"""What having a thing is worth: games played once more without it, for one seat, on the same deal.

A *knock-out* takes one thing (a card, a Feat) from one seat and leaves all else alone. Until the seat would
have used the thing both games are the same, choice by choice, so where it didn't use it nothing changes: who
would have used it is seen in the game with it. That makes two effects of the same games, both of *having*
the thing (with less without):

- *among users*: of the seats that used it, how much it gave them;
- *a seat* (intention to treat): of all seats that could have, users or not. It is the effect among users
  times the share of users, since the others' is exactly nothing.

Neither is what users' results show beside others', the *association*: who is ahead may use other things.

Sources: Bloom 1984, "Accounting for no-shows in experimental evaluation designs", for effects among users
where nobody else can be affected; Imbens and Rubin, "Causal Inference" (2015), ch. 23, for the exclusion
that this rests on; Fisher 1935, "The Design of Experiments", for what few changes can show; Jaffe et al.
2012, "Evaluating competitive game balance with restricted play", for games without a thing as its measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from simlab.stats.differences import against_rest
from simlab.stats.intervals import Estimate, Moments, share
from simlab.stats.paired import Effect, PairedMoments, effect
from simlab.stats.simultaneous import p_values

if TYPE_CHECKING:
    from simlab.stats.intervals import Floats

FEW = 30  # blocks with a user; with fewer the spread that was measured can't be trusted


@dataclass(frozen=True, eq=False)
class KnockOuts:
    """Sums by block and thing, (G, K) each.

    `seats`: that could have used the thing; `total`: what these had, in the games with it; `users`: those
    that used it, `users_total`: what they had; `gain`: what they had with it less without; `changed`: how
    many of their games went or ended otherwise. `others_gain`, `others_changed`: the same of the seats that
    didn't use it, None where all of that is 0, as it is unless a strategy acts by what it might use yet.
    """

    seats: Floats
    total: Floats
    users: Floats
    users_total: Floats
    gain: Floats
    changed: Floats
    others_gain: Floats | None = None
    others_changed: Floats | None = None

    def __post_init__(self) -> None:
        tables = [table for table in vars(self).values() if table is not None]
        if len({np.shape(table) for table in tables}) != 1 or np.ndim(self.seats) != 2:
            raise ValueError("sums by block and thing must be tables of one shape")
        if (self.users > self.seats).any():
            raise ValueError("a block has more users than seats")

    def among_users(self, k: int) -> PairedMoments:
        """Pairs of the users of thing k: without it as base, with it as arm."""
        return _pairs(self.users, self.users_total, self.gain, self.changed, k)

    def a_seat(self, k: int) -> PairedMoments:
        """Pairs of all seats that could have used it."""
        gain = self.gain if self.others_gain is None else self.gain + self.others_gain
        changed = self.changed if self.others_changed is None else self.changed + self.others_changed
        return _pairs(self.seats, self.total, gain, changed, k)


def _pairs(rows: Floats, total: Floats, gain: Floats, changed: Floats, k: int) -> PairedMoments:
    return PairedMoments.of_blocks(rows[:, k], total[:, k] - gain[:, k], total[:, k], changed[:, k])


@dataclass(frozen=True)
class Worth:
    """What one thing is worth.

    `users`, `seats`: effect of having it on its users and on every seat that could have used it, as
    `paired.Effect`s whose base is the game without it; `used`: the share of users among these seats;
    `association`: users' mean less that of the other seats, in the games with it; `p`: two-sided, of
    "it gives its users nothing". NaN where it can't be known, `p` also with fewer than FEW blocks of users.
    """

    users: Effect
    seats: Effect
    used: Estimate
    association: Estimate
    p: float

    @property
    def enough(self) -> bool:
        """Whether there are enough blocks for the users' interval to be believed."""
        return self.users.difference.clusters >= FEW


def worths(sums: KnockOuts, level: float = 0.95, reach: float = nan) -> tuple[Worth, ...]:
    """What each thing (K) is worth, clustered on blocks; unit: that of the totals.

    `reach`: the most that one seat's result can differ (1 for win shares), NaN if there is no bound.
    The effect among users is Σ gain / Σ users with the error of a ratio of block sums (Bloom 1984): the
    instrumental-variables estimate with the knock-out as the instrument of use. Assumes independent blocks
    and that a knock-out can reach a seat only through the thing it takes.
    """
    others = (sums.seats - sums.users, sums.total - sums.users_total)
    associations, _ = against_rest(sums.users, sums.users_total, *others, level)
    return tuple(_worth(sums, k, associations[k], level, reach) for k in range(sums.seats.shape[1]))


def _worth(sums: KnockOuts, k: int, association: Estimate, level: float, reach: float) -> Worth:
    among = sums.among_users(k)
    users = effect(among, level, reach)
    used = share(Moments.of_blocks(sums.seats[:, k], sums.users[:, k]), level)
    return Worth(
        users, effect(sums.a_seat(k), level, reach), used, association, p_of_nothing(users, among.changed)
    )


def p_of_nothing(found: Effect, changed: int) -> float:
    """Two-sided p of "the effect is nothing", for one that may rest on few blocks; NaN with fewer than FEW.

    Student's t of the clustered mean, but at least 2^(1 − changed) with `changed` blocks that came out
    differently: were their signs tossed, they would all agree as often as that. So four wins that came with a
    card and none that went is no finding, which t alone would call one. 1 where no block changed.
    Source: Fisher 1935, the test by signs.
    """
    if found.difference.clusters < FEW:
        return nan
    least = min(1.0, 2.0 ** (1 - changed))
    by_t = float(p_values([found.difference], [0.0])[0]) if found.difference.se > 0 else 0.0
    return max(least, by_t)
