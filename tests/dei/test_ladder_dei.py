"""The ladder over D.E.I.: its tables have what is needed, its games can be played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab.experiment import load
from simlab.ladder import ladder as ladders
from simlab.replay import Replay, find

TEXT = """
name = "two"
game = "dei"
seed = 1
games = 8
players = 2
strategies = ["dei/uniform", "dei/greedy"]
[ladder]
packs = 0
"""


@pytest.mark.compiled_only
def test_greedy_stands_above_uniform_and_a_game_of_theirs_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "two.toml"
    file.write_text(TEXT, encoding="utf-8")
    found = ladders.play(load(file), 1, quiet=True)
    assert [found.names[k] for k in found.orders[0].order] == ["dei/greedy", "dei/uniform"]
    (contest,) = found.games
    assert (contest.played, len(contest.block)) == (8, 8)
    steps: list[object] = []
    replay = Replay(find(contest.plan.folder, game=5))
    replay.play(steps.append)  # raises if it isn't what was recorded
    assert steps
