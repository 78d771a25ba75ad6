"""What a choice model is fitted to: sets of alternatives of which one is chosen.

A game is a set: its seats are the alternatives, and whoever wins is chosen. What describes an alternative
(its strategy, its faction, its seat, products of them) is a row of numbers; what all alternatives of a set
share drops out. A ranking of P alternatives is P − 1 choices, of the first among all, of the second among the
rest, and so on.

Source of the last: Luce 1959; Plackett 1975, "The analysis of permutations"; "exploded" by Chapman and
Staelin 1982. Ties as Breslow 1974 has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simlab.stats.intervals import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Choices:
    """Sets of alternatives, the rows of a set together.

    With N rows in S sets: `x` (N, K) describes an alternative, `won` (N,) is its share of the choice (1 for
    what was chosen; shares of a set add up to 1), `start` (S,) a set's first row, `weight` (S,) how often the
    set counts, `block` (S,) the number of its block, from 0.
    """

    x: Floats
    won: Floats
    start: Ints
    weight: Floats
    block: Ints

    @classmethod
    def of_rows(
        cls,
        x: ArrayLike,
        won: ArrayLike,
        sets: ArrayLike,
        blocks: ArrayLike,
        weights: ArrayLike | None = None,
    ) -> Choices:
        """From rows in any order: x (N, K); share won, set, block and weight of the set by row (N,).

        Sets with a single alternative say nothing and are left out. Raises ValueError where the shapes don't
        fit, a set's shares don't add up to 1, or a set lies in two blocks.
        """
        x_, won_ = np.asarray(x, np.float64), np.asarray(won, np.float64)
        set_, block = np.asarray(sets, np.int64), np.asarray(blocks, np.int64)
        weight = np.ones(len(won_)) if weights is None else np.asarray(weights, np.float64)
        if x_.ndim != 2 or any(column.shape != x_.shape[:1] for column in (won_, set_, block, weight)):
            raise ValueError(f"x {x_.shape} needs won, sets, blocks and weights a row each")
        order = np.argsort(set_, kind="stable")
        x_, won_, set_, weight = x_[order], won_[order], set_[order], weight[order]
        block = np.unique(block[order], return_inverse=True)[1]
        start = _starts(set_)
        count = sizes(start, len(set_))
        if len(start) and not np.allclose(np.add.reduceat(won_, start), 1.0):
            raise ValueError("the shares of a set must add up to 1")
        if any((column != np.repeat(column[start], count)).any() for column in (block, weight)):
            raise ValueError("the rows of a set must have one block and one weight")
        return cls(x_, won_, start, weight[start], block[start]).of_alternatives(np.ones(len(set_), bool))

    @property
    def sizes(self) -> Ints:
        """Alternatives of each set (S,)."""
        return sizes(self.start, len(self.won))

    def merged(self, *, by_block: bool) -> Choices:
        """The same choices, with sets of the same alternatives made one: weights added up, shares averaged.

        `by_block`: only those of one block; otherwise blocks are lost. The likelihood stays as it is.
        """
        row, size = _numbered(self.x), self.sizes
        order = np.lexsort(
            (row, np.repeat(np.arange(len(size)), size))
        )  # rows of a set in an order of their own
        row = row[order]
        kind = np.unique(self.block, return_inverse=True)[1] if by_block else np.zeros(len(size), np.int64)
        for place in range(int(size.max(initial=0))):
            at = np.where(place < size, row[np.minimum(self.start + place, len(row) - 1)] + 1, 0)
            kind = np.unique(kind * (int(row.max()) + 2) + at, return_inverse=True)[1]
        _, first = np.unique(kind, return_index=True)
        start = np.cumsum(size[first]) - size[first]
        within = np.arange(len(row)) - np.repeat(self.start, size)
        total = np.bincount(
            np.repeat(start[kind], size) + within, weights=np.repeat(self.weight, size) * self.won[order]
        )
        weight = np.bincount(kind, weights=self.weight).astype(np.float64)
        rows = order[np.repeat(self.start[first] - start, size[first]) + np.arange(len(total))]
        block = self.block[first] if by_block else np.zeros(len(first), np.int64)
        return Choices(self.x[rows], total / np.repeat(weight, size[first]), start, weight, block)

    def of_alternatives(self, kept: NDArray[np.bool_]) -> Choices:
        """Only some of the alternatives, kept (N,); sets that are left with fewer than two go.

        What a set has left must hold all that was chosen of it.
        """
        left = np.add.reduceat(kept, self.start, dtype=np.int64) if len(self.start) else self.start
        held = left > 1
        rows = kept & np.repeat(held, self.sizes)
        start = np.cumsum(left[held]) - left[held]
        return Choices(self.x[rows], self.won[rows], start, self.weight[held], self.block[held])


def _numbered(rows: Floats) -> Ints:
    """A number (N,) that two rows share if they are equal."""
    mixed = (rows * np.sqrt(2.0 + np.arange(rows.shape[1]))).sum(axis=1)  # of equal rows the same sum
    _, first, number = np.unique(mixed, return_index=True, return_inverse=True)
    if (rows == rows[first[number]]).all():
        return number
    return np.unique(rows, axis=0, return_inverse=True)[1]


def _starts(numbers: Ints) -> Ints:
    """The first row of each run of equal numbers."""
    new = np.ones(len(numbers), bool)
    new[1:] = numbers[1:] != numbers[:-1]
    return np.flatnonzero(new)


def sizes(start: Ints, rows: int) -> Ints:
    """Rows of each set (S,) by their first rows (S,)."""
    return np.diff(start, append=rows)


def exploded(x: ArrayLike, places: ArrayLike, sets: ArrayLike, blocks: ArrayLike) -> Choices:
    """Rankings as choices: x (N, K), place (N,) in its ranking, 1 first, ranking and block of each row (N,).

    Those that share a place are chosen together, each with an equal share, and the choice counts as often
    as there are of them.
    """
    x_, place = np.asarray(x, np.float64), np.asarray(places, np.int64)
    set_, block = np.asarray(sets, np.int64), np.asarray(blocks, np.int64)
    order = np.lexsort((place, set_))
    x_, place, set_, block = x_[order], place[order], set_[order], block[order]
    new_set, new_place = np.zeros(len(set_), bool), np.zeros(len(set_), bool)
    new_set[_starts(set_)] = True
    new_place[_starts(place)] = True
    group = np.cumsum(new_set | new_place) - 1  # of rows that share set and place
    rank = group - np.maximum.accumulate(np.where(new_set, group, 0))
    tied = np.bincount(group)[group] if len(group) else group
    numbered = np.cumsum(new_set) - 1
    stages = []
    for stage in range(int(rank.max(initial=-1)) + 1):
        left = rank >= stage
        first = rank[left] == stage
        weight = np.bincount(numbered[left], weights=first)[numbered[left]]
        won = np.where(first, 1 / tied[left], 0.0)
        stages.append((x_[left], won, numbered[left] + len(set_) * stage, block[left], weight))
    if not stages:
        return Choices.of_rows(x_, place, set_, block)
    return Choices.of_rows(*(np.concatenate(parts) for parts in zip(*stages, strict=True)))
