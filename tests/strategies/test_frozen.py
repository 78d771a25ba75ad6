"""`dei/greedy` is what ladders and published figures stand on, so it can't become weaker unnoticed.

`tests/golden/greedy.toml` has a row for each greedy there was, the last one being today's. Who changes its
source adds a row, with the win share that the new one has in two-player games against each earlier one.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from simlab import catalog

ROWS = tomllib.loads((Path(__file__).parents[1] / "golden" / "greedy.toml").read_text(encoding="utf-8"))[
    "greedy"
]


def test_greedy_is_the_last_of_those_written_down():
    assert catalog.strategy_hash(catalog.strategy("dei/greedy", "dei")) == ROWS[-1]["source"]


def test_each_greedy_was_at_least_as_good_as_all_before_it():
    for number, row in enumerate(ROWS):
        assert len(row["win_share_against_earlier"]) == number
        assert all(share >= 0.5 for share in row["win_share_against_earlier"])
