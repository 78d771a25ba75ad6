"""What an experiment's [ladder] may say.

    [ladder]
    packs = 5              # sampled packs besides the experiment's, in each of which the order must hold
    pairs = "all"          # or "neighbours": those beside each other in the file and in the order found
    parts = 4              # of the slowest strategy: no contest plays more
    anchor = "dei/uniform" # whose rating is 0; the first strategy if left out

A slow strategy declares how many games it plays in a part (`Strategy.games_per_part`), so `parts` shortens
its contests and not those of quick ones, without a clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from simlab import values
from simlab.errors import ExperimentError
from simlab.wording import did_you_mean, shown

ALL, NEIGHBOURS = "all", "neighbours"
MOST_RATED = 64  # strategies of a ladder
MOST_PACKS = 1_000
MOST_PARTS = 10**6


@dataclass(frozen=True)
class LadderKeys:
    """What a ladder is asked beside the experiment's own keys."""

    packs: int
    pairs: str
    parts: int
    anchor: str

    def written(self) -> dict[str, Any]:
        """As a file has it."""
        return asdict(self)


def defaults(strategies: Sequence[str]) -> LadderKeys:
    """What holds where a file says nothing."""
    return LadderKeys(packs=5, pairs=ALL, parts=4, anchor=strategies[0])


def ladder_keys(value: Any, written: Sequence[str], strategies: Sequence[str]) -> LadderKeys:
    """The keys of [ladder]; `written` and `strategies` are the strategies as written and as resolved.

    Raises ExperimentError.
    """
    table = values.table("ladder", value)
    usual = defaults(strategies)
    for key in table:
        if key not in asdict(usual):
            raise ExperimentError(f"[ladder] has no key {shown(key)}{did_you_mean(key, asdict(usual))}")
    return LadderKeys(
        packs=values.number("ladder.packs", table.get("packs", usual.packs), 0, MOST_PACKS),
        pairs=_pairs(table, strategies) if "pairs" in table else usual.pairs,
        parts=values.number("ladder.parts", table.get("parts", usual.parts), 1, MOST_PARTS),
        anchor=_anchor(table["anchor"], written, strategies) if "anchor" in table else usual.anchor,
    )


def _pairs(table: Mapping[str, Any], strategies: Sequence[str]) -> str:
    pairs = values.text("ladder.pairs", table["pairs"])
    if pairs not in {ALL, NEIGHBOURS}:
        raise ExperimentError(f"ladder.pairs must be {shown(ALL)} or {shown(NEIGHBOURS)}, not {shown(pairs)}")
    if pairs == NEIGHBOURS and len(strategies) < 3:
        raise ExperimentError(f"ladder.pairs = {shown(pairs)} has no effect with fewer than three strategies")
    return pairs


def _anchor(value: Any, written: Sequence[str], strategies: Sequence[str]) -> str:
    name = values.text("ladder.anchor", value)
    if name not in written:
        raise ExperimentError(
            f"ladder.anchor must be one of the strategies, not {shown(name)}{did_you_mean(name, written)}"
        )
    return strategies[list(written).index(name)]
